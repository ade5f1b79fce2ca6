import pandas as pd
import pytest

from core.errors import TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.cumulated_gain import NCG, NDCG
from core.measures.curves import (
    area_under,
    gain_curve,
    interpolate_points,
    precision_recall_by_rank,
    precision_recall_curve,
    precision_recall_points,
)
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels
from tests.short import long

# Baeza-Yates & Ribeiro-Neto, ch. 4, pp. 51-59; nDCG's last value is .37 where they print .38,
# for they average and divide numbers already rounded.
DCG_Q1 = [1, 1, 1.6, 1.6, 1.6, 2.8, 2.8, 2.8, 2.8, 3.4, 3.4, 3.4, 3.4, 3.4, 4.2]
DCG_Q2 = [0, 0, 1.3, 1.3, 1.3, 1.3, 1.3, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 2.4]
IDEAL_Q1 = [3, 6, 7.9, 8.9, 9.8, 10.5, 10.9, 11.2, 11.5, 11.8, 11.8, 11.8, 11.8, 11.8, 11.8]
IDEAL_Q2 = [3, 5] + [5.6] * 13
MEAN_DCG = [0.5, 0.5, 1.5, 1.5, 1.5, 2.1, 2.1, 2.2, 2.2, 2.5, 2.5, 2.5, 2.5, 2.5, 3.3]
MEAN_IDEAL = [3, 5.5, 6.8, 7.3, 7.7, 8.1, 8.3, 8.4, 8.6, 8.7, 8.7, 8.7, 8.7, 8.7, 8.7]
RATIO_NDCG = [0.17, 0.09, 0.21, 0.20, 0.19, 0.25, 0.25, 0.26, 0.26] + [0.29] * 5 + [0.37]
RATIO_NCG = [0.17, 0.09, 0.27, 0.24, 0.21, 0.33, 0.32, 0.35, 0.33] + [0.40] * 5 + [0.64]


def rounded(values, digits):
    return [round(value + 1e-9, digits) for value in values]


def test_the_textbook_dcg_of_each_query(textbook):
    measure = NDCG(discount="jarvelin")
    curve = gain_curve(textbook("graded"), 15, measure, per_topic=True)
    assert list(curve) == ["system", "topic_id", "rank", "dcg", "ideal", "value"]
    q1, q2 = (curve[curve["topic_id"] == topic] for topic in ("q1", "q2"))
    assert q1["rank"].tolist() == list(range(1, 16))
    assert rounded(q1["dcg"], 1) == DCG_Q1
    assert rounded(q2["dcg"], 1) == DCG_Q2
    assert rounded(q1["ideal"], 1) == IDEAL_Q1
    assert rounded(q2["ideal"], 1) == IDEAL_Q2


def test_the_textbook_ndcg_is_a_ratio_of_averages(textbook):
    measure = NDCG(discount="jarvelin")
    curve = gain_curve(textbook("graded"), 15, measure, average="ratio")
    assert list(curve) == ["system", "rank", "dcg", "ideal", "value", "topics"]
    assert curve["dcg"].tolist() == pytest.approx(MEAN_DCG, abs=0.1)
    assert curve["ideal"].tolist() == pytest.approx(MEAN_IDEAL, abs=0.1)
    assert rounded(curve["value"], 2) == RATIO_NDCG


def test_the_textbook_ncg_is_a_ratio_of_averages(textbook):
    curve = gain_curve(textbook("graded"), 15, NCG(), average="ratio")
    assert rounded(curve["value"], 2) == RATIO_NCG


def test_the_default_curve_is_mean_ndcg_at_every_rank(dl19_runs, dl19_labels):
    qrels = qrels_from_labels(dl19_labels, QrelsRule("all")).frame
    rankings = compile_rankings(dl19_runs, put_on_scale(qrels))
    curve = gain_curve(rankings, 20)
    means = mean_scores(evaluate([parse_measure("nDCG@10")], rankings))
    at_10 = curve[curve["rank"] == 10]
    assert at_10["system"].tolist() == means["system"].tolist()
    assert at_10["value"].tolist() == pytest.approx(means["value"].tolist(), abs=1e-12)


def test_a_gain_curve_takes_weights(textbook):
    measure = parse_measure("nDCG(gain='udm')")
    curve = gain_curve(textbook("graded"), 3, measure, {1: 0, 2: 0, 3: 1}, per_topic=True)
    assert curve["dcg"].tolist() == [0] * 6
    assert curve["ideal"].tolist()[3:] == [1, 1, 1]


def test_the_textbook_precision_recall_curve(textbook):
    curve = precision_recall_curve(textbook("binary"))
    assert list(curve) == ["system", "recall", "value", "topics"]
    assert curve["recall"].tolist() == [j / 10 for j in range(11)]
    expected = [2 / 3, 2 / 3, 1 / 2, 5 / 12, 0.325, 7 / 24, 0.125, 0.1, 0.1, 0.1, 0.1]
    assert curve["value"].tolist() == pytest.approx(expected, abs=1e-15)
    assert len(precision_recall_curve(textbook("binary"), per_topic=True)) == 22


