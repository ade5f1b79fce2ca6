"""Pools, slots and topping up: exactly k, nobody overwritten."""

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.assessment.handing_out.queue import take_assignment
from core.assessment.rounds.growth import top_up
from core.assessment.rounds.pools import pool_documents, sample_topics, split_batches
from core.assessment.rounds.rounds import Plan, close_round, open_round, preview_pool
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, NotFound
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.rounds.rounds import get_round, list_rounds, read_pool, read_slots
from core.store.store import Store
from tests.core.assessment.conftest import Small, results
from tests.each import each
from tests.short import long


def slots_of(small: Small):
    return read_slots(small.store.cursor(), small.collection_id)


def test_a_pool_is_the_union_of_the_tops():
    runs = pd.DataFrame(
        [("a", "t", "x", 1), ("a", "t", "y", 2), ("b", "t", "y", 1), ("b", "t", "z", 2)],
        columns=["system", "topic_id", "document_id", "rank"],
    )
    pool = pool_documents(runs, 1)
    assert pool["document_id"].tolist() == ["x", "y"]
    assert pool_documents(runs, 2).set_index("document_id")["systems"].to_dict() == {
        "x": 1, "y": 2, "z": 1,
    }  # fmt: skip


def test_batches_cover_the_pool_once_and_are_no_larger_than_asked():
    pool = pd.DataFrame({"topic_id": ["t"] * 7 + ["u"] * 2, "document_id": list("abcdefghi")})
    split = split_batches(pool, 3, np.random.default_rng(1))
    sizes = split.groupby(["topic_id", "batch"]).size()
    assert sizes.to_dict() == {("t", 0): 3, ("t", 1): 3, ("t", 2): 1, ("u", 0): 2}


def test_a_share_of_topics_is_drawn_by_the_seed():
    topics = [f"t{n}" for n in range(40)]
    first = sample_topics(topics, 0.25, np.random.default_rng(3))
    assert len(first) == 10
    assert first == sample_topics(topics, 0.25, np.random.default_rng(3))
    assert sample_topics(topics[:2], 0.01, np.random.default_rng(3))


def test_documents_without_text_are_counted_and_not_handed_out(small: Small):
    small.add("runs", "t1 Q0 ghost 1 9.0 run\nt1 Q0 t1d6 2 8.0 run\nt9 Q0 t1d1 1 9.0 run\n", "r")
    pooled = preview_pool(small.store, small.collection_id, 3)
    assert pooled.without_text == 1
    assert pooled.unknown_topics == 1
    assert "ghost" not in set(pooled.pairs["document_id"])
    assert "t1d6" in set(pooled.pairs["document_id"])


@long
def test_what_is_missing_is_what_is_advised(tmp_path: Path):
    store = Store(tmp_path / "store.duckdb")
    collection_id = create_collection(store, "New")

    def add(kind: str, text: str) -> str:
        source = Source(f"{kind}.tsv", text.encode())
        write_import(store, collection_id, read_import(kind, source))
        return preview_pool(store, collection_id, 3).advice

    assert preview_pool(store, collection_id, 3).advice.endswith("import runs or results")
    assert add("runs", "t1 Q0 d1 1 9.0 run\n").endswith("import these topics")
    with pytest.raises(BadInput, match=r"nothing can be judged: .* import these topics$"):
        open_round(store, collection_id, Plan())
    assert add("topics", "id\tquery\nt1\tsomething\n").endswith("import the documents")
    assert add("documents", "id\ttext\nd1\tsome text\n") == ""
    store.close()


def test_every_topic_gets_exactly_k_slots(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=3))
    assert set(Counter(slot.topic_id for slot in slots_of(small)).values()) == {3}


def test_named_assessors_share_the_work_evenly_and_never_meet_themselves(small: Small):
    names = ("anna", "bob", "carla", "dan")
    open_round(small.store, small.collection_id, Plan(judges=2, assessors=names, batch_size=2))
    slots = slots_of(small)
    load = Counter(slot.assessor_id for slot in slots)
    assert max(load.values()) - min(load.values()) <= 1
    for topic, batch in {(slot.topic_id, slot.batch) for slot in slots}:
        holders = [s.assessor_id for s in slots if (s.topic_id, s.batch) == (topic, batch)]
        assert len(set(holders)) == 2


@each(
    ("plan", "field"),
    [
        (Plan(judges=0), "judges"),
        (Plan(depth=0), "depth"),
        (Plan(flow="backwards"), "flow"),
        (Plan(share=0), "share"),
        (Plan(repeat_share=2), "repeat_share"),
        (Plan(lease_minutes=0), ""),
        (Plan(judges=2, assessors=("anna", "anna")), "assessors"),
    ],
)
def test_a_plan_that_cannot_work_is_refused_whole(small: Small, plan: Plan, field: str):
    with pytest.raises(BadInput) as caught:
        open_round(small.store, small.collection_id, plan)
    assert caught.value.field == field
    assert list_rounds(small.store, small.collection_id) == []


@long
def test_a_new_run_tops_up_topics_that_nobody_began(small: Small):
    round_id = open_round(small.store, small.collection_id, Plan(judges=2))
    small.add("results", results({"three": [5, 6]}), "more.tsv")
    assert top_up(small.store, round_id) == 6
    assert set(read_pool(small.store, round_id)["batch"]) == {0}
    assert len(slots_of(small)) == 6
    assert top_up(small.store, round_id) == 0


def test_additions_to_a_begun_topic_go_to_the_same_assessors(small: Small):
    round_id = open_round(small.store, small.collection_id, Plan(judges=2))
    taken = take_assignment(small.store, small.collection_id, "anna")
    small.add("results", results({"three": [5]}, ("t1", "t2")), "more.tsv")
    assert top_up(small.store, round_id) == 2
    extra = [slot for slot in slots_of(small) if slot.batch == 1]
    assert {slot.topic_id for slot in extra} == {taken.topic_id}
    assert [(slot.assessor_id, slot.reserved) for slot in extra] == [("anna", True), (None, False)]


def test_a_closed_round_hands_nothing_out(small: Small):
    round_id = open_round(small.store, small.collection_id, Plan())
    close_round(small.store, round_id, closed=True)
    assert get_round(small.store, round_id).closed_at is not None
    assert take_assignment(small.store, small.collection_id, "anna") is None
    close_round(small.store, round_id, closed=False)
    assert take_assignment(small.store, small.collection_id, "anna") is not None
    with pytest.raises(NotFound):
        get_round(small.store, "nowhere")
