import numpy as np
import pytest

from core.comparison import permutation
from core.comparison.difference_tests import CORRECTIONS, TESTS, compare_systems, smallest_p
from core.comparison.score_matrix import score_matrix
from core.errors import BadInput
from tests.core.comparison.matrices import matrix_of, scattered

COLUMNS = ["first", "second", "difference", "p", "effect_size", "reason"]


@pytest.mark.parametrize("test", TESTS)
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
    assert (pairs["reason"] == "").all()
    assert (np.sign(pairs["effect_size"]) == np.sign(pairs["difference"])).all()


@pytest.mark.parametrize("test", TESTS)
def test_dl19_is_the_same_under_a_seed_on_any_number_of_threads(test, dl19):
    def p(threads: int, seed: int = 3) -> list[float]:
        rng = np.random.default_rng(seed)
        return compare_systems(dl19, test, rng=rng, threads=threads)["p"].tolist()

    plain = p(1)
    assert len(plain) == 37 * 36 / 2
    assert plain == p(1) == p(2) == p(5)
    random = test in ("tukey", "randomisation")
    assert (p(1, seed=4) != plain) == random


@pytest.mark.parametrize("test", ["tukey", "randomisation"])
def test_dl19_hardly_depends_on_the_seed(test, dl19):
    one, other = (
        compare_systems(dl19, test, correction="none", rng=np.random.default_rng(seed))["p"]
        for seed in (1, 2)
    )
    assert np.abs(one - other).max() < 0.03


def test_dl19_tests_agree_about_what_is_clear(dl19):
    """All four guard against false alarms among 666 pairs; ranges of all systems do it most.

    Permuting over all systems spreads what sets the worst apart over the others, too.
    """
    found = {
        test: (compare_systems(dl19, test, samples=100_000)["p"] < 0.05).sum() for test in TESTS
    }
    plain = (compare_systems(dl19, "t", correction="none")["p"] < 0.05).sum()
    assert 100 < found["tukey"] < found["parametric"] < plain
    assert 100 < found["t"] < plain
    assert 100 < found["randomisation"] < plain


def test_too_few_samples_for_a_correction_leave_nothing_to_find(dl19):
    systems = len(dl19.systems)
    least = smallest_p(systems, "randomisation", "holm", 10_000)
    assert least == pytest.approx(666 / 10_001)
    pairs = compare_systems(dl19, "randomisation", samples=10_000)
    assert pairs["p"].min() == least
    assert smallest_p(systems, "randomisation", "holm", 100_000) < 0.05
    assert smallest_p(systems, "randomisation", "none", 99) == 0.01
    assert smallest_p(systems, "randomisation", "bonferroni", 99) == 1
    assert smallest_p(systems, "tukey", "holm", 99) == 0.01
    assert smallest_p(systems, "t") == smallest_p(systems, "parametric") == 0
    with pytest.raises(BadInput, match="no test"):
        smallest_p(systems, "anova")


def test_the_order_of_rows_and_systems_changes_nothing(dl19_scores):
    scores = dl19_scores[dl19_scores["version"] == "slot 2"]
    shuffled = scores.sample(frac=1, random_state=np.random.default_rng(1))
    one, other = (compare_systems(score_matrix(rows), samples=500) for rows in (scores, shuffled))
    assert one.equals(other)


def test_without_a_generator_the_seed_is_fixed():
    matrix = scattered(9, 5, seed=2)
    assert compare_systems(matrix, samples=50).equals(compare_systems(matrix, samples=50))


@pytest.mark.parametrize("test", ["tukey", "randomisation"])
@pytest.mark.parametrize("threads", [1, 3])
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


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"test": "anova"}, "'anova' is no test; choose one of tukey, parametric, t, randomis"),
        ({"correction": "fdr"}, "'fdr' is no correction; choose one of holm, bonferroni, none"),
        ({"samples": 0}, "at least one random permutation"),
        ({"threads": 0}, "at least one thread"),
    ],
)
def test_bad_choices(settings, says):
    with pytest.raises(BadInput, match=says):
        compare_systems(scattered(3, 2, seed=1), **settings)


def test_every_name_is_explained():
    assert list(TESTS) == ["tukey", "parametric", "t", "randomisation"]
    assert all(TESTS.values())
    assert CORRECTIONS == ("holm", "bonferroni", "none")


def test_scores_of_any_size():
    """Rounding counts by the size of the scores: CG's are in the hundreds."""
    values = scattered(8, 3, seed=9).values
    one = compare_systems(matrix_of(values), samples=200)["p"]
    assert one.equals(compare_systems(matrix_of(values * 1e6), samples=200)["p"])
