"""What a planted assessor does to a version, counted by hand on three documents."""

import numpy as np
import pandas as pd
import pytest

from core.versions.judgements import hash_rows
from tests.calibration.usual_version import PLANTED, WAYS, Study, combine, compare, plant

LABELS = pd.DataFrame(
    [
        (topic, f"d{level + 1}", assessor, level)
        for topic in ("t1", "t2")
        for level in range(3)
        for assessor in "ab"
    ],
    columns=["topic_id", "document_id", "assessor_id", "level"],
).assign(facet="page", engine="", occasion=0, state="level", group="")
RUNS = pd.DataFrame(
    [
        (system, topic, document, rank)
        for topic in ("t1", "t2")
        for system, order in (("good", "321"), ("poor", "123"))
        for rank, document in enumerate((f"d{one}" for one in order), start=1)
    ],
    columns=["system", "topic_id", "document_id", "rank"],
)
STUDY = Study("made up", LABELS, (0, 1, 2), RUNS)


def test_each_kind_says_what_it_is_called():
    given, scale, rng = np.array([0, 1, 2]), np.array([0, 1, 2]), np.random.default_rng(1)
    said = {name: list(say(given, scale, rng)) for name, say in PLANTED.items()}
    assert said["lenient"] == [1, 2, 2]
    assert said["strict"] == [0, 0, 1]
    assert (said["one level"], said["top level"]) == ([1, 1, 1], [2, 2, 2])
    assert set(said["careless"]) <= {0, 1, 2}


def test_one_more_assessor_has_judged_items_of_half_of_the_topics():
    labels = plant(STUDY, "top level", 1.0, np.random.default_rng(1))
    own = labels[labels["assessor_id"] == "planted"]
    assert own[["document_id", "level"]].to_numpy().tolist() == [["d1", 2], ["d2", 2], ["d3", 2]]
    mean = combine(STUDY, labels, "mean")
    is_own = mean.frame["topic_id"] == own["topic_id"].iloc[0]
    assert mean.frame.loc[is_own, "level"].tolist() == pytest.approx([2 / 3, 4 / 3, 2])
    assert mean.frame.loc[~is_own, "level"].tolist() == [0, 1, 2]


def test_errors_are_those_of_the_levels():
    rows = pd.DataFrame([row for row in compare(STUDY, 1) if row["share"] == 1.0])
    top = rows[rows["planted"] == "top level"].set_index("by")["level"]
    assert top["maximum"] == pytest.approx((2 + 1 + 0) / 6 / 2)
    assert top["mean"] == pytest.approx((2 / 3 + 1 / 3 + 0) / 6 / 2)
    assert top["minimum"] == 0
    assert set(rows["by"]) == set(WAYS)
    unchanged = rows[(rows["planted"] == "strict") & (rows["by"] == "maximum")].iloc[0]
    assert (unchanged["level"], unchanged["score"], unchanged["pairs"]) == (0, 0, 0)


def test_planting_leaves_the_study_as_it_is():
    before = hash_rows(STUDY.labels)
    plant(STUDY, "careless", 1.0, np.random.default_rng(2))
    assert hash_rows(STUDY.labels) == before
