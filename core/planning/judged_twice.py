"""How many items two assessors judge, so that an interval of agreement is narrow enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.intervals import Floats, deviation_interval
from core.errors import BadInput
from core.planning.designs import find_least
from core.planning.item_spread import ItemSpread

if TYPE_CHECKING:
    import pandas as pd

LEAST_TOPICS = 3
"""With fewer, topics as the unit of sampling give no interval worth planning."""

MOST_TOPICS = 10_000
PER_TOPIC = (5, 10, 20, 50, 100)
"""How many items of a topic are judged twice, in tables."""

NEVER = f"not with {MOST_TOPICS:,} topics"


def expect_width(spread: ItemSpread, topics: Floats, items: float) -> Floats:
    """Return how wide the 95 % interval of the figure would be, about.

    The interval is that of the pages: topics are what is sampled, Student's t on log odds.

    Parameters
    ----------
    spread : ItemSpread
        What items add, from a pilot or assumed.
    topics : array, shape (n,)
        Numbers of topics, from 3.
    items : float
        Of each topic, how many are judged twice, from 1.

    Returns
    -------
    array, shape (n,)
        In units of the figure. The value is taken to come out as the pilot has it.
    """
    error = np.sqrt(spread.variance / (topics * items) * spread.design_effect(items))
    value = np.full_like(error, spread.value)
    low, high = deviation_interval(value, error, topics, spread.least)
    width: Floats = high - low
    return width


def count_topics_for(spread: ItemSpread, width: float, items: float) -> float:
    """Return the least number of topics, with so many items each, for an interval as narrow.

    Parameters
    ----------
    spread, items
        As for `expect_width`.
    width : float
        How wide the interval may be, above 0.

    Returns
    -------
    float
        A whole number from 3; infinite where more than 10,000 would be needed.

    Raises
    ------
    BadInput
        The width or the number of items is out of its range.
    """
    if not width > 0:
        raise BadInput("the width of an interval is above 0", field="width")
    if not items >= 1:
        raise BadInput("at least one item of a topic is judged twice", field="items")
    return find_least(
        lambda topics: bool(expect_width(spread, np.array([float(topics)]), items)[0] <= width),
        LEAST_TOPICS,
        MOST_TOPICS,
    )


def plan_items(
    spread: ItemSpread, width: float, per_topic: Sequence[int] = PER_TOPIC
) -> pd.DataFrame:
    """Tabulate how many topics, and items in all, make an interval as narrow as wanted.

    Parameters
    ----------
    spread, width
        As for `count_topics_for`.
    per_topic : sequence of int
        Numbers of items of a topic, a row each.

    Returns
    -------
    DataFrame
        ``per_topic, design_effect, topics, items, width, reason``: ``width`` is what comes of so
        many topics. What cannot be reached is NaN, and ``reason`` says so.
    """
    import pandas as pd

    rows = []
    for number in per_topic:
        topics = count_topics_for(spread, width, number)
        effect = spread.design_effect(number)
        if np.isinf(topics):
            rows.append((number, effect, np.nan, np.nan, np.nan, NEVER))
            continue
        reached = float(expect_width(spread, np.array([topics]), number)[0])
        rows.append((number, effect, topics, topics * number, reached, ""))
    columns = ["per_topic", "design_effect", "topics", "items", "width", "reason"]
    return pd.DataFrame(rows, columns=columns)
