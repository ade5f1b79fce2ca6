from itertools import product

import numpy as np
import pytest
from scipy.stats import studentized_range, ttest_1samp, ttest_rel

from core.comparison import permutation
from core.comparison.choices import CORRECTIONS, TESTS
from core.comparison.difference_tests import compare_systems, enough_samples, least_p
from core.comparison.score_matrix import score_matrix
from core.errors import BadInput
from tests.core.comparison.matrices import matrix_of, scattered
from tests.each import each
from tests.short import long

STEP_BY_STEP = ("max-t", "t", "randomisation", "bootstrap")
"""Tests without limits, where Holm's correction is taken of those that need one."""

COLUMNS = ["first", "second", "difference", "low", "high", "p", "effect_size", "reason"]


@each("test", TESTS)
def test_a_row_for_every_pair_in_the_order_of_the_matrix(test):
    matrix = scattered(7, 4, seed=1)
    pairs = compare_systems(matrix, test, samples=99)
    assert list(pairs) == COLUMNS
    expected = [(f"s{one}", f"s{two}") for one in range(4) for two in range(one + 1, 4)]
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == expected
    means = dict(zip(matrix.systems, matrix.values.mean(axis=0), strict=True))
    assert pairs["difference"].tolist() == pytest.approx(
        [means[one] - means[two] for one, two in expected]
    )
    assert pairs["p"].between(0, 1, inclusive="right").all()
    assert (pairs["reason"] == "").all() != (test in STEP_BY_STEP)
    assert (np.sign(pairs["effect_size"]) == np.sign(pairs["difference"])).all()


@long
@each("test", TESTS)
def test_dl19_is_the_same_under_a_seed_on_any_number_of_threads(test, dl19):
    def p(threads: int, seed: int = 3) -> list[float]:
        rng = np.random.default_rng(seed)
        return compare_systems(dl19, test, rng=rng, threads=threads)["p"].tolist()

    plain = p(1)
    assert len(plain) == 37 * 36 / 2
    assert plain == p(1) == p(2) == p(5)
    assert (p(1, seed=4) != plain) == bool(TESTS[test].draws)


@long
@each("test", [name for name, one in TESTS.items() if one.draws])
def test_dl19_hardly_depends_on_the_seed(test, dl19):
    one, other = (
        compare_systems(dl19, test, correction="none", rng=np.random.default_rng(seed))["p"]
        for seed in (1, 2)
    )
    assert np.abs(one - other).max() < 0.03


@long
def test_dl19_tests_agree_about_what_is_clear(dl19):
    """All of them guard against false alarms among 666 pairs; ranges of all systems do it most.

    Permuting over all systems spreads what sets the worst apart over the others, too.
    """
    found = {
        test: (compare_systems(dl19, test, samples=100_000)["p"] < 0.05).sum() for test in TESTS
    }
    plain = (compare_systems(dl19, "t", correction="none")["p"] < 0.05).sum()
    assert 100 < found["tukey"] < found["parametric"] < plain
    assert 100 < found["t"] < plain
    assert 100 < found["randomisation"] < plain
    assert 0 < found["bootstrap"] < plain
    assert 100 < found["single-step"] <= found["max-t"] < plain


def test_too_few_samples_for_a_correction_leave_nothing_to_find(dl19):
    size = len(dl19.topics), len(dl19.systems)
    least = least_p(*size, "randomisation", "holm", 10_000)
    assert least == pytest.approx(666 / 10_001)
    pairs = compare_systems(dl19, "randomisation", samples=10_000)
    assert pairs["p"].min() == least
    assert least_p(*size, "randomisation", "holm", 100_000) < 0.05
    assert least_p(*size, "randomisation", "none", 99) == 0.01
    assert least_p(*size, "randomisation", "bonferroni", 99) == 1
    assert least_p(*size, "tukey", "holm", 99) == least_p(*size, "max-t", "holm", 99) == 0.01
    assert least_p(*size, "t") == least_p(*size, "parametric") == 0
    with pytest.raises(BadInput, match="no test"):
        least_p(*size, "anova")


