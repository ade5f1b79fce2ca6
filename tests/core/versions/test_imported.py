"""Imported qrels as a version."""

import pandas as pd
import pytest

from core.errors import TooLittleData
from core.versions.imported import version_from_qrels
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels

LABELS = pd.DataFrame(
    {
        "topic_id": ["t1", "t1", "t2"],
        "document_id": ["d2", "d1", "d1"],
        "facet": "page",
        "assessor_id": "a",
        "level": [2, 0, 1],
        "state": "level",
    }
)


def test_the_same_judgements_have_the_same_hash_however_they_came():
    made = qrels_from_labels(LABELS, QrelsRule("made"))
    back = version_from_qrels(made.frame[::-1].astype({"level": "float64"}), "official")
    assert back.content_hash == made.content_hash
    assert back.rule.name == "official"
    assert (back.gmax, back.n_labels, back.last_sequence) == (2.0, 3, 0)
    assert back.frame["level"].dtype == "int64"


def test_levels_that_are_no_whole_numbers_stay():
    qrels = pd.DataFrame(
        {"topic_id": ["t"], "iteration": ["0"], "document_id": ["d"], "level": [0.25]}
    )
    assert version_from_qrels(qrels, "udm").frame["level"].tolist() == [0.25]


def test_no_line_is_no_version():
    empty = pd.DataFrame(columns=["topic_id", "iteration", "document_id", "level"])
    with pytest.raises(TooLittleData, match="'official' hold no judgement"):
        version_from_qrels(empty, "official")
