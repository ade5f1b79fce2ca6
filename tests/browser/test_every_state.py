"""Nobody is kept out in any state of the judging screen, of a class, or at the entry.

In the short form in one look; with --long in all.
"""

import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.class_mode import join_lesson, start_own_lesson
from core.assessment.rounds.rounds import Plan
from core.collection.aspects import Aspect
from core.collection.records import PAGE, Level
from core.store.content.practice import PracticeItem
from core.store.events.afterwards import Seeing, allow_seeing
from core.store.events.labels import Key, LabelEvent
from core.store.events.preference_reasons import set_reason_choices
from core.store.events.questions import announce
from core.store.people.consent import set_consent_text
from core.store.people.members import add_member
from core.store.people.people import add_person, find_session, invite
from core.store.people.qualifying import TestRules, set_test_rules
from core.store.rounds.lessons import lesson_code
from core.store.rounds.rounds import read_pool
from core.store.store import Store
from tests.browser.accessibility import SEATS, find_barriers
from tests.browser.chair_looks import see
from tests.browser.chair_views import STATES, fill
from tests.browser.chair_views import WISHES as CHAIR_WISHES
from tests.browser.conftest import begin, judge_screen, press_when_seen, see_both, settle
from tests.browser.study import Study, Wish, change_by, page_of, run_study
from tests.browser.test_pictures import packed
from tests.browser.test_side_by_side import Made, make_store
from tests.made_files import make_pdf, make_picture
from tests.short import few, long

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

TEXT = "\n\n".join(f"Cats sleep, and dogs wake: {n}." for n in range(40))
TRUST = Aspect(
    "trust",
    (PAGE,),
    "How far would you trust it?",
    tuple(Level(n, name, "", str(n + 1), n) for n, name in enumerate(("Not", "Half", "Fully"))),
)
PAGES = Plan(judges=1, flow="page only", depth=9)
ONE = Wish(documents=(page_of(1),), plan=PAGES)
PRACTICE = (PracticeItem("t1", "d1", PAGE, "", 2, "It helps."),)
WISHES = {
    "sitting": Wish(
        topics=("cats", "dogs"),
        documents=(
            page_of(1) | {"text": TEXT},
            {"id": "d2", "title": "Framed", "html": f"<p>{TEXT}</p>"},
            {"id": "d3", "title": "A guide", "media": packed(make_pdf([["Feeding cats"]]))},
            {"id": "d4", "title": "A square", "media": packed(make_picture())},
            page_of(5) | {"title": "חתולים", "text": "חתולים וכלבים"},
            page_of(6),
        ),
        plan=PAGES,
        guidelines="# Rules\n\n- Judge for *the person* who asks.",
        practice=(PracticeItem("t1", "d6", PAGE, "", 2, "It helps."),),
        aspects=(TRUST,),
    ),
    "snippets": Wish(documents=(page_of(1),), plan=Plan(judges=1, flow="snippet then page")),
    "apart": Wish(documents=(page_of(1),), plan=Plan(judges=2, flow="page only")),
    "test": Wish(documents=(page_of(1),), plan=PAGES, practice=PRACTICE),
    "consent": ONE,
    "plain": Wish(documents=(page_of(1),), plan=PAGES, aspects=(TRUST,)),
}
REASONS = ("fresher", "clearer")

Look = dict[str, Any]


class Watch:
    """What axe-core finds in each state that it is shown."""

    def __init__(self, page: Page) -> None:
        self.page, self.views = page, 0
        self.found: list[str] = []

    def see(self, state: str) -> None:
        """Look at what is on the screen."""
        self.views += 1
        self.found += [f"{state}: {one}" for one in find_barriers(self.page)]

    def press(self, state: str, *keys: str) -> None:
        """Press keys on an item that can be seen, and look at what they lead to."""
        for key in keys:
            press_when_seen(self.page, key)
        self.see(state)


def prepare(store: Store) -> dict[str, str]:
    """Add what a wish cannot say: somebody who differs, a test, a class, and ways in."""
    places = {name: _find(store, name) for name in WISHES}
    other = add_person(store, "Somebody else", "assessor")
    add_member(store, places["apart"], other, "Somebody else")
    _say(store, places["apart"], Key("t1", "d1", PAGE, "", other, 0), 3)
    allow_seeing(store, places["apart"], Seeing(True, True))
    (olga,) = store.cursor().execute(
        "SELECT person_id FROM people WHERE role = 'organiser'"
    ).fetchone()  # fmt: skip
    set_test_rules(store, places["test"], TestRules(1), by=olga)
    set_consent_text(store, places["consent"], "May we keep what you say?")
    announce(store, places["sitting"], "Lunch at noon.", olga)
    lesson = start_own_lesson(store, "mercury", ["Planet\nHot.", "Metal\nToxic."], by=olga)
    code = lesson_code(store, lesson)
    students = [join_lesson(store, code, name) for name in ("Lapwing", "Heron", "Wren")]
    for number, session in enumerate(students[:2]):
        student = find_session(store, session)
        assert student is not None
        for place, document in enumerate(sorted(read_pool(store, lesson.round_id)["document_id"])):
            _say(store, lesson.collection_id, Key("own", document, PAGE, "", student.person_id, 0),
                 number * place)  # fmt: skip
    return {
        **{"class": lesson.collection_id, "code": code, "enter": invite(store, other)},
        **{"waits": students[0], "judges": students[2]},
    }


