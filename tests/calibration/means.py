"""How often limits of a system's mean hold what it would be over all topics."""

from dataclasses import replace

import numpy as np
import pandas as pd

from core.reports.scores import average_topics
from tests.calibration.coverage import Coverage, Family, Simulate, count
from tests.calibration.score_models import SCORES, MeanModel


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
)
