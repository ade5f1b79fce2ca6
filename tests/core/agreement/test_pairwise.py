"""Cohen's κ and raw agreement against a paper's table, statsmodels and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from core.agreement.confusion import confusion_matrices
from core.agreement.pairwise import (
    agreement_weights,
    cohen_kappa,
    kappa_interval,
    pi_interval,
    raw_agreement,
    raw_interval,
    scott_pi,
)
from core.agreement.ratings import ratings_from_labels
from core.errors import BadInput
from tests.each import each

# Sakai (2017), EVIA, Table 1: matrix; linear κ, low, high; binary κ, low, high; binary raw.
SAKAI_2017 = [
    (
        [[3991, 1354, 487], [947, 1260, 882], [447, 1047, 799]],
        (0.336, 0.322, 0.351),
        (0.424, 0.407, 0.441),
        0.712,
    ),
    (
        [[3406, 1540, 886], [1051, 1100, 938], [416, 787, 1090]],
        (0.283, 0.268, 0.298),
        (0.309, 0.292, 0.327),
        0.653,
    ),
    (
        [[3215, 1232, 938], [1203, 1415, 1043], [455, 780, 933]],
        (0.261, 0.246, 0.276),
        (0.314, 0.296, 0.331),
        0.659,
    ),
]
WEIGHTINGS = ["unweighted", "linear", "quadratic", "binary>=1", "binary>=2"]
STATSMODELS = {"unweighted": None, "linear": "linear", "quadratic": "quadratic"}
matrices = st.integers(2, 5).flatmap(
    lambda size: arrays(np.float64, (size, size), elements=st.integers(0, 60).map(float))
)
weightings = st.sampled_from(WEIGHTINGS)


def kappa_slowly(matrix, weights):
    """Write κ's definition out cell by cell; None where it has none."""
    total = sum(map(sum, matrix))
    cells = [(i, j) for i in range(len(matrix)) for j in range(len(matrix))]
    if not total:
        return None
    rows = [sum(row) / total for row in matrix]
    columns = [sum(row[j] for row in matrix) / total for j in range(len(matrix))]
    chance = sum(weights[i][j] * rows[i] * columns[j] for i, j in cells)
    observed = sum(weights[i][j] * matrix[i][j] / total for i, j in cells)
    return None if 1 - chance < 1e-12 else (observed - chance) / (1 - chance)


@each(("matrix", "linear", "binary", "raw"), SAKAI_2017)
def test_sakai_table_1_to_the_printed_digit(matrix, linear, binary, raw):
    matrix = np.array(matrix)
    for weighting, printed in (("linear", linear), ("binary>=1", binary)):
        values = cohen_kappa(matrix, weighting), *kappa_interval(matrix, weighting)
        assert tuple(round(float(value), 3) for value in values) == printed
    assert round(float(raw_agreement(matrix, "binary>=1")), 3) == raw


def test_many_matrices_at_once_equal_one_by_one():
    stack = np.array([[case[0] for case in SAKAI_2017]] * 2)
    together = cohen_kappa(stack, "linear")
    assert together.shape == (2, 3)
    assert together[1].tolist() == [float(cohen_kappa(each, "linear")) for each in stack[0]]


@each("weighting", STATSMODELS)
def test_dl19_equals_statsmodels_for_every_pair(dl19_labels, weighting):
    pairs = confusion_matrices(ratings_from_labels(dl19_labels, "page", range(4))).by_pair()
    values = cohen_kappa(pairs.counts, weighting)
    compared = 0
    for matrix, value in zip(pairs.counts, values, strict=True):
        if not np.isnan(value):
            oracle = cohens_kappa(matrix, wt=STATSMODELS[weighting], return_results=False)
            assert value == pytest.approx(oracle, abs=1e-9)
            compared += 1
    assert compared >= 4


@given(matrices, st.sampled_from(list(STATSMODELS)))
def test_random_matrices_equal_statsmodels(matrix, weighting):
    value = float(cohen_kappa(matrix, weighting))
    if not np.isnan(value):
        oracle = cohens_kappa(matrix, wt=STATSMODELS[weighting], return_results=False)
        assert value == pytest.approx(oracle, abs=1e-9)