def _find(store: Store, name: str) -> str:
    sql = "SELECT collection_id FROM collections WHERE name = ?"
    (found,) = store.cursor().execute(sql, [name]).fetchone()
    return str(found)


def _say(store: Store, collection_id: str, key: Key, level: int) -> None:
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, comment="So it is.")
    store.labels.append(collection_id, [event])


@pytest.fixture(params=few(SEATS))
def look(request: pytest.FixtureRequest) -> Look:
    return dict(SEATS[request.param])


@pytest.fixture
def pairs(tmp_path: Path) -> Made:
    """Two results, and two lists of them, side by side; they are in the store of the study."""
    made = make_store(tmp_path / "store.duckdb")
    with closing(Store(made.path)) as store:
        set_reason_choices(store, made.collection_id, REASONS)
    return made


@pytest.fixture
def study(tmp_path: Path, pairs: Made) -> Iterator[Study]:
    with run_study(tmp_path, WISHES, prepare) as running:
        yield running


@long
def test_nothing_hinders_anybody_in_any_state(
    browser: Browser, study: Study, pairs: Made, look: Look, record_property
):
    """One server and a few loads of the page: what keys lead to is looked at as it comes."""
    context = browser.new_context(**look)
    watch = Watch(context.new_page())
    for part in (see_strangers, see_sitting, see_around, see_pairs, see_class):
        part(watch, study, pairs)
    context.close()
    record_property("counts", f"{watch.views} views, {len(watch.found)} barriers")
    assert watch.found == []


def see_strangers(watch: Watch, study: Study, pairs: Made) -> None:
    """The entry, the pages for joining, and what is said where nothing is."""
    paths = ("", "sign-in", "join", f"join/{study.collections['code']}", "join/AAAA", "enter/x")
    for path in (*paths, f"enter/{study.collections['enter']}", "api/nothing"):
        watch.page.goto(f"{study.server.address}/{path}")
        watch.see(f"stranger at /{path}")


def see_sitting(watch: Watch, study: Study, pairs: Made) -> None:
    """Practice, its feedback, every kind of item, what is open over an item, and the cards."""
    page, root = watch.page, judge_screen(watch.page)
    study.enter(page, study.seats["sitting"].session)
    expect(root).to_have_attribute("data-step", "start")
    watch.see("start card")
    begin(page)
    watch.see("practice")
    watch.press("feedback", "1")
    change_by(page, lambda: page.keyboard.press("Enter"))
    watch.see("practice is over")
    change_by(page, lambda: page.keyboard.press("Enter"))
    seen = set()
    while (step := root.get_attribute("data-step") or "") != "finished":
        seen.add(step.split("|")[1])
        watch.see(f"item {step}")
        if "|d1|" in step:
            see_text(watch)
        press_when_seen(page, "4")
        expect(page.get_by_test_id("so-far")).to_be_visible()
        if len(seen) == 1:
            watch.see("aspect")
        change_by(page, lambda: press_when_seen(page, "2"))
    assert seen == {f"d{number}" for number in range(1, 7)}
    watch.see("end of a topic")
    page.keyboard.press("ArrowLeft")
    expect(root).not_to_have_attribute("data-step", "finished")
    watch.press("judged before")


def see_text(watch: Watch) -> None:
    """What is open over an item, or marked in it."""
    page = watch.page
    watch.press("found word", "n")
    watch.press("selected sentence", ".")
    watch.press("marked passage", "p")
    watch.press("cannot judge", "x")
    page.keyboard.press("Escape")
    watch.press("comment", "c")
    page.keyboard.type("So it is")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("comment-ask")).to_be_visible()
    watch.see("comment to be discarded")
    page.get_by_test_id("comment-discard").click()
    for state, key in (("questions", "a"), ("guidelines", "g"), ("help", "?")):
        watch.press(state, key)
        page.keyboard.press("Escape")