@each("test", ["max-t", "randomisation"])
def test_few_topics_are_exchanged_in_every_way(test):
    """Five topics have 16 exchanges; no p is below 1/16, and no seed matters."""
    matrix = scattered(5, 3, seed=2)
    found = [
        compare_systems(matrix, test, correction="none", rng=np.random.default_rng(seed))["p"]
        for seed in (1, 2)
    ]
    assert found[0].equals(found[1])
    np.testing.assert_allclose(found[0] * 16, np.round(found[0] * 16))
    assert least_p(5, 3, test, "none") == 1 / 16
    assert enough_samples(5, 3, test, "none", 0.05) is None
    assert enough_samples(6, 3, "max-t", "none", 0.05) == 31


def test_enough_samples_let_something_be_found():
    for systems in (5, 33, 37):
        enough = enough_samples(50, systems, "randomisation", "holm", 0.05)
        assert least_p(50, systems, "randomisation", "holm", enough) <= 0.005


def test_limits_of_students_t_against_scipy():
    matrix = scattered(12, 4, seed=5)
    columns = dict(zip(matrix.systems, matrix.values.T, strict=True))
    for correction, level in (("bonferroni", 1 - 0.05 / 6), ("none", 0.95)):
        for row in compare_systems(matrix, "t", correction=correction).itertuples():
            limits = ttest_rel(columns[row.first], columns[row.second]).confidence_interval(level)
            assert (row.low, row.high) == pytest.approx((limits.low, limits.high))
    same = compare_systems(matrix_of([[0.5, 0.4], [0.3, 0.2]]))
    assert same["low"].isna().all()
    assert same["reason"].str.contains("same amount").all()


def test_limits_of_tukeys_test_against_scipy():
    matrix = scattered(9, 5, seed=6)
    found = compare_systems(matrix, "parametric")
    values = matrix.values
    left = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    wide = studentized_range.ppf(0.95, 5, 32) * np.sqrt((left**2).sum() / 32 / 9)
    assert (found["high"] - found["difference"]).tolist() == pytest.approx([wide] * 10, rel=1e-4)
    permuted = compare_systems(matrix, "tukey")
    assert (permuted["high"] - permuted["difference"]).tolist() == pytest.approx(
        [wide] * 10, rel=0.05
    )


@each("test", TESTS)
@each("correction", CORRECTIONS)
@each(("topics", "systems"), [(5, 2), (6, 3), (9, 5), (30, 4), (40, 2)])
def test_limits_leave_out_0_exactly_where_p_is_below_05(test, correction, topics, systems):
    """Of every test that has limits, on clear and unclear differences, ties among them."""
    seen = set()
    for seed in range(12):
        spread = scattered(topics, systems, seed).values
        values = np.round(spread + np.linspace(0, seed / 20, systems), 1 if seed % 2 else 9)
        pairs = compare_systems(matrix_of(values), test, correction=correction, samples=999)
        known = pairs[pairs["low"].notna()]
        outside = (known["low"] > 0) | (known["high"] < 0)
        assert (outside == (known["p"] < 0.05)).all()
        assert (known["low"] <= known["difference"]).all()
        assert (known["high"] >= known["difference"]).all()
        # Without limits there is a reason, and none has too few topics and yet is clear.
        assert (pairs["low"].isna() == (pairs["reason"] != "")).all()
        seen |= {*outside}
    has_limits = systems == 2 or TESTS[test].name_limits(correction, 3)
    if topics > 6:  # with fewer, no p by exchanges may be so small
        assert seen == ({True, False} if has_limits else set())


def test_limits_of_the_randomisation_test_against_every_exchange():
    """What they hold is not found when it is taken off every difference, and what is outside is."""
    matrix = scattered(9, 3, seed=2)
    pairs = compare_systems(matrix, "randomisation", correction="none", samples=1_000)
    columns = dict(zip(matrix.systems, matrix.values.T, strict=True))
    signs = np.array(list(product((-1, 1), repeat=9)))

    def p(apart: np.ndarray) -> float:
        return float(np.mean(np.abs(signs @ apart) >= abs(apart.sum()) - 1e-11))

    for row in pairs.itertuples():
        apart = columns[row.first] - columns[row.second]
        for limit, inwards in ((row.low, 1e-6), (row.high, -1e-6)):
            assert p(apart - limit - inwards) >= 0.05 > p(apart - limit + inwards)


