"""How long the User Disagreement Model takes, and how that grows with the number of labels.

``python -m tests.bench.disagreement``: simulated labels of 30 assessors, six or so an item, every
tenth judged twice. Times are medians of several runs; the last column is the growth for ten times
the labels, 10 being linear.
"""

import argparse
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pandas as pd

from core.agreement.ratings import Ratings, ratings_from_labels
from core.comparison.robustness import evaluate_mutually
from core.disagreement.consistency import estimate_consistency
from core.disagreement.repeated_labels import RepeatedLabels, code_repeated_labels
from core.disagreement.strata import estimate_by_stratum, strata_by_topic
from core.disagreement.user_disagreement import estimate_top_probability
from core.disagreement.verification import draw_labels, verify_weights

TOP, RUNS = 3, 3


def main() -> None:
    """Print the milliseconds of each part at several sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    sizes = parser.parse_args().sizes
    times = {size: time_parts(make_labels(size)) for size in sizes}
    print("ms".ljust(14), *(f"{size:>12,}" for size in sizes), "      growth")
    for part in times[sizes[0]]:
        row = [times[size][part] for size in sizes]
        growth = " ".join(f"{after / before:5.1f}" for before, after in pairwise(row))
        print(part.ljust(14), *(f"{value:12.1f}" for value in row), "  ", growth)


def make_labels(size: int, seed: int = 1) -> pd.DataFrame:
    """Return simulated labels on items of unequal worth."""
    rng = np.random.default_rng(seed)
    items = size // 6
    item, assessor = np.divmod(rng.choice(items * 30, size - size // 11, replace=False), 30)
    again = rng.integers(len(item), size=size // 11)
    item, assessor = np.append(item, item[again]), np.append(assessor, assessor[again])
    worth = rng.random(items)[item] * 3
    level = np.clip(np.round(worth + rng.normal(0, 1, len(item))), 0, 3)
    frame = pd.DataFrame({"topic": item % 100, "document": item, "assessor": assessor}).astype(str)
    frame.columns = pd.Index(["topic_id", "document_id", "assessor_id"])
    frame = frame.assign(level=level, facet="page", engine="", state="level")
    occasion = frame.groupby(["document_id", "assessor_id"], sort=False).cumcount()
    return frame.assign(occasion=occasion)


def time_parts(labels: pd.DataFrame) -> dict[str, float]:
    """Return the milliseconds of each part."""
    ratings, coded = ratings_from_labels(labels, "page"), code_repeated_labels(labels, "page")
    parts: dict[str, Callable[[], object]] = {
        "code labels": lambda: code_repeated_labels(labels, "page"),
        "estimate": lambda: estimate_top_probability(ratings, TOP),
        "strata": lambda: estimate_strata(ratings),
        "verification": lambda: verify(coded),
        "consistency": lambda: estimate_consistency(coded, TOP, rng=generator()),
        "robustness": lambda: evaluate_mutually(ratings, TOP, fewest_items=1),
    }
    return {name: median_time(part) for name, part in parts.items()}


def estimate_strata(ratings: Ratings) -> pd.DataFrame:
    """Estimate p in two strata of topics."""
    kinds = {topic: ("odd", "even")[int(topic) % 2] for topic in ratings.topics}
    return estimate_by_stratum(ratings, strata_by_topic(kinds), TOP)


def verify(coded: RepeatedLabels) -> pd.DataFrame:
    """Compare predicted and observed weights on 50 draws."""
    return verify_weights(draw_labels(coded, TOP, rng=generator()))


def generator() -> np.random.Generator:
    """Return the same source of samples each time."""
    return np.random.default_rng(1)


def median_time(part: Callable[[], object]) -> float:
    """Return the median milliseconds of several runs."""
    found = []
    for _ in range(RUNS):
        started = time.perf_counter()
        part()
        found.append((time.perf_counter() - started) * 1000)
    return float(np.median(found))


if __name__ == "__main__":
    main()
