from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest

from core.agreement.ratings import ratings_from_labels
from core.comparison.robustness import (
    RobustnessMeasure,
    evaluate_mutually,
    summarise_robustness,
    table_2,
)
from core.disagreement.user_disagreement import estimate_top_probability, relevance_weights
from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.agreement.leaving_out import limits_of_mean
from tests.each import each

MEASURES = [
    RobustnessMeasure(parse_measure(text))
    for text in ("AP(rel=2)", "GAP", "nDCG", "GAP(gain='exp')")
]
MEASURES += [
    RobustnessMeasure(parse_measure(text), users)
    for text in ("GAP(gain='udm')", "nDCG(gain='udm', discount='zipf')")
    for users in (2, 4)
]


def make_labels(rows):
    frame = pd.DataFrame(rows, columns=["topic_id", "document_id", "assessor_id", "level"])
    frame = frame.astype({"level": "float64"})
    return frame.assign(facet="page", engine="", occasion=0, state="level")


def rate(rows, levels=(0, 1, 2, 3)):
    return ratings_from_labels(make_labels(rows), "page", levels)


def judge(levels):
    """Return rows of two assessors from {topic: (levels by a, levels by b)}."""
    return [
        (topic, f"d{at}", name, level)
        for topic, both in levels.items()
        for name, given in zip("ab", both, strict=True)
        for at, level in enumerate(given)
    ]


def score_every_order(reference, ranked, measure, weights):
    """Return the mean score over all orders of ties, from the registered measure itself."""
    groups = [np.flatnonzero(np.equal(ranked, level)) for level in sorted(set(ranked))[::-1]]
    orders = [sum(order, ()) for order in product(*map(permutations, groups))]
    runs = pd.DataFrame(
        {
            "system": np.repeat([f"s{number}" for number in range(len(orders))], len(ranked)),
            "topic_id": "t",
            "document_id": [f"d{at}" for order in orders for at in order],
            "rank": np.tile(np.arange(1, len(ranked) + 1), len(orders)),
        }
    )
    qrels = pd.DataFrame({"document_id": [f"d{at}" for at in range(len(ranked))]})
    qrels = qrels.assign(topic_id="t", iteration="0", level=reference)
    return measure.score(compile_rankings(runs, put_on_scale(qrels)), weights).mean()


TOPICS = {
    "t": ((2, 1, 0, 0, 3, 2, 1, 0), (2, 2, 1, 0, 3, 1, 0, 0)),
    "u": ((3, 3, 1, 0, 1, 2, 0, 2), (1, 3, 2, 1, 0, 2, 0, 0)),
    "v": ((0, 1, 2, 3, 0, 0, 2, 3), (1, 2, 2, 2, 0, 1, 3, 0)),
}


@each("measure", MEASURES, ids=lambda one: f"{one.measure} {one.users}")
def test_expectation_equals_the_mean_over_all_orders_of_ties(measure):
    found = evaluate_mutually(rate(judge(TOPICS)), 2, [measure], fewest_items=8)
    assert found["topic_id"].tolist() == ["t", "u", "v"]
    for row in found.itertuples():
        first, second = TOPICS[row.topic_id]
        others = {topic: both for topic, both in TOPICS.items() if topic != row.topic_id}
        weights = None
        if measure.users:
            chances = estimate_top_probability(rate(judge(others)), 2)
            p = chances.set_index("level")["p"]
            weights = relevance_weights(p, 2, users=measure.users, at_least=1)
        both = [
            score_every_order(*pair, measure.measure, weights)
            for pair in ((first, second), (second, first))
        ]
        assert row.value == pytest.approx(np.mean(both), abs=1e-12)
        assert (row.measure, row.pairs, row.reason) == (str(measure.measure), 1, "")


def test_without_ties_there_is_nothing_to_expect():
    rows = judge({"t": ([3, 2, 1, 0], [2, 3, 0, 1])})
    measures = [
        RobustnessMeasure(parse_measure("AP(rel=2)")),
        RobustnessMeasure(parse_measure("nDCG")),
    ]
    table = evaluate_mutually(rate(rows), 2, measures, fewest_items=4)
    discount = 1 / np.log2(np.arange(2, 6))
    ndcg = ([2, 3, 0, 1] @ discount) / ([3, 2, 1, 0] @ discount)
    assert table["value"].tolist() == pytest.approx([1, ndcg])


def test_ties_by_hand():
    # All tied, one of three relevant: AP is 1, 1/2 or 1/3; the other way the ranking is perfect
    # but nothing is relevant.
    rows = judge({"t": ([2, 0, 0], [1, 1, 1])})
    table = evaluate_mutually(
        rate(rows), 2, [RobustnessMeasure(parse_measure("AP(rel=2)"))], fewest_items=3
    )
    assert table["value"].tolist() == [pytest.approx((1 + 1 / 2 + 1 / 3) / 3)]


