"""Aspects are judged in the same pass: by keyboard, through reloads, with undo, on a phone."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.assessment.rounds.rounds import Plan
from core.collection.aspects import Aspect
from core.collection.records import FACETS, Level
from core.store.content.practice import PracticeItem
from tests.browser.accessibility import SEATS, find_barriers
from tests.browser.conftest import judge_screen, press_when_seen
from tests.browser.study import Study, Wish, expect_saved, judge, page_of, run_study
from tests.short import few, long

pytestmark = pytest.mark.browser

PAGES = Plan(judges=1, flow="page only")


def scale(*names: str) -> tuple[Level, ...]:
    return tuple(
        Level(number, name, f"It is {name.lower()}.", str(number + 1), number)
        for number, name in enumerate(names)
    )


LONG = "Is what it says about the topic still up to date, as far as you can tell from the page?"
TRUST = Aspect("trust", ("page",), "How far would you trust it?", scale("Not", "Half", "Fully"), 2)
AGE = Aspect("freshness", FACETS, "Is it new?", scale("Old", "New"), may_be_left_out=True)
BOTH = (TRUST, AGE)
MANY = tuple(page_of(number) for number in range(1, 9))
WISHES = {
    "keyboard": Wish(plan=PAGES, aspects=BOTH),
    "undo": Wish(plan=PAGES, aspects=BOTH),
    "reload": Wish(plan=PAGES, aspects=BOTH),
    "cut": Wish(plan=PAGES, aspects=BOTH),
    "phone": Wish(plan=PAGES, aspects=(TRUST, replace(AGE, question=LONG))),
    "practice": Wish(
        plan=PAGES, aspects=BOTH, practice=(PracticeItem("t1", "d1", "page", "", 2, "So it is."),)
    ),
    "plain": Wish(plan=PAGES, aspects=BOTH),
    "history": Wish(plan=PAGES, aspects=BOTH),
    "german": Wish(plan=PAGES, aspects=BOTH, language="de"),
    "barriers": Wish(plan=PAGES, aspects=BOTH),
    "many": Wish(plan=PAGES, aspects=BOTH, documents=MANY),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("aspects"), WISHES) as running:
        yield running


def said(study: Study, name: str) -> list[list]:
    """Return aspect and level of what stands, item by item, from a copy of the store's files."""
    return [one[1:] for one in study.said(name)]


def expect_question(page: Page, aspect: str) -> None:
    expect(judge_screen(page)).to_have_attribute("data-aspect", aspect)


def ask_through(page: Page, *keys: str) -> None:
    """Press keys of one item but the last, each once its question could have been seen."""
    for key in keys:
        press_when_seen(page, key)


def levels(page: Page) -> Locator:
    return page.get_by_test_id("levels")


@long
def test_three_items_by_keyboard_with_what_is_asked_only_from_a_level_on(page: Page, study: Study):
    study.sit(page, "keyboard")
    expect(page.get_by_test_id("asked")).to_contain_text("Relevance then trust, freshness")
    ask_through(page, "3")
    expect_question(page, "trust")
    expect(levels(page)).to_have_attribute("aria-label", "trust")
    expect(levels(page).get_by_role("button")).to_have_count(3)
    expect(page.get_by_test_id("question")).to_contain_text("How far would you trust it?")
    expect(page.get_by_test_id("announcement")).to_have_text(
        "HRel. trust: How far would you trust it?"
    )
    expect(page.get_by_test_id("so-far")).to_contain_text("✓ HRel")
    expect(page.get_by_test_id("leave")).to_be_hidden()
    expect(page.get_by_test_id("meanings")).to_contain_text("It is fully.")
    ask_through(page, "2")
    expect_question(page, "freshness")
    assert study.labels("keyboard") == []
    judge(page, "2")
    expect_question(page, "")
    ask_through(page, "2")  # below the level from which trust is asked
    expect_question(page, "freshness")
    expect(page.get_by_test_id("leave")).to_be_visible()
    judge(page, "s")
    press_when_seen(page, "x")  # cannot be judged: nothing more is asked
    judge(page, "1")
    expect_saved(page)
    assert [row["level"] for row in study.labels("keyboard")] == [2, 1, None]
    assert said(study, "keyboard") == [
        ["trust", 1],
        ["freshness", 1],
        ["freshness", None],
    ]


@long
def test_back_and_undo_lead_through_the_questions_of_an_item(page: Page, study: Study):
    study.sit(page, "undo")
    ask_through(page, "4", "3")
    expect_question(page, "freshness")
    ask_through(page, "u")
    expect_question(page, "trust")
    expect(page.get_by_test_id("level-2")).to_have_attribute("aria-pressed", "true")
    ask_through(page, "ArrowLeft")
    expect_question(page, "")
    expect(page.get_by_test_id("level-3")).to_have_attribute("aria-pressed", "true")
    ask_through(page, "3", "ArrowRight")  # another level; trust as it was
    expect_question(page, "freshness")
    judge(page, "1")
    expect_saved(page)
    assert [row["level"] for row in study.labels("undo")] == [2]
    assert said(study, "undo") == [["trust", 2], ["freshness", 0]]
    judge(page, "u")  # at the first question of the next item: the whole set is taken back
    expect_saved(page)
    assert said(study, "undo") == []
    ask_through(page, "1")
    judge(page, "2")
    ask_through(page, "ArrowLeft")
    expect(page.get_by_test_id("asked")).to_contain_text("✓ New")
    expect_question(page, "")
    ask_through(page, "3")
    expect_question(page, "trust")
    ask_through(page, "1")
    expect(page.get_by_test_id("level-1")).to_have_attribute("aria-pressed", "true")
    judge(page, ["ArrowRight"])
    expect_saved(page)
    assert said(study, "undo") == [["trust", 0], ["freshness", 1]]


