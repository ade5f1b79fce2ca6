from dataclasses import replace

import pandas as pd
import pytest

from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.evaluate import (
    add_residuals,
    describe_top,
    evaluate,
    has_residual,
    mean_scores,
)
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale


@pytest.fixture
def rankings():
    runs = [("a", "t1", "x", 1), ("a", "t1", "new", 2), ("a", "t3", "w", 1), ("b", "t2", "z", 1)]
    qrels = [("t1", "0", "x", 2), ("t2", "0", "z", 1), ("t3", "0", "w", 0)]
    return compile_rankings(
        pd.DataFrame(runs, columns=["system", "topic_id", "document_id", "rank"]),
        put_on_scale(
            pd.DataFrame(qrels, columns=["topic_id", "iteration", "document_id", "level"])
        ),
    )


def test_an_unanswered_topic_scores_0_and_one_with_nothing_to_find_is_left_out(rankings):
    scores = evaluate([parse_measure("AP")], rankings)
    assert scores.values.tolist() == [
        ["a", "t1", "AP", 1.0, 0.5],
        ["a", "t2", "AP", 0.0, 0.0],
        ["b", "t1", "AP", 0.0, 0.0],
        ["b", "t2", "AP", 1.0, 1.0],
    ]
    assert mean_scores(scores).values.tolist() == [
        ["a", "AP", 0.5, 0.25, 2],
        ["b", "AP", 0.5, 0.5, 2],
    ]


def test_topics_with_nothing_to_find_may_count_as_0(rankings):
    measures = [parse_measure(text) for text in ("AP(rel=2)", "judged@1", "nDCG")]
    scores = evaluate(measures, rankings, empty_topics=True)
    assert mean_scores(scores)["topics"].tolist() == [3] * 6
    a = scores[scores["system"] == "a"].set_index(["measure", "topic_id"])["value"]
    assert a["AP(rel=2)"].tolist() == [1, 0, 0]
    assert a["nDCG"].tolist() == [1, 0, 0]


def test_each_measure_counts_the_topics_that_have_something_it_can_find(rankings):
    measures = [parse_measure(text) for text in ("P(rel=2)@1", "AP(rel=3)", "nDCG", "judged@1")]
    means = mean_scores(evaluate(measures, rankings))
    topics = means.drop_duplicates("measure").set_index("measure")["topics"]
    assert topics.to_dict() == {"P(rel=2)@1": 1, "nDCG": 2, "judged@1": 2}


def test_the_judged_share_is_that_of_the_cut_off(rankings):
    scores = evaluate([parse_measure("P@1"), parse_measure("P@5")], rankings)
    first = scores[(scores["system"] == "a") & (scores["topic_id"] == "t1")]
    assert first["judged"].tolist() == [1.0, 0.5]


def test_frames_have_plain_types(rankings):
    scores = evaluate([parse_measure("P@1")], rankings)
    assert scores.dtypes.astype(str).tolist() == ["str", "str", "str", "float64", "float64"]


def test_no_measure_is_refused(rankings):
    with pytest.raises(BadInput, match="at least one"):
        evaluate([], rankings)


def test_residuals_stand_beside_the_scores_they_belong_to(rankings):
    measures = [parse_measure("AP"), parse_measure("RBP(p=0.5)")]
    scores = add_residuals(evaluate(measures, rankings), measures, rankings)
    assert scores[scores["measure"] == "AP"]["residual"].isna().all()
    rbp = scores[scores["measure"] != "AP"].set_index(["system", "topic_id"])["residual"]
    assert rbp["a", "t1"] == pytest.approx(0.5)  # rank 2 is not judged, nor any after it
    assert rbp["b", "t1"] == 1
    assert (has_residual("RBP"), has_residual("AP")) == (True, False)


def test_nothing_found_is_the_worst_score_and_what_is_better_small_is_not_compared():
    assert [parse_measure(text).worst for text in ("AP", "E")] == [0, 1]
    assert parse_measure("E").obstacle.endswith("is better; compare by F, its complement")


def test_what_takes_the_highest_level_that_occurs_for_the_scales_is_named(rankings):
    measures = [parse_measure(text) for text in ("ERR", "ERR(gmax=3)", "AP", "ERR(gain='udm')")]
    told = describe_top(measures, rankings)
    assert told.startswith("ERR: the highest level that occurs, 2, is taken")
    assert describe_top(measures[1:3], rankings) == ""
    assert describe_top(measures, replace(rankings, is_gmax_taken=False)) == ""


def test_a_level_that_the_scale_does_not_have_is_refused(rankings):
    known = replace(rankings, gmax=2, is_gmax_taken=False)
    message = r"P\(rel=3\)@1 counts documents from level 3, and the scale's highest is 2"
    with pytest.raises(BadInput, match=message):
        evaluate([parse_measure("AP"), parse_measure("P(rel=3)@1")], known)
    assert evaluate([parse_measure("P(rel=3)@1")], rankings).empty
