"""Simulated preferences by stated models: what intervals of strengths and shares have to cover.

Every two of the items are compared in every topic, by each assessor. An item's strength in a topic
is its own plus a normal deviation of the topic, whose standard deviation, in log odds, is the
model's ``spread``.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.collection.records import DOCUMENTS, SYSTEMS

STRENGTHS = (0.8, 0.2, -0.2, -0.8)
PAIRS = tuple(combinations(range(len(STRENGTHS)), 2))
CHOICES = ("first", "tie", "second")

Choices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PreferenceModel:
    """How preferences come about: what stands above, in numbers.

    Attributes
    ----------
    ties : float
        Davidson's tie parameter ν: chances are as e^(d/2) : ν : e^(−d/2).
    """

    name: str
    spread: float
    ties: float = 0.3

    def draw(self, topics: int, assessors: int, rng: np.random.Generator) -> Choices:
        """Return positions in ``CHOICES``, shape (topics, pairs, assessors)."""
        shape = topics, len(STRENGTHS)
        strength = np.array(STRENGTHS) + self.spread * rng.normal(size=shape)
        first, second = np.array(PAIRS).T
        half = (strength[:, first] - strength[:, second])[..., np.newaxis] / 2
        odds = np.concatenate([np.exp(half), np.full_like(half, self.ties), np.exp(-half)], axis=-1)
        steps = np.cumsum(odds / odds.sum(axis=-1, keepdims=True), axis=-1)[..., np.newaxis, :-1]
        drawn = rng.random((*half.shape[:-1], assessors, 1))
        return (drawn > steps).sum(axis=-1)


MODELS = (
    PreferenceModel("topics alike", 0.0),
    PreferenceModel("topics differ by 1", 1.0),
    PreferenceModel("topics differ by 2", 2.0),
)


def compare_systems(choices: Choices) -> pd.DataFrame:
    """Return drawn choices as preferences between systems."""
    return _tell(choices, SYSTEMS, "panel")


def compare_documents(choices: Choices) -> pd.DataFrame:
    """Return drawn choices as those of one topic: what were topics are its assessors."""
    return _tell(choices, DOCUMENTS, "page").assign(
        topic_id="t", assessor_id=lambda rows: rows["topic_id_as_drawn"]
    )


def _tell(choices: Choices, kind: str, facet: str) -> pd.DataFrame:
    topics, pairs, assessors = choices.shape
    names = np.array([f"s{at}" for at in range(len(STRENGTHS))])
    first, second = names[np.array(PAIRS).T]
    topic = np.repeat([f"t{at:05}" for at in range(topics)], pairs * assessors)
    return pd.DataFrame(
        {
            "topic_id": topic,
            "topic_id_as_drawn": topic,
            "kind": kind,
            "facet": facet,
            "first": np.tile(np.repeat(first, assessors), topics),
            "second": np.tile(np.repeat(second, assessors), topics),
            "left": "",
            "choice": np.array(CHOICES)[choices.ravel()],
            "strength": 0,
            "assessor_id": np.tile([f"a{at}" for at in range(assessors)], topics * pairs),
            "occasion": 0,
            "state": "level",
        }
    )
