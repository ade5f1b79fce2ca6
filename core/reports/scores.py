"""How well systems do under one qrels, on each topic and on average: the report of scores."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd

from core.comparison.ties import order_best, tie_close
from core.language.translate import t, tn
from core.measures.base import Measure, Weights
from core.measures.catalogue import parse_measure
from core.measures.evaluate import (
    add_residuals,
    describe_top,
    evaluate,
    has_residual,
    is_geometric,
    mean_scores,
)
from core.measures.ranking import Rankings, compile_rankings
from core.numerals import write_limits, write_number
from core.reports.conditions import ScoredCondition, limit_topics
from core.reports.mean_limits import limit_means, name_limits, tell_skewed_topics
from core.reports.report import JUDGED, Column, Estimated, Report
from core.versions.judgements import Judgements
from core.wording import mark_fact, name_some

if TYPE_CHECKING:
    from core.comparison.tau_limits import Judges

NOTHING_TO_FIND = "nothing judged for this topic counts for the measure"
NO_TOPIC = "no judged topic has anything to find for the measure"
ONE_TOPIC = "one topic has no spread, so the mean has no interval"
GEOMETRIC = "a geometric mean has no interval here"

ALIKE = "all topics have the same score, so nothing tells how far another would differ"

MOST_NAMED = 3
"""Up to how many systems that share the first rank are named."""


@dataclass(frozen=True, eq=False)
class JudgedRuns:
    """Runs against the judgements of one version: what all scores are made from.

    Parameters
    ----------
    rankings : Rankings
        The runs against the judgements.
    name : str
        What the judgements are called; '' where there is nothing to be told apart.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    with_words : callable, optional
        Returns the same with the documents' lengths, which measures of reading time take; without
        it they are in ``rankings`` or not known.
    with_samples : callable, optional
        Returns the same with the pools that samples of were judged, for measures that are
        estimated from them; without it they are in ``rankings`` or there are none.
    """

    rankings: Rankings
    name: str = ""
    weights: Weights | None = None
    with_words: Callable[[], Rankings] | None = None
    with_samples: Callable[[], Rankings] | None = None

    def find_rankings(self, measure: Measure) -> Rankings:
        """Return what a measure is computed from."""
        other = self.with_samples if measure.lack else None
        other = other or (self.with_words if measure.needs_words else None)
        return other() if other else self.rankings

    def score(self, measures: Sequence[Measure], *, empty_topics: bool = False) -> pd.DataFrame:
        """Return the scores of topics that count, by measures that need nothing else.

        See `core.measures.evaluate.evaluate`.
        """
        return evaluate(measures, self.rankings, self.weights, empty_topics=empty_topics)

    @cached_property
    def notes(self) -> Sequence[str]:
        """What runs and judgements do not have in common."""
        gaps = self.rankings.missing().groupby("system", sort=False)["topic_id"]
        missing = [
            f"judged topics without a line of {system}, which score 0: {_count_few([*topics])}"
            for system, topics in gaps
        ]
        unknown = self.rankings.unknown_topics
        left_out = f"topics of the runs without a judgement, left out: {_count_few(unknown)}"
        return (*self.name_note(left_out if unknown else ""), *missing)

    def name_note(self, note: str) -> tuple[str, ...]:
        """Return a note, if it says anything, behind what the judgements are called."""
        return (f"{self.name}: {note}" if self.name else note,) if note else ()


def judge_runs(
    runs: pd.DataFrame,
    judgements: Judgements,
    name: str = "",
    weights: Weights | None = None,
    topics: Collection[str] = (),
) -> JudgedRuns:
    """Return runs against judgements, both on some topics, or on all where none is named.

    Raises
    ------
    TooLittleData, BadInput
        As from ``compile_rankings``.
    """
    if topics:
        runs = runs[runs["topic_id"].isin(list(topics))]
    return JudgedRuns(compile_rankings(runs, judgements.on_topics(topics)), name, weights)


@dataclass(frozen=True)
class ScoresQuestion:
    """What is asked of how well systems do.

    Parameters
    ----------
    measures : tuple of str
        At least one; systems are ordered by the first.
    empty_topics : bool
        Whether topics with nothing to find count as 0.
    """

    measures: tuple[str, ...]
    empty_topics: bool = False


@dataclass(frozen=True, eq=False)
class Scores(Report):
    """How well systems do; ``dissent.evaluate`` makes it.

    Its tables are computed when first asked for: ``means`` and ``by_topic``; ``answer`` is a
    sentence. Limits take topics for what is sampled.
    """

    judged: JudgedRuns
    question: ScoresQuestion

    name: ClassVar[str] = "scores"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "means": Estimated(
            "Mean scores",
            "mean score of this system",
            {
                "measure": Column("measure"),
                "system": Column("system"),
                "value": Column("mean"),
                "residual": Column("residual", "How much higher it may be by what is not judged."),
                "judged": JUDGED,
            },
            across="measure",
            spread=("value", "residual", "judged"),
        ),
        "by_topic": Estimated(
            "Scores by topic",
            "",
            {
                "measure": Column("measure"),
                "system": Column("system"),
                "topic_id": Column("topic"),
                "value": Column("score"),
                "residual": Column("residual", "How much higher it may be by what is not judged."),
                "judged": JUDGED,
            },
            across="measure",
            spread=("value", "residual", "judged"),
        ),
    }

    @property
    def rankings(self) -> Rankings:
        """The runs against the judgements."""
        return self.judged.rankings

    @property
    def parsed(self) -> list[Measure]:
        """The measures that are asked for."""
        return list(dict.fromkeys(map(parse_measure, self.question.measures)))

    @cached_property
    def by_topic(self) -> pd.DataFrame:
        """Scores, also where there is none: the columns of `score_topics`.

        Raises
        ------
        BadInput
            No measure is asked for, a gain lacks a level's weight, or a measure counts documents
            from a level that the scale does not have.
        """
        parts = [
            score_topics(
                rankings, [*own], self.judged.weights, empty_topics=self.question.empty_topics
            )
            for rankings, own in groupby(self.parsed, self.judged.find_rankings)
        ]
        if not parts:
            return score_topics(self.rankings, [])
        return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)

    @cached_property
    def counted(self) -> pd.DataFrame:
        """The scores of topics that count: ``system, topic_id, measure, value, judged``."""
        known = self.by_topic[self.by_topic["value"].notna()].drop(columns=["residual", "reason"])
        return known.reset_index(drop=True)

    @cached_property
    def means(self) -> pd.DataFrame:
        """Means over topics, a row for each measure and system, in the order of the runs.

        ``system, measure, rank, value, low, high, interval, unit, units, residual, judged, topics,
        reason``: ``rank`` is by the measure, equal means sharing one; ``residual`` is the topics'
        mean; ``low, high`` are 95 % limits over topics, by Student's t on the scale of log odds.
        """
        means = average_topics(self.by_topic)
        ranks = [_rank(own, str(name)) for name, own in means.groupby("measure", sort=False)]
        means.insert(2, "rank", pd.concat(ranks))
        means.insert(list(means).index("unit") + 1, "units", means["topics"])
        return means

    @cached_property
    def systems(self) -> list[str]:
        """The systems, best first by the first measure that has scores."""
        first = self.means[self.means["measure"] == self.first_measure]
        greater = parse_measure(self.first_measure).greater_is_better
        best = order_best(first["value"], greater)
        return first["system"].iloc[best].tolist()

    def sort(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Return rows of a table with the systems best first, as people see it."""
        place = {system: at for at, system in enumerate(self.systems)}
        return rows.sort_values(
            "system", key=lambda own: own.map(place), kind="stable", ignore_index=True
        )

    @property
    def side_by_side(self) -> pd.DataFrame:
        """A row for each system, best first: what it has by each measure that has scores.

        ``system``, means by measure, each before its ``residual`` if it has one, judged shares by
        cut-off, ``topics``, by measure where these differ.
        """
        value, judged, residual, topics = (
            self.means.pivot(index="system", columns="measure", values=name)
            for name in ("value", "judged", "residual", "topics")
        )
        present = [str(one) for one in self.parsed if topics[str(one)].any()]
        table = pd.DataFrame(index=value.index)
        for measure in present:
            table[measure] = value[measure]
            if has_residual(measure):
                table[f"residual {measure}"] = residual[measure]
        for measure in present:
            cutoff = parse_measure(measure).cutoff
            table[f"judged@{cutoff}" if cutoff else "judged"] = judged[measure]
        counted = topics[present]
        alike = bool((counted.min(axis=1) == counted.max(axis=1)).all())
        for measure in present[:1] if alike else present:
            table["topics" if alike else f"topics {measure}"] = counted[measure]
        return table.rename_axis(columns=None).loc[self.systems].reset_index()

    @cached_property
    def answer(self) -> str:
        """Which system is best by the first measure that has scores, and how sure its mean is."""
        return f"{self.begin_answer()}."

    @property
    def first_measure(self) -> str:
        """The first measure that has scores, or else the first."""
        known = self.counted if len(self.counted) else self.by_topic
        return str(known["measure"].iloc[0])

    def begin_answer(self, measure: str = "") -> str:
        """Return the answer by a measure without its full stop, for others that go on."""
        means = self.means[self.means["measure"] == (measure or self.first_measure)]
        rows = means[means["rank"].notna()]
        if rows.empty:
            return t("No system has a score: {reason}", reason=means["reason"].iloc[0])
        best = rows[rows["rank"] == rows["rank"].min()]
        first = best.iloc[0]
        limits = "" if pd.isna(first["low"]) else f" {write_limits(first['low'], first['high'])}"
        topics = int(first["topics"])
        facts = {
            "systems": name_systems(best["system"].tolist()),
            "measure": first["measure"],
            "value": f"{mark_fact(write_number(first['value']))}{limits}",
            "topics": tn(topics, "{number} topic", "{number} topics", number=f"{topics:,}"),
        }
        if len(rows) == 1:
            return t("{systems} is the only system: {measure} {value} over {topics}", **facts)
        if len(best) == 1:
            return t("{systems} leads with {measure} {value} over {topics}", **facts)
        return t("{systems} share the first rank with {measure} {value} over {topics}", **facts)

    @property
    def assumptions(self) -> Sequence[str]:
        """What is assumed of the scale, and what runs and judgements do not have in common."""
        top = describe_top(self.parsed, self.rankings)
        return (*self.judged.name_note(top), *self.judged.notes)

    @cached_property
    def notes(self) -> Sequence[str]:
        """The assumptions, whether means are over different topics, and what is left out, and why.

        That is of topics with nothing to find, and of measures without a score. Then, of which
        measures limits hold less often.
        """
        differ = self.judged.name_note(describe_topics(self.by_topic))
        scored = self.by_topic.groupby(["measure", "system"], sort=False)["value"].count()
        without = scored[scored == 0].index.unique("measure")
        reasons = [f"{measure}: {_say_lack(measure)}" for measure in without]
        skewed = [
            note for one in tell_skewed_topics(self.counted) for note in self.judged.name_note(one)
        ]
        return (*self.assumptions, *differ, *self._name_empty(without), *reasons, *skewed)

    def _name_empty(self, without: Collection[str]) -> list[str]:
        """Say which topics have nothing to find for measures that have scores of others."""
        empty = self.by_topic[
            (self.by_topic["reason"] == NOTHING_TO_FIND) & ~self.by_topic["measure"].isin(without)
        ]
        measures: dict[tuple[str, ...], list[str]] = {}
        for measure, topics in empty.groupby("measure", sort=False)["topic_id"]:
            measures.setdefault(tuple(topics.unique()), []).append(str(measure))
        return [
            note
            for topics, own in measures.items()
            for note in self.judged.name_note(
                f"topics with nothing to find for {', '.join(own)}, left out: {_count_few(topics)}"
            )
        ]

    def condition(
        self,
        measure: str,
        facts: Mapping[str, object],
        name: str = "",
        *,
        topic_set: str = "",
        topics: Sequence[str] | None = None,
        judges: Judges | None = None,
    ) -> ScoredCondition:
        """Return the scores by one measure, on some topics, as what systems are compared under.

        Raises
        ------
        TooLittleData
            No topic counts.
        """
        own = self.counted[self.counted["measure"] == measure]
        judged = set(self.rankings.topics)
        return ScoredCondition(
            name,
            limit_topics(own, topics),
            topic_set,
            len(judged if topics is None else judged & {*topics}),
            self.rankings.missing(),
            {**facts, "measure": measure},
            judges or {},
        )

    def _repr_html_(self) -> str:
        return str(self.side_by_side.to_html(index=False, float_format=write_number))


