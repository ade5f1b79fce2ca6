"""The version in which disagreements are decided."""

import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels
from core.versions.wording import describe_ties

RULE = QrelsRule("decided", combine="adjudicated")


@pytest.fixture
def labels():
    rows = [
        ("a", "x", 0),
        ("b", "x", 3),
        ("a", "y", 2),
        ("b", "y", 2),
        ("a", "z", 1),
        ("b", "z", 2),
    ]
    frame = pd.DataFrame(rows, columns=["assessor_id", "document_id", "level"])
    plain = {"topic_id": "t", "facet": "page", "engine": "", "occasion": 0, "state": "level"}
    return frame.assign(**plain, sequence=range(1, 7))


def decisions(**levels):
    frame = pd.DataFrame({"document_id": levels.keys(), "level": levels.values()})
    numbers = range(11, 11 + len(frame))
    return frame.assign(topic_id="t", facet="page", engine="", sequence=numbers)


def judged(version):
    return dict(zip(version.frame["document_id"], version.frame["level"], strict=True))


def test_agreed_levels_stand_and_decided_ones_follow(labels):
    version = qrels_from_labels(labels, RULE, adjudications=decisions(x=1, z=2))
    assert judged(version) == {"x": 1, "y": 2, "z": 2}
    assert (version.undecided, version.n_labels, version.last_sequence) == (0, 6, 12)
    assert version.assessors == ("a", "b")


def test_what_is_not_decided_is_left_out_and_counted(labels):
    version = qrels_from_labels(labels, RULE, adjudications=decisions(x=1))
    assert judged(version) == {"x": 1, "y": 2}
    assert (version.undecided, version.n_labels) == (1, 4)
    none = qrels_from_labels(labels, RULE, adjudications=decisions())
    assert (judged(none), none.undecided, none.last_sequence) == ({"y": 2}, 2, 6)
    assert describe_ties(none) == [
        "Left out because assessors disagree and nobody has adjudicated: 2 items."
    ]


def test_a_decision_does_not_overrule_assessors_who_agree(labels):
    version = qrels_from_labels(labels, RULE, adjudications=decisions(y=0))
    assert judged(version) == {"y": 2}


def test_only_the_selected_labels_agree_or_not(labels):
    rule = QrelsRule("one of them", combine="adjudicated", assessors=("a",))
    version = qrels_from_labels(labels, rule, adjudications=decisions(x=3))
    assert judged(version) == {"x": 0, "y": 2, "z": 1}


def test_decisions_after_the_event_play_no_part(labels):
    version = qrels_from_labels(labels, RULE, 11, adjudications=decisions(x=1, z=2))
    assert judged(version) == {"x": 1, "y": 2}
    assert version.last_sequence == 11


def test_a_snippet_is_decided_by_engine(labels):
    snippets = labels.assign(facet="snippet", engine="e1")
    rule = QrelsRule("snippets", "snippet", "adjudicated")
    wanted = decisions(x=1).assign(facet="snippet")
    version = qrels_from_labels(snippets, rule, adjudications=wanted.assign(engine="e2"))
    assert judged(version) == {"y": 2}
    version = qrels_from_labels(snippets, rule, adjudications=wanted.assign(engine="e1"))
    assert judged(version) == {"x": 1, "y": 2}


def test_without_decisions_at_hand_or_any_item_it_says_so(labels):
    with pytest.raises(BadInput, match="needs the adjudications"):
        qrels_from_labels(labels, RULE)
    with pytest.raises(TooLittleData, match="nobody has adjudicated"):
        qrels_from_labels(labels[labels["document_id"] != "y"], RULE, adjudications=decisions())


def test_other_versions_do_not_look_at_decisions(labels):
    rule = QrelsRule("all")
    with_them = qrels_from_labels(labels, rule, adjudications=decisions(x=0, y=0, z=0))
    assert with_them.content_hash == qrels_from_labels(labels, rule).content_hash
    assert with_them.last_sequence == 6
