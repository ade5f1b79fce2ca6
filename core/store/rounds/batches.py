"""Batches that are judged by fewer than their round asks for: only what is missing there."""

import pandas as pd

from core.store.file.database import Cursor
from core.store.rounds.rounds import Round


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
