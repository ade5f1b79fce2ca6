"""One slope for all systems: against least squares, and by its laws."""

import numpy as np
import pytest

from core.machines.judged_scores import JudgedScores
from core.machines.pooled_power import hold_out_slopes, pool_slope
from tests.each import each


def draw(topics: int, systems: int = 1, noise: float = 0.1, seed: int = 1):
    rng = np.random.default_rng(seed)
    machine = rng.normal(size=(topics, systems))
    return 0.6 * machine + noise * rng.normal(size=machine.shape), machine


def test_of_one_system_it_is_least_squares_shrunk_by_the_robust_f():
    people, machine = draw(9)
    design = np.column_stack([np.ones(9), machine])
    inverse = np.linalg.inv(design.T @ design)
    fit = inverse @ design.T @ people
    leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
    left = (people - design @ fit)[:, 0] / (1 - leverage)
    variance = (inverse @ (design.T * left**2) @ design @ inverse)[1, 1]
    slope = fit[1, 0]
    assert pool_slope(people, machine) == pytest.approx(slope * (1 - 2 * variance / slope**2))


def test_of_several_it_makes_the_mean_width_least():
    people, machine = draw(40, systems=3, noise=1e-4)
    machine[:, 2] *= 0.5  # by this system the slope would be twice as large
    weight = 1 / people.std(axis=0)
    own, other = (one - one.mean(axis=0) for one in (machine, people))
    wanted = (own * other * weight).sum() / (own**2 * weight).sum()
    assert pool_slope(people, machine) == pytest.approx(wanted, rel=0.2)
    assert 0.6 < wanted < 1.2


@each(
    ("people", "machine"),
    [
        ([0.1, 0.9], [0.2, 0.8]),
        ([0.1, 0.9, 0.5, 0.4], [0.3] * 4),
        ([0.7] * 4, [0.1, 0.9, 0.5, 0.4]),
        ([0.1, 0.9, 0.5, 0.4], [0.9, 0.1, 0.5, 0.6]),
        ([0.5, 0.9, 0.9, 0.5], [0.3, 0.6, 0.3, 0.6]),
    ],
    ids=["two topics", "machine alike", "people alike", "against each other", "unrelated"],
)
def test_it_is_0_where_nothing_speaks_for_the_machine(people, machine):
    assert pool_slope(np.array([people]).T, np.array([machine]).T) == 0


def test_more_topics_shrink_it_less():
    few, many = (pool_slope(*draw(topics, noise=1.0, seed=3)) for topics in (8, 4_000))
    assert many == pytest.approx(0.6, abs=0.05)
    assert few < many


def test_each_topic_is_left_out_once():
    people, machine = draw(6, systems=2)
    slopes = hold_out_slopes(JudgedScores(people, machine, machine))
    assert len(slopes) == 6
    assert slopes[4] == pool_slope(np.delete(people, 4, axis=0), np.delete(machine, 4, axis=0))


def test_it_goes_with_the_scale_of_the_scores():
    people, machine = draw(12, systems=3, noise=0.5)
    slope = pool_slope(people, machine)
    assert pool_slope(4 * people + 1, machine) == pytest.approx(4 * slope)
    assert pool_slope(people, 4 * machine + 1) == pytest.approx(slope / 4)
