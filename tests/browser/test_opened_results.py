"""A listed result is opened beside another list: in its sandbox, by key and click, and back."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.rounds.pairs import read_preferences
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, press_when_seen
from tests.browser.running import Running
from tests.browser.test_side_by_side import SYSTEMS, listen
from tests.short import long

pytestmark = pytest.mark.browser

HOSTILE = "<h1>Framed</h1><script>top.hurt = 1</script><img src=x onerror='top.hurt = 1'>"


def add_lists(store: Store) -> tuple[str, str]:
    """Add a collection with one pair of lists; returns the collection and a session."""
    collection_id = create_collection(store, "Lists")
    documents = ["id\ttitle\turl\ttext\thtml", f"d0\tTitle 0\t\t\t{HOSTILE}", "d1\tTitle 1\t\t\t"]
    documents += [f"d{n}\tTitle {n}\t\tLong text of {n}\t" for n in range(2, 6)]
    results = ["topic\tengine\tdocument\trank\tsnippet"] + [
        f"t1\t{system}\td{n}\t{rank}\tCats seen by {n}"
        for system, order in zip(SYSTEMS, ([0, 1, 2], [3, 4, 5]), strict=True)
        for rank, n in enumerate(order, start=1)
    ]
    for kind, lines in (("topics", ["t1\tcats"]), ("documents", documents), ("results", results)):
        text = "\n".join(lines) + "\n"
        write_import(store, collection_id, read_import(kind, Source(f"{kind}.tsv", text.encode())))
    iris = add_person(store, "Iris", "assessor")
    add_member(store, collection_id, iris, "Iris")
    frame = pd.DataFrame(
        [("t1", "systems", *SYSTEMS)], columns=["topic_id", "kind", "first", "second"]
    )
    open_pair_round(store, collection_id, Plan(judges=1, flow="systems side by side"), frame)
    return collection_id, begin_session(store, iris)


def make_lists(path: Path) -> tuple[str, str]:
    """Make a store with one pair of lists; returns the collection and a session."""
    with closing(Store(path)) as store:
        return add_lists(store)


@pytest.fixture
def lists(
    browser: Browser, tmp_path: Path, run_server: Callable[[Path | None], Running]
) -> tuple[Page, str, list[bytes], Running]:
    """The judging screen at a pair of lists, its collection, and what reaches the browser."""
    path = tmp_path / "store.duckdb"
    collection_id, session = make_lists(path)
    server = run_server(path)
    page = browser.new_context().new_page()
    received = listen(page)
    page.context.add_cookies([{"name": server.cookie, "value": session, "url": server.address}])
    page.goto(server.address)
    begin(page)
    return page, collection_id, received, server


@long
def test_results_are_opened_looked_through_and_closed_by_keyboard(lists, tmp_path: Path):
    page, collection_id, received, server = lists
    root = judge_screen(page)
    step = root.get_attribute("data-step") or ""
    opened, where = page.get_by_test_id("opened"), page.get_by_test_id("opened-where")
    press_when_seen(page, "o")
    expect(opened).to_be_visible()
    expect(where).to_have_text("Left, result 1 of 3")
    first = page.get_by_test_id("left").locator(".title").first.inner_text()
    expect(page.get_by_test_id("opened-title")).to_have_text(first)
    page.keyboard.press("3")
    expect(where).to_have_text("Left, result 3 of 3")
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text("Right, result 3 of 3")
    texts = []
    for side in ("ArrowLeft", "ArrowRight"):
        page.keyboard.press(side)
        for number in "123":
            page.keyboard.press(number)
            expect(where).to_contain_text(f"result {number} of 3")
            if page.get_by_test_id("opened-missing").is_visible():
                continue
            frame = opened.locator("iframe")
            expect(frame).to_have_attribute("sandbox", "")
            expect(frame.content_frame.locator("body")).not_to_be_empty()
            texts.append(frame.content_frame.locator("body").inner_text())
    assert sum("Long text of" in one for one in texts) == 4
    assert any("Framed" in one for one in texts)
    turned = 0
    for side in ("ArrowLeft", "ArrowRight"):
        page.keyboard.press(side)
        for number in "123":
            page.keyboard.press(number)
            expect(where).to_contain_text(f"result {number} of 3")
            text_only = page.get_by_test_id("opened-text-only")
            if text_only.is_hidden():
                continue
            body = opened.locator("iframe").content_frame.locator("body")
            expect(body.locator("h1")).to_be_visible()
            page.keyboard.press("v")
            expect(text_only).to_have_attribute("aria-pressed", "true")
            expect(body.locator("h1")).to_have_count(0)
            expect(body).to_contain_text("Framed")
            turned += 1
    assert turned
    assert page.evaluate("window.hurt") is None
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("=")
    expect(opened).to_be_visible()
    page.keyboard.press("Escape")
    expect(opened).to_be_hidden()
    expect(root).to_have_attribute("data-step", step)
    press_when_seen(page, "ArrowLeft")
    expect(page.get_by_test_id("save-state")).to_have_text("All saved")
    expect(page.get_by_test_id("over")).to_be_visible()
    server.stop()
    store = Store(tmp_path / "store.duckdb")
    (row,) = read_preferences(store, collection_id).to_dict("records")
    store.close()
    assert row["strength"] == 1
    assert row["choice"] == ("first" if row["left"] == row["first"] else "second")
    everything = b"".join(received)
    assert b"Cats seen by" in everything
    for name in SYSTEMS:
        assert name.encode() not in everything


@long
def test_a_click_on_a_title_opens_it_on_a_phone_too(lists):
    page, _, _, _ = lists
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_test_id("side-right").click()
    page.get_by_test_id("right").locator("[data-open]").first.click()
    opened = page.get_by_test_id("opened")
    expect(page.get_by_test_id("opened-where")).to_have_text("Right, result 1 of 3")
    box = opened.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.get_by_test_id("opened-close").click()
    expect(opened).to_be_hidden()
    expect(page.get_by_test_id("right")).to_be_visible()


@long
def test_there_is_no_other_stop_before_the_levels(lists):
    page, _, _, _ = lists
    stops = page.evaluate("""() => {
        const root = document.querySelector("[data-testid=judge]")
            ?? [...document.querySelectorAll("*")].map((one) => one.shadowRoot)
                .find((one) => one?.querySelector(".judge")).querySelector(".judge");
        const all = [...root.querySelectorAll("button, summary, a, iframe, textarea, [tabindex]")]
            .filter((one) => one.checkVisibility() && one.tabIndex >= 0);
        return all.findIndex((one) => one.dataset.level);
    }""")
    assert 0 <= stops <= 4
