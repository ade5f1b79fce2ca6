"""Graded measures against pyNTCIREVAL, the Python form of NTCIREVAL."""

from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import given
from pyNTCIREVAL import metrics

from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels
from tests.core.measures.worlds import worlds
from tests.short import long

LINEAR, EXP, ODD = [1, 2, 3], [1, 3, 7], [0.2, 0.25, 1.7]
TABLE = "gain={1: 0.2, 2: 0.25, 3: 1.7}"

# Measure text -> the same as NTCIREVAL makes it, of (documents by level, cut-off or None).
ORACLES: dict[str, Callable] = {
    "nDCG": lambda found, k: metrics.MSnDCG(found, LINEAR, k),
    "nDCG(gain='exp')": lambda found, k: metrics.MSnDCG(found, EXP, k),
    f"nDCG({TABLE})": lambda found, k: metrics.MSnDCG(found, ODD, k),
    "nDCG(discount='jarvelin')": lambda found, k: metrics.nDCG(found, LINEAR, 2, k),
    "Q": lambda found, k: metrics.QMeasure(found, LINEAR, 1, k),
    "Q(gain='exp')": lambda found, k: metrics.QMeasure(found, EXP, 1, k),
    f"Q({TABLE}, beta=0.5)": lambda found, k: metrics.QMeasure(found, ODD, 0.5, k),
    "Q(beta=0)": lambda found, k: metrics.AP(found, LINEAR, k),
    "nERR(gmax=3)": lambda found, k: metrics.nERR(found, LINEAR, k),
    "nERR(gain='exp', gmax=3)": lambda found, k: metrics.nERR(found, EXP, k),
    f"nERR({TABLE})": lambda found, k: metrics.nERR(found, ODD, k),
    "ERR(gmax=3)": lambda found, k: cut(metrics.ERR(found, LINEAR), k),
    "ERR(gain='exp', gmax=3)": lambda found, k: cut(metrics.ERR(found, EXP), k),
    f"ERR({TABLE})": lambda found, k: cut(metrics.ERR(found, ODD), k),
    "RBP(gain='linear', gmax=3)": lambda found, k: cut(metrics.RBP(found, LINEAR, 0.8), k),
    "RBP(p=0.95, gain='exp', gmax=3)": lambda found, k: cut(metrics.RBP(found, EXP, 0.95), k),
    f"RBP(p=0.5, {TABLE})": lambda found, k: cut(metrics.RBP(found, ODD, 0.5), k),
}


def cut(metric, cutoff):
    metric.cutoff = cutoff
    return metric


def check_against_ntcireval(runs, qrels, cutoff=None):
    """Compare every score of every answered topic that has something to find."""
    tail = "" if cutoff is None else f"@{cutoff}"
    measures = [parse_measure(text + tail) for text in ORACLES]
    rankings = compile_rankings(runs, put_on_scale(qrels))
    scores = evaluate(measures, rankings).set_index(["system", "topic_id", "measure"])["value"]
    makers = {str(measure): make for measure, make in zip(measures, ORACLES.values(), strict=True)}
    levels = {topic: own for topic, own in qrels.groupby("topic_id")}
    answers = {key: own.sort_values("rank") for key, own in runs.groupby(["system", "topic_id"])}
    compared = 0
    for system, topic in scores.index.droplevel("measure").unique():
        judged = dict(zip(levels[topic]["document_id"], levels[topic]["level"], strict=True))
        found = [list(judged.values()).count(level) for level in range(4)]
        answer = answers.get((system, topic), pd.DataFrame({"document_id": []}))
        ranked = [(document, judged.get(document)) for document in answer["document_id"]]
        for text, make in makers.items():
            # It has no score for an empty list, which here has 0.
            expected = make(found, cutoff).compute(ranked[:cutoff]) if ranked else 0.0
            ours = scores[system, topic, text]
            assert ours == pytest.approx(expected, abs=1e-12), (system, topic, text)
            compared += 1
    return compared


@pytest.mark.parametrize(
    ("cutoff", "every"),
    [(10, 6), pytest.param(100, 18, marks=long), pytest.param(10, 1, marks=long)],
)
def test_dl19_against_ntcireval(dl19_runs, dl19_labels, cutoff, every):
    """Of the systems every sixth or eighteenth; with --long all of them."""
    qrels = qrels_from_labels(dl19_labels, QrelsRule("all")).frame
    dl19_runs = dl19_runs[dl19_runs["system"].isin(dl19_runs["system"].unique()[::every])]
    compared = check_against_ntcireval(dl19_runs, qrels, cutoff)
    assert compared == len(ORACLES) * 22 * dl19_runs["system"].nunique()


@long
@given(worlds())
def test_any_run_against_ntcireval(world):
    check_against_ntcireval(*world)
    check_against_ntcireval(*world, cutoff=3)


def judge(levels, ranking):
    qrels = pd.DataFrame({"document_id": list(levels), "level": list(levels.values())})
    runs = pd.DataFrame({"document_id": ranking, "rank": range(1, len(ranking) + 1)})
    return (
        runs.assign(system="s", topic_id="t"),
        qrels.assign(topic_id="t", iteration="0"),
    )


def test_ap_with_a_cut_off_divides_by_all_relevant_unlike_ntcireval():
    levels = {"a": 1, "b": 1, "c": 1}
    runs, qrels = judge(levels, ["a", "x", "b"])
    ours = parse_measure("AP@2").score(compile_rankings(runs, put_on_scale(qrels)))
    theirs = metrics.AP([0, 3, 0, 0], LINEAR, 2).compute([("a", 1), ("x", None)])
    assert ours.tolist() == pytest.approx([1 / 3], abs=1e-15)
    assert theirs == 1 / 2


def test_q_takes_a_level_without_a_gain_for_not_relevant_unlike_ntcireval():
    """NTCIREVAL counts the level-1 document as relevant though it gains nothing."""
    runs, qrels = judge({"a": 1, "b": 2}, ["b", "a"])
    ours = parse_measure("Q(gain={1: 0, 2: 1})").score(compile_rankings(runs, put_on_scale(qrels)))
    theirs = metrics.QMeasure([0, 1, 1], [0, 1], 1).compute([("b", 2), ("a", 1)])
    assert ours.tolist() == [1]
    assert theirs == pytest.approx((1 + 3 / 3) / 2)
    runs, qrels = judge({"a": 1, "b": 2}, ["a", "b"])
    ours = parse_measure("Q(gain={1: 0, 2: 1})").score(compile_rankings(runs, put_on_scale(qrels)))
    assert ours.tolist() == pytest.approx([2 / 3])
    assert metrics.QMeasure([0, 1, 1], [0, 1], 1).compute([("a", 1), ("b", 2)]) == pytest.approx(
        (1 / 2 + 1) / 2
    )
