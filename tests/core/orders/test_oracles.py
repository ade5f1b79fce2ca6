"""Each order against a plain transcription of what was published, on small pools."""

import math

import numpy as np

from core.orders.base import ORDERS, parse_order
from tests.core.orders.pools import judge, make_pool
from tests.each import each
from tests.short import long

POOLS = range(5)


def documents(candidates, topic):
    """Return the items of a topic with their rank in each run that has them."""
    place = candidates.of(topic)
    return {
        item: {run: int(rank) for run, rank in enumerate(candidates.rank[item]) if rank}
        for item in range(place.start, place.stop)
    }


def next_of(run, left):
    """Return the best ranked document of a run among those left; None where it has none."""
    own = [(ranks[run], item) for item, ranks in left.items() if run in ranks]
    return min(own)[1] if own else None


def least_judged(pool, judged):
    """Return the topic with documents left of which the least share is judged."""
    return min(
        (len(judged[topic]) / len(pool[topic]), topic)
        for topic in pool
        if len(judged[topic]) < len(pool[topic])
    )[1]


def run_plainly(candidates, choose_topic, choose_item):
    """Judge a whole pool one item at a time; ``judged`` has (item, run) of each topic."""
    pool = {topic: documents(candidates, topic) for topic in range(len(candidates.topics))}
    judged = {topic: [] for topic in pool}
    order = []
    for _ in range(len(candidates)):
        topic = choose_topic(pool, judged)
        done = {item for item, _ in judged[topic]}
        left = {item: ranks for item, ranks in pool[topic].items() if item not in done}
        item, run = choose_item(pool[topic], left, judged[topic], topic)
        judged[topic].append((item, run))
        order.append(item)
    return order


def runs_in_order(candidates, seed, topic):
    """Return the runs in the order in which equals are tried: the one thing left to chance."""
    return np.random.default_rng([seed, topic]).permutation(len(candidates.systems)).tolist()


def depth_first(candidates, relevance, seed):
    def choose(every, left, judged, topic):
        return min((min(ranks.values()), item) for item, ranks in left.items())[1], -1

    return run_plainly(candidates, least_judged, choose)


def mean_of(run, pool, judged, relevance, rate=1.0, credit="all"):
    """Return the mean of the Beta posterior of a run."""
    hits, misses = 1.0, 1.0
    for age, (item, chosen_from) in enumerate(reversed(judged)):
        if run == chosen_from or (credit == "all" and run in pool[item]):
            hits += rate**age * relevance[item]
            misses += rate**age * (1 - relevance[item])
    return hits / (hits + misses)


def max_mean(rate=1.0, credit="all", shared=False):
    def run(candidates, relevance, seed):
        def best(every, left, judged, topic):
            found = [
                (round(-mean_of(run, every, judged, relevance, rate, credit), 10), place, run)
                for place, run in enumerate(runs_in_order(candidates, seed, topic))
                if next_of(run, left) is not None
            ]
            return min(found)

        def choose(every, left, judged, topic):
            _, _, run = best(every, left, judged, topic)
            return next_of(run, left), run

        def highest_average(pool, judged):
            worth = []
            for topic, every in pool.items():
                done = {item for item, _ in judged[topic]}
                left = {item: ranks for item, ranks in every.items() if item not in done}
                if left:
                    mean = -best(every, left, judged[topic], topic)[0]
                    worth.append((round(-mean / (len(judged[topic]) + 1), 10), topic))
            return min(worth)[1]

        return run_plainly(candidates, highest_average if shared else least_judged, choose)

    return run


def thompson(candidates, relevance, seed):
    count = 0

    def choose(every, left, judged, topic):
        nonlocal count
        hits, misses = np.ones(len(candidates.systems)), np.ones(len(candidates.systems))
        for item, _ in judged:
            for run in every[item]:
                hits[run] += relevance[item]
                misses[run] += 1 - relevance[item]
        drawn = np.random.default_rng([seed, count]).beta(hits, misses)
        count += 1
        run = max((drawn[run], run) for run in range(len(hits)) if next_of(run, left) is not None)
        return next_of(run[1], left), run[1]

    return run_plainly(candidates, least_judged, choose)


