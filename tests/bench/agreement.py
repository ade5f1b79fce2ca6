"""Agreement against plain loops over other libraries, and the cost of the agreement page.

``python -m tests.bench.agreement``: one run prints the time of weighted κ on 11,214 items and of α
with their limits, for which each of 50 topics is left out, beside a loop over scikit-learn
(statsmodels without it) and krippendorff; then what the page computes at 100,000 and 1,000,000
simulated labels.
"""

import argparse
import time
from collections.abc import Callable

import krippendorff
import numpy as np
import pandas as pd

from core.agreement.base import COEFFICIENTS, PairCoefficient
from core.agreement.coefficients import Alpha, Kappa, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.groups import agreement_by_group
from core.agreement.multi_rater_counts import level_counts
from core.agreement.overall import measure_agreement, panel_agreement
from core.agreement.pairs import agreement_by_pair
from core.agreement.pooled import overall_agreement
from core.agreement.ratings import Ratings
from core.agreement.topics import agreement_by_topic, split_topics

LINEAR = Kappa("linear")
TOPICS = 50
ITEMS = 11_214
PAGE = ("kappa", "kappa(linear)", "raw")
PANEL = ("alpha(nominal)", "alpha(ordinal)", "alpha(interval)", "fleiss", "randolph", "AC1")
EVERY = (*PAGE, "kappa(quadratic)", "pi", "overlap>=1", *PANEL, "AC2(linear)")


def simulate(items: int, each: int, people: int, topics: int, levels: int, seed: int) -> Ratings:
    """Return simulated labels: ``each`` of the people give every item a level near its own."""
    rng = np.random.default_rng(seed)
    who = np.sort(np.argsort(rng.random((items, people)), axis=1)[:, :each], axis=1)
    topic = np.sort(rng.integers(topics, size=items))
    moved = rng.integers(levels, size=(items, 1)) + rng.integers(-1, 2, size=(items, each))
    return Ratings(
        item=np.repeat(np.arange(items), each),
        assessor=who.ravel(),
        level=np.clip(moved, 0, levels - 1).ravel(),
        topic=np.repeat(topic, each),
        items=pd.DataFrame({"engine": np.full(items, "")}),
        assessors=tuple(f"a{at:03}" for at in range(people)),
        topics=tuple(f"t{at:04}" for at in range(topics)),
        levels=tuple(range(levels)),
    )


def time_best(work: Callable[[], object], rounds: int) -> float:
    """Return the shortest time of a few rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def kappa_loop() -> tuple[str, Callable[..., object]]:
    """Return weighted κ of two lists of levels as others compute it, and whose it is."""
    try:
        from sklearn.metrics import cohen_kappa_score
    except ImportError:
        from statsmodels.stats.inter_rater import cohens_kappa

        def plain(first: np.ndarray, second: np.ndarray) -> object:
            cells = np.histogram2d(first, second, bins=range(4))[0]
            return cohens_kappa(cells, wt="linear", return_results=False)

        return "statsmodels", plain
    return "scikit-learn", lambda one, other: cohen_kappa_score(one, other, weights="linear")


def compare_kappa() -> None:
    """Time weighted κ of two assessors with its limits."""
    ratings = simulate(ITEMS, 2, 2, TOPICS, 3, seed=1)
    first, second = ratings.level.reshape(-1, 2).T
    topic = ratings.topic[::2]
    library, kappa = kappa_loop()

    def loop() -> None:
        for at in range(TOPICS):
            left = topic != at
            kappa(first[left], second[left])

    def ours() -> None:
        agreement_by_pair(confusion_matrices(ratings), [LINEAR])

    report(f"weighted κ, {ITEMS:,} items", library, ours, loop)


def compare_alpha() -> None:
    """Time α of five assessors with missing labels, with its limits."""
    ratings = simulate(ITEMS, 3, 5, TOPICS, 3, seed=3)
    table = np.full((5, ITEMS), np.nan)
    table[ratings.assessor, ratings.item] = ratings.level
    topic = ratings.topic[::3]

    def loop() -> None:
        for at in range(TOPICS):
            krippendorff.alpha(
                table[:, topic != at], value_domain=range(3), level_of_measurement="ordinal"
            )

    def ours() -> None:
        panel_agreement(level_counts(ratings), [Alpha("ordinal")])

    report(f"ordinal α, {ITEMS:,} items", "krippendorff", ours, loop)


def report(what: str, library: str, ours: Callable[[], object], loop: Callable[[], object]) -> None:
    """Print our time from labels to interval, the loop's, and the ratio."""
    own, theirs = time_best(ours, 5), time_best(loop, 1)
    print(
        f"{what}, {TOPICS} topics left out in turn: {own * 1000:.1f} ms; loop over {library} "
        f"{theirs:.2f} s: {theirs / own:,.0f} times as long"
    )


def compute_page(ratings: Ratings) -> None:
    """Do what the page does for one facet when a label has arrived."""
    matrices = confusion_matrices(ratings)
    agreement_by_pair(matrices, [LINEAR, Kappa(), Raw()])
    overall_agreement(matrices, [LINEAR, Kappa(), Raw()])
    split_topics(agreement_by_topic(matrices))


def compute_everything(ratings: Ratings) -> None:
    """Do the same with every coefficient, and by group."""
    matrices = confusion_matrices(ratings)
    every = [COEFFICIENTS.parse(text) for text in EVERY]
    two = [one for one in every if isinstance(one, PairCoefficient)]
    groups = {name: "crowd" if at % 2 else "student" for at, name in enumerate(ratings.assessors)}
    agreement_by_pair(matrices, two)
    measure_agreement(ratings, every)
    agreement_by_group(matrices, groups, [LINEAR])
    split_topics(agreement_by_topic(matrices))


def grow(topics_grow: bool) -> None:
    """Print the page's time at 100,000 and 1,000,000 labels of 30 assessors."""
    for name, compute in (("page", compute_page), ("every coefficient", compute_everything)):
        times = {}
        for labels in (100_000, 1_000_000):
            topics = labels // 1000 if topics_grow else 100
            ratings = simulate(labels // 5, 5, 30, topics, 4, seed=5)
            times[labels] = time_best(lambda given=ratings, work=compute: work(given), 3)
        small, large = times.values()
        print(
            f"{name}, 30 assessors, {'topics growing with labels' if topics_grow else '100 topics'}"
            f": {small * 1000:.0f} ms at 100,000 labels, {large * 1000:.0f} ms at 1,000,000: "
            f"10 times the labels take {large / small:.1f} times as long"
        )


def main() -> None:
    """Run everything once and print the figures."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    compare_kappa()
    compare_alpha()
    grow(topics_grow=False)
    grow(topics_grow=True)


if __name__ == "__main__":
    main()
