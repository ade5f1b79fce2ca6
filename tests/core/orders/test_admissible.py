"""Every choice of an order is among those that its definition allows, whatever chance decides.

What is known at each moment is laid out anew from what was chosen and judged, label by label: no
seed, no order of equals and no state is taken over from the order itself.
"""

from fractions import Fraction
from itertools import product
from math import ceil, log

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

from core.orders.base import Known, parse_order
from core.orders.candidates import build_candidates
from tests.each import each

NEAR = 1e-9


def make_pool(seed, full=False):
    """Return a pool of two to four topics; lists are of one length where they are to be full."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{system}", f"t{topic}", f"d{document:02}", rank)
        for topic in range(rng.integers(2, 5))
        for system in range(4)
        for rank, document in enumerate(
            rng.permutation(12)[: 5 if full else rng.integers(1, 7)], start=1
        )
    ]
    columns = ["system", "topic_id", "document_id", "rank"]
    candidates = build_candidates(pd.DataFrame(rows, columns=columns), 6)
    return candidates, rng.choice([0, 0.3, 0.5, 1], len(candidates))


class Moment:
    """What has been chosen of each topic, from which run, and what its labels say so far."""

    def __init__(self, candidates):
        self.topic = candidates.topic.tolist()
        self.systems = len(candidates.systems)
        self.ranks = [
            {run: int(rank) for run, rank in enumerate(row) if rank} for row in candidates.rank
        ]
        self.chosen = []
        self.said = {}

    def pool(self, topic):
        return [item for item, own in enumerate(self.topic) if own == topic]

    def of(self, topic):
        """Return what was chosen of a topic, in that order: item, run, label or None."""
        return [
            (item, run, self.said.get(item))
            for item, run in self.chosen
            if self.topic[item] == topic
        ]

    def left(self, topic):
        done = {item for item, _ in self.chosen}
        return [item for item in self.pool(topic) if item not in done]

    def open_topics(self):
        return [topic for topic in sorted(set(self.topic)) if self.left(topic)]

    def share(self, topic):
        return Fraction(len(self.of(topic)), len(self.pool(topic)))

    def least_judged(self, among=None):
        topics = self.open_topics() if among is None else among
        least = min(map(self.share, topics))
        return {topic for topic in topics if self.share(topic) == least}

    def next_of(self, run, topic):
        """Return the best ranked item of a run that was not chosen; None where it has none."""
        own = [
            (self.ranks[item][run], item) for item in self.left(topic) if run in self.ranks[item]
        ]
        return min(own)[1] if own else None

    def able(self, topic):
        return [run for run in range(self.systems) if self.next_of(run, topic) is not None]


def best_of(values):
    """Return the keys whose value is the highest, but for rounding."""
    return {key for key, value in values.items() if value >= max(values.values()) - NEAR}


def posterior_means(moment, topic, rate, credit):
    """Return the mean of each run's Beta posterior; a label counts less after each further one."""
    labelled = [one for one in moment.of(topic) if one[2] is not None]
    means = {}
    for run in range(moment.systems):
        hits = misses = 1.0
        for at, (item, source, said) in enumerate(labelled):
            if source == run or (credit == "all" and run in moment.ranks[item]):
                weight = rate ** (len(labelled) - 1 - at)
                hits += weight * said
                misses += weight * (1 - said)
        means[run] = hits / (hits + misses)
    return means


def check_max_mean(moment, batch, topic, rate=1.0, credit="all", shared=False):
    def best_mean(one):
        means = posterior_means(moment, one, rate, credit)
        return max(means[run] for run in moment.able(one))

    topics = moment.least_judged()
    if shared:
        worth = {one: best_mean(one) / (len(moment.of(one)) + 1) for one in moment.open_topics()}
        topics = best_of(worth)
    assert topic in topics
    means = posterior_means(moment, topic, rate, credit)
    for item, run in batch:
        assert run in best_of({one: means[one] for one in moment.able(topic)})
        assert item == moment.next_of(run, topic)
        moment.chosen.append((item, run))


def priorities(moment, topic):
    """Return minus the misses of each run since its last relevant document."""
    found = dict.fromkeys(range(moment.systems), 0)
    for _, run, said in moment.of(topic):
        found[run] = 0 if said is not None and said >= 0.5 else found[run] - 1
    return found


