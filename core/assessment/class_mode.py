"""Class mode: students join by a link, all judge the same pages, and the class begins again."""

import json
import re
import secrets
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from itertools import groupby
from pathlib import Path

import pandas as pd

from core.collection.files.source import Source
from core.collection.records import Import
from core.errors import BadInput
from core.language.translate import ENGLISH, speaking, t
from core.numerals import write_number
from core.settings import DEMO_DATA
from core.store.content.collections import close_collection, create_collection, get_collection
from core.store.content.documents import get_document
from core.store.content.imports import write_import
from core.store.content.scales import Scales, get_scales
from core.store.events.frames import read_document_index, read_results, read_runs, read_topics
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
_LONGEST_TITLE, _LONGEST_PAGE = 80, 20_000
_DASHES = re.compile(r"^\s*[-–—]{3,}\s*$", re.MULTILINE)
_EMPTY_LINE = re.compile(r"\n\s*\n")
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that show nothing: with them names differ that look the same."""

_MOST_MARKS = 3
"""Marks on one letter; many would reach into the lines above and below."""

_LEVELS = ("Nav", "Key", "HRel", "Rel", "Non")


@cache
def list_class_topics(folder: Path = DEMO_DATA) -> pd.DataFrame:
    """Return topic_id, query, description of the sample topics with several meanings."""
    topics = _import("topics", folder).frames["topics"]
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
    language: str = ENGLISH,
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
    language : str
        The code of what students read around the pages.
    by : str
        The lecturer's id.

    Raises
    ------
    BadInput
        There is no such topic or language.
    """
    if topic_id not in set(list_class_topics(folder)["topic_id"]):
        raise BadInput(t("there is no class topic '{name}'", name=topic_id), field="topic")
    topics, documents = _import("topics", folder), _import("documents", folder)
    topic = topics.frames["topics"]
    topic = topic[topic["topic_id"] == topic_id].assign(narrative="")
    if not described:
        topic = topic.assign(description="")
    chosen = choose_documents(_read_intended(folder), topic_id)
    pages = documents.frames["documents"]
    return _begin(
        store,
        replace(topics, frames={"topics": topic}, counts={"topics": 1}),
        _of_pages(documents, pages[pages["document_id"].isin(chosen)]),
        f"{len(chosen)} made-up pages, judged by a class.",
        by,
        language,
    )


def start_own_lesson(
    store: Store,
    query: str,
    texts: Sequence[str],
    *,
    description: str = "",
    language: str = ENGLISH,
    by: str = "",
) -> Lesson:
    """Open a class on a query and pages of the lecturer's own.

    Parameters
    ----------
    query, description : str
        What is looked for, and what students are told it is meant to be.
    texts : sequence of str
        The pages; the first line of each is its title.
    language : str
        The code of what students read around the pages.
    by : str
        The lecturer's id.

    Raises
    ------
    BadInput
        There is no query, or there are no pages, too many, or one twice.
    """
    query, pages = query.strip(), [text.strip() for text in texts if text.strip()]
    if not query:
        raise BadInput(t("a class needs a query"), field="query")
    _check_pages(pages)
    topic = {"id": "own", "query": query, "description": description.strip()}
    documents = [
        {"id": f"page{place:02d}", "title": text.splitlines()[0][:_LONGEST_TITLE], "text": text}
        for place, text in enumerate(pages, start=1)
    ]
    what = f"{len(pages)} pages of the lecturer's own, judged by a class."
    return _begin(
        store,
        _read_rows("topics", [topic]),
        _read_rows("documents", documents),
        what,
        by,
        language,
    )


def start_topic_lesson(
    store: Store, collection_id: str, topic_id: str, *, described: bool = False, by: str = ""
) -> Lesson:
    """Open a class on a topic of a collection, with the collection's levels and language.

    Its pages are those that have a text and stand highest in any result list or run; copies are
    judged, so that the collection stays as it is.

    Raises
    ------
    BadInput
        There is no such topic, or none of its pages has a text.
    """
    topics = read_topics(store, collection_id)
    topics = topics[topics["topic_id"] == topic_id]
    if topics.empty:
        raise BadInput(
            t("there is no topic '{name}' in this collection", name=topic_id), field="topic"
        )
    chosen = _rank_pages(store, collection_id, topic_id)
    if not chosen:
        raise BadInput(t("no page of this topic has a text that could be judged"), field="topic")
    topic = {"id": topic_id, "query": topics["query"].iloc[0]}
    if described:
        topic["description"] = topics["description"].iloc[0]
    return _begin(
        store,
        _read_rows("topics", [topic]),
        _read_rows("documents", _copy_pages(store, collection_id, chosen)),
        f"{len(chosen)} pages of the collection {get_collection(store, collection_id).name}, "
        "judged by a class.",
        by,
        get_collection(store, collection_id).language,
        get_scales(store, collection_id),
    )


def split_pages(text: str) -> list[str]:
    """Return the pages in a text: between lines of dashes, or else between empty lines."""
    divider = _DASHES if _DASHES.search(text) else _EMPTY_LINE
    return [page.strip() for page in divider.split(text) if page.strip()]


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


