"""Orders by preference: as judgements that measures take, and of systems beside scores."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.preference.bradley_terry import bradley_terry
from core.preference.order import (
    SEVERAL_GROUPS,
    compare_with_scores,
    order_documents,
    rank_by_preference,
)
from core.preference.pair_counts import count_pairs
from core.versions.judgements import put_on_scale
from tests.core.preference.simulated import preferences


def judged(topic, *pairs):
    """Return rows in which each pair's first letter beats the second twice of three times."""
    rows = []
    for one, other in pairs:
        first, second = sorted((one, other))
        won, lost = ("first", "second") if one == first else ("second", "first")
        choices = zip((won, won, lost), "xyz", strict=True)
        rows += [(topic, first, second, choice, who) for choice, who in choices]
    return rows


def strengths(*rows, kind="documents", facet="page"):
    return bradley_terry(count_pairs(preferences(*rows, kind=kind, facet=facet)))


CHAIN = strengths(*judged("1", "cb", "ba", "ca"), *judged("2", "ab"))


def test_levels_are_ranks_of_strength():
    order = order_documents(CHAIN)
    assert order.qrels.values.tolist() == [
        ["1", "0", "a", 0],
        ["1", "0", "b", 1],
        ["1", "0", "c", 2],
        ["2", "0", "a", 1],
        ["2", "0", "b", 0],
    ]
    assert order.qrels["level"].dtype == np.int64
    assert order.left_out.empty


def test_equal_strengths_share_a_level():
    order = order_documents(strengths(*judged("1", "ab", "ac"), ("1", "b", "c", "tie")))
    assert order.qrels["level"].tolist() == [1, 0, 0]


def test_levels_may_be_strengths():
    order = order_documents(CHAIN, "strength")
    table = CHAIN.frame
    gap = table["strength"][3] - table["strength"][4]
    assert order.qrels["level"].tolist()[3:] == pytest.approx([gap, 0])
    assert order.qrels["level"].min() == 0


def test_every_measure_takes_the_order():
    run = pd.DataFrame(
        {
            "system": "s",
            "topic_id": "1",
            "document_id": ["c", "b", "a"],
            "score": [3.0, 2, 1],
            "rank": [1, 2, 3],
        }
    )
    measures = [parse_measure(name) for name in ("nDCG@3", "AP", "P@3", "ERR@3")]
    scores = evaluate(measures, compile_rankings(run, put_on_scale(order_documents(CHAIN).qrels)))
    mine = scores[scores["topic_id"] == "1"].set_index("measure")["value"]
    assert mine[["nDCG@3", "AP", "P@3"]].tolist() == pytest.approx([1, 1, 2 / 3])
    real = compile_rankings(run, put_on_scale(order_documents(CHAIN, "strength").qrels))
    scores = evaluate(measures[:1], real)
    assert scores.loc[scores["topic_id"] == "1", "value"].tolist() == pytest.approx([1.0])


def test_topics_in_pieces_are_left_out_by_name():
    given = strengths(*judged("1", "ab", "cd"), *judged("2", "ab"))
    order = order_documents(given)
    assert order.qrels["topic_id"].unique().tolist() == ["2"]
    assert order.left_out.values.tolist() == [["1", SEVERAL_GROUPS]]
    with pytest.raises(TooLittleData, match="no topic has an order"):
        order_documents(strengths(*judged("1", "ab", "cd")))


def test_what_is_no_order_of_documents_is_refused():
    systems = strengths(*judged("1", "ab"), kind="systems", facet="panel")
    with pytest.raises(BadInput, match="over topics"):
        order_documents(systems)
    with pytest.raises(BadInput, match="by rank or strength"):
        order_documents(CHAIN, "grade")
    with pytest.raises(BadInput, match="topic by topic"):
        rank_by_preference(CHAIN)


def test_systems_are_ranked_and_compared_with_scores():
    systems = strengths(
        *judged("1", "ab", "bc", "ac"),
        *judged("2", "ad"),
        ("2", "c", "d", "tie"),
        kind="systems",
        facet="panel",
    )
    ranked = rank_by_preference(systems)
    assert ranked["system"].tolist()[0] == "a"
    assert ranked["rank"].tolist() == [1, 2, 3, 4]
    scores = pd.Series({name: -float(at) for at, name in enumerate(ranked["system"])})
    assert compare_with_scores(ranked, scores) == (1.0, 4, "")
    assert compare_with_scores(ranked, -scores)[0] == -1
    assert compare_with_scores(ranked, scores[:2])[1] == 2
    tau, n, reason = compare_with_scores(ranked, scores[:1])
    assert (np.isnan(tau), n, reason) == (True, 1, "fewer than two systems have both")
    assert compare_with_scores(ranked, scores * 0)[2] == "all systems are tied"


def test_systems_of_equal_strength_share_a_rank():
    systems = strengths(
        *judged("1", "ca", "cb"), ("1", "a", "b", "tie"), kind="systems", facet="panel"
    )
    assert rank_by_preference(systems)[["system", "rank"]].values.tolist() == [
        ["c", 1],
        ["a", 2],
        ["b", 2],
    ]


def test_systems_that_never_met_have_no_common_ranking():
    systems = strengths(*judged("1", "ab", "cd"), kind="systems", facet="panel")
    ranked = rank_by_preference(systems)
    assert ranked[["group", "rank"]].values.tolist() == [[1, 1], [1, 2], [2, 1], [2, 2]]
    tau, _, reason = compare_with_scores(ranked, pd.Series({"a": 1.0, "c": 2.0}))
    assert np.isnan(tau)
    assert reason == "some systems were not compared, directly or through others"
