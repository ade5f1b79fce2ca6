"""Laws over the registry of coefficients."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.agreement.coefficients import COEFFICIENTS, Kappa, Raw
from core.agreement.pairwise import cohen_kappa, kappa_interval, raw_agreement, raw_interval
from core.errors import BadInput

TEXTS = [
    "kappa",
    "kappa(linear)",
    "kappa(quadratic)",
    "kappa(binary>=1)",
    "raw",
    "raw(binary>=2)",
]
every = pytest.mark.parametrize("text", TEXTS)
stacks = arrays(np.float64, (4, 3, 3), elements=st.integers(0, 9).map(float))


def test_every_entry_is_tried():
    assert {COEFFICIENTS.parse(text).name for text in TEXTS} == set(COEFFICIENTS.names())


@every
def test_text_round_trip(text):
    value = COEFFICIENTS.parse(text)
    assert str(value) == text
    assert COEFFICIENTS.parse(str(value)) == value
    assert hash(COEFFICIENTS.parse(text)) == hash(value)


def test_one_coefficient_has_one_spelling():
    assert COEFFICIENTS.parse("kappa( binary >= 02 )") == Kappa("binary>=2")
    assert str(COEFFICIENTS.parse("kappa(binary>=-1)")) == "kappa(binary>=-1)"
    assert str(COEFFICIENTS.parse("kappa(unweighted)")) == "kappa"


@pytest.mark.parametrize(
    "text", ["kappa(cubic)", "kappa(3)", "raw(linear)", "raw(quadratic)", "pi"]
)
def test_unknown_ones_are_refused(text):
    with pytest.raises(BadInput):
        COEFFICIENTS.parse(text)


@pytest.mark.parametrize("weighting", ["unweighted", "linear", "quadratic", "binary>=3"])
def test_kappa_is_cohens(weighting):
    counts, levels = np.random.default_rng(1).integers(0, 30, (5, 3, 3)), (0, 1, 3)
    coefficient = Kappa(weighting)
    np.testing.assert_array_equal(
        coefficient.value(counts, levels), cohen_kappa(counts, weighting, levels)
    )
    np.testing.assert_array_equal(
        coefficient.interval(counts, levels), kappa_interval(counts, weighting, levels)
    )


def test_raw_is_raw_agreement():
    counts, levels = np.random.default_rng(2).integers(0, 30, (5, 3, 3)), (0, 1, 3)
    for weighting in ("unweighted", "binary>=3"):
        value, limits = (
            Raw(weighting).value(counts, levels),
            Raw(weighting).interval(counts, levels),
        )
        np.testing.assert_array_equal(value, raw_agreement(counts, weighting, levels))
        np.testing.assert_array_equal(limits, raw_interval(counts, weighting, levels))


@every
@given(stacks)
def test_bounds_and_undefined_cases(text, counts):
    coefficient = COEFFICIENTS.parse(text)
    value = coefficient.value(counts, (0, 1, 2))
    low, high = coefficient.interval(counts, (0, 1, 2))
    assert value.shape == low.shape == high.shape == (4,)
    defined = ~np.isnan(value)
    assert (np.abs(value[defined]) <= 1 + 1e-12).all()
    assert (low[defined] <= value[defined] + 1e-12).all()
    assert (value[defined] <= high[defined] + 1e-12).all()
    np.testing.assert_array_equal(np.isnan(low), ~defined)


@every
def test_perfect_agreement_is_one(text):
    assert COEFFICIENTS.parse(text).value(np.diag([4.0, 5.0, 6.0]), (0, 1, 2)) == pytest.approx(1)


@every
@given(stacks)
def test_symmetry(text, counts):
    coefficient = COEFFICIENTS.parse(text)
    np.testing.assert_allclose(
        coefficient.value(counts, (0, 1, 2)),
        coefficient.value(counts.swapaxes(-1, -2), (0, 1, 2)),
        atol=1e-12,
    )


@every
@given(stacks)
def test_parts_are_finite_so_that_they_add_up(text, counts):
    reached, possible = COEFFICIENTS.parse(text).parts(
        counts * [[[1]], [[1]], [[1]], [[0]]], (0, 1, 2)
    )
    assert np.isfinite(reached).all()
    assert (possible >= -1e-9).all()
    assert reached[3] == possible[3] == 0


@every
def test_every_coefficient_says_how_and_when(text):
    coefficient = COEFFICIENTS.parse(text)
    assert coefficient.analytic
    assert coefficient.undefined
