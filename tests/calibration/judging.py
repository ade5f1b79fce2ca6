"""How often limits of τ hold it where an order has judged part of a pool."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.measures.catalogue import parse_measure
from core.orders.base import parse_order
from core.orders.max_mean import RECOMMENDED
from core.reports.judging_orders import JudgingQuestion, simulate_judging
from core.versions.judgements import put_on_scale
from tests.calibration.coverage import SOME_SIZES, Coverage, Family, Simulate, count

SYSTEMS, DOCUMENTS, DEPTH = 10, 60, 20


@dataclass(frozen=True)
class JudgingModel:
    """A pool of systems of which each is somewhat better than the one before.

    Parameters
    ----------
    name : str
    order : str
        How it is judged.
    share : float
        How much of it is.
    spread : float
        How far apart the best and the worst system are, in standard deviations of chance.
    """

    name: str
    order: str
    share: float
    spread: float = 1.0

    def draw(self, topics: int, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return runs and judgements; topics differ in how much is relevant to them."""
        share = rng.beta(2, 8, size=(topics, 1))
        relevant = rng.random((topics, DOCUMENTS)) < share
        relevant[:, 0] = True
        skill = np.linspace(0.5, 0.5 + self.spread, SYSTEMS)[:, np.newaxis]
        score = relevant[:, np.newaxis] * skill + rng.normal(size=(topics, SYSTEMS, DOCUMENTS))
        found = np.argsort(-score, axis=2)[:, :, :DEPTH]
        topic, system, rank = np.indices(found.shape)
        runs = pd.DataFrame(
            {
                "system": _name("s", system),
                "topic_id": _name("t", topic),
                "document_id": _name("d", found),
                "rank": rank.ravel() + 1,
            }
        )
        topic, document = np.indices(relevant.shape)
        qrels = pd.DataFrame(
            {
                "topic_id": _name("t", topic),
                "iteration": "0",
                "document_id": _name("d", document),
                "level": relevant.ravel().astype(int),
            }
        )
        return runs, qrels


def _name(letter: str, number: np.ndarray) -> np.ndarray:
    names = np.array([f"{letter}{one:03}" for one in range(int(number.max()) + 1)], dtype=object)
    return names[number.ravel()]


MODELS = (
    JudgingModel("depth first, a tenth", "depth-first", 0.1),
    JudgingModel("max-mean, a tenth, systems near each other", RECOMMENDED, 0.1, 0.4),
    JudgingModel("max-mean, three tenths", RECOMMENDED, 0.3),
)


def cover_judging(model: JudgingModel, topics: int, studies: int) -> Coverage:
    """Count how often limits of τ hold the τ that such studies find on average."""
    rng = np.random.default_rng([topics, studies])
    question = JudgingQuestion(
        (parse_order(model.order),), parse_measure("AP"), DEPTH, (model.share,), 1, 5
    )
    found = np.empty((studies, 3))
    for study in range(studies):
        runs, qrels = model.draw(topics, rng)
        row = simulate_judging(runs, put_on_scale(qrels), question).orders.iloc[0]
        found[study] = row["tau"], row["low"], row["high"]
    truth = float(np.nanmean(found[:, 0]))
    return replace(
        count(found, truth), what="τ of a part of the pool", model=model.name, size=topics
    )


def _simulate(model: JudgingModel) -> Simulate:
    return lambda topics, studies: [cover_judging(model, topics, studies)]


FAMILIES = (
    Family(
        "τ of a pool judged in part",
        "topics",
        {model.name: _simulate(model) for model in MODELS},
        SOME_SIZES,
        compared=(-0.75, 0.75),
    ),
)
