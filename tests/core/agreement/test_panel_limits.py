"""Limits of AC1, AC2 and Randolph's κ: by loops over topics, in their range, and beside irrCAC."""

import math
from itertools import chain, product

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t as student

from core.agreement.base import COEFFICIENTS
from core.agreement.confusion import confusion_matrices
from core.agreement.multi_rater_counts import LevelCounts, level_counts
from core.agreement.overall import panel_agreement
from core.agreement.ratings import ratings_from_labels
from core.agreement.single_pairs import agreement_of_each_pair
from tests.each import each

WEIGHTS = {
    "AC1": lambda a, b, top: float(a == b),
    "AC2(linear)": lambda a, b, top: 1 - abs(a - b) / top,
    "AC2(quadratic)": lambda a, b, top: 1 - (a - b) ** 2 / top**2,
    "randolph": lambda a, b, top: float(a == b),
}
TEXTS = tuple(WEIGHTS)

RATED = (
    "012. 1111 22.1 0000 .1.2 2222 01.0 1.1. 0.02 2122 "
    "0... 11.0 .002 1122 2.2. 0001 ..11 210. 000. 22.2"
)
"""Twenty items by four raters; a point is no label."""
IRRCAC = {
    "AC1": (0.3684703909, 0.1368032713),
    "AC2(linear)": (0.4080103598, 0.1387712646),
    "AC2(quadratic)": (0.4475410645, 0.1586387882),
    "randolph": (0.3684210526, 0.136874064),
}
"""Value and standard error over items by irrCAC 0.4.4 for Python; Brennan and Prediger's with any
number of raters is Randolph's."""


def agreement(labels, text, levels):
    """Return the coefficient of lists of labels, one an item, pair of labels by pair of labels."""
    weigh, top = WEIGHTS[text], levels - 1
    agreed, shares = [], []
    for own in labels:
        if own:
            shares.append([own.count(level) / len(own) for level in range(levels)])
        pairs = [(own[a], own[b]) for a in range(len(own)) for b in range(len(own)) if a != b]
        if pairs:
            agreed.append(np.mean([weigh(*pair, top) for pair in pairs]))
    if not agreed:
        return math.nan
    share = np.mean(shares, axis=0)
    weight = sum(weigh(a, b, top) for a, b in product(range(levels), repeat=2))
    chance = weight / (levels * (levels - 1)) * sum(one * (1 - one) for one in share)
    if text == "randolph":
        chance = 1 / levels
    return float((np.mean(agreed) - chance) / (1 - chance))


def least_of(text, levels):
    """Return what there can be at least: nothing agrees, and levels are as even as can be."""
    pairs = product(range(levels), repeat=2)
    chance = sum(WEIGHTS[text](a, b, levels - 1) for a, b in pairs) / levels**2
    return -chance / (1 - chance)


def limits(value, without, sizes, least):
    """Return 95 % limits by leaving out topics: intervals.md, *Limits of coefficients*."""
    scale = least if min(value, *without) < -1 else -1.0
    topics, mean = len(without), np.mean(without)
    error = math.sqrt((topics - 1) / topics * sum((one - mean) ** 2 for one in without))
    equal = sum(sizes) ** 2 / sum(one**2 for one in sizes)
    quantile = student.ppf(0.975, max(equal - 1, min(2, topics - 1)))
    less_bias = topics * value - (topics - 1) * mean
    less_bias = min(max(less_bias, (value + scale) / 2), (value + 1) / 2)
    found = []
    for middle in (value, less_bias):
        if error < 1e-12:
            far = 1 - 0.025 ** (1 / topics)
            found.append((middle - (middle - scale) * far, middle + (1 - middle) * far))
            continue
        share, spread = (middle - scale) / (1 - scale), error / (1 - scale)
        cases = share * (1 - share) / spread**2
        share = (share * cases + 0.25) / (cases + 0.5)
        half = quantile * spread / (share * (1 - share))
        ends = [scale + (1 - scale) * expit(logit(share) + one * half) for one in (-1, 1)]
        found.append((min(ends[0], middle), max(ends[1], middle)))
    low, high = min(one[0] for one in found), max(one[1] for one in found)
    low = scale if min(without) - scale < 1e-12 else low
    return max(low, least), 1.0 if 1 - max(without) < 1e-12 else high


def expect(topics, text, levels):
    """Return value and limits of topics, each a list of items, each a list of labels."""
    value = agreement([*chain(*topics)], text, levels)
    several = [at for at, own in enumerate(topics) if any(len(item) > 1 for item in own)]
    without = [agreement([*chain(*topics[:at], *topics[at + 1 :])], text, levels) for at in several]
    sizes = [sum(len(item) > 1 for item in topics[at]) for at in several]
    if len(without) < 2 or np.isnan([value, *without]).any():
        return value, math.nan, math.nan
    return value, *limits(value, without, sizes, least_of(text, levels))


