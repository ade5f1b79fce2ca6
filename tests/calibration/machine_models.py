"""Simulated runs that people and a machine judge: what a check of circularity meets."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

DOCUMENTS, RETRIEVED = 60, 40
"""Of each topic: how many are judged, and how many of them each run retrieves."""

ITEM = ["topic_id", "document_id"]


@dataclass(frozen=True)
class RunModel:
    """How runs come about.

    Parameters
    ----------
    name : str
        What is particular about it.
    better : float
        How much better the best runs see what is relevant than the worst.
    alike : float
        How far half of the runs share a view of their own, on which the machine does not depend.
    leaning : float
        How far runs lean towards what the machine alone sees, by as much for each.
    followed : float
        How far the first run follows the machine's levels besides.
    """

    name: str
    better: float = 0.0
    alike: float = 0.0
    leaning: float = 0.0
    followed: float = 0.0

    def draw(
        self, topics: int, systems: int, rng: np.random.Generator
    ) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
        """Return runs, people's judgements and the machine's."""
        shape = topics, DOCUMENTS
        relevance, seen, view = rng.normal(size=(3, *shape))
        people = _level(relevance + 0.7 * rng.normal(size=shape))
        machine = _level(relevance + 0.5 * seen + 0.5 * rng.normal(size=shape))
        skill = 1 + self.better * np.linspace(0, 1, systems)
        values = (
            skill * relevance[..., np.newaxis]
            + self.leaning * seen[..., np.newaxis]
            + self.alike * view[..., np.newaxis] * (np.arange(systems) % 2)
            + 1.2 * rng.normal(size=(*shape, systems))
        )
        values[..., 0] += self.followed * machine
        rank = np.argsort(np.argsort(-values, axis=1), axis=1) + 1
        topic, document, system = np.nonzero(rank <= RETRIEVED)
        runs = pd.DataFrame(
            {
                "system": pd.Index([f"s{at:02}" for at in range(systems)]).take(system),
                **_name(topic, document),
                "rank": rank[topic, document, system],
            }
        )
        return runs, _judge(people), _judge(machine)


def _level(values: np.ndarray) -> np.ndarray:
    return np.digitize(values, [-0.5, 0.5, 1.5])


def _name(topic: np.ndarray, document: np.ndarray) -> dict[str, pd.Index]:
    topics = pd.Index([f"t{at:03}" for at in range(topic.max() + 1)])
    documents = pd.Index([f"d{at:03}" for at in range(DOCUMENTS)])
    return {"topic_id": topics.take(topic), "document_id": documents.take(document)}


def _judge(levels: np.ndarray) -> pd.DataFrame:
    topic, document = np.indices(levels.shape).reshape(2, -1)
    frame = pd.DataFrame({**_name(topic, document), "level": levels.ravel()})
    return frame.assign(iteration="0")[["topic_id", "iteration", "document_id", "level"]]


HONEST = (
    RunModel("runs alike"),
    RunModel("runs differ in skill", better=1.0),
    RunModel("half of them share a view", alike=1.0, leaning=0.4),
)
FOLLOWING = RunModel("one follows the machine", better=1.0, leaning=0.2, followed=0.7)
