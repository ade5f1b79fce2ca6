"""The max-t and the randomised Tukey test against plain loops, and what the other tests cost.

``python -m tests.bench.comparison``: one run prints the time of 10,000 permutations on 50 topics
and 13 systems and on 250 and 100, beside a loop of numpy over trials, for Tukey's also over topics,
that is timed on some trials and reckoned up; then how far apart the p of both are, and what
every test costs. Scores are simulated.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from core.comparison.choices import TESTS
from core.comparison.difference_tests import compare_systems
from core.comparison.score_matrix import ScoreMatrix

SAMPLES = 10_000
SIZES = ((50, 13), (250, 100))


def simulate(topics: int, systems: int, seed: int) -> ScoreMatrix:
    """Return simulated scores: topics vary most, then chance, then systems."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0.5, 0.2, size=(topics, 1)) + np.linspace(0.1, 0, systems)
    values = values + rng.normal(0, 0.1, size=(topics, systems))
    return ScoreMatrix(
        systems=tuple(f"s{at:03}" for at in range(systems)),
        topics=tuple(f"t{at:03}" for at in range(topics)),
        values=values,
    )


def loop_by_definition(values: np.ndarray, trials: int, rng: np.random.Generator) -> np.ndarray:
    """Return p of each pair by max-t, step-down, with Student's t of each trial as defined."""
    topics, systems = values.shape
    first, second = np.triu_indices(systems, k=1)
    apart = values[:, first] - values[:, second]

    def student(differences: np.ndarray) -> np.ndarray:
        error = differences.std(axis=0, ddof=1) / np.sqrt(topics)
        return np.abs(differences.mean(axis=0)) / error

    observed = student(apart)
    order = np.argsort(observed)
    reached = np.ones(len(first))
    for _ in range(trials):
        t = student(apart * rng.choice([-1.0, 1.0], (topics, 1)))
        reached[order] += np.maximum.accumulate(t[order]) >= observed[order]
    p = np.empty(len(first))
    p[order] = np.maximum.accumulate(reached[order][::-1])[::-1] / (trials + 1)
    return p


def loop_exchanges(values: np.ndarray, trials: int, rng: np.random.Generator) -> np.ndarray:
    """Return the same by one product of a matrix a trial: squares stay what they are."""
    topics, systems = values.shape
    first, second = np.triu_indices(systems, k=1)
    apart = values[:, first] - values[:, second]
    squares = (apart**2).sum(axis=0)
    observed = apart.sum(axis=0) ** 2 / squares
    order = np.argsort(observed)
    reached = np.ones(len(first))
    for _ in range(trials):
        signs = rng.choice([-1.0, 1.0], topics)
        t = (signs @ apart) ** 2 / squares
        reached[order] += np.maximum.accumulate(t[order]) >= observed[order]
    p = np.empty(len(first))
    p[order] = np.maximum.accumulate(reached[order][::-1])[::-1] / (trials + 1)
    return p


def loop(values: np.ndarray, trials: int, rng: np.random.Generator) -> np.ndarray:
    """Return the largest difference of means of each trial, topic by topic."""
    largest = np.empty(trials)
    permuted = np.empty_like(values)
    for trial in range(trials):
        for at, row in enumerate(values):
            permuted[at] = rng.permutation(row)
        means = permuted.mean(axis=0)
        largest[trial] = means.max() - means.min()
    return largest


def time_best(work: Callable[[], object], rounds: int) -> float:
    """Return the shortest time of a few rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


LOOPS = {
    "max-t": {"as defined": loop_by_definition, "by a product": loop_exchanges},
    "tukey": {"topic by topic": loop},
}


def compare_loop(test: str, matrix: ScoreMatrix, trials: int) -> None:
    """Time a test, on one thread and on two, beside its loops."""
    shape = "{} topics × {} systems".format(*matrix.values.shape)
    for threads in (1, 2):
        ours = time_best(lambda threads=threads: run(matrix, test, threads), 5)
        print(
            f"{test}, {shape}, {SAMPLES:,} permutations, {threads} thread(s): {ours * 1000:.0f} ms"
        )
        for how, work in LOOPS[test].items():
            plain = time_best(partial(work, matrix.values, trials, np.random.default_rng(1)), 3)
            theirs = plain / trials * SAMPLES
            print(
                f"  a loop over trials, {how}: {theirs:.1f} s ({trials} timed), "
                f"{theirs / ours:.1f} times as long"
            )


def run(matrix: ScoreMatrix, test: str, threads: int = 1) -> object:
    """Return what a test makes of all pairs."""
    rng = np.random.default_rng(2)
    return compare_systems(matrix, test, samples=SAMPLES, rng=rng, threads=threads)


def compare_results(trials: int) -> None:
    """Print how far p of the two implementations are apart: chance alone."""
    matrix = simulate(20, 6, seed=3)
    pairs = compare_systems(matrix, "tukey", samples=SAMPLES, rng=np.random.default_rng(4))
    largest = loop(matrix.values, trials, np.random.default_rng(5))
    least = np.abs(pairs["difference"].to_numpy())[:, np.newaxis] - 1e-12
    theirs = (1 + (largest >= least).sum(axis=1)) / (trials + 1)
    exchanged = compare_systems(matrix, "max-t", samples=SAMPLES, rng=np.random.default_rng(4))
    looped = loop_by_definition(matrix.values, trials, np.random.default_rng(5))
    for test, ours, loops in (("tukey", pairs, theirs), ("max-t", exchanged, looped)):
        apart = np.abs(ours["p"] - loops).max()
        print(
            f"{test}: p by {SAMPLES:,} permutations and by {trials:,} trials of the loop: "
            f"at most {apart:.3f} apart"
        )


def main() -> None:
    """Run everything once and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200, help="trials of the loops to time")
    chosen = parser.parse_args()
    matrices = [simulate(topics, systems, seed=1) for topics, systems in SIZES]
    for test in LOOPS:
        for matrix in matrices:
            compare_loop(test, matrix, chosen.trials)
    compare_results(2000)
    for matrix in matrices:
        for test in TESTS:
            taken = time_best(lambda given=matrix, test=test: run(given, test), 2)
            print("{}: {} topics × {} systems: ".format(test, *matrix.values.shape), end="")
            print(f"{taken * 1000:.0f} ms")


if __name__ == "__main__":
    main()
