"""Expected values against every list there is; derivatives against differences."""

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest

from core.informativeness.choices import PAPER
from core.informativeness.families import Family, Linear, Recursion
from core.informativeness.targets import read_target
from tests.each import each

Listed = tuple[int, ...]


def average_precision(found: Listed) -> float:
    return sum(sum(found[:at]) / at for at in range(1, len(found) + 1) if found[at - 1])


def discounted(discount: Callable[[int], float]) -> Callable[[Listed], float]:
    return lambda found: sum(rel * discount(at) for at, rel in enumerate(found, 1))


def cascade(discount: Callable[[int], float], alpha: float = 0.5) -> Callable[[Listed], float]:
    """A person stops at a relevant document with chance alpha."""

    def value(found: Listed) -> float:
        going_on, total = 1.0, 0.0
        for rank, relevant in enumerate(found, 1):
            total += going_on * alpha * relevant * discount(rank)
            going_on *= 1 - alpha * relevant
        return total

    return value


def log(rank: int) -> float:
    return 1 / np.log2(rank + 1)


def zipf(rank: int) -> float:
    return 1 / rank


BY_DEFINITION: dict[str, Callable[[Listed], float]] = {
    "AP": average_precision,
    "AP@3": lambda found: average_precision(found[:3]),
    "P": lambda found: sum(found) / len(found),
    "P@3": lambda found: sum(found[:3]) / 3,
    "CG@2": lambda found: sum(found[:2]),
    "DCG": discounted(log),
    "DCG(discount='jarvelin')": discounted(lambda rank: 1 / max(1, np.log2(rank))),
    "nCG@2": lambda found: sum(found[:2]),
    "nDCG": discounted(log),
    "RBP(p=0.7)": discounted(lambda rank: 0.3 * 0.7 ** (rank - 1)),
    "ERR": cascade(zipf),
    "cRBP": cascade(lambda rank: 0.8 ** (rank - 1)),
    "cRBP(alpha=0.9, beta=0.6)": cascade(lambda rank: 0.6 ** (rank - 1), 0.9),
    "AP-IA": average_precision,
    "P-IA@4": lambda found: sum(found[:4]) / 4,
    "ERR-IA": cascade(zipf),
    "ERR-IA(alpha=1)": cascade(zipf, 1.0),
    "NRBP": cascade(lambda rank: 0.8 ** (rank - 1)),
    "alpha-DCG": cascade(log),
    "alpha-DCG(intents='any')@3": lambda found: cascade(log)(found[:3]),
}
"""What one intent's list is worth, before AP and nDCG are divided by what could be had."""


def family_of(text: str, depth: int, recursion: str = "exact") -> Family:
    return read_target(text, depth, recursion=recursion).family


def test_every_measure_of_the_paper_is_checked():
    named = {read_target(text).measure.name for text in BY_DEFINITION}
    assert named >= {read_target(text).measure.name for text in PAPER}


@each("text", BY_DEFINITION)
@each("depth", [4, 5, 8])
def test_expectation_is_that_over_all_lists(text: str, depth: int):
    rng = np.random.default_rng(depth)
    p = rng.random((depth, 3))
    lists = list(product((0, 1), repeat=depth))
    chance = np.array([np.where(np.array(one)[:, None] == 1, p, 1 - p).prod(0) for one in lists])
    worth = np.array([BY_DEFINITION[text](one) for one in lists])
    rret = np.zeros(3, dtype=np.int64)
    np.testing.assert_allclose(
        family_of(text, depth).value(p, rret), worth @ chance, rtol=0, atol=1e-12
    )


def recurse(p: list[float], rret: int, discount: tuple[float, ...], alpha: float) -> float:
    """The paper's equation 8 as it stands, one cell after another."""

    @cache
    def cell(i: int, r: int) -> float:
        if i < r or i == 0:
            return 0.0
        gain = alpha * (1 - alpha) ** (r - 1) * discount[i - 1]
        seen = p[i - 1] * (cell(i - 1, r - 1) + gain) if r > 0 else 0.0
        return seen + (1 - p[i - 1]) * cell(i - 1, r)

    return cell(len(p), rret)


@each("text", ["ERR", "cRBP(alpha=0.7)", "alpha-DCG"])
def test_recursion_is_the_papers(text: str):
    family = family_of(text, 7, "paper")
    assert isinstance(family, Recursion)
    p, rret = np.random.default_rng(1).random((7, 8)), np.arange(8)
    expected = [
        recurse(p[:, at].tolist(), at, family.discount, family.alpha) for at in range(len(rret))
    ]
    np.testing.assert_allclose(family.value(p, rret), expected, rtol=0, atol=1e-13)


def test_recursion_is_not_the_expectation():
    p, rret = np.array([[0.5], [0.5]]), np.array([1])
    assert family_of("ERR", 2).value(p, rret) == pytest.approx(0.34375, abs=1e-15)
    assert family_of("ERR", 2, "paper").value(p, rret) == pytest.approx(0.25, abs=1e-15)


def test_recursion_is_the_measure_where_all_is_certain():
    lists = np.array(list(product((0.0, 1.0), repeat=6))).T
    rret = lists.sum(axis=0).astype(np.int64)
    for text in ("ERR", "cRBP", "alpha-DCG"):
        exact = family_of(text, 6).value(lists, rret)
        np.testing.assert_allclose(
            family_of(text, 6, "paper").value(lists, rret), exact, atol=1e-14
        )


VARIANTS = [(text, "exact") for text in BY_DEFINITION] + [
    (text, "paper") for text in ("ERR", "cRBP", "alpha-DCG")
]


@each(("text", "recursion"), VARIANTS)
def test_derivatives_are_finite_differences(text: str, recursion: str):
    family = family_of(text, 6, recursion)
    rng = np.random.default_rng(3)
    p, rret = rng.uniform(0.05, 0.95, (6, 5)), np.arange(1, 6)
    gradient, curvature = family.gradient(p, rret), family.curvature(p, rret)
    for rank in range(6):
        step = np.zeros((6, 1))
        step[rank] = 1e-4
        # Linear in each single p: a central difference is off by rounding alone.
        slope = (family.value(p + step, rret) - family.value(p - step, rret)) / 2e-4
        np.testing.assert_allclose(gradient[rank], slope, rtol=0, atol=1e-11)
        bend = (family.gradient(p + step, rret) - family.gradient(p - step, rret)) / 2e-4
        np.testing.assert_allclose(curvature[:, :, rank].T, bend, rtol=0, atol=1e-11)


def test_certain_stops_leave_finite_derivatives():
    family = family_of("ERR-IA(alpha=1)", 4)
    p = np.array([[1.0], [1.0], [0.5], [0.0]])
    np.testing.assert_allclose(family.gradient(p, np.array([2]))[:, 0], [0.5, 0, 0, 0], atol=1e-12)
    assert np.isfinite(family.curvature(p, np.array([2]))).all()


def test_a_linear_family_has_no_curvature():
    family = Linear((1.0, 0.5, 0.25))
    assert not family.curvature(np.full((3, 2), 0.5), np.array([1, 2])).any()
    assert family.depth == 3
