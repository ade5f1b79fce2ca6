"""Preferences for tests: written out, counted, or simulated from known strengths."""

import numpy as np
import pandas as pd

from core.preference.pair_counts import PairCounts

COLUMNS = ("topic_id", "first", "second", "choice", "assessor_id", "left", "occasion", "state")
DEFAULTS = ("1", "a", "b", "first", "x", "", 0, "level")


def preferences(*rows, kind="documents", facet="page"):
    """Return canonical preferences; each row is topic, first, second, choice and perhaps more."""
    full = [(*row, *DEFAULTS[len(row) :]) for row in rows]
    frame = pd.DataFrame(full, columns=COLUMNS)
    texts = [name for name in COLUMNS if name != "occasion"]
    return frame.astype(dict.fromkeys(texts, "str")).assign(
        kind=pd.Series(kind, frame.index, dtype="str"),
        facet=pd.Series(facet, frame.index, dtype="str"),
        strength=0,
    )


def pair_counts(items, wins, ties=None, topics=None):
    """Return pair_counts from tables of wins (row over column) and ties."""
    wins = np.asarray(wins, dtype=float)
    ties = np.zeros_like(wins) if ties is None else np.asarray(ties, dtype=float)
    first, second = np.triu_indices(len(items), 1)
    met = (wins + wins.T + ties)[first, second] > 0
    first, second = first[met], second[met]
    frame = pd.DataFrame(
        {"topic_id": topics or [""] * len(items), "item": list(items)}, dtype="str"
    )
    return PairCounts(
        frame, first, second, wins[first, second], wins[second, first], ties[first, second]
    )


def simulate(n, items, topics, rng, *, assessors=10, ties=0.1, pull=0.0, kind="documents"):
    """Return simulated preferences between items of normal strength, sides put at random.

    ``pull`` is the chance that an assessor chooses the left one whatever it is.
    """
    topic = rng.integers(topics, size=n)
    one = rng.integers(items, size=n)
    other = (one + rng.integers(1, items, size=n)) % items
    first, second = np.minimum(one, other), np.maximum(one, other)
    level = rng.normal(size=(topics, items)) if kind == "documents" else rng.normal(size=(1, items))
    place = topic if kind == "documents" else 0
    odds = level[place, first] - level[place, second]
    is_first = rng.random(n) < 1 / (1 + np.exp(-odds))
    left_is_first = rng.random(n) < 0.5
    is_first = np.where(rng.random(n) < pull, left_is_first, is_first)
    choice = np.where(rng.random(n) < ties, "tie", np.where(is_first, "first", "second"))
    names = np.array([f"d{at:04}" for at in range(items)])
    who = np.array([f"a{at:02}" for at in range(assessors)])[rng.integers(assessors, size=n)]
    left = np.where(left_is_first, names[first], names[second])
    topics_of = [f"t{at:04}" for at in topic]
    rows = zip(topics_of, names[first], names[second], choice, who, left, strict=True)
    facet = "page" if kind == "documents" else "panel"
    return preferences(*rows, kind=kind, facet=facet)
