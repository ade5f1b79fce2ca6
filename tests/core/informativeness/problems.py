"""Random problems of any measure, as real rankings pose them, and rankings of two systems."""

import numpy as np
import pandas as pd

from core.informativeness.batch import Batch
from core.informativeness.targets import Target

RUNS = pd.DataFrame(
    [
        *(("a", "t1", f"d{at}", at) for at in (1, 2, 3, 4)),
        *(("b", "t1", f"d{5 - at}", at) for at in (1, 2, 3, 4)),
        ("a", "t2", "d1", 1),
        ("b", "t2", "d9", 1),
    ],
    columns=["system", "topic_id", "document_id", "rank"],
)
QRELS = pd.DataFrame(
    [
        ("t1", "1", "d1", 1),
        ("t1", "1", "d4", 2),
        ("t1", "2", "d4", 1),
        ("t1", "2", "d7", 1),
        ("t1", "3", "d2", 0),
        ("t2", "1", "d9", 2),
        ("t3", "1", "d1", 0),
    ],
    columns=["topic_id", "iteration", "document_id", "level"],
)


def random_lists(depth: int, rret: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return random lists with so many relevant documents, shape (N, n_rows)."""
    order = rng.random((depth, len(rret))).argsort(axis=0).argsort(axis=0)
    return (order < rret) * 1.0


def random_batch(
    target: Target,
    count: int,
    rng: np.random.Generator,
    intents: int = 1,
    rret: tuple[int, int] | None = None,
) -> Batch:
    """Return problems that random lists pose; ``rret`` from the lowest to before the highest."""
    depth = target.family.depth
    found = rng.integers(*(rret or (0, depth + 1)), count * intents)
    share = rng.dirichlet(np.full(intents, 5.0), count).ravel()
    weight = target.weights(share, found + rng.integers(1, 30, len(found)))
    problem = np.repeat(np.arange(count), intents)
    blank = Batch(target.family, np.zeros(count), problem, found, weight)
    value = blank.total(target.family.value(random_lists(depth, found, rng), found))
    return Batch(target.family, value, problem, found, weight)


def one_problem(target: Target, value: float, *rret: int, weight: float = 1.0) -> Batch:
    """Return a single problem with a row for each Rret."""
    rows = len(rret)
    return Batch(
        target.family,
        np.array([float(value)]),
        np.zeros(rows, dtype=np.int64),
        np.array(rret, dtype=np.int64),
        np.full(rows, weight),
    )
