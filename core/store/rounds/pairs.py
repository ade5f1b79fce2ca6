"""What is judged side by side: pairs of documents or systems, and what assessors said of them."""

import hashlib
from dataclasses import dataclass

import pandas as pd

from core.collection.records import PAIR
from core.store.events.current_labels import LATEST, SEALED
from core.store.file.database import Cursor, fetch, fetch_frame
from core.store.store import Store

_USUAL_DEPTH = 10

LEFT_FIRST, LEFT_SECOND = "first", "second"
"""What the engine of a label on a pair says: which of the two stood on the left."""

_PREFERENCES = f"""
    WITH current AS (
        SELECT assessor_id, topic_id, document_id, facet, occasion,
            min(sequence) AS sequence, max(sequence) AS latest,
            sum(dwell_ms)::BIGINT AS dwell_ms
        FROM labels
        WHERE collection_id = $1 AND NOT stale AND sequence <= $2
            AND facet LIKE '%{PAIR}' AND ($3 = '' OR assessor_id = $3) AND ($4 OR {SEALED})
        GROUP BY ALL)
    SELECT current.topic_id AS topic_id, current.document_id AS pair_id, pairs.kind AS kind,
        replace(current.facet, '{PAIR}', '') AS facet, pairs.first, pairs.second,
        CASE label.engine WHEN '{LEFT_FIRST}' THEN pairs.first
            WHEN '{LEFT_SECOND}' THEN pairs.second ELSE '' END AS "left",
        label.engine, label.level, label.state, current.assessor_id AS assessor_id,
        current.occasion AS occasion, coalesce(members."group", '') AS "group",
        coalesce(members.name, '') AS assessor, current.sequence AS sequence, label.time,
        current.dwell_ms AS dwell_ms, label.comment, label.source
    FROM current
    JOIN (FROM labels WHERE collection_id = $1) AS label ON label.sequence = current.latest
    JOIN (FROM pairs WHERE collection_id = $1) AS pairs
        ON pairs.topic_id = current.topic_id AND pairs.pair_id = current.document_id
    LEFT JOIN (FROM members WHERE collection_id = $1) AS members
        ON members.assessor_id = current.assessor_id
    ORDER BY current.sequence"""


@dataclass(frozen=True)
class Pair:
    """Two documents of a topic, or two systems' answers to it."""

    topic_id: str
    pair_id: str
    kind: str
    first: str
    second: str


def code_pair(secret: str, topic_id: str, kind: str, first: str, second: str) -> str:
    """Return the id of a pair, which tells an assessor nothing about what is in it."""
    text = "\x1f".join((topic_id, kind, first, second))
    digest = hashlib.blake2b(text.encode(), key=secret.encode()[:64], digest_size=8)
    return f"p-{digest.hexdigest()}"


