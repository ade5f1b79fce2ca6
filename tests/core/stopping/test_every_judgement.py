"""Stopping by plain scores: every judgement of the rest that there can be, and every drawn one."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.measures.catalogue import parse_measure
from core.stopping.bounds import bound_scores
from core.stopping.drawn_levels import code_levels, draw_levels
from core.stopping.expected import expected_tau
from core.stopping.pool_scores import find_threshold
from tests.core.stopping.made_pools import hide, make_pool
from tests.each import each


def ap(shown, levels):
    total = hits = 0
    for rank, item in enumerate(shown, start=1):
        if levels.get(item, 0) >= 1:
            hits += 1
            total += hits / rank
    return total / sum(level >= 1 for level in levels.values())


def p_at_3(shown, levels):
    return sum(levels.get(item, 0) >= 1 for item in shown[:3]) / 3


def rbp(shown, levels):
    return sum(0.2 * 0.8**at for at, item in enumerate(shown) if levels.get(item, 0) >= 1)


def ndcg_at_3(shown, levels):
    def gain(row):
        return sum(level / math.log2(at + 2) for at, level in enumerate(row[:3]))

    return gain([levels.get(item, 0) for item in shown]) / gain(sorted(levels.values())[::-1])


SCORES = {"AP": ap, "P@3": p_at_3, "RBP": rbp, "nDCG@3": ndcg_at_3}


class Pool:
    """Lists and items of each topic, as plain lists."""

    def __init__(self, candidates):
        self.systems = range(len(candidates.systems))
        self.topics = []
        for topic in range(len(candidates.topics)):
            own = candidates.of(topic)
            items = list(range(own.start, own.stop))
            lists = [
                sorted(
                    (item for item in items if candidates.rank[item, system]),
                    key=lambda item, system=system: candidates.rank[item, system],
                )
                for system in self.systems
            ]
            self.topics.append((items, lists))

    def means(self, level, score):
        """Return each system's mean over the topics with something relevant; None without one."""
        rows = []
        for items, lists in self.topics:
            levels = {item: level[item] for item in items if not math.isnan(level[item])}
            if any(one >= 1 for one in levels.values()):
                rows.append([score(shown, levels) for shown in lists])
        return np.mean(rows, axis=0) if rows else None


def tiny(seed, topics):
    candidates, level = make_pool(topics=topics, systems=3, depth=4, documents=7, seed=seed)
    level = np.minimum(hide(level, 0.45, seed), 1)
    rest = np.flatnonzero(np.isnan(level))
    level[rest[9:]] = 0
    return candidates, level


@each("text", ["AP", "P@3", "RBP"])
@each("topics", [1, 2])
@each("seed", range(5))
def test_bounds_by_every_judgement(seed, topics, text):
    candidates, level = tiny(seed, topics)
    pool, score = Pool(candidates), SCORES[text]
    rest = np.flatnonzero(np.isnan(level))
    means = []
    for way in product((0, 1), repeat=len(rest)):
        filled = level.copy()
        filled[rest] = way
        means.append(pool.means(filled, score))
    found = bound_scores(candidates, level, parse_measure(text))
    for told, first in ((found.today, means[0]), (found.all_relevant, means[-1])):
        assert told == pytest.approx(
            [math.nan] * 3 if first is None else first, abs=1e-6, nan_ok=True
        )
    every = np.array([one for one in means if one is not None])
    assert (found.low <= every.min(axis=0) + 1e-6).all()
    assert (found.high >= every.max(axis=0) - 1e-6).all()
    if topics == 1 and means[0] is not None:
        assert found.low == pytest.approx(every.min(axis=0), abs=1e-6)
        assert found.high == pytest.approx(every.max(axis=0), abs=1e-6)
    never_turned = sum(
        (every[:, one] - every[:, other] > 1e-6).all()
        or (every[:, other] - every[:, one] > 1e-6).all()
        for one, other in combinations(range(3), 2)
    )
    assert found.pairs == 3
    assert found.decided <= never_turned
    if topics == 1 and means[0] is not None and text != "AP":
        assert found.decided == never_turned
    if text == "RBP" and means[0] is not None:
        unknown = []
        for items, lists in pool.topics:
            if any(level[item] >= 1 for item in items):
                judged = {item for item in items if not math.isnan(level[item])}
                unknown.append(
                    [
                        1 - sum(0.2 * 0.8**at for at, one in enumerate(own) if one in judged)
                        for own in lists
                    ]
                )
        assert found.residual == pytest.approx(np.mean(unknown, axis=0), abs=1e-6)


@each("text", SCORES)
@each("seed", range(2))
def test_what_is_told_of_the_full_pool_is_that_of_the_drawn_levels(seed, text):
    """τ-b by SciPy of today's plain means and of those under every draw, and who is best then."""
    candidates, level = make_pool(topics=5, systems=5, seed=seed)
    level, measure, draws = hide(level, 0.4, seed), parse_measure(text), 60
    values, today = code_levels(level, find_threshold(measure))
    drawn = draw_levels(candidates, values, today, draws, np.random.default_rng(seed))
    assert (drawn.code[:, today > 0] == today[today > 0]).all()
    pool, score = Pool(candidates), SCORES[text]
    now = pool.means(level, score)
    taus, stays = [], []
    for code in drawn.code:
        full = pool.means(values[code - 1], score)
        taus.append(kendalltau(now.round(9), full.round(9)).statistic)
        stays.append(full[now.argmax()] >= full.max() - 1e-9)
    found = expected_tau(candidates, level, measure, rng=np.random.default_rng(seed), draws=draws)
    assert found.best == f"s{now.argmax()}"
    assert found.taus == pytest.approx(taus, abs=1e-6)
    assert found.tau == pytest.approx(np.mean(taus), abs=1e-6)
    assert found.best_stays == pytest.approx(np.mean(stays))
    low, high = np.quantile(taus, [0.01, 0.99])
    assert found.low == pytest.approx(low, abs=1e-6)
    assert found.high == pytest.approx(high, abs=1e-6)
