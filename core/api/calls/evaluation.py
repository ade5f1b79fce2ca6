"""Scores of runs, what differs between systems or falls without them, and what measures tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from core.api.calls.arguments import as_list, judgements_by_name, judgements_from
from core.api.calls.files import warn_of
from core.collection.topics_and_documents.words import add_words
from core.comparison.choices import UNITS
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput
from core.measures.base import Weights
from core.measures.catalogue import parse_measure
from core.measures.choices import DEPTH, GAIN, Average
from core.reports.scores import Scores, ScoresQuestion, judge_runs
from core.versions.judgements import Judgements

if TYPE_CHECKING:
    from core.comparison.tau_limits import Judges
    from core.reports.compare import SystemComparison
    from core.reports.curves import RankingCurves
    from core.reports.informativeness import Informativeness
    from core.reports.unpooled import Unpooled


def evaluate(
    runs: pd.DataFrame,
    qrels: pd.DataFrame,
    measures: str | Sequence[str],
    *,
    scale: Iterable[float] | None = None,
    level: float | None = None,
    weights: Weights | None = None,
    empty_topics: bool = False,
    documents: pd.DataFrame | None = None,
) -> Scores:
    """Score runs against judgements.

    Parameters
    ----------
    runs : DataFrame
        As `read_runs` gives them: ``system, topic_id, document_id, score, rank``.
    qrels : DataFrame
        As `read_qrels` or a store's ``qrels`` gives them: ``topic_id, document_id, level``.
    measures : str or sequence of str
        Such as ``nDCG@10``, ``AP``, ``P(rel=2)@5``, ``nDCG(gain='exp')@10``.
    scale : iterable of numbers, optional
        The levels of the qrels' scale: measures such as ERR depend on the highest, whether it
        occurs or not. Qrels from a store know theirs; of others the highest level that occurs is
        taken, with a warning where it matters.
    level : float, optional
        The level from which documents count as relevant, where a measure's text does not say.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for; see `weights`.
    empty_topics : bool, default False
        Whether topics with nothing to find count as 0.
    documents : DataFrame, optional
        ``document_id, text, html``, as a store's ``documents`` gives them: TBG reckons with their
        lengths, and takes all for equally long without.

    Raises
    ------
    BadInput
        A measure cannot be read, a gain lacks a level's weight, or a level is above the scale.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({
    ...     "system": "bm25", "topic_id": ["t1", "t1", "t2"], "document_id": ["a", "b", "c"],
    ...     "score": [2.0, 1.0, 1.0], "rank": [1, 2, 1],
    ... })
    >>> qrels = pd.DataFrame(
    ...     {"topic_id": ["t1", "t2"], "document_id": ["b", "c"], "level": [1, 1]}
    ... )
    >>> evaluate(runs, qrels, "RR").means[["system", "value", "topics"]]
      system  value  topics
    0   bm25   0.75       2
    """
    given = judgements_from(qrels, scale)
    scores = _score(runs, given, "", as_list(measures), level, weights, documents, empty_topics)
    warn_of(scores.notes, 3)
    return scores


def _score(
    runs: pd.DataFrame,
    judgements: Judgements,
    name: str,
    texts: Sequence[str],
    level: float | None,
    weights: Weights | None,
    documents: pd.DataFrame | None,
    empty_topics: bool = False,
) -> Scores:
    given = {} if level is None else {"rel": level}
    known = runs if documents is None else add_words(runs, documents)
    measures = tuple(str(parse_measure(text, **given)) for text in texts)
    scores = Scores(
        judge_runs(known, judgements, name, weights), ScoresQuestion(measures, empty_topics)
    )
    _ = scores.by_topic  # what cannot be scored is refused here
    return scores


def curves(
    runs: pd.DataFrame,
    qrels: pd.DataFrame,
    measure: str = GAIN,
    *,
    scale: Iterable[float] | None = None,
    level: float = 1,
    depth: int = DEPTH,
    average: Average = "topics",
    weights: Weights | None = None,
) -> RankingCurves:
    """Return precision by recall, and gain by rank.

    Parameters
    ----------
    runs, qrels, scale, weights
        As for `evaluate`.
    measure : str, default 'nDCG'
        Which gain adds up: CG, nCG, DCG or nDCG, with its gain and discount, without a cut-off.
    level : float, default 1
        The level from which a document counts as relevant.
    depth : int, default 20
        The last rank of curves by rank.
    average : {'topics', 'ratio'}
        How nCG and nDCG are averaged: as the mean of the topics' values, or as the mean gain
        divided by the mean ideal, as the textbook does.

    Returns
    -------
    RankingCurves
        ``answer, notes`` and the tables ``eleven_points, ranks, gain, areas``, each also with
        ``_by_topic``, and ``recall_points``.

    Raises
    ------
    BadInput
        The measure has no curve of gain, or a gain lacks a level's weight.
    TooLittleData
        No topic has a relevant document, or one with a gain.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({
    ...     "system": "bm25", "topic_id": "t1", "document_id": ["a", "b"], "rank": [1, 2],
    ... })
    >>> qrels = pd.DataFrame({"topic_id": "t1", "document_id": ["b"], "level": [1]})
    >>> curves(runs, qrels).ranks
      system  rank  recall  value  topics
    0   bm25     1     0.0    0.0       1
    1   bm25     2     1.0    0.5       1
    """
    from core.reports.curves import CurvesQuestion, RankingCurves

    judged = judge_runs(runs, judgements_from(qrels, scale), weights=weights)
    report = RankingCurves(judged, CurvesQuestion(measure, level, depth, average))
    warn_of(report.notes, 3)
    return report


def compare(
    runs: pd.DataFrame,
    qrels: pd.DataFrame | Mapping[str, pd.DataFrame],
    measures: str | Sequence[str],
    *,
    topic_sets: Mapping[str, Sequence[str]] | None = None,
    test: SignificanceTest | None = None,
    tau_unit: str = UNITS[0],
    judges: Mapping[str, Judges] | None = None,
    scale: Iterable[float] | None = None,
    level: float | None = None,
    weights: Weights | None = None,
    common_topics: bool = False,
    documents: pd.DataFrame | None = None,
) -> SystemComparison:
    """Test every two systems, under one condition or several, and compare what comes out.

    Parameters
    ----------
    runs, level, weights, documents
        As for `evaluate`.
    scale : iterable of numbers, optional
        As for `evaluate`; the same for all qrels. Of several that say none, the highest level
        that occurs in any is taken.
    qrels : DataFrame or mapping of str to DataFrame
        One qrels version, or several by name.
    measures : str or sequence of str
        One measure or several, of which more is better.
    topic_sets : mapping of str to topic ids, optional
        Compare on each of these sets of topics.
    test : SignificanceTest, optional
        How to test; by default the single-step randomised max-t test, 10,000 exchanges, α = 0.05.
    tau_unit : str, default 'topic'
        What limits of τ take for the sample: 'topic', 'assessor', 'both', 'system' or
        'hollander-wolfe'.
    judges : mapping of qrels to mapping of topic to assessors, optional
        Who judged each topic, for limits of τ that take assessors for a sample.
    common_topics : bool, default False
        Use only topics that count under all qrels and measures.

    Raises
    ------
    BadInput
        There is nothing to compare, less of a measure is better, or its mean is geometric.
    TooLittleData
        Nothing is relevant under some condition.
    """
    from core.reports.compare import CompareQuestion, SystemComparison
    from core.reports.conditions import name_conditions

    versions = {"qrels": qrels} if isinstance(qrels, pd.DataFrame) else dict(qrels)
    texts = as_list(measures)
    sets: dict[str, Sequence[str] | None] = {**topic_sets} if topic_sets else {"": None}
    found = []
    for version, judgements in judgements_by_name(versions, scale).items():
        scores = _score(runs, judgements, version, texts, level, weights, documents)
        warn_of(scores.assumptions, 3)
        who = (judges or {}).get(version, {})
        for name, topics in sets.items():
            for measure in map(str, scores.parsed):
                if obstacle := parse_measure(measure).obstacle:
                    raise BadInput(obstacle)
                facts = {"qrels": version, "topics": name}
                condition = scores.condition(
                    measure, facts, topic_set=name, topics=topics, judges=who
                )
                found.append(condition)
    question = CompareQuestion(test or SignificanceTest(), tau_unit, common_topics)
    report = SystemComparison(name_conditions(found), question)
    warn_of(report.notes, 3)
    _ = report.comparison
    return report


def informativeness(
    runs: pd.DataFrame,
    qrels: pd.DataFrame,
    measures: str | Sequence[str] = (),
    *,
    depth: int = 10,
    level: float = 1,
    recursion: str = "exact",
    probabilities: pd.DataFrame | None = None,
    most_topics: int | None = None,
    most_systems: int | None = None,
    alpha: float = 0.05,
) -> Informativeness:
    """Infer rankings from measures by maximum entropy, and compare them with what they are.

    Parameters
    ----------
    runs, qrels
        As for `evaluate`.
    measures : str or sequence of str, optional
        Those of Ashkan & Clarke (2011) that fit, without it.
    depth : int, default 10
        How many ranks are looked at (N).
    level : float, default 1
        The level from which a document counts as relevant.
    recursion : {'exact', 'paper'}
        How cascade measures are expected.
    probabilities : DataFrame, optional
        ``topic_id, subtopic_id, probability`` of the intents; equal shares without it.
    most_topics, most_systems : int, optional
        Only so many, of those with the most relevant documents.
    alpha : float, default 0.05
        The errors of two measures differ when p is below it; above 0 and below 1.

    Returns
    -------
    Informativeness
        ``problems, curve_errors, means, inference, statuses`` as frames, ``verdict`` and
        ``answer`` in words.

    Raises
    ------
    BadInput
        A measure has no known expected value, or α is not between 0 and 1.
    TooLittleData
        No ranking has anything relevant.
    """
    from core.informativeness.problem import choose_systems, choose_topics
    from core.informativeness.study import measure_informativeness
    from core.informativeness.targets import suggest_measures
    from core.reports.informativeness import Informativeness

    given = judge_runs(runs, judgements_from(qrels))
    rankings = given.rankings
    warn_of(given.notes, 3)
    study = measure_informativeness(
        rankings,
        as_list(measures) or suggest_measures(len(rankings.intents.names), depth),
        depth=depth,
        level=level,
        recursion=recursion,
        probabilities=probabilities,
        topics=None if most_topics is None else choose_topics(rankings, most_topics, level),
        systems=None if most_systems is None else choose_systems(rankings, most_systems, level),
    )
    return Informativeness(study, tuple(given.notes), alpha)


def unpooled(
    runs: pd.DataFrame,
    qrels: pd.DataFrame,
    measures: str | Sequence[str],
    *,
    scale: Iterable[float] | None = None,
    depth: int | None = None,
    teams: Mapping[str, str] | None = None,
    level: float | None = None,
    weights: Weights | None = None,
    alpha: float = 0.05,
) -> Unpooled:
    """Score every run as if it, or its team, had not contributed to the pool.

    Parameters
    ----------
    runs, qrels, measures, scale, level, weights
        As for `evaluate`.
    depth : int, optional
        How far down the runs were pooled; when absent, the last rank up to which, at every rank,
        nine in ten of the documents shown are judged.
    teams : mapping of system to team, optional
        Whose runs are left out together; a system that it does not name is a team of its own.
    alpha : float, default 0.05
        A difference is significant when p is below it.

    Returns
    -------
    Unpooled
        ``summary, falls, shares, depth`` and ``answer``.

    Raises
    ------
    BadInput
        The depth cannot be told, there is one team only, or a measure cannot be used.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({
    ...     "system": ["s1", "s2"], "topic_id": "t1", "document_id": ["a", "b"], "rank": 1,
    ... })
    >>> qrels = pd.DataFrame({"topic_id": "t1", "document_id": ["a", "b", "c"], "level": 1})
    >>> unpooled(runs, qrels, "R").falls[["system", "value", "without", "rank_fall"]]
      system     value  without  rank_fall
    0     s1  0.333333      0.0          1
    1     s2  0.333333      0.0          1
    """
    from core.reports.unpooled import Unpooled, UnpooledQuestion

    given = {} if level is None else {"rel": level}
    texts = tuple(str(parse_measure(text, **given)) for text in as_list(measures))
    question = UnpooledQuestion(texts, depth, tuple((teams or {}).items()), alpha)
    report = Unpooled(runs, judgements_from(qrels, scale), question, weights)
    _ = report.found
    return report