def check_move_to_front(moment, batch, topic, shared=False):
    topics = moment.least_judged()
    if shared:
        front = {
            one: max(priorities(moment, one)[run] for run in moment.able(one))
            for one in moment.open_topics()
        }
        topics = moment.least_judged(best_of(front))
    assert topic in topics
    for item, run in batch:
        now = priorities(moment, topic)
        assert run in best_of({one: now[one] for one in moment.able(topic)})
        assert item == moment.next_of(run, topic)
        moment.chosen.append((item, run))


def check_hedge(moment, batch, topic, beta=0.1):
    assert topic in moment.least_judged()
    pool = moment.pool(topic)
    depth = max(rank for item in pool for rank in moment.ranks[item].values())
    behind = [log(depth / rank) for rank in range(depth + 1, max(len(pool), depth + 1) + 1)]

    def loss(item, run):
        rank = moment.ranks[item].get(run)
        return 0.5 * (log(depth / rank) if rank else sum(behind) / len(behind))

    trust = {}
    for run in range(moment.systems):
        labelled = [one for one in moment.of(topic) if one[2] is not None]
        trust[run] = beta ** sum((1 - 2 * said) * loss(item, run) for item, _, said in labelled)
    expected = {
        item: sum(trust[run] * loss(item, run) for run in trust) / sum(trust.values())
        for item in moment.left(topic)
    }
    for item, run in batch:
        assert run == -1
        assert item in best_of(expected)
        del expected[item]
        moment.chosen.append((item, -1))


def check_depth_first(moment, batch, topic):
    assert topic in moment.least_judged()
    for item, _ in batch:
        left = moment.left(topic)
        assert item == min(left, key=lambda one: (min(moment.ranks[one].values()), one))
        moment.chosen.append((item, -1))


CHECKS = {
    "depth-first": (check_depth_first, {}),
    "hedge": (check_hedge, {}),
    "hedge(beta=0.6)": (check_hedge, {"beta": 0.6}),
    "max-mean": (check_max_mean, {}),
    "max-mean(credit='chosen')": (check_max_mean, {"credit": "chosen"}),
    "max-mean(rate=0.8)": (check_max_mean, {"rate": 0.8}),
    "max-mean(rate=0.95, topics='shared')": (check_max_mean, {"rate": 0.95, "shared": True}),
    "max-mean(credit='chosen', rate=0.5, topics='shared')": (
        check_max_mean,
        {"credit": "chosen", "rate": 0.5, "shared": True},
    ),
    "move-to-front": (check_move_to_front, {}),
    "move-to-front(topics='shared')": (check_move_to_front, {"shared": True}),
}


@each("text", CHECKS)
@each("number", [1, 3])
@each("seed", range(2))
def test_what_is_chosen_is_best_by_the_labels_so_far(seed, number, text):
    """Labels come late, are told anew and are taken back; batches are of one or of three."""
    candidates, relevance = make_pool(seed, full=seed % 2 == 0)
    rng = np.random.default_rng(seed)
    check, chosen = CHECKS[text]
    chooser, moment = parse_order(text).begin(candidates, seed=seed), Moment(candidates)
    while (choice := chooser.choose(number)) is not None:
        (topic,) = {moment.topic[item] for item in choice.item.tolist()}
        assert len(choice.item) == min(number, len(moment.left(topic)))
        batch = list(zip(choice.item.tolist(), choice.system.tolist(), strict=True))
        check(moment, batch, topic, **chosen)
        for item, _ in moment.chosen:
            if rng.random() < 0.4:
                said = None if rng.random() < 0.2 else float(relevance[item])
                chooser.learn(np.array([item]), np.array([np.nan if said is None else said]))
                moment.said[item] = said
    assert not moment.open_topics()


def pool_of(*lists):
    rows = [
        (f"s{at}", "t", document, rank)
        for at, shown in enumerate(lists)
        for rank, document in enumerate(shown.split(), start=1)
    ]
    columns = ["system", "topic_id", "document_id", "rank"]
    return build_candidates(pd.DataFrame(rows, columns=columns), 50)


