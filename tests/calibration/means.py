"""How often limits of a system's mean hold what it would be over all topics."""

from dataclasses import replace

import numpy as np
import pandas as pd

from core.reports.scores import average_topics
from tests.calibration.coverage import Coverage, Family, Simulate, count
from tests.calibration.score_models import AT_AN_END, CROWDED, SCORES, MeanModel


def _simulate(model: MeanModel) -> Simulate:
    def simulate(topics: int, studies: int) -> list[Coverage]:
        drawn = model.draw((studies, topics), np.random.default_rng([topics, studies]))
        rows = pd.DataFrame(
            {
                "system": np.repeat(np.arange(studies), topics),
                "topic_id": np.tile(np.arange(topics), studies),
                "measure": model.measure,
                "value": drawn.ravel(),
                "judged": 1.0,
            }
        )
        found = average_topics(rows)[["value", "low", "high"]].to_numpy()
        counted = count(found, model.mean)
        return [replace(counted, what=model.measure, model=model.name, size=topics)]

    return simulate


FAMILIES = (
    Family("Mean of a system", "topics", {model.name: _simulate(model) for model in SCORES}),
    Family(
        "Mean of a system, nearly all topics at an end",
        "topics",
        {model.name: _simulate(model) for model in AT_AN_END},
    ),
    Family(
        "Mean of a system, topics crowd at an end",
        "topics",
        {model.name: _simulate(model.average(0)) for model in CROWDED},
        is_default=False,
        is_doubted=True,
    ),
)
