"""How long an order takes to choose the next batch, beside a plain transcription of MaxMean.

``python -m tests.bench.orders``: a made-up pool of 50 topics, 38 runs and depth 100, a fifth of it
judged. For each order the milliseconds until it has begun from what is known and chosen five
documents: cold, on a pool that nobody has chosen from, with the ratio of a loop of plain Python to
it; warm, on a pool whose tables are kept; and of a further batch. All are the least of the repeats.
The loop is MaxMean's with equal shares, whatever the order beside it.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from core.orders.base import ORDERS, Known, parse_order
from core.orders.candidates import Candidates, build_candidates

TOPICS, SYSTEMS, DEPTH, BATCH, JUDGED = 50, 38, 100, 5, 0.2


def make_runs(seed: int) -> pd.DataFrame:
    """Return runs of different quality over 2,000 documents a topic, a tenth of them relevant."""
    rng = np.random.default_rng(seed)
    frames = []
    for topic in range(TOPICS):
        relevant = np.arange(2_000) < 200
        for system in range(SYSTEMS):
            score = relevant * rng.normal(1 + system / SYSTEMS, 0.3) + rng.normal(size=2_000)
            best = np.argsort(-score)[:DEPTH]
            frames.append(
                pd.DataFrame(
                    {"system": f"s{system:02}", "topic_id": f"t{topic:02}",
                     "document_id": [f"d{one:04}" for one in best],
                     "rank": np.arange(1, DEPTH + 1)}
                )
            )  # fmt: skip
    return pd.concat(frames, ignore_index=True)


def make_known(candidates: Candidates, seed: int) -> Known:
    """Return labels of a fifth of the pool, those of the best ranks."""
    rng = np.random.default_rng(seed)
    number = int(JUDGED * len(candidates))
    item = np.argsort(candidates.best_rank, kind="stable")[:number]
    system = (candidates.rank[item] > 0).argmax(axis=1)
    relevance = (candidates.document[item] < "d0200").astype(float)
    relevance[rng.random(number) < 0.01] = np.nan
    return Known(item, system, relevance)


def choose_plainly(candidates: Candidates, known: Known) -> list[int]:
    """Return the next batch by MaxMean with equal shares, with lists and dictionaries."""
    held = [
        {run: int(rank) for run, rank in enumerate(row) if rank} for row in candidates.rank.tolist()
    ]
    topic_of = candidates.topic.tolist()
    sizes, chosen = [0] * TOPICS, [0] * TOPICS
    for topic in topic_of:
        sizes[topic] += 1
    done = set(known.item.tolist())
    hits = [[1.0] * SYSTEMS for _ in range(TOPICS)]
    misses = [[1.0] * SYSTEMS for _ in range(TOPICS)]
    for item, relevance in zip(known.item.tolist(), known.relevance.tolist(), strict=True):
        chosen[topic_of[item]] += 1
        if relevance == relevance:
            for run in held[item]:
                hits[topic_of[item]][run] += relevance
                misses[topic_of[item]][run] += 1 - relevance
    topic = min(range(TOPICS), key=lambda one: chosen[one] / sizes[one])
    found: list[int] = []
    for _ in range(BATCH):
        left = [i for i, one in enumerate(topic_of) if one == topic and i not in done]
        runs = {run for item in left for run in held[item]}
        best = max(runs, key=lambda run: hits[topic][run] / (hits[topic][run] + misses[topic][run]))
        found.append(min((held[item][best], item) for item in left if best in held[item])[1])
        done.add(found[-1])
    return found


def time_each(run: Callable[[], object], repeats: int) -> float:
    """Return the least milliseconds of a call: others on the machine only make it longer."""
    took = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        took.append(1_000 * (time.perf_counter() - start))
    return min(took)


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    repeats = parser.parse_args().repeats
    candidates = build_candidates(make_runs(1), DEPTH)
    known = make_known(candidates, 2)
    print(f"{TOPICS} topics, {SYSTEMS} runs, depth {DEPTH}: {len(candidates):,} documents, "
          f"{len(known.item):,} judged; batches of {BATCH}")  # fmt: skip
    plain = time_each(lambda: choose_plainly(candidates, known), max(repeats // 5, 1))
    print(f"{'plain Python, max-mean':40} {plain:8.1f} ms")
    for text in [text for entry in ORDERS for text in entry.examples]:
        order = parse_order(text)
        cold = time_each(
            lambda order=order: order.begin(replace(candidates), known).choose(BATCH), repeats
        )
        warm = time_each(lambda order=order: order.begin(candidates, known).choose(BATCH), repeats)
        chooser = order.begin(candidates, known)
        more = time_each(lambda chooser=chooser: chooser.choose(BATCH), repeats)
        print(f"{text:40} cold {cold:6.1f} ms {plain / cold:6.0f} times   warm {warm:6.1f} ms   "
              f"again {more:5.2f} ms")  # fmt: skip


if __name__ == "__main__":
    main()
