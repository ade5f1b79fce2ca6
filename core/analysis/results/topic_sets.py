"""Sets of topics that a qrels version or its weights may be limited to."""

from core.agreement.topics import split_topics
from core.analysis.agreement.between_assessors import rows_by_topic
from core.analysis.base.study import Study, follows_labels, topics_of
from core.errors import TooLittleData

ALL = "all topics"


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
