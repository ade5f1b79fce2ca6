"""Class mode: students join by a link, all judge the same ten pages, and the class begins again."""

import secrets
import unicodedata
from dataclasses import replace
from datetime import timedelta
from functools import cache
from itertools import groupby
from pathlib import Path

import pandas as pd

from core.collection.formats import read_import
from core.collection.records import Import
from core.collection.source import Source
from core.errors import BadInput
from core.settings import DEMO_DATA
from core.store.content.collections import close_collection, create_collection
from core.store.content.imports import write_import
from core.store.events.frames import read_topics
from core.store.rounds.lessons import (
    Lesson,
    add_student,
    find_lesson,
    insert_lesson,
    list_lessons,
)
from core.store.rounds.rounds import PAGE_ONLY, Round, insert_pool, insert_round, read_pool
from core.store.store import Store, utc_now

ITEMS = 10
MOST_STUDENTS = 300
OPEN_FOR = timedelta(hours=4)
LONGEST_NICKNAME = 30
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that show nothing: with them names differ that look the same."""

_MOST_MARKS = 3
"""Marks on one letter; many would reach into the lines above and below."""

_LEVELS = ("Nav", "Key", "HRel", "Rel", "Non")
_GUIDELINES = """How well does each page answer the query? Judge on your own and do not discuss \
the pages yet: there is no single right answer.

