"""Lessons in class mode: one small collection each, which many students join by one link."""

import hashlib
import unicodedata
from dataclasses import astuple, dataclass, fields
from datetime import datetime, timedelta
from hmac import compare_digest

from core.errors import BadInput, NotAllowed
from core.language.translate import t
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor, fetch
from core.store.people.members import insert_member
from core.store.people.people import insert_person, insert_session, make_person_id
from core.store.rounds.rounds import Slot, insert_slots
from core.store.store import Store, utc_now

ORIGIN = "class"
STUDENTS_STAY = timedelta(hours=12)
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH = 8
_VARIANT = "VARIATION SELECTOR"
"""Signs that choose between two forms of the one before them."""

NEVER_ENTERED, NEVER_JUDGED = timedelta(minutes=1), timedelta(minutes=10)
"""How long a seat is kept for a browser that did not come in, or left without having judged."""

_UNUSED = """
    SELECT members.assessor_id AS unused FROM members
    JOIN sessions ON sessions.person_id = members.assessor_id
    WHERE members.collection_id = $1 AND members.origin = $2 AND members.dropped_at IS NULL
        AND NOT EXISTS (
            SELECT 1 FROM labels
            WHERE labels.collection_id = $1 AND labels.assessor_id = members.assessor_id)
    GROUP BY members.assessor_id
    HAVING max(seen_at) < $3 OR (max(seen_at) IS NULL AND max(sessions.created_at) < $4)
    ORDER BY max(sessions.created_at), members.assessor_id LIMIT 1"""

_OPEN = (
    "SELECT lessons.* FROM lessons JOIN collections USING (collection_id) WHERE closed_at IS NULL"
)


@dataclass(frozen=True)
class Lesson:
    """One class: where it judges, how many may join and until when.

    ``number`` counts the classes of a store. ``stopped_at``: nobody joins any more, but those
    inside go on judging. ``timer_until``: when the lecturer wants them to be done; nothing stops
    by itself. ``revealed_at``: everybody sees the labels, and nobody judges any more. A class ends
    when its collection is closed.
    """

    collection_id: str
    round_id: str
    number: int
    most: int
    started_by: str
    started_at: datetime
    expires_at: datetime
    stopped_at: datetime | None
    revealed_at: datetime | None = None
    timer_until: datetime | None = None


def insert_lesson(cursor: Cursor, lesson: Lesson) -> None:
    """Store a new lesson."""
    marks = ", ".join("?" * len(fields(lesson)))
    cursor.execute(f"INSERT INTO lessons VALUES ({marks})", list(astuple(lesson)))


def list_lessons(store: Store) -> list[Lesson]:
    """Return every lesson, the oldest first."""
    return [Lesson(**row) for row in fetch(store.cursor(), "FROM lessons ORDER BY number")]


def current_lesson(store: Store) -> Lesson | None:
    """Return the latest lesson that has not ended."""
    rows = fetch(store.cursor(), f"{_OPEN} ORDER BY number DESC LIMIT 1")
    return Lesson(**rows[0]) if rows else None


def lesson_code(store: Store, lesson: Lesson) -> str:
    """Return the code by which students join: eight signs that are not taken for each other.

    It is made from the store's key, so no file of the store holds it, not even as a hash.
    """
    key = hashlib.sha256(store.secret.encode()).digest()
    text = f"class {lesson.collection_id}".encode()
    number = int.from_bytes(hashlib.blake2b(text, key=key, digest_size=16).digest(), "big")
    signs = []
    for _ in range(_LENGTH):
        number, sign = divmod(number, len(_ALPHABET))
        signs.append(_ALPHABET[sign])
    return "".join(signs)


def find_lesson(store: Store, code: str) -> Lesson:
    """Return the lesson that a code lets students into now.

    Raises
    ------
    NotAllowed
        No class has this code, or it takes no more students.
    """
    given = "".join(sign for sign in code.upper() if sign.isalnum()).encode()
    for lesson in (Lesson(**row) for row in fetch(store.cursor(), _OPEN)):
        if compare_digest(given, lesson_code(store, lesson).encode()):
            return lesson
    raise NotAllowed(
        "No class is open under this code. Check it, or ask for the one on the screen."
    )


def is_lesson(store: Store, collection_id: str) -> bool:
    """Tell whether a collection was made for a class."""
    return bool(fetch(store.cursor(), "FROM lessons WHERE collection_id = ?", [collection_id]))


def lesson_of(store: Store, collection_id: str) -> Lesson | None:
    """Return the lesson that a collection was made for, if it was for one."""
    rows = fetch(store.cursor(), "FROM lessons WHERE collection_id = ?", [collection_id])
    return Lesson(**rows[0]) if rows else None


def is_joinable(lesson: Lesson) -> bool:
    """Tell whether a lesson still takes students, as far as its time and its lecturer say."""
    is_over = lesson.stopped_at is not None or lesson.revealed_at is not None
    return not is_over and utc_now() < lesson.expires_at


def stop_joining(store: Store, lesson: Lesson, *, stopped: bool, by: str = "") -> None:
    """Let nobody in any more, or let students in again."""
    what = "stop joining" if stopped else "let in again"
    detail = describe_change({"joining": stopped}, {"joining": not stopped})
    with store.change(lesson.collection_id, what, f"class {lesson.number}", detail, by) as cursor:
        cursor.execute(
            "UPDATE lessons SET stopped_at = ? WHERE collection_id = ?",
            [utc_now() if stopped else None, lesson.collection_id],
        )


