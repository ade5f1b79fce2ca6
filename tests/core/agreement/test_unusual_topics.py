"""Topics that somebody may have read differently, and large topics that agree less."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import linregress

from core.agreement.ratings import Ratings, ratings_from_labels
from core.agreement.unusual_topics import size_effect, unusual_topics


def rate(topics: dict[str, np.ndarray]) -> Ratings:
    """Return ratings by arrays of levels, shape (items, assessors)."""
    rows = [
        (topic, f"d{item}", f"a{who}", level)
        for topic, items in topics.items()
        for item, given in enumerate(items.tolist())
        for who, level in enumerate(given)
    ]
    labels = pd.DataFrame(rows, columns=["topic_id", "document_id", "assessor_id", "level"])
    labels = labels.assign(facet="page", engine="", occasion=0, state="level")
    return ratings_from_labels(labels, "page", (0, 1, 2, 3))


def draw(rng: np.random.Generator, items: int, seen: float) -> np.ndarray:
    """Return levels of two assessors who see an item as it is with this chance, else guess."""
    own = rng.integers(0, 4, (items, 1))
    return np.where(rng.random((items, 2)) < seen, own, rng.integers(0, 4, (items, 2)))


@pytest.fixture
def rng():
    return np.random.default_rng(2)


def test_a_topic_that_was_read_the_other_way_is_named(rng):
    topics = {f"t{at}": draw(rng, 30, 0.9) for at in range(9)}
    topics["odd"] = np.column_stack([np.arange(40) % 4, 3 - np.arange(40) % 4])
    (row,) = unusual_topics(rate(topics)).itertuples()
    assert (row.topic_id, row.items) == ("odd", 40)
    # Levels 0 and 3 are wholly apart, 1 and 2 by a third.
    assert row.value == pytest.approx((0 + 2 / 3) / 2)
    assert row.others == pytest.approx(0.93, abs=0.05)
    assert row.p < 0.001


def test_a_second_such_topic_does_not_hide_the_first(rng):
    topics = {f"t{at}": draw(rng, 30, 0.9) for at in range(12)}
    turned = np.column_stack([np.arange(40) % 4, 3 - np.arange(40) % 4])
    topics |= {"odd": turned, "queer": turned[:32]}
    assert set(unusual_topics(rate(topics))["topic_id"]) == {"odd", "queer"}


def test_a_topic_of_less_agreement_that_is_beyond_chance_is_not_named(rng):
    topics = {f"t{at}": draw(rng, 60, 0.97) for at in range(9)} | {"hard": draw(rng, 60, 0.7)}
    assert unusual_topics(rate(topics)).empty


@pytest.mark.parametrize("number", [1, 3])
def test_few_topics_have_nothing_to_be_compared_with(rng, number):
    topics = {f"t{at}": draw(rng, 30, 0.5) for at in range(number)}
    assert unusual_topics(rate(topics)).empty
    assert np.isnan(size_effect(rate(topics)))


def test_of_equal_sizes_there_is_no_effect(rng):
    assert np.isnan(size_effect(rate({f"t{at}": draw(rng, 20, 0.5) for at in range(8)})))


def test_large_topics_that_agree_less_are_found_and_the_other_way_not(rng):
    sizes = [10, 12, 15, 20, 30, 50, 80, 120, 200, 300]
    less = {f"t{n}": draw(rng, n, 0.95 - 0.12 * np.log(n / 10)) for n in sizes}
    more = {f"t{n}": draw(rng, n, 0.5 + 0.12 * np.log(n / 10)) for n in sizes}
    assert size_effect(rate(less)) < 0.01
    assert size_effect(rate(more)) > 0.9


def test_the_slope_of_topics_known_alike_is_that_of_least_squares():
    """Where topics differ so much that how exactly each is known hardly matters."""
    sizes = [400, 500, 600, 700, 800, 900, 1000, 1100]
    shares = [0.95, 0.3, 0.9, 0.2, 0.7, 0.25, 0.6, 0.1]
    topics = {}
    for size, share in zip(sizes, shares, strict=True):
        apart = np.arange(size) < round(size * share)
        topics[f"t{size}"] = np.column_stack([np.zeros(size, int), np.where(apart, 0, 3)])
    odds = [
        np.log((round(n * s) + 0.5) / (n - round(n * s) + 0.5))
        for n, s in zip(sizes, shares, strict=True)
    ]
    wanted = linregress(np.log(sizes), odds, alternative="less").pvalue
    assert size_effect(rate(topics)) == pytest.approx(wanted, abs=0.003)


def test_where_all_agree_wholly_large_topics_do_not_agree_less():
    assert size_effect(rate({f"t{n}": np.zeros((n, 2), int) for n in (10, 20, 40, 80)})) > 0.5
