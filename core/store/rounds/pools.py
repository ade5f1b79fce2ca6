"""What stands in pools of rounds: what is left out, what several have, what lacks labels."""

import pandas as pd

from core.store.file.database import Cursor, fetch
from core.store.rounds.rounds import FLOWS, SIDE_BY_SIDE, SNIPPET_ONLY, Round
from core.store.store import Store


def insert_batch_judges(cursor: Cursor, rules: Round, pool: pd.DataFrame) -> None:
    """Store how many are to judge each batch, where that is not what the round asks for.

    Parameters
    ----------
    pool : DataFrame
        topic_id, batch and, where batches differ, judges.
    """
    if "judges" not in pool:
        return
    batches = pool[["topic_id", "batch", "judges"]].drop_duplicates()
    cursor.register("incoming", batches[batches["judges"] != rules.judges])
    cursor.execute(
        "INSERT INTO batch_judges SELECT ?, topic_id, batch, judges FROM incoming",
        [rules.round_id],
    )
    cursor.unregister("incoming")


def raise_judges(cursor: Cursor, round_id: str, more: int) -> None:
    """Have every batch of a round judged by so many more."""
    cursor.execute("UPDATE rounds SET judges = judges + ? WHERE round_id = ?", [more, round_id])
    cursor.execute(
        "UPDATE batch_judges SET judges = judges + ? WHERE round_id = ?", [more, round_id]
    )


_WITHOUT_TEXT = """
    SELECT topic_id, count(DISTINCT run_lines.document_id) FROM run_lines
    SEMI JOIN (FROM pool WHERE round_id = $2) AS pool USING (topic_id)
    LEFT JOIN (SELECT document_id, text, html FROM documents WHERE collection_id = $1) AS documents
        USING (document_id)
    WHERE collection_id = $1 AND rank <= $3 AND ($4::VARCHAR IS NULL OR topic_id = $4)
        AND system NOT IN (SELECT system FROM withdrawn_runs
            WHERE collection_id = $1 AND reinstated_at IS NULL)
        AND coalesce(text, '') = '' AND coalesce(html, '') = ''
    GROUP BY topic_id"""


def count_without_text(store: Store, rules: Round, topic_id: str | None = None) -> int:
    """Return how many documents a round leaves out of its topics, or of one: no text is stored.

    They are those of the runs of now down to its depth, each once a topic. 0 where no pages are
    judged one at a time.
    """
    if rules.flow not in FLOWS or rules.flow == SNIPPET_ONLY:
        return 0
    values = [rules.collection_id, rules.round_id, rules.depth, topic_id]
    return sum(n for _, n in store.cursor().execute(_WITHOUT_TEXT, values).fetchall())


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
