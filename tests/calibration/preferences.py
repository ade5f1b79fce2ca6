"""The intervals of preferences, as the product computes them."""

from dataclasses import replace

import numpy as np
import pandas as pd

from core.collection.records import SYSTEMS
from core.preference.levels import gain_differences, preference_by_difference, preference_slope
from core.preference.sides import side_bias, swapped_repeats
from core.reports.preferences import PreferenceQuestion, Preferences
from tests.calibration.coverage import (
    SOME_SIZES,
    Coverage,
    Estimates,
    Family,
    Simulate,
    Study,
    count,
    gather,
)
from tests.calibration.preference_models import (
    MODELS,
    Choices,
    compare_documents,
    compare_systems,
)


def _read(table: pd.DataFrame, what: str, names: list[str], value: str) -> Estimates:
    """Return the rows' estimates; an infinite limit is none."""
    numbers = table[[value, "low", "high"]].replace([np.inf, -np.inf], np.nan).to_numpy()
    about = table[names].agg(" – ".join, axis=1)
    return {
        f"{what} {name}": (at, low, high)
        for name, (at, low, high) in zip(about, numbers, strict=True)
    }


def _strengths(choices: Choices) -> Estimates:
    found = Preferences(compare_systems(choices)).strengths
    return _read(found, "strength of", ["item"], "strength")


def _strengths_with_ties(choices: Choices) -> Estimates:
    found = Preferences(compare_systems(choices), PreferenceQuestion("davidson")).strengths
    return _read(found, "strength (Davidson) of", ["item"], "strength")


def _strengths_of_documents(choices: Choices) -> Estimates:
    found = Preferences(compare_documents(choices)).strengths
    return _read(found, "strength in a topic of", ["item"], "strength")


def _shares(choices: Choices) -> Estimates:
    outcomes = Preferences(compare_systems(choices)).outcomes
    return _read(outcomes, "win share", ["first", "second"], "share")


def _shares_of_documents(choices: Choices) -> Estimates:
    outcomes = Preferences(compare_documents(choices)).outcomes
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


OF_ONE_TOPIC = "assessors in one topic"
STUDIES = (
    Study("Strengths", 1, _strengths, is_rare=True),
    Study(
        "Strengths with ties (Davidson)", 1, _strengths_with_ties, is_rare=True, sizes=SOME_SIZES
    ),
    Study("Win shares", 1, _shares, is_rare=True),
    Study("Preferred by difference of levels", 1, _by_level, is_rare=True),
    Study(
        "Strengths in one topic",
        1,
        _strengths_of_documents,
        is_rare=True,
        sampled=OF_ONE_TOPIC,
        sizes=SOME_SIZES,
    ),
    Study(
        "Win shares in one topic", 1, _shares_of_documents, sampled=OF_ONE_TOPIC, sizes=SOME_SIZES
    ),
)


def _simulate_sides(pull: float) -> Simulate:
    """Return what simulates assessors who choose the left with log odds ``pull`` more."""

    def simulate(size: int, studies: int) -> list[Coverage]:
        rng = np.random.default_rng([size, studies])
        shares = 1 / (1 + np.exp(-pull)), 0.8
        rows = choose_sides(size * studies, shares, rng)
        rows["assessor_id"] = [f"a{at // size:05}" for at in range(size * studies)] * 2
        counted = {"left side chosen": side_bias(rows), "same choice again": swapped_repeats(rows)}
        return [
            replace(
                count(table.iloc[1:][["share", "low", "high"]].to_numpy(np.float64), truth),
                what=what,
                model=_tell_pull(pull),
                size=size,
            )
            for (what, table), truth in zip(counted.items(), shares, strict=True)
        ]

    return simulate


def choose_sides(
    number: int, shares: tuple[float, float], rng: np.random.Generator
) -> pd.DataFrame:
    """Return choices of an item put on either side at random, and each once more, swapped."""
    left = np.where(rng.random(number) < 0.5, "x", "y")
    right = np.where(left == "x", "y", "x")
    chosen = np.where(rng.random(number) < shares[0], left, right)
    again = np.where(rng.random(number) < shares[1], chosen, np.where(chosen == "x", "y", "x"))
    once = {
        "topic_id": [f"t{at}" for at in range(number)],
        "kind": SYSTEMS,
        "facet": "panel",
        "first": "x",
        "second": "y",
        "strength": 0,
        "state": "level",
    }
    parts = [
        {**once, "occasion": at, "left": side, "choice": np.where(item == "x", "first", "second")}
        for at, (side, item) in enumerate([(left, chosen), (right, again)])
    ]
    return pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)


def _tell_pull(pull: float) -> str:
    return "either side alike" if not pull else f"log odds of the left {pull:g}"


FAMILIES = (
    *gather(STUDIES, MODELS),
    Family(
        "Left side chosen, same choice again",
        "preferences",
        {_tell_pull(pull): _simulate_sides(pull) for pull in (0, 0.8)},
        (10, 21, 50),
    ),
)
