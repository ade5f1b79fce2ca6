"""Preference orders as versions."""

import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.versions.imported import version_from_order
from core.versions.judgements import hash_rows
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels

COLUMNS = ["topic_id", "iteration", "document_id", "level"]
ORDER = pd.DataFrame(
    [("t1", "0", "x", 1), ("t1", "0", "y", 0), ("t2", "0", "x", 2)], columns=COLUMNS
)
PREFERENCES = pd.DataFrame({"assessor_id": ["b", "a", "b"], "sequence": [4, 7, 5]})


def test_an_order_becomes_a_version():
    rule = QrelsRule("order", combine="preference")
    version = version_from_order(ORDER, PREFERENCES, rule)
    assert version.frame.equals(ORDER)
    assert (version.gmax, version.last_sequence, version.n_labels) == (2, 7, 3)
    assert (version.assessors, version.content_hash) == (("a", "b"), hash_rows(ORDER))


def test_topics_can_be_limited_down_to_none():
    some = QrelsRule("some", combine="preference", topics=("t2",))
    version = version_from_order(ORDER, PREFERENCES, some)
    assert version.frame.to_numpy().tolist() == [["t2", "0", "x", 2]]
    none = QrelsRule("none", combine="preference", topics=("t3",))
    with pytest.raises(TooLittleData, match="'none' finds no preference"):
        version_from_order(ORDER, PREFERENCES, none)


def test_labels_make_no_preference_order():
    with pytest.raises(BadInput, match="made of preferences"):
        qrels_from_labels(ORDER, QrelsRule("order", combine="preference"))
