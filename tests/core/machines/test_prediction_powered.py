"""Prediction-powered means: against ppi-python's numbers and formulas, and by their own laws."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from core.machines.judged_scores import JudgedScores
from core.machines.mean_limits import bound_differences, bound_means
from core.machines.prediction_powered import (
    choose_numbers,
    estimate_means,
    estimate_normally,
    expect_widths,
    find_error,
    hold_out_slopes,
    pool_slope,
    spread_slopes,
    tune_power,
)
from tests.each import each
from tests.short import long

GIVEN = Path(__file__).with_name("ppi_python.json")
"""What the package gave. It cannot be installed beside these tests: it has a package `tests`."""

PEOPLE = np.array([0.12, 0.55, 0.43, 0.81, 0.30, 0.67])
MACHINE = np.array([0.20, 0.50, 0.60, 0.70, 0.45, 0.60])
OTHERS = np.array([0.35, 0.62, 0.50, 0.80, 0.15, 0.44, 0.71, 0.58, 0.26, 0.90])


def scores_of(people, machine, others) -> JudgedScores:
    return JudgedScores(
        *(np.reshape(np.asarray(one, float), (len(one), -1)) for one in (people, machine, others))
    )


def draw(seed: int, n_human: int = 12, n_machine: int = 60, systems: int = 4) -> JudgedScores:
    """Return scores that share topics' ease, the machine's of another scale than people's."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=(n_human + n_machine, 1))
    people = 0.5 + 0.1 * ease + 0.1 * rng.normal(size=(n_human + n_machine, systems))
    machine = 0.3 + 0.7 * people + 0.05 * rng.normal(size=people.shape)
    return JudgedScores(people[:n_human], machine[:n_human], machine[n_human:])


@each(
    ("scale", "shift", "value", "low", "high"),
    [
        (1.0, 0.0, 0.49048397, 0.34290992, 0.63805803),
        (-0.5, 1.0, 0.48, 0.29683685, 0.66316315),
        (0.3, 0.0, 0.4868, 0.33134941, 0.64225059),
    ],
)
def test_the_normal_form_is_that_of_ppi_python(scale, shift, value, low, high):
    """Oracle: ppi_mean_pointestimate and ppi_mean_ci of ppi-python 0.2.3; λ tuned, 0 and 1."""
    found = estimate_normally(scores_of(PEOPLE, shift + scale * MACHINE, shift + scale * OTHERS))
    powered = found.powered
    shown = [powered.value.item(), powered.low.item(), powered.high.item()]
    assert shown == pytest.approx([value, low, high], abs=1e-8)
    limits = (found.classical.low.item(), found.classical.high.item())
    assert limits == pytest.approx((0.2968368477, 0.6631631523), abs=1e-9)


@each("case", json.loads(GIVEN.read_text()))
def test_the_normal_form_is_what_the_package_gave(case: dict[str, list[float]]):
    """Oracle: ppi-python 0.2.3 on made-up scores, also with λ cut at 0 and at 1."""
    found = estimate_normally(scores_of(case["people"], case["machine"], case["others"]))
    for one, expected in ((found.powered, case["powered"]), (found.classical, case["classical"])):
        value = [one.value.item()] * (len(expected) == 3)
        assert [*value, one.low.item(), one.high.item()] == pytest.approx(expected, abs=1e-8)


def transcribe(people, machine, others) -> list[float]:
    """Return λ, estimate and 95 % limits as ppi-python's lines have them, for one mean."""
    n, more = len(people), len(others)
    start = others.mean() + (people - machine).mean()
    grads, grads_hat = people - start, machine - start
    both = np.concatenate([grads_hat, others - start])
    centred = (grads - grads.mean()) @ (grads_hat - grads_hat.mean())
    power = np.clip(2 / n * centred / (2 * (1 + n / more) * np.cov(both)), 0, 1)
    value = (power * others).mean() + (people - power * machine).mean()
    imputed = (power * others).std() / np.sqrt(more)
    rectifier = (people - power * machine).std() / np.sqrt(n)
    error = np.sqrt(imputed**2 + rectifier**2)
    return [power, value, *stats.norm.interval(0.95, value, error)]


@each("seed", range(20))
def test_the_normal_form_is_its_formulas(seed):
    rng = np.random.default_rng(seed)
    n, more, slope = rng.integers(2, 30), rng.integers(1, 80), rng.uniform(-1, 1.5)
    people = rng.beta(2, 3, (n, 3))
    machine = slope * people + 0.2 * rng.normal(size=(n, 3))
    others = slope * rng.beta(2, 3, (more, 3)) + 0.2 * rng.normal(size=(more, 3))
    found = estimate_normally(JudgedScores(people, machine, others))
    for at in range(3):
        powered = found.powered
        shown = [found.power[at], powered.value[at], powered.low[at], powered.high[at]]
        expected = transcribe(people[:, at], machine[:, at], others[:, at])
        assert shown == pytest.approx(expected, abs=1e-10)


