"""Two runs become pairs of rankings, topic by topic."""

import pandas as pd

from core.interleaving.pairs import pair_documents, pair_rankings


def _run(rows: list[tuple[str, str, int]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["topic_id", "document_id", "rank"])


def test_topics_that_both_answer_are_paired_by_rank():
    first = _run([("2", "b", 2), ("2", "a", 1), ("1", "a", 1)])
    second = _run([("2", "c", 1), ("2", "a", 2), ("3", "a", 1)])
    (pair,) = pair_rankings(first, second)
    assert (pair.topic, pair.documents) == ("2", ("a", "b", "c"))
    assert (pair.first.tolist(), pair.second.tolist()) == ([0, 1], [2, 0])
    assert pair.rank.tolist() == [[1, 2, 0], [2, 0, 1]]


def test_documents_are_found_by_their_ids():
    pair = pair_documents("t", ["a", "b"], ["c"])
    assert pair.find(["c", "x", "a"]).tolist() == [2, -1, 0]
