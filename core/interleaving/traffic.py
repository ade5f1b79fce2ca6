"""Simulated impressions: users who are shown interleaved lists, or one ranking or the other."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.interleaving.base import Method
from core.interleaving.choices import LENGTH
from core.interleaving.outcomes import Outcomes
from core.interleaving.pairs import NOTHING, Floats, Integers, Mask, RankingPair
from core.interleaving.users import Clicks

CLICKS, ABANDONED, FIRST_CLICK = VISIT_MEASURES = ("clicks", "abandonment", "first click")
"""What an A/B test may measure on an impression."""


@dataclass(frozen=True, eq=False)
class Traffic:
    """What users ask for and how they click; each impression is of a topic drawn anew.

    Parameters
    ----------
    pairs : tuple of RankingPair
        The two rankings of each topic, all topics as likely.
    relevance : tuple of array
        For each pair, the level of each document as a share of the highest, in [0, 1]; what is
        not judged has 0.
    user : Clicks
        Who clicks.
    length : int
        How many documents are shown.
    """

    pairs: tuple[RankingPair, ...]
    relevance: tuple[Floats, ...]
    user: Clicks
    length: int = LENGTH

    def __post_init__(self) -> None:
        if len(self.pairs) != len(self.relevance) or not self.pairs:
            raise ValueError("traffic needs topics, and relevance for each of them")


@dataclass(frozen=True, eq=False)
class Visits:
    """Impressions of an A/B test: a coin says which ranking is shown.

    Parameters
    ----------
    arm : array of int, shape (n_impressions,)
        0 for the first ranking, 1 for the second.
    measured : dict of str to array, shape (n_impressions,)
        By what is measured, the higher the better: the number of clicks; 0 with none and 1
        else; and 1/rank of the first click, 0 with none.
    """

    arm: Integers
    measured: dict[str, Floats]


def simulate_interleaving(
    traffic: Traffic, method: Method, impressions: int, rng: np.random.Generator
) -> Outcomes:
    """Draw impressions of interleaved lists, each a session of its own.

    Parameters
    ----------
    traffic, method
        What is asked for, and how lists are made.
    impressions : int
        How many.
    rng : Generator
        What topics, lists and clicks are drawn with.
    """
    won, clicked = np.zeros((impressions, 2)), np.zeros(impressions, dtype=np.bool_)
    for at, row in _draw_topics(traffic, impressions, rng):
        pair = traffic.pairs[at]
        mixed = method.mix(pair, rng, traffic.length, len(row))
        clicks = _click(traffic, at, mixed.document, rng)
        won[row] = method.wins(pair, mixed, clicks)
        clicked[row] = clicks.any(axis=1)
    return Outcomes(np.arange(impressions), won, clicked)


def simulate_visits(traffic: Traffic, impressions: int, rng: np.random.Generator) -> Visits:
    """Draw impressions of an A/B test, each a session of its own.

    Parameters
    ----------
    traffic, impressions, rng
        As for `simulate_interleaving`.
    """
    arm = (rng.random(impressions) < 0.5).astype(np.int64)
    measured = {name: np.zeros(impressions) for name in VISIT_MEASURES}
    for at, row in _draw_topics(traffic, impressions, rng):
        both = np.full((2, traffic.length), NOTHING, dtype=np.int64)
        for shown, ranking in zip(
            both, (traffic.pairs[at].first, traffic.pairs[at].second), strict=True
        ):
            shown[: len(ranking)] = ranking[: traffic.length]
        clicks = _click(traffic, at, both[arm[row]], rng)
        any_click = clicks.any(axis=1)
        measured[CLICKS][row] = clicks.sum(axis=1)
        measured[ABANDONED][row] = any_click
        measured[FIRST_CLICK][row] = any_click / (clicks.argmax(axis=1) + 1)
    return Visits(arm, measured)


def _draw_topics(
    traffic: Traffic, impressions: int, rng: np.random.Generator
) -> Iterator[tuple[int, Integers]]:
    """Yield each topic that is asked for, and which impressions ask for it."""
    topic = rng.integers(len(traffic.pairs), size=impressions)
    order = np.argsort(topic, kind="stable")
    ends = np.searchsorted(topic[order], np.arange(len(traffic.pairs) + 1))
    for at in range(len(traffic.pairs)):
        row = order[ends[at] : ends[at + 1]]
        if len(row):
            yield at, row


def _click(traffic: Traffic, at: int, document: Integers, rng: np.random.Generator) -> Mask:
    relevance = np.where(document >= 0, traffic.relevance[at][document], np.nan)
    return traffic.user.click(relevance, rng)
