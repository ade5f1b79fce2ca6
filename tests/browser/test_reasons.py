"""Reasons of a preference, chosen by key and click before it, and stored with it."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.store.events.preference_reasons import read_reasons, set_reason_choices
from core.store.rounds.pairs import read_preferences
from core.store.store import Store
from tests.browser.accessibility import find_barriers
from tests.browser.conftest import begin, judge_screen, press_when_seen
from tests.browser.running import Running
from tests.browser.study import change_by, expect_saved
from tests.browser.test_opened_results import make_lists
from tests.short import long

pytestmark = pytest.mark.browser

REASONS = ("more relevant", "fresher", "<b>less</b> repetition")


@pytest.fixture
def page(
    browser: Browser, tmp_path: Path, run_server: Callable[[Path | None], Running]
) -> tuple[Page, Running, str]:
    path = tmp_path / "store.duckdb"
    collection_id, session = make_lists(path)
    with closing(Store(path)) as store:
        set_reason_choices(store, collection_id, REASONS)
    server = run_server(path)
    page = browser.new_context().new_page()
    page.context.add_cookies([{"name": server.cookie, "value": session, "url": server.address}])
    page.goto(server.address)
    begin(page)
    return page, server, collection_id


def chosen(page: Page) -> list[str]:
    return page.get_by_test_id("why").locator("[aria-pressed=true] span").all_text_contents()


def test_they_are_chosen_by_key_and_click_and_go_with_the_preference(page, tmp_path: Path):
    tab, server, collection_id = page
    root = judge_screen(tab)
    step = root.get_attribute("data-step") or ""
    chips = tab.get_by_test_id("why").get_by_role("button")
    expect(chips).to_have_count(3)
    expect(chips.nth(2)).to_contain_text("<b>less</b> repetition")
    expect(root).to_have_attribute("data-ready", "true")
    tab.keyboard.press("Shift+Digit2")
    chips.nth(2).click()
    tab.keyboard.press("Shift+Digit1")
    tab.keyboard.press("Shift+Digit1")
    tab.keyboard.press("Shift+Digit7")
    assert chosen(tab) == ["fresher", "<b>less</b> repetition"]
    expect(root).to_have_attribute("data-step", step)
    change_by(tab, lambda: tab.keyboard.press("Shift+ArrowRight"))
    expect_saved(tab)
    change_by(tab, lambda: tab.keyboard.press("Backspace"))
    assert chosen(tab) == ["fresher", "<b>less</b> repetition"]
    expect(root).to_have_attribute("data-ready", "true")
    chips.nth(1).click()
    expect(tab.get_by_test_id("notice")).to_contain_text("with your next choice")
    change_by(tab, lambda: press_when_seen(tab, "ArrowLeft"))
    expect_saved(tab)
    server.kill()
    with closing(Store(tmp_path / "store.duckdb")) as store:
        (row,) = read_preferences(store, collection_id).to_dict("records")
        assert row["strength"] == 1
        assert read_reasons(store, collection_id)["reason"].tolist() == ["<b>less</b> repetition"]
        (kept,) = store.cursor().execute("SELECT count(*) FROM preference_reasons").fetchone()
    assert kept == 3


@long
def test_they_are_known_again_from_the_history_and_take_no_room_from_a_phone(page):
    tab, server, collection_id = page
    tab.set_viewport_size({"width": 390, "height": 844})
    root = judge_screen(tab)
    expect(root).to_have_attribute("data-ready", "true")
    box = tab.get_by_test_id("why").bounding_box()
    assert box
    assert box["width"] <= 390
    assert box["height"] < 90
    tab.get_by_test_id("why").get_by_role("button").first.click()
    change_by(tab, lambda: press_when_seen(tab, "="))
    expect_saved(tab)
    tab.goto(f"{server.address}/history?collection={collection_id}")
    table = tab.get_by_test_id("stDataFrame").first
    table.locator("canvas").first.focus()
    tab.keyboard.press("Shift+Space")
    link = tab.get_by_test_id("stPageLink").get_by_role("link")
    link.focus()
    tab.keyboard.press("Enter")
    expect(root).to_have_attribute("data-ready", "true")
    assert chosen(tab) == ["more relevant"]


@long
def test_a_level_is_as_near_as_before(page):
    tab, _, _ = page
    stops = tab.evaluate("""() => {
        const host = [...document.querySelectorAll("*")].find(
            (one) => one.shadowRoot?.querySelector(".judge"));
        const root = (host?.shadowRoot ?? document).querySelector(".judge");
        const all = [...root.querySelectorAll("button, summary, a, iframe, textarea, [tabindex]")]
            .filter((one) => one.checkVisibility() && one.tabIndex >= 0);
        return all.findIndex((one) => one.dataset.level);
    }""")
    assert 0 <= stops <= 4


@long
def test_neither_reasons_nor_an_opened_result_hinder_anybody(page):
    tab, _, _ = page
    tab.keyboard.press("Shift+Digit1")
    assert find_barriers(tab) == []
    tab.keyboard.press("o")
    expect(tab.get_by_test_id("opened")).to_be_visible()
    assert find_barriers(tab) == []
    tab.keyboard.press("Escape")
    tab.emulate_media(color_scheme="dark")
    assert find_barriers(tab) == []
