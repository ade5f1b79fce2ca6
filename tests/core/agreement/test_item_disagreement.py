"""The spread of levels on an item, against plain loops over pairs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agreement.item_disagreement import item_spread
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