def describe_means(report: Scores, row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a row of ``means`` or ``by_topic`` as JSON has it, what limits rest on in one entry.

    ``topic`` is None of a mean; only measures with a residual have one.
    """
    topic = row.get("topic_id")
    entry = {
        "system": row["system"],
        "measure": row["measure"],
        "topic": topic,
        "value": row["value"],
    }
    if topic is None:
        rank = None if pd.isna(row["rank"]) else int(row["rank"])
        entry |= {"rank": rank, "low": row["low"], "high": row["high"]}
        entry |= {
            "interval": report.describe_interval("means", row),
            "topics": int(row["topics"]),
        }
    if has_residual(row["measure"]):
        entry["residual"] = row["residual"]
    return entry | {"judged": row["judged"]} | ({"reason": row["reason"]} if row["reason"] else {})


def _rank(means: pd.DataFrame, measure: str) -> pd.Series:
    """Return the ranks of the means by one measure; the best has 1, equal ones share theirs."""
    falling = parse_measure(measure).greater_is_better
    tied = pd.Series(tie_close(means["value"]), means.index)
    return tied.rank(ascending=not falling, method="min")


def _count_few(topics: Sequence[str]) -> str:
    return f"{len(topics):,} ({name_some(topics)})"


def name_systems(systems: list[str]) -> str:
    """Return a few names, or how many there are."""
    if len(systems) > MOST_NAMED:
        return mark_fact(t("{number} systems", number=len(systems)))
    *others, last = map(mark_fact, systems)
    return t("{first} and {last}", first=", ".join(others), last=last) if others else last


def score_topics(
    rankings: Rankings,
    measures: Sequence[Measure],
    weights: Weights | None = None,
    *,
    empty_topics: bool = False,
) -> pd.DataFrame:
    """Return the columns of `evaluate`, ``residual`` and ``reason``, also for topics left out.

    The ``value`` and ``residual`` of a topic that does not count are NaN; ``reason`` says why and
    is empty otherwise. ``residual`` is how much higher the score may be because of what is not
    judged; only RBP and INST have one.
    """
    every = evaluate(measures, rankings, weights, empty_topics=empty_topics, undefined=True)
    reason = every["value"].isna().map({True: NOTHING_TO_FIND, False: ""})
    for one in measures:
        if one.lack:
            topics = np.array(rankings.topics)[~one.scorable_topics(rankings)]
            unknown = (every["measure"] == str(one)) & every["topic_id"].isin(topics)
            reason = reason.mask(unknown, one.lack)
    every = add_residuals(every, measures, rankings, weights)
    return every.assign(residual=every["residual"].where(reason == ""), reason=reason)


def describe_topics(scores: pd.DataFrame) -> str:
    """Return a sentence where measures are averaged over different topics; empty otherwise.

    Parameters
    ----------
    scores : DataFrame
        ``topic_id, measure, value`` of each topic; a topic without a value does not count.
    """
    topics = {
        str(measure): frozenset(own.loc[own["value"].notna(), "topic_id"])
        for measure, own in scores.groupby("measure", sort=False)
    }
    if len(set(topics.values())) < 2:
        return ""
    listed = ", ".join(f"{measure} {len(own):,}" for measure, own in topics.items())
    return (
        f"the means are over different topics: {listed}; a topic where a measure has nothing to "
        "find is left out of its mean, so that only means over the same topics can be compared"
    )


def average_topics(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each system's mean over the topics that count, with a 95 % interval.

    Topics are what is sampled: the interval says nothing of other assessors or other documents. It
    is Student's t on the scale of log odds, as in `core.reports.mean_limits.limit_means`: near 0
    and near the highest score topics are skewed, and limits that are symmetric there hold too
    little. Its standard error is s/√(n − 1), which few topics need. A geometric mean has none.

    Parameters
    ----------
    scores : DataFrame
        As `score_topics` or `evaluate` returns it; without ``residual``, there is none.

    Returns
    -------
    DataFrame
        ``system, measure, value, low, high, interval, unit, residual, judged, topics, reason``, a
        row for every system and measure of ``scores``. ``residual`` is the topics' mean, NaN for
        measures without one. ``interval`` names the method, ``unit`` what is sampled. ``reason``
        says why something in the row is NaN.
    """
    counted = scores[scores["value"].notna()]
    spread = counted.groupby(["system", "measure"], sort=False)["value"].agg(["std", "max"])
    means = scores[["system", "measure"]].drop_duplicates()
    means = means.merge(mean_scores(counted), how="left", on=["system", "measure"])
    means = means.join(spread, on=["system", "measure"])
    topics = means["topics"].fillna(0).astype("int64")
    left = counted.assign(residual=counted.get("residual", np.nan))
    residual = left.groupby(["system", "measure"], sort=False)["residual"].mean()
    means = means.join(residual, on=["system", "measure"])
    highest = {one: parse_measure(one).upper_bound for one in means["measure"].unique()}
    value, deviation, best = (means[name].to_numpy(np.float64) for name in ("value", "std", "max"))
    means["low"], means["high"] = limit_means(
        value,
        deviation,
        best,
        np.asarray(topics, dtype=np.float64),
        means["measure"].map(highest).to_numpy(np.float64),
    )
    means["interval"] = means["measure"].map(
        {one: name_limits(bound) for one, bound in highest.items()}
    )
    geometric = means["measure"].map({one: is_geometric(one) for one in means["measure"].unique()})
    geometric = geometric.astype("bool")
    means[["low", "high"]] = means[["low", "high"]].mask(geometric)
    without = means["low"].isna()
    lack = means["measure"].map({one: _say_lack(one) for one in means["measure"].unique()})
    means["reason"] = np.select(
        [topics == 0, geometric, topics == 1, without],
        [lack.astype("str"), GEOMETRIC, ONE_TOPIC, ALIKE],
        "",
    )
    columns = ["system", "measure", "value", "low", "high", "interval", "unit"]
    columns += ["residual", "judged", "topics", "reason"]
    return means.assign(topics=topics, unit="topic")[columns]


def _say_lack(measure: str) -> str:
    """Return why no topic has a score by a measure."""
    lack = parse_measure(measure).lack
    return f"{NO_TOPIC}, or {lack}" if lack else NO_TOPIC
