"""Versions of pairs of a snippet level and a page level."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.judgements import hash_rows, level_distribution
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion, qrels_from_labels, round_levels

WEIGHTS = ((2, 2, 1.0), (1, 2, 0.6), (2, 1, 0.4), (2, 0, 0.0))
ROWS = [
    ("ann", "x", "snippet", "e1", 1),
    ("ann", "x", "snippet", "e2", 2),
    ("ann", "x", "page", "", 2),
    ("ben", "x", "page", "", 1),
    ("ben", "x", "snippet", "e1", 2),
    ("cleo", "x", "snippet", "e1", 2),
    ("ann", "y", "snippet", "e1", 2),
    ("ann", "y", "page", "", 0),
    ("ann", "z", "snippet", "e2", 0),
    ("ann", "z", "page", "", 2),
]
"""cleo has not judged the page; nothing is said of the weight of ann's levels of z."""


@pytest.fixture
def labels() -> pd.DataFrame:
    columns = ["assessor_id", "document_id", "facet", "engine", "level"]
    frame = pd.DataFrame(ROWS, columns=columns).astype({"level": "float64"})
    told = dict(topic_id="t", occasion=0, state="level", group="", sequence=range(1, 11))
    return frame.assign(**told)


def rule(**fields):
    return QrelsRule("both", combine="combined", pair_weights=WEIGHTS, **fields)


def levels(labels, **fields):
    frame = qrels_from_labels(labels, rule(**fields)).frame
    return dict(zip(zip(frame["document_id"], frame["engine"], strict=True), frame["level"],
                    strict=True))  # fmt: skip


def test_a_level_is_the_mean_weight_of_the_pairs_of_an_engine_s_result(labels):
    version = qrels_from_labels(labels, rule())
    assert list(version.frame) == ["topic_id", "iteration", "document_id", "engine", "level"]
    assert version.frame.to_numpy().tolist() == [
        ["t", "0", "x", "e1", (0.6 + 0.4) / 2],
        ["t", "0", "x", "e2", 1.0],
        ["t", "0", "y", "e1", 0.0],
    ]
    assert (version.n_labels, version.unpaired, version.unweighed) == (4, 1, 1)
    assert (version.gmax, version.last_sequence, version.n_documents) == (1.0, 10, 2)
    assert version.assessors == ("ann", "ben")
    assert version.content_hash == hash_rows(version.frame)


def test_the_order_of_the_labels_does_not_matter(labels):
    mixed = labels.sample(frac=1, random_state=3)
    wanted = qrels_from_labels(labels, rule()).content_hash
    assert qrels_from_labels(mixed, rule()).content_hash == wanted


def test_a_rule_selects_labels_of_both_facets(labels):
    assert levels(labels, assessors=("ben",)) == {("x", "e1"): 0.4}
    assert levels(labels, judges=1)["x", "e1"] == 0.6
    assert levels(labels, slots=(2,)) == {("x", "e1"): 0.4}
    with pytest.raises(TooLittleData, match="'both' finds no assessor"):
        levels(labels, topics=("another",))


def test_a_version_stops_at_an_event(labels):
    early = qrels_from_labels(labels, rule(), until_sequence=4)
    assert early.frame["level"].tolist() == [0.6, 1.0]
    assert (early.last_sequence, early.unpaired) == (4, 0)


def test_what_is_no_opinion_makes_no_pair(labels):
    labels.loc[2, "state"] = "cannot judge"
    labels.loc[4, "occasion"] = 1
    version = qrels_from_labels(labels, rule())
    assert version.frame["document_id"].tolist() == ["y"]
    assert version.unpaired == 3


def test_labels_that_do_not_pair_are_refused(labels):
    with pytest.raises(BadInput, match="engines share a page"):
        qrels_from_labels(labels.assign(engine="e1"), rule())
    for row, facet in ((0, "snippet"), (2, "page")):
        twice = pd.concat([labels, labels.iloc[[row]]])
        with pytest.raises(BadInput, match=f"ann has more than one {facet} label on topic t"):
            qrels_from_labels(twice, rule())


def test_a_system_is_judged_by_its_own_snippets(labels):
    """By hand: the ideal list is x (1, as e2 shows it), y (0)."""
    version = qrels_from_labels(labels, rule())
    rows = [("e1", "y", 1), ("e1", "x", 2), ("e2", "x", 1), ("e2", "y", 2), ("s", "x", 1)]
    runs = pd.DataFrame(rows, columns=["system", "document_id", "rank"]).assign(topic_id="t")
    scores = evaluate(
        map(parse_measure, ["nDCG@2", "CG@2", "judged@2"]),
        compile_rankings(runs, version),
    )
    found = scores.pivot(index="system", columns="measure", values="value")
    assert found["nDCG@2"].to_dict() == pytest.approx({"e1": 0.5 / np.log2(3), "e2": 1, "s": 0})
    assert found["CG@2"].to_dict() == {"e1": 0.5, "e2": 1, "s": 0}
    assert found["judged@2"].to_dict() == {"e1": 1, "e2": 0.5, "s": 0}


def test_levels_for_a_system(labels):
    version = qrels_from_labels(labels, rule())
    assert version.levels_for("e1", "t").to_dict() == {"x": 0.5, "y": 0}
    assert version.levels_for("e2", "t").to_dict() == {"x": 1}
    assert version.levels_for("s", "t").empty
    assert version.levels_for("e1", "another").empty
    by_page = qrels_from_labels(labels, QrelsRule("pages"))
    assert by_page.levels_for("s", "t").to_dict() == {"x": 2, "y": 0, "z": 2}


def test_a_judgement_of_its_own_goes_before_one_for_all():
    rows = [("t", "0", "x", "e1", 1), ("t", "0", "x", "", 3), ("t", "0", "y", "", 2)]
    frame = pd.DataFrame(rows, columns=["topic_id", "iteration", "document_id", "engine", "level"])
    version = QrelsVersion(frame, 3, rule=QrelsRule("v"), last_sequence=0, n_labels=3)
    assert version.levels_for("e1", "t").to_dict() == {"x": 1, "y": 2}
    assert version.levels_for("e2", "t").to_dict() == {"x": 3, "y": 2}


def test_trec_has_the_best_engine_of_each_document(labels):
    rounded = round_levels(qrels_from_labels(labels, rule(factor=1000)))
    assert list(rounded) == ["topic_id", "iteration", "document_id", "level"]
    assert rounded.to_numpy().tolist() == [["t", "0", "x", 1000], ["t", "0", "y", 0]]


def test_each_engine_s_result_is_counted(labels):
    table = level_distribution(qrels_from_labels(labels, rule()))
    assert dict(zip(table["level"], table["documents"], strict=True)) == {0: 1, 0.5: 1, 1: 1}
