"""A class as its lecturer, its projector and its students see it."""

import re
from datetime import timedelta
from uuid import uuid4

from playwright.sync_api import Page, expect

from core.assessment.class_mode import join_lesson, start_lesson, start_own_lesson
from core.language.translate import read_catalogue
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import find_session, list_people
from core.store.rounds.lessons import Lesson, lesson_code, reveal, set_timer
from core.store.rounds.rounds import read_pool
from core.store.store import Store
from tests.browser.chair_looks import LOOKS, Act
from tests.browser.conftest import begin, settle
from tests.browser.study import Study
from tests.browser.test_projector import on, on_any, press

NAMES = (
    *("Kingfisher", "Otter", "Heron", "Wren", "Badger", "Stork", "Hedgehog", "Curlew", "Marten"),
    *("A rather long nickname indeed", "Lynx", ""),
)
SAID = ("It names the planet, not the metal.", "All that I would want to know.", "Far too short.")


def fill(store: Store) -> dict[str, str]:
    """Start a class that is revealed and one that judges; returns sessions of students."""
    (organiser,) = (one.person_id for one in list_people(store) if one.name == "Organiser")
    revealed = start_own_lesson(
        store,
        "mercury",
        ["A planet\nIt is hot, and nearest to the sun.", "A metal\nIt is liquid.", "A god\nSwift."],
        by=organiser,
    )
    sessions = dict(zip(LOOKS, _fill_seats(store, revealed, 1.0), strict=False))
    reveal(store, revealed, revealed=True, by=organiser)
    going = start_lesson(store, "t01", by=organiser)
    _fill_seats(store, going, 0.5)
    set_timer(store, going, timedelta(hours=3), by=organiser)
    students = {
        f"student {what}, {look}": join_lesson(store, lesson_code(store, going), f"{what}, {look}")
        for look in LOOKS
        for what in ("comes", "ends")
    }
    for name, session in students.items():
        if "ends" in name:
            _judge(store, going, session, 1.0, 3)
    return students | {f"student after, {look}": session for look, session in sessions.items()}


def _fill_seats(store: Store, lesson: Lesson, share: float) -> list[str]:
    """Seat a class that has judged a share of the pages; returns the sessions."""
    sessions = []
    for number, name in enumerate(NAMES):
        sessions.append(join_lesson(store, lesson_code(store, lesson), name))
        _judge(store, lesson, sessions[-1], share, number)
    return sessions


def _judge(store: Store, lesson: Lesson, session: str, share: float, number: int) -> None:
    student = find_session(store, session)
    assert student
    pool = read_pool(store, lesson.round_id)
    for place, document in enumerate(sorted(pool["document_id"])[: round(share * len(pool))]):
        key = Key(str(pool["topic_id"].iloc[0]), document, "page", "", student.person_id, 0)
        level = (number % 3 + place) % 5 if number % 4 else place % 5
        comment = SAID[number % 3] if place == number % 2 else ""
        event = LabelEvent(str(uuid4()), None, key, "level", level, comment=comment)
        store.labels.append(lesson.collection_id, [event])


def attend(what: str) -> Act:
    """Return what a student sees who comes, has ended, or sees the class afterwards."""

    def act(page: Page, study: Study, look: str) -> None:
        study.enter(page, study.collections[f"student {what}, {look}"])
        if what == "comes":
            begin(page)
        elif what == "after":
            expect(page.get_by_role("heading", name="You and your class")).to_be_visible()
        else:
            expect(page.get_by_text("You have judged every page of the class")).to_be_visible()
        settle(page)

    return act


def project(step: str) -> Act:
    """Return what shows a step on the projector."""

    def act(page: Page, study: Study, look: str) -> None:
        study.enter(page, study.organiser, f"class-mode?projector=1&step={step}")
        on_any(page)

    return act


def reveal_page(*keys: str) -> Act:
    """Return what reveals the first page, and presses keys."""

    def act(page: Page, study: Study, look: str) -> None:
        project("judge")(page, study, look)
        press(page, "ArrowRight")
        on(page, "Reveal")
        settle(page)
        for key in keys:
            press(page, key)
        settle(page)
        if keys:
            expect(page.frame_locator("iframe").locator("body")).not_to_be_empty()

    return act


def either(*texts: str) -> re.Pattern[str]:
    """Return what finds any of these texts at the end of a name, in English or German."""
    german = read_catalogue("de")
    return re.compile(
        "|".join(f"{re.escape(one)}$" for text in texts for one in (text, german.get(text, text)))
    )


def lead(page: Page, study: Study, look: str) -> None:
    """See the class as its lecturer does, beside the projector."""
    study.enter(page, study.organiser, "class-mode")
    ways = page.get_by_role("button", name=either("Show on a projector", "Start a class"))
    expect(ways.last).to_be_visible()
    settle(page)


def start(page: Page, study: Study, look: str) -> None:
    """Come to where a class is begun: no class is on."""
    lead(page, study, look)
    while page.get_by_role("button", name=either("End the class")).count():
        page.get_by_role("button", name=either("End the class")).click()
        page.get_by_role("button", name=either("End it")).click()
        page.wait_for_timeout(2_000)
        lead(page, study, look)
    expect(page.get_by_role("button", name="Start a class")).to_be_visible()


STATES: dict[str, Act] = {
    "class-student": attend("comes"),
    "class-student-waits": attend("ends"),
    "class-student-after": attend("after"),
    "class-lecturer": lead,
    "projector-join": project("join"),
    "projector-judge": project("judge"),
    "projector-reveal": reveal_page(),
    "projector-discuss": reveal_page("d"),
    "projector-summary": project("summary"),
    "class-start": start,
}
"""In this order: once a class is revealed nobody judges, and a new one is begun at the end."""