def test_a_machine_that_gives_one_score_has_no_power():
    scores = scores_of(PEOPLE, np.full(6, 0.5), np.full(10, 0.5))
    assert tune_power(scores).tolist() == [0]
    found = estimate_means(scores, bound_means(1))
    assert found.power.tolist() == [0]
    assert found.powered.low == found.classical.low


def test_the_estimate_is_the_formula_with_the_power_beside_it():
    scores = draw(1)
    found = estimate_means(scores, bound_means(1))
    assert 0 < found.power[0] < 1 / 0.7
    formula = found.power * scores.machine.mean(axis=0)
    formula += (scores.human - found.power * scores.paired).mean(axis=0)
    assert found.powered.value == pytest.approx(formula)


def test_all_systems_share_the_power():
    assert len(set(estimate_means(draw(2), bound_means(1)).power)) == 1


def test_its_error_is_that_of_what_is_left_without_each_topic():
    scores = draw(3, systems=1)
    slopes = spread_slopes(scores)
    share = scores.n_machine / (scores.n_human + scores.n_machine)
    left = scores.human - share * slopes * (scores.paired - scores.machine.mean(axis=0))
    wanted = left.var(ddof=1) / 12
    wanted += (share * slopes.mean()) ** 2 * scores.every.var(ddof=1) / 60
    error, freedom = find_error(scores, slopes)
    assert error.item() ** 2 == pytest.approx(wanted)
    parts = (left.var(ddof=1) / 12) ** 2 / 11 + (wanted - left.var(ddof=1) / 12) ** 2 / 71
    assert freedom.item() == pytest.approx(wanted**2 / parts)


@each("topics", [2, 3])
def test_two_or_three_topics_give_the_classical_interval(topics):
    found = estimate_means(draw(4, n_human=topics), bound_means(1))
    assert found.power.tolist() == [0] * 4
    for name in ("value", "low", "high"):
        assert getattr(found.powered, name) == pytest.approx(getattr(found.classical, name))


def mean_widths(scores: JudgedScores) -> tuple[float, float]:
    found = estimate_means(scores, bound_means(1))
    classical, powered = ((one.high - one.low).mean() for one in (found.classical, found.powered))
    return classical, powered


def test_a_machine_that_knows_makes_limits_narrower():
    classical, powered = mean_widths(draw(5))
    assert powered < 0.8 * classical


def test_a_machine_that_guesses_makes_them_hardly_wider():
    scores, rng = draw(5), np.random.default_rng(6)
    guessed = (rng.uniform(size=one.shape) for one in (scores.paired, scores.machine))
    classical, powered = mean_widths(JudgedScores(scores.human, *guessed))
    assert powered < 1.02 * classical


def test_a_bias_of_the_machine_moves_only_the_estimate_that_trusts_it():
    scores = draw(7)
    shifted = JudgedScores(scores.human, scores.paired + 0.2, scores.machine + 0.2)
    one, other = (estimate_means(each, bound_means(1)) for each in (scores, shifted))
    assert other.powered.value == pytest.approx(one.powered.value)
    assert other.powered.low == pytest.approx(one.powered.low)
    assert other.machine_only.value == pytest.approx(one.machine_only.value + 0.2)


def test_where_the_topics_are_all_there_are_limits_are_narrower():
    scores = draw(8)
    sample, whole = (estimate_means(scores, bound_means(1), finite=one) for one in (False, True))
    assert whole.powered.value == pytest.approx(sample.powered.value)
    assert (whole.powered.high < sample.powered.high).all()
    assert (whole.classical.high < sample.classical.high).all()
    assert np.isnan(whole.machine_only.low).all()
    assert np.isfinite(sample.machine_only.low).all()


def test_differences_without_a_bound_are_students_t():
    scores = draw(9).subtract_pairs()
    found = estimate_means(scores, bound_differences(np.inf))
    low, high = stats.t.interval(
        0.95, 11, scores.human.mean(axis=0), stats.sem(scores.human, axis=0)
    )
    assert found.classical.low == pytest.approx(low)
    assert found.classical.high == pytest.approx(high)


def test_a_system_with_the_same_score_everywhere_has_its_classical_interval():
    scores = draw(10)
    human = scores.human.copy()
    human[:, 1] = 0
    found = estimate_means(JudgedScores(human, scores.paired, scores.machine), bound_means(1))
    assert found.power[1] == 0 < found.power[0]
    assert (found.powered.low[1], found.powered.high[1]) == pytest.approx(
        (0, 1 - 0.025 ** (1 / 12))
    )


