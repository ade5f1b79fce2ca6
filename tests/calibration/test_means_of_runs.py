"""Limits of means hold for the runs of real collections, their topics drawn anew."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from core.reports.scores import average_topics
from tests.calibration.coverage import SIZES, count
from tests.calibration.score_models import Scores
from tests.calibration.shapes import SCORE_SHAPES, ScoreShape
from tests.calibration.test_limits import LEAST
from tests.short import long
from tests.trees import ROOT

STUDIES = 2_000
NAMES = {"dl19": "TREC 2019", "trec2": "TREC-2", "DCG(gain='exp')@10": "DCG(exp)@10"}
"""What the handbook calls them."""


def read_told(shape: ScoreShape) -> dict[int, tuple[float, float]]:
    """Return the mean and the lowest coverage that the handbook tells, by the number of topics."""
    name = f"{NAMES.get(shape.measure, shape.measure)}, {NAMES[shape.collection]}"
    lines = (ROOT / ".docs" / "intervals.md").read_text(encoding="utf-8").splitlines()
    (told,) = [line for line in lines if line.startswith(f"| {name} |")]
    cells = [cell.split(", ") for cell in told.strip("|").split(" | ")[5:9]]
    return {topics: (float(mean), float(lowest))
            for topics, (mean, lowest) in zip(SIZES, cells, strict=True)}  # fmt: skip


TOLD = [
    shape
    for shape in SCORE_SHAPES
    if shape.measure in ("CG", "DCG(gain='exp')@10", "AP")
    or (shape.collection, shape.measure) == ("dl19", "RR")
]


def cover(values: Scores, measure: str, topics: int) -> list[float]:
    """Return for each run in which share of studies of few topics limits hold its mean."""
    held = []
    for number, run in enumerate(values.T):
        drawn = np.random.default_rng([41, number]).choice(run, (STUDIES, topics))
        rows = pd.DataFrame(
            {
                "system": np.repeat(np.arange(STUDIES), topics),
                "topic_id": np.tile(np.arange(topics), STUDIES),
                "measure": measure,
                "value": drawn.ravel(),
                "judged": 1.0,
            }
        )
        found = average_topics(rows)[["value", "low", "high"]].to_numpy()
        held.append(count(found, run.mean()).covered)
    return held


@long
@pytest.mark.parametrize("topics", [5, 10])
@pytest.mark.parametrize("shape", TOLD, ids=lambda one: f"{one.collection} {one.measure}")
def test_limits_of_means_hold_for_runs_on_average(
    shape: ScoreShape, topics: int, scores_of: Callable[[ScoreShape], Scores], record_property
):
    held = cover(scores_of(shape), shape.measure, topics)
    found = float(np.mean(held)), min(held)
    record_property(
        "counts",
        f"{len(held)} runs × {STUDIES:,} studies of {topics} topics, seed [41, run]: "
        f"mean {found[0]:.3f}, lowest {found[1]:.3f}",
    )
    assert found[0] >= LEAST
    mean, lowest = read_told(shape)[topics]
    assert found[0] == pytest.approx(mean, abs=0.005)
    assert found[1] == pytest.approx(lowest, abs=0.03)
