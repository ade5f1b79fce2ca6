"""Shapes of real collections as numbers, beside the made-up ones that other models draw.

They are of TREC 2019 Deep Learning (topics with two assessors), the TREC 2010 Relevance Feedback
crowd, chorus (ratings of products), TREC-2 (scores of runs) and the TREC 2009 Web track (scores
of one run), of which none are part of this repository: `test_shapes` compares what is drawn with
them.
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


PARTS = (0, 0.05, *np.arange(1, 10) / 10, 0.95, 1)
"""Of which parts of the topics score shapes have the scores."""


@dataclass(frozen=True)
class ScoreShape:
    """How the scores of a collection's runs are spread over topics.

    Attributes
    ----------
    collection, measure : str
        The collection, and by what its runs are scored; of several labels the highest counts.
    weaker, stronger : tuple of float
        Up to which score the least of ``PARTS`` of the topics come, of the half of the runs with
        lower means and of the other.
    means : tuple of float
        Their means.
    similarity : float
        The mean correlation of two runs over topics.
    """

    collection: str
    measure: str
    weaker: tuple[float, ...]
    stronger: tuple[float, ...]
    means: tuple[float, float]
    similarity: float

    def score(
        self, quantiles: tuple[float, ...], parts: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Return the scores below which these parts of the topics of one half lie."""
        scores = np.interp(parts, PARTS, quantiles)
        if self.measure == "P@10":
            return scores.round(1)
        if self.measure == "RR":
            rank = np.round(1 / np.maximum(scores, _LEAST_RR))
            return np.where(scores > _LEAST_RR, 1 / rank, 0)
        return scores


_LEAST_RR = 0.005
"""What is less is 0."""