def test_equal_labels_score_1_throughout():
    both = ([3, 2, 2, 1, 0, 3], [3, 2, 2, 1, 0, 3])
    table = evaluate_mutually(rate(judge({"t": both, "u": both})), 3, fewest_items=6)
    assert table["value"].tolist() == pytest.approx([1] * len(table))
    assert len(table) == 2 * len(table_2(3))


def test_the_pairs_of_a_topic_are_averaged_and_small_ones_left_out():
    rows = judge({"t": ([3, 0], [3, 0])})
    rows += [("t", f"d{at}", "c", level) for at, level in enumerate((0, 3))]
    rows += [("u", "d", name, 3) for name in "ab"]
    table = evaluate_mutually(
        rate(rows), 3, [RobustnessMeasure(parse_measure("AP(rel=3)"))], fewest_items=2
    )
    assert table[["topic_id", "pairs"]].to_numpy().tolist() == [["t", 3]]
    assert table["value"].tolist() == pytest.approx([(1 + 1 / 2 + 1 / 2) / 3])


def test_what_is_undefined_has_a_reason():
    rows = judge({"t": ([0, 0, 1], [0, 0, 1]), "u": ([2, 2, 2], [1, 0, 2])})
    measures = [
        RobustnessMeasure(parse_measure("AP(rel=2)")),
        RobustnessMeasure(parse_measure("GAP(gain='udm')"), 2),
    ]
    table = evaluate_mutually(rate(rows), 2, measures, fewest_items=3)
    by_row = table.set_index(["measure", "topic_id"])
    assert by_row["value"].isna().tolist() == [True, False, False, True]
    assert by_row.loc[("AP(rel=2)", "t"), "reason"].startswith("neither assessor gives")
    # Without u, nobody is seen to give a 2, so what a 2 is worth is unknown in u.
    assert "no other topic has the level" in by_row.loc[("GAP(gain='udm')", "u"), "reason"]
    summary = summarise_robustness(table)
    assert summary["topics"].tolist() == [1, 1]
    assert summary["users"].isna().tolist() == [True, False]
    assert summary["sd"].isna().all()
    assert summary["low"].isna().all()
    assert summary["reason"].str.startswith("fewer than two topics have a score").all()


def test_dl19_shows_what_the_paper_shows(shared_data):
    labels = pd.read_csv(shared_data / "dl19" / "labels.tsv", sep="\t", dtype="str")
    labels = make_labels(labels[["topic", "document", "assessor", "level"]].to_numpy().tolist())
    scores = evaluate_mutually(ratings_from_labels(labels, "page"), 3)
    assert scores["value"].dropna().between(0, 1).all()
    assert scores["reason"].eq("").eq(scores["value"].notna()).all()
    table = summarise_robustness(scores)
    mean = table.fillna({"users": 1}).set_index(["measure", "users"])["mean"]
    # Table 2: GAP and nDCG rise with N, and AP is the least robust; nDCG with log discount leads.
    for text in ("GAP(gain='udm')", "nDCG(gain='udm')", "nDCG(gain='udm', discount='zipf')"):
        assert mean[text].is_monotonic_increasing
        assert mean[text].index.tolist() == [2, 3, 4]
    assert mean.idxmin() == ("AP(rel=3)", 1)
    assert mean["nDCG(gain='udm')", 3] > mean["GAP(gain='udm')", 3]
    assert table["topics"].tolist() == [20] + [22] * 11
    assert (table["units"] == table["topics"]).all()
    own = scores.loc[scores["measure"].astype("str") == "GAP(gain='udm')"]
    value = own.loc[own["users"] == 2, "value"].to_numpy()
    wanted = limits_of_mean(value)
    row = table.set_index(["measure", "users"]).loc[("GAP(gain='udm')", 2)]
    assert row[["low", "high"]].tolist() == pytest.approx(wanted)


def test_what_does_not_fit_is_refused():
    rows = judge({"t": ([1] * 10, [2] * 10)})
    for text in ("P@5", "AP@5", "nDCG@10"):
        with pytest.raises(BadInput, match="not AP, GAP or nDCG over all ranks"):
            RobustnessMeasure(parse_measure(text))
    for text, users in (("GAP(gain='udm')", None), ("GAP", 3), ("AP", 2)):
        with pytest.raises(BadInput, match="field 'users'"):
            RobustnessMeasure(parse_measure(text), users)
    with pytest.raises(BadInput, match="field 'users'"):
        evaluate_mutually(rate(rows), 2, [RobustnessMeasure(parse_measure("GAP(gain='udm')"), 0)])
    with pytest.raises(BadInput, match="field 'top'"):
        evaluate_mutually(rate(rows), 4)
    with pytest.raises(BadInput, match="field 'weighting'"):
        evaluate_mutually(rate(rows), 2, weighting="often")
    with pytest.raises(BadInput, match="levels below 0"):
        evaluate_mutually(rate(rows, (-1, 1, 2)), 2)
    with pytest.raises(TooLittleData, match="judged the same 11 items"):
        evaluate_mutually(rate(rows), 2, fewest_items=11)
    with pytest.raises(TooLittleData, match="only a has given"):
        evaluate_mutually(rate([("t", "d", "a", 2)]), 2)
