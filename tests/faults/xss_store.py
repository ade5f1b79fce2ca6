"""A store in which every field that a person or a file can fill holds hostile texts."""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd

from core.assessment.adjudication import adjudicate
from core.assessment.class_mode import LONGEST_NICKNAME, join_lesson, list_class_topics
from core.assessment.class_mode import start_lesson as start
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import FACETS, PAGE, SNIPPET, Level
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.content.gold import GoldItem, mark_gold
from core.store.content.imports import write_import
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.content.saved_rules import save_rule
from core.store.events.labels import Key
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session, invite
from core.store.rounds.lessons import lesson_code
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.faults.payloads import Payload, deal

TOPICS, DOCUMENTS, ENGINES, LEVELS, PEOPLE, VERSIONS, OTHERS = 6, 8, 4, 5, 4, 3, 4
STUDENTS = 12


@dataclass
class Hostile:
    """Where the store is, and the ways in."""

    path: Path
    payloads: Sequence[Payload]
    graded: str = ""
    paired: str = ""
    single: str = ""
    sessions: dict[str, str] = field(default_factory=dict)
    invitation: str = ""
    code: str = ""

    def deal(self, hands: int, turn: int = 0, mark: str = " ") -> list[str]:
        return deal(self.payloads, hands, turn, mark)


def make_hostile(path: Path, payloads: Sequence[Payload]) -> Hostile:
    """Fill a store: collections, people, rounds, labels, versions, pairs and a class."""
    made, store = Hostile(path, payloads), Store(path)
    made.graded = _make_collection(store, made, 0)
    made.paired = _make_collection(store, made, 1)
    made.single = _make_collection(store, made, 2)
    for place, name in enumerate(made.deal(OTHERS, turn=7)):
        create_collection(store, f"{place} {name}", description=name, guidelines=name)
    _add_people(store, made)
    _add_labels(store, made)
    _add_settled(store, made)
    _add_pairs(store, made)
    _add_class(store, made)
    store.close()
    return made


def _make_collection(store: Store, made: Hostile, number: int) -> str:
    whole = made.deal(3, mark="\n\n")[number]
    collection_id = create_collection(
        store,
        whole,
        description=whole,
        guidelines=whole,
        simulated=whole,
        scales={facet: _make_scale(made, place) for place, facet in enumerate(FACETS)},
    )
    for kind, rows in _files(made, single=number == 2).items():
        _import(store, collection_id, kind, rows)
    return collection_id


def _make_scale(made: Hostile, turn: int) -> list[Level]:
    names, meanings = (made.deal(LEVELS, turn=11 * (turn + shift)) for shift in (1, 2))
    return [
        Level(place, name, meaning, str(place + 1), place)
        for place, (name, meaning) in enumerate(zip(names, meanings, strict=True))
    ]


def _files(made: Hostile, *, single: bool) -> dict[str, list[dict[str, Any]]]:
    """Return topics, documents and results; a document for each payload, or for a share."""
    fields = ("query", "description", "narrative", "type")
    texts = {name: made.deal(TOPICS, 13 * place, "\n\n") for place, name in enumerate(fields)}
    topics = [
        {"id": topic_id, **{name: texts[name][place] for name in fields}}
        for place, topic_id in enumerate(topic_ids(made))
    ][: 1 if single else TOPICS]
    documents = _single_documents(made) if single else _batched_documents(made)
    engines, verticals = made.deal(ENGINES, 3), made.deal(ENGINES, 5)
    results = []
    for number, topic in enumerate(topics):
        for rank, document in enumerate(documents, start=1):
            for place in {rank % ENGINES, (rank * 7 + number) % ENGINES}:
                snippet = made.payloads[(rank + place) % len(made.payloads)].text
                results.append(
                    {
                        "topic": topic["id"],
                        "engine": engines[place],
                        "document": document["id"],
                        "rank": 1 + (rank * (place + 3) + number) % 997,
                        "snippet": snippet,
                        "vertical": verticals[place],
                    }
                )
    return {"topics": topics, "documents": documents, "results": results}


def topic_ids(made: Hostile) -> list[str]:
    """Return the ids of the topics."""
    return [text.strip() for text in made.deal(TOPICS, 1)]


def document_ids(made: Hostile) -> list[str]:
    """Return the ids of the documents that hold many payloads each."""
    return [text.strip() for text in made.deal(DOCUMENTS, 2)]


def _batched_documents(made: Hostile) -> list[dict[str, Any]]:
    titles, urls, texts = (made.deal(DOCUMENTS, turn, "\n") for turn in (4, 6, 8))
    return [
        _document(*row, place)
        for place, row in enumerate(zip(document_ids(made), titles, urls, texts, strict=True))
    ]


def _single_documents(made: Hostile) -> list[dict[str, Any]]:
    texts = [one.text for one in made.payloads]
    shifted = [texts[shift:] + texts[:shift] for shift in (1, 2, 3)]
    return [
        _document(f"{text} #{place}", *others, place)
        for place, (text, *others) in enumerate(zip(texts, *shifted, strict=True))
    ]


def _document(document_id: str, title: str, url: str, text: str, place: int) -> dict[str, Any]:
    html = "" if place % 2 else text
    return {"id": document_id, "title": title, "url": url, "text": f"A page. {text}", "html": html}


def _import(
    store: Store, collection_id: str, kind: str, rows: Iterable[dict[str, Any]], **options: Any
) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    imported = read_import(
        kind, Source("<img src=x onerror=__hit(1)>.jsonl", text.encode()), **options
    )
    write_import(store, collection_id, imported)


