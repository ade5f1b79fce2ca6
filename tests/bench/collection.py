"""A collection of any size for the benchmarks, made on the spot."""

from dataclasses import dataclass

import pandas as pd

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.records import Import
from core.place import Place
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session, hash_token, invite
from core.store.store import Store


@dataclass(frozen=True)
class Prepared:
    """What a benchmark needs to know of a store that it does not hold open."""

    collection_id: str
    secret: str
    grants: list[Grant]
    sessions: list[str]
    steps: list[list[Step]]
    assessor_link: str
    organiser_link: str


def prepare(path: Place, *, documents: int, assessors: int) -> Prepared:
    """Make a store with one topic that every assessor judges whole, page by page."""
    store = Store(path)
    collection_id = create_collection(store, "Benchmark")
    names = [f"d{n:05}" for n in range(documents)]
    texts = [f"Passage {n} on cats and what they do all day. " * 8 for n in range(documents)]
    frames = {
        "topics": pd.DataFrame(
            {"topic_id": ["t"], "query": ["cats"], "description": [""], "narrative": [""],
             "type": [""]}
        ),
        "documents": pd.DataFrame(
            {"document_id": names, "title": names, "url": "", "text": texts, "html": None}
        ),
        "runs": pd.DataFrame(
            {"system": "one", "topic_id": "t", "document_id": names,
             "score": range(documents, 0, -1), "rank": range(1, documents + 1)}
        ),
    }  # fmt: skip
    write_import(store, collection_id, Import("runs", "benchmark", frames, {}, (), "0" * 64))
    people = [add_person(store, f"Assessor {n}", "assessor") for n in range(assessors)]
    for person in people:
        add_member(store, collection_id, person, person)
    plan = Plan(judges=assessors, depth=documents, flow="page only", assessors=tuple(people))
    open_round(store, collection_id, plan)
    grants, steps = [], []
    for person in people:
        assignment = take_assignment(store, collection_id, person)
        if assignment is None:
            raise RuntimeError("the benchmark's round hands nothing out")
        grants.append(Grant(collection_id, person, assignment.rules.round_id, "t", 0))
        steps.append(list(lay_out(store, assignment).steps))
    organiser = add_person(store, "Organiser", "organiser")
    begin_session(store, organiser)
    made = Prepared(
        collection_id,
        store.secret,
        grants,
        [hash_token(begin_session(store, person)) for person in people],
        steps,
        invite(store, people[0]),
        invite(store, organiser),
    )
    store.close()
    return made