def restart_lesson(store: Store, lesson: Lesson, by: str = "") -> Lesson:
    """End a class and start the next one on the same pages, empty and with another code."""
    topic = read_topics(store, lesson.collection_id).iloc[0]
    pages = _copy_pages(
        store, lesson.collection_id, read_pool(store, lesson.round_id)["document_id"]
    )
    end_lesson(store, lesson, by)
    topic_fields = {
        "id": topic["topic_id"],
        "query": topic["query"],
        "description": topic["description"],
    }
    return _begin(
        store,
        _read_rows("topics", [topic_fields]),
        _read_rows("documents", pages),
        get_collection(store, lesson.collection_id).description,
        by,
        get_collection(store, lesson.collection_id).language,
        get_scales(store, lesson.collection_id),
    )


def _begin(
    store: Store,
    topics: Import,
    documents: Import,
    description: str,
    by: str,
    language: str,
    scales: Scales | None = None,
) -> Lesson:
    """Make a collection of one topic and its pages, with an open round, and open it to a class."""
    number = max((lesson.number for lesson in list_lessons(store)), default=0) + 1
    topic = topics.frames["topics"].iloc[0]
    query = str(topic["query"])
    with speaking(language):
        name, guidelines = t("Class {n}: {query}", n=number, query=query), _write_guidelines()
    collection_id = create_collection(
        store,
        name,
        description=description,
        guidelines=guidelines,
        scales=scales,
        language=language,
        by=by,
    )
    for imported in (topics, documents):
        write_import(store, collection_id, imported, by=by)
    ids = sorted(documents.frames["documents"]["document_id"])
    pool = pd.DataFrame({"topic_id": str(topic["topic_id"]), "document_id": ids, "batch": 0})
    now = utc_now()
    rules = _rules(collection_id, number, len(ids))
    lesson = Lesson(
        collection_id, rules.round_id, number, MOST_STUDENTS, by, now, now + OPEN_FOR, None
    )
    with store.change(collection_id, "start", f"class {number}", query, by) as cursor:
        insert_round(cursor, rules)
        insert_pool(cursor, rules.round_id, pool)
        insert_lesson(cursor, lesson)
    return lesson


def _write_guidelines() -> str:
    return t(
        "How well does each page answer the query? Judge on your own and do not discuss the pages "
        "yet: there is no single right answer.\n\nGo by your first impression; half a minute per "
        "page is enough. You can go back and change your answers."
    )


def _of_pages(imported: Import, frame: pd.DataFrame) -> Import:
    return replace(imported, frames={"documents": frame}, counts={"documents": len(frame)})


def _check_pages(pages: Sequence[str]) -> None:
    if not pages:
        raise BadInput(t("a class needs pages to judge"), field="pages")
    if len(pages) > ITEMS:
        raise BadInput(
            t("there are {n} pages; a class judges {most} at most", n=len(pages), most=ITEMS)
        )
    if longest := [page for page in pages if len(page) > _LONGEST_PAGE]:
        raise BadInput(
            t(
                "a page has {n} characters; {most} is the most",
                n=write_number(len(longest[0]), 0),
                most=write_number(_LONGEST_PAGE, 0),
            )
        )
    if len(set(pages)) < len(pages):
        raise BadInput(t("two of the pages are the same"))


def _rank_pages(store: Store, collection_id: str, topic_id: str) -> list[str]:
    """Return the pages of a topic that can be read, those ranked highest anywhere first."""
    found = pd.concat([read_results(store, collection_id), read_runs(store, collection_id)])
    best = found[found["topic_id"] == topic_id].groupby("document_id")["rank"].min()
    index = read_document_index(store, collection_id).set_index("document_id")["readable"]
    ordered = best.sort_values(kind="stable").index
    return [str(known) for known in ordered if bool(index.get(known, False))][:ITEMS]


def _copy_pages(store: Store, collection_id: str, documents: Iterable[str]) -> list[dict[str, str]]:
    return [
        {"id": known, **{name: text for name, text in page.items() if text}}
        for known in documents
        for page in [get_document(store, collection_id, known)]
    ]


def _read_rows(kind: str, rows: Iterable[Mapping[str, str]]) -> Import:
    """Return rows as if they had come in a file."""
    from core.collection.formats import read_import

    text = "".join(json.dumps(row) + "\n" for row in rows)
    return read_import(kind, Source(f"{kind}.jsonl", text.encode()))


def _rules(collection_id: str, number: int, pages: int) -> Round:
    """Return the rules of a class: pages only, everybody everything, as many judges as come."""
    return Round(
        round_id="r-" + secrets.token_hex(4),
        collection_id=collection_id,
        name=f"Class {number}",
        judges=1,
        flow=PAGE_ONLY,
        page_from=None,
        depth=pages,
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
        raise BadInput(
            t("a nickname has at most {n} characters", n=LONGEST_NICKNAME), field="nickname"
        )
    if not name.isprintable() or _UNSEEN & set(name) or _is_overloaded(name):
        raise BadInput(t("this nickname has characters that cannot be shown"), field="nickname")
    return name


def _is_overloaded(name: str) -> bool:
    runs = groupby(unicodedata.combining(sign) > 0 for sign in name)
    return any(is_mark and len(list(run)) > _MOST_MARKS for is_mark, run in runs)


@cache
def _import(kind: str, folder: Path) -> Import:
    from core.collection.formats import read_import

    file = folder / f"{kind}.jsonl"
    return read_import(kind, Source(file.name, file))


def _read_intended(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "page_levels.tsv", sep="\t", dtype=str)
