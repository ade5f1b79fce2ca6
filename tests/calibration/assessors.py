"""Simulated assessors beside labels that are dealt anew: who is found, and what of leaving out."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from core.agreement.assessor_bias import leniency
from core.agreement.assessor_null import DealtScores, compare_with_dealt, leniency_by_chance
from core.agreement.careless_responding import careless_by_chance
from core.agreement.drift import drift
from core.agreement.drifting import find_drifting
from core.agreement.ratings import ratings_from_labels
from core.reports.assessor_chance import LEVEL, list_agreement, list_left_out
from core.reports.groups import read_rule
from core.reports.left_out_rankings import RankingQuestion, rank_without
from tests.calibration.label_models import LEVELS, LabelModel, Levels, label_rows, rate

PEOPLE, SHUFFLES = 8, 99

Found = dict[str, bool]
"""What a study finds of anybody, or of the first assessor, by what is looked for."""

Plant = Callable[[Levels, np.random.Generator], Levels]


def plant_random(levels: Levels, rng: np.random.Generator) -> Levels:
    """Let the first of them answer half of the items at random."""
    guessed = rng.choice(LEVELS, levels.shape[:2])
    is_guessed = rng.random(levels.shape[:2]) < 0.5
    levels[..., 0] = np.where(is_guessed & (levels[..., 0] >= 0), guessed, levels[..., 0])
    return levels


def try_agreement(levels: Levels, everybody: bool) -> Found:
    """Return whether somebody agrees less, and leaving out raises α more, than chance gives.

    The last of those who judge is taken for gold.
    """
    gold = levels[..., PEOPLE].ravel()
    ratings = rate(levels[..., :PEOPLE])
    dealt = DealtScores(ratings, gold, SHUFFLES)
    found = {"mean κ": False, "κ with gold": False, "leaving out": False}
    if not _may_find(dealt):
        return found
    rows = list_agreement(ratings.assessors, dealt)
    whose = rows["beyond"] & (everybody | (rows["assessor_id"] == "a0"))
    for finding, name in (("kappa_mean", "mean κ"), ("gold_kappa", "κ with gold")):
        found[name] = bool(whose[rows["finding"] == finding].any())
    return found | {"leaving out": bool(list_left_out(dealt)["beyond"].any())}


def _may_find(dealt: DealtScores) -> bool:
    """Return whether anything is beyond labels dealt within items: only then the rest is dealt."""
    found, items = dealt.found, dealt.within_items
    least = [
        compare_with_dealt(getattr(found, name), getattr(items, name), -1).p
        for name in ("kappa", "gold")
    ]
    least += [
        compare_with_dealt(found.alpha[[at]], items.alpha[:, [at]], 1).p
        for at in range(1, len(found.alpha))
    ]
    return bool(np.nanmin(np.concatenate(least)) < LEVEL)


ITEMS, SYSTEMS = 12, 10
"""Items of a topic, and systems, where rankings are looked at."""


def try_ranking(levels: Levels, everybody: bool) -> Found:
    """Return whether leaving out moves the ranking of systems more than chance does.

    Systems find relevant documents, and the later ones those at the odd places of a topic.
    """
    levels = levels[:, :ITEMS]
    rng = np.random.default_rng(int(levels.sum()))
    noise = 0.5 * rng.normal(size=(SYSTEMS, *levels.shape[:2]))
    gain = 0.5 * levels.mean(axis=2)[np.newaxis] + noise
    gain += np.arange(SYSTEMS)[:, np.newaxis, np.newaxis] / SYSTEMS * (np.arange(ITEMS) % 2)
    system, topic, item = (at.ravel() for at in np.indices(gain.shape))
    runs = pd.DataFrame(
        {
            "system": [f"s{at}" for at in system],
            "topic_id": [f"t{at:05}" for at in topic],
            "document_id": [f"d{at:02}" for at in item],
            "rank": (-gain).argsort(axis=2).argsort(axis=2).ravel() + 1,
        }
    )
    rows = label_rows(levels)
    ratings = ratings_from_labels(rows, "page", LEVELS)
    dealt = DealtScores(ratings, np.full(len(ratings.items), -1), SHUFFLES)
    rule = read_rule("all, mean", "page")
    scores = RankingQuestion(runs, rule=rule).score(rows, "page", LEVELS[-1])
    return {"ranking": bool(rank_without(dealt, scores, "")["beyond"].any())}


def plant_odd(levels: Levels, rng: np.random.Generator) -> Levels:
    """Let the first of them find what is at the odd places of a topic, and nothing else."""
    levels[..., 0] = np.where(np.arange(levels.shape[1]) % 2, LEVELS[-1], LEVELS[0])
    return levels


def try_lenient(levels: Levels, everybody: bool) -> Found:
    """Return whether somebody is lenient or strict, by both tests."""
    ratings = rate(levels)
    found = leniency(ratings)
    chance = leniency_by_chance(ratings, found["value"].to_numpy(np.float64))
    is_lenient = (found["p"] < LEVEL) & (chance.p < LEVEL)
    return {"leniency": bool(is_lenient.any() if everybody else is_lenient[0])}


def plant_lenient(levels: Levels, rng: np.random.Generator) -> Levels:
    """Let the first of them give a level more on one item of seven."""
    more = rng.random(levels.shape[:2]) < 0.15
    levels[..., 0] = np.minimum(levels[..., 0] + more, LEVELS[-1])
    return levels


def plant_moving(levels: Levels, rng: np.random.Generator) -> Levels:
    """Let the first of them give a level more ever more often, from topic to topic."""
    chance = np.linspace(0, 0.6, len(levels))[:, np.newaxis]
    more = rng.random(levels.shape[:2]) < chance
    levels[..., 0] = np.minimum(levels[..., 0] + more, LEVELS[-1])
    return levels


def try_drift(levels: Levels, everybody: bool) -> Found:
    """Return whether somebody's leniency moves, where all judge topic by topic."""
    rows = label_rows(levels).assign(dwell_ms=0)
    rows = rows.assign(sequence=np.arange(len(rows)))
    found = find_drifting(drift(rows, "page", ratings_from_labels(rows, "page", LEVELS)))
    moving = found["assessor_id"]
    return {"drift": bool(len(moving) if everybody else (moving == "a0").any())}


