from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agreement import confusion
from core.agreement.confusion import confusion_matrices, label_pairs
from core.agreement.ratings import ratings_from_labels
from core.errors import BadInput, TooLittleData
from tests.each import each

ROWS = [
    ("t1", "d1", "a", 0),
    ("t1", "d1", "b", 1),
    ("t1", "d2", "a", 2),
    ("t1", "d2", "b", 2),
    ("t1", "d2", "c", 0),
    ("t2", "d1", "a", 2),
    ("t2", "d1", "b", 2),
    ("t2", "d3", "d", 1),
]
keys = st.tuples(st.sampled_from("tu"), st.sampled_from("defgh"), st.sampled_from("abcd"))


def count_slowly(rows, size):
    """Count each cell by a plain loop over every two labels."""
    cells = {}
    for one, other in combinations(sorted(rows, key=lambda row: row[2]), 2):
        if one[:2] == other[:2]:
            matrix = cells.setdefault((one[2], other[2], one[0]), np.zeros((size, size)))
            matrix[int(one[3]), int(other[3])] += 1
    return cells


def as_cells(matrices):
    names = matrices.assessors
    blocks = zip(matrices.first, matrices.second, matrices.topic, matrices.counts, strict=True)
    return {(names[a], names[b], matrices.topics[t]): counts for a, b, t, counts in blocks}


@given(st.dictionaries(keys, st.integers(0, 2)))
def test_counts_equal_a_plain_loop(make_labels, labels):
    rows = [(*key, level) for key, level in labels.items()]
    if len({row[2] for row in rows}) < 2:
        return
    matrices = confusion_matrices(ratings_from_labels(make_labels(rows), "page", [0, 1, 2]))
    expected = count_slowly(rows, 3)
    found = as_cells(matrices)
    assert found.keys() == expected.keys()
    for key, counts in found.items():
        np.testing.assert_array_equal(counts, expected[key])
    assert list(found) == sorted(found)


def test_counting_in_small_portions_changes_nothing(make_labels, monkeypatch):
    ratings = ratings_from_labels(make_labels(ROWS), "page")
    whole = confusion_matrices(ratings).counts
    monkeypatch.setattr(confusion, "_PAIRS_AT_ONCE", 1)
    assert len(list(label_pairs(ratings))) == 3
    np.testing.assert_array_equal(confusion_matrices(ratings).counts, whole)


def test_matrix_of_two_assessors_has_the_first_named_as_rows(make_labels):
    matrices = confusion_matrices(ratings_from_labels(make_labels(ROWS), "page")).by_pair()
    np.testing.assert_array_equal(matrices.matrix("a", "b"), [[0, 1, 0], [0, 0, 0], [0, 0, 2]])
    np.testing.assert_array_equal(matrices.matrix("b", "a"), [[0, 0, 0], [1, 0, 0], [0, 0, 2]])
    np.testing.assert_array_equal(matrices.matrix("c", "d"), np.zeros((3, 3)))


@each("names", [("a", "a"), ("a", "x"), ("x", "a")])
def test_matrix_needs_two_known_assessors(make_labels, names):
    matrices = confusion_matrices(ratings_from_labels(make_labels(ROWS), "page")).by_pair()
    with pytest.raises(BadInput, match="not one of two assessors"):
        matrices.matrix(*names)


def test_pairs_without_common_items_can_be_shown(make_labels):
    shared = confusion_matrices(ratings_from_labels(make_labels(ROWS), "page")).by_pair()
    every = shared.with_every_pair()
    assert len(shared.counts) == 3
    assert every.counts.sum(axis=(1, 2)).tolist() == [3, 1, 0, 1, 0, 0]
    assert every.first.tolist() == [0, 0, 0, 1, 1, 2]


def test_no_overlap_gives_no_matrices(make_labels):
    rows = [("t", "d1", "a", 0), ("t", "d2", "b", 1)]
    matrices = confusion_matrices(ratings_from_labels(make_labels(rows), "page"))
    assert matrices.counts.shape == (0, 2, 2)
    assert matrices.by_pair().counts.shape == (0, 2, 2)


def test_one_assessor_is_too_little(make_labels):
    with pytest.raises(TooLittleData, match="only a has given"):
        confusion_matrices(ratings_from_labels(make_labels(ROWS[:1]), "page"))
    with pytest.raises(TooLittleData, match="nobody has given"):
        confusion_matrices(ratings_from_labels(make_labels([]), "page"))


@given(st.dictionaries(keys, st.integers(0, 2)))
def test_a_table_too_large_to_lay_out_is_counted_alike(make_labels, labels):
    """With very many assessors most cells stay empty; then only the others are held."""
    rows = [(*key, level) for key, level in labels.items()]
    if len({row[2] for row in rows}) < 2:
        return
    ratings = ratings_from_labels(make_labels(rows), "page", [0, 1, 2])
    laid_out = confusion_matrices(ratings)
    for limits in ({"_CELLS_AT_ONCE": 0}, {"_FEW_PAIRS": 1}, {"_FEW_PAIRS": 3}):
        with pytest.MonkeyPatch.context() as patch:
            for name, limit in limits.items():
                patch.setattr(confusion, name, limit)
            other = confusion_matrices(ratings)
        for part in ("first", "second", "topic", "counts"):
            assert np.array_equal(getattr(laid_out, part), getattr(other, part))
