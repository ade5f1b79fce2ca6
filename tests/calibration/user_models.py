"""Simulated labels of many people an item, for which the User Disagreement Model is true or not.

The model can only be true where all items of a topic have the same chance of a top label, whichever
other levels they have: a top label would else tell of the item it is on, and not of its level.
"""

from dataclasses import dataclass

import numpy as np

from core.disagreement.repeated_labels import RepeatedLabels

LEVELS = (0, 1, 2)
ITEMS, PEOPLE = 10, 6


@dataclass(frozen=True)
class CrowdModel:
    """How labels come about.

    Parameters
    ----------
    name : str
        What it is called.
    top : float
        The mean chance of a top label.
    lower : bool
        Whether an item's lower labels are all of one level, and topics differ in which.
    spread : float
        The correlation of two people's top labels on an item: 0 where the model is true.
    """

    name: str
    top: float
    lower: bool = False
    spread: float = 0.0

    def draw(self, topics: int, rng: np.random.Generator) -> RepeatedLabels:
        """Return labels of six people on each of ten items of a topic."""
        shape = topics, ITEMS, PEOPLE
        share = rng.beta(1, 1, (topics, 1, 1)) if self.lower else 0.5
        is_higher = rng.random(shape if not self.lower else (topics, ITEMS, 1)) < share
        top = np.full((topics, ITEMS, 1), self.top)
        if self.spread:
            cases = 1 / self.spread - 1
            top = rng.beta(self.top * cases, (1 - self.top) * cases, top.shape)
        level = np.where(rng.random(shape) < top, 2, is_higher)
        number = np.arange(level.size)
        return RepeatedLabels(
            number // PEOPLE,
            number % PEOPLE,
            level.ravel().astype(np.int64),
            LEVELS,
            number // (ITEMS * PEOPLE),
            "topic",
        )


TRUE = (
    CrowdModel("levels tell nothing", 0.3),
    CrowdModel("topics differ below the top", 0.3, lower=True),
    CrowdModel("top is rare", 0.08),
)
VARIED = CrowdModel("items differ", 0.3, spread=0.15)
