"""Laws over the registry of coefficients."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.agreement.base import (
    COEFFICIENTS,
    PairCoefficient,
    PanelCoefficient,
    name_coefficient,
    suggest_coefficients,
)
from core.agreement.coefficients import (
    AC1,
    AC2,
    Alpha,
    Fleiss,
    Kappa,
    Overlap,
    Pi,
    Randolph,
    Raw,
)
from core.agreement.multi_rater import (
    METRICS,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    randolph_kappa,
)
from core.agreement.multi_rater_counts import sum_items
from core.agreement.overall import measure_agreement
from core.agreement.overlap import overlap
from core.agreement.pairwise import (
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

EVERY = [text for entry in COEFFICIENTS for text in entry.examples]
PAIR = [text for text in EVERY if isinstance(COEFFICIENTS.parse(text), PairCoefficient)]
DIRECTED = [text for text in PAIR if COEFFICIENTS.parse(text).symmetry == "none"]

every = pytest.mark.parametrize("text", EVERY)
pair = pytest.mark.parametrize("text", PAIR)
stacks = arrays(np.float64, (4, 3, 3), elements=st.integers(0, 9).map(float))
# One row for each item, one column for each assessor; −1 is no label. Items 0–3 are of topic t0.
tables = arrays(np.int64, (8, 4), elements=st.integers(-1, 2))


def as_rows(table, names="abcd"):
    return [
        (f"t{item // 4}", f"d{item}", names[at], float(table[item, at]))
        for item, at in np.argwhere(table >= 0)
    ]


def measure(make_labels, rows):
    """Return value and reason of every coefficient over labels, the way the application takes."""
    rows = [*rows, *(("t9", f"only {name}", name, 0.0) for name in "ab")]
    ratings = ratings_from_labels(make_labels(rows), "page", (0, 1, 2))
    known = [COEFFICIENTS.parse(text) for text in EVERY]
    table = measure_agreement(ratings, known)
    return table.set_index("coefficient")[["value", "reason"]]


@each("entry", list(COEFFICIENTS), ids=lambda entry: entry.name)
def test_every_coefficient_describes_itself(entry):
    assert entry.description
    assert entry.reference
    assert {type(COEFFICIENTS.parse(text)) for text in entry.examples} == {entry}
    suggested = [text.format(level=1) for text in entry.suggested]
    assert {type(COEFFICIENTS.parse(text)) for text in suggested} <= {entry}


def test_what_is_suggested_for_a_scale():
    pair, panel = suggest_coefficients((0, 1, 3), binary_at=3)
    offered = {entry.name for entry in COEFFICIENTS if entry.suggested or entry.binarised}
    assert {type(one).name for one in (*pair, *panel)} == offered
    assert {str(one) for one in pair} >= {
        *("kappa", "kappa(linear)", "kappa(quadratic)", "pi", "raw", "overlap>=1", "overlap>=3"),
        *("kappa(binary>=3)", "raw(binary>=3)"),
    }
    assert not any("binary" in str(one) for one in suggest_coefficients((0, 1, 3))[0])
    assert all(isinstance(one, PanelCoefficient) for one in panel)


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
    assert COEFFICIENTS.parse("pi( binary >= 02 )") == Pi("binary>=2")
    assert COEFFICIENTS.parse("overlap>=02") == Overlap(2)
    assert COEFFICIENTS.parse("alpha( nominal )") == Alpha("nominal")


@each(
    "text",
    [
        *("kappa(cubic)", "kappa(3)", "raw(linear)", "raw(quadratic)", "pi(cubic)", "gamma"),
        *("alpha", "alpha(ratio)", "AC2", "AC2(unweighted)", "AC1(linear)", "overlap", "fleiss@3"),
    ],
)
def test_unknown_ones_are_refused(text):
    with pytest.raises(BadInput):
        COEFFICIENTS.parse(text)


@each("weighting", ["unweighted", "linear", "quadratic", "binary>=3"])
def test_kappa_is_cohens_and_pi_scotts(weighting):
    counts, levels = np.random.default_rng(1).integers(0, 30, (5, 3, 3)), (0, 1, 3)
    given = (counts, weighting, levels)
    kappa, pi = Kappa(weighting), Pi(weighting)
    np.testing.assert_array_equal(kappa.value(counts, levels), cohen_kappa(*given))
    np.testing.assert_array_equal(kappa.interval(counts, levels), kappa_interval(*given))
    np.testing.assert_array_equal(
        kappa.interval(counts, levels, "fleiss1969"), kappa_interval(*given, "fleiss1969")
    )
    np.testing.assert_array_equal(pi.value(counts, levels), scott_pi(*given))
    np.testing.assert_array_equal(pi.interval(counts, levels, "fleiss1969"), pi_interval(*given))


def test_shares_of_items_are_raw_agreement_and_overlap():
    counts, levels = np.random.default_rng(2).integers(0, 30, (5, 3, 3)), (0, 1, 3)
    for weighting in ("unweighted", "binary>=3"):
        given = (counts, weighting, levels)
        raw = Raw(weighting)
        np.testing.assert_array_equal(raw.value(counts, levels), raw_agreement(*given))
        np.testing.assert_array_equal(raw.interval(counts, levels), raw_interval(*given))
    np.testing.assert_array_equal(Overlap(3).value(counts, levels), overlap(counts, 3, levels))


def test_panel_coefficients_are_the_functions_of_their_names():
    sums = sum_items(np.random.default_rng(3).integers(0, 3, (9, 3)), (0, 1, 3))
    for metric in METRICS:
        assert Alpha(metric).value(sums) == krippendorff_alpha(sums, metric)
    assert Fleiss().value(sums) == fleiss_kappa(sums)
    assert Randolph().value(sums) == randolph_kappa(sums)
    assert AC1().value(sums) == gwet_ac(sums)
    assert AC2("quadratic").value(sums) == gwet_ac(sums, "quadratic")


@pair
@given(stacks)
def test_bounds_and_undefined_cases_of_pairs(text, counts):
    coefficient = COEFFICIENTS.parse(text)
    value = coefficient.value(counts, (0, 1, 2))
    for formula in coefficient.formulas:
        low, high = coefficient.interval(counts, (0, 1, 2), formula)
        assert value.shape == low.shape == high.shape == (4,)
        defined = ~np.isnan(value)
        assert (np.abs(value[defined]) <= 1 + 1e-12).all()
        assert (low[defined] <= value[defined] + 1e-12).all()
        assert (value[defined] <= high[defined] + 1e-12).all()
        np.testing.assert_array_equal(np.isnan(low), ~defined)


@pair
@given(stacks)
def test_exchanging_two_assessors_changes_nothing(text, counts):
    coefficient = COEFFICIENTS.parse(text)
    exchanged = counts.swapaxes(-1, -2)
    for statistic in (coefficient.value, coefficient.interval):
        np.testing.assert_allclose(
            statistic(counts, (0, 1, 2)), statistic(exchanged, (0, 1, 2)), atol=1e-9
        )


@pair
@given(stacks)
def test_parts_are_finite_so_that_they_add_up(text, counts):
    reached, possible = COEFFICIENTS.parse(text).parts(
        counts * [[[1]], [[1]], [[1]], [[0]]], (0, 1, 2)
    )
    assert np.isfinite(reached).all()
    assert (possible >= -1e-9).all()
    assert reached[3] == possible[3] == 0


@given(tables, st.permutations("abcd"), st.permutations(range(8)), st.randoms())
def test_order_and_names_of_items_and_assessors_change_nothing(
    make_labels, table, names, items, random
):
    found = measure(make_labels, as_rows(table))
    missing = found["value"].isna()
    assert (found["reason"][missing] != "").all()
    assert (found["value"][~missing] <= 1 + 1e-9).all()
    renamed = [
        (topic, f"d{items[int(item[1:])]}", who, level)
        for topic, item, who, level in as_rows(table, names)
    ]
    random.shuffle(renamed)
    again = measure(make_labels, renamed)
    np.testing.assert_allclose(again["value"], found["value"], atol=1e-9)


@every
@given(table=tables, order=st.permutations(range(3)))
def test_exchanging_the_names_of_levels(make_labels, text, table, order):
    coefficient = COEFFICIENTS.parse(text)
    order = {"none": [0, 1, 2], "reversal": [2, 1, 0], "any": order}[coefficient.symmetry]
    renamed = np.where(table >= 0, np.array(order)[table], -1)
    if isinstance(coefficient, PanelCoefficient):
        values = [coefficient.value(sum_items(count(levels))) for levels in (table, renamed)]
    else:
        values = [coefficient.value(cross(levels), (0, 1, 2)) for levels in (table, renamed)]
    np.testing.assert_allclose(values[0], values[1], atol=1e-9)


@each("text", DIRECTED)
def test_directed_ones_tell_the_top_from_the_bottom(text):
    matrix = np.array([[9.0, 3.0, 1.0], [2.0, 4.0, 5.0], [0.0, 1.0, 2.0]])
    coefficient = COEFFICIENTS.parse(text)
    value, turned = (coefficient.value(m, (0, 1, 2)) for m in (matrix, matrix[::-1, ::-1]))
    assert value != pytest.approx(turned, abs=1e-3)


@given(st.lists(st.integers(0, 2), min_size=8, max_size=8).filter(lambda x: {0, 1, 2} <= {*x}))
def test_perfect_agreement_is_one(make_labels, levels):
    table = np.repeat(np.array(levels)[:, np.newaxis], 4, axis=1)
    found = measure(make_labels, as_rows(table))
    np.testing.assert_allclose(found["value"], 1)


def test_one_level_only(make_labels):
    found = measure(make_labels, as_rows(np.zeros((8, 4), dtype=np.int64)))
    for text, reason in found.loc[found["value"].isna(), "reason"].items():
        assert reason == COEFFICIENTS.parse(text).undefined
    expected = [COEFFICIENTS.parse(text).one_level for text in found.index]
    np.testing.assert_allclose(found["value"], expected)


@each("rows", [[], [("t", "d", "a", 1.0), ("t", "e", "b", 1.0)]])
def test_no_common_items_give_no_value_but_a_reason(make_labels, rows):
    found = measure(make_labels, rows)
    assert found["value"].isna().all()
    assert (found["reason"] != "").all()


@every
def test_every_coefficient_says_how_and_when(text):
    coefficient = COEFFICIENTS.parse(text)
    assert coefficient.undefined
    if isinstance(coefficient, PairCoefficient):
        assert coefficient.choose_formula("") == coefficient.formulas[0]


def count(table):
    return np.stack([(table == level).sum(axis=1) for level in range(3)], axis=1)


def cross(table):
    """Return the confusion matrix of the first two columns."""
    both = table[(table[:, 0] >= 0) & (table[:, 1] >= 0)]
    matrix = np.zeros((3, 3))
    np.add.at(matrix, (both[:, 0], both[:, 1]), 1)
    return matrix


@each(
    ("text", "name"),
    [
        ("kappa", "unweighted κ"),
        ("kappa(linear)", "linear weighted κ"),
        ("kappa(binary>=2)", "κ from level 2"),
        ("pi", "Scott's π"),
        ("AC1", "AC1"),
        ("AC2(linear)", "linear weighted AC2"),
        ("raw", "raw agreement"),
        ("overlap>=1", "overlap from level 1"),
        ("alpha(ordinal)", "Krippendorff's α (ordinal)"),
    ],
)
def test_a_coefficient_is_called_by_its_standard_name(text: str, name: str):
    assert name_coefficient(text) == name
