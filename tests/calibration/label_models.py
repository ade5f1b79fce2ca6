"""Simulated assessors by stated models: what intervals of agreement have to cover.

A topic has its own share of each level and its own chance that an assessor sees an item as it is;
otherwise the assessor's label is a level off, or not, and in the shapes of real collections any
level as often as the topic has it. Both differ between topics by a normal
distribution of log odds, whose standard deviation is the model's ``spread``. Topics may have
unequally many items, and not everybody may judge every item.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit, logit

from core.agreement.ratings import Ratings
from tests.calibration.shapes import CHORUS, DL19, RF10, LabelShape

LEVELS = (0, 1, 2, 3)
Levels = npt.NDArray[np.int64]
"""Shape (topics, items, assessors); −1 where there is no label."""


@dataclass(frozen=True)
class LabelModel:
    """How labels come about: what stands above, in numbers."""

    name: str
    spread: float
    shares: tuple[float, ...]
    seen: float = 0.8
    items: int = 30
    """Items of a topic, each with a label of every assessor; their median where they differ."""
    unequal: float = 0.0
    """The standard deviation of the logarithm of the items of a topic."""
    larger: float = 0.0
    """By how much the log odds of being seen fall with the logarithm of the items."""
    misread: float = 0.0
    """The chance that the second assessor's labels of a topic have nothing to do with its items."""
    reading: float = 0.0
    """The standard deviation of the log odds of being seen by person within a topic: each reads
    each topic in a way of their own, though nobody differs on the whole."""
    shape: LabelShape | None = None
    """A real collection, whose items by topic and assignment are taken."""

    def draw(self, topics: int, assessors: int, rng: np.random.Generator) -> Levels:
        """Return levels of a study."""
        if self.shape is not None:
            count = rng.choice(self.shape.items, topics)
            assessors = self.shape.people if assessors > 2 else assessors
        elif self.unequal:
            log = np.log(self.items) + self.unequal * rng.normal(size=topics)
            count = np.maximum(1, np.round(np.exp(log))).astype(np.int64)
        else:
            count = np.full(topics, self.items)
        size = len(self.shares)
        wide = self.shape.shares_spread if self.shape else self.spread
        shares = np.array(self.shares) * np.exp(wide * rng.normal(size=(topics, size)))
        steps = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)[:, np.newaxis, :-1]
        odds = logit(self.seen) + self.spread * rng.normal(size=topics)
        if self.larger:
            odds = odds - self.larger * np.log(count / self.items)
        odds = odds[:, np.newaxis, np.newaxis]
        if self.reading:
            odds = odds + self.reading * rng.normal(size=(topics, 1, assessors))
        chance = expit(odds)
        shape = topics, int(count.max()), assessors
        true = (rng.random((*shape[:2], 1)) > steps).sum(axis=2)[..., np.newaxis]
        if self.shape:
            near = np.zeros(shape, dtype=np.int64)
            guessed = rng.random(shape)
            for step in range(size - 1):
                near += guessed > steps[:, :, [step]]
        else:
            near = np.clip(true + rng.integers(-1, 2, shape), 0, size - 1)
        levels = np.where(rng.random(shape) < chance, true, near)
        if self.misread:
            wrong = np.flatnonzero(rng.random(topics) < self.misread)
            levels[wrong, :, 1] = rng.permuted(size - 1 - levels[wrong, :, 1], axis=1)
        there = np.arange(shape[1])[:, np.newaxis] < count[:, np.newaxis, np.newaxis]
        if self.shape is not None and assessors > 2:
            there = there & self.shape.assign(shape, rng)
        return np.where(there, levels, -1)


def take(shape: LabelShape) -> LabelModel:
    """Return the model of a real collection."""
    return LabelModel(
        shape.name,
        shape.spread,
        shape.shares,
        shape.seen,
        int(np.median(shape.items)),
        larger=shape.larger,
        shape=shape,
    )


MODELS = (
    LabelModel("topics alike", 0.0, (4, 3, 2, 1)),
    LabelModel("topics differ", 1.0, (4, 3, 2, 1)),
    LabelModel("levels skewed", 1.0, (30, 4, 2, 1)),
)

UNEQUAL = (
    LabelModel("alike", 0.0, (4, 3, 2, 1), items=20, unequal=1.1),
    LabelModel("differ", 1.0, (4, 3, 2, 1), items=20, unequal=1.1),
)
"""Topics of very unequal size."""

UNEQUAL_BESIDE = (
    LabelModel("levels skewed", 1.0, (30, 4, 2, 1), items=20, unequal=1.1),
    LabelModel("few items", 1.0, (4, 3, 2, 1), items=6, unequal=1.1),
    LabelModel("little seen", 0.5, (4, 3, 2, 1), seen=0.4, items=20, unequal=1.1),
)
"""More of them, in which a rule about size might see one."""

LARGER = (
    LabelModel("large topics agree less", 0.5, (4, 3, 2, 1), items=20, unequal=1.1, larger=1),
)

MISREAD = (LabelModel("one topic in ten is misread", 1.0, (4, 3, 2, 1), misread=0.1),)

READING = tuple(
    LabelModel(f"each reads topics in their own way, {spread:g}", 1.0, (4, 3, 2, 1), reading=spread)
    for spread in (0.5, 1.0)
)

REAL = tuple(map(take, (DL19, RF10, CHORUS)))


def rate(levels: Levels) -> Ratings:
    """Return drawn levels as the analyses take labels."""
    topics, items, assessors = levels.shape
    flat = levels.reshape(topics * items, assessors)
    there = np.flatnonzero((flat >= 0).any(axis=1))
    labels = flat[there]
    item, assessor = np.nonzero(labels >= 0)
    names = tuple(f"t{at:05}" for at in range(topics))
    table = pd.DataFrame(
        {
            "topic_id": np.repeat(names, items),
            "document_id": np.tile([f"d{at:02}" for at in range(items)], topics),
            "engine": "",
        }
    ).take(there)
    return Ratings(
        item=item,
        assessor=assessor,
        level=labels[item, assessor],
        topic=there[item] // items,
        items=table.reset_index(drop=True),
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
        level=ratings.level.astype(np.float64),
    )
