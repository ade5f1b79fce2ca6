"""Measures against ir_measures, whose ERR and exponential nDCG are gdeval's, to five digits."""

import shutil

import ir_measures
import pandas as pd
import pytest

from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels
from tests.short import long

EXACT = {
    "F": "SetF",
    "F(rel=2)": "SetF(rel=2)",
    "bpref(rel=2)": "Bpref(rel=2)",
    "RR@10": "RR@10",
    "RR(rel=2)@7": "RR(rel=2)@7",
    "judged@10": "Judged@10",
    "judged": "Judged",
    "AP(rel=2)@20": "AP(rel=2)@20",
    "AP(judged_only=True)": "AP(judged_only=True)",
    "AP(rel=2, judged_only=True)@20": "AP(rel=2,judged_only=True)@20",
    "nDCG(judged_only=True)": "nDCG(judged_only=True)",
    "nDCG(judged_only=True)@10": "nDCG(judged_only=True)@10",
    "P(judged_only=True)@10": "P(judged_only=True)@10",
    "R(judged_only=True)@10": "R(judged_only=True)@10",
    "RR(judged_only=True)": "RR(judged_only=True)",
    "Rprec(judged_only=True)": "Rprec(judged_only=True)",
    "Success(judged_only=True)@5": "Success(judged_only=True)@5",
}
GDEVAL = {
    "nDCG(gain='exp')@10": "nDCG(dcg='exp-log2')@10",
    "ERR(gain='exp', gmax=4)@10": "ERR@10",
    "ERR(gain='exp', gmax=4)@20": "ERR@20",
}


@pytest.fixture(scope="module")
def some_runs(dl19_runs):
    """Every sixth run to rank 50, scored by rank: other tools order ties in other ways."""
    systems = dl19_runs["system"].unique()[::6]
    runs = dl19_runs[dl19_runs["system"].isin(systems) & (dl19_runs["rank"] <= 50)]
    return runs.assign(score=-runs["rank"].astype("float64"))


def check(runs, labels, table, digits):
    qrels = qrels_from_labels(labels, QrelsRule("all")).frame
    scores = evaluate(map(parse_measure, table), compile_rankings(runs, put_on_scale(qrels)))
    ours = scores.set_index(["system", "topic_id", "measure"])["value"]
    named = {"topic_id": "query_id", "document_id": "doc_id", "level": "relevance"}
    judged = qrels.rename(columns=named).astype({"relevance": "int64"})
    measures = {ir_measures.parse_measure(theirs): text for text, theirs in table.items()}
    compared = 0
    for system, own in runs.rename(columns=named).groupby("system"):
        for theirs in ir_measures.iter_calc(list(measures), judged, own):
            text = str(parse_measure(measures[theirs.measure]))
            if (system, theirs.query_id, text) in ours.index:
                expected = ours[system, theirs.query_id, text]
                assert theirs.value == pytest.approx(expected, abs=digits), (system, theirs)
                compared += 1
    assert compared == len(ours)


@long
def test_dl19_against_ir_measures(some_runs, dl19_labels):
    check(some_runs, dl19_labels, EXACT, 1e-12)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
def test_dl19_against_gdeval(some_runs, dl19_labels):
    check(some_runs, dl19_labels, GDEVAL, 5.1e-6)


def test_ir_measures_gives_f_the_square_of_b():
    """Its beta reaches trec_eval's set_F, whose parameter is b²: SetF(beta=4.0) is F(b=2)."""
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b", "c"], "relevance": 1})
    run = pd.DataFrame({"query_id": "q", "doc_id": ["a", "x"], "score": [2.0, 1.0]})
    theirs = ir_measures.calc_aggregate([ir_measures.parse_measure("SetF(beta=4.0)")], qrels, run)
    precision, recall = 1 / 2, 1 / 3
    expected = 5 / (4 / recall + 1 / precision)
    assert list(theirs.values()) == [pytest.approx(expected, abs=1e-15)]
    rankings = compile_rankings(
        pd.DataFrame({"system": "s", "topic_id": "q", "document_id": ["a", "x"], "rank": [1, 2]}),
        put_on_scale(
            pd.DataFrame(
                {"topic_id": "q", "iteration": "0", "document_id": ["a", "b", "c"], "level": 1}
            )
        ),
    )
    ours = parse_measure("F(b=2)").score(rankings)
    assert ours.tolist() == [pytest.approx(expected, abs=1e-15)]
