"""Learning curves of labels: what they come to can be computed exactly."""

import numpy as np
import pytest

from core.planning.learning import learn_means, list_opinions
from core.planning.opinions import Opinions
from tests.calibration.planning import OPINION_MODELS


def test_they_are_as_far_off_as_drawing_without_replacement_makes_them():
    given = OPINION_MODELS[-1].draw(12, np.random.default_rng(1))
    rows = {(one.opinions, one.topics): one for one in learn_means(given, 3_000, new(2))}
    assert {topics for _, topics in rows} == {5, 10, 12}
    of_item = [given.value[given.item == code] for code in range(len(given.counts))]
    means = np.array([one.mean() for one in of_item])
    topics, sizes = len(given.sizes), given.sizes
    by_topic = np.bincount(given.topic_of, means) / sizes

    def of_draws(number: int) -> np.ndarray:
        """The variance of each topic's mean with so many opinions an item."""
        counts = given.counts
        taken = np.minimum(number, counts)
        spread = np.array([one.var(ddof=1) if len(one) > 1 else 0.0 for one in of_item])
        return np.bincount(given.topic_of, spread / taken * (1 - taken / counts)) / sizes**2

    for (number, topic), one in rows.items():
        between = by_topic.var(ddof=1) / topic * (1 - topic / topics)
        exact = (between + of_draws(number).sum() / topics / topic) ** 0.5
        assert one.error == pytest.approx(exact, rel=0.06, abs=1e-12)
    assert rows[1, 12].labels == len(given.counts)
    assert rows[max(list_opinions(given.counts)), 5].labels > rows[1, 5].labels


def new(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_with_all_labels_nothing_is_off():
    item = np.repeat(np.arange(8), 2)
    value = np.arange(16.0)
    given = Opinions(value, item, item // 2, np.tile([0, 1], 8))
    (whole,) = [one for one in learn_means(given, 20, new(1)) if one.opinions == 2]
    assert (whole.topics, whole.labels, whole.error) == (4, 16, 0.0)


def test_numbers_of_opinions_are_those_that_half_of_the_items_have():
    assert list_opinions(np.array([1.0, 2, 3, 3])) == [1, 2, 3]
    assert list_opinions(np.array([1.0, 1, 3])) == [1]
