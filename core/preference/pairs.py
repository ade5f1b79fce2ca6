"""Choosing the pairs to judge, within a budget."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from core.agreement.intervals import Z95
from core.errors import BadInput
from core.preference.pair_counts import Codes, Floats

PAIR = ["topic_id", "first", "second"]


def choose_pairs(
    candidates: pd.DataFrame,
    method: str,
    budget: int,
    rng: np.random.Generator,
    *,
    strengths: pd.DataFrame | None = None,
    judged: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Choose pairs of items of the same topic to be judged side by side.

    Parameters
    ----------
    candidates : DataFrame
        ``topic_id, item``; optional ``level`` (higher is better), ``rank`` (the best in any run,
        from 1) and ``content``: items of a topic with the same content, identical panels say, are
        never paired.
    method : {'all', 'adjacent', 'top', 'adaptive'}
        ``all``: any pairs, spread evenly over topics and items. ``adjacent``: neighbours in the
        order of the levels, equal levels in random order, each topic from the top.
        ``top``: at random, each with a chance that falls with the product of its items' ranks, or
        of their positions by level where ranks are not given. ``adaptive``: pairs whose intervals
        of strength overlap, those that overlap most first, after those that join items without
        strength, or groups that were not compared yet, to the others.
    budget : int
        The most pairs to choose, over all topics; from 1.
    rng : Generator
        The same choice follows from the same state.
    strengths : DataFrame, optional
        For 'adaptive': the frame of ``Strengths``; topic '' holds for every topic. Its intervals
        here are by the information, which an item has as soon as it was compared.
    judged : DataFrame, optional
        ``topic_id, first, second`` of pairs not to choose again.

    Returns
    -------
    DataFrame
        ``topic_id, first, second``, the first sorting before the second; what matters most comes
        first. Fewer than the budget where there are no more.

    Raises
    ------
    BadInput
        The method is unknown, or lacks levels, ranks or strengths; an item is there twice; the
        budget is below 1.
    """
    if budget < 1:
        raise BadInput("at least one pair is needed", field="budget")
    if method not in METHODS:
        raise BadInput(f"'{method}' is not a method; known are {', '.join(METHODS)}")
    if candidates.duplicated(["topic_id", "item"]).any():
        raise BadInput("an item is among the candidates of a topic twice", field="item")
    items = candidates.sort_values(["topic_id", "item"], ignore_index=True)
    first, second = _every_pair(items["topic_id"])
    if "content" in items:
        content = pd.factorize(items["content"])[0]
        alike = (content[first] == content[second]) & (content[first] >= 0)
        first, second = first[~alike], second[~alike]
    fresh = ~_is_judged(items, first, second, judged)
    first, second = first[fresh], second[fresh]
    chosen = METHODS[method](items, first, second, strengths, rng)[:budget]
    return pd.DataFrame(
        {
            "topic_id": items["topic_id"].take(first[chosen]).to_numpy(),
            "first": items["item"].take(first[chosen]).to_numpy(),
            "second": items["item"].take(second[chosen]).to_numpy(),
        }
    ).astype(dict.fromkeys(PAIR, "str"))


def _every_pair(topics: "pd.Series[str]") -> tuple[Codes, Codes]:
    """Return the positions of every two items of a topic; rows are sorted by topic."""
    sizes = np.bincount(pd.factorize(topics)[0])
    starts = np.cumsum(sizes) - sizes
    parts = [np.zeros((2, 0), dtype=np.int64)]
    parts += [
        np.array(np.triu_indices(size, 1)) + start
        for size, start in zip(sizes, starts, strict=True)
    ]
    first, second = np.concatenate(parts, axis=1)
    return first, second


def _is_judged(
    items: pd.DataFrame, first: Codes, second: Codes, judged: pd.DataFrame | None
) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    if judged is None or judged.empty:
        return np.zeros(len(first), dtype=np.bool_)
    position = pd.MultiIndex.from_frame(items[["topic_id", "item"]])
    one, other = (
        position.get_indexer(pd.MultiIndex.from_frame(judged[["topic_id", name]]))
        for name in ("first", "second")
    )
    low, high = np.minimum(one, other), np.maximum(one, other)
    size = len(items)
    return np.isin(first * size + second, (low * size + high)[low >= 0])


Method = Callable[[pd.DataFrame, Codes, Codes, pd.DataFrame | None, np.random.Generator], Codes]


def _choose_all(
    items: pd.DataFrame,
    first: Codes,
    second: Codes,
    _strengths: pd.DataFrame | None,
    rng: np.random.Generator,
) -> Codes:
    # Pairs whose positions have the same sum, around a cycle, share no item: a round of a
    # tournament. Topics begin with different rounds, so that systems meet evenly over topics.
    topic = pd.factorize(items["topic_id"])[0]
    code, names = pd.factorize(items["item"])
    size = np.bincount(topic)
    position = _position_in_topic(topic, rng.permutation(len(names))[code])
    start = rng.permutation(len(size))[topic[first]]
    turn = (position[first] + position[second] + start) % size[topic[first]]
    order = np.lexsort((rng.random(len(first)), turn))
    return _alternate(topic[first], order)


