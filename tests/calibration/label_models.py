"""Simulated assessors by stated models: what intervals of agreement have to cover.

A topic has its own share of each level and its own chance that an assessor sees an item as it is;
otherwise the assessor's label is a level off, or not. Both differ between topics by a normal
distribution of log odds, whose standard deviation is the model's ``spread``.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit, logit

from core.agreement.ratings import Ratings

LEVELS = (0, 1, 2, 3)
Levels = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LabelModel:
    """How labels come about: what stands above, in numbers."""

    name: str
    spread: float
    shares: tuple[float, ...]
    seen: float = 0.8
    items: int = 30
    """Items of a topic, each with a label of every assessor."""

    def draw(self, topics: int, assessors: int, rng: np.random.Generator) -> Levels:
        """Return levels, shape (topics, items, assessors)."""
        size = len(LEVELS)
        shares = np.array(self.shares) * np.exp(self.spread * rng.normal(size=(topics, size)))
        steps = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)[:, np.newaxis, :-1]
        chance = expit(logit(self.seen) + self.spread * rng.normal(size=(topics, 1, 1)))
        true = (rng.random((topics, self.items, 1)) > steps).sum(axis=2)[..., np.newaxis]
        shape = topics, self.items, assessors
        near = np.clip(true + rng.integers(-1, 2, shape), 0, size - 1)
        return np.where(rng.random(shape) < chance, true, near)


MODELS = (
    LabelModel("topics alike", 0.0, (4, 3, 2, 1)),
    LabelModel("topics differ", 1.0, (4, 3, 2, 1)),
    LabelModel("levels skewed", 1.0, (30, 4, 2, 1)),
)


def rate(levels: Levels) -> Ratings:
    """Return drawn levels as the analyses take labels."""
    topics, items, assessors = levels.shape
    item = np.repeat(np.arange(topics * items), assessors)
    names = tuple(f"t{at:05}" for at in range(topics))
    table = pd.DataFrame(
        {
            "topic_id": np.repeat(names, items),
            "document_id": np.tile([f"d{at:02}" for at in range(items)], topics),
            "engine": "",
        }
    )
    return Ratings(
        item=item,
        assessor=np.tile(np.arange(assessors), topics * items),
        level=levels.ravel(),
        topic=item // items,
        items=table,
        assessors=tuple(f"a{at}" for at in range(assessors)),
        topics=names,
        levels=LEVELS,
    )


def label_rows(levels: Levels) -> pd.DataFrame:
    """Return drawn levels as rows of labels, as a file has them."""
    ratings = rate(levels)
    items = ratings.items.iloc[ratings.item].reset_index(drop=True)
    return items.assign(
        facet="page",
        assessor_id=pd.Series(np.array(ratings.assessors)[ratings.assessor], dtype="str"),
        occasion=0,
        state="level",
        level=levels.ravel().astype(np.float64),
    )
