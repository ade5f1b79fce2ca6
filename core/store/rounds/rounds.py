"""Rounds of judging: their rules, the pool of documents and the slots of assessors."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

import pandas as pd

from core.collection.records import PAGE, PAIR, PANEL, SNIPPET
from core.errors import NotFound
from core.store.file.database import Cursor, fetch, fetch_frame
from core.store.store import Store, utc_now

SNIPPET_THEN_PAGE, SNIPPET_ONLY, PAGE_ONLY = "snippet then page", "snippet only", "page only"
FLOWS = (SNIPPET_THEN_PAGE, SNIPPET_ONLY, PAGE_ONLY)

SIDE_BY_SIDE = {
    "snippets, then pages, side by side": (SNIPPET + PAIR, PAGE + PAIR),
    "snippets side by side": (SNIPPET + PAIR,),
    "pages side by side": (PAGE + PAIR,),
    "systems side by side": (PANEL + PAIR,),
}
"""The flows in which two things are judged against each other, with their facets in order."""


BatchRows = dict[tuple[str, int], list[dict[str, Any]]]
"""Rows by topic and batch."""

WITHDRAWN_THEN = """
    (SELECT withdrawn_runs.collection_id AS collection_id, system AS engine
     FROM withdrawn_runs JOIN rounds USING (collection_id)
     WHERE round_id = $1 AND withdrawn_at <= created_at
         AND coalesce(reinstated_at, TIMESTAMP 'infinity') > created_at)"""
"""The runs that were withdrawn when round $1 was opened: it never shows their snippets."""


@dataclass(frozen=True)
class Round:
    """The rules under which a pool is judged.

    ``judges`` is the exact number of assessors a topic is judged by. ``page_from`` is the
    snippet level from which the page is judged too (None: always). ``batch_size`` is the
    number of documents handed out together (None: the whole topic). After ``due_at`` a judgement
    is late, and counts as before. ``lacking``: only what so many assessors had not labelled yet
    is judged, by as many as were missing of ``judges`` (None: everything, by all of them).
    ``order`` chooses batch by batch what is judged next (None: all is there from the start), at
    most ``budget`` documents (None: the whole pool); a label from ``relevant_from`` says relevant.
    """

    round_id: str
    collection_id: str
    name: str
    judges: int
    flow: str
    page_from: int | None
    depth: int
    batch_size: int | None
    lease_minutes: int
    repeat_share: float
    seed: int
    created_at: datetime
    closed_at: datetime | None
    due_at: datetime | None = None
    lacking: int | None = None
    order: str | None = None
    budget: int | None = None
    relevant_from: int | None = None

    @property
    def judges_snippets(self) -> bool:
        """Whether snippets are judged."""
        return self.flow in (SNIPPET_THEN_PAGE, SNIPPET_ONLY)

    @property
    def judges_pages(self) -> bool:
        """Whether pages are judged."""
        return self.flow in (SNIPPET_THEN_PAGE, PAGE_ONLY)

    @property
    def pair_facets(self) -> tuple[str, ...]:
        """What is judged side by side, in order; nothing in rounds of graded judging."""
        return SIDE_BY_SIDE.get(self.flow, ())


@dataclass(frozen=True)
class Slot:
    """One of the places for assessors at a batch of a topic."""

    round_id: str
    topic_id: str
    batch: int
    slot: int
    assessor_id: str | None
    reserved: bool
    leased_until: datetime | None
    finished_at: datetime | None


_ROUNDS = """
    SELECT rounds.*, judging_order AS "order", budget, relevant_from
    FROM rounds LEFT JOIN round_orders USING (round_id)"""
_OF_ORDER = 3
"""How many of a round's fields are in the table of orders."""


def insert_round(cursor: Cursor, rules: Round) -> None:
    """Store the rules of a new round."""
    values = list(astuple(rules))
    own, of_order = values[:-_OF_ORDER], values[-_OF_ORDER:]
    cursor.execute(f"INSERT INTO rounds VALUES ({', '.join('?' * len(own))})", own)
    if rules.order is not None:
        cursor.execute("INSERT INTO round_orders VALUES (?, ?, ?, ?)", [rules.round_id, *of_order])


def update_closing(cursor: Cursor, round_id: str, closed_at: datetime | None) -> None:
    """Store when a round was closed; None opens it again."""
    cursor.execute("UPDATE rounds SET closed_at = ? WHERE round_id = ?", [closed_at, round_id])


def update_deadline(cursor: Cursor, round_id: str, due_at: datetime | None) -> None:
    """Store until when a round is to be finished; None: there is no such time."""
    cursor.execute("UPDATE rounds SET due_at = ? WHERE round_id = ?", [due_at, round_id])


