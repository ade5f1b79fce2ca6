"""Who wins: Δ, its limits by drawing sessions again, and sign tests."""

import numpy as np
import pytest
from scipy.stats import binomtest

from core.interleaving.base import Mixed, parse_method
from core.interleaving.outcomes import (
    FEW,
    NOTHING_WON,
    Outcomes,
    bootstrap_sessions,
    compare_rankings,
    halve_ties,
    join_outcomes,
    judge_impressions,
)
from tests.core.interleaving.rankings import SMALL
from tests.each import each

FIRST, SECOND, TIE = (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)


def make(won: list[tuple[float, float]], session: list[int] | None = None) -> Outcomes:
    here = np.arange(len(won)) if session is None else np.array(session)
    return Outcomes(here, np.array(won), np.array(won).any(axis=1))


def compare(outcomes: Outcomes):
    return compare_rankings(outcomes, np.random.default_rng(1))


def test_delta_counts_ties_half():
    found = compare(make([FIRST] * 12 + [SECOND] * 5 + [TIE] * 3))
    assert (found.first_wins, found.second_wins, found.ties) == (12, 5, 3)
    assert found.delta == pytest.approx((12 + 3 / 2) / 20 - 1 / 2)
    assert found.low < found.delta < found.high
    assert (found.impressions, found.sessions, found.without_clicks) == (20, 20, 3)
    assert found.p == pytest.approx(binomtest(12, 17).pvalue)
    assert found.reason == ""


def test_a_session_is_won_by_who_wins_more_of_it():
    rows = [FIRST, FIRST, SECOND] * 10 + [SECOND, SECOND, FIRST] * 2 + [FIRST, SECOND] * 3
    sessions = [*np.repeat(np.arange(12), 3), *np.repeat(np.arange(12, 15), 2)]
    found = compare(make(rows, sessions))
    assert (found.sessions, found.impressions) == (15, 42)
    assert found.p == pytest.approx(binomtest(10, 12).pvalue)
    assert found.p_ties_half == pytest.approx(binomtest(11, 15).pvalue)


@each(
    ("won", "lost", "tied", "behind", "trials"),
    [(8, 2, 4, 4, 14), (8, 2, 3, 4, 13), (3, 3, 1, 3, 7), (2, 2, 0, 2, 4), (0, 0, 5, 2, 5)],
)
def test_half_the_ties_are_won_by_either(won, lost, tied, behind, trials):
    assert halve_ties(won, lost, tied) == pytest.approx(
        min(1.0, 2 * binomtest(behind, trials, alternative="less").pvalue)
    )
    assert halve_ties(lost, won, tied) == halve_ties(won, lost, tied)


def test_without_sessions_there_is_no_p():
    assert np.isnan(halve_ties(0, 0, 0))


def test_few_sessions_have_no_limits_and_say_so():
    found = compare(make([FIRST] * 9))
    assert np.isnan([found.low, found.high, found.p_bootstrap]).all()
    assert found.reason == FEW


def test_where_nobody_wins_limits_have_a_width_and_p_has_a_reason():
    found = compare(make([TIE] * 40))
    assert found.low < 0 == found.delta < found.high
    assert np.isnan(found.p)
    assert (found.p_ties_half, found.p_bootstrap) == (1, 1)
    assert found.reason == NOTHING_WON


def test_where_one_wins_all_limits_stay_in_the_range():
    found = compare(make([FIRST] * 30))
    assert found.delta == found.high == 0.5
    assert 0.3 < found.low < 0.5
    assert max(found.p, found.p_bootstrap) < 0.01


def test_exchanging_the_rankings_turns_everything_round():
    rows = [FIRST] * 30 + [SECOND] * 12 + [TIE] * 8
    one, other = compare(make(rows)), compare(make([row[::-1] for row in rows]))
    assert other.delta == -one.delta
    assert other.p == one.p
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=0.01)


def test_limits_are_those_of_students_t_where_sessions_are_many():
    rng = np.random.default_rng(4)
    gained = rng.choice([-1.0, 0.0, 1.0], size=400, p=[0.2, 0.5, 0.3])
    low, high, p = bootstrap_sessions(gained, np.ones(400), rng, draws=20_000)
    half = 1.966 * gained.std(ddof=1) / np.sqrt(400) / 2
    middle = gained.sum() / 402 / 2
    assert (low, high) == pytest.approx((middle - half, middle + half), abs=0.002)
    assert (p < 0.05) == (low > 0)


def test_wins_may_be_probabilities_and_what_cancels_out_is_a_tie():
    rows = [(0.1 + 0.2, 0.3)] * 20 + [(0.75, 0.25)] * 10
    found = compare(make(rows))
    assert found.first_wins == pytest.approx(13.5)
    assert found.p == pytest.approx(binomtest(10, 10).pvalue)


def test_many_kinds_of_sessions_are_drawn_in_parts():
    rng = np.random.default_rng(6)
    gained = rng.normal(0.2, 0.4, size=3_000)
    low, high, _ = bootstrap_sessions(gained, np.ones(3_000), rng)
    assert low < gained.mean() / 2 < high
    assert high - low == pytest.approx(2 * 1.96 * 0.2 / np.sqrt(3_000), rel=0.1)


def test_impressions_of_several_topics_are_judged_and_joined():
    method, pair = parse_method("team-draft"), SMALL["in another order"]
    mixed = Mixed(np.array([[0, 1], [1, 0]]), np.array([[0, 1], [1, 0]], dtype=np.int8))
    clicked = np.array([[True, False], [False, False]])
    one = judge_impressions(method, pair, mixed, clicked, np.array([3, 4]))
    both = join_outcomes([one, one])
    assert len(both) == 4
    assert both.won.tolist() == [[1, 0], [0, 0]] * 2
    assert both.clicked.tolist() == [True, False] * 2
    assert both.session.tolist() == [3, 4, 3, 4]
