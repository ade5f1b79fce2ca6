"""A version's scores by one measure on one set of topics, with what they are based on."""

from core.analysis.base.study import Study
from core.analysis.frames.conditions import ScoredCondition, limit_topics
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, version_of
from core.analysis.results.scores import rankings_of, scores_of
from core.analysis.results.topic_sets import ALL


def score_version(
    study: Study,
    choice: QrelsChoice,
    measure: str,
    weights: Pairs = (),
    topic_set: str = ALL,
    topics: tuple[str, ...] = (),
) -> ScoredCondition:
    """Return the scores of all runs under a version.

    Parameters
    ----------
    study : Study
        The collection.
    choice : QrelsChoice
        The version.
    measure : str
        A measure's text.
    weights : pairs of level and weight, optional
        For the gain ``udm``.
    topic_set, topics : str and tuple of str, optional
        The name of a set of topics, and its topics; none stands for all.

    Raises
    ------
    DissentError
        The version cannot be made, or nothing is relevant in it.
    """
    version = version_of(study, choice)
    scores = limit_topics(scores_of(study, choice, (measure,), weights), topics or None)
    within = version.frame[version.frame["topic_id"].isin(topics)] if topics else version.frame
    rankings = rankings_of(study, choice)
    facts = {
        "version": choice.name,
        "measure": measure,
        "judged_documents": len(within),
        "labels": version.n_labels,
        "last_event": version.last_sequence if choice.rule else None,
        "content_hash": version.content_hash,
    }
    judged = within["topic_id"].nunique()
    return ScoredCondition(choice.name, scores, topic_set, judged, rankings.missing(), facts)
