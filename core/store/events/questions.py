"""Questions about items, and what the organiser says: appended, never changed."""

import uuid
from dataclasses import dataclass
from datetime import datetime

import pandas as pd

from core.errors import BadInput, NotFound
from core.language.translate import t
from core.store.events.labels import Key
from core.store.file.database import fetch, fetch_frame
from core.store.store import Store, utc_now

LONGEST_TEXT = 4000

_OPEN = """
    questions.text <> '' AND question_id NOT IN
        (SELECT question_id FROM notices WHERE question_id IS NOT NULL)"""


@dataclass(frozen=True)
class Question:
    """What an assessor asks about one item.

    ``question_id`` is made by whoever asks, so sending it twice does no harm. The text is empty
    once its author was erased.
    """

    question_id: str
    key: Key
    text: str


@dataclass(frozen=True)
class Notice:
    """What an organiser says: an answer, or an announcement.

    ``question_id`` is None for what answers nothing. ``assessor_id`` is empty where it is said
    to everybody.
    """

    notice_id: str
    question_id: str | None
    assessor_id: str
    text: str
    written_by: str
    written_at: datetime


def append_question(store: Store, collection_id: str, question: Question) -> bool:
    """Write a question to disk; tells whether it was new.

    When this returns, the question survives the death of the process.

    Raises
    ------
    BadInput
        Its id belongs to another question.
    """
    if is_asked(store, collection_id, question):
        return False
    key = question.key
    detail = f"topic {key.topic_id}, document {key.document_id}, {key.facet}"
    with store.change(collection_id, "ask", "question", detail, key.assessor_id) as cursor:
        cursor.execute(
            "INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                question.question_id, collection_id, key.assessor_id,
                key.topic_id, key.document_id, key.facet, key.engine, key.occasion,
                question.text, utc_now(),
            ],
        )  # fmt: skip
    return True


def is_asked(store: Store, collection_id: str, question: Question) -> bool:
    """Tell whether a question is stored; raises BadInput when its id is that of another one."""
    rows = fetch(
        store.cursor(),
        "SELECT collection_id, topic_id, document_id, facet, engine, assessor_id, occasion "
        "FROM questions WHERE question_id = ?",
        [question.question_id],
    )
    if rows and tuple(rows[0].values()) != (collection_id, *question.key):
        raise BadInput(t("this id belongs to another question"), field="event_id")
    return bool(rows)


def count_open(store: Store, collection_id: str, assessor_id: str = "") -> int:
    """Return how many questions wait for an answer; of everybody, or of one assessor."""
    sql = (
        f"SELECT count(*) AS n FROM questions WHERE collection_id = $1 AND {_OPEN} "
        "AND ($2 = '' OR assessor_id = $2)"
    )
    return int(fetch(store.cursor(), sql, [collection_id, assessor_id])[0]["n"])


