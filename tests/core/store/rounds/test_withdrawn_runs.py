"""Withdrawn runs leave later pools and the rankings; what was opened with them stays as it was."""

import pandas as pd
import pytest

from core.analysis.agreement.preferences import preferences_on
from core.analysis.base.study import Study, runs_of
from core.assessment.handing_out.matrix import read_places
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, open_round, preview_pool
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import SYSTEMS
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.frames import read_runs
from core.store.people.members import add_member
from core.store.rounds.rounds import get_round
from core.store.rounds.withdrawn_runs import (
    LONGEST_REASON,
    list_withdrawn,
    reinstate_run,
    withdraw_run,
)
from core.store.store import Store
from tests.short import long

FILES = {
    "topics": "t1\tfirst\n",
    "documents": "id\ttitle\ttext\nd1\tOne\tText\nd2\tTwo\tText\nd3\tThree\tText\n",
    "results": "topic\tengine\tdocument\trank\tsnippet\n"
    "t1\te1\td1\t1\ta\nt1\te1\td2\t2\tb\nt1\te2\td1\t1\tc\nt1\te2\td3\t2\td\nt1\te3\td1\t1\te\n",
}


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


@pytest.fixture
def opened(store: Store) -> tuple[Store, str]:
    collection_id = create_collection(store, "Small")
    for kind, text in FILES.items():
        imported = read_import(kind, Source(f"{kind}.tsv", text.encode()))
        write_import(store, collection_id, imported)
    add_member(store, collection_id, "anna", "Anna")
    return store, collection_id


def items(store: Store, collection_id: str) -> set[str]:
    return set(preview_pool(store, collection_id, 10).pairs["document_id"])


def test_it_leaves_later_pools_and_comes_back(opened):
    store, collection_id = opened
    assert items(store, collection_id) == {"d1", "d2", "d3"}
    withdraw_run(store, collection_id, "e2", replaced_by="e1", reason="Broken.", by="olga")
    assert items(store, collection_id) == {"d1", "d2"}
    assert set(preview_pool(store, collection_id, 10, "snippet only").pairs["document_id"]) == {
        *("d1", "d2"),
    }
    assert set(read_runs(store, collection_id)["system"]) == {"e1", "e3"}
    row = list_withdrawn(store, collection_id).iloc[0]
    assert row[["system", "replaced_by", "reason", "withdrawn_by"]].tolist() == [
        *("e2", "e1", "Broken.", "olga"),
    ]
    reinstate_run(store, collection_id, "e2", by="olga")
    assert items(store, collection_id) == {"d1", "d2", "d3"}
    assert list_withdrawn(store, collection_id).empty
    audit = read_audit(store, AuditFilter(person_id="olga"), 9)
    assert audit["what"].tolist() == ["reinstate", "withdraw"]
    assert set(audit["subject"]) == {"run e2"}
    assert audit["change"].iloc[1] == (
        'withdrawn: no → yes; replaced by: none → "e1"; reason: none → "Broken."'
    )
    assert set(audit["kind"]) == {"imports"}


@long
def test_analyses_that_were_kept_are_computed_again(opened):
    store, collection_id = opened
    assert "e2" in set(runs_of(Study(store, collection_id, False))["system"])
    withdraw_run(store, collection_id, "e2")
    assert "e2" not in set(runs_of(Study(store, collection_id, False))["system"])


def steps(store: Store, round_id: str) -> set[tuple[str, str]]:
    rules = get_round(store, round_id)
    given = take_assignment(store, rules.collection_id, "anna")
    assert given.rules.round_id == round_id
    return {(one.document_id, one.engine) for one in lay_out(store, given).steps}


@long
def test_rounds_keep_what_was_there_when_they_were_opened(opened):
    store, collection_id = opened
    plan = Plan(judges=1, flow="snippet only", assessors=("anna",))
    first = open_round(store, collection_id, plan)
    before = steps(store, first)
    withdraw_run(store, collection_id, "e2")
    assert steps(store, first) == before
    assert read_places(store, get_round(store, first))["steps"].tolist() == [5]
    store.database.run("UPDATE rounds SET closed_at = now()")
    second = open_round(store, collection_id, plan)
    assert steps(store, second) == {("d1", "e1"), ("d2", "e1"), ("d1", "e3")}
    reinstate_run(store, collection_id, "e2")
    assert steps(store, second) == {("d1", "e1"), ("d2", "e1"), ("d1", "e3")}
    assert read_places(store, get_round(store, second))["steps"].tolist() == [3]


def test_what_cannot_be_withdrawn_is_refused(opened):
    store, collection_id = opened
    with pytest.raises(BadInput, match="no run of e9"):
        withdraw_run(store, collection_id, "e9")
    for other in ("e9", "e1"):
        with pytest.raises(BadInput, match="import it first"):
            withdraw_run(store, collection_id, "e1", replaced_by=other)
    with pytest.raises(BadInput, match="at most"):
        withdraw_run(store, collection_id, "e1", reason="x" * (LONGEST_REASON + 1))
    with pytest.raises(BadInput, match="not withdrawn"):
        reinstate_run(store, collection_id, "e1")
    withdraw_run(store, collection_id, "e1")
    with pytest.raises(BadInput, match="no run of e1 that counts"):
        withdraw_run(store, collection_id, "e1")
    assert len(list_withdrawn(store, collection_id)) == 1


@long
def test_preferences_between_systems_rank_the_others(opened):
    store, collection_id = opened
    text = "topic\tkind\tleft\tright\tchoice\tassessor\n" + "".join(
        f"t1\tsystems\t{left}\t{right}\tleft\ta\n" for left, right in (("e1", "e2"), ("e1", "e3"))
    )
    imported = read_import("preferences", Source("preferences.tsv", text.encode()))
    write_import(store, collection_id, imported)
    facet = str(
        store.cursor().execute("SELECT any_value(facet) FROM labels").fetchone()[0]
    ).removesuffix(" pair")
    ranked = preferences_on(Study(store, collection_id, False), SYSTEMS, facet).strengths
    assert set(ranked["item"]) == {"e1", "e2", "e3"}
    withdraw_run(store, collection_id, "e2")
    left = preferences_on(Study(store, collection_id, False), SYSTEMS, facet)
    assert set(left.strengths["item"]) == {"e1", "e3"}
    assert left.outcomes[["first", "second"]].to_numpy().tolist() == [["e1", "e3"]]


@long
def test_pairs_of_a_round_stay(opened):
    store, collection_id = opened
    pairs = pd.DataFrame({"topic_id": "t1", "kind": SYSTEMS, "first": ["e1"], "second": "e2"})
    plan = Plan(judges=1, flow="systems side by side", assessors=("anna",))
    open_pair_round(store, collection_id, plan, pairs)
    withdraw_run(store, collection_id, "e2")
    content = lay_out(store, take_assignment(store, collection_id, "anna"))
    ((_, sides),) = content.pairs.items()
    assert sorted(len(cards) for cards in sides.values()) == [2, 2]
