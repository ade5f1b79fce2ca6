"""Random permutations in blocks, each with its own seed: the same on any number of threads."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from core.agreement.intervals import Floats

Progress = Callable[[float], None]
Result = TypeVar("Result")

CELLS = 1 << 16
"""How many numbers a block holds at most: few enough for a processor's cache."""

TOLERANCE = 1e-12
"""Differences this close, by the largest score or 1, are equal but for rounding."""


def run_blocks(
    work: Callable[[int, np.random.Generator], Result],
    cells: int,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Iterator[Result]:
    """Yield what ``work`` makes of each block of random permutations, in order.

    Parameters
    ----------
    work : callable
        From the number of permutations in a block and its generator to a result.
    cells : int
        How many numbers one permutation needs. The blocks depend on this and on ``samples`` only.
    samples : int
        Permutations in all.
    rng : Generator
        The blocks' generators are spawned from it.
    progress : callable
        Told the share done after each block; what it raises ends the work.
    threads : int, default 1
        How many blocks are worked on at once.
    """
    size = max(1, min(samples, CELLS // cells))
    sizes = [min(size, samples - start) for start in range(0, samples, size)]
    pool = ThreadPoolExecutor(threads)
    try:
        for done, result in enumerate(pool.map(work, sizes, rng.spawn(len(sizes))), start=1):
            yield result
            progress(done / len(sizes))
    finally:
        pool.shutdown(cancel_futures=True)


def tolerance(values: Floats) -> float:
    """Return how far apart two means of these scores may be by rounding alone."""
    return TOLERANCE * max(1.0, float(np.abs(values).max()))
