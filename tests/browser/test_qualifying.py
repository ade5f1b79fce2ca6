"""A qualifying test by keyboard, in real browsers: score, another attempt, and being let in."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.rounds import Plan
from core.store.content.collections import list_collections
from core.store.content.practice import PracticeItem
from core.store.people.people import list_people
from core.store.people.qualifying import TestRules, set_test_rules
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, press_when_seen, settle
from tests.browser.study import Study, Wish, run_study
from tests.short import long

pytestmark = pytest.mark.browser

PRACTICE = (
    PracticeItem("t1", "d1", "page", "", 1, "It only names a cat."),
    PracticeItem("t1", "d2", "page", "", 3, "All about <b>cats</b>."),
)
KEYS = {"d1": "2", "d2": "4"}
"""The key of the right level of each item."""

WISH = Wish(plan=Plan(judges=1, flow="page only"), practice=PRACTICE)
RULES = {"repeats": TestRules(1, attempts=2), "waits": TestRules(1), "german": TestRules(0.5)}
WISHES = {"repeats": WISH, "waits": WISH, "german": Wish(**(vars(WISH) | {"language": "de"}))}


def set_tests(store: Store) -> dict[str, str]:
    (olga,) = (one.person_id for one in list_people(store) if one.role == "organiser")
    for one in list_collections(store):
        set_test_rules(store, one.collection_id, RULES[one.name], by=olga)
    return {}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("qualifying"), WISHES, set_tests) as running:
        yield running


def take(page: Page, keys: dict[str, str]) -> list[str]:
    """Answer both items by keyboard, each with its feedback; returns their documents in order."""
    root = begin(page)
    seen = []
    for number in (1, 2):
        expect(page.get_by_test_id("practice")).to_be_visible()
        seen.append((root.get_attribute("data-step") or "").split("|")[1])
        press_when_seen(page, keys[seen[-1]])
        expect(page.get_by_test_id("feedback")).to_contain_text("It" if seen[-1] == "d1" else "All")
        page.keyboard.press("Enter")
        if number == 1:
            expect(page.get_by_test_id("feedback")).to_be_hidden()
    return seen


@long
def test_a_test_is_repeated_and_passed_by_keyboard(page: Page, study: Study):
    seat = study.seats["repeats"]
    study.enter(page, seat.session)
    start = page.get_by_test_id("start")
    expect(start.get_by_role("heading", name="A test first")).to_be_visible()
    expect(start).to_contain_text("To pass, 2 of 2 have to be right. This is attempt 1 of 2.")
    first = take(page, dict.fromkeys(KEYS, "1"))
    expect(page.get_by_role("heading", name="Test not passed")).to_be_visible()
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("0 of 2 answers are right; 2 are asked for.")
    expect(main).to_contain_text("You said Non, we would say Rel.")
    expect(main).to_contain_text("All about <b>cats</b>.")
    settle(page)
    page.reload()
    expect(page.get_by_role("heading", name="Test not passed")).to_be_visible()
    settle(page)
    page.keyboard.press("Enter")
    expect(start).to_contain_text("This is attempt 2 of 2.")
    assert sorted(take(page, KEYS)) == sorted(first)
    expect(page.get_by_role("heading", name="Test passed")).to_be_visible()
    expect(main).to_contain_text("Every answer is as the organiser set it.")
    settle(page)
    page.keyboard.press("Enter")
    root = begin(page)
    expect(root).to_have_attribute("data-practice", "false")
    expect(page.get_by_test_id("progress")).to_have_text("1 of 3")
    press_when_seen(page, "1")
    expect(page.get_by_test_id("progress")).to_have_text("2 of 3")
    expect(page.get_by_test_id("save-state")).to_have_text("All saved")
    rows = study.labels("repeats")
    assert [row["occasion"] for row in rows] == [-1, -1, -3, -3, 0]


@long
def test_whoever_waits_is_let_in_by_the_organiser_and_sees_work_come(
    page: Page, study: Study, browser: Browser
):
    seat = study.seats["waits"]
    study.enter(page, seat.session)
    take(page, dict.fromkeys(KEYS, "1"))
    expect(page.get_by_test_id("stMain")).to_contain_text("Ask Organiser, who sees your answers")
    desk = browser.new_context().new_page()
    where = f"people?collection={seat.collection_id}&people-part=Test"
    study.enter(desk, study.organiser, where)
    settle(desk)
    expect(desk.get_by_text("0 people may judge, 1 below the mark.")).to_be_visible()
    desk.get_by_role("button", name="Let in to judge").click()
    expect(desk.get_by_text("waits can judge.")).to_be_visible()
    desk.context.close()
    expect(judge_screen(page)).to_be_visible()
    begin(page)
    expect(page.get_by_test_id("progress")).to_have_text("1 of 3")


@long
def test_the_result_is_in_the_language_of_the_collection(page: Page, study: Study):
    study.enter(page, study.seats["german"].session)
    begin(page)
    take(page, KEYS)
    expect(page.get_by_role("heading", name="Test bestanden")).to_be_visible()
    expect(page.get_by_role("button", name="Anfangen")).to_be_visible()