@given(matrices, st.sampled_from(list(STATSMODELS)))
def test_interval_of_1969_equals_statsmodels(matrix, weighting):
    low, high = kappa_interval(matrix, weighting, formula="fleiss1969")
    assert np.isnan(low) == np.isnan(high) == np.isnan(cohen_kappa(matrix, weighting))
    if not np.isnan(low):
        with np.errstate(invalid="ignore", divide="ignore"):  # its z value, which is not used
            oracle = cohens_kappa(matrix, wt=STATSMODELS[weighting])
        half = 1.959963984540054 * np.sqrt(max(oracle.var_kappa, 0))
        assert float(low) == pytest.approx(oracle.kappa - half, abs=1e-7)
        assert float(high) == pytest.approx(oracle.kappa + half, abs=1e-7)


def test_interval_of_1969_of_a_published_table():
    # irrCAC 1.0 (Gwet), vignette "overview": two abstractors, standard error of Cohen's kappa.
    low, high = kappa_interval([[13, 0, 0], [0, 20, 7], [0, 4, 56]], formula="fleiss1969")
    assert round(float(high - low) / 2 / 1.959963984540054, 8) == 0.05891072


def test_an_unknown_interval_is_refused():
    with pytest.raises(BadInput, match="'exact' is not an interval; known are cohen1968"):
        kappa_interval(np.eye(2), formula="exact")


@given(matrices, weightings)
def test_value_equals_the_definition_written_out(matrix, weighting):
    weights = agreement_weights(weighting, range(len(matrix)))
    expected = kappa_slowly(matrix.tolist(), weights.tolist())
    value = float(cohen_kappa(matrix, weighting))
    assert value == pytest.approx(np.nan if expected is None else expected, abs=1e-12, nan_ok=True)


@given(matrices, weightings)
def test_exchanging_the_assessors_changes_nothing(matrix, weighting):
    for statistic in (cohen_kappa, kappa_interval, raw_agreement, raw_interval):
        np.testing.assert_allclose(
            statistic(matrix, weighting), statistic(matrix.T, weighting), atol=1e-12
        )


@given(matrices, st.sampled_from(["unweighted", "linear", "quadratic"]))
def test_reversing_the_scale_changes_nothing(matrix, weighting):
    np.testing.assert_allclose(
        cohen_kappa(matrix, weighting), cohen_kappa(matrix[::-1, ::-1], weighting), atol=1e-12
    )


@given(matrices, weightings)
def test_value_is_at_most_one_and_inside_its_interval(matrix, weighting):
    value = cohen_kappa(matrix, weighting)
    low, high = kappa_interval(matrix, weighting)
    if not np.isnan(value):
        assert value <= 1 + 1e-12
        assert low <= value <= high
    assert np.isnan(low) == np.isnan(high) == np.isnan(value)


@given(st.lists(st.integers(1, 50), min_size=3, max_size=5), weightings)
def test_perfect_agreement_is_one(diagonal, weighting):
    matrix = np.diag(diagonal)
    assert cohen_kappa(matrix, weighting) == pytest.approx(1)
    assert np.ravel(kappa_interval(matrix, weighting)) == pytest.approx([1, 1])
    assert raw_agreement(matrix, weighting) == 1


def test_unused_levels_at_an_end_change_nothing():
    matrix = np.array(SAKAI_2017[0][0])
    padded = np.pad(matrix, ((0, 2), (0, 2)))
    assert cohen_kappa(padded, "linear") == pytest.approx(float(cohen_kappa(matrix, "linear")))
    assert kappa_interval(padded, "linear") == pytest.approx(kappa_interval(matrix, "linear"))


def test_binary_weighting_reads_grades_not_positions():
    matrix = np.array(SAKAI_2017[0][0])
    by_grade = cohen_kappa(matrix, "binary>=3", levels=[-2, 3, 5])
    assert by_grade == cohen_kappa(matrix, "binary>=1")
    assert cohen_kappa(matrix, "binary>=-1", levels=[-2, 3, 5]) == by_grade


