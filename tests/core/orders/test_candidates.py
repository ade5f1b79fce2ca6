"""Pools in numbers."""

import numpy as np
import pandas as pd

from core.orders.candidates import build_candidates

RUNS = pd.DataFrame(
    [
        ("b", "t2", "x", 1),
        ("a", "t1", "y", 1),
        ("a", "t1", "x", 2),
        ("b", "t1", "x", 1),
        ("b", "t1", "z", 3),
    ],
    columns=["system", "topic_id", "document_id", "rank"],
)


def test_items_lie_by_topic_and_document():
    pool = build_candidates(RUNS, 3)
    assert pool.topics == ("t1", "t2")
    assert pool.systems == ("a", "b")
    assert pool.document.tolist() == ["x", "y", "z", "x"]
    assert pool.topic.tolist() == [0, 0, 0, 1]
    assert pool.rank.tolist() == [[2, 1], [1, 0], [0, 3], [0, 1]]
    assert pool.best_rank.tolist() == [1, 1, 3, 1]
    assert pool.first.tolist() == [0, 3, 4]
    assert (pool.of(1), len(pool)) == (slice(3, 4), 4)


def test_a_pool_is_as_deep_as_wanted_and_of_what_can_be_judged():
    assert build_candidates(RUNS, 1).document.tolist() == ["x", "y", "x"]
    items = pd.DataFrame({"topic_id": ["t1", "t1"], "document_id": ["z", "other"]})
    pool = build_candidates(RUNS, 3, items)
    assert (pool.topics, pool.systems, pool.document.tolist()) == (("t1",), ("b",), ["z"])


def test_an_item_is_found_by_its_ids():
    items = pd.DataFrame({"topic_id": ["t2", "t1", "t2"], "document_id": ["x", "z", "z"]})
    np.testing.assert_array_equal(build_candidates(RUNS, 3).find(items), [3, 2, -1])
