"""Whether the pool is fair to runs that did not contribute: the report of unpooled runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import pandas as pd

from core.comparison.choices import LEFT_OUT_TEST
from core.comparison.left_out_runs import LeftOutRuns, Progress, find_depth, leave_out_runs
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, TooLittleData
from core.measures.base import CondensedMeasure, Measure, Weights
from core.measures.catalogue import parse_measure
from core.numerals import write_number
from core.reports.report import Column, Estimated, Report
from core.versions.judgements import Judgements
from core.wording import mark_fact, name_some

BESIDE = ("AP", "nDCG@10", "bpref", "AP(judged_only=True)", "nDCG(judged_only=True)@10")
"""What stands beside a chosen measure."""

NOT_SAMPLED = (
    "nothing is sampled: figures are of these runs, topics and judgements, and a run of a kind of "
    "its own can lose more"
)
UNTESTED = "on one topic no difference is tested, so that none is significant and none lost"
NOTHING_JUDGED = (
    "no document of the pool is judged, so that a run that is left out can lose nothing; do the "
    "runs belong to these judgements?"
)
NO_DEPTH = (
    "how far down the runs were pooled cannot be told: not even nine in ten of the documents at "
    "rank 1 are judged; say the depth"
)


def condense(measure: Measure) -> Measure | None:
    """Return a measure on condensed lists; None for one that has no such form, or is one."""
    if not isinstance(measure, CondensedMeasure) or measure.judged_only:
        return None
    return replace(measure, judged_only=True)


def list_measures(measure: str) -> tuple[str, ...]:
    """Return a measure, its form on condensed lists, and what stands beside it."""
    chosen = parse_measure(measure)
    condensed = condense(chosen)
    return tuple(dict.fromkeys([str(chosen), *([str(condensed)] if condensed else []), *BESIDE]))


@dataclass(frozen=True)
class UnpooledQuestion:
    """What is asked of runs that had not contributed to the pool.

    Parameters
    ----------
    measures : tuple of str
        What runs are scored by; the answer is by the first.
    depth : int, optional
        How far down runs were pooled; when absent, told from how much is judged (`find_depth`).
    teams : pairs of system and team
        Whose runs are left out together; a system that is not named is a team of its own.
    alpha : float
        A difference is significant when p is below it.
    """

    measures: tuple[str, ...]
    depth: int | None = None
    teams: tuple[tuple[str, str], ...] = ()
    alpha: float = SignificanceTest.alpha

    def __post_init__(self) -> None:
        _ = SignificanceTest(alpha=self.alpha)


@dataclass(frozen=True, eq=False)
class Unpooled(Report):
    """What every run would have lost, had its team not contributed; ``dissent.unpooled`` makes it.

    Its tables are ``summary``, ``falls`` and ``shares``; ``depth`` is how far down runs were
    pooled. Nothing is sampled: the figures are of these runs, topics and judgements, and have no
    limits.

    Parameters
    ----------
    runs : DataFrame
        As for ``compile_rankings``.
    judgements : Judgements
        Levels of several iterations count as the highest.
    question : UnpooledQuestion
        What is asked.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    progress : callable, optional
        Is told the share done.
    """

    runs: pd.DataFrame
    judgements: Judgements
    question: UnpooledQuestion
    weights: Weights | None = None
    progress: Progress | None = None

    name: ClassVar[str] = "unpooled"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "summary": Estimated(
            "All runs",
            "",
            {
                "measure": Column("measure"),
                "fall": Column("mean fall"),
                "rank_fall": Column("mean ranks lost"),
                "worst_fall": Column("worst fall"),
                "worst_fall_system": Column("of", names="nobody"),
                "worst_rank_fall": Column("most ranks lost"),
                "worst_rank_fall_system": Column("by", names="nobody"),
                "lost": Column("significant differences lost"),
                "significant": Column("of"),
            },
        ),
        "falls": Estimated(
            "Scores with and without what only the run's team brought",
            "",
            {
                "system": Column("system"),
                "team": Column("team"),
                "value": Column("score"),
                "without": Column("without"),
                "fall": Column("fall"),
                "rank": Column("rank"),
                "rank_without": Column("without"),
                "rank_fall": Column("ranks lost"),
                "lost": Column("significant differences lost"),
                "significant": Column("of"),
            },
        ),
        "shares": Estimated(
            "Judged documents in the pool of each team",
            "",
            {
                "team": Column("team"),
                "systems": Column("runs"),
                "judged": Column("judged"),
                "alone": Column("brought alone"),
                "share": Column("share alone", percent=True),
                "relevant": Column("relevant"),
                "relevant_alone": Column("relevant, alone"),
            },
        ),
    }

    @cached_property
    def found(self) -> LeftOutRuns:
        """All runs scored without each team in turn.

        Raises
        ------
        BadInput
            The depth cannot be told, a named system has no run, or as `leave_out_runs`.
        TooLittleData
            No document of the pool is judged.
        """
        asked, teams = self.question, dict(self.question.teams)
        if strangers := sorted(set(teams) - set(self.runs["system"].astype("str"))):
            raise BadInput(f"there is no run of system '{strangers[0]}'", field="teams")
        depth = asked.depth
        if depth is None and not (depth := find_depth(self.runs, self.judgements)):
            raise BadInput(NO_DEPTH, field="depth")
        measures = list(map(parse_measure, asked.measures))
        given = self.runs, self.judgements, measures, depth, teams, self.weights
        found = leave_out_runs(*given, alpha=asked.alpha, progress=self.progress)
        if not found.shares["judged"].any():
            raise TooLittleData(NOTHING_JUDGED)
        return found

    @property
    def depth(self) -> int:
        """How far down runs were pooled."""
        return self.found.depth

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The mean and the worst of all runs, a row for each measure: ``LeftOutRuns.summarise``."""
        return self.found.summarise()

    @cached_property
    def falls(self) -> pd.DataFrame:
        """A row for each measure and system, who loses most first: as ``LeftOutRuns`` has it."""
        found = self.found.falls
        place = {name: at for at, name in enumerate(found["measure"].unique())}
        worst_first = found.assign(place=found["measure"].map(place)).sort_values(
            ["place", "rank_fall", "fall"], ascending=[True, False, False], kind="stable"
        )
        return worst_first.drop(columns="place").reset_index(drop=True)

    @cached_property
    def shares(self) -> pd.DataFrame:
        """A row for each team, who brought most alone first: as ``LeftOutRuns`` has it."""
        return self.found.shares.sort_values(
            ["share", "team"], ascending=[False, True], ignore_index=True
        )

    @property
    def notes(self) -> Sequence[str]:
        """What the figures are of, and how differences are tested."""
        tested = f"significant: {LEFT_OUT_TEST}, α = {self.question.alpha:g}"
        is_tested = self.found.falls["topics"].max() > 1
        return NOT_SAMPLED, tested if is_tested else UNTESTED

    @property
    def answer(self) -> str:
        """What a run would have lost by the first measure."""
        return self.answer_by(self.summary["measure"].iloc[0])

    def answer_by(self, measure: str) -> str:
        """Return in a sentence what a run would have lost by one of the measures."""
        row = self.summary[self.summary["measure"] == measure].iloc[0]
        own = self.found.falls[self.found.falls["measure"] == measure]
        who = "that" if self.shares["systems"].eq(1).all() else "whose team"
        return (
            f"A run {who} had not contributed to the pool {_tell_change(row, measure)} on average "
            f"over {row['systems']:,} runs; {_tell_worst(own)}."
        )