def test_the_textbook_points(textbook):
    points = precision_recall_points(textbook("binary"))
    assert list(points) == ["system", "topic_id", "rank", "recall", "value"]
    q1, q2 = (points[points["topic_id"] == topic] for topic in ("q1", "q2"))
    assert q1["rank"].tolist() == [1, 3, 6, 10, 15]
    assert q1["recall"].tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    assert q1["value"].tolist() == pytest.approx([1, 2 / 3, 1 / 2, 0.4, 1 / 3])
    assert q2["recall"].tolist() == pytest.approx([1 / 3, 2 / 3, 1])
    assert q2["value"].tolist() == pytest.approx([1 / 3, 0.25, 0.2])


def test_topics_with_nothing_to_find_are_left_out(textbook):
    graded = textbook("graded")
    curve = precision_recall_curve(graded, rel=3, per_topic=True)
    assert curve["topic_id"].unique().tolist() == ["q1", "q2"]
    with pytest.raises(TooLittleData, match="no curve"):
        precision_recall_curve(graded, rel=4)
    with pytest.raises(TooLittleData, match="no curve"):
        gain_curve(graded, 5, parse_measure("nDCG(gain={1: 0, 2: 0, 3: 0})"))
    assert precision_recall_points(graded, rel=4).empty


def test_interpolated_points_are_the_best_precision_still_to_come(textbook):
    points = interpolate_points(precision_recall_points(textbook("binary")))
    q1, q2 = (points[points["topic_id"] == topic] for topic in ("q1", "q2"))
    assert q1["interpolated"].tolist() == pytest.approx([1, 2 / 3, 1 / 2, 0.4, 1 / 3])
    assert q2["interpolated"].tolist() == pytest.approx([1 / 3, 0.25, 0.2])
    rising = pd.DataFrame(
        {"system": "s", "topic_id": ["a"] * 3 + ["b"], "value": [0.2, 0.5, 0.4, 0.1]}
    )
    assert interpolate_points(rising)["interpolated"].tolist() == [0.5, 0.5, 0.4, 0.1]


@long
def test_the_staircase_meets_the_eleven_points(dl19_runs, dl19_labels):
    """Above recall 0 the eleven points are read off the staircase at j/10."""
    qrels = qrels_from_labels(dl19_labels, QrelsRule("all")).frame
    rankings = compile_rankings(dl19_runs, put_on_scale(qrels))
    steps = interpolate_points(precision_recall_points(rankings, rel=2))
    eleven = precision_recall_curve(rankings, rel=2, per_topic=True)
    eleven = eleven.set_index(["system", "topic_id"])
    known = 0
    for (system, topic), part in steps.groupby(["system", "topic_id"]):
        recall, height = part["recall"].to_numpy(), part["interpolated"].tolist()
        read = [[*height, 0.0][int((recall < j / 10 - 1e-12).sum())] for j in range(11)]
        assert eleven.loc[(system, topic), "value"].tolist() == pytest.approx(read, abs=1e-12)
        known += 1
    assert known > 700


def test_exact_precision_and_recall_by_rank_are_the_measures(dl19_runs, dl19_labels):
    qrels = qrels_from_labels(dl19_labels, QrelsRule("all")).frame
    rankings = compile_rankings(dl19_runs, put_on_scale(qrels))
    curve = precision_recall_by_rank(rankings, 10, rel=2)
    assert list(curve) == ["system", "rank", "recall", "value", "topics"]
    measures = [parse_measure(f"{name}(rel=2)@{k}") for name in ("P", "R") for k in (1, 10)]
    means = mean_scores(evaluate(measures, rankings)).set_index(["measure", "system"])["value"]
    for k in (1, 10):
        at = curve[curve["rank"] == k]
        for name, column in (("P", "value"), ("R", "recall")):
            wanted = means[f"{name}(rel=2)@{k}"].loc[at["system"]].tolist()
            assert at[column].tolist() == pytest.approx(wanted, abs=1e-12)


def test_exact_curves_of_topics_pass_through_the_points(textbook):
    curve = precision_recall_by_rank(textbook("binary"), 15, per_topic=True)
    assert list(curve) == ["system", "topic_id", "rank", "recall", "value"]
    points = precision_recall_points(textbook("binary"))
    keys = ["topic_id", "rank", "recall", "value"]
    assert len(points[keys].merge(curve[keys])) == len(points) == 8
    with pytest.raises(TooLittleData, match="no curve"):
        precision_recall_by_rank(textbook("binary"), 5, rel=2)


def test_the_area_under_a_curve_is_its_mean_height(textbook):
    curve = gain_curve(textbook("graded"), 15, NDCG(discount="jarvelin"), average="ratio")
    area = area_under(curve)
    assert list(area) == ["system", "area"]
    assert area["area"].tolist() == pytest.approx([sum(RATIO_NDCG) / 15], abs=0.005)