def reveal(store: Store, lesson: Lesson, *, revealed: bool, by: str = "") -> None:
    """Show the labels of a class to all of it and end its judging, or let it judge on."""
    what = "reveal" if revealed else "judge on"
    detail = describe_change({"revealed": not revealed}, {"revealed": revealed})
    with store.change(lesson.collection_id, what, f"class {lesson.number}", detail, by) as cursor:
        cursor.execute(
            "UPDATE lessons SET revealed_at = ? WHERE collection_id = ?",
            [utc_now() if revealed else None, lesson.collection_id],
        )


def set_timer(store: Store, lesson: Lesson, lasts: timedelta | None, by: str = "") -> None:
    """Say in what time a class is to be done, from now on; None: take the timer away."""
    detail = describe_change({}, {"minutes": lasts / timedelta(minutes=1)}) if lasts else ""
    what = "set timer" if lasts else "stop timer"
    with store.change(lesson.collection_id, what, f"class {lesson.number}", detail, by) as cursor:
        cursor.execute(
            "UPDATE lessons SET timer_until = ? WHERE collection_id = ?",
            [utc_now() + lasts if lasts else None, lesson.collection_id],
        )


def add_student(store: Store, lesson: Lesson, topic_id: str, nickname: str = "") -> str:
    """Seat a new student in a lesson and return the token of their session.

    A student is an assessor of their own, in this lesson's collection and no other, with a
    place of their own at its items. Without a nickname they are given a number.

    Raises
    ------
    NotAllowed
        The class is full, or takes no more students.
    BadInput
        Somebody in the class has this nickname.
    """
    person_id = make_person_id()
    subject = f"class {lesson.number}"
    with store.change(lesson.collection_id, "join", subject, "", person_id) as cursor:
        _check_open(cursor, lesson)
        taken = _names(cursor, lesson)
        name = nickname or _next_name(taken)
        if likeness(name) in map(likeness, taken):
            raise BadInput("somebody in this class has this nickname; choose another one")
        insert_person(cursor, person_id, f"{name} (class {lesson.number})", "assessor")
        insert_member(cursor, lesson.collection_id, person_id, name, "students", ORIGIN)
        if _count_seats(cursor, lesson) >= lesson.most:
            _take_over(cursor, lesson, person_id)
        else:
            seat = Slot(lesson.round_id, topic_id, 0, len(taken), person_id, True, None, None)
            insert_slots(cursor, [seat], person_id)
        cursor.execute(
            "UPDATE rounds SET judges = (SELECT count(*) FROM slots WHERE round_id = $1) "
            "WHERE round_id = $1",
            [lesson.round_id],
        )
        return insert_session(cursor, person_id, STUDENTS_STAY, is_used=False)


def _count_seats(cursor: Cursor, lesson: Lesson) -> int:
    rows = fetch(
        cursor, "SELECT count(*) AS seats FROM slots WHERE round_id = $1", [lesson.round_id]
    )
    return int(rows[0]["seats"])


def _take_over(cursor: Cursor, lesson: Lesson, person_id: str) -> None:
    """Give a student the seat of somebody who never used theirs; nothing was judged there.

    Raises
    ------
    NotAllowed
        There is none: the class is full.
    """
    now = utc_now()
    unused = fetch(
        cursor, _UNUSED, [lesson.collection_id, ORIGIN, now - NEVER_JUDGED, now - NEVER_ENTERED]
    )
    if not unused:
        raise NotAllowed(t("This class is full: it has {n} students.", n=lesson.most))
    before = unused[0]["unused"]
    cursor.execute(
        "UPDATE members SET dropped_at = ? WHERE collection_id = ? AND assessor_id = ?",
        [now, lesson.collection_id, before],
    )
    cursor.execute("UPDATE sessions SET ended_at = ? WHERE person_id = ?", [now, before])
    cursor.execute(
        "UPDATE slots SET assessor_id = ? WHERE round_id = ? AND assessor_id = ?",
        [person_id, lesson.round_id, before],
    )


def suggest_name(store: Store, lesson: Lesson) -> str:
    """Return the name that the next student is given who chooses none."""
    return _next_name(_names(store.cursor(), lesson))


def _check_open(cursor: Cursor, lesson: Lesson) -> None:
    """Raise NotAllowed unless a class takes students at this moment: it may just have stopped."""
    rows = fetch(cursor, f"{_OPEN} AND collection_id = ?", [lesson.collection_id])
    if not rows or not is_joinable(Lesson(**rows[0])):
        raise NotAllowed("This class takes no more students. Ask your lecturer.")


def likeness(name: str) -> str:
    """Return what names have in common that look the same, or nearly so."""
    shown = unicodedata.normalize("NFKC", name).casefold()
    return "".join(sign for sign in shown if not unicodedata.name(sign, "").startswith(_VARIANT))


def _names(cursor: Cursor, lesson: Lesson) -> list[str]:
    rows = fetch(cursor, "SELECT name FROM members WHERE collection_id = ?", [lesson.collection_id])
    return [row["name"] for row in rows]


def _next_name(taken: list[str]) -> str:
    """Return the first free 'Student n', counted from the number of students."""
    number = len(taken) + 1
    known = set(map(likeness, taken))
    while likeness(name := t("Student {n}", n=number)) in known:
        number += 1
    return name