@each("weighting", WEIGHTINGS)
@each("matrix", [np.zeros((3, 3)), np.diag([7, 0, 0]), [[7]]])
def test_one_level_or_no_items_have_no_kappa(matrix, weighting):
    assert np.isnan(cohen_kappa(np.array(matrix), weighting))
    assert np.isnan(kappa_interval(np.array(matrix), weighting)).all()


def test_one_constant_assessor_agrees_by_chance_only():
    assert cohen_kappa(np.array([[3, 4], [0, 0]])) == 0


def test_weights_by_hand():
    assert agreement_weights("linear", [0, 1, 2])[0].tolist() == [1, 0.5, 0]
    assert agreement_weights("quadratic", [0, 1, 2])[0].tolist() == [1, 0.75, 0]
    assert agreement_weights("binary >= 1", [0, 1, 2])[1].tolist() == [0, 1, 1]


@each("weighting", ["cubic", "binary", "binary>=x", "binary>=1.5", ""])
def test_an_unknown_weighting_is_refused(weighting):
    with pytest.raises(BadInput, match="is not a weighting; known are unweighted, linear"):
        agreement_weights(weighting, [0, 1])


def test_raw_interval_is_wilsons():
    # 15 of 20: textbook score limits .531 and .888.
    low, high = raw_interval(np.array([[10, 3], [2, 5]]))
    assert (round(float(low), 3), round(float(high), 3)) == (0.531, 0.888)
    assert np.isnan(raw_interval(np.zeros((2, 2)))).all()
    assert np.isnan(raw_agreement(np.zeros((2, 2))))


# irrCAC 1.0 (Gwet), vignette "overview": two abstractors, 100 records.
ABSTRACTORS = np.array([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
PI_WEIGHTINGS = ["unweighted", "linear", "quadratic", "binary>=1"]
three_levels = arrays(np.float64, (3, 3), elements=st.integers(0, 40).map(float))
full_matrices = arrays(np.float64, (3, 3), elements=st.integers(1, 40).map(float))


def test_value_and_interval_of_a_published_table():
    assert round(float(scott_pi(ABSTRACTORS)), 7) == 0.7962397
    low, high = pi_interval(ABSTRACTORS)
    assert round(float(high - low) / 2 / 1.959963984540054, 8) == 0.05905473


@given(three_levels)
def test_two_raters_are_fleiss_with_two(matrix):
    level, counts = np.eye(3), matrix.astype(int)
    items = [level[i] + level[j] for i, j in np.ndindex(3, 3) for _ in range(counts[i, j])]
    value = float(scott_pi(matrix))
    if not np.isnan(value):
        assert value == pytest.approx(fleiss_kappa(np.array(items)), abs=1e-9)


@given(three_levels, st.sampled_from(PI_WEIGHTINGS))
def test_symmetric_margins_make_it_cohens(matrix, weighting):
    symmetric = matrix + matrix.T
    np.testing.assert_allclose(
        scott_pi(symmetric, weighting), cohen_kappa(symmetric, weighting), atol=1e-12
    )


@given(full_matrices, st.sampled_from(PI_WEIGHTINGS))
def test_interval_is_that_of_the_numerical_derivative(matrix, weighting):
    total, shares = matrix.sum(), matrix / matrix.sum()
    slopes = np.zeros((3, 3))
    for cell in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[cell] = 1e-6
        ends = [scott_pi(shares + sign * step, weighting) for sign in (1, -1)]
        slopes[cell] = (ends[0] - ends[1]) / 2e-6
    variance = (shares * slopes**2).sum() - (shares * slopes).sum() ** 2
    low, high = pi_interval(matrix, weighting)
    half = 1.959963984540054 * np.sqrt(max(variance, 0) / total)
    assert float(high - low) / 2 == pytest.approx(half, abs=1e-5)
    assert float(high + low) / 2 == pytest.approx(float(scott_pi(matrix, weighting)), abs=1e-12)


@each("matrix", [np.zeros((3, 3)), np.diag([7, 0, 0]), np.array([[7]])])
def test_one_level_or_no_items_have_no_pi(matrix):
    assert np.isnan(scott_pi(matrix))
    assert np.isnan(pi_interval(matrix)).all()