def tabulate(topics, levels):
    counts = [[own.count(level) for level in range(levels)] for one in topics for own in one]
    topic = np.repeat(np.arange(len(topics)), [len(one) for one in topics])
    names = tuple(f"t{at}" for at in range(len(topics)))
    given = LevelCounts(np.array(counts, dtype=float), topic, names, tuple(range(levels)))
    return panel_agreement(given, list(map(COEFFICIENTS.parse, TEXTS)))


def check(topics, levels):
    for row in tabulate(topics, levels).itertuples():
        expected = expect(topics, row.coefficient, levels)
        found = (row.value, row.low, row.high)
        assert found == pytest.approx(expected, abs=1e-9, nan_ok=True), row.coefficient
        if not math.isnan(row.low):
            least = least_of(row.coefficient, levels) - 1e-12
            assert least <= row.low <= row.value + 1e-12
            assert row.value - 1e-12 <= row.high <= 1


@each("seed", range(30))
def test_any_labels_as_by_loops(seed):
    """Two to five levels, one to four labels an item, few topics or several, agreeing or not."""
    rng = np.random.default_rng(seed)
    levels, agree = int(rng.integers(2, 6)), rng.choice([0.1, 0.6, 0.95])
    topics = []
    for _ in range(rng.integers(1, 8)):
        topic = []
        for true in rng.integers(0, levels, rng.integers(1, 9)):
            drawn = rng.integers(0, levels, rng.integers(1, 5))
            same = rng.random(len(drawn)) < agree
            topic.append(np.where(same, true, drawn).tolist())
        topics.append(topic)
    check(topics, levels)


@each(
    "topics, levels",
    [
        ([[[0, 2], [0, 1], [1, 2]] * 3] * 4, 3),
        ([[[0, 2], [0, 1], [1, 2]] * 3 + [[at, at]] * (at == 1) for at in range(4)], 3),
        ([[[0, 1]] * at for at in (1, 2, 3, 4)], 2),
        ([[[0, 3], [1, 2]] * at + [[0, 3]] for at in (1, 2, 3)], 4),
        ([[[1, 1]] * at for at in (1, 2, 3)], 3),
        ([[[1, 1]] * 2, [[0, 0]] * 3, [[0, 1]]], 2),
    ],
    ids=["never", "once", "opposite", "mostly opposite", "always", "all but one"],
)
def test_limits_stay_in_the_range_of_the_coefficient(topics, levels):
    check(topics, levels)


def test_quadratic_ac2_can_be_below_minus_1():
    """Assessors at opposite ends, and a few in between: .15 agreed on, .585 by chance."""
    topics = [[[0, 2]] * (8 + at) + [[0, 1], [1, 2]] for at in range(4)]
    row = tabulate(topics, 3).set_index("coefficient").loc["AC2(quadratic)"]
    assert -2 < row["low"] < row["value"] < -1
    assert row["high"] > row["value"]
    check(topics, 3)
    check([[[0, 2]] * 8 + [[0, 1], [1, 2]]] * 4, 3)
    check([[[0, 2]] * 8 + [[1, 2]], [[0, 2]] * 8 + [[0, 1]]], 3)


@each(("text", "printed"), IRRCAC.items())
def test_values_and_errors_of_irrcac(text, printed):
    """Over items: Gwet's variance is linear in the items, the jackknife nearly so."""
    items = [[[int(one) for one in own if one != "."]] for own in RATED.split()]
    value, error = printed
    assert agreement([*chain(*items)], text, 3) == pytest.approx(value, abs=1e-9)
    without = [agreement([*chain(*items[:at], *items[at + 1 :])], text, 3) for at in range(20)]
    apart = np.array(without) - np.mean(without)
    assert math.sqrt(19 / 20 * (apart**2).sum()) == pytest.approx(error, rel=0.06)
    check(items, 3)


def test_of_two_assessors_limits_stay_in_range(make_labels):
    rows = [
        (f"t{topic}", f"d{item}", name, float((item + at * (1 + (item + topic) % 2)) % 3))
        for topic in range(4)
        for item in range(6 + topic)
        for at, name in enumerate("ab")
    ]
    ratings = ratings_from_labels(make_labels(rows), "page", (0, 1, 2))
    coefficients = list(map(COEFFICIENTS.parse, TEXTS))
    found = agreement_of_each_pair(confusion_matrices(ratings), coefficients)
    expected = panel_agreement(level_counts(ratings), coefficients)
    for name in ("value", "low", "high"):
        np.testing.assert_allclose(found[name], expected[name], atol=1e-12)
    randolph = found.set_index("coefficient").loc["randolph"]
    assert randolph[["value", "low"]].tolist() == pytest.approx([-0.5, -0.5])
