"""Small pools whose judgements are all known."""

import numpy as np
import pandas as pd

from core.orders.base import Known, Order
from core.orders.candidates import Candidates, build_candidates

SHARES = np.array([0, 0.25, 0.5, 1])


def make_runs(
    seed: int, topics: int = 3, systems: int = 4, depth: int = 8, documents: int = 20
) -> pd.DataFrame:
    """Return runs over the same documents, of different lengths."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{system}", f"t{topic}", f"d{document:02}", rank)
        for topic in range(topics)
        for system in range(systems)
        for rank, document in enumerate(
            rng.permutation(documents)[: rng.integers(1, depth + 1)], start=1
        )
    ]
    return pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])


def make_pool(seed: int, **sizes: int) -> tuple[Candidates, np.ndarray]:
    """Return a pool, and for each item the share of labels that say relevant."""
    candidates = build_candidates(make_runs(seed, **sizes), 8)
    rng = np.random.default_rng(seed + 1)
    return candidates, rng.choice(SHARES, len(candidates), p=[0.5, 0.1, 0.1, 0.3])


def judge(
    order: Order, candidates: Candidates, relevance: np.ndarray, seed: int = 1, batch: int = 1
) -> list[int]:
    """Return the items in the order in which they are judged, label by label."""
    chooser, judged = order.begin(candidates, seed=seed), []
    while (choice := chooser.choose(batch)) is not None:
        chooser.learn(choice.item, relevance[choice.item])
        judged += choice.item.tolist()
    return judged


def know(choices: list, relevance: np.ndarray) -> Known:
    """Return what is known when all that was chosen has these labels."""
    item = np.concatenate([one.item for one in choices])
    system = np.concatenate([one.system for one in choices])
    return Known(item, system, relevance[item])
