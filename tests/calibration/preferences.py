"""The intervals of preferences, as the product computes them."""

import numpy as np
import pandas as pd

from core.analysis.frames.preferences import PreferenceAnalysis
from core.preference.levels import gain_differences, preference_by_difference, preference_slope
from tests.calibration.coverage import Estimates, Study
from tests.calibration.preference_models import Choices, compare_documents, compare_systems


def _read(table: pd.DataFrame, what: str, names: list[str], value: str) -> Estimates:
    """Return the rows' estimates; an infinite limit is none."""
    numbers = table[[value, "low", "high"]].replace([np.inf, -np.inf], np.nan).to_numpy()
    about = table[names].agg(" – ".join, axis=1)
    return {
        f"{what} {name}": (at, low, high)
        for name, (at, low, high) in zip(about, numbers, strict=True)
    }


def _strengths(choices: Choices) -> Estimates:
    found = PreferenceAnalysis(compare_systems(choices)).strengths()
    return _read(found.frame, "strength of", ["item"], "strength")


def _strengths_with_ties(choices: Choices) -> Estimates:
    found = PreferenceAnalysis(compare_systems(choices)).strengths("davidson")
    return _read(found.frame, "strength (Davidson) of", ["item"], "strength")


def _strengths_of_documents(choices: Choices) -> Estimates:
    found = PreferenceAnalysis(compare_documents(choices)).strengths()
    return _read(found.frame, "strength in a topic of", ["item"], "strength")


def _shares(choices: Choices) -> Estimates:
    outcomes = PreferenceAnalysis(compare_systems(choices)).outcomes
    return _read(outcomes, "win share", ["first", "second"], "share")


def _shares_of_documents(choices: Choices) -> Estimates:
    outcomes = PreferenceAnalysis(compare_documents(choices)).outcomes
    return _read(outcomes, "win share in a topic", ["first", "second"], "share")


def _by_level(choices: Choices) -> Estimates:
    """Levels are 3, 1, 1, 0 from the strongest item to the weakest, in every topic."""
    rows = compare_systems(choices)
    topics = rows["topic_id"].unique()
    gains = pd.DataFrame(
        {
            "topic_id": np.repeat(topics, 4),
            "item": [f"s{at}" for at in range(4)] * len(topics),
            "gain": [3, 1, 1, 0] * len(topics),
        }
    )
    differences = gain_differences(rows, gains)
    table = preference_by_difference(differences)
    table = table[table["over"] > 0].assign(name=lambda rows: rows["over"].map("{:g}".format))
    slope, low, high, _ = preference_slope(differences)
    shares = _read(table, "preferred, levels apart by", ["name"], "share")
    return {**shares, "slope by level": (slope, low, high)}


STUDIES = (
    Study("strengths", 1, _strengths, is_rare=True),
    Study("strengths with ties", 1, _strengths_with_ties, is_rare=True),
    Study("documents' strengths", 1, _strengths_of_documents, is_rare=True),
    Study("shares of wins", 1, _shares, is_rare=True),
    Study("documents' shares", 1, _shares_of_documents),
    Study("preferences by level", 1, _by_level, is_rare=True),
)
"""Topics are what is sampled; within a topic, its assessors."""
