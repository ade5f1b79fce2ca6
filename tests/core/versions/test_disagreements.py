"""Items on which assessors disagree."""

import numpy as np
import pandas as pd

from core.versions.disagreements import list_disagreements

COLUMNS = ["assessor_id", "document_id", "level"]


def labels_of(rows, **columns):
    frame = pd.DataFrame(rows, columns=COLUMNS).astype({"level": "float64"})
    plain = {"topic_id": "t", "facet": "page", "engine": "", "occasion": 0, "state": "level"}
    return frame.assign(**{**plain, **columns})


def test_the_widest_come_first():
    labels = labels_of(
        [
            *[("a", "near", 1), ("b", "near", 2)],
            *[("a", "far", 0), ("b", "far", 3)],
            *[("a", "alike", 2), ("b", "alike", 2)],
            *[("a", "alone", 2)],
            *[("a", "between", 0), ("b", "between", 2), ("c", "between", 3)],
        ]
    )
    table = list_disagreements(labels, "page")
    assert table["document_id"].tolist() == ["far", "between", "near"]
    assert table.iloc[1].drop("document_id").tolist() == ["t", "page", "", 3, 0, 3, 3]
    assert list_disagreements(labels, "snippet").empty


def test_only_opinions_count():
    labels = labels_of([("a", "x", 0), ("b", "x", 3), ("a", "y", 0), ("a", "y", 3)])
    labels.loc[1, ["state", "level"]] = ["cannot judge", np.nan]
    labels.loc[3, "occasion"] = 1
    assert list_disagreements(labels, "page").empty


def test_snippets_of_different_engines_are_different_items():
    labels = labels_of([("a", "x", 0), ("b", "x", 3)], facet="snippet", engine=["e1", "e2"])
    assert list_disagreements(labels, "snippet").empty
