import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.cumulated_gain import DISCOUNTS
from core.measures.evaluate import evaluate
from core.measures.gain import GainTable, gain_levels
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.each import each


def test_gains_of_levels():
    levels = np.array([0, 1, 2, 3])
    assert gain_levels(levels, "linear").tolist() == [0, 1, 2, 3]
    assert gain_levels(levels, "exp").tolist() == [0, 1, 3, 7]
    assert gain_levels(levels, "udm", {1: 0.28, 2: 0.41, 3: 1}).tolist() == [0, 0.28, 0.41, 1]
    assert gain_levels(levels[:2], GainTable.of({1: 0.5})).tolist() == [0, 0.5]


def test_discounts_of_ranks():
    rank = np.array([1, 2, 4])
    assert DISCOUNTS["log"](rank).tolist() == pytest.approx([1, 1 / np.log2(3), 1 / np.log2(5)])
    assert DISCOUNTS["jarvelin"](rank).tolist() == [1, 1, 0.5]
    assert DISCOUNTS["zipf"](rank).tolist() == [1, 0.5, 0.25]


def test_udm_without_weights_says_what_to_do(textbook):
    with pytest.raises(BadInput, match="estimate or give weights first"):
        evaluate([parse_measure("nDCG(gain='udm')")], textbook("graded"))


@each(
    ("text", "weights", "message"),
    [
        ("nDCG(gain='udm')", {1: 0.5}, "the weights list no level 2, 3"),
        ("DCG(gain={1: 1})", {}, "table"),
    ],
)
def test_a_level_without_a_gain_is_named(textbook, text, weights, message):
    with pytest.raises(BadInput, match=message):
        evaluate([parse_measure(text)], textbook("graded"), weights)


def small(levels, ranking):
    qrels = pd.DataFrame({"document_id": list(levels), "level": list(levels.values())})
    runs = pd.DataFrame({"document_id": ranking, "rank": range(1, len(ranking) + 1)})
    return compile_rankings(
        runs.assign(system="s", topic_id="t"),
        put_on_scale(qrels.assign(topic_id="t", iteration="0")),
    )


def test_the_ideal_follows_the_gain_where_weights_do_not_rise_with_the_level():
    ndcg = parse_measure("nDCG(gain='udm', discount='zipf')@2")
    scores = evaluate([ndcg], small({"a": 1, "b": 2}, ["a", "b"]), {1: 0.6, 2: 0.4})
    assert scores["value"].tolist() == [1.0]


def test_an_unjudged_document_gains_nothing_even_where_level_0_gains():
    ncg = parse_measure("nCG(gain={0: 0.5, 1: 1})")
    rankings = small({"a": 1, "b": 0}, ["b", "new", "newer"])
    assert evaluate([ncg], rankings)["value"].tolist() == [pytest.approx(0.5 / 1.5)]


def test_real_valued_levels_are_gains_of_their_own():
    ndcg = parse_measure("nDCG(discount='zipf')")
    rankings = small({"a": 0.5, "b": 1.5}, ["a", "b"])
    expected = (0.5 + 1.5 / 2) / (1.5 + 0.5 / 2)
    assert evaluate([ndcg], rankings)["value"].tolist() == [pytest.approx(expected)]
    with pytest.raises(BadInput, match=r"no level 0\.5"):
        evaluate([parse_measure("nDCG(gain='udm')")], rankings, {1: 0.3, 2: 1})


def test_a_topic_where_no_level_gains_is_left_out():
    ndcg = parse_measure("nDCG(gain={1: 0})")
    assert evaluate([ndcg], small({"a": 1}, ["a"])).empty
