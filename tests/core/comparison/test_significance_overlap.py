import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.difference_tests import compare_systems
from core.comparison.power import discriminative_power
from core.comparison.score_matrix import score_matrix
from core.comparison.significance_overlap import SignificanceOverlap, significance_overlap
from core.errors import BadInput
from tests.each import each

SYSTEMS = [("a", "b"), ("a", "c"), ("b", "c")]


def pairs_of(p, difference=(0.1, 0.2, 0.1)) -> pd.DataFrame:
    table = pd.DataFrame(SYSTEMS, columns=["first", "second"])
    return table.assign(difference=difference, p=p)


def test_counts():
    overlap = significance_overlap(pairs_of([0.01, 0.02, 0.5]), pairs_of([0.2, 0.01, 0.03]))
    assert overlap == SignificanceOverlap(
        only_first=1, both=1, only_second=1, share=pytest.approx(1 / 3)
    )
    stricter = significance_overlap(pairs_of([0.01, 0.02, 0.5]), pairs_of([0.2, 0.01, 0.03]), 0.015)
    assert stricter == SignificanceOverlap(1, 0, 1, 0.0)


@each(
    ("counts", "printed"),
    [((2, 29, 2), "2/29/2 (87.9%)"), ((4, 27, 3), "4/27/3 (79.4%)"), ((8, 9, 3), "8/9/3 (45.0%)")],
)
def test_printed_as_in_sakai_s_table_4(counts, printed):
    assert str(SignificanceOverlap(*counts, share=counts[1] / sum(counts))) == printed


def test_nothing_significant():
    overlap = significance_overlap(pairs_of([0.5, 0.6, 0.7]), pairs_of([0.5, 0.6, 0.7]))
    assert math.isnan(overlap.share)
    assert str(overlap) == "0/0/0 (undefined)"


def test_the_order_within_a_pair_does_not_matter():
    pairs = pairs_of([0.01, 0.02, 0.5])
    turned = pairs.rename(columns={"first": "second", "second": "first"})
    turned["difference"] *= -1
    assert significance_overlap(pairs, turned.iloc[::-1]) == SignificanceOverlap(0, 2, 0, 1.0)


def test_opposite_directions_do_not_agree():
    overlap = significance_overlap(
        pairs_of([0.01, 0.01, 0.5]), pairs_of([0.01, 0.01, 0.5], difference=(-0.1, 0.2, 0.1))
    )
    assert overlap == SignificanceOverlap(1, 1, 1, pytest.approx(1 / 3))


chances = st.lists(st.sampled_from([0.01, 0.2]), min_size=3, max_size=3)


@given(chances, chances)
def test_laws(one, other):
    first, second = pairs_of(one), pairs_of(other)
    overlap, back = significance_overlap(first, second), significance_overlap(second, first)
    assert (overlap.only_first, overlap.both) == (back.only_second, back.both)
    assert overlap.only_first + overlap.both == discriminative_power(first)[0]
    assert overlap.only_second + overlap.both == discriminative_power(second)[0]
    assert math.isnan(overlap.share) or 0 <= overlap.share <= 1


def test_the_same_systems_only():
    with pytest.raises(BadInput, match="system 'c' is compared under one condition only"):
        significance_overlap(pairs_of([0.1] * 3), pairs_of([0.1] * 3).iloc[:1])


def test_dl19_first_against_second_assessor(dl19_scores):
    pairs = [
        compare_systems(score_matrix(dl19_scores[dl19_scores["version"] == version]))
        for version in ("slot 1", "slot 2")
    ]
    overlap = significance_overlap(*pairs)
    assert overlap.both > 50
    assert 0.4 < overlap.share < 1
