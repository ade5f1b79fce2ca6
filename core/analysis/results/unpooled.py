"""Whether the pool is fair to runs that did not contribute: for pages, commands and programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from core.analysis.base.study import Study, runs_of
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, follows_version, version_of
from core.comparison.left_out_runs import (
    LeftOutRuns,
    Progress,
    find_depth,
    leave_out_runs,
    teams_by_prefix,
)
from core.errors import BadInput
from core.measures.base import CondensedMeasure, Measure, Weights
from core.measures.catalogue import parse_measure
from core.numerals import write_number
from core.versions.judgements import Judgements
from core.wording import mark_fact, plain_with_facts

BESIDE = ("AP", "nDCG@10", "bpref", "AP(judged_only=True)", "nDCG(judged_only=True)@10")
"""What stands beside a chosen measure."""

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


def examine_unpooled(
    runs: pd.DataFrame,
    judgements: Judgements,
    measures: Sequence[Measure],
    weights: Weights | None = None,
    *,
    depth: int | None = None,
    teams: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> LeftOutRuns:
    """Score every run as if it, or its team, had not contributed; see `leave_out_runs`.

    Parameters
    ----------
    depth : int, optional
        How far down runs were pooled; when absent, told from how much is judged (`find_depth`).

    Raises
    ------
    BadInput
        The depth cannot be told, a named system has no run, or as `leave_out_runs`.
    """
    if strangers := sorted(set(teams or ()) - set(runs["system"].astype("str"))):
        raise BadInput(f"there is no run of system '{strangers[0]}'", field="teams")
    depth = find_depth(runs, judgements) if depth is None else depth
    if not depth:
        raise BadInput(NO_DEPTH, field="depth")
    return leave_out_runs(runs, judgements, measures, depth, teams, weights, progress=progress)


@follows_version
def unpooled_of(
    study: Study,
    choice: QrelsChoice,
    measures: tuple[str, ...],
    weights: Pairs,
    depth: int,
    letters: int,
    teams: tuple[tuple[str, str], ...],
) -> LeftOutRuns:
    """Return the same of a collection's runs under a version.

    Parameters
    ----------
    depth : int
        0 to tell it from how much is judged.
    letters : int
        By how many characters at its beginning a system tells its team; 0 where each is its own.
    teams : pairs of system and team
        Go before the letters.
    """
    version, runs = version_of(study, choice), runs_of(study)
    systems = [str(one) for one in runs["system"].unique()]
    named = teams_by_prefix(systems, letters) if letters else {}
    return examine_unpooled(
        runs,
        version,
        list(map(parse_measure, measures)),
        dict(weights) or None,
        depth=depth or None,
        teams=named | dict(teams),
    )


def answer_unpooled(found: LeftOutRuns, measure: str) -> str:
    """Return in Markdown what a run would have lost that had not contributed."""
    return plain_with_facts(describe_unpooled(found, measure, mark_fact))


def describe_unpooled(found: LeftOutRuns, measure: str, mark: Callable[[str], str] = str) -> str:
    """Return in a sentence what a run would have lost by a measure.

    Parameters
    ----------
    mark : callable, optional
        Marks the key facts.
    """
    summary = found.summarise()
    row = summary[summary["measure"] == measure].iloc[0]
    alone = found.shares["systems"].eq(1).all()
    who = "that" if alone else "whose team"
    change = _tell_change(row, measure, mark)
    return (
        f"A run {who} had not contributed to the pool {change} on average over "
        f"{row['systems']:,} runs; {_tell_worst(row, mark)}."
    )


def _tell_change(row: "pd.Series[Any]", measure: str, mark: Callable[[str], str]) -> str:
    score, ranks = row["fall"], row["rank_fall"]
    verb = "would lose" if score >= 0 else "would gain"
    same = (score >= 0) == (ranks >= 0)
    moved = f"{write_number(abs(ranks), 1)} ranks"
    first = f"{verb} {mark(f'{write_number(abs(score))} {measure}')}"
    then = "" if same else ("lose " if ranks >= 0 else "gain ")
    return f"{first} and {then}{mark(moved)}"


def _tell_worst(row: "pd.Series[Any]", mark: Callable[[str], str]) -> str:
    ranks = int(row["worst_rank_fall"])
    if ranks <= 0:
        return "no run would fall in rank"
    fallen = f"{ranks:,} rank{'' if ranks == 1 else 's'}"
    return f"at worst {mark(fallen)} ({row['worst_rank_fall_system']})"
