"""Who gets in where, on a fresh server, in a real browser."""

import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.store.people.people import add_person, begin_session, invite
from core.store.store import Store
from pages.shared.navigation import PAGES
from tests.browser.conftest import begin, judge_screen, press_when_seen, sign_in
from tests.browser.running import Running
from tests.browser.test_judging import make_store
from tests.short import long

pytestmark = pytest.mark.browser

RunServer = Callable[[Path | None], Running]
PATHS = ["", *(page.path for page in PAGES)]


@long
def test_the_first_visitor_of_any_page_meets_the_sign_in(
    page: Page, tmp_path: Path, run_server: RunServer
):
    make_store(tmp_path / "store.duckdb")
    server = run_server(tmp_path / "store.duckdb")
    for path in reversed(PATHS):
        page.goto(f"{server.address}/{path}")
        expect(page.get_by_text("You need an invitation link")).to_be_visible()
        expect(page.get_by_test_id("stTopNavLink")).to_have_count(0)


@long
def test_an_assessor_meets_no_organisers_page(page: Page, tmp_path: Path, run_server: RunServer):
    _, token = make_store(tmp_path / "store.duckdb")
    server = run_server(tmp_path / "store.duckdb")
    sign_in(page, server, token)
    expect(judge_screen(page)).to_be_visible()
    names = page.get_by_test_id("stTopNavLink").all_inner_texts()
    assert [name.split("\n")[-1] for name in names] == ["Judge", "History", "Learn", "Account"]
    page.goto(f"{server.address}/people")
    expect(judge_screen(page)).to_be_visible()
    expect(page.get_by_role("heading", name="Roster")).to_have_count(0)


@long
def test_an_invitation_works_once(page: Page, tmp_path: Path, run_server: RunServer):
    _, token = make_store(tmp_path / "store.duckdb")
    server = run_server(tmp_path / "store.duckdb")
    sign_in(page, server, token)
    expect(judge_screen(page)).to_be_visible()
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{server.address}/enter/{token}", data=b"")
    assert caught.value.code == 403
    caught.value.close()


def test_the_first_organiser_signs_in_by_the_link_in_the_terminal(
    page: Page, tmp_path: Path, run_server: RunServer
):
    server = run_server(tmp_path / "new.duckdb")
    text = server.log.read_text()
    token = text.partition("/enter/")[2].split()[0]
    assert f"127.0.0.1:{server.port}/enter/" in text
    sign_in(page, server, token)
    expect(page.get_by_text("This store is empty")).to_be_visible()


@long
def test_a_password_set_on_ones_account_lets_in_another_browser(
    page: Page, tmp_path: Path, run_server: RunServer
):
    _, token = make_store(tmp_path / "store.duckdb")
    server = run_server(tmp_path / "store.duckdb")
    sign_in(page, server, token)
    page.get_by_role("link", name="Account").click()
    for label in ("A new password", "Repeat the new password"):
        page.get_by_label(label, exact=True).fill("a cat, a hat and a bat")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("Your password is set")).to_be_visible()
    name = page.get_by_text("You can sign in with the name").inner_text().split("name ")[1]
    assert page.context.browser is not None
    other = page.context.browser.new_context().new_page()
    other.goto(server.address)
    other.get_by_role("link", name="Sign in with a password").click()
    other.get_by_label("Name").fill(name.split(" and your")[0])
    other.get_by_label("Password").fill("a cat, a hat and a bat")
    other.get_by_role("button", name="Sign in").click()
    expect(judge_screen(other)).to_be_visible()
    page.get_by_role("button", name="Sign out of 1 other browser").or_(
        page.get_by_role("link", name="Account")
    ).first.click()


@long
def test_signing_out_ends_the_session(page: Page, tmp_path: Path, run_server: RunServer):
    _, token = make_store(tmp_path / "store.duckdb")
    server = run_server(tmp_path / "store.duckdb")
    sign_in(page, server, token)
    page.get_by_role("link", name="Account").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You need an invitation link")).to_be_visible()


@long
def test_a_page_to_be_judged_runs_nothing_and_loads_nothing(
    page: Page, tmp_path: Path, run_server: RunServer
):
    _, token = make_store(tmp_path / "store.duckdb")
    server = run_server(tmp_path / "store.duckdb")
    addresses: list[str] = []
    page.on("request", lambda one: addresses.append(one.url) if "/api/page/" in one.url else None)
    sign_in(page, server, token)
    root = begin(page)
    while "|d3|page|" not in (root.get_attribute("data-step") or ""):
        before = root.get_attribute("data-step") or ""
        press_when_seen(page, "1")
        expect(root).not_to_have_attribute("data-step", before)
    frame = page.frame_locator("iframe:visible")
    expect(frame.get_by_text("Page of")).to_be_visible()
    assert page.evaluate("window.hurt") is None
    address = addresses[0]
    answer = page.request.get(address)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    forged = page.request.get(f"{address}x")
    assert forged.status == 403


def test_an_organisers_page_shows_a_new_label_without_a_reload(
    page: Page, tmp_path: Path, run_server: RunServer
):
    path = tmp_path / "store.duckdb"
    _, token = make_store(path)
    store = Store(path)
    watcher = add_person(store, "Watcher", "organiser")
    begin_session(store, watcher)
    organiser = invite(store, watcher)
    store.close()
    server = run_server(path)
    assert page.context.browser is not None
    other = page.context.browser.new_context().new_page()
    sign_in(other, server, token)
    begin(other)
    sign_in(page, server, organiser)
    answer = page.locator(".st-key-answer")
    expect(answer).to_contain_text(": 0 of ")
    press_when_seen(other, "2")
    expect(answer).to_contain_text(": 1 of ")
