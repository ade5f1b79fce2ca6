"""Connections break at any byte and the network goes away: nothing is lost or stored twice."""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from core.store.file.database import fetch
from core.store.store import Store
from tests.bench.collection import Prepared, prepare
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.conftest import begin, judge_screen, sign_in
from tests.browser.running import Running
from tests.browser.study import expect_saved, judge
from tests.faults.assessors import Crowd, make_assessors, tally
from tests.faults.network import Network, make_network
from tests.short import long

SEED = 7003
ENOUGH = 20
"""Torn connections after which a test has seen enough; how soon that is depends on the machine."""
SEE_NOTICES = """() => {
  window.notices = 0;
  new MutationObserver((changes) => {
    for (const change of changes)
      for (const node of change.addedNodes)
        if (node.querySelector?.("[role=dialog]") || node.role === "dialog") window.notices += 1;
  }).observe(document.body, { childList: true, subtree: true });
}"""
"""Counts the notices that came, however soon they went."""


Served = tuple[Running, Prepared]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A running server on a collection with one assessor."""
    prepared = prepare(tmp_path / "store.duckdb", documents=12, assessors=1)
    server = Running(tmp_path / "store.duckdb", tmp_path / "server.log")
    server.start()
    yield server, prepared
    server.kill()


@long
@pytest.mark.timeout(600)
def test_connections_break_at_any_byte(
    tmp_path: Path, long_form: bool, record_property: Callable[[str, object], None]
):
    path = tmp_path / "store.duckdb"
    prepared = prepare(path, documents=40, assessors=8 if long_form else 4)
    server = Running(path, tmp_path / "server.log")
    server.start()
    rng = random.Random(SEED)
    try:
        with make_network(server.port, SEED) as network:
            crowd = Crowd(make_assessors(network.port, prepared, SEED))
            network.breaks = True
            crowd.begin()
            cuts = 0
            while cuts < (30 if long_form else 3) or network.broken <= ENOUGH:
                time.sleep(rng.uniform(0.5, 1.5))
                network.cut()
                time.sleep(rng.uniform(0.1, 0.6))
                network.mend()
                cuts += 1
            network.breaks = False
            crowd.finish()
            broken = network.broken
    finally:
        server.kill()
    found = tally(path, crowd.assessors)
    record_property("counts", f"{cuts} cuts, {broken} connections torn; {found}")
    assert found.is_clean(), str(found)
    assert found.acknowledged == found.made


@long
@pytest.mark.browser
def test_a_browser_behind_a_network_that_goes_away(page: Page, served: Served, tmp_path: Path):
    """All of it goes, the page's own connection too, unlike what a browser calls offline."""
    server, prepared = served
    with make_network(server.port, SEED) as network:
        away = Running(server.store, tmp_path / "unused.log")
        away.address = f"http://127.0.0.1:{network.port}"
        sign_in(page, away, prepared.assessor_link)
        judge_while_cut(page, network)
    server.kill()
    assert levels_in(server.store) == [0, 1, 2, 3, 0]


def judge_while_cut(page: Page, network: Network) -> None:
    root = begin(page)
    judge(page, "1")
    expect_saved(page)
    network.cut()
    judge(page, "234")
    expect(root).to_have_attribute("data-waiting", "3")
    expect(page.get_by_test_id("save-state")).to_contain_text(
        "Offline, 3 labels wait on this device"
    )
    network.mend()
    expect_saved(page)
    judge(page, "1")
    expect_saved(page)


@long
@pytest.mark.browser
def test_a_browser_closed_mid_judgement(browser: Browser, served: Served, tmp_path: Path):
    """What waited when the whole browser was closed is sent when it is opened again."""
    server, prepared = served
    before = open_profile(browser, tmp_path / "profile")
    page = before.pages[0]
    sign_in(page, server, prepared.assessor_link)
    begin(page)
    judge(page, "1")
    expect_saved(page)
    server.kill()
    judge(page, "234")
    expect(judge_screen(page)).to_have_attribute("data-waiting", "3")
    before.close()
    server.start()
    assert levels_in_copy(server.store, tmp_path) == [0]
    after = open_profile(browser, tmp_path / "profile")
    page = after.pages[0]
    page.goto(server.address)
    begin(page)
    expect_saved(page)
    expect(page.get_by_test_id("progress")).to_have_text("5 of 12")
    after.close()
    server.kill()
    assert levels_in(server.store) == [0, 1, 2, 3]


def open_profile(browser: Browser, profile: Path) -> BrowserContext:
    """Open a browser of its own that keeps what it stores in a folder."""
    return browser.browser_type.launch_persistent_context(
        profile, executable_path=find_chromium(bare=True), args=ARGUMENTS
    )


def levels_in(path: Path) -> list[int]:
    """Return the levels in a store that nobody holds, each label once and none of them late."""
    store = Store(path)
    rows = fetch(store.cursor(), "SELECT level, document_id, stale FROM labels ORDER BY sequence")
    store.close()
    assert not any(row["stale"] for row in rows)
    assert len({row["document_id"] for row in rows}) == len(rows)
    return [row["level"] for row in rows]


def levels_in_copy(path: Path, folder: Path) -> list[int]:
    """Return the levels in a store that a server holds."""
    copy = folder / "copy"
    copy.mkdir()
    for part in path.parent.glob(f"{path.name}*"):
        (copy / part.name).write_bytes(part.read_bytes())
    return levels_in(copy / path.name)


@long
@pytest.mark.browser
def test_no_notice_takes_the_keys_while_the_server_is_gone(
    page: Page, served: Served, tmp_path: Path
):
    """Streamlit lays its own over the page after some seconds; the status line says the same."""
    server, prepared = served
    sign_in(page, server, prepared.assessor_link)
    root = begin(page)
    page.evaluate(SEE_NOTICES)
    judge(page, "1")
    expect_saved(page)
    server.kill()
    page.wait_for_function("() => window.notices")
    judge(page, "23")
    expect(root).to_have_attribute("data-waiting", "2")
    assert page.get_by_role("dialog").count() == 0
    server.start()
    expect_saved(page)
    server.kill()
    assert levels_in(server.store) == [0, 1, 2]