def insert_pool(cursor: Cursor, round_id: str, pool: pd.DataFrame) -> None:
    """Add topic_id, document_id, batch to a round's pool."""
    cursor.register("incoming", pool[["topic_id", "document_id", "batch"]])
    cursor.execute(
        "INSERT INTO pool SELECT ?, topic_id, document_id, batch FROM incoming", [round_id]
    )
    cursor.unregister("incoming")


def insert_slots(cursor: Cursor, slots: Sequence[Slot], by: str = "") -> None:
    """Add places for assessors; those that are somebody's from the start are recorded so."""
    if slots:
        rows = map(attrgetter(*list(Slot.__dataclass_fields__)[:6]), slots)
        frame = pd.DataFrame(rows, columns=list("abcdef"))
        frame["e"] = frame["e"].astype("object").where(frame["e"].notna(), None)
        cursor.register("incoming", frame)
        cursor.execute("INSERT INTO slots SELECT a, b, c, d, e, f, NULL, NULL FROM incoming")
        cursor.execute(
            """INSERT INTO changes
               SELECT ?, ?, collection_id, 'reserve', concat_ws(' ', 'slot', a, b, c),
                   concat('assessor: none → "', e, '"')
               FROM incoming JOIN rounds ON round_id = a WHERE e IS NOT NULL""",
            [utc_now(), by],
        )
        cursor.unregister("incoming")


def list_rounds(store: Store, collection_id: str) -> list[Round]:
    """Return the rounds of a collection, oldest first."""
    rows = fetch(
        store.cursor(), f"{_ROUNDS} WHERE collection_id = ? ORDER BY created_at", [collection_id]
    )
    return [Round(**row) for row in rows]


def get_round(store: Store, round_id: str) -> Round:
    """Return one round; raises NotFound."""
    rows = fetch(store.cursor(), f"{_ROUNDS} WHERE round_id = ?", [round_id])
    if not rows:
        raise NotFound("There is no such round.")
    return Round(**rows[0])


def read_pool(store: Store, round_id: str) -> pd.DataFrame:
    """Return topic_id, document_id, batch of a round, in the order of the topics."""
    return fetch_frame(
        store.cursor(),
        "SELECT topic_id, document_id, batch FROM pool WHERE round_id = ? "
        "ORDER BY topic_id, batch, document_id",
        [round_id],
    )


def name_slot(round_id: str, topic_id: str, batch: int) -> str:
    """Return what the record of changes calls an assessor's place at a batch."""
    return f"slot {round_id} {topic_id} {batch}"


def read_slots(cursor: Cursor, collection_id: str) -> list[Slot]:
    """Return the slots of all open rounds, in the order of rounds, topics and batches."""
    rows = fetch(
        cursor,
        """SELECT slots.* FROM slots JOIN rounds USING (round_id)
           LEFT JOIN topics ON topics.collection_id = rounds.collection_id
               AND topics.topic_id = slots.topic_id
           WHERE rounds.collection_id = ? AND rounds.closed_at IS NULL
           ORDER BY rounds.created_at, topics.position, topic_id, batch, slot""",
        [collection_id],
    )
    return [Slot(**row) for row in rows]


