import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.agreement.overlap import overlap, overlap_ceiling

matrices = arrays(np.int64, (3, 3), elements=st.integers(0, 9))


def share(part, whole):
    return part / whole if whole else np.nan


@given(matrices, st.integers(0, 3))
def test_sets_written_out(matrix, level):
    items = [cell for cell in np.ndindex(3, 3) for _ in range(matrix[cell])]
    first = {at for at, (one, _) in enumerate(items) if one >= level}
    second = {at for at, (_, other) in enumerate(items) if other >= level}
    both, either = len(first & second), len(first | second)
    found = overlap_ceiling(matrix, level)
    values = (overlap(matrix, level), *found)
    expected = (
        share(both, either),
        share(both, len(second)),
        share(both, len(first)),
        share(2 * both, len(first) + len(second)),
    )
    np.testing.assert_allclose(values, expected)


@given(matrices, st.integers(0, 2))
def test_exchanging_the_assessors_exchanges_precision_and_recall(matrix, level):
    one, other = overlap_ceiling(matrix, level), overlap_ceiling(matrix.T, level)
    np.testing.assert_allclose(
        [one.precision, one.recall, one.f], [other.recall, other.precision, other.f]
    )


def test_grades_not_positions_and_many_at_once():
    stack = np.array([[[5, 1], [2, 3]], [[0, 0], [0, 0]]])
    np.testing.assert_allclose(overlap(stack, 4, (1, 4)), [0.5, np.nan])
    assert overlap_ceiling(stack, 4, (1, 4)).precision.shape == (2,)


def test_nothing_relevant_has_no_overlap():
    assert np.isnan(overlap(np.diag([4, 0]), 1))
    one_sided = overlap_ceiling(np.array([[3, 0], [2, 0]]), 1)
    assert (np.isnan(one_sided.precision), one_sided.recall, one_sided.f) == (True, 0, 0)
    assert overlap(np.diag([4, 2]), 1) == pytest.approx(1)
