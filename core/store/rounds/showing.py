"""Rounds that show a machine's levels: whose, who was told, and what was judged beside them."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.collection.records import PAGE
from core.store.events.adjudications import ADJUDICATED
from core.store.events.after_seeing import SHOWN_ITEM
from core.store.events.labels import ANSWERS, Key
from core.store.file.database import Cursor, Rows, fetch, fetch_frame
from core.store.people.roster import MACHINE
from core.store.rounds.label_rounds import join_rounds, read_label_rounds
from core.store.store import Store, utc_now


@dataclass(frozen=True)
class Showing:
    """Which machine's levels a round shows.

    Parameters
    ----------
    round_id, collection_id : str
        The round.
    machine_id : str
        The machine, as an assessor of the collection.
    draw_key : str
        What it is drawn with on which items its level is shown; it never leaves the server.
    called : str
        What assessors are told it is: its model, or else its name.
    is_open : bool
        Whether anything is shown now: the round is open, and the machine a machine still.
    """

    round_id: str
    collection_id: str
    machine_id: str
    draw_key: str
    called: str
    is_open: bool


def insert_showing(cursor: Cursor, round_id: str, machine_id: str, draw_key: str) -> None:
    """Store that a new round shows the levels of a machine."""
    cursor.execute("INSERT INTO machine_rounds VALUES (?, ?, ?)", [round_id, machine_id, draw_key])


_SHOWING = f"""
    SELECT round_id, rounds.collection_id AS collection_id, machine_id, draw_key,
        coalesce(nullif(model, ''), name, machine_id) AS called,
        closed_at IS NULL AND coalesce(kind = '{MACHINE}', false) AS is_open
    FROM machine_rounds JOIN (SELECT round_id, collection_id, closed_at, created_at FROM rounds)
        AS rounds USING (round_id)
    LEFT JOIN (SELECT collection_id, assessor_id AS machine_id, name, kind FROM members) AS members
        USING (collection_id, machine_id)
    LEFT JOIN (SELECT collection_id, assessor_id AS machine_id, model FROM machines) AS machines
        USING (collection_id, machine_id)"""


def find_showing(store: Store, round_id: str) -> Showing | None:
    """Return whose levels a round shows; None where it shows nobody's."""
    rows = fetch(store.cursor(), f"{_SHOWING} WHERE round_id = ?", [round_id])
    return Showing(**rows[0]) if rows else None


def list_showings(store: Store, collection_id: str) -> list[Showing]:
    """Return the rounds of a collection that show a machine's levels, oldest first."""
    sql = f"{_SHOWING} WHERE rounds.collection_id = ? ORDER BY created_at, round_id"
    return [Showing(**row) for row in fetch(store.cursor(), sql, [collection_id])]


_ITEM = "topic_id, document_id, facet, engine"
_ANSWERED = "source = 'judged' AND state IN ('level', 'cannot judge')"
_BESIDE = f"""
    WITH events AS (
        SELECT assessor_id, {_ITEM}, sequence, source, state, counts_as FROM labels
        LEFT JOIN (SELECT facet, level, counts_as FROM levels WHERE collection_id = $1) AS levels
            USING (facet, level)
        WHERE collection_id = $1 AND facet = '{PAGE}' AND occasion = 0 AND NOT stale
            AND source <> '{ADJUDICATED}'),
    own AS (
        SELECT assessor_id, {_ITEM},
            min(sequence) FILTER (WHERE {_ANSWERED}) AS sequence,
            arg_min({{'level': counts_as}}, sequence) FILTER (WHERE {_ANSWERED}) AS given,
            arg_max({{'level': counts_as}}, sequence) AS stands
        FROM events WHERE assessor_id <> $2 GROUP BY ALL),
    machine AS (SELECT {_ITEM}, sequence, counts_as FROM events WHERE assessor_id = $2),
    shown AS (
        SELECT assessor_id, {_ITEM}, true AS told FROM machine_shown
        WHERE collection_id = $1 AND machine_id = $2)
    SELECT own.assessor_id AS assessor_id, own.topic_id AS topic_id,
        own.document_id AS document_id, own.facet AS facet, own.engine AS engine, 0 AS occasion,
        own.sequence AS sequence, given.level::DOUBLE AS first, stands.level::DOUBLE AS last,
        machine.counts_as::DOUBLE AS machine, coalesce(told, false) AS told
    FROM own ASOF JOIN machine ON own.topic_id = machine.topic_id
        AND own.document_id = machine.document_id AND own.facet = machine.facet
        AND own.engine = machine.engine AND own.sequence > machine.sequence
    LEFT JOIN shown ON shown.assessor_id = own.assessor_id AND shown.topic_id = own.topic_id
        AND shown.document_id = own.document_id AND shown.facet = own.facet
        AND shown.engine = own.engine
    WHERE machine.counts_as IS NOT NULL ORDER BY own.sequence"""


