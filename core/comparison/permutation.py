"""Random permutations in blocks, each with its own seed: the same on any number of threads."""

import math
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np

from core.agreement.intervals import Floats

Progress = Callable[[float], None]
Result = TypeVar("Result")


class Tested(NamedTuple):
    """What a test finds of every two systems, each an array of shape (n_pairs,).

    ``p`` is two-sided; ``low, high`` are 95 % limits of the difference that leave out 0 exactly
    where p < .05: the test turned round. Infinite where no p is that small; NaN where the test has
    none.
    """

    p: Floats
    low: Floats
    high: Floats


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


LIMITS = 0.05
"""Limits leave out what has a p below this."""


def rank_of_limit(made: int, share: float = LIMITS) -> int:
    """Return which of the most extreme results, counted from 1, a p of ``share`` still allows.

    Parameters
    ----------
    made : int
        Results, what was observed among them: p is the share of them at least as extreme.
    share : float
        Least p.

    Returns
    -------
    int
        0 where no p is that small, so that there are no limits.
    """
    return max(0, math.ceil(share * made - 1 - 1e-9))


def critical_value(drawn: Floats, share: float = LIMITS) -> float:
    """Return the largest value that is not clear: infinite where too little was drawn.

    Parameters
    ----------
    drawn : array, shape (n_drawn,)
        What a statistic is by chance alone, in rising order, without what was observed.
    share : float
        What is not clear has a p of this or more.
    """
    rank = rank_of_limit(len(drawn) + 1, share)
    return float(drawn[-rank]) if rank else np.inf


def keep_largest(blocks: Iterable[Floats], rank: int, rows: int) -> Floats:
    """Return the ``rank`` largest of each row of blocks, the least of them first.

    Parameters
    ----------
    blocks : iterable of array, shape (rows, n)
        −∞ where there is nothing.
    rank, rows : int
        At least 1.

    Returns
    -------
    array, shape (rows, rank)
        The first column is the ``rank``-th largest.
    """
    kept = np.full((rows, rank), -np.inf)
    for block in blocks:
        both = np.concatenate([kept, block], axis=1)
        kept = np.partition(both, both.shape[1] - rank, axis=1)[:, -rank:]
    return kept


def exchanges(topics: int, samples: int) -> int:
    """Return how many exchanges of topics are tried: all, where there are no more than asked for.

    An exchange and its opposite lead to the same distance, so half of 2^topics are all there are.
    """
    every = 1 << (topics - 1)
    return every if every <= samples + 1 else samples + 1


def run_exchanges(
    work: Callable[[Floats], Result],
    topics: int,
    cells: int,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Iterator[Result]:
    """Yield what ``work`` makes of the signs of topics, block by block.

    A sign of −1 stands for a topic whose two systems change places. Where there are no more
    exchanges than asked for, each is made once: the test is exact, and no seed matters. The
    observed scores, all signs +1, are never among the blocks: whoever counts adds 1 for them.

    Parameters
    ----------
    work : callable
        From signs of shape (n_topics, n_exchanges), all ±1, to a result.
    topics : int
        How many there are.
    cells, samples, rng, progress, threads
        As for `run_blocks`.
    """
    count = exchanges(topics, samples) - 1
    if not count:
        return
    if count == (1 << (topics - 1)) - 1:
        numbers = iter(np.array_split(np.arange(1, count + 1), max(1, count * cells // CELLS)))
        every = count
        done = 0
        for block in numbers:
            bits = block[np.newaxis, :] >> np.arange(topics)[:, np.newaxis] & 1
            yield work(1 - 2 * bits.astype(np.float64))
            done += len(block)
            progress(done / every)
        return

    def draw(size: int, rng: np.random.Generator) -> Result:
        bits = rng.integers(0, 2, size=(topics, size), dtype=np.int8)
        return work(bits.astype(np.float64) * 2 - 1)

    yield from run_blocks(draw, cells, count, rng, progress, threads)
