"""Shapes of real collections as numbers, beside the made-up ones that other models draw.

They are of TREC 2019 Deep Learning (topics with two assessors), the TREC 2010 Relevance Feedback
crowd and chorus (ratings of products), of which none are part of this repository: `test_shapes`
compares what is drawn with them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class LabelShape:
    """What the labels of a collection look like.

    Attributes
    ----------
    items : tuple of int
        Items with two labels or more, of each topic (every tenth centile of many).
    shares : tuple of float
        How often each level is given.
    shares_spread : float
        The standard deviation between topics of the logarithm of a level's share.
    seen : float
        The chance that an assessor sees an item as it is, so that two agree as often as they do.
    spread : float
        The standard deviation between topics of the log odds of that.
    larger : float
        By how much they fall with the logarithm of the items of a topic.
    people : int
        How many assessors a study has.
    labels : int
        How many of them judge an item.
    agreed, agreed_spread, slope : float
        What the data have: the mean over topics of how often two labels of an item are the same,
        the standard deviation of its log odds, and their slope on the logarithm of the items; of
        topics with five items or more.
    by_topic : bool
        Whether the same ones judge all items of a topic: panels that do not change.
    """

    name: str
    items: tuple[int, ...]
    shares: tuple[float, ...]
    shares_spread: float
    seen: float
    spread: float
    larger: float
    people: int
    labels: int
    by_topic: bool
    agreed: float
    agreed_spread: float
    slope: float

    def assign(
        self, shape: tuple[int, int, int], rng: np.random.Generator
    ) -> npt.NDArray[np.bool_]:
        """Draw who judges what, shape (topics, items or 1, assessors)."""
        topics, items, people = shape
        if self.by_topic:
            panel = rng.integers(people // self.labels, size=(topics, 1, 1))
            return np.arange(people) // self.labels == panel
        order = rng.random((topics, items, people))
        last = np.partition(order, self.labels - 1, axis=2)[..., [self.labels - 1]]
        return order <= last


DL19 = LabelShape(
    "dl19",
    items=(
        *(12, 31, 32, 37, 42, 57, 60, 63, 67, 71, 77),
        *(94, 112, 149, 150, 153, 162, 222, 241, 283, 293, 302),
    ),
    shares=(0.42, 0.25, 0.23, 0.10),
    shares_spread=0.7,
    seen=0.3,
    spread=1.35,
    larger=0.8,
    people=8,
    labels=2,
    by_topic=True,
    agreed=0.461,
    agreed_spread=0.87,
    slope=-0.4,
)

RF10 = LabelShape(
    "rf10",
    items=(74, 130, 144, 160, 176, 191, 203, 219, 234, 259, 299),
    shares=(0.34, 0.39, 0.27),
    shares_spread=0.3,
    seen=0.2,
    spread=0.45,
    larger=0.9,
    people=20,
    labels=5,
    by_topic=False,
    agreed=0.381,
    agreed_spread=0.21,
    slope=-0.23,
)

CHORUS = LabelShape(
    "chorus",
    items=(1, 2, 5, 8, 13, 27, 40, 40, 40, 40, 40),
    shares=(0.48, 0.03, 0.05, 0.44),
    shares_spread=1.3,
    seen=0.74,
    spread=1.6,
    larger=-1.0,
    people=3,
    labels=3,
    by_topic=True,
    agreed=0.771,
    agreed_spread=1.43,
    slope=0.39,
)