def count_first_runs(text, candidates, known, seeds=600):
    order = parse_order(text)
    counts = np.zeros(len(candidates.systems))
    for seed in range(seeds):
        counts[order.begin(candidates, known, seed).choose(1).system[0]] += 1
    return counts / seeds


def test_thompson_takes_a_run_as_often_as_its_draw_is_the_highest():
    """By integrals over Beta(2, 1), Beta(1.5, 1.5), Beta(1, 2) and Beta(1, 1)."""
    candidates = pool_of("a1 a2", "b1 b2", "c1 c2", "d1 d2")
    known = Known(np.array([0, 2, 4]), np.array([0, 1, 2]), np.array([1.0, 0.5, 0.0]))
    at = (np.arange(2_000) + 0.5) / 2_000
    shapes = [(2, 1), (1.5, 1.5), (1, 2), (1, 1)]
    chances = [
        np.mean(
            beta.pdf(at, *own) * np.prod([beta.cdf(at, *o) for o in shapes if o is not own], axis=0)
        )
        for own in shapes
    ]
    assert sum(chances) == pytest.approx(1, abs=1e-3)
    found = count_first_runs("thompson", candidates, known)
    spread = np.sqrt(np.array(chances) * (1 - np.array(chances)) / 600)
    assert (np.abs(found - chances) < 4 * spread).all()


@each("text", ["max-mean", "move-to-front"])
def test_of_equal_runs_each_is_first_as_often(text):
    candidates = pool_of("a1 a2", "b1 b2", "c1 c2", "d1 d2")
    nothing = Known(np.empty(0, dtype=int), np.empty(0, dtype=int), np.empty(0))
    found = count_first_runs(text, candidates, nothing)
    assert (np.abs(found - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 600)).all()


@each("budget", [2, 3, 4])
def test_probabilities_of_a_sample_by_weight_are_those_of_every_way_to_draw_buckets(budget):
    """Aslam and Pavlu (2007): buckets of equal size, drawn with replacement by their weight."""
    candidates = pool_of("a b c d e", "c f a g", "h i b a j k")
    weights = dict.fromkeys(range(len(candidates)), Fraction(0))
    for run in range(3):
        held = {int(row[run]): item for item, row in enumerate(candidates.rank) if row[run]}
        size = len(held)
        for rank, item in held.items():
            tail = sum(Fraction(1, place) for place in range(rank, size + 1))
            weights[item] += (1 + tail) / (2 * size) / 3
    assert sum(weights.values()) == 1
    drawn = parse_order(f"stat-sample(budget={budget})").draw(candidates)
    order = sorted(weights, key=lambda item: -weights[item])
    buckets = [order[at : at + budget] for at in range(0, len(order), budget)]
    chance = [sum(weights[item] for item in own) for own in buckets]
    expected = [Fraction(0)] * len(buckets)
    for way in product(range(len(buckets)), repeat=budget):
        likely = Fraction(1)
        for one in way:
            likely *= chance[one]
        for one, own in enumerate(buckets):
            expected[one] += likely * min(way.count(one), len(own))
    for own, number in zip(buckets, expected, strict=True):
        assert drawn.probability[own] == pytest.approx([float(number) / len(own)] * len(own))


@each("seed", range(4))
def test_bands_of_ranks_are_drawn_at_their_rates(seed):
    candidates, _ = make_pool(seed)
    order = parse_order("stratified(until=(1, 3), rates=(1.0, 0.5, 0.2))")
    drawn, moment = order.draw(candidates, seed), Moment(candidates)
    for topic in set(moment.topic):
        bands = {0: [], 1: [], 2: []}
        for item in moment.pool(topic):
            best = min(moment.ranks[item].values())
            bands[0 if best == 1 else 1 if best <= 3 else 2].append(item)
        for (band, own), rate in zip(bands.items(), (1.0, 0.5, 0.2), strict=True):
            if not own:
                continue
            number = ceil(rate * len(own) - NEAR)
            assert drawn.is_drawn[own].sum() == number
            assert (drawn.stratum[own] == band).all()
            assert drawn.probability[own] == pytest.approx([number / len(own)] * len(own))