def _add_people(store: Store, made: Hostile) -> None:
    names, groups = made.deal(PEOPLE, 9), made.deal(PEOPLE, 10)
    for place, (name, group) in enumerate(zip(names, groups, strict=True)):
        role = "organiser" if place == 0 else "assessor"
        person = add_person(store, name, role)
        made.sessions[("organiser", "judge", "pairs", "plain")[place]] = begin_session(
            store, person
        )
        if place:
            collection_id = (made.single, made.paired, made.graded)[place - 1]
            add_member(store, collection_id, person, name, group=group)
    control = add_person(store, "Control", "assessor")
    add_member(store, made.single, control, "Control")
    made.sessions["control"] = begin_session(store, control)
    made.invitation = invite(store, add_person(store, made.deal(1, 12)[0], "assessor"))


def _add_labels(store: Store, made: Hostile) -> None:
    """Import labels of assessors whose ids are payloads, with comments; then open rounds."""
    engines, groups = made.deal(ENGINES, 3), made.deal(PEOPLE, 16)
    rows = []
    for number, person in enumerate(made.deal(PEOPLE, 15)):
        for topic_place, topic_id in enumerate(topic_ids(made)):
            for place, document_id in enumerate(document_ids(made)):
                row = {
                    "assessor": person,
                    "topic": topic_id,
                    "document": document_id,
                    "level": (place + topic_place + number * (1 + place % 3)) % LEVELS,
                    "comment": made.payloads[len(rows) % len(made.payloads)].text,
                    "dwell_ms": 1000 + place,
                    "group": groups[number % 2],
                }
                rows.append({**row, "facet": PAGE})
                rows.append({**row, "facet": SNIPPET, "engine": engines[place % ENGINES]})
    for row in rows[::29]:
        row |= {"state": "cannot judge", "level": None}
    _import(store, made.graded, "labels", rows)
    for collection_id, flow in ((made.graded, "snippet then page"), (made.single, "page only")):
        open_round(store, collection_id, Plan(made.deal(1, 17)[0], flow=flow, depth=999))


def _add_settled(store: Store, made: Hostile) -> None:
    """Add gold, practice, adjudications, saved rules and imported qrels."""
    topic_id, documents = topic_ids(made)[1], document_ids(made)
    organiser = store.cursor().execute(
        "SELECT person_id FROM people WHERE role = 'organiser'").fetchall()[0][0]  # fmt: skip
    for place, document_id in enumerate(documents[:3]):
        mark_gold(store, made.graded, GoldItem(topic_id, document_id, PAGE, "", place))
        why = made.deal(3, 18)[place]
        practice = PracticeItem(topic_id, document_id, PAGE, "", place, why)
        add_practice_item(store, made.graded, practice)
        with suppress(BadInput):
            item = Key(topic_id, document_id, PAGE, "", organiser, 0)
            adjudicate(store, made.graded, item, place, why[:4000])
    for place, name in enumerate(made.deal(VERSIONS, 19)):
        rule = QrelsRule(name.strip(), combine=("mean", "maximum", "median")[place],
                         weights_from=name, topic_set=name)  # fmt: skip
        save_rule(store, made.graded, name, rule.to_json())
    lines = "".join(f"{t} 0 {d} {n % 4}\n" for t in ("<b>t</b>", "t2")
                    for n, d in enumerate(("<i>d</i>", "=d2")))  # fmt: skip
    imported = read_import("qrels", Source("<b>.qrels", lines.encode()))
    for name in made.deal(2, 20):
        write_import(store, made.graded, imported, name=name)


def _add_pairs(store: Store, made: Hostile) -> None:
    """Add preferences from a file, and rounds of documents and of systems side by side."""
    ids, documents = topic_ids(made), document_ids(made)
    engines, people = [text.strip() for text in made.deal(ENGINES, 3)], made.deal(PEOPLE, 21)
    rows = []
    for number, person in enumerate(people):
        for place, topic_id in enumerate(ids):
            shared = {
                "topic": topic_id,
                "assessor": person,
                "choice": ("left", "right", "tie")[(place + number) % 3],
            }
            left, right = documents[place], documents[(place + number + 1) % DOCUMENTS]
            if left != right:
                rows.append({**shared, "left": left, "right": right})
            rows.append({**shared, "left": engines[place % ENGINES], "kind": "systems",
                         "right": engines[(place + 1 + number % 3) % ENGINES]})  # fmt: skip
    _import(store, made.paired, "preferences", rows)
    for flow, kind, items in (
        ("snippets, then pages, side by side", "documents", documents),
        ("systems side by side", "systems", engines),
    ):
        chosen = [
            (ids[0] if kind == "systems" else ids[1], kind, first, second)
            for first, second in pairwise(items)
        ]
        frame = pd.DataFrame(chosen, columns=["topic_id", "kind", "first", "second"])
        open_pair_round(store, made.paired, Plan(made.deal(1, 22)[0], flow=flow), frame)


def _add_class(store: Store, made: Hostile) -> None:
    """Start a class whose students have every payload that fits as a nickname."""
    lesson = start(store, list_class_topics()["topic_id"].iloc[0])
    made.code = lesson_code(store, lesson)
    short = [one.text for one in made.payloads if len(one.text) <= LONGEST_NICKNAME]
    for nickname in short[:: max(1, len(short) // STUDENTS)]:
        with suppress(BadInput):
            made.sessions.setdefault("student", join_lesson(store, made.code, nickname))
