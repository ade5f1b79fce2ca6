"""Intransitive triples: a is preferred to b, b to c, and yet c to a."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats, divide
from core.preference.pair_counts import Codes, PairCounts

NO_TRIPLE = "no triple of items has a majority on all three pairs"


@dataclass(frozen=True, eq=False)
class Transitivity:
    """Intransitive triples among those with a majority on all three pairs.

    Attributes
    ----------
    topics : DataFrame
        ``topic_id`` ('' over topics), ``triples, intransitive, share, reason`` by topic.
    triples, intransitive : int
        Over all topics.
    share : float
        Intransitive ones in all; NaN without triples. Random choices make it ¼ on average.
    examples : DataFrame
        ``topic_id, first, second, third``: the first was preferred to the second, the second to
        the third, the third to the first. The first is the one that sorts first.
    """

    topics: pd.DataFrame
    triples: int
    intransitive: int
    share: float
    examples: pd.DataFrame


def find_intransitive(pair_counts: PairCounts, most: int = 20) -> Transitivity:
    """Count the triples of items that form a cycle, and list some.

    A pair is decided when one of the two has more wins; pairs that are tied or were not compared
    are in no triple. An item belongs to its topic; over topics all items are together.

    Parameters
    ----------
    pair_counts : PairCounts
        From ``count_pairs``.
    most : int
        How many examples to list.

    Returns
    -------
    Transitivity

    Notes
    -----
    One product of a table of items by items for each topic.

    References
    ----------
    Kendall and Babington Smith (1940), Biometrika 31(3/4), doi:10.2307/2332613.
    """
    counts: list[tuple[str, int, int]] = []
    examples: list[pd.DataFrame] = []
    for items, beats in _tournaments(pair_counts):
        between = beats @ beats
        cycles = int((between * beats.T).sum(dtype=np.float64)) // 3
        straight = int((between * beats).sum(dtype=np.float64))
        counts.append((pair_counts.items["topic_id"].iloc[items[0]], cycles + straight, cycles))
        found = _find_cycles(beats, between, most - len(examples)) if cycles else []
        examples += [pair_counts.items.iloc[items[list(triple)]] for triple in found]
    topics = pd.DataFrame(counts, columns=["topic_id", "triples", "intransitive"])
    triples, intransitive = int(topics["triples"].sum()), int(topics["intransitive"].sum())
    share = divide(topics["intransitive"].to_numpy(float), topics["triples"].to_numpy(float))
    reason = np.where(np.isnan(share), NO_TRIPLE, "")
    return Transitivity(
        topics=topics.assign(share=share, reason=reason),
        triples=triples,
        intransitive=intransitive,
        share=intransitive / triples if triples else float("nan"),
        examples=pd.DataFrame(
            [(rows["topic_id"].iloc[0], *rows["item"]) for rows in examples],
            columns=["topic_id", "first", "second", "third"],
            dtype="str",
        ),
    )


def _tournaments(pair_counts: PairCounts) -> Iterator[tuple[Codes, Floats]]:
    """Yield the items of each topic and which item beats which, 1 or 0, shape (m, m)."""
    topic = pd.factorize(pair_counts.items["topic_id"])[0]
    sizes, of_pair = np.bincount(topic), topic[pair_counts.first]
    starts = np.cumsum(sizes) - sizes
    pairs = np.split(np.arange(len(of_pair)), np.cumsum(np.bincount(of_pair))[:-1])
    ahead = np.sign(pair_counts.wins - pair_counts.losses)
    for own, start, size in zip(pairs, starts, sizes, strict=True):
        first, second, sign = pair_counts.first[own], pair_counts.second[own], ahead[own]
        # Sums of up to 16 million ones are exact in 32 bits, which multiply twice as fast.
        beats = np.zeros((size, size), dtype=np.float32)
        beats[first - start, second - start] = sign > 0
        beats[second - start, first - start] = sign < 0
        yield np.arange(start, start + size), beats


def _find_cycles(beats: Floats, between: Floats, most: int) -> list[tuple[int, int, int]]:
    """Return some cycles of positions, each from its least position on."""
    cycles: list[tuple[int, int, int]] = []
    for one, third in zip(*np.nonzero(np.triu(between * beats.T)), strict=True):
        if len(cycles) >= most:
            break
        seconds = np.flatnonzero(beats[one] * beats[:, third])
        cycles += [(int(one), int(two), int(third)) for two in seconds[seconds > one]]
    return cycles[: max(most, 0)]
