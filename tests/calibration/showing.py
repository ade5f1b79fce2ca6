"""How often limits of what showing a machine's levels did hold it."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.machines.anchoring import REVISED, compare_by_assessor
from tests.calibration.coverage import Coverage, Family, Simulate, count

ITEMS = 60
AT_ONCE = 500
"""Studies of which the labels are held together: each is an assessor of its own."""


@dataclass(frozen=True)
class ShowingModel:
    """Labels that are revised: by odds that topics differ in, and in what showing does to them.

    ``other`` and ``shown`` are the shares revised in a topic in the middle, ``apart`` is how far
    topics lie apart in log odds, both by themselves and in what showing adds, if it adds anything.
    """

    name: str
    other: float
    shown: float
    apart: float

    def share(self, shown: np.ndarray, shape: tuple[int, ...], rng: np.random.Generator):
        """Return how likely an item is to be revised, topic by topic."""
        odds = [float(np.log(one / (1 - one))) for one in (self.other, self.shown)]
        hard = rng.normal(0, self.apart, shape)
        moved = rng.normal(0, self.apart, shape) if self.other != self.shown else 0
        return 1 / (1 + np.exp(-np.where(shown, odds[1] + moved, odds[0]) - hard))

    def truth(self) -> float:
        """Return the difference over very many topics."""
        on, off = (
            self.share(np.array(shown), (2_000_000,), np.random.default_rng(12)).mean()
            for shown in (True, False)
        )
        return float(on - off)


MODELS = (
    ShowingModel("nobody revises for it", 0.1, 0.1, 0.8),
    ShowingModel("few revise", 0.02, 0.1, 0.8),
    ShowingModel("many revise, topics differ", 0.1, 0.4, 1.2),
)


def _simulate(model: ShowingModel) -> Simulate:
    def simulate(topics: int, studies: int) -> list[Coverage]:
        rng = np.random.default_rng([topics, studies])
        parts = [AT_ONCE] * (studies // AT_ONCE) + [studies % AT_ONCE] * (studies % AT_ONCE > 0)
        found = np.concatenate([_study(model, topics, part, rng) for part in parts])
        counted = count(found, model.truth())
        return [replace(counted, what="difference", model=model.name, size=topics)]

    return simulate


def _study(model: ShowingModel, topics: int, studies: int, rng: np.random.Generator) -> np.ndarray:
    """Return the difference in how many were revised, low and high of each study."""
    drawn = rng.random((studies, topics, ITEMS)) < 0.5
    share = model.share(drawn, (studies, topics, 1), rng)
    labels = pd.DataFrame(
        {
            "assessor_id": np.repeat(np.arange(studies), topics * ITEMS),
            "topic_id": np.tile(np.repeat(np.arange(topics), ITEMS), studies),
            **{"shown": drawn.ravel(), "first": 0.0, "machine": 1.0, "sequence": 0},
            "last": (rng.random(share.shape) < share).ravel().astype(float),
        }
    )
    table = compare_by_assessor(labels)
    rows = table[table["question"] == REVISED]
    return rows[["difference", "low", "high"]].to_numpy(np.float64)


FAMILIES = (
    Family(
        "What showing a machine did",
        "topics",
        {one.name: _simulate(one) for one in MODELS},
        sizes=(10, 21, 50),
    ),
)