Go by your first impression; half a minute per page is enough. You can go back and change your \
answers."""


@cache
def list_class_topics(folder: Path = DEMO_DATA) -> pd.DataFrame:
    """Return topic_id, query, description of the sample topics with several meanings."""
    topics = _read("topics", folder)
    chosen = topics[topics["type"] == "ambiguous"]
    return chosen[["topic_id", "query", "description"]].reset_index(drop=True)


def choose_documents(intended: pd.DataFrame, topic_id: str, count: int = ITEMS) -> list[str]:
    """Return documents of a topic in which all levels occur about equally often.

    Parameters
    ----------
    intended : DataFrame
        ``topic, document, page``; the last is the name of the level a page was written for.
    topic_id : str
        The topic.
    count : int
        How many documents.

    Returns
    -------
    list of str
        Document ids in sorted order: the first document of every level, then the second of
        every level, and so on, until there are enough.
    """
    rows = intended[intended["topic"] == topic_id]
    turn = rows.groupby("page").cumcount()
    level = rows["page"].map({name: place for place, name in enumerate(_LEVELS)})
    ordered = rows.assign(turn=turn, place=level).sort_values(["turn", "place"])
    return sorted(ordered["document"].head(count))


def start_lesson(
    store: Store,
    topic_id: str,
    *,
    described: bool = False,
    by: str = "",
    folder: Path = DEMO_DATA,
) -> Lesson:
    """Make a fresh collection of ten pages on one query and open it to a class.

    Parameters
    ----------
    topic_id : str
        One of `list_class_topics`.
    described : bool
        Whether students are told what the query is meant to be, or see the query alone.
    by : str
        The lecturer's id.

    Raises
    ------
    BadInput
        There is no such topic.
    """
    topics = list_class_topics(folder).set_index("topic_id")
    if topic_id not in topics.index:
        raise BadInput(f"there is no class topic '{topic_id}'", field="topic")
    number = max((lesson.number for lesson in list_lessons(store)), default=0) + 1
    query = str(topics.at[topic_id, "query"])
    collection_id = create_collection(
        store,
        f"Class {number}: {query}",
        description=f"{ITEMS} made-up pages, judged by a class.",
        guidelines=_GUIDELINES,
        by=by,
    )
    pool = _fill(store, collection_id, topic_id, described, folder, by)
    now = utc_now()
    rules = _rules(collection_id, number)
    lesson = Lesson(
        collection_id, rules.round_id, number, MOST_STUDENTS, by, now, now + OPEN_FOR, None
    )
    with store.change(collection_id, "start", f"class {number}", query, by) as cursor:
        insert_round(cursor, rules)
        insert_pool(cursor, rules.round_id, pool)
        insert_lesson(cursor, lesson)
    return lesson


def join_lesson(store: Store, code: str, nickname: str = "") -> str:
    """Seat a new student in the class that a code belongs to; returns their session's token.

    Raises
    ------
    NotAllowed
        No class has this code, or it is full or takes no more students.
    BadInput
        The nickname is too long, cannot be shown, or is taken in this class.
    """
    lesson = find_lesson(store, code)
    topic_id = str(read_pool(store, lesson.round_id)["topic_id"].iloc[0])
    return add_student(store, lesson, topic_id, _check_nickname(nickname))


def end_lesson(store: Store, lesson: Lesson, by: str = "") -> None:
    """Close a class: nobody joins or judges any more, and everything stays."""
    close_collection(store, lesson.collection_id, closed=True, by=by)


def restart_lesson(store: Store, lesson: Lesson, by: str = "", folder: Path = DEMO_DATA) -> Lesson:
    """End a class and start the next one on the same topic, empty and with another code."""
    topic = read_topics(store, lesson.collection_id).iloc[0]
    end_lesson(store, lesson, by)
    described = bool(topic["description"])
    return start_lesson(store, topic["topic_id"], described=described, by=by, folder=folder)


def _fill(
    store: Store, collection_id: str, topic_id: str, described: bool, folder: Path, by: str
) -> pd.DataFrame:
    """Import the topic and its pages; returns the pool of the round."""
    topics, documents = _read("topics", folder), _read("documents", folder)
    chosen = choose_documents(_read_intended(folder), topic_id)
    topic = topics[topics["topic_id"] == topic_id].assign(narrative="")
    if not described:
        topic = topic.assign(description="")
    frames: dict[str, pd.DataFrame] = {
        "topics": topic,
        "documents": documents[documents["document_id"].isin(chosen)],
    }
    for kind, frame in frames.items():
        imported = _import(kind, folder)
        counts = {kind: len(frame)}
        chosen_only = replace(imported, frames={kind: frame}, counts=counts)
        write_import(store, collection_id, chosen_only, by=by)
    return pd.DataFrame({"topic_id": topic_id, "document_id": chosen, "batch": 0})


def _rules(collection_id: str, number: int) -> Round:
    """Return the rules of a class: pages only, everybody everything, as many judges as come."""
    return Round(
        round_id="r-" + secrets.token_hex(4),
        collection_id=collection_id,
        name=f"Class {number}",
        judges=1,
        flow=PAGE_ONLY,
        page_from=None,
        depth=ITEMS,
        batch_size=None,
        lease_minutes=int(OPEN_FOR.total_seconds() // 60),
        repeat_share=0.0,
        seed=number,
        created_at=utc_now(),
        closed_at=None,
    )


def _check_nickname(nickname: str) -> str:
    name = unicodedata.normalize("NFC", " ".join(nickname.split()))
    if len(name) > LONGEST_NICKNAME:
        raise BadInput(f"a nickname has at most {LONGEST_NICKNAME} characters", field="nickname")
    if not name.isprintable() or _UNSEEN & set(name) or _is_overloaded(name):
        raise BadInput("this nickname has characters that cannot be shown", field="nickname")
    return name


def _is_overloaded(name: str) -> bool:
    runs = groupby(unicodedata.combining(sign) > 0 for sign in name)
    return any(is_mark and len(list(run)) > _MOST_MARKS for is_mark, run in runs)


@cache
def _import(kind: str, folder: Path) -> Import:
    file = folder / f"{kind}.jsonl"
    return read_import(kind, Source(file.name, file))


def _read(kind: str, folder: Path) -> pd.DataFrame:
    return _import(kind, folder).frames[kind]


def _read_intended(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "page_levels.tsv", sep="\t", dtype=str)
