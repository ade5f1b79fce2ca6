"""Documents that are in the pools of several rounds."""

import pandas as pd

from core.store.file.database import fetch
from core.store.rounds.rounds import SIDE_BY_SIDE
from core.store.store import Store


def count_shared(store: Store, collection_id: str, pool: pd.DataFrame) -> dict[str, int]:
    """Return how many pairs of a planned pool are in each round of graded judging, by its name.

    Rounds that share none are left out; of rounds with the same name the numbers are added.
    """
    cursor = store.cursor()
    cursor.register("planned", pool[["topic_id", "document_id"]])
    rows = fetch(
        cursor,
        """SELECT name, count(*) AS pairs FROM planned
           JOIN pool USING (topic_id, document_id) JOIN rounds USING (round_id)
           WHERE collection_id = ? AND flow NOT IN (SELECT unnest(?))
           GROUP BY name ORDER BY min(created_at)""",
        [collection_id, list(SIDE_BY_SIDE)],
    )
    cursor.unregister("planned")
    return {row["name"]: row["pairs"] for row in rows}