def see_around(watch: Watch, study: Study, pairs: Made) -> None:
    """Snippets, the end of the work, what others said, a test, consent, and plain buttons."""
    page, root = watch.page, judge_screen(watch.page)
    study.sit(page, "snippets")
    watch.see("snippet")
    study.sit(page, "apart")
    change_by(page, lambda: press_when_seen(page, "1"))
    expect(page.get_by_test_id("done-others")).to_be_visible()
    watch.see("end of the work")
    page.get_by_role("link", name="where others differ from you").click()
    page.get_by_role("button", name="See what others said").click()
    expect(page.get_by_text("Assessor A:")).to_be_visible()
    settle(page)
    watch.see("where others differ")
    study.sit(page, "test")
    press_when_seen(page, "1")
    expect(page.get_by_test_id("feedback")).to_contain_text("It helps.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Test not passed")).to_be_visible()
    settle(page)
    watch.see("test not passed")
    study.enter(page, study.seats["consent"].session)
    expect(page.get_by_role("button", name="I agree")).to_be_visible()
    settle(page)
    watch.see("consent")
    study.enter(page, study.seats["plain"].session)
    begin(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_text("Plain buttons").click()
    expect(page.get_by_role("button", name="Key:")).to_be_visible()
    fold = page.get_by_test_id("stSidebarCollapseButton").get_by_role("button")
    fold.evaluate("one => one.click()")  # in a narrow window it would cover the page
    settle(page)
    watch.see("plain buttons")
    page.get_by_role("button", name="Key:").click()
    expect(page.get_by_text("How far would you trust it?")).to_be_visible()
    settle(page)
    watch.see("plain buttons, aspect")
    expect(root).to_have_count(0)


def see_pairs(watch: Watch, study: Study, pairs: Made) -> None:
    """Two snippets, two pages, two lists, their reasons, and an opened result."""
    page, root = watch.page, judge_screen(watch.page)
    study.enter(page, next(iter(pairs.sessions.values())))
    begin(page)
    seen: set[str] = set()
    while (step := root.get_attribute("data-step") or "") != "finished":
        facet = step.split("|")[2]
        if facet not in seen:
            watch.see(facet)
            if not seen:
                watch.press("reason", "Shift+Digit1")
        if facet == "panel pair" and facet not in seen:
            watch.press("opened result", "o")
            page.keyboard.press("Escape")
        seen.add(facet)
        see_both(page)
        change_by(page, lambda: press_when_seen(page, "="))
        if root.get_attribute("data-step") == "finished" and len(seen) < len(FACETS):
            change_by(page, lambda: page.keyboard.press("Enter"))
            begin(page)
    assert seen == FACETS


FACETS = {"snippet pair", "page pair", "panel pair"}


def see_class(watch: Watch, study: Study, pairs: Made) -> None:
    """A student who judges and one who waits; the projector step by step; and what it reveals."""
    page, here = watch.page, study.collections
    study.enter(page, here["judges"])
    begin(page)
    watch.see("student judges")
    study.enter(page, here["waits"])
    expect(page.get_by_text("You have judged every page of the class")).to_be_visible()
    settle(page)
    watch.see("student waits")
    study.enter(page, study.organiser, "class-mode")
    expect(page.get_by_role("button", name="Reveal the labels")).to_be_visible()
    settle(page)
    watch.see("lecturer")
    page.get_by_role("button", name="Show on a projector").click()
    for step in ("Join", "Judge", "Reveal"):
        expect(page.locator(".projector-steps b")).to_have_text(step)
        settle(page)
        watch.see(f"projector, {step}")
        if step != "Reveal":
            page.keyboard.press("ArrowRight")
    page.keyboard.press("d")
    expect(page.get_by_test_id("split")).to_be_visible()
    settle(page)
    watch.see("projector, discussed")
    for _ in range(2):
        before = page.url
        page.keyboard.press("ArrowRight")
        page.wait_for_url(lambda url, before=before: url != before)
        settle(page)
    watch.see("projector, summary")
    study.enter(page, here["waits"])
    expect(page.get_by_role("heading", name="You and your class")).to_be_visible()
    settle(page)
    watch.see("student and the class")


@long
@pytest.mark.timeout(3_600)
def test_nothing_hinders_anybody_in_what_pictures_show(
    browser: Browser, tmp_path: Path, record_property: Callable[[str, str], None]
):
    with run_study(tmp_path, CHAIR_WISHES, fill) as study:
        views = [
            (name, [wrong] if wrong else find_barriers(page))
            for name, page, wrong in see(browser, study, STATES)
        ]
    record_property(
        "counts", f"{len(views)} views, {sum(bool(found) for _, found in views)} faulty"
    )
    assert [(name, found) for name, found in views if found] == []
