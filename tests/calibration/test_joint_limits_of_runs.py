"""How often limits of all differences hold at once for real runs, their topics drawn anew."""

from collections.abc import Callable

import numpy as np
import pytest

from core.comparison.choices import DEFAULT, MODERATED
from core.comparison.difference_tests import compare_systems
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import Rankings
from tests.calibration.score_models import Scores, matrix_of
from tests.calibration.tables import read_rows
from tests.short import long

STUDIES, SEED, EXCHANGES = 1_000, 41, 499
SIZES = (10, 21, 50, 100)
ROUNDING = 1e-9
MEASURES = {("dl19", "AP"): "AP(rel=2)"}
"""By collection and what the handbook calls it: relevant is what its own track says."""


def cover_at_once(values: Scores, systems: int, topics: int, test: str) -> float:
    """Return in which share of studies limits of all differences hold the true ones.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores of a collection, whose topics are all there are.
    systems, topics : int
        So many systems are chosen at random, and so many topics drawn with replacement.
    test : str
        Name of the test.
    """
    rng = np.random.default_rng([SEED, topics, systems])
    held = []
    for _ in range(STUDIES):
        chosen = values[:, np.sort(rng.choice(values.shape[1], systems, replace=False))]
        first, second = np.triu_indices(systems, 1)
        truth = chosen.mean(axis=0)[first] - chosen.mean(axis=0)[second]
        drawn = matrix_of(chosen[rng.integers(0, len(chosen), topics)])
        found = compare_systems(drawn, test, samples=EXCHANGES)
        low, high = found["low"].to_numpy(), found["high"].to_numpy()
        holds = (low - ROUNDING <= truth) & (truth <= high + ROUNDING)
        held.append(holds[~np.isnan(low)].all())
    return float(np.mean(held))


@long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("test", [DEFAULT, MODERATED])
@pytest.mark.parametrize("topics", SIZES)
@pytest.mark.parametrize("row", read_rows("many real runs"))
def test_limits_hold_as_often_as_the_handbook_says(
    row: str, topics: int, test: str, rankings_of: Callable[[str], Rankings], record_property
):
    many, _, rest = row.partition(" systems, ")
    measure, _, collection = rest.partition(" of ")
    scores = evaluate(
        [parse_measure(MEASURES.get((collection, measure), measure))], rankings_of(collection)
    )
    values = scores.pivot(index="topic_id", columns="system", values="value").to_numpy()
    found = cover_at_once(values, min(int(many), values.shape[1]), topics, test)
    told = float(read_rows("many real runs")[row][2 * SIZES.index(topics) + (test == MODERATED)])
    error = np.sqrt(2 * max(told * (1 - told), 0.01) / STUDIES)
    record_property("counts", f"{row}, {topics} topics, {test}: {found:.3f}, told {told:.3f}")
    assert found == pytest.approx(told, abs=3.5 * error)