SCORE_SHAPES = (
    ScoreShape(
        "dl19",
        "AP",
        weaker=(0, 0, 0.004, 0.073, 0.12, 0.173, 0.243, 0.334, 0.39, 0.489, 0.64, 0.72, 1),
        stronger=(
            0,
            0.035,
            0.176,
            0.217,
            0.285,
            0.369,
            0.405,
            0.455,
            0.526,
            0.644,
            0.747,
            0.848,
            1,
        ),
        means=(0.291, 0.431),
        similarity=0.72,
    ),
    ScoreShape(
        "dl19",
        "nDCG@10",
        weaker=(0, 0, 0, 0.204, 0.322, 0.418, 0.524, 0.619, 0.705, 0.758, 0.849, 0.922, 1),
        stronger=(
            0,
            0.224,
            0.391,
            0.561,
            0.676,
            0.734,
            0.792,
            0.851,
            0.887,
            0.912,
            0.935,
            0.947,
            1,
        ),
        means=(0.489, 0.726),
        similarity=0.57,
    ),
    ScoreShape(
        "dl19",
        "P@10",
        weaker=(0, 0, 0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1),
        stronger=(0, 0.3, 0.4, 0.6, 0.8, 0.8, 0.9, 0.9, 1, 1, 1, 1, 1),
        means=(0.578, 0.784),
        similarity=0.71,
    ),
    ScoreShape(
        "dl19",
        "RR",
        weaker=(0, 0.013, 0.081, 0.333, 0.5, 1, 1, 1, 1, 1, 1, 1, 1),
        stronger=(0, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
        means=(0.755, 0.942),
        similarity=0.35,
    ),
    ScoreShape(
        "dl19",
        "DCG(gain='exp')@10",
        weaker=(0, 0, 0, 2.58, 5.4, 8.89, 11.49, 15.12, 17.58, 20.86, 23.02, 25.47, 31.8),
        stronger=(0, 3.64, 4.69, 9.35, 14.42, 17.85, 21.3, 23.7, 25.61, 26.76, 27.81, 28.9, 31.8),
        means=(11.946, 18.795),
        similarity=0.67,
    ),
    ScoreShape(
        "dl19",
        "CG",
        weaker=(0, 2, 6, 11, 25, 34, 40, 52, 77, 97, 164, 216, 250),
        stronger=(0, 8, 11, 34, 43, 52, 66, 87, 93, 124, 212, 239, 250),
        means=(62.321, 86.750),
        similarity=0.89,
    ),
    ScoreShape(
        "trec2",
        "AP",
        weaker=(0, 0, 0, 0.005, 0.013, 0.026, 0.039, 0.056, 0.077, 0.108, 0.176, 0.247, 0.677),
        stronger=(
            0,
            0.006,
            0.018,
            0.038,
            0.056,
            0.075,
            0.094,
            0.116,
            0.156,
            0.203,
            0.289,
            0.356,
            0.693,
        ),
        means=(0.072, 0.131),
        similarity=0.67,
    ),
    ScoreShape(
        "trec2",
        "nDCG@10",
        weaker=(0, 0, 0, 0, 0.069, 0.139, 0.23, 0.37, 0.511, 0.682, 0.861, 1, 1),
        stronger=(0, 0, 0.066, 0.176, 0.299, 0.445, 0.552, 0.638, 0.785, 0.923, 1, 1, 1),
        means=(0.338, 0.538),
        similarity=0.59,
    ),
    ScoreShape(
        "trec2",
        "P@10",
        weaker=(0, 0, 0, 0, 0.1, 0.1, 0.2, 0.4, 0.5, 0.7, 0.9, 1, 1),
        stronger=(0, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9, 1, 1, 1),
        means=(0.336, 0.531),
        similarity=0.59,
    ),
    ScoreShape(
        "trec2",
        "RR",
        weaker=(0, 0, 0.017, 0.071, 0.125, 0.2, 0.333, 0.5, 1, 1, 1, 1, 1),
        stronger=(0, 0.065, 0.111, 0.25, 0.333, 0.5, 1, 1, 1, 1, 1, 1, 1),
        means=(0.465, 0.692),
        similarity=0.40,
    ),
    ScoreShape(
        "trec2",
        "DCG(gain='exp')@10",
        weaker=(0, 0, 0, 0, 0.32, 0.63, 1.04, 1.68, 2.32, 3.1, 3.91, 4.54, 4.54),
        stronger=(0, 0, 0.3, 0.8, 1.36, 2.02, 2.51, 2.9, 3.56, 4.19, 4.54, 4.54, 4.54),
        means=(1.534, 2.445),
        similarity=0.59,
    ),
    ScoreShape(
        "trec2",
        "CG",
        weaker=(0, 0, 1, 5, 9, 13, 21, 31, 38, 49, 59, 68, 94),
        stronger=(0, 5, 9, 15, 26, 36, 43, 48, 55, 63, 80, 88, 100),
        means=(26.676, 42.141),
        similarity=0.67,
    ),
)


@dataclass(frozen=True)
class OneRunShape:
    """How the scores of one run are spread over topics, where a collection has no more.

    Attributes
    ----------
    collection, measure : str
        The collection, and by what its run is scored.
    scores : tuple of float
        Up to which score the least of ``PARTS`` of the topics come.
    """

    collection: str
    measure: str
    scores: tuple[float, ...]


ONE_RUN_SHAPES = (
    OneRunShape(
        "web09",
        "ERR-IA@10",
        (0, 0, 0, 0, 0.047, 0.079, 0.153, 0.21, 0.258, 0.297, 0.437, 0.501, 0.603),
    ),
    OneRunShape(
        "web09",
        "alpha-nDCG@10",
        (0, 0, 0, 0, 0.121, 0.179, 0.253, 0.312, 0.39, 0.436, 0.498, 0.655, 0.794),
    ),
    OneRunShape(
        "web09",
        "AP-IA",
        (0, 0, 0.001, 0.002, 0.009, 0.015, 0.031, 0.038, 0.051, 0.07, 0.085, 0.115, 0.171),
    ),
)