@long
def test_a_reload_in_the_middle_goes_on_with_the_same_question(page: Page, study: Study):
    root = study.sit(page, "reload")
    ask_through(page, "4", "2")
    expect_question(page, "freshness")
    step = root.get_attribute("data-step")
    page.reload()
    expect(root).to_have_attribute("data-step", re.compile("d1|start"))
    if root.get_attribute("data-step") == "start":
        page.keyboard.press("Enter")
    expect(root).to_have_attribute("data-step", step or "")
    expect_question(page, "freshness")
    expect(page.get_by_test_id("announcement")).to_contain_text("freshness: Is it new?")
    judge(page, "1")
    expect_saved(page)
    assert said(study, "reload") == [["trust", 1], ["freshness", 0]]


@long
def test_a_comment_changes_no_aspect(page: Page, study: Study):
    study.sit(page, "history")
    ask_through(page, "4", "2")
    judge(page, "1")
    ask_through(page, "ArrowLeft", "c")
    page.get_by_test_id("comment-text").fill("Signed.")
    page.keyboard.press("Control+Enter")
    expect_saved(page)
    assert [row["comment"] for row in study.labels("history")] == ["", "Signed."]
    assert said(study, "history") == [["trust", 1], ["freshness", 0]]


@long
def test_without_a_network_the_whole_set_waits_as_one_event(page: Page, study: Study):
    study.sit(page, "cut")
    page.route("**/api/labels", lambda route: route.abort())
    ask_through(page, "4", "3")
    judge(page, "2")
    expect(judge_screen(page)).to_have_attribute("data-waiting", "1")
    page.reload()
    expect(judge_screen(page)).to_have_attribute("data-waiting", "1")
    page.unroute("**/api/labels")
    expect_saved(page)
    assert said(study, "cut") == [["trust", 2], ["freshness", 1]]


@long
def test_practice_asks_for_relevance_only(page: Page, study: Study):
    study.sit(page, "practice")
    expect(page.get_by_test_id("asked")).to_be_hidden()
    press_when_seen(page, "3")
    expect(page.get_by_test_id("feedback")).to_contain_text("✓ Yes: HRel.")


@long
def test_on_a_phone_questions_move_nothing(page: Page, study: Study):
    page.set_viewport_size({"width": 390, "height": 844})
    study.sit(page, "phone")
    expect(judge_screen(page)).to_have_attribute("data-ready", "true")
    places = [page.get_by_test_id(name) for name in ("levels", "asked", "back")]
    before = [one.bounding_box() for one in places]
    for name in ("HRel", "Half"):
        levels(page).get_by_role("button", name=re.compile(name)).click()
        expect(judge_screen(page)).to_have_attribute("data-ready", "true")
        assert [one.bounding_box() for one in places] == before
    expect(page.get_by_test_id("question")).to_contain_text(LONG)
    expect(page.get_by_test_id("so-far")).to_contain_text("✓ HRel")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    leave = page.get_by_test_id("leave")
    box = leave.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    leave.click()
    expect_saved(page)
    assert said(study, "phone") == [["trust", 1], ["freshness", None]]


@long
def test_no_more_tab_stops_lie_before_the_levels(page: Page, study: Study):
    study.sit(page, "many")
    ask_through(page, "4", "2")
    expect_question(page, "freshness")
    place = """() => {
      const root = document.querySelector('[data-testid=judge]')
        ?? [...document.querySelectorAll('*')]
          .map((one) => one.shadowRoot?.querySelector('.judge')).find(Boolean);
      const stops = [...root.querySelectorAll('button, a[href], summary, [tabindex="0"]')];
      const seen = stops.filter((one) => one.getClientRects().length);
      return seen.findIndex((one) => one.closest('.levels'));
    }"""
    assert 0 <= page.evaluate(place) <= 4
    judge(page, "1")


@long
def test_eight_items_in_a_row(page: Page, study: Study):
    study.sit(page, "many")
    for number in range(2, 9):
        ask_through(page, "3", "1") if number % 2 else ask_through(page, "1")
        judge(page, "2")
    expect_saved(page)
    found = [row["level"] for row in study.labels("many")]
    assert found[-7:] == [0 if number % 2 == 0 else 2 for number in range(2, 9)]


@long
@pytest.mark.parametrize("seen", few(SEATS))
def test_nothing_hinders_anybody_in_a_question(browser: Browser, study: Study, seen: str):
    page = browser.new_context(**SEATS[seen]).new_page()
    study.sit(page, "barriers")
    ask_through(page, "3", "1")
    expect_question(page, "freshness")
    barriers = find_barriers(page)
    ask_through(page, "u")
    expect_question(page, "trust")
    barriers += find_barriers(page)
    page.context.close()
    assert barriers == []


@long
def test_questions_speak_the_language_of_the_collection(page: Page, study: Study):
    study.sit(page, "german")
    expect(page.get_by_test_id("asked")).to_contain_text("Relevanz dann trust, freshness")
    ask_through(page, "1")
    expect(page.get_by_test_id("leave")).to_contain_text("Auslassen")
