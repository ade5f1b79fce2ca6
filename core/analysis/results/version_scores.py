"""A version's scores by one measure on a set of topics, what they are based on, and such sets."""

from collections.abc import Mapping, Sequence

from core.agreement.topics import split_topics
from core.analysis.agreement.between_assessors import rows_by_topic
from core.analysis.base.declared import declared_of
from core.analysis.base.labels import labels_for
from core.analysis.base.study import Study, follows_labels, topics_of
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, follows_version, version_of
from core.analysis.results.sampled_qrels import explain_unsampled
from core.analysis.results.scores import ask_scores
from core.collection.records import FACETS
from core.comparison.tau_limits import Judges
from core.errors import TooLittleData
from core.reports.compare import CompareQuestion, SystemComparison
from core.reports.conditions import ScoredCondition, name_conditions
from core.store.events.moments import read_moment
from core.versions.combine import PAIR, PREFERENCE
from core.versions.rules import order_labels, select_labels
from core.versions.versions import QrelsVersion

ALL = "all topics"


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
        The version cannot be made, nothing is relevant in it, or the measure is estimated from
        samples and there is none.
    """
    version = version_of(study, choice)
    found = ask_scores(study, choice, (measure,), weights)
    if found.counted.empty and (reasons := explain_unsampled(study, choice, (measure,))):
        raise TooLittleData(" ".join(reasons))
    within = version.on_topics(declared_of(study).topics).on_topics(topics).frame
    facts = {
        "version": choice.name,
        "measure": measure,
        "judged_documents": len(within),
        "labels": version.n_labels,
        "last_event": _number_event(study, version) if choice.rule else None,
        "content_hash": version.content_hash,
    }
    judges = judges_of(study, choice)
    return found.condition(
        measure, facts, choice.name, topic_set=topic_set, topics=topics or None, judges=judges
    )


def compare_versions(
    study: Study,
    choices: Sequence[QrelsChoice],
    measures: Sequence[str],
    question: CompareQuestion,
    weights: Pairs = (),
    sets: Mapping[str, tuple[str, ...]] | None = None,
) -> SystemComparison:
    """Return how systems compare under each version, on each set of topics, by each measure.

    Parameters
    ----------
    sets : mapping of name to topics, optional
        None listed stand for all; only all, without.

    Raises
    ------
    DissentError
        As from `score_version`.
    """
    found = [
        score_version(study, choice, measure, weights, name, topics)
        for choice in choices
        for name, topics in (sets or {ALL: ()}).items()
        for measure in measures
    ]
    return SystemComparison(name_conditions(found), question)


def _number_event(study: Study, version: QrelsVersion) -> int:
    """Return the number of a version's last label event among those of its collection."""
    return read_moment(study.store, study.collection_id, version.last_sequence).number


@follows_version
def judges_of(study: Study, choice: QrelsChoice) -> Judges:
    """Return whose labels made the judgements of each topic; nothing where labels did not."""
    rule = choice.rule
    if rule is None or rule.combine == PREFERENCE:
        return {}
    facets = FACETS if rule.combine == PAIR else (rule.facet,)
    labels = select_labels(order_labels(labels_for(study, rule), None), rule, facets)
    found = labels.groupby("topic_id", observed=True)["assessor_id"].unique()
    return {str(topic): sorted(map(str, names)) for topic, names in found.items()}


@follows_labels
def topic_sets(study: Study, facet: str) -> dict[str, tuple[str, ...]]:
    """Return the topics of each set by its name; the first stands for all and lists none."""
    sets: dict[str, tuple[str, ...]] = {}
    try:
        split = split_topics(rows_by_topic(study, facet))
        sets = {"high-agreement topics": split.high, "low-agreement topics": split.low}
    except TooLittleData:
        pass
    topics = topics_of(study)
    for kind, ids in topics[topics["type"] != ""].groupby("type")["topic_id"]:
        sets[f"topics of type {kind}"] = tuple(ids)
    return {ALL: (), **{name: ids for name, ids in sets.items() if ids}}
