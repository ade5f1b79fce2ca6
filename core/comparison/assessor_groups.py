"""Groups of assessors: scores by the labels of some people only, and people dealt anew.

References
----------
Westfall and Young (1993), Resampling-Based Multiple Testing, Wiley: step-down by the largest.
Phipson and Smyth (2010), Statistical Applications in Genetics and Molecular Biology 9(1),
doi:10.2202/1544-6115.1585: what was observed is one of the dealings, so that no p is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from core.agreement.intervals import Floats
from core.agreement.ratings import Codes, Ratings
from core.collection.records import SNIPPET
from core.errors import BadInput
from core.measures.base import Measure, Weights
from core.measures.evaluate import score_rankings
from core.measures.intents import Intents
from core.measures.ranked import Ranked
from core.measures.ranking import compile_rankings
from core.versions.combine import ADJUDICATED, COMBINATIONS, PAIR, PREFERENCE
from core.versions.judgements import Judgements
from core.versions.rules import QrelsRule, order_labels, select_labels
from core.versions.versions import qrels_from_labels, round_to_rule

if TYPE_CHECKING:
    import pandas as pd

Mask = npt.NDArray[np.bool_]
Tell = Callable[[Mask, Mask], Floats]
"""Returns how far two groups of people are apart, each value at least 0; NaN where undefined."""

ROUNDING = 1e-12
"""Distances that differ by less are equal but for rounding."""

_OF_OTHERS = ("sum", ADJUDICATED, PAIR, PREFERENCE)


def refuse_rule(rule: QrelsRule) -> str:
    """Return why a version cannot be made of the labels of one group; '' where it can."""
    if rule.combine in _OF_OTHERS:
        return f"'{rule.combine}' is not of the labels of one group alone"
    if rule.slots or rule.groups:
        return "it takes labels of some slots or groups only"
    return ""


class PeopleScores:
    """Scores of all systems by the labels of any of the people, by one rule and one measure.

    Parameters
    ----------
    labels : DataFrame
        As for ``qrels_from_labels``.
    rule : QrelsRule
        How the labels of an item become one level.
    runs : DataFrame
        As for ``compile_rankings``.
    measure : Measure
        By which systems are scored; it needs nothing but runs and levels.
    top_level : float, optional
        The highest level of the scale.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.

    Attributes
    ----------
    people, systems, topics : tuple of str
        In the order of masks, rows and columns.

    Raises
    ------
    BadInput, TooLittleData
        The rule takes more than labels of one group, the measure more than levels, or there are
        no labels; and as from ``compile_rankings``.
    """

    def __init__(
        self,
        labels: pd.DataFrame,
        rule: QrelsRule,
        runs: pd.DataFrame,
        measure: Measure,
        top_level: float | None = None,
        weights: Weights | None = None,
    ) -> None:
        if why := refuse_rule(rule):
            raise BadInput(f"'{rule.name}' does not do for single groups: {why}", field="version")
        if measure.needs_words or measure.lack:
            raise BadInput(f"{measure} needs more than levels; choose another", field="measure")
        version = qrels_from_labels(labels, rule, None, top_level)
        chosen = select_labels(order_labels(labels, None), rule, [rule.facet])
        names = ["topic_id", "document_id"]
        by = [*names, "engine"] if rule.facet == SNIPPET else names
        items = chosen.groupby(by, observed=True)
        listed = items.size().reset_index()
        pairs = listed.groupby(names, observed=True)
        self._rule, self._measure, self._weights = rule, measure, weights
        self._labels = chosen[["level"]].assign(item=items.ngroup()).reset_index(drop=True)
        self._pair_of_item = pairs.ngroup().to_numpy()
        self._given = chosen[[*by, "assessor_id"]]
        person, people = chosen["assessor_id"].astype("str").factorize(sort=True)
        self._person, self.people = person, tuple(map(str, people))
        frame = pairs.size().reset_index()[names].astype("str").assign(iteration="0")
        # Each pair's number stands where its level will: so it is known what is retrieved where.
        numbered = frame.assign(level=np.arange(len(frame)))
        self._rankings = compile_rankings(
            runs, Judgements(numbered, version.gmax, version.is_gmax_taken)
        )
        self.systems, self.topics = self._rankings.systems, self._rankings.topics
        ideal = self._rankings.ideal
        self._topic = np.empty(len(frame), np.int64)
        self._topic[ideal.level] = ideal.row

    def mask(self, people: set[str]) -> Mask:
        """Return which of the people are among these."""
        return np.array([one in people for one in self.people], dtype=np.bool_)

    def score(self, chosen: Mask) -> Floats:
        """Return scores by the labels of some people, shape (n_systems, n_topics).

        NaN where nothing that they judged in a topic counts for the measure.
        """
        return self.score_labels(chosen[self._person])

    def find_labels(self, ratings: Ratings) -> Codes:
        """Return the position in ratings of each label that counts; −1 where it is not there."""
        import pandas as pd

        keys = [*self._given]
        items = ratings.items.iloc[ratings.item].reset_index(drop=True)
        who = pd.Index(ratings.assessors, dtype="str").take(ratings.assessor)
        there = items.assign(assessor_id=who, at=np.arange(len(ratings.item)))
        own = self._given.astype("object").fillna("").astype("str")
        found = own.merge(there[[*keys, "at"]], on=keys, how="left")["at"]
        return found.fillna(-1).to_numpy(np.int64)

    def score_labels(self, kept: Mask) -> Floats:
        """Return scores as `score` does by some of the labels that count, shape (n_labels,)."""
        level = self._combine(kept)
        judged = ~np.isnan(level)
        if self._rule.whole:
            level = np.where(judged, round_to_rule(self._rule, np.where(judged, level, 0)), -1)
        if (level[judged] == np.floor(level[judged])).all():
            level = np.where(judged, level, -1).astype(np.int32)
        shown = self._rankings.retrieved
        kept = judged[shown.level]
        at = shown.level[kept]
        retrieved = Ranked(shown.rows, shown.row[kept], shown.rank[kept], level[at])
        pair = np.flatnonzero(judged)
        pair = pair[np.lexsort((-level[pair], self._topic[pair]))]
        cells = Ranked(len(self.topics), self._topic[pair], self._topic[pair], level[pair])
        ideal = Ranked(cells.rows, cells.row, cells.ordinal(), cells.level)
        rankings = replace(
            self._rankings,
            retrieved=retrieved,
            ideal=ideal,
            intents=Intents.as_one(retrieved, ideal),
        )
        scores = score_rankings(self._measure, rankings, self._weights)
        return scores.reshape(len(self.systems), len(self.topics))

    def _combine(self, kept: Mask) -> Floats:
        """Return the level of each pair by some of the labels, NaN without one."""
        own = self._labels[kept]
        if self._rule.judges is not None:
            own = own.groupby("item").head(self._rule.judges)
        levels = COMBINATIONS[self._rule.combine](own, ["item"], dict(self._rule.weights)).dropna()
        best = np.full(len(self._topic), -np.inf)
        np.maximum.at(best, self._pair_of_item[levels.index], levels.to_numpy(np.float64))
        return np.where(np.isinf(best), np.nan, best)


def common_means(first: Floats, second: Floats) -> tuple[Floats, Floats, int]:
    """Return the means of two tables of scores over the topics that count in both, and how many.

    Parameters
    ----------
    first, second : array, shape (n_systems, n_topics)
        NaN where a topic does not count; means are NaN where none counts in both.
    """
    common = ~np.isnan(first).any(axis=0) & ~np.isnan(second).any(axis=0)
    if not common.any():
        nothing = np.full(len(first), np.nan)
        return nothing, nothing, 0
    return first[:, common].mean(axis=1), second[:, common].mean(axis=1), int(common.sum())


class Dealt(NamedTuple):
    """How far two groups are apart, and two of the same sizes where people are dealt anew.

    ``observed`` has shape (n_values,), ``drawn`` (n_dealings, n_values); ``least`` is the least p
    that so few people allow.
    """

    observed: Floats
    drawn: Floats
    least: float


def deal_people(
    first: Mask,
    second: Mask,
    tell: Tell,
    samples: int,
    rng: np.random.Generator,
    progress: Callable[[float], None] = lambda _: None,
) -> Dealt:
    """Deal the people of two groups anew to groups of the same sizes, with all their labels.

    Parameters
    ----------
    first, second : array of bool, shape (n_people,)
        Who is in which of them; nobody is in both.
    tell : callable
        How far two groups are apart; nothing else may tell the groups from each other.
    samples : int
        How often they are dealt.
    rng : Generator
        Deals.
    progress : callable, optional
        Told the share done; what it raises ends the work.
    """
    people, size = np.flatnonzero(first | second), int(first.sum())
    observed = tell(first, second)
    drawn, new_labels = np.empty((samples, len(observed))), {first.tobytes(): observed}
    for number in range(samples):
        dealt = rng.permutation(people)
        groups = np.zeros((2, len(first)), dtype=np.bool_)
        groups[0, dealt[:size]] = True
        groups[1, dealt[size:]] = True
        key = groups[0].tobytes()  # few people are soon dealt the same again
        if key not in new_labels:
            new_labels[key] = tell(groups[0], groups[1])
        drawn[number] = new_labels[key]
        progress((number + 1) / samples)
    # Two groups of one size may change places, which tells nothing apart.
    alike = 2 if 2 * size == len(people) else 1
    least = max(1 / (samples + 1), alike / comb(len(people), size))
    return Dealt(observed, drawn, least)


def step_down(observed: Floats, drawn: Floats) -> Floats:
    """Return p of each value: the share of dealings whose largest value is as large, step-down.

    The largest of a dealing is that over those values only that are observed no larger: clearer
    ones were set aside before. What is not defined in a dealing counts as large.

    Parameters
    ----------
    observed : array, shape (n_values,)
        NaN is left out, and has no p.
    drawn : array, shape (n_dealings, n_values)

    Returns
    -------
    array, shape (n_values,)
        In [1/(n_dealings + 1), 1]: the chance of any false finding is held where people are
        exchangeable. The least of them is that of the single-step test of all values.
    """
    p = np.full(len(observed), np.nan)
    known = np.flatnonzero(~np.isnan(observed))
    order = known[np.argsort(observed[known], kind="stable")]
    largest = np.where(np.isnan(drawn), np.inf, drawn)[:, order]
    np.maximum.accumulate(largest, axis=1, out=largest)
    reached = 1 + np.count_nonzero(largest >= observed[order] - ROUNDING, axis=0)
    p[order] = np.maximum.accumulate(reached[::-1])[::-1] / (len(drawn) + 1)
    return p
