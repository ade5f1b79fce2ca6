"""What judging costs, and what the same effort buys: many topics and shallow pools, or few deep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.intervals import Floats
from core.collection.labels.label_options import SECONDS
from core.errors import BadInput
from core.planning.designs import Design, Requirement, find_effect

if TYPE_CHECKING:
    import pandas as pd

FEW = "too little for two topics"


@dataclass(frozen=True)
class CostRates:
    """What a judgement takes.

    Parameters
    ----------
    judges : int, default 1
        How many assessors judge each document.
    seconds : float, default 15
        For a judgement, above 0.
    wage : float, default 0
        Money for an hour, in any currency; at least 0.
    overhead : float, default 0
        Minutes that a topic takes an assessor besides, to read it for instance; at least 0.

    Raises
    ------
    BadInput
        A number is out of its range.
    """

    judges: int = 1
    seconds: float = SECONDS
    wage: float = 0.0
    overhead: float = 0.0

    def __post_init__(self) -> None:
        if self.judges < 1:
            raise BadInput("one assessor judges each document, or more", field="judges")
        if not 0 < self.seconds < np.inf:
            raise BadInput("a judgement takes more than 0 seconds", field="seconds")
        for name, value in (("wage", self.wage), ("overhead", self.overhead)):
            if not 0 <= value < np.inf:
                raise BadInput(f"the {name} is at least 0", field=name)

    def hours_of(self, pool: Floats) -> Floats:
        """Return the hours that topics with pools of these sizes take, each."""
        hours: Floats = self.judges * (pool * self.seconds / 3600 + self.overhead / 60)
        return hours


def count_cost(topics: int, depths: Sequence[int], pools: Floats, rates: CostRates) -> pd.DataFrame:
    """Tabulate what judging so many topics costs by the depth of their pools.

    Parameters
    ----------
    topics : int
        How many are judged, from 1.
    depths, pools
        Depths, and how many documents of a topic each makes.
    rates : CostRates
        What a judgement takes.

    Returns
    -------
    DataFrame
        ``depth, pool, topics, documents, judgements, hours, money``, by depth.
    """
    import pandas as pd

    hours = topics * rates.hours_of(pools)
    return pd.DataFrame(
        {
            "depth": np.asarray(depths, dtype=np.int64),
            "pool": pools,
            "topics": topics,
            "documents": topics * pools,
            "judgements": topics * pools * rates.judges,
            "hours": hours,
            "money": hours * rates.wage,
        }
    )


def compare_depths(
    hours: float,
    depths: Sequence[int],
    pools: Floats,
    variances: Floats,
    rates: CostRates,
    design: Design,
    wanted: Requirement,
) -> pd.DataFrame:
    """Tabulate how many topics the same hours buy by depth, and what they tell.

    Parameters
    ----------
    hours : float
        What there is, above 0.
    depths, pools, rates
        As for `count_cost`.
    variances : array, shape (n_depths,)
        Of what ``design.varies`` says, by depth: scores from shallow pools may vary otherwise.
    design : Design
        A test.
    wanted : Requirement
        The effect, power, α and systems.

    Returns
    -------
    DataFrame
        ``depth, pool, variance, topics, judgements, hours, money, power, effect, reason``:
        ``effect`` is the least difference that is told with the power that is wanted. Without two
        topics both are NaN, and ``reason`` says so.

    Raises
    ------
    BadInput
        There are no hours.

    References
    ----------
    Carterette et al. (2008), SIGIR, doi:10.1145/1390334.1390445, on many topics with few
    judgements each.
    """
    import pandas as pd

    if not 0 < hours < np.inf:
        raise BadInput("what there is to spend is above 0 hours", field="hours")
    each = rates.hours_of(pools)
    topics = np.floor(hours / each + 1e-9).astype(np.int64)
    table = pd.concat(
        [
            count_cost(int(number), [depth], np.array([pool]), rates)
            for depth, pool, number in zip(depths, pools, topics, strict=True)
        ],
        ignore_index=True,
    ).drop(columns="documents")
    table.insert(2, "variance", variances)
    known = (topics >= 2) & (variances > 0)
    power, effect = np.full((2, len(table)), np.nan)
    for row in np.flatnonzero(known):
        number = np.array([float(topics[row])])
        power[row] = design.reach(number, float(variances[row]), wanted)[0]
        effect[row] = find_effect(design, int(topics[row]), float(variances[row]), wanted)
    reason = np.where(topics < 2, FEW, np.where(known, "", "no variance is known"))
    return table.assign(power=power, effect=effect, reason=reason)


@dataclass(frozen=True)
class Price:
    """What judging costs: an hour, a label, or both.

    Parameters
    ----------
    hour, label : float
        At least 0, in any one currency.
    """

    hour: float = 0.0
    label: float = 0.0

    def __post_init__(self) -> None:
        if not (self.hour >= 0 and self.label >= 0):
            raise BadInput("a price is a number from 0", field="price")


@dataclass(frozen=True)
class Cost:
    """Labels, hours and money.

    Parameters
    ----------
    labels : float
        How many; a forecast need not be whole.
    hours : float
        How long they take.
    money : float
        What they are paid with; 0 without a price.
    """

    labels: float
    hours: float
    money: float


def tell_cost(labels: float, hours: float, price: Price) -> Cost:
    """Return what labels that took so many hours have cost."""
    return Cost(labels, hours, labels * price.label + hours * price.hour)
