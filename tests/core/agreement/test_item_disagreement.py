"""The spread of levels on an item, against plain loops over pairs."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agreement.item_disagreement import item_spread, list_disagreements
from core.agreement.ratings import ratings_from_labels


def test_spread_by_hand(make_labels):
    rows = [("t", "far", "a", 0), ("t", "far", "b", 3), ("t", "far", "c", 1)]
    rows += [("t", "alone", "a", 3), ("t", "same", "a", 1), ("t", "same", "b", 1)]
    table = item_spread(ratings_from_labels(make_labels(rows), "page", (0, 1, 3)))
    assert table["document_id"].tolist() == ["alone", "far", "same"]
    assert table["labels"].tolist() == [1, 3, 2]
    # 3 is two steps above 0 on this scale.
    np.testing.assert_allclose(table["spread"], [np.nan, (2 + 1 + 1) / 3, 0])


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=5))
def test_spread_equals_the_mean_over_pairs(make_labels, items):
    rows = [
        ("t", f"d{at}", f"a{who}", level)
        for at, levels in enumerate(items)
        for who, level in enumerate(levels)
    ]
    table = item_spread(ratings_from_labels(make_labels(rows), "page", range(4)))
    for spread, levels in zip(table["spread"], items, strict=True):
        apart = [abs(one - other) for one, other in combinations(levels, 2)]
        expected = sum(apart) / len(apart) if apart else np.nan
        assert spread == pytest.approx(expected, nan_ok=True)


def test_nothing_judged_gives_an_empty_table(make_labels):
    assert item_spread(ratings_from_labels(make_labels([]), "page", (0, 1))).empty


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
