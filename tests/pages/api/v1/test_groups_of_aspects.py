"""Groups are compared by what was said of an aspect, as neighbours of the route tell it."""

import pandas as pd
import pytest

from core.analysis.base.study import Study
from core.analysis.people.groups import ask_groups
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.imports import write_import
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.tokens import make_token
from core.store.store import Store
from pages.api.v1.records import to_records
from tests.core.judged_aspects import ASSESSORS, PAGES, TOPICS, build
from tests.pages.api.v1.described_client import DescribedClient, open_client


@pytest.fixture
def judged(store: Store) -> Study:
    here = build(store)
    for place, who in enumerate(ASSESSORS):
        add_member(store, here, who, who.title(), group="experts" if place else "students")
    lines = [
        f"t{topic} Q0 d{page} {rank} {PAGES - rank} {system}\n"
        for system, pages in (("up", range(PAGES)), ("down", range(PAGES)[::-1]))
        for topic in range(TOPICS)
        for rank, page in enumerate(pages)
    ]
    write_import(store, here, read_import("runs", Source("runs", "".join(lines).encode())))
    return Study(store, here, is_masked=True)


def test_groups_are_compared_by_an_aspect(store: Store, judged: Study):
    person = add_person(store, "Olga", "organiser")
    client = DescribedClient(open_client(), make_token(store, person, "groups", ["read"]))
    told = {}
    for aspect in ("", "trust"):
        found = ask_groups(judged.of_aspect(aspect), "page")
        given = {"collection": judged.collection_id, "table": "weights"}
        answer = client.ask("readGroups", **given, **({"aspect": aspect} if aspect else {}))
        assert answer["answer"]
        assert pd.DataFrame(answer["rows"])["p"].equals(
            pd.DataFrame(to_records(found.table("weights")))["p"]
        )
        told[aspect] = answer["rows"]
    assert told[""] != told["trust"]


def test_an_aspect_has_no_versions_of_what_it_is_not_asked_of(store: Store, judged: Study):
    person = add_person(store, "Olga", "organiser")
    client = DescribedClient(open_client(), make_token(store, person, "groups", ["read"]))
    for route in ("readQrels", "readScores", "readGroups", "readComparison"):
        given = {"collection": judged.collection_id, "aspect": "trust", "facet": "snippet"}
        assert client.send(route, **given).status_code == 422
