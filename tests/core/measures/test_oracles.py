"""Every measure against trec_eval, the textbook or a paper; a measure in no table fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.base import MEASURES
from core.measures.catalogue import parse_measure
from core.measures.curves import precision_recall_curve
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels
from tests.core.measures.test_estimated import BY_HAND as OF_SAMPLES
from tests.core.measures.test_intent_gain import BY_HAND as BY_INTENT
from tests.core.measures.worlds import worlds
from tests.each import each
from tests.short import few

TREC_EVAL = {
    "P": "set_P",
    "P@5": "P_5",
    "P@10": "P_10",
    "R": "set_recall",
    "F": "set_F",
    "R@5": "recall_5",
    "AP": "map",
    "AP@10": "map_cut_10",
    "Rprec": "Rprec",
    "RR": "recip_rank",
    "bpref": "bpref",
    "Success@1": "success_1",
    "Success@5": "success_5",
    "Success@10": "success_10",
    "nDCG": "ndcg",
    "nDCG@5": "ndcg_cut_5",
    "nDCG@10": "ndcg_cut_10",
}

# Means over q1 and q2 of ch. 4, Baeza-Yates & Ribeiro-Neto, from the formulas by hand.
BY_HAND = {
    "P@5": (0.4 + 0.2) / 2,
    "P@10": (0.4 + 0.2) / 2,
    "Rprec": (0.4 + 1 / 3) / 2,
    "AP": ((1 + 2 / 3 + 3 / 6 + 4 / 10 + 5 / 15) / 10 + (1 / 3 + 2 / 8 + 3 / 15) / 3) / 2,
    "GMAP": ((1 + 2 / 3 + 3 / 6 + 4 / 10 + 5 / 15) / 10 * (1 / 3 + 2 / 8 + 3 / 15) / 3) ** 0.5,
    "RR": (1 + 1 / 3) / 2,
    "RR@2": 1 / 2,
    "F@5": (2 * 2 / (10 + 5) + 2 * 1 / (3 + 5)) / 2,
    "F(b=2)@10": (5 * 4 / (4 * 10 + 10) + 5 * 2 / (4 * 3 + 10)) / 2,
    "E@5": 1 - (2 / (10 / 2 + 5 / 2) + 2 / (3 + 5)) / 2,
    "E(b=0)@15": 1 - (5 / 15 + 3 / 15) / 2,
    "CG@15": (10 + 6) / 2,
    "nCG@3": (2 / 9 + 2 / 6) / 2,
    "Q@3": (((1 + 1) / (1 + 3) + (2 + 2) / (3 + 9)) / 3 + ((1 + 2) / (3 + 6)) / 3) / 2,
    "ERR@3": (1 / 4 + 3 / 4 * 1 / 4 / 3 + 2 / 4 / 3) / 2,
    "ERR(gain='exp')@3": (1 / 8 + 7 / 8 * 1 / 8 / 3 + 3 / 8 / 3) / 2,
    "nERR@1": (1 / 4) / (3 / 4) / 2,
    "RBP(p=0.5)@3": 0.5 * ((1 + 0.25) + 0.25) / 2,
    "RBP(p=0.5, gain='linear')@3": 0.5 * ((1 + 0.25) / 3 + 0.25 * 2 / 3) / 2,
    "bpref": (5 / 10 + 1) / 2,
    "DCG(discount='zipf')@3": ((1 + 1 / 3) + 2 / 3) / 2,
    "CG(gain={1: 0.5, 3: 2})@6": (0.5 + 0.5 + 2) / 2,
    "GAP": ((1 + 2 / 3 + 5 / 6 + 6 / 10 + 10 / 15) / 19 + (2 / 3 + 2 / 8 + 6 / 15) / 6) / 2,
    "INST@3": ((1 + 1 / 9) / (1 + 1 / 4 + 1 / 9) + (1 / 4) / (1 + 4 / 9 + 1 / 4)) / 2,
    "Compat(p=0.5)@3": (0 + (0.25 / 3) / (1 + 0.5 + 0.25)) / 2,
    "RBA(p=0.5)@3": (
        (0.5**0.5 + 0.125**0.5) * ((0.5**6 - 0.5**10) / 4) ** 0.5 + (0.125 * 0.25) ** 0.5
    )
    / 2,
    "TBG@3": 0.4928
    * (1 + 2 ** (-(8.8 + 16.8 * (0.64 + 0.39)) / 224) + 2 ** (-(8.8 + 16.8 * 0.78) / 224))
    / 2,
    "judged@10": (0.4 + 0.2) / 2,
    "judged": (5 / 15 + 3 / 15) / 2,
}


def test_every_measure_has_an_oracle():
    covered = {parse_measure(text).name for text in (*TREC_EVAL, *BY_HAND, *BY_INTENT, *OF_SAMPLES)}
    assert covered == set(MEASURES.names())


@each(("text", "expected"), BY_HAND.items())
def test_by_hand_on_the_textbook(textbook, text, expected):
    table = "{1: 0.5, 2: 0, 3: 2}"
    measure = parse_measure(text.replace("{1: 0.5, 3: 2}", table))
    means = mean_scores(evaluate([measure], textbook("graded")))
    assert means["value"].tolist() == pytest.approx([expected], abs=1e-15)
    assert means["topics"].tolist() == [2]


def test_the_textbook_prints_the_same_for_q1(textbook):
    measures = [parse_measure(text) for text in ("P@5", "P@10", "Rprec", "AP")]
    scores = evaluate(measures, textbook("binary"))
    q1 = scores[scores["topic_id"] == "q1"]["value"].round(2)
    assert q1.tolist() == [0.4, 0.4, 0.4, 0.29]


def check_against_trec_eval(runs, qrels, trec_eval, rel=1):
    """Compare all scores of all rankings; one that a run lacks must be 0."""
    measures = {
        parse_measure(text if rel == 1 else f"{base}(rel={rel}){text.removeprefix(base)}"): theirs
        for text, theirs in TREC_EVAL.items()
        if rel == 1 or not text.startswith("nDCG")
        for base in [text.split("@")[0]]
    }
    expected = trec_eval(runs, qrels, set(measures.values()), rel)
    scores = evaluate(measures, compile_rankings(runs, put_on_scale(qrels)), empty_topics=True)
    names = {str(measure): theirs for measure, theirs in measures.items()}
    assert len(scores) == len(names) * runs["system"].nunique() * qrels["topic_id"].nunique()
    for row in scores.itertuples():
        theirs = expected.get((row.system, row.topic_id), {}).get(names[row.measure], 0.0)
        assert row.value == pytest.approx(theirs, abs=1e-12), row
    return expected


@pytest.mark.parametrize(
    "rule",
    few([QrelsRule("all"), QrelsRule("first", combine="first", slots=(1,))]),
    ids=["all", "first"],
)
def test_dl19_against_trec_eval(dl19_runs, dl19_labels, trec_eval, rule):
    qrels = qrels_from_labels(dl19_labels, rule).frame
    expected = check_against_trec_eval(dl19_runs, qrels, trec_eval)
    assert len(expected) == 37 * 22
    check_against_trec_eval(dl19_runs, qrels, trec_eval, rel=2)


def test_dl19_interpolated_precision_against_trec_eval(dl19_runs, dl19_labels, trec_eval):
    """All points agree but where trec_eval's threshold is off by a float's last digit."""
    qrels = qrels_from_labels(dl19_labels, QrelsRule("all")).frame
    relevant = qrels[qrels["level"] >= 1].groupby("topic_id").size()
    expected = trec_eval(dl19_runs, qrels, {"iprec_at_recall"})
    curve = precision_recall_curve(compile_rankings(dl19_runs, put_on_scale(qrels)), per_topic=True)
    agree = [
        row.value == pytest.approx(expected[row.system, row.topic_id][name(row.recall)], abs=1e-12)
        for row in curve.itertuples()
        if not is_one_off(relevant[row.topic_id], row.recall)
    ]
    assert all(agree)
    assert len(agree) > 8000


def name(recall):
    return f"iprec_at_recall_{recall:.2f}"


def is_one_off(relevant, recall):
    """Whether trec_eval 9's ``(long) (recall * R + .9)`` differs from the exact ceiling."""
    return int(recall * relevant + 0.9) != -(-round(recall * 10) * relevant // 10)


@given(worlds(), st.sampled_from([1, 2]))
def test_any_run_against_trec_eval(trec_eval, world, rel):
    check_against_trec_eval(*world, trec_eval, rel)
