"""Topics that somebody may have read differently, and large topics that agree less."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import linregress, t

from core.agreement.ratings import Ratings, ratings_from_labels
from core.agreement.unusual_topics import _fit_line, _spread_out, size_effect, unusual_topics


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


def test_topics_differ_by_as_much_as_their_squares_tell(rng):
    """Against a root that is found by bracketing."""
    x = np.log([10, 12, 15, 20, 30, 50, 80, 120])
    y, sampled = 0.7 - 0.02 * x + rng.normal(0, 0.1, len(x)), 0.05 / np.exp(x)
    root = brentq(lambda more: _fit_line(x, y, sampled + more)[2] - len(x) + 2, 0, 1)
    assert root > 0.001
    assert _spread_out(x, y, sampled) == pytest.approx(sampled + root, rel=1e-8)
    wide = sampled + 2 * root
    assert _spread_out(x, y, wide).tolist() == wide.tolist()


def test_the_slope_of_topics_known_alike_is_that_of_least_squares():
    """Where topics differ so much that how exactly each is known hardly matters."""
    sizes = [400, 500, 600, 700, 800, 900, 1000, 1100]
    shares = [0.95, 0.3, 0.9, 0.2, 0.7, 0.25, 0.6, 0.1]
    topics = {}
    for size, share in zip(sizes, shares, strict=True):
        apart = np.arange(size) < round(size * share)
        topics[f"t{size}"] = np.column_stack([np.zeros(size, int), np.where(apart, 0, 3)])
    agreed = [round(n * s) / n for n, s in zip(sizes, shares, strict=True)]
    wanted = linregress(np.log(sizes), agreed, alternative="less").pvalue
    assert size_effect(rate(topics)) == pytest.approx(wanted, abs=0.003)


def test_the_slope_of_topics_that_do_not_differ_beside_it_is_weighted_by_their_items():
    """By hand: the line is exact but for chance, so the variance of items alone counts."""
    sizes = np.array([8, 16, 32, 64, 128])
    same = np.array([7, 14, 24, 46, 80])
    topics = {
        f"t{n}": np.column_stack([np.zeros(n, int), np.where(np.arange(n) < s, 0, 3)])
        for n, s in zip(sizes, same, strict=True)
    }
    value = same / sizes
    within = (sizes * value * (1 - value)).sum() / (sizes - 1).sum()
    line = np.polyfit(np.log(sizes), value, 1, w=np.sqrt(sizes))
    x = np.log(sizes)
    known = (sizes * (x - np.average(x, weights=sizes)) ** 2).sum() / within
    assert ((value - np.polyval(line, x)) ** 2 * sizes / within).sum() < 3
    assert size_effect(rate(topics)) == pytest.approx(t.cdf(line[0] * np.sqrt(known), 3), rel=1e-5)


def test_a_topic_of_one_item_weighs_little():
    """One item on which two agree is no topic of high agreement."""
    rng = np.random.default_rng(5)
    even = {f"t{n}": draw(rng, n, 0.8) for n in (40, 50, 60, 80, 100, 120)}
    with_small = {**even, "one": np.zeros((1, 2), int)}
    assert size_effect(rate(with_small)) == pytest.approx(size_effect(rate(even)), abs=0.2)


def test_where_all_agree_wholly_large_topics_do_not_agree_less():
    assert size_effect(rate({f"t{n}": np.zeros((n, 2), int) for n in (10, 20, 40, 80)})) > 0.5