def _choose_adjacent(
    items: pd.DataFrame,
    first: Codes,
    second: Codes,
    _strengths: pd.DataFrame | None,
    rng: np.random.Generator,
) -> Codes:
    position = _position_by_level(items, rng)
    near = np.flatnonzero(np.abs(position[first] - position[second]) == 1)
    upper = np.minimum(position[first], position[second])[near]
    return near[np.lexsort((rng.random(len(near)), upper))]


def _choose_top(
    items: pd.DataFrame,
    first: Codes,
    second: Codes,
    _strengths: pd.DataFrame | None,
    rng: np.random.Generator,
) -> Codes:
    if "rank" in items:
        rank = items["rank"].to_numpy(np.float64)
        if not (rank >= 1).all():
            raise BadInput("a rank is missing or below 1", field="rank")
    else:
        rank = _position_by_level(items, rng) + 1.0
    # The largest of log weight plus Gumbel noise is a draw by weight, the next one after it …
    keys = -np.log(rank[first] * rank[second]) + rng.gumbel(size=len(first))
    return np.argsort(-keys, kind="stable")


def _choose_adaptive(
    items: pd.DataFrame,
    first: Codes,
    second: Codes,
    strengths: pd.DataFrame | None,
    rng: np.random.Generator,
) -> Codes:
    if strengths is None:
        raise BadInput("needs strengths to start from; choose the first pairs by another method")
    low, high, group = _find_limits(items, strengths)
    shared = np.minimum(high[first], high[second]) - np.maximum(low[first], low[second])
    shared[(group[first] != group[second]) | (group[first] == 0)] = np.inf
    open_ = np.flatnonzero(shared > 0)
    return open_[_spread(items, first[open_], second[open_], shared[open_], rng)]


def _find_limits(items: pd.DataFrame, strengths: pd.DataFrame) -> tuple[Floats, Floats, Floats]:
    """Return each item's interval and group; group 0 where nothing is known of it."""
    is_over = bool((strengths["topic_id"] == "").all())
    keys = ["item"] if is_over else ["topic_id", "item"]
    columns = ["strength", "error", "group"]
    found = items[["topic_id", "item"]].merge(strengths[[*keys, *columns]], on=keys, how="left")
    strength, error, group = (found[name].fillna(0).to_numpy(np.float64) for name in columns)
    return strength - Z95 * error, strength + Z95 * error, group


def _position_by_level(items: pd.DataFrame, rng: np.random.Generator) -> Codes:
    """Return each item's position in its topic from 0, by falling level, ties at random."""
    if "level" not in items or items["level"].isna().any():
        raise BadInput("this method needs a level of every candidate", field="level")
    topic = pd.factorize(items["topic_id"])[0]
    order = np.lexsort((rng.random(len(items)), -items["level"].to_numpy(np.float64)))
    rank = np.empty(len(items), dtype=np.int64)
    rank[order] = np.arange(len(items))
    return _position_in_topic(topic, rank)


def _position_in_topic(topic: Codes, key: Codes) -> Codes:
    """Return each item's position in its topic from 0, by rising key; items are sorted by topic."""
    position = np.empty(len(topic), dtype=np.int64)
    position[np.lexsort((key, topic))] = np.arange(len(topic))
    return position - np.searchsorted(topic, topic)


def _spread(
    items: pd.DataFrame, first: Codes, second: Codes, worth: Floats, rng: np.random.Generator
) -> Codes:
    """Order pairs by falling worth, with every item and topic in turn before one is repeated."""
    code = pd.factorize(items["item"])[0]
    order = np.lexsort((rng.random(len(first)), -worth))
    before = _count_before(code[first[order]], code[second[order]])
    order = order[np.argsort(before, kind="stable")]
    return _alternate(pd.factorize(items["topic_id"])[0][first], order)


def _alternate(topic: Codes, order: Codes) -> Codes:
    """Return an order in which topics take turns, each in its own order as given."""
    own = pd.Series(topic[order])
    return order[np.argsort(own.groupby(own).cumcount().to_numpy(), kind="stable")]


def _count_before(first: Codes, second: Codes) -> Codes:
    """Return in how many earlier pairs the items of each pair are, the greater of the two."""
    both = pd.Series(np.stack([first, second], axis=1).ravel())
    one, other = both.groupby(both).cumcount().to_numpy().astype(np.int64).reshape(-1, 2).T
    return np.maximum(one, other)


METHODS: dict[str, Method] = {
    "all": _choose_all,
    "adjacent": _choose_adjacent,
    "top": _choose_top,
    "adaptive": _choose_adaptive,
}
"""How pairs can be chosen."""
