"""Small pools, made up by a rule: better runs show relevant documents further up."""

import numpy as np

from core.orders.candidates import Candidates


def make_pool(
    topics: int = 4, systems: int = 5, depth: int = 8, documents: int = 30, seed: int = 1
) -> tuple[Candidates, np.ndarray]:
    """Return a pool and the level, 0 to 2, of each of its items."""
    rng = np.random.default_rng(seed)
    ranks, levels, topic = [], [], []
    for at in range(topics):
        level = rng.choice(3, documents, p=(0.6, 0.25, 0.15))
        skill = np.linspace(0.2, 1.5, systems)
        score = level[:, np.newaxis] * skill + rng.normal(size=(documents, systems))
        rank = (-score).argsort(axis=0).argsort(axis=0) + 1
        rank[rank > depth] = 0
        kept = (rank > 0).any(axis=1)
        ranks.append(rank[kept])
        levels.append(level[kept])
        topic.append(np.full(kept.sum(), at))
    laid = np.concatenate(ranks).astype(np.uint16)
    names = np.array([f"d{at:03}" for at in range(len(laid))], dtype=object)
    return (
        Candidates(
            tuple(f"t{at}" for at in range(topics)),
            tuple(f"s{at}" for at in range(systems)),
            np.concatenate(topic),
            names,
            laid,
        ),
        np.concatenate(levels).astype(np.float64),
    )


def hide(level: np.ndarray, share: float, seed: int = 1) -> np.ndarray:
    """Return levels of which a random share is not judged."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(len(level)) < share, np.nan, level)
