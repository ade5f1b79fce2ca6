"""The model of relevance against a sampler of its own: Hamiltonian steps, and Gibbs for variances.

The model is written down anew: log odds of columns of ranks, of runs, of runs in topics and of
topics; normal effects; variances with so many effects seen beforehand. Its fit is an approximation,
the sampler's answer is not, but for chance.
"""

import numpy as np
from scipy.special import expit, log_expit

from core.stopping.relevance_model import describe_items, fit_relevance, log_odds
from tests.core.stopping.made_pools import hide, make_pool
from tests.each import each
from tests.short import long

TOPICS, SYSTEMS = 8, 4
SEEN = {"level": (2, 0.5), "slope": (2, 0.5), "run": (4, 3.0), "run in topic": (6, 4.0)}
"""How many effects of a variance are taken to have been seen, and with which."""
OF_RANKS = np.array([0.05, 0.25, 0.25, 0.25, 0.25])
"""The prior precision of the effects of the constant and the other columns of ranks."""


def make_known(seed):
    candidates, level = make_pool(topics=TOPICS, systems=SYSTEMS, documents=60, depth=20, seed=seed)
    return candidates, np.where(np.isnan(hide(level, 0.4, seed)), np.nan, level > 0)


def predict(candidates, known):
    """Return how likely each item is relevant by the fitted model's draws."""
    described = describe_items(candidates)
    model = fit_relevance(candidates, described, known)
    common, own = model.draw_effects(4000, np.random.default_rng(1))
    found = np.empty(len(known))
    for topic in range(TOPICS):
        item = np.arange(candidates.of(topic).start, candidates.of(topic).stop)
        found[item] = expit(log_odds(described, item, common, own[topic])).mean(axis=1)
    return found


def sample(candidates, known, samples, burnt=500):
    """Return the same by a Markov chain."""
    described = describe_items(candidates)
    ranks, runs, topic = described.ranks, described.runs, np.asarray(candidates.topic)
    of_topic = np.eye(TOPICS)[topic]
    in_topic = (of_topic[:, :, np.newaxis] * runs[:, np.newaxis]).reshape(len(known), -1)
    table = np.hstack([ranks, runs, of_topic, of_topic * ranks[:, [1]], in_topic])
    sizes = dict(zip(SEEN, (TOPICS, TOPICS, SYSTEMS, TOPICS * SYSTEMS), strict=True))
    order = ("run", "level", "slope", "run in topic")
    judged = ~np.isnan(known)
    rows, told = table[judged], known[judged]
    rng = np.random.default_rng(0)
    effects, variance = np.zeros(table.shape[1]), dict.fromkeys(SEEN, 0.5)
    total = np.zeros(len(known))

    def height(at, precision):
        odds = rows @ at
        likely = (told * log_expit(odds) + (1 - told) * log_expit(-odds)).sum()
        return likely - (precision * at**2).sum() / 2

    def slope(at, precision):
        return rows.T @ (told - expit(rows @ at)) - precision * at

    for step in range(samples + burnt):
        precision = np.concatenate(
            [OF_RANKS, *[np.full(sizes[name], 1 / variance[name]) for name in order]]
        )
        moving, at = rng.normal(size=len(effects)), effects
        before = height(at, precision) - moving @ moving / 2
        length = rng.uniform(0.05, 0.11)
        moving = moving + length / 2 * slope(at, precision)
        for leap in range(15):
            at = at + length * moving
            moving = moving + length / (1 + (leap == 14)) * slope(at, precision)
        if np.log(rng.random()) < height(at, precision) - moving @ moving / 2 - before:
            effects = at
        start = len(OF_RANKS)
        for name in order:
            own = effects[start : start + sizes[name]]
            start += sizes[name]
            seen, before_seen = SEEN[name]
            scale = seen * before_seen + own @ own
            drawn = 1 / rng.gamma((seen + len(own)) / 2, 2 / scale)
            variance[name] = min(max(drawn, 0.01), 20.0)
        if step >= burnt:
            total += expit(table @ effects)
    return total / samples


def check(seed, samples, mean, largest):
    candidates, known = make_known(seed)
    rest = np.isnan(known)
    found, expected = predict(candidates, known)[rest], sample(candidates, known, samples)[rest]
    assert np.abs(found - expected).mean() < mean
    assert np.abs(found - expected).max() < largest
    assert np.corrcoef(found, expected)[0, 1] > 0.998


def test_the_fit_is_near_what_a_sampler_finds():
    check(0, 600, 0.02, 0.07)


@long
@each("seed", range(3))
def test_the_fit_is_near_what_longer_chains_find(seed):
    check(seed, 3000, 0.012, 0.05)
