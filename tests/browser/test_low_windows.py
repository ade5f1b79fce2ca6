"""Windows that are low or narrow: the item keeps its room, and what is cut off is read by key."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, Page, expect

from core.assessment.rounds.rounds import Plan
from core.collection.aspects import Aspect
from core.collection.records import FACETS
from tests.browser import pair_views
from tests.browser.conftest import begin, press_when_seen
from tests.browser.study import Study, Wish, page_of, run_study, wait_to_hear
from tests.browser.test_aspects import LONG, TRUST, scale
from tests.browser.test_judge_looks import box
from tests.browser.test_texts import WALLED, find_focus
from tests.short import few, long

pytestmark = pytest.mark.browser

FOURFOLD = {"width": 320, "height": 256}
"""A laptop's window at 400 %."""
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 1280, "height": 720}

PAGES = Plan(judges=1, flow="page only")
QUERY = "how often and how much should a grown cat that lives indoors be fed a day, and what, " * 2
FRESH = Aspect("freshness", FACETS, LONG, scale("Old", "New"), may_be_left_out=True)
TEXT = page_of(1) | {"text": "Cats sleep most of the day.\n\n" * 40}
TEXTS = Wish(documents=(TEXT, page_of(2)), plan=PAGES)
BOTH = replace(TEXTS, aspects=(TRUST, FRESH))
WISHES = {
    **dict.fromkeys(("page", "unfolds"), TEXTS),
    **dict.fromkeys(("aspects", "moves"), BOTH),
    "snippet": replace(TEXTS, plan=Plan(judges=1, flow="snippet then page")),
    "framed": replace(TEXTS, documents=(WALLED,)),
    "query": replace(TEXTS, topics=(QUERY,)),
    "laptop": replace(BOTH, topics=(QUERY,), documents=(WALLED,)),
    "german": replace(TEXTS, language="de"),
}
SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shifts += one.value;
}).observe({type: "layout-shift"});
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("low"), WISHES, pair_views.fill) as running:
        yield running


def sit(page: Page, study: Study, name: str) -> Locator:
    """Come to the first item of a sitting, or of a pair's in the look of that name."""
    if name in study.seats:
        return study.sit(page, name)
    study.enter(page, study.collections[name])
    return begin(page)


def seen_of(node: Locator, dock: Locator) -> float:
    """Return how many pixels of a part are seen above the dock."""
    return box(dock)["y"] - box(node)["y"]


KINDS = ("pair pages, light", "pair lists, light", "pair framed, light")


@pytest.mark.parametrize(
    "name", few(("pair snippets, light", "aspects", *KINDS, "page", "snippet", "framed"), 2)
)
def test_at_400_percent_half_of_the_window_is_the_item(page: Page, study: Study, name: str):
    page.set_viewport_size(FOURFOLD)
    root = sit(page, study, name)
    dock = root.locator(".dock")
    assert seen_of(page.get_by_test_id("item"), dock) >= FOURFOLD["height"] / 2
    assert box(dock)["y"] + box(dock)["height"] <= FOURFOLD["height"]
    if name == "aspects":
        for key in "33":
            press_when_seen(page, key)
            assert seen_of(page.get_by_test_id("item"), dock) >= FOURFOLD["height"] / 2
    assert page.evaluate("document.documentElement.scrollWidth") <= FOURFOLD["width"]


def test_what_else_can_be_done_unfolds_there(page: Page, study: Study):
    page.set_viewport_size(FOURFOLD)
    study.sit(page, "unfolds")
    help_button, unfold = page.get_by_test_id("help"), page.get_by_test_id("unfold")
    expect(help_button).to_be_hidden()
    for close in ("Escape", "Enter"):
        unfold.press("Enter")
        expect(unfold).to_have_attribute("aria-expanded", "true")
        expect(help_button).to_be_in_viewport(ratio=0.9)
        unfold.press(close)
        expect(help_button).to_be_hidden()
    unfold.click()
    help_button.click()
    expect(page.get_by_test_id("help-text")).to_be_visible()
    expect(unfold).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Escape")
    press_when_seen(page, "u")
    expect(page.get_by_text("There is no judgement of this visit")).to_be_visible()


