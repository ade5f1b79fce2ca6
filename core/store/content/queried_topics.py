"""Labels that name their topic by its query, as books of other tools do."""

import pandas as pd

from core.store.file.database import Cursor


def find_queried_topics(cursor: Cursor, collection_id: str, labels: pd.DataFrame) -> pd.DataFrame:
    """Return labels with topics' ids in place of queries.

    Only where the collection has no topic of that id, and exactly one with that query: white space
    at both ends does not matter.
    """
    rows = cursor.execute(
        """SELECT trim(query), min(topic_id) FROM topics WHERE collection_id = $1
           GROUP BY trim(query) HAVING count(*) = 1
               AND trim(query) NOT IN (SELECT topic_id FROM topics WHERE collection_id = $1)""",
        [collection_id],
    ).fetchall()
    topic_of = dict(rows)
    given = {topic: topic_of.get(topic.strip(), topic) for topic in labels["topic_id"].unique()}
    if all(topic == found for topic, found in given.items()):
        return labels
    return labels.assign(topic_id=labels["topic_id"].map(given).astype("str"))