def read_beside(store: Store, showing: Showing) -> pd.DataFrame:
    """Return the first and the last label of each page that a machine had judged before.

    Only labels that were first given in the round count; of the machine's that which stood then.

    Returns
    -------
    DataFrame
        assessor_id, topic_id, document_id, sequence (of the first label), first and last (levels
        as counted; NaN where there is none), machine (the machine's), told (whether the assessor
        was told it). In the order in which they were first judged.
    """
    labels = fetch_frame(store.cursor(), _BESIDE, [showing.collection_id, showing.machine_id])
    rounds = read_label_rounds(store, showing.collection_id)
    joined = join_rounds(labels, rounds)
    return joined.loc[
        joined["round_id"] == showing.round_id,
        [
            "assessor_id", "topic_id", "document_id", "sequence", "first", "last",
            "machine",
            "told",
        ],
    ].reset_index(drop=True)  # fmt: skip


_SHOWN_COLUMNS = ("event_id", *SHOWN_ITEM, "machine_id", "level", "shown_at")
_LATEST = """
    SELECT arg_max(event_id, sequence)::VARCHAR FROM labels
    WHERE collection_id = ? AND assessor_id = ? AND topic_id IN (SELECT unnest(?::VARCHAR[]))
    GROUP BY topic_id, document_id, facet, engine"""
"""The last event of each item, history and hidden repeats included."""

_REVEALED = f"""
    SELECT {", ".join(SHOWN_ITEM)}, level FROM machine_shown
    WHERE collection_id = ? AND assessor_id = ? AND machine_id = ?"""


def record_revealed(
    store: Store, collection_id: str, assessor_id: str, machine_id: str, keys: Sequence[Key]
) -> dict[Key, int]:
    """Write down that somebody is told a machine's levels; return what they may be told.

    What they say of these items from now on is marked as said after seeing. Told are items
    with an answer of theirs and a level of the machine; of what was told before the level of
    then. Where the label that stands is not their last event of the item, as a later one came
    too late, nothing is told: that one would pass for said after seeing.
    """
    whose = collection_id, assessor_id
    items = {key: (*whose, *key[:4]) for key in keys}
    with store.labels.hold():
        with store.database.append() as new:
            labels = store.labels.current(*whose)
            levels = store.labels.current(collection_id, machine_id)
            rows = store.database.run(_REVEALED, [*whose, machine_id])
            revealed = {tuple(item): level for *item, level in rows}
            rows = store.database.run(_LATEST, [*whose, [key.topic_id for key in keys]])
            latest, now = {event_id for (event_id,) in rows}, utc_now()
            shown = [
                (label.event_id, *item, machine_id, revealed_level.level, now)
                for key, item in items.items()
                if item not in store.after_seeing.items
                and item not in revealed
                and (label := labels.get(key)) is not None
                and label.state in ANSWERS
                and label.event_id in latest
                and (revealed_level := levels.get(key._replace(assessor_id=machine_id, occasion=0)))
                and revealed_level.level is not None
            ]
            if shown:
                new.append(Rows("machine_shown", _SHOWN_COLUMNS, shown))
        revealed |= {tuple(item): level for _, *item, _, level, _ in shown}
        store.after_seeing.items |= revealed.keys()
    return {key: revealed[item] for key, item in items.items() if item in revealed}
