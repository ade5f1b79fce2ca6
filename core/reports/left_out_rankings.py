"""What leaving out assessors does to the ranking of systems: table and sentence of a report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.assessor_null import FEWEST_SHUFFLES, DealtScores
from core.agreement.intervals import Floats
from core.agreement.ratings import Codes
from core.comparison.assessor_groups import PeopleScores, common_means, refuse_rule
from core.measures.catalogue import parse_measure
from core.numerals import write_limits, write_number
from core.reports.assessor_chance import (
    FEW_TOPICS,
    LEVEL,
    UNKNOWN,
    describe_choices,
    join_p,
    name_left_out,
    try_choices,
    write_corrected,
)
from core.reports.groups import VERSION, read_rule, tau_of
from core.reports.report import Column, Estimated
from core.versions.rules import QrelsRule
from core.wording import count, mark_fact

if TYPE_CHECKING:
    import pandas as pd

NO_RUNS = "there are no runs, so systems are not ranked"

LEFT_OUT_RANKING = Estimated(
    "Leaving out those who agree least with the others: the ranking of systems",
    "",
    {
        "left_out": Column("left out"),
        "tau": Column("Kendall's τ-b", "to the ranking by all labels"),
        "within_items": Column("dealt within items"),
        "within_topics": Column("dealt within topics"),
        "p": Column("p", "that chance moves it as much", write=write_corrected),
        "beyond": Column("beyond chance"),
        "topics": Column("common topics"),
    },
    estimate="",
)


@dataclass(frozen=True, eq=False)
class RankingQuestion:
    """The systems whose ranking is asked for, and how they are scored.

    Parameters
    ----------
    runs : DataFrame, optional
        The systems, if there are any.
    measure : str
        By which they are scored.
    rule : QrelsRule, optional
        How the labels of an item become one level; `core.reports.groups.VERSION`, without.
    gains : mapping of level to weight, optional
        What a measure with ``gain='udm'`` takes.
    topics : collection of str
        The topics that are scored; all, where none is named.
    """

    runs: pd.DataFrame | None = None
    measure: str = "nDCG@10"
    rule: QrelsRule | None = None
    gains: Mapping[int, float] | None = None
    topics: Collection[str] = ()

    @property
    def lack(self) -> str:
        """Why systems cannot be ranked by some of the labels; empty where they can."""
        if self.runs is None or self.runs.empty:
            return NO_RUNS
        if self.rule and (why := refuse_rule(self.rule)):
            return f"the version '{self.rule.name}' cannot be made of some labels, as {why}"
        measure = parse_measure(self.measure)
        if measure.needs_words or measure.lack:
            return f"{measure} needs more than levels"
        return ""

    def score(self, labels: pd.DataFrame, facet: str, top: int) -> PeopleScores | None:
        """Return what scores systems by some of the labels; None where nothing can.

        Parameters
        ----------
        labels : DataFrame
            As for ``qrels_from_labels``, of people only; also of other facets.
        facet : str
            'snippet' or 'page'.
        top : int
            The highest level of the scale.
        """
        if self.runs is None or self.lack:
            return None
        own = labels[labels["facet"] == facet]
        if self.topics:
            own = own[own["topic_id"].isin(list(self.topics))]
        if own.empty:
            return None
        rule = self.rule or read_rule(VERSION, facet)
        return PeopleScores(own, rule, self.runs, parse_measure(self.measure), top, self.gains)

    def describe(self, facet: str) -> str:
        """Return by what systems are scored: "nDCG@10 under 'all, maximum'"."""
        return f"{self.measure} under '{(self.rule or read_rule(VERSION, facet)).name}'"


def rank_without(dealt: DealtScores, scores: PeopleScores | None, lack: str) -> pd.DataFrame:
    """Return what leaving out those who agree least does to the ranking of systems.

    Parameters
    ----------
    dealt : DealtScores
    scores : PeopleScores, optional
        Of the same labels; what ratings do not have of them is never left out.
    lack : str
        Why there are no scores.

    Returns
    -------
    DataFrame
        ``left_out`` (how many)``, tau``: Kendall's τ-b of the ranking by the labels of the others
        to that by all, over the topics that count in both; ``within_items, within_topics``: what it
        comes to where labels are dealt anew and the same number is chosen by the same rule, with
        95 % limits; ``p``: that either dealing moves the ranking as much, the larger one, corrected
        for all rows (Holm), NaN with fewer topics than this takes; ``beyond, topics, reason`` (why
        there is no τ).
    """
    import pandas as pd

    choices = len(dealt.left_out)
    tau, nothing, topics = np.full(choices, np.nan), np.full((1, choices), np.nan), [0] * choices
    items = over = nothing
    if scores is not None and choices:
        ranked = _Rankings(dealt, scores)
        tau, topics = ranked.tau(dealt.ratings.assessor, dealt.found.stays)
        items = ranked.taus(dealt.owners_within_items(), dealt.within_items.stays)
        if not np.isnan(dealt.within_topics.alpha).all():
            over = ranked.taus(dealt.owners_within_topics(), dealt.within_topics.stays)
    by_items, by_topics = (try_choices(tau, one, -1) for one in (items, over))
    p = join_p(by_items, by_topics, dealt.is_over_topics)
    undefined = "one system has no order, and systems that are all alike neither"
    return pd.DataFrame(
        {
            "left_out": np.array(dealt.left_out, dtype=np.int64),
            "tau": tau,
            **describe_choices("within_items", items),
            **describe_choices("within_topics", over),
            "p": p,
            "beyond": p < LEVEL,
            "topics": topics,
            "reason": [lack or (undefined if np.isnan(one) else "") for one in tau],
        }
    )


class _Rankings:
    """Rankings by all labels, and by those of whoever stays."""

    def __init__(self, dealt: DealtScores, scores: PeopleScores) -> None:
        self.scores, self.choices = scores, len(dealt.left_out)
        self.place = scores.find_labels(dealt.ratings)
        self.by_all = scores.score_labels(np.ones(len(self.place), dtype=np.bool_))

    def tau(self, owner: Codes, stays: Codes) -> tuple[Floats, list[int]]:
        """Return τ-b of each choice to all labels, and the topics that count in both."""
        # What the ratings do not have stands last: it stays through all.
        through = np.append(stays[owner], self.choices)[self.place]
        found, topics = np.empty(self.choices), []
        for choice in range(self.choices):
            own = self.scores.score_labels(through > choice)
            one, other, common = common_means(self.by_all, own)
            found[choice] = tau_of(one, other)
            topics.append(common)
        return found, topics

    def taus(self, owners: Iterable[Codes], stays: Codes) -> Floats:
        """Return τ-b by dealing and choice; of as many dealings as must be, as each takes long."""
        dealings = islice(zip(owners, stays, strict=True), FEWEST_SHUFFLES)
        return np.array([self.tau(*one)[0] for one in dealings])


def tell_rankings(rows: pd.DataFrame, systems: int, by: str) -> str:
    """Return what leaving out those who agree least does to the ranking; '' where it is unknown.

    Parameters
    ----------
    rows : DataFrame
        From `rank_without`.
    systems : int
    by : str
        What systems are scored by.
    """
    known = rows[rows["tau"].notna()]
    if known.empty:
        return ""
    shown = known[known["beyond"]]
    chosen = shown if len(shown) else known
    least = chosen[["within_items", "within_topics"]].min(axis=1)
    row = chosen.iloc[(least - chosen["tau"]).to_numpy().argmax()]
    items, topics = (
        f"{write_number(row[name])} {write_limits(row[f'{name}_low'], row[f'{name}_high'])}"
        for name in ("within_items", "within_topics")
    )
    if known["p"].isna().all():
        beside = ""
        more = f"; whether it moves more than by chance {mark_fact(UNKNOWN)}, as {FEW_TOPICS}"
    else:
        verdict = mark_fact("more than" if len(shown) else "not shown to be more than")
        beside = "" if np.isnan(row["within_topics"]) else f", and within topics {topics}"
        more = f", {verdict} this choice moves it by chance"
    who = name_left_out(row["left_out"])
    return (
        f"The ranking of {count(systems, 'system')} by {by} without {who} has "
        f"Kendall's τ-b {write_number(row['tau'])} to that by all labels{more}: where labels "
        f"are dealt anew within items it is {items}{beside}."
    )