def read_questions(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the questions of a collection, those without an answer first, the oldest first.

    Returns
    -------
    DataFrame
        question_id, assessor_id, assessor (the name), topic_id, document_id, facet, engine,
        occasion, text (empty once its author was erased), asked_at (UTC), is_open.
    """
    return fetch_frame(
        store.cursor(),
        f"""
        SELECT question_id::VARCHAR AS question_id, questions.assessor_id AS assessor_id,
            coalesce(name, '') AS assessor, topic_id, document_id, facet, engine, occasion, text,
            asked_at, {_OPEN} AS is_open
        FROM questions LEFT JOIN members
            ON members.collection_id = questions.collection_id
            AND members.assessor_id = questions.assessor_id
        WHERE questions.collection_id = ?
        ORDER BY is_open DESC, asked_at, question_id""",
        [collection_id],
    )


def list_notices(store: Store, collection_id: str) -> list[Notice]:
    """Return every answer and announcement of a collection, oldest first."""
    rows = fetch(
        store.cursor(),
        "SELECT notice_id::VARCHAR AS notice_id, question_id::VARCHAR AS question_id, "
        "assessor_id, text, written_by, written_at FROM notices WHERE collection_id = ? "
        "ORDER BY written_at, notice_id",
        [collection_id],
    )
    return [Notice(**row) for row in rows]


def answer_question(
    store: Store, collection_id: str, question_id: str, text: str, *, to_all: bool, by: str = ""
) -> str:
    """Answer a question, to its author or to every assessor; returns the id of the notice.

    A question can be answered again: both answers stay. What is said to everybody quotes
    neither the question nor who asked.

    Raises
    ------
    BadInput
        The text is empty or too long.
    NotFound
        There is no such question in the collection.
    """
    rows = fetch(
        store.cursor(),
        "SELECT assessor_id FROM questions WHERE collection_id = ? AND question_id = ?",
        [collection_id, question_id],
    )
    if not rows:
        raise NotFound("There is no such question.")
    to = "" if to_all else rows[0]["assessor_id"]
    return _append(store, collection_id, "answer", (question_id, to, text), by)


def announce(store: Store, collection_id: str, text: str, by: str = "") -> str:
    """Say something to every assessor; returns its id. Raises BadInput as for an answer."""
    return _append(store, collection_id, "announce", (None, "", text), by)


def _append(
    store: Store, collection_id: str, what: str, message: tuple[str | None, str, str], by: str
) -> str:
    question_id, to, text = message
    text = text.strip()
    if not text:
        raise BadInput("there is nothing written", field="text")
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"a text has at most {LONGEST_TEXT:,} characters", field="text")
    notice_id = str(uuid.uuid4())
    detail = "to its author" if to else "to everybody"
    subject = "question" if question_id else "announcement"
    with store.change(collection_id, what, subject, detail, by) as cursor:
        cursor.execute(
            "INSERT INTO notices VALUES (?, ?, ?, ?, ?, ?, ?)",
            [notice_id, collection_id, question_id, to, text, by, utc_now()],
        )
    return notice_id


def note_read(store: Store, collection_id: str, person_id: str, notices: list[str]) -> None:
    """Take down which notices somebody has read, by id; what is known already stays."""
    with store.database.write() as cursor:
        cursor.execute(
            "INSERT INTO notices_read SELECT $1, $2, one, $3 FROM unnest($4::VARCHAR[]) AS t(one) "
            "WHERE one NOT IN (SELECT notice FROM notices_read "
            "WHERE collection_id = $1 AND person_id = $2)",
            [collection_id, person_id, utc_now(), notices],
        )


def list_read(store: Store, collection_id: str, person_id: str) -> set[str]:
    """Return which notices somebody has read, by id."""
    rows = fetch(
        store.cursor(),
        "SELECT notice FROM notices_read WHERE collection_id = ? AND person_id = ?",
        [collection_id, person_id],
    )
    return {row["notice"] for row in rows}


def read_words(store: Store, collection_id: str) -> pd.DataFrame:
    """Return questions with their answers, and announcements, as a table.

    Returns
    -------
    DataFrame
        question_id, assessor_id (who asked; NULL for an announcement), name, topic_id,
        document_id, facet, question, asked_at, answer, answered_at (both UTC), said_to ("author",
        "everybody"; empty without an answer). A question has a row for each answer, and one
        without; an announcement has no question.
    """
    return fetch_frame(
        store.cursor(),
        """
        SELECT coalesce(questions.question_id::VARCHAR, '') AS question_id,
            questions.assessor_id AS assessor_id, coalesce(name, '') AS name,
            coalesce(topic_id, '') AS topic_id, coalesce(document_id, '') AS document_id,
            coalesce(facet, '') AS facet, coalesce(questions.text, '') AS question, asked_at,
            coalesce(notices.text, '') AS answer, written_at AS answered_at,
            CASE WHEN notice_id IS NULL THEN '' WHEN notices.assessor_id = '' THEN 'everybody'
                ELSE 'author' END AS said_to
        FROM (FROM questions WHERE collection_id = $1) AS questions
        FULL JOIN (FROM notices WHERE collection_id = $1) AS notices
            ON notices.question_id = questions.question_id
        LEFT JOIN (FROM members WHERE collection_id = $1) AS members
            ON members.assessor_id = questions.assessor_id
        ORDER BY coalesce(asked_at, written_at), question_id, written_at""",
        [collection_id],
    )
