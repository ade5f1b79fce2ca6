"""What comes before, between and after an assessor's items: practice, tests, notices, others."""

import re
from uuid import uuid4

from playwright.sync_api import Page, expect

from core.assessment.rounds.rounds import Plan
from core.collection.records import PAGE
from core.store.content.collections import describe_collection, get_collection, list_collections
from core.store.content.practice import PracticeItem
from core.store.events.afterwards import Seeing, allow_seeing
from core.store.events.labels import Key, LabelEvent
from core.store.events.questions import Question, announce, answer_question, append_question
from core.store.people.members import add_member
from core.store.people.people import add_person, list_people
from core.store.people.qualifying import TestRules, set_test_rules
from core.store.store import Store
from tests.browser.chair_looks import LOOKS, Act, seat_of, sit
from tests.browser.conftest import begin, judge_screen, press_when_seen, settle
from tests.browser.study import Study, Wish, judge, page_of
from tests.browser.test_qualifying import KEYS, PRACTICE, take

TEXTS = tuple(
    page_of(number) | {"title": title, "text": text}
    for number, (title, text) in enumerate(
        (
            ("Feeding a cat", "A grown cat eats twice a day.\n\nFresh water stands beside it."),
            ("Dry food or wet food?", "Both do. Wet food has more water in it.\n\n" * 4),
            ("Cats of the world", "There are some seventy breeds. Few of them are wild."),
        ),
        start=1,
    )
)
PAGES = Plan(judges=1, flow="page only")
PRACTISED = Wish(plan=PAGES, practice=PRACTICE)
NOTICED = Wish(topics=("feeding cats",), documents=TEXTS, plan=PAGES, guidelines="Be kind.")
OTHERS = Wish(topics=("feeding cats",), documents=TEXTS, plan=Plan(judges=2, flow="page only"))
SITTINGS = {
    "practised": Wish(
        documents=TEXTS, plan=PAGES, practice=(PracticeItem("t1", "d1", PAGE, "", 1, "It helps."),)
    ),
    **dict.fromkeys(("passed", "failed", "failed for good"), PRACTISED),
    **dict.fromkeys(("told", "answered", "changed"), NOTICED),
    "others": OTHERS,
}
RULES = {
    "passed": TestRules(1),
    "failed": TestRules(1, attempts=2),
    "failed for good": TestRules(1),
}
SAID = (
    (3, "It says how much and how often: all that was asked for."),
    (0, "It compares kinds of food and says nothing of feeding."),
    (1, ""),
)
"""What the other one said of each page, where 1 is given."""


def fill(store: Store) -> dict[str, str]:
    """Set the tests, say something to assessors, and judge as somebody else did before."""
    places = {one.name: one.collection_id for one in list_collections(store)}
    people = {one.name: one.person_id for one in list_people(store)}
    organiser = people["Organiser"]
    other = add_person(store, "Somebody else", "assessor")
    for look in LOOKS:
        for name, rules in RULES.items():
            set_test_rules(store, places[seat_of(name, look)], rules, by=organiser)
        _judge_as(store, places[seat_of("others", look)], other)
        for name in ("told", "answered"):
            seat = seat_of(name, look)
            _answer(store, places[seat], people[seat], organiser)
        seat = seat_of("changed", look)
        _change_guidelines(store, places[seat], people[seat], organiser)
    return {}


def _judge_as(store: Store, collection_id: str, other: str) -> None:
    """Store the labels of somebody else, which may be seen afterwards."""
    add_member(store, collection_id, other, "Somebody else")
    for number, (level, comment) in enumerate(SAID, start=1):
        key = Key("t1", f"d{number}", PAGE, "", other, 0)
        event = LabelEvent(str(uuid4()), None, key, "level", level, comment=comment)
        store.labels.append(collection_id, [event])
    allow_seeing(store, collection_id, Seeing(is_allowed=True, comments=True))


def _answer(store: Store, collection_id: str, person_id: str, organiser: str) -> None:
    """Ask, answer, and say something to everybody."""
    key = Key("t1", "d2", PAGE, "", person_id, 0)
    question = Question(str(uuid4()), key, "Is a page that names prices only of any use?")
    append_question(store, collection_id, question)
    said = "Hardly: the query asks how to feed a cat, not for what money. Take Non."
    answer_question(store, collection_id, question.question_id, said, to_all=False, by=organiser)
    announce(store, collection_id, "Judging goes on until Friday noon.", by=organiser)
    append_question(store, collection_id, Question(str(uuid4()), key, "And one without a date?"))


def _change_guidelines(store: Store, collection_id: str, person_id: str, organiser: str) -> None:
    """Change the guidelines after something has been judged."""
    key = Key("t1", "d1", PAGE, "", person_id, 0)
    store.labels.append(collection_id, [LabelEvent(str(uuid4()), None, key, "level", 1)])
    known = get_collection(store, collection_id)
    describe_collection(
        store,
        collection_id,
        name=known.name,
        description=known.description,
        guidelines="- Be **fair**.\n- A page that only names what is asked for is *Non*.",
        note="Pages that only name it are Non.",
        by=organiser,
    )


def practise(page: Page, study: Study, look: str) -> None:
    """Practise to the end, where a summary stands."""
    sit("practised", "1")(page, study, look)
    expect(page.get_by_test_id("feedback")).to_contain_text("We would say")
    page.keyboard.press("Enter")
    expect(judge_screen(page)).to_have_attribute("data-step", "practised")


def take_test(name: str, keys: dict[str, str], heading: str) -> Act:
    """Return what takes a test to its result."""

    def act(page: Page, study: Study, look: str) -> None:
        study.enter(page, study.seats[seat_of(name, look)].session)
        take(page, keys)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        settle(page)

    return act


def await_notice(name: str, *keys: str) -> Act:
    """Return what waits until the organiser's words have come, and presses keys then."""

    def act(page: Page, study: Study, look: str) -> None:
        study.enter(page, study.seats[seat_of(name, look)].session)
        begin(page)
        expect(page.get_by_test_id("unread")).to_be_visible(timeout=15_000)
        for key in keys:
            press_when_seen(page, key)

    return act


def finish_with_others(page: Page, study: Study, look: str) -> None:
    """Judge a topic that somebody else has judged, too."""
    sit("others")(page, study, look)
    if judge_screen(page).get_attribute("data-step") != "finished":
        judge(page, "222")
    expect(page.get_by_test_id("over")).to_be_visible()


def see_others(page: Page, study: Study, look: str) -> None:
    """See where others differ."""
    finish_with_others(page, study, look)
    page.get_by_role("link", name="where others differ from you").click()
    page.get_by_role("button", name="See what others said").click()
    expect(page.get_by_text(re.compile("Item 1 of"))).to_be_visible()
    settle(page)


WRONG = dict.fromkeys(KEYS, "1")
STATES: dict[str, Act] = {
    "practised": practise,
    "test-passed": take_test("passed", KEYS, "Test passed"),
    "test-failed": take_test("failed", WRONG, "Test not passed"),
    "test-failed-for-good": take_test("failed for good", WRONG, "Test not passed"),
    "told": await_notice("told"),
    "answers": await_notice("answered", "a"),
    "guidelines-changed": await_notice("changed"),
    "guidelines-new": await_notice("changed", "g"),
    "finished-others": finish_with_others,
    "others": see_others,
}