def move_to_front(shared=False):
    def run(candidates, relevance, seed):
        highest = 0

        def priorities(judged):
            found = dict.fromkeys(range(len(candidates.systems)), highest)
            for item, run in judged:
                found[run] = highest if relevance[item] >= 0.5 else found[run] - 1
            return found

        def choose(every, left, judged, topic):
            of = priorities(judged)
            _, _, run = min(
                (-of[run], place, run)
                for place, run in enumerate(runs_in_order(candidates, seed, topic))
                if next_of(run, left) is not None
            )
            return next_of(run, left), run

        def front(pool, judged):
            found = []
            for topic, every in pool.items():
                done = {item for item, _ in judged[topic]}
                left = {item: ranks for item, ranks in every.items() if item not in done}
                of = priorities(judged[topic])
                own = [of[run] for run in of if next_of(run, left) is not None]
                if own:
                    found.append((-max(own), len(done) / len(every), topic))
            return min(found)[2]

        return run_plainly(candidates, front if shared else least_judged, choose)

    return run


def hedge(beta):
    def run(candidates, relevance, seed):
        def choose(every, left, judged, topic):
            depth = max(rank for ranks in every.values() for rank in ranks.values())
            behind = range(depth + 1, max(len(every), depth + 1) + 1)
            beyond = sum(math.log(depth / rank) for rank in behind) / len(behind)

            def loss(item, run):
                rank = every[item].get(run)
                return (math.log(depth / rank) if rank else beyond) / 2

            runs = range(len(candidates.systems))
            lost = [
                sum((1 - 2 * relevance[item]) * loss(item, run) for item, _ in judged)
                for run in runs
            ]
            trust = [beta**one for one in lost]
            expected = {
                item: sum(trust[run] * loss(item, run) for run in runs) / sum(trust)
                for item in left
            }
            return min((round(-one, 10), item) for item, one in expected.items())[1], -1

        return run_plainly(candidates, least_judged, choose)

    return run


def random(candidates, relevance, seed):
    shuffled = {
        topic: np.random.default_rng([seed, topic]).permutation(len(documents(candidates, topic)))
        for topic in range(len(candidates.topics))
    }

    def choose(every, left, judged, topic):
        return min(every) + int(shuffled[topic][len(judged)]), -1

    return run_plainly(candidates, least_judged, choose)


ORACLES = {
    "depth-first": depth_first,
    "hedge": hedge(0.1),
    "hedge(beta=0.9)": hedge(0.9),
    "max-mean": max_mean(),
    "max-mean(credit='chosen')": max_mean(credit="chosen"),
    "max-mean(topics='shared')": max_mean(shared=True),
    "max-mean(rate=0.95, topics='shared')": max_mean(rate=0.95, shared=True),
    "max-mean(credit='chosen', rate=0.5)": max_mean(rate=0.5, credit="chosen"),
    "move-to-front": move_to_front(),
    "move-to-front(topics='shared')": move_to_front(shared=True),
    "random": random,
    "thompson": thompson,
}


def test_every_order_has_an_oracle():
    """Those of samples with other probabilities are tried by what these are."""
    wanted = {
        entry.name for entry in ORDERS if not parse_order(entry.examples[0]).has_probabilities
    }
    assert {type(parse_order(text)).name for text in ORACLES} == wanted


@long
@each("text", ORACLES)
@each("seed", POOLS)
def test_an_order_is_the_published_one(text, seed):
    candidates, relevance = make_pool(seed)
    expected = ORACLES[text](candidates, relevance, seed)
    assert judge(parse_order(text), candidates, relevance, seed) == expected