@each("finite", [False, True])
def test_at_the_present_number_the_widths_are_the_present_ones(finite):
    scores = draw(1)
    row = expect_widths(scores, bound_means(1), [12], finite=finite).iloc[0]
    found = estimate_means(scores, bound_means(1), finite=finite)
    for name in ("classical", "powered"):
        one = getattr(found, name)
        assert row[name] == pytest.approx((one.high - one.low).mean())
    assert (row["n_human"], row["n_machine"]) == (12, 60)


def test_more_topics_make_intervals_narrower():
    widths = expect_widths(draw(2), bound_means(1))
    assert (np.diff(widths["classical"]) < 0).all()
    assert (np.diff(widths["powered"]) < 0).all()
    assert (widths["n_human"] + widths["n_machine"] == 72).all()


def test_where_people_judge_nearly_all_the_machine_adds_nothing():
    last = expect_widths(draw(3), bound_means(1), [71]).iloc[0]
    assert last["powered"] == pytest.approx(last["classical"], rel=0.01)
    whole = expect_widths(draw(3), bound_means(1), [71], finite=True).iloc[0]
    assert whole["classical"] < 0.2 * last["classical"]


def test_up_to_three_topics_teach_nothing_of_the_machine():
    widths = expect_widths(draw(4), bound_means(1), [2, 3, 4])
    assert (widths["classical"] == widths["powered"]).tolist() == [True, True, False]


def test_the_numbers_begin_with_two_and_hold_the_present_one():
    numbers = choose_numbers(draw(4))
    assert (numbers[0], numbers[-1]) == (2, 71)
    assert 12 in numbers
    assert len(numbers) <= 21


def test_without_limits_there_is_no_width():
    scores = draw(5)
    alike = np.full_like(scores.human, 0.25)
    same = JudgedScores(alike, scores.paired, scores.machine).subtract_pairs()
    assert expect_widths(same, bound_differences(1), [8])["classical"].isna().all()


@long
def test_it_tells_what_more_topics_do_bring():
    """The width told from 12 topics of a study is that of 36 topics of such studies, on average."""
    told, came = [], []
    for seed in range(60):
        scores = draw(seed, n_human=36, n_machine=36)
        few = JudgedScores(
            scores.human[:12],
            scores.paired[:12],
            np.concatenate([scores.paired[12:], scores.machine]),
        )
        told.append(expect_widths(few, bound_means(1), [36]).iloc[0][["classical", "powered"]])
        came.append(expect_widths(scores, bound_means(1), [36]).iloc[0][["classical", "powered"]])
    ratio = np.mean(told, axis=0) / np.mean(came, axis=0)
    assert ratio.tolist() == pytest.approx([1, 1], abs=0.08)


def draw_pairs(topics: int, systems: int = 1, noise: float = 0.1, seed: int = 1):
    rng = np.random.default_rng(seed)
    machine = rng.normal(size=(topics, systems))
    return 0.6 * machine + noise * rng.normal(size=machine.shape), machine


def test_of_one_system_it_is_least_squares_shrunk_by_the_robust_f():
    people, machine = draw_pairs(9)
    design = np.column_stack([np.ones(9), machine])
    inverse = np.linalg.inv(design.T @ design)
    fit = inverse @ design.T @ people
    leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
    left = (people - design @ fit)[:, 0] / (1 - leverage)
    variance = (inverse @ (design.T * left**2) @ design @ inverse)[1, 1]
    slope = fit[1, 0]
    assert pool_slope(people, machine) == pytest.approx(slope * (1 - 2 * variance / slope**2))


def test_of_several_it_makes_the_mean_width_least():
    people, machine = draw_pairs(40, systems=3, noise=1e-4)
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
    few, many = (pool_slope(*draw_pairs(topics, noise=1.0, seed=3)) for topics in (8, 4_000))
    assert many == pytest.approx(0.6, abs=0.05)
    assert few < many


def test_each_topic_is_left_out_once():
    people, machine = draw_pairs(6, systems=2)
    slopes = hold_out_slopes(JudgedScores(people, machine, machine))
    assert len(slopes) == 6
    assert slopes[4] == pool_slope(np.delete(people, 4, axis=0), np.delete(machine, 4, axis=0))


def test_it_goes_with_the_scale_of_the_scores():
    people, machine = draw_pairs(12, systems=3, noise=0.5)
    slope = pool_slope(people, machine)
    assert pool_slope(4 * people + 1, machine) == pytest.approx(4 * slope)
    assert pool_slope(people, 4 * machine + 1) == pytest.approx(slope / 4)