def read_slot_frame(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the slots of all rounds, closed ones included.

    Columns are round_id, round (its name), topic_id, batch, slot, assessor_id, reserved,
    leased_until, finished_at, judges, closed (whether the round is).
    """
    return fetch_frame(
        store.cursor(),
        """SELECT round_id, rounds.name AS round, slots.topic_id, batch, slot, assessor_id,
               reserved, leased_until, finished_at, judges, closed_at IS NOT NULL AS closed
           FROM slots JOIN rounds USING (round_id) WHERE collection_id = ?""",
        [collection_id],
    )


def update_slot(cursor: Cursor, slot: Slot, holder: str | None) -> None:
    """Store who holds an unfinished slot from now on, and until when.

    Raises
    ------
    RuntimeError
        It is not in the hands of ``holder``, or somebody has finished it.
    """
    rows = cursor.execute(
        """UPDATE slots SET assessor_id = ?, leased_until = ?
           WHERE round_id = ? AND topic_id = ? AND batch = ? AND slot = ?
               AND coalesce(assessor_id, '') = ? AND finished_at IS NULL""",
        [
            slot.assessor_id, slot.leased_until,
            slot.round_id, slot.topic_id, slot.batch, slot.slot,
            holder or "",
        ],
    ).fetchall()  # fmt: skip
    if rows != [(1,)]:
        raise RuntimeError("a place is no longer what it was when it was found")


def update_slots(cursor: Cursor, changes: Sequence[tuple[Slot, Slot]]) -> None:
    """Store what became of unfinished places, together: each as it was, and as it is from now on.

    Raises
    ------
    RuntimeError
        One is not in the hands in which it was, or somebody has finished it.
    """
    if not changes:
        return
    rows = [
        (
            before.round_id, before.topic_id, before.batch, before.slot,
            before.assessor_id or "", after.assessor_id,
            after.leased_until, after.finished_at,
        )
        for before, after in changes
    ]  # fmt: skip
    changed = cursor.execute(
        """UPDATE slots SET assessor_id = one.assessor_id, leased_until = one.leased_until,
               finished_at = one.finished_at
           FROM (SELECT unnest($1::VARCHAR[]) AS round_id, unnest($2::VARCHAR[]) AS topic_id,
                     unnest($3::INTEGER[]) AS batch, unnest($4::INTEGER[]) AS slot,
                     unnest($5::VARCHAR[]) AS holder, unnest($6::VARCHAR[]) AS assessor_id,
                     unnest($7::TIMESTAMP[]) AS leased_until,
                     unnest($8::TIMESTAMP[]) AS finished_at) AS one
           WHERE slots.round_id = one.round_id AND slots.topic_id = one.topic_id
               AND slots.batch = one.batch AND slots.slot = one.slot
               AND coalesce(slots.assessor_id, '') = one.holder AND slots.finished_at IS NULL""",
        [list(column) for column in zip(*rows, strict=True)],
    ).fetchall()
    if changed != [(len(rows),)]:
        raise RuntimeError("a place is no longer what it was when it was found")


def finish_slot(cursor: Cursor, slot: Slot) -> bool:
    """Note when a slot was finished, if it is still in the hands of its holder; tell whether."""
    rows = cursor.execute(
        """UPDATE slots SET finished_at = ?
           WHERE round_id = ? AND topic_id = ? AND batch = ? AND slot = ? AND assessor_id = ?
               AND finished_at IS NULL""",
        [
            slot.finished_at, slot.round_id, slot.topic_id, slot.batch, slot.slot,
            slot.assessor_id,
        ],
    ).fetchall()  # fmt: skip
    return bool(rows == [(1,)])


def read_batch(cursor: Cursor, rules: Round, topic_id: str, batch: int) -> list[dict[str, Any]]:
    """Return the documents of a batch with their texts, by document id."""
    return fetch(
        cursor,
        """SELECT document_id, title, url, text, html FROM pool
           JOIN documents USING (document_id)
           WHERE round_id = ? AND topic_id = ? AND batch = ? AND collection_id = ?
           ORDER BY document_id""",
        [rules.round_id, topic_id, batch, rules.collection_id],
    )


def read_round(cursor: Cursor, rules: Round) -> tuple[BatchRows, BatchRows]:
    """Return the documents and the snippets of all batches, by topic and batch.

    Their rows are those of `read_batch` and `read_snippets`, without what documents and snippets
    say: of text and html, whether there is any.
    """
    whole = [rules.round_id, rules.collection_id]
    documents = fetch(
        cursor,
        """SELECT topic_id, batch, document_id, text <> '' AS text, html <> '' AS html FROM pool
           JOIN documents USING (document_id)
           WHERE round_id = ? AND collection_id = ? ORDER BY document_id""",
        whole,
    )
    found = fetch(
        cursor,
        f"""SELECT topic_id, batch, document_id, engine FROM pool
            JOIN results USING (topic_id, document_id)
            ANTI JOIN {WITHDRAWN_THEN} AS gone USING (collection_id, engine)
            WHERE round_id = $1 AND collection_id = $2 ORDER BY document_id, engine""",
        whole,
    )
    return _by_batch(documents), _by_batch(found)


def _by_batch(rows: list[dict[str, Any]]) -> BatchRows:
    batches: BatchRows = {}
    for row in rows:
        batches.setdefault((row["topic_id"], row["batch"]), []).append(row)
    return batches


def read_snippets(cursor: Cursor, rules: Round, topic_id: str, batch: int) -> list[dict[str, Any]]:
    """Return document_id, engine, snippet of a batch, by document and engine."""
    return fetch(
        cursor,
        f"""SELECT document_id, engine, snippet FROM pool
            JOIN results USING (topic_id, document_id)
            ANTI JOIN {WITHDRAWN_THEN} AS gone USING (collection_id, engine)
            WHERE round_id = $1 AND topic_id = $2 AND batch = $3 AND collection_id = $4
            ORDER BY document_id, engine""",
        [rules.round_id, topic_id, batch, rules.collection_id],
    )
