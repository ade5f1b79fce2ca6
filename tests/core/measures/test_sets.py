import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.measures.worlds import worlds
from tests.short import long

BS = st.sampled_from([0, 0.5, 1, 2, 10])


def score(text, rankings):
    return parse_measure(text).score(rankings)


@given(worlds(), BS, st.sampled_from(["", "@1", "@4"]))
def test_e_is_the_textbook_formula_of_precision_and_recall(world, b, cutoff):
    """E(j) = 1 − (1 + b²) / (b²/r + 1/P), 1 where nothing is found."""
    rankings = compile_rankings(world[0], put_on_scale(world[1]))
    precision, recall = score(f"P{cutoff}", rankings), score(f"R{cutoff}", rankings)
    found = precision > 0
    expected = np.where(np.isnan(recall), np.nan, 1.0)
    expected[found] = 1 - (1 + b**2) / (b**2 / recall[found] + 1 / precision[found])
    e, f = score(f"E(b={b}){cutoff}", rankings), score(f"F(b={b}){cutoff}", rankings)
    assert e == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert f == pytest.approx(1 - e, abs=1e-15, nan_ok=True)


@long
@given(worlds())
def test_b_0_leaves_precision_and_a_large_b_recall(world):
    rankings = compile_rankings(world[0], put_on_scale(world[1]))
    recall = score("R@4", rankings)
    precision = np.where(np.isnan(recall), np.nan, score("P@4", rankings))
    assert score("F(b=0)@4", rankings) == pytest.approx(precision, abs=1e-15, nan_ok=True)
    assert score("F(b=1000000)@4", rankings) == pytest.approx(recall, abs=1e-9, nan_ok=True)


def test_the_textbook_e_of_q1_at_rank_10(textbook):
    """P = r = .4 there, so E is .6 whatever b."""
    rankings = textbook("binary")
    for b in (0, 0.5, 1, 2):
        assert score(f"E(b={b})@10", rankings)[0] == pytest.approx(0.6, abs=1e-15)


@long
@given(worlds())
def test_trec_eval_takes_b_squared(world):
    runs, qrels = world
    judged = qrels.groupby("topic_id").apply(
        lambda own: dict(zip(own["document_id"], map(int, own["level"]), strict=True))
    )
    oracle = pytrec_eval.RelevanceEvaluator(judged.to_dict(), {"set_F_4"})
    scores = evaluate(
        [parse_measure("F(b=2)")], compile_rankings(runs, put_on_scale(qrels)), empty_topics=True
    )
    ours = scores.set_index(["system", "topic_id"])["value"]
    for system, own in runs.groupby("system"):
        lists = {
            topic: dict(zip(rows["document_id"], rows["score"], strict=True))
            for topic, rows in own.groupby("topic_id")
        }
        for topic, theirs in oracle.evaluate(lists).items():
            assert ours[system, topic] == pytest.approx(theirs["set_F"], abs=1e-12)


def test_a_run_without_an_answer_has_the_worst_e():
    runs = pd.DataFrame({"system": ["a", "b"], "topic_id": ["t", "other"], "document_id": "x"})
    qrels = pd.DataFrame({"topic_id": ["t", "other", "none"], "document_id": "x", "level": 1})
    qrels.loc[2, "level"] = 0
    rankings = compile_rankings(runs.assign(rank=1), put_on_scale(qrels.assign(iteration="0")))
    means = mean_scores(evaluate([parse_measure("E"), parse_measure("F")], rankings))
    assert means["value"].tolist() == [0.5] * 4
    scores = evaluate([parse_measure("E")], rankings, empty_topics=True)
    assert scores["value"].tolist() == [0, 1, 1, 1, 0, 1]
