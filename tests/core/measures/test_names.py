"""Names of other programs: understood as they are meant there, to the digit, or answered."""

import ir_measures
import pytest
import pytrec_eval

from core.errors import BadInput
from core.measures.base import MEASURES
from core.measures.catalogue import find_kind, parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.measures.names import MISSING, OTHER_NAMES, list_other_names
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels
from tests.each import each

TREC_EVAL = {
    **{"map": "AP", "map_cut_100": "AP@100", "P_5": "P@5", "P_10": "P@10", "recall_20": "R@20"},
    **{"ndcg": "nDCG", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR", "Rprec": "Rprec"},
    **{"bpref": "bpref", "success_1": "Success@1", "set_P": "P", "set_recall": "R"},
    **{"set_F": "F", "gm_map": "GMAP"},
}
"""Names as trec_eval prints them, and the measures here."""

IR_MEASURES = {
    **{"nDCG@10": "nDCG@10", "NDCG@5": "nDCG@5", "MAP": "AP", "AP(rel=2)@20": "AP(rel=2)@20"},
    **{"MRR@10": "RR@10", "RR(rel=2)@10": "RR(rel=2)@10", "P(rel=2)@5": "P(rel=2)@5"},
    **{"Precision@5": "P@5", "Recall@20": "R@20", "R(rel=2)@20": "R(rel=2)@20"},
    **{"RPrec": "Rprec", "Rprec(rel=2)": "Rprec(rel=2)", "BPref": "bpref", "Bpref": "bpref"},
    **{"SetP": "P", "SetR": "R", "SetF(beta=4.0)": "F(b=2)", "Judged@10": "judged@10"},
    **{"Success(rel=2)@1": "Success(rel=2)@1"},
    **{"nDCG(judged_only=True)@10": "nDCG(judged_only=True)@10"},
    **{"AP(judged_only=True)": "AP(judged_only=True)"},
    **{"P(judged_only=True, rel=2)@10": "P(rel=2, judged_only=True)@10"},
}
"""Texts of ir_measures, and the measures here."""

ELSEWHERE = {
    **{"ndcg@10": "nDCG@10", "NDCG_CUT_10": "nDCG@10", "ndcg_cut.10": "nDCG@10", "p@10": "P@10"},
    **{"Map": "AP", "P.10": "P@10", "precision@5": "P@5", "mrr": "RR", "rr@10": "RR@10"},
    **{"RBP(p=.8)": "RBP", "rbp(p=.5)": "RBP(p=0.5)", "ERR@20": "ERR@20", "err@20": "ERR@20"},
    **{"nDCG(dcg='exp-log2')@10": "nDCG(gain='exp')@10", 'nDCG(dcg="log2")@10': "nDCG@10"},
    **{"nDCG(gains={0: 0, 1: 1, 2: 5})@10": "nDCG(gain={0: 0.0, 1: 1.0, 2: 5.0})@10"},
    **{
        "AP_IA": "AP-IA",
        "MAP_IA": "AP-IA",
        "StRecall@10": "strec@10",
        "α_nDCG@10": "alpha-nDCG@10",
    },
    **{"infndcg": "infNDCG", "inferred_ap": "infAP", "xinfap": "xinfAP", "StatAP": "statAP"},
    **{"alpha-ndcg@20": "alpha-nDCG@20", "err-ia@20": "ERR-IA@20", "rprec": "Rprec"},
}


@pytest.fixture(scope="module")
def few_runs(dl19_runs):
    """Some runs to rank 50, scored by rank: other tools order ties in other ways."""
    systems = dl19_runs["system"].unique()[::12]
    runs = dl19_runs[dl19_runs["system"].isin(systems) & (dl19_runs["rank"] <= 50)]
    return runs.assign(score=-runs["rank"].astype("float64"))


@pytest.fixture(scope="module")
def qrels(dl19_labels):
    return qrels_from_labels(dl19_labels, QrelsRule("all")).frame


@each(("theirs", "ours"), (TREC_EVAL | IR_MEASURES | ELSEWHERE).items())
def test_a_name_is_understood(theirs, ours):
    assert str(parse_measure(theirs)) == ours
    assert str(parse_measure(f" {theirs} ")) == ours


def test_trec_eval_names_have_trec_evals_values(few_runs, qrels):
    scores = mean_scores(
        evaluate(map(parse_measure, TREC_EVAL), compile_rankings(few_runs, put_on_scale(qrels)))
    )
    ours = scores.set_index(["system", "measure"])["value"]
    judged = {
        topic: dict(zip(own["document_id"], map(int, own["level"]), strict=True))
        for topic, own in qrels.groupby("topic_id")
    }
    asked = {"map", "map_cut.100", "P.5,10", "recall.20", "ndcg", "ndcg_cut.10", "recip_rank"}
    asked |= {"Rprec", "bpref", "success.1", "set_P", "set_recall", "set_F", "gm_map"}
    judge = pytrec_eval.RelevanceEvaluator(judged, asked)
    for system, own in few_runs.groupby("system"):
        run = {
            topic: dict(zip(lines["document_id"], lines["score"], strict=True))
            for topic, lines in own.groupby("topic_id")
        }
        found = judge.evaluate(run)
        for theirs, name in TREC_EVAL.items():
            several = [one[theirs] for one in found.values()]
            expected = pytrec_eval.compute_aggregated_measure(theirs, several)
            assert ours[system, name] == pytest.approx(expected, abs=1e-9), (system, theirs)


def test_texts_of_ir_measures_have_its_values(few_runs, qrels):
    scores = mean_scores(
        evaluate(map(parse_measure, IR_MEASURES), compile_rankings(few_runs, put_on_scale(qrels)))
    )
    ours = scores.set_index(["system", "measure"])["value"]
    named = {"topic_id": "query_id", "document_id": "doc_id", "level": "relevance"}
    judged = qrels.rename(columns=named).astype({"relevance": "int64"})
    texts = {ir_measures.parse_measure(text): name for text, name in IR_MEASURES.items()}
    for system, own in few_runs.rename(columns=named).groupby("system"):
        for measure, value in ir_measures.calc_aggregate(list(texts), judged, own).items():
            assert ours[system, texts[measure]] == pytest.approx(value, abs=1e-9), measure


@each(
    ("text", "answer"),
    [
        ("ndgc@10", "'ndgc@10' is not a measure; did you mean nDCG@10"),
        ("mpa", "did you mean AP"),
        ("P10", "did you mean P@10"),
        ("ndcg20", "did you mean nDCG@20"),
        ("recip_rnak", "did you mean RR"),
        ("presicion@5", "did you mean P@5"),
        ("sucess_5", "did you mean Success@5"),
        ("relative_P", "'relative_P' is a measure of other programs that Dissent does not have"),
        ("xyzzy", "'xyzzy' is not a measure; known are RBA, bpref"),
        ("num_rel_ret", "that Dissent does not have"),
        ("P@ten", "is not a measure"),
        ("", "is not a measure"),
    ],
)
def test_what_is_not_understood_is_answered_with_what_is_near(text, answer):
    with pytest.raises(BadInput) as refused:
        parse_measure(text)
    assert answer in str(refused.value)


def test_no_name_stands_for_two_measures():
    known = [entry.name for entry in MEASURES]
    assert set(OTHER_NAMES) <= set(known)
    others = [one for several in OTHER_NAMES.values() for one in several]
    plain = [name.replace("_", "-").casefold() for name in (*known, *others)]
    assert len(plain) == len(set(plain))
    assert not {one.casefold() for one in MISSING} & {one.casefold() for one in known}
    assert list_other_names("AP") == ("map", "map_cut")
    assert list_other_names("TBG") == ()


def test_every_name_of_trec_eval_is_understood_or_told_to_be_missing():
    for name in pytrec_eval.supported_measures - {"runid"}:
        try:
            parse_measure(name)
        except BadInput as error:
            assert "does not have" in str(error), name  # noqa: PT017


@each(("name", "kind"), [("AP", "AP"), ("map", "AP"), ("ndcg_cut_10", "nDCG"), ("P_10", "P")])
def test_a_measure_is_found_by_any_of_its_names(name: str, kind: str):
    assert find_kind(name).name == kind


def test_a_name_that_nobody_uses_is_answered_with_what_is_near():
    with pytest.raises(BadInput, match="nDCG"):
        find_kind("nDCGG")
