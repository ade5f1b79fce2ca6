import pandas as pd
import pytest

from core.measures.precision import interpolate_precision
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale


def test_the_textbook_interpolates_q2(textbook):
    """Ch. 4, p. 19: .33 up to recall .3, .25 up to .6, .20 to the end."""
    q2 = interpolate_precision(textbook("binary"))[1]
    assert q2 == pytest.approx([1 / 3] * 4 + [0.25] * 3 + [0.2] * 4, abs=1e-15)


def test_the_textbook_interpolates_q1(textbook):
    q1 = interpolate_precision(textbook("binary"))[0]
    assert q1 == pytest.approx([1, 1, 2 / 3, 0.5, 0.4, 1 / 3, 0, 0, 0, 0, 0], abs=1e-15)


def test_recall_07_of_3_relevant_needs_all_three_unlike_trec_eval_9(trec_eval):
    """⌈.7 × 3⌉ = 3; trec_eval computes 2.9999999999999996 and stops at the second."""
    documents = ["r1", "r2", "n1", "n2", "n3", "r3"]
    runs = pd.DataFrame({"document_id": documents, "rank": range(1, 7), "score": range(6, 0, -1)})
    runs = runs.assign(system="s", topic_id="t").astype({"score": "float64"})
    qrels = pd.DataFrame({"document_id": ["r1", "r2", "r3"], "level": 1})
    qrels = qrels.assign(topic_id="t", iteration="0")
    ours = interpolate_precision(compile_rankings(runs, put_on_scale(qrels)))[0]
    theirs = trec_eval(runs, qrels, {"iprec_at_recall"})["s", "t"]
    assert theirs["iprec_at_recall_0.70"] == 1.0
    assert ours[7] == 0.5
    others = [j for j in range(11) if j != 7]
    assert [ours[j] for j in others] == [
        pytest.approx(theirs[f"iprec_at_recall_{j / 10:.2f}"]) for j in others
    ]


def test_a_topic_without_a_relevant_document_has_no_curve(textbook):
    curve = interpolate_precision(textbook("graded"), rel=4)
    assert pd.isna(curve).all()
