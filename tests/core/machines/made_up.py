"""Labels of people and of a machine, made up: by hand, or by a rule with errors."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from core.machines.joined_labels import JoinedLabels, join_labels

LEVELS = (0, 1, 2, 3)


def make_people(rows: Iterable[tuple[str, str, str, int]], **columns: object) -> pd.DataFrame:
    """Return rows of (topic, document, person, level) as canonical labels."""
    names = ["topic_id", "document_id", "assessor_id", "level"]
    frame = pd.DataFrame(list(rows), columns=names)
    fixed = {"facet": "page", "engine": "", "occasion": 0, "state": "level", "group": ""}
    return frame.assign(**(fixed | columns))


def make_machine(rows: Iterable[tuple[str, str, int]]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=["topic_id", "document_id", "level"])


def join(people: Iterable, machine: Iterable, levels: Iterable[int] = LEVELS) -> JoinedLabels:
    return join_labels(make_people(people), list(levels), "m", make_machine(machine))


def simulate(
    topics: int = 8, items: int = 12, people: str = "abcd", wrong: float = 0.3, seed: int = 5
) -> tuple[list[tuple[str, str, str, int]], list[tuple[str, str, int]]]:
    """Return labels of people, each of whom skips some items, and of a machine."""
    rng = np.random.default_rng(seed)
    given, machine = [], []
    for topic in range(topics):
        for item, true in enumerate(rng.integers(0, 4, items)):
            names = (f"t{topic}", f"d{item}")
            for person in people:
                level = rng.integers(0, 4) if rng.random() < wrong else true
                if rng.random() < 0.9:
                    given.append((*names, person, int(level)))
            level = rng.integers(0, 4) if rng.random() < wrong + 0.1 * (topic % 3) else true
            machine.append((*names, int(level)))
    return given, machine
