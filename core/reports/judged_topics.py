"""Scores on topics that people and a machine judged, and on those that only the machine did."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from core.errors import BadInput, TooLittleData
from core.machines.judged_scores import LEAST_HUMAN
from core.measures.base import Measure, Weights
from core.reports.scores import judge_runs
from core.versions.judgements import Judgements
from core.wording import count

_SHOWN = 5
"""So many names a sentence lists."""


@dataclass(frozen=True, eq=False)
class ScoredTopics:
    """Scores of the same systems by people's and by the machine's labels, of all measures.

    Parameters
    ----------
    human, machine : DataFrame
        ``system, topic_id, measure, value``; the machine's also on topics that no person judged.
    judged : frozenset of str
        The topics that both judged.
    notes : list of str
        What was left out, in sentences.
    """

    human: pd.DataFrame
    machine: pd.DataFrame
    judged: frozenset[str]
    notes: list[str]


def score_judged_topics(
    runs: pd.DataFrame,
    human: Judgements,
    machine: pd.DataFrame,
    measures: Sequence[Measure],
    weights: Weights | None = None,
    *,
    empty_topics: bool = False,
) -> ScoredTopics:
    """Score runs by both judges on the topics that some run answers.

    Parameters
    ----------
    runs : DataFrame
    human : Judgements
        As `compile_rankings` takes them.
    machine : DataFrame
        The machine's judgements, on people's scale.
    measures, weights, empty_topics
        As for `core.measures.evaluate.evaluate`.

    Raises
    ------
    BadInput
        No topic is judged by both, or a run answers none of those.
    TooLittleData
        There are fewer than two topics that both judged, or no other that the machine did.
    """
    by_people, by_machine, answered = (
        frozenset(one["topic_id"].astype(str)) for one in (human.frame, machine, runs)
    )
    both, alone = by_people & by_machine & answered, (by_machine - by_people) & answered
    _check_topics(by_people, by_machine, both, alone)
    _check_runs(runs, both)
    by_judge = (
        judge_runs(runs, human.on_same_scale(qrels), weights=weights, topics=topics).score(
            measures, empty_topics=empty_topics
        )
        for qrels, topics in ((human.frame, both), (machine, both | alone))
    )
    people_scores, machine_scores = by_judge
    notes = _describe(by_people - by_machine, "topics that people judged and the machine did not")
    unanswered = by_machine - answered
    notes += _describe(unanswered, "judged topics that no run answers")
    return ScoredTopics(people_scores, machine_scores, both, notes)


def _check_topics(
    by_people: frozenset[str],
    by_machine: frozenset[str],
    both: frozenset[str],
    alone: frozenset[str],
) -> None:
    if not by_people & by_machine:
        raise BadInput(
            "no topic is judged by both people and the machine: people judged "
            f"{_list(by_people)}, the machine {_list(by_machine)}; the machine has to judge the "
            "topics that people did, too"
        )
    if len(both) < LEAST_HUMAN:
        were, are = ("was", "is") if len(both) == 1 else ("were", "are")
        raise TooLittleData(
            f"{count(len(both), 'topic')} {were} judged by people and the machine and {are} "
            "answered by a run; intervals need two at least, and more to be narrow"
        )
    if not alone:
        raise TooLittleData(
            "there is no topic that only the machine judged and a run answers: scores by people's "
            "judgements tell all there is"
        )


def _check_runs(runs: pd.DataFrame, both: frozenset[str]) -> None:
    reached = runs.loc[runs["topic_id"].isin(both), "system"].unique()
    if lacking := sorted(set(runs["system"].unique()) - set(reached)):
        raise BadInput(
            f"{_list(lacking)}: no line for any topic that people judged; leave the run out, or "
            "give the lines",
            field="system",
        )


def _describe(topics: frozenset[str], what: str) -> list[str]:
    return [f"{what}, left out: {len(topics):,} ({_list(topics)})"] if topics else []


def _list(names: Iterable[str]) -> str:
    """Return the first names, and that there are more, or that there is none."""
    ordered = sorted(names) or ["none"]
    return ", ".join(ordered[:_SHOWN]) + (" …" if len(ordered) > _SHOWN else "")
