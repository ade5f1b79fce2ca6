"""Orders with ties: against a program of those who wrote on them, and every way to break a tie."""

from itertools import groupby, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.top_weighted import rbo, tau_ap
from tests.each import each
from tests.short import try_often

# What rbo.py of github.com/julian-urbano/sigir2024-rbo (commit 0338fd9) gives: RBO^w, extrapolated.
RBO_W = (
    ([3, 2, 2, 1], [3, 3, 2, 1], 0.9, 0.9486666667),
    ([5, 5, 4, 3, 3, 2, 1], [1, 5, 5, 5, 2, 3, 3], 0.9, 0.7937545),
    ([1, 1, 1, 1, 0], [4, 3, 2, 1, 0], 0.8, 0.8083809524),
    ([6, 5, 5, 3, 3, 3, 0, 0], [0, 6, 6, 5, 4, 4, 4, 1], 0.95, 0.9026275088),
)

tied = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
)


@each(("first", "second", "p", "value"), RBO_W)
def test_rbo_against_the_program_of_corsi_and_urbano(first, second, p, value):
    assert rbo(first, second, p) == pytest.approx(value, abs=6e-11)
    assert rbo(second, first, p) == pytest.approx(value, abs=6e-11)


@given(tied, st.floats(0.05, 0.95))
def test_rbo_is_the_sum_over_all_depths(rows, p):
    """Down to rank 1,000: a tie is reached as a whole, where its first item is."""
    reached = [{item: sum(o > own[item] for o in own) + 1 for item in range(len(own))}
               for own in rows]  # fmt: skip
    total, weight = 0.0, 1 - p
    for depth in range(1, 1001):
        first, second = ({item for item, at in own.items() if at <= depth} for own in reached)
        total += weight * len(first & second) / ((len(first) + len(second)) / 2)
        weight *= p
    assert rbo(*rows, p=p) == pytest.approx(total, abs=1e-9)


def break_ties(scores):
    """Yield every order of the items, the best first, that the scores leave open."""
    order = sorted(range(len(scores)), key=lambda item: -scores[item])
    groups = [list(own) for _, own in groupby(order, key=lambda item: scores[item])]
    for ways in product(*map(permutations, groups)):
        yield [item for own in ways for item in own]


def tau_ap_of_orders(truth, other):
    """Return the coefficient of Yilmaz et al. (2008): how much of what is above belongs there."""
    place = {item: at for at, item in enumerate(truth)}
    shares = [
        sum(place[above] < place[item] for above in other[:at]) / at
        for at, item in enumerate(other)
        if at
    ]
    return 2 * sum(shares) / len(shares) - 1


@try_often(2)
@given(tied)
def test_tau_ap_is_the_mean_over_every_way_to_break_ties_in_both(rows):
    every = [
        tau_ap_of_orders(truth, other)
        for truth, other in product(*map(list, map(break_ties, rows)))
    ]
    assert tau_ap(*rows) == pytest.approx(np.mean(every), abs=1e-12)
