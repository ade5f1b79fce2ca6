"""Sets of topics that a qrels version or its weights may be limited to."""

from core.agreement.topics import split_topics
from core.errors import TooLittleData
from pages.analyse.agreement_topics import rows_by_topic
from pages.shared.live import kept, topics_of
from pages.shared.session import Visit

ALL = "all topics"


def topic_sets(visit: Visit, facet: str) -> dict[str, tuple[str, ...]]:
    """Return the topics of each set by its name; the first stands for all and lists none."""
    return kept(visit, _topic_sets, facet)


def _topic_sets(visit: Visit, facet: str) -> dict[str, tuple[str, ...]]:
    sets: dict[str, tuple[str, ...]] = {}
    try:
        split = split_topics(rows_by_topic(visit, facet))
        sets = {"high-agreement topics": split.high, "low-agreement topics": split.low}
    except TooLittleData:
        pass
    topics = topics_of(visit)
    for kind, ids in topics[topics["type"] != ""].groupby("type")["topic_id"]:
        sets[f"topics of type {kind}"] = tuple(ids)
    return {ALL: (), **{name: ids for name, ids in sets.items() if ids}}
