"""Scores under several conditions, on topics that all count: their tests, and their variance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pandas as pd

from core.errors import TooLittleData

if TYPE_CHECKING:
    from core.comparison.conditions import Condition
    from core.comparison.score_matrix import ScoreMatrix
    from core.comparison.significance_test import SignificanceTest
    from core.comparison.tau_limits import Judges
    from core.comparison.variance import VarianceStudy

Progress = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class ScoredCondition:
    """The scores of systems by one measure, under one qrels version, on one set of topics.

    Parameters
    ----------
    name : str
        What the condition is called.
    scores : DataFrame
        ``system, topic_id, value, judged``.
    topic_set : str
        The name of the set of topics; conditions on different sets have no topics in common.
    judged_topics : int
        How many topics of the set have judgements, whether the measure counts them or not.
    missing : DataFrame
        ``system, topic_id`` of the answers that are not there; they score 0.
    facts : mapping
        What is to be told beside each result.
    judges : mapping of topic to assessors
        Whose labels made the judgements of each topic; empty where nobody knows.
    """

    name: str
    scores: pd.DataFrame
    topic_set: str
    judged_topics: int
    missing: pd.DataFrame
    facts: Mapping[str, object]
    judges: Judges = field(default_factory=dict)

    @property
    def topics(self) -> frozenset[str]:
        """The topics that count."""
        return frozenset(self.scores["topic_id"])

    @property
    def judged(self) -> float:
        """The mean judged share of what the measure looks at."""
        return float(self.scores["judged"].mean())

    @property
    def unanswered(self) -> int:
        """How many pairs of a system and a topic that counts have no answer."""
        return int(self.missing["topic_id"].isin(self.topics).sum())

    @property
    def fingerprint(self) -> str:
        """Tell whether two conditions have the same scores: only these matter to a test."""
        return fingerprint(self.scores)

    def on_topics(self, topics: frozenset[str]) -> ScoredCondition:
        """Return the same on these topics only."""
        kept = self.scores["topic_id"].isin(topics)
        return replace(self, scores=self.scores[kept].reset_index(drop=True))


def fingerprint(scores: pd.DataFrame) -> str:
    """Return a text that two tables share only if they have the same scores."""
    rows = scores[["system", "topic_id", "value"]]
    return f"{pd.util.hash_pandas_object(rows, index=False).sum()}-{len(rows)}"


def limit_topics(scores: pd.DataFrame, topics: Sequence[str] | None) -> pd.DataFrame:
    """Return the scores of some topics, or of all.

    Raises
    ------
    TooLittleData
        None is left.
    """
    if topics is not None:
        scores = scores[scores["topic_id"].isin(topics)]
    if scores.empty:
        raise TooLittleData("nothing is relevant in it.")
    return scores.reset_index(drop=True)


def common_topics(conditions: Sequence[ScoredCondition]) -> list[frozenset[str]]:
    """Return for each condition the topics that all of the same topic set count."""
    return [
        frozenset.intersection(*(one.topics for one in conditions if one.topic_set == own))
        for own in (condition.topic_set for condition in conditions)
    ]


def count_different_topics(conditions: Sequence[ScoredCondition]) -> bool:
    """Tell whether some condition counts a topic that another of its set does not."""
    shared = common_topics(conditions)
    return any(one.topics > common for one, common in zip(conditions, shared, strict=True))


def keep_common_topics(conditions: Sequence[ScoredCondition]) -> list[ScoredCondition]:
    """Return conditions on the topics that all of the same topic set count."""
    shared = common_topics(conditions)
    return [one.on_topics(common) for one, common in zip(conditions, shared, strict=True)]


def name_conditions(
    conditions: Sequence[ScoredCondition], short: Mapping[str, str] | None = None
) -> list[ScoredCondition]:
    """Return conditions named by what tells them apart: qrels, topic set or measure.

    They are named by their qrels where there is but one; ``facts`` have ``qrels`` or ``version``,
    and ``measure``. Qrels with a ``short`` name go by it.
    """
    known = short or {}
    qrels = [str(one.facts.get("qrels", one.facts.get("version"))) for one in conditions]
    parts = [
        (known.get(name, name), one.topic_set, one.facts["measure"])
        for name, one in zip(qrels, conditions, strict=True)
    ]
    differ = [position for position in range(3) if len({part[position] for part in parts}) > 1]
    return [
        replace(one, name=", ".join(str(part[position]) for position in differ or [0]))
        for one, part in zip(conditions, parts, strict=True)
    ]


def tabulate_conditions(conditions: Sequence[ScoredCondition]) -> pd.DataFrame:
    """Return what each condition is based on, a row each.

    ``condition, topic_set, systems, topics, left_out, judged, unanswered`` and its facts:
    ``topics`` count, ``left_out`` are judged and do not count.
    """
    return pd.DataFrame([describe_condition(one) for one in conditions])


def describe_condition(one: ScoredCondition) -> dict[str, object]:
    """Return a row of `tabulate_conditions`."""
    return {
        "condition": one.name,
        **one.facts,
        "topic_set": one.topic_set,
        "systems": one.scores["system"].nunique(),
        "topics": len(one.topics),
        "left_out": one.judged_topics - len(one.topics),
        "judged": one.judged,
        "unanswered": one.unanswered,
    }


def examine_conditions(
    conditions: Sequence[ScoredCondition],
    test: SignificanceTest,
    progress: Progress | None = None,
    examine: Callable[..., Condition] | None = None,
) -> list[Condition]:
    """Test every two systems under each condition.

    Where so many permutations cannot find anything after correction, as many are made as can.
    ``progress`` is told the share done and the condition at work. ``examine`` may keep results.

    Raises
    ------
    BadInput
        More permutations are needed than are made unasked.
    """
    from core.comparison.conditions import examine_condition

    found = []
    for position, one in enumerate(conditions):

        def tell(share: float, position: int = position, name: str = one.name) -> None:
            if progress:
                progress(min((position + share) / len(conditions), 1.0), name)

        sizes = len(one.topics), one.scores["system"].nunique()
        enough = test.raise_samples(*sizes, len(conditions)) if min(sizes) > 1 else test
        examined = (examine or examine_condition)(one.name, one.scores, enough, tell)
        found.append(replace(examined, judges=one.judges))
    return found


@dataclass(frozen=True, eq=False)
class SplitVariance:
    """A study of variance, and the conditions whose scores it splits."""

    conditions: tuple[str, ...]
    study: VarianceStudy


def split_variances(
    scored: Sequence[ScoredCondition], conditions: Sequence[Condition]
) -> list[SplitVariance]:
    """Split the variance of the scores under each condition, of versions together.

    Parameters
    ----------
    scored : sequence of ScoredCondition
        With the measure among their facts.
    conditions : sequence of Condition
        The same conditions, tested; those with too little to test are left out.

    Returns
    -------
    list of SplitVariance
        One for all conditions with the same measure and topics.
    """
    from core.comparison.variance import study_variance

    groups: dict[object, list[tuple[str, ScoreMatrix]]] = {}
    for one, tested in zip(scored, conditions, strict=True):
        if tested.matrix is not None:
            key = one.facts["measure"], one.topic_set, tested.matrix.topics
            groups.setdefault(key, []).append((tested.name, tested.matrix))
    return [
        SplitVariance(tuple(name for name, _ in group), study_variance([one for _, one in group]))
        for group in groups.values()
    ]