def name_pairs(secret: str, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return topic_id, pair_id, kind, first, second of some pairs, each once, first < second."""
    ordered = pairs[["first", "second"]]
    named = pairs[["topic_id", "kind"]].assign(
        first=ordered.min(axis=1).astype("str"), second=ordered.max(axis=1).astype("str")
    )
    named = named.drop_duplicates(ignore_index=True)
    codes = [code_pair(secret, *row) for row in named.itertuples(index=False)]
    return named.assign(pair_id=pd.Series(codes, index=named.index, dtype="str"))


def pair_labels(secret: str, preferences: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the pairs that imported preferences are about, and the labels that they are.

    A preference of unknown strength is kept as a slight one.
    """
    ordered = preferences[["first", "second"]]
    rows = preferences.assign(
        first=ordered.min(axis=1).astype("str"), second=ordered.max(axis=1).astype("str")
    )
    named = name_pairs(secret, rows)
    rows = rows.merge(named, on=["topic_id", "kind", "first", "second"], how="left")
    chosen = preferences["first"].where(preferences["choice"] == "first", preferences["second"])
    towards_first = (chosen.to_numpy() == rows["first"]).map({True: 1, False: -1})
    is_swapped = rows["left"] == rows["second"]
    level = towards_first.where(is_swapped, -towards_first) * rows["strength"].clip(lower=1)
    engine = is_swapped.map({True: LEFT_SECOND, False: LEFT_FIRST}).where(rows["left"] != "", "")
    labels = rows.rename(columns={"pair_id": "document_id"}).assign(
        facet=rows["facet"] + PAIR,
        engine=engine.astype("str"),
        level=level.mask(rows["choice"] == "tie", 0).where(rows["state"] == "level"),
    )
    return named, labels


def insert_pairs(cursor: Cursor, collection_id: str, named: pd.DataFrame) -> None:
    """Store pairs; those that are there stay as they are."""
    cursor.register("incoming_pairs", named)
    cursor.execute(
        "INSERT INTO pairs SELECT ?, topic_id, pair_id, kind, first, second FROM incoming_pairs "
        "ON CONFLICT DO NOTHING",
        [collection_id],
    )
    cursor.unregister("incoming_pairs")


def list_pairs(store: Store, collection_id: str, kind: str) -> pd.DataFrame:
    """Return topic_id, pair_id, first, second of each pair of a kind that was ever to be judged."""
    return fetch_frame(
        store.cursor(),
        "SELECT topic_id, pair_id, first, second FROM pairs WHERE collection_id = ? AND kind = ?",
        [collection_id, kind],
    )


def read_pair_batch(
    cursor: Cursor, collection_id: str, round_id: str, topic_id: str, batch: int
) -> list[Pair]:
    """Return the pairs of one batch of a round, by id."""
    rows = fetch(
        cursor,
        """SELECT topic_id, pair_id, kind, first, second FROM pairs
           JOIN (SELECT topic_id, document_id AS pair_id, round_id, batch FROM pool)
               USING (topic_id, pair_id)
           WHERE round_id = ? AND topic_id = ? AND batch = ? AND collection_id = ?
           ORDER BY pair_id""",
        [round_id, topic_id, batch, collection_id],
    )
    return [Pair(**row) for row in rows]


def get_pair(store: Store, collection_id: str, topic_id: str, pair_id: str) -> Pair | None:
    """Return one pair, or nothing."""
    rows = fetch(
        store.cursor(),
        "SELECT topic_id, pair_id, kind, first, second FROM pairs "
        "WHERE collection_id = ? AND topic_id = ? AND pair_id = ?",
        [collection_id, topic_id, pair_id],
    )
    return Pair(**rows[0]) if rows else None


def read_pair_depth(store: Store, collection_id: str, topic_id: str, pair_id: str) -> int:
    """Return how many results of each system were shown of a pair; 10 where no round says so.

    A pair of several rounds has the depth of the last.
    """
    rows = fetch(
        store.cursor(),
        "SELECT depth FROM rounds JOIN pool USING (round_id) "
        "WHERE collection_id = ? AND topic_id = ? AND document_id = ? "
        "ORDER BY created_at DESC LIMIT 1",
        [collection_id, topic_id, pair_id],
    )
    return int(rows[0]["depth"]) if rows else _USUAL_DEPTH


def read_preferences(
    store: Store,
    collection_id: str,
    until: int = LATEST,
    *,
    assessor_id: str = "",
    discussed: bool = False,
) -> pd.DataFrame:
    """Return what was said of pairs, as it stood at an event sequence, in order of judging.

    As for ``read_labels``, what was said after seeing others counts only with ``discussed``.

    Columns are topic_id, pair_id, kind (documents, systems), facet (snippet, page, panel),
    first, second (the two, in order of their names), left (which of them stood there; empty
    where that is not known), choice (first, second, tie; empty without a judgement), strength
    (1 slightly, 2 clearly, 0 otherwise), state, assessor_id, assessor, group, occasion,
    sequence, time, dwell_ms, comment, source.
    """
    values = [collection_id, until, assessor_id, discussed]
    frame = fetch_frame(store.cursor(), _PREFERENCES, values)
    level = frame.pop("level").fillna(0).astype("int64")
    towards_first = level.where(frame.pop("engine") == LEFT_SECOND, -level)
    choice = pd.Series("tie", index=frame.index, dtype="str")
    choice = choice.mask(towards_first > 0, "first").mask(towards_first < 0, "second")
    frame.insert(7, "choice", choice.where(frame["state"] == "level", ""))
    frame.insert(8, "strength", level.abs())
    return frame