def test_limits_of_the_max_t_test_against_every_exchange():
    """A pair's t of what is left at a limit is the largest t that 5 % of the exchanges reach."""
    matrix = scattered(8, 3, seed=4)
    pairs = compare_systems(matrix, samples=1_000)
    columns = dict(zip(matrix.systems, matrix.values.T, strict=True))
    apart = {(row.first, row.second): columns[row.first] - columns[row.second]
             for row in pairs.itertuples()}  # fmt: skip
    signs = np.array([(1, *rest) for rest in product((-1, 1), repeat=7)])[1:]
    t = [np.abs(ttest_1samp(signs * one, 0, axis=1).statistic) for one in apart.values()]
    largest = np.sort(np.max(t, axis=0))
    critical = largest[-6]  # the seventh with what was observed: 7 of 128 are the first above .05
    assert (1 + (largest >= critical).sum()) / 128 >= 0.05 > 6 / 128
    for row in pairs.itertuples():
        left = apart[row.first, row.second]
        for limit in (row.low, row.high):
            assert abs(ttest_1samp(left - limit, 0).statistic) == pytest.approx(critical)


def test_the_order_of_rows_and_systems_changes_nothing(dl19_scores):
    scores = dl19_scores[dl19_scores["version"] == "slot 2"]
    shuffled = scores.sample(frac=1, random_state=np.random.default_rng(1))
    one, other = (compare_systems(score_matrix(rows), samples=500) for rows in (scores, shuffled))
    assert one.equals(other)


def test_without_a_generator_the_seed_is_fixed():
    matrix = scattered(9, 5, seed=2)
    assert compare_systems(matrix, samples=50).equals(compare_systems(matrix, samples=50))


@each("test", [name for name, one in TESTS.items() if one.draws])
@each("threads", [1, 3])
def test_progress_is_told_and_may_end_it(test, threads):
    matrix, told = scattered(30, 15, seed=3), []
    compare_systems(matrix, test, samples=3000, progress=told.append, threads=threads)
    assert told == sorted(told)
    assert told[-1] == 1
    assert len(told) > 2

    class Enough(Exception):
        pass

    heard = []

    def stop(share: float) -> None:
        heard.append(share)
        raise Enough

    with pytest.raises(Enough):
        compare_systems(matrix, test, samples=3000, progress=stop, threads=threads)
    assert len(heard) == 1


def test_blocks_cover_every_sample_once():
    sizes = list(
        permutation.run_blocks(
            lambda size, _rng: size,
            permutation.CELLS // 10,
            37,
            np.random.default_rng(0),
            lambda _share: None,
            2,
        )
    )
    assert sizes == [10, 10, 10, 7]


def test_one_permutation_may_be_larger_than_a_block():
    generators = list(
        permutation.run_blocks(
            lambda _size, rng: rng.random(),
            permutation.CELLS * 2,
            3,
            np.random.default_rng(0),
            lambda _share: None,
        )
    )
    assert len(set(generators)) == 3


@each(
    ("settings", "says"),
    [
        (
            {"test": "anova"},
            "'anova' is no test; choose one of single-step, max-t, moderated, tukey, parametric",
        ),
        ({"correction": "fdr"}, "'fdr' is no correction; choose one of holm, bonferroni, none"),
        ({"samples": 0}, "at least one random permutation"),
        ({"threads": 0}, "at least one thread"),
    ],
)
def test_bad_choices(settings, says):
    with pytest.raises(BadInput, match=says):
        compare_systems(scattered(3, 2, seed=1), **settings)


def test_every_name_is_explained():
    assert list(TESTS) == [
        "single-step", "max-t", "moderated", "tukey", "parametric", "t", "randomisation",
        "bootstrap",
    ]  # fmt: skip
    for test in TESTS.values():
        assert test.title
        assert test.meaning
        assert "near-duplicates" in test.error_rate
    assert CORRECTIONS == ("holm", "bonferroni", "none")


def test_scores_of_any_size():
    """Rounding counts by the size of the scores: CG's are in the hundreds."""
    values = scattered(8, 3, seed=9).values
    one = compare_systems(matrix_of(values), samples=200)["p"]
    assert one.equals(compare_systems(matrix_of(values * 1e6), samples=200)["p"])
