"""Simulated labels of two groups of people, who see the same or not, and systems to score."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.reports.groups import GroupRankings, GroupsQuestion, read_group_labels

TOPICS, ITEMS, SYSTEMS = 6, 8, 5
LEVELS = (0, 1, 2, 3)
STEPS = np.array([0.2, 0.9, 1.6])
"""From where on an item seems of the next level."""

DEALINGS = 99
ALPHA = 0.05


@dataclass(frozen=True)
class PeopleModel:
    """How labels come about: how good an item seems to somebody, cut at steps.

    Parameters
    ----------
    name : str
        What it is called.
    lenient : float
        The standard deviation of how much better or worse all items seem to one person.
    uneven : bool
        Whether some judge few topics and others nearly all; else everybody judges about half.
    apart : float
        The standard deviation of how much better an item seems to one group than to the other.
    """

    name: str
    lenient: float = 0.0
    uneven: bool = False
    apart: float = 0.0

    def draw(self, people: int, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return labels of so many people, two in five of them experts, and runs."""
        experts = np.arange(people) < max(2, 2 * people // 5)
        truth = rng.normal(size=(TOPICS, ITEMS))
        other = rng.normal(0, self.apart, (TOPICS, ITEMS))
        view = truth + experts[:, None, None] * other
        seen = view + rng.normal(0, self.lenient, (people, 1, 1))
        seen = seen + rng.normal(0, 0.6, (people, TOPICS, ITEMS))
        share = rng.beta(0.7, 0.7, people) if self.uneven else np.full(people, 0.5)
        judges = rng.random((people, TOPICS)) < share[:, None]
        judges[np.arange(people), rng.integers(0, TOPICS, people)] = True
        person, topic = np.nonzero(judges)
        level = np.searchsorted(STEPS, seen[person, topic]).ravel()
        items = np.tile(np.arange(ITEMS), len(person))
        person, topic = np.repeat(person, ITEMS), np.repeat(topic, ITEMS)
        labels = pd.DataFrame(
            {
                "topic_id": _names("t", topic),
                "document_id": _names("d", items),
                "facet": "page",
                "engine": "",
                "assessor_id": _names("a", person),
                "group": np.where(experts[person], "experts", "others"),
                "occasion": 0,
                "state": "level",
                "level": level,
            }
        )
        return labels, _run(truth, other, rng)


def _run(truth: np.ndarray, other: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
    """Return runs that heed what all see, every second one also what experts alone see."""
    heeds = np.arange(SYSTEMS)[:, None, None] % 2
    scores = (truth + heeds * other) * 0.5 + rng.normal(size=(SYSTEMS, TOPICS, ITEMS))
    order = np.argsort(-scores, axis=2).ravel()
    system, topic, rank = (one.ravel() for one in np.indices(scores.shape))
    names = {"system": ("s", system), "topic_id": ("t", topic), "document_id": ("d", order)}
    return pd.DataFrame({name: _names(*of) for name, of in names.items()}).assign(rank=rank + 1)


def _names(letter: str, numbers: np.ndarray) -> list[str]:
    return [f"{letter}{number:02}" for number in numbers]


def ask_groups(model: PeopleModel, people: int, study: int) -> GroupRankings:
    """Return the report of one simulated study."""
    labels, runs = model.draw(people, np.random.default_rng([people, study]))
    question = GroupsQuestion(measure="nDCG@5", samples=DEALINGS, seed=study)
    return GroupRankings(read_group_labels(labels, "page", LEVELS), runs, question)


def find_in_groups(model: PeopleModel, people: int, studies: int) -> np.ndarray:
    """Return the share of p below .05 of each study, shape (3, studies): orders, means, weights."""
    found = np.zeros((3, studies))
    for study in range(studies):
        report = ask_groups(model, people, study)
        for at, table in enumerate((report.orders, report.systems, report.levels)):
            found[at, study] = (table["p"] < ALPHA).mean() if len(table) else 0
    return found


ALIKE = (
    PeopleModel("people alike"),
    PeopleModel("people lenient and strict, some judge much", lenient=0.5, uneven=True),
)
APART = PeopleModel("experts see another side", lenient=0.2, apart=2.0)