def draw_noted(model: LabelModel, topics: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return what is noted of labels: how fast each came depends on its item, not on who gave it.

    A level has its button, and few press it twice at one spot.
    """
    rows = label_rows(model.draw(topics, PEOPLE, rng))
    item = rows.groupby(["topic_id", "document_id"]).ngroup().to_numpy()
    ease = rng.normal(size=item.max() + 1)[item]
    shown = 4_000 * np.exp(ease + rng.normal(size=len(rows)))
    spot = 10 * rng.integers(0, 20, (2, len(rows)))
    return rows.assign(
        sequence=np.arange(len(rows)), shown_ms=shown, dwell_ms=shown, x=spot[0], y=spot[1],
        place=rows["level"].astype("float64"),
    )  # fmt: skip


def try_signs(noted: pd.DataFrame, everybody: bool) -> Found:
    """Return whether somebody shows more signs of careless responding than chance gives."""
    found = careless_by_chance(noted, "page", SHUFFLES)
    beyond = found[found["p"] < LEVEL]
    return {"signs": bool(len(beyond) if everybody else (beyond["assessor_id"] == "a0").any())}


def plant_fast(noted: pd.DataFrame) -> pd.DataFrame:
    """Let the first of them answer twice as fast."""
    is_fast = noted["assessor_id"] == "a0"
    half = noted["shown_ms"].where(~is_fast, noted["shown_ms"] / 2)
    return noted.assign(shown_ms=half, dwell_ms=half)