@pytest.mark.parametrize("size", few((FOURFOLD, {"width": 320, "height": 640}, SMALL)))
def test_a_query_too_long_for_its_place_scrolls_by_key(
    page: Page, study: Study, size: dict[str, int]
):
    page.set_viewport_size(size)  # type: ignore[arg-type]
    study.sit(page, "query")
    query = page.get_by_test_id("query")
    expect(query).to_have_attribute("tabindex", "0")
    item = page.get_by_test_id("item")
    before = box(item)["y"]
    query.focus()
    page.keyboard.press("ArrowDown")
    wait_to_hear(page, lambda: query.evaluate("node => node.scrollTop") > 0)
    assert box(item)["y"] == before
    page.set_viewport_size({"width": 1900, "height": 1000})
    expect(query).not_to_have_attribute("tabindex", "0")


def test_on_a_small_laptop_a_page_with_two_aspects_has_half_of_the_window(page: Page, study: Study):
    page.set_viewport_size(SMALL)
    root = study.sit(page, "laptop")
    frame = root.locator(".frames")
    for key in ("3", "3", ""):
        assert box(frame)["height"] >= SMALL["height"] / 2
        if key:
            press_when_seen(page, key)


@pytest.mark.parametrize("size", few((PHONE, {"width": 320, "height": 640})))
def test_reasons_are_whole_on_a_phone(page: Page, study: Study, size: dict[str, int]):
    page.set_viewport_size(size)  # type: ignore[arg-type]
    root = sit(page, study, "pair pages, phone")
    chips = root.locator(".why .chips button")
    expect(chips).to_have_count(len(pair_views.REASONS))
    for chip in chips.all():
        expect(chip).to_be_in_viewport(ratio=1)
        assert chip.evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize("size", few((PHONE, SMALL, FOURFOLD)))
def test_nothing_moves_from_question_to_question(
    page: Page, study: Study, record_property: Callable[[str, str], None], size: dict[str, int]
):
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.add_init_script(SHIFTS)
    root = study.sit(page, "moves")
    places = []
    for key in ("3", "3", "u", "u", "4", "3", "u", "u"):
        press_when_seen(page, key)
        if not places:
            page.evaluate("window.shifts = 0")  # what moved before the first item
        places.append(
            [round(box(one)["y"]) for one in (root.locator(".dock"), root.locator(".page"))]
        )
    assert len({tuple(one) for one in places}) == 1
    # Buttons of which there are more or fewer stand elsewhere in their row; nothing else moves.
    shifts = page.evaluate("window.shifts")
    record_property("counts", f"layout shift over 8 answers: {shifts:.3f}")
    assert shifts < 0.05 * 8


def test_the_menu_lies_in_the_window_and_the_closed_sidebar_takes_no_focus(
    page: Page, study: Study
):
    page.set_viewport_size({"width": 320, "height": 640})
    study.sit(page, "page")
    expect(page.get_by_test_id("stMainMenu")).to_be_in_viewport(ratio=1)
    side = page.get_by_test_id("stSidebar")
    names = []
    for _ in range(30):
        page.keyboard.press("Tab")
        assert not side.evaluate("node => node.contains(document.activeElement)")
        names.append(find_focus(page))
    assert len(set(names)) > 5
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(side.get_by_role("link").first).to_be_in_viewport()


@long
@pytest.mark.parametrize("path", ["judge", "history", "account", "precision-recall", "glossary"])
def test_german_pages_say_that_they_are_german(page: Page, study: Study, path: str):
    study.enter(page, study.seats["german"].session, path)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    study.enter(page, study.seats["page"].session, path)
    expect(page.locator("html")).to_have_attribute("lang", "en")
