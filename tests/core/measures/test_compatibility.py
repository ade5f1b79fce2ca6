"""Compatibility against the authors' algorithm, list by list, and against ir_measures."""

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.measures.worlds import worlds


def overlap_slowly(shown, ideal, p, depth):
    """Return the weighted share of common documents of two lists."""
    return sum(
        p ** (rank - 1) * len({*shown[:rank]} & {*ideal[:rank]}) / rank
        for rank in range(1, depth + 1)
    )


def score_slowly(shown, level, p, depth, norm):
    """Sort the ideal ranking as the authors do: by level, then as the run has it."""
    place = {document: at for at, document in enumerate(shown)}
    relevant = [document for document in level if level[document] > 0]
    ideal = sorted(relevant, key=lambda one: (-level[one], place.get(one, len(shown))))
    best = overlap_slowly(ideal, ideal, p, depth) if norm == "ideal" else (1 - p**depth) / (1 - p)
    return overlap_slowly(shown, ideal, p, depth) / best if relevant else np.nan


@given(worlds(), st.sampled_from([0.3, 0.95]), st.sampled_from([1, 3, 60]))
def test_compatibility_equals_its_definition(world, p, depth):
    runs, qrels = world
    rankings = compile_rankings(runs, put_on_scale(qrels))
    for norm in ("ideal", "none"):
        text = f"Compat(p={p}, norm='{norm}')@{depth}"
        found = parse_measure(text).score(rankings)
        for ranking, (system, topic) in enumerate(
            (system, topic) for system in rankings.systems for topic in rankings.topics
        ):
            own = runs[(runs["system"] == system) & (runs["topic_id"] == topic)]
            judged = qrels[qrels["topic_id"] == topic].set_index("document_id")["level"]
            shown = own.sort_values("rank")["document_id"].tolist()
            expected = score_slowly(shown, judged.to_dict(), p, depth, norm)
            assert found[ranking] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_a_list_goes_on_as_it_is_to_rank_1000():
    qrels = pd.DataFrame({"topic_id": "t", "iteration": "0", "document_id": ["a", "b"], "level": 1})
    runs = pd.DataFrame({"system": "s", "topic_id": "t", "document_id": ["x", "a"], "rank": [1, 2]})
    rankings = compile_rankings(runs, put_on_scale(qrels))
    measure = parse_measure("Compat(p=0.99)")
    expected = score_slowly(["x", "a"], {"a": 1, "b": 1}, 0.99, 1000, "ideal")
    assert measure.score(rankings).tolist() == [pytest.approx(expected, abs=1e-12)]
    cut = parse_measure("Compat(p=0.99)@1000").score(rankings)
    assert cut.tolist() == measure.score(rankings).tolist()


def test_against_ir_measures_which_stops_at_the_end_of_the_longer_list():
    rng = np.random.default_rng(4)
    documents = [f"d{number}" for number in range(40)]
    qrels = pd.DataFrame({"topic_id": "t", "iteration": "0", "document_id": documents})
    qrels["level"] = rng.integers(0, 4, 40)
    for length in (5, 17, 35):
        runs = pd.DataFrame({"document_id": rng.permutation(documents)[:length]})
        runs = runs.assign(system="s", topic_id="t", rank=range(1, length + 1))
        depth = max(length, int((qrels["level"] > 0).sum()))
        named = {"topic_id": "query_id", "document_id": "doc_id", "level": "relevance"}
        theirs = ir_measures.calc_aggregate(
            [ir_measures.parse_measure("Compat(p=0.9)")],
            qrels.rename(columns=named),
            runs.assign(score=100.0 - runs["rank"]).rename(columns=named),
        )
        ours = parse_measure(f"Compat(p=0.9)@{depth}").score(
            compile_rankings(runs, put_on_scale(qrels))
        )
        assert ours.tolist() == [pytest.approx(value, abs=1e-12) for value in theirs.values()]
