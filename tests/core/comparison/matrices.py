"""Matrices of scores made for tests."""

import numpy as np

from core.comparison.score_matrix import ScoreMatrix


def matrix_of(values) -> ScoreMatrix:
    """Return them, by topic and system, with names: s0, s1, … in the order given."""
    array = np.array(values, dtype=np.float64)
    return ScoreMatrix(
        systems=tuple(f"s{at}" for at in range(array.shape[1])),
        topics=tuple(f"t{at}" for at in range(array.shape[0])),
        values=array,
    )


def scattered(topics: int, systems: int, seed: int) -> ScoreMatrix:
    """Return random scores; each system is a little worse than the one before."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0.5, 0.2, size=(topics, 1))
    skill = np.linspace(0.15, 0, systems)
    return matrix_of(hard + skill + rng.normal(0, 0.1, size=(topics, systems)))