def _tell_change(row: pd.Series[Any], measure: str) -> str:
    """Return what happens to the score and to the rank."""
    score = _tell_part(row["fall"], 3, measure)
    ranks = _tell_part(row["rank_fall"], 1, "ranks")
    if score and ranks:
        then = "" if score[0] == ranks[0] else f"{ranks[0]} "
        return f"would {score[0]} {mark_fact(score[1])} and {then}{mark_fact(ranks[1])}"
    if changed := score or ranks:
        kept = "its rank" if score else f"its {measure}"
        return f"would keep {mark_fact(kept)} and {changed[0]} {mark_fact(changed[1])}"
    return f"would keep {mark_fact(f'its {measure} and its rank')}"


_NOTHING = 1e-9


def _tell_part(fall: float, digits: int, unit: str) -> tuple[str, str] | None:
    """Return whether something is lost or gained, and how much; None where it stays."""
    if abs(fall) < _NOTHING:
        return None
    least = 10.0**-digits
    amount = write_number(abs(fall), digits)
    amount = f"under {write_number(least, digits)}" if abs(fall) < least / 2 else amount
    return ("lose" if fall > 0 else "gain"), f"{amount} {unit}"


def _tell_worst(falls: pd.DataFrame) -> str:
    ranks = int(falls["rank_fall"].max())
    if ranks <= 0:
        return "no run would fall in rank"
    fallen = f"{ranks:,} rank{'' if ranks == 1 else 's'}"
    who = name_some(sorted(falls.loc[falls["rank_fall"] == ranks, "system"].astype("str")))
    return f"at worst {mark_fact(fallen)} ({who})"
