"""Strengths from 100,000 simulated preferences over 2,000 items, beside a plain loop.

``python -m tests.bench.preferences``: one run prints the time from the frame of preferences to
strengths with intervals, items in one group, in 50 topics and as systems over topics; the time
of a plain loop over items (Hunter's MM iteration, without intervals) on the same counts, its
ratio to ours, and the largest difference of the results; then everything the command computes.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from core.preference.agreement import preference_agreement
from core.preference.bradley_terry import bradley_terry
from core.preference.choices import MODELS
from core.preference.outcomes import tabulate_outcomes
from core.preference.pair_counts import PairCounts, count_pairs
from core.preference.pairs import choose_pairs
from core.preference.sides import side_bias, swapped_repeats
from core.preference.transitivity import find_intransitive

PREFERENCES, ITEMS, ASSESSORS = 100_000, 2_000, 50


def simulate(topics: int, seed: int) -> pd.DataFrame:
    """Return simulated preferences; each topic has its share of the items."""
    rng = np.random.default_rng(seed)
    size = ITEMS // topics
    topic = rng.integers(topics, size=PREFERENCES)
    one = rng.integers(size, size=PREFERENCES)
    other = (one + rng.integers(1, size, size=PREFERENCES)) % size
    first, second = topic * size + np.minimum(one, other), topic * size + np.maximum(one, other)
    strength = rng.normal(size=ITEMS)
    odds = np.exp(strength[second] - strength[first])
    choice = np.where(rng.random(PREFERENCES) < 1 / (1 + odds), "first", "second")
    choice[rng.random(PREFERENCES) < 0.1] = "tie"
    names = pd.array([f"document-{at:05}" for at in range(ITEMS)], dtype="str")
    left = np.where(rng.random(PREFERENCES) < 0.5, first, second)
    people = pd.array([f"assessor-{at:02}" for at in range(ASSESSORS)], dtype="str")
    return pd.DataFrame(
        {
            "topic_id": pd.array([f"topic-{at:03}" for at in range(topics)], dtype="str")[topic],
            "kind": "documents",
            "facet": "page",
            "first": names[first],
            "second": names[second],
            "left": names[left],
            "choice": pd.array(choice, dtype="str"),
            "strength": 0,
            "assessor_id": people[rng.integers(ASSESSORS, size=PREFERENCES)],
            "occasion": 0,
            "state": "level",
        }
    ).drop_duplicates(["topic_id", "first", "second", "assessor_id"])


def time_best(work: Callable[[], object], rounds: int) -> float:
    """Return the shortest time of a few rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def fit_by_loop(pair_counts: PairCounts, rounds: int) -> tuple[np.ndarray, float]:
    """Return worths after some rounds of the plain MM iteration, and the last largest change."""
    met: list[list[tuple[int, float]]] = [[] for _ in range(len(pair_counts.items))]
    points = pair_counts.sum_items(
        pair_counts.wins + pair_counts.ties / 2, pair_counts.losses + pair_counts.ties / 2
    )
    for first, second, played in zip(
        pair_counts.first.tolist(),
        pair_counts.second.tolist(),
        pair_counts.played.tolist(),
        strict=True,
    ):
        met[first].append((second, played))
        met[second].append((first, played))
    worth, change = [1.0] * len(met), 0.0
    for _ in range(rounds):
        new = [
            points[item] / sum(played / (worth[item] + worth[other]) for other, played in own)
            for item, own in enumerate(met)
        ]
        centre = float(np.exp(np.mean(np.log(new))))
        change = max(abs(a / centre - b) for a, b in zip(new, worth, strict=True))
        worth = [one / centre for one in new]
    return np.log(np.array(worth)), change


def compare_loop(rounds: int) -> None:
    """Time our fit of one group of items beside the loop."""
    frame = simulate(1, seed=1)
    pair_counts = count_pairs(frame)
    ours = time_best(lambda: bradley_terry(pair_counts), 3)
    start = time.perf_counter()
    strength, change = fit_by_loop(pair_counts, rounds)
    theirs = time.perf_counter() - start
    found = bradley_terry(pair_counts).frame["strength"].to_numpy()
    pairs = len(pair_counts.first)
    print(
        f"{len(frame):,} preferences, {ITEMS:,} items in one group, {pairs:,} pairs: strengths and "
        f"intervals {ours * 1000:.0f} ms; plain MM loop without intervals {theirs:.1f} s for "
        f"{rounds} rounds (last change {change:.0e}): {theirs / ours:,.0f} times as long; largest "
        f"difference {np.abs(found - strength).max():.0e}"
    )


def time_fits(topics: int) -> None:
    """Print the time from the frame of preferences to strengths, by either model."""
    frame = simulate(topics, seed=2)
    for model in MODELS:
        took = time_best(lambda chosen=model: bradley_terry(count_pairs(frame), chosen), 3)
        print(f"{model}, {topics} topics: counting and fitting {took * 1000:.0f} ms")


def time_page(topics: int) -> None:
    """Print the time of everything that a page of results computes, and of the next pairs."""
    frame = simulate(topics, seed=3)

    def compute() -> None:
        pair_counts = count_pairs(frame)
        tabulate_outcomes(frame)
        bradley_terry(pair_counts)
        find_intransitive(pair_counts)
        side_bias(frame)
        swapped_repeats(frame)

    took = time_best(compute, 3)
    agreement = time_best(lambda: preference_agreement(frame), 1)
    strengths = bradley_terry(count_pairs(frame)).frame
    candidates = strengths[["topic_id", "item"]]
    pairs = time_best(
        lambda: choose_pairs(
            candidates, "adaptive", 500, np.random.default_rng(1), strengths=strengths
        ),
        1,
    )
    print(
        f"{topics} topics: outcomes, strengths, triples, sides {took * 1000:.0f} ms; agreement of "
        f"{ASSESSORS} assessors {agreement * 1000:.0f} ms; choosing 500 pairs "
        f"{pairs * 1000:.0f} ms"
    )


def main() -> None:
    """Run everything once and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=250, help="rounds of the plain loop")
    chosen = parser.parse_args()
    compare_loop(chosen.rounds)
    for topics in (1, 50):
        time_fits(topics)
        time_page(topics)


if __name__ == "__main__":
    main()
