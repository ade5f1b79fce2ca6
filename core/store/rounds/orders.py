"""Rounds that an order chooses the items of: from what, how far they are, what was chosen when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import pandas as pd

from core.collection.records import PAGE, SNIPPET
from core.store.events.adjudications import ADJUDICATED
from core.store.file.database import Cursor, Rows, fetch, fetch_frame, write_insert
from core.store.people.roster import PERSON
from core.store.rounds.rounds import Round, Slot
from core.store.store import Store


@dataclass(frozen=True)
class OrderState:
    """How far the choosing of a round is.

    Parameters
    ----------
    candidates, chosen : int
        How many documents can be chosen, and how many have been.
    budget : int or None
        The most that are chosen; None for all.
    """

    candidates: int
    chosen: int
    budget: int | None

    @property
    def wanted(self) -> int:
        """How many documents will have been chosen in the end."""
        most = self.candidates if self.budget is None else min(self.budget, self.candidates)
        return max(most, self.chosen)

    @property
    def left(self) -> int:
        """How many documents will still be chosen."""
        return self.wanted - self.chosen


_STATES = """
    SELECT round_id, budget, coalesce(candidates, 0) AS candidates, coalesce(chosen, 0) AS chosen
    FROM round_orders JOIN (SELECT round_id, collection_id FROM rounds) AS rounds USING (round_id)
    LEFT JOIN (SELECT round_id, count(*) AS candidates FROM round_candidates GROUP BY ALL)
        AS of_pool USING (round_id)
    LEFT JOIN (SELECT round_id, count(*) AS chosen FROM chosen_items GROUP BY ALL)
        AS so_far USING (round_id)
    WHERE collection_id = ?"""


def read_order_states(cursor: Cursor, collection_id: str) -> dict[str, OrderState]:
    """Return how far the choosing is, by round; only of rounds with an order."""
    return {
        row["round_id"]: OrderState(row["candidates"], row["chosen"], row["budget"])
        for row in fetch(cursor, _STATES, [collection_id])
    }


def find_order_state(cursor: Cursor, round_id: str) -> OrderState | None:
    """Return how far the choosing of a round is; None for a round without an order."""
    rows = fetch(
        cursor,
        """SELECT budget,
               (SELECT count(*) FROM round_candidates WHERE round_id = $1) AS candidates,
               (SELECT count(*) FROM chosen_items WHERE round_id = $1) AS chosen
           FROM round_orders WHERE round_id = $1""",
        [round_id],
    )
    if not rows:
        return None
    return OrderState(rows[0]["candidates"], rows[0]["chosen"], rows[0]["budget"])


def insert_candidates(cursor: Cursor, round_id: str, pool: pd.DataFrame) -> None:
    """Add topic_id, document_id to what the order of a round can choose."""
    cursor.register("incoming", pool[["topic_id", "document_id"]])
    cursor.execute(
        "INSERT INTO round_candidates SELECT ?, topic_id, document_id FROM incoming", [round_id]
    )
    cursor.unregister("incoming")


def insert_systems(cursor: Cursor, rules: Round) -> int:
    """Have a round go by the ranks of every run that counts now; returns how many are new."""
    rows = cursor.execute(
        """INSERT INTO round_systems
           SELECT DISTINCT $1, system FROM run_lines WHERE collection_id = $2
               AND system NOT IN (SELECT system FROM withdrawn_runs
                   WHERE collection_id = $2 AND reinstated_at IS NULL)
               AND system NOT IN (SELECT system FROM round_systems WHERE round_id = $1)""",
        [rules.round_id, rules.collection_id],
    ).fetchall()
    return int(rows[0][0])


def update_order(cursor: Cursor, round_id: str, order: str, budget: int | None) -> None:
    """Store what chooses from now on, and how much at most."""
    cursor.execute(
        "UPDATE round_orders SET judging_order = ?, budget = ? WHERE round_id = ?",
        [order, budget, round_id],
    )


def read_candidates(cursor: Cursor, round_id: str) -> pd.DataFrame:
    """Return topic_id, document_id of what the order of a round can choose."""
    return fetch_frame(
        cursor,
        "SELECT topic_id, document_id FROM round_candidates WHERE round_id = ? ORDER BY ALL",
        [round_id],
    )


def read_candidate_runs(cursor: Cursor, rules: Round) -> pd.DataFrame:
    """Return system, topic_id, document_id, rank of the candidates of a round.

    The runs are those that counted when the round was opened or last topped up: one that is
    withdrawn later goes on saying where its documents stand.
    """
    return fetch_frame(
        cursor,
        """SELECT system, topic_id, document_id, rank FROM run_lines
           SEMI JOIN (FROM round_systems WHERE round_id = $1) AS systems USING (system)
           SEMI JOIN (FROM round_candidates WHERE round_id = $1) AS candidates
               USING (topic_id, document_id)
           WHERE collection_id = $2 AND rank <= $3""",
        [rules.round_id, rules.collection_id, rules.depth],
    )


@dataclass(frozen=True)
class ChoosingState:
    """What the choosing of a round rests on at a moment; as long as it stays, so does the rest.

    Parameters
    ----------
    state : OrderState
        How far the choosing is.
    systems : int
        By how many runs it goes.
    last : tuple of str
        Topic and document of what was chosen last; empty before the first.
    sequence : int
        The last label event of the collection; -1 before the first.
    counts_as : mapping
        What each level counts as, by facet and level.
    left_out : frozenset of str
        Members whose labels do not count: machines and gold.
    """

    state: OrderState
    systems: int
    last: tuple[str, str]
    sequence: int
    counts_as: Mapping[tuple[str, int], int]
    left_out: frozenset[str]


_UNCHOSEN = """
    SELECT round_id, topic_id FROM round_candidates
    JOIN (FROM round_orders WHERE (SELECT count(*) FROM chosen_items
              WHERE chosen_items.round_id = round_orders.round_id)
              < coalesce(budget, 2147483647)) AS going_on USING (round_id)
    JOIN (SELECT round_id FROM rounds WHERE collection_id = $collection AND closed_at IS NULL)
        AS still_open USING (round_id)
    ANTI JOIN chosen_items USING (round_id, topic_id, document_id)"""

UNCHOSEN = f"SELECT DISTINCT round_id, topic_id FROM ({_UNCHOSEN})"
"""The topics of open rounds of $collection of which an order may choose more."""


def read_unchosen_topics(cursor: Cursor, collection_id: str) -> set[str]:
    """Return the topics of which the order of an open round may choose more."""
    return {row["topic_id"] for row in fetch(cursor, UNCHOSEN, {"collection": collection_id})}


_STANDING = """
    SELECT budget, candidates, systems, chosen, last.topic_id, last.document_id,
        (SELECT coalesce(max(sequence), -1) FROM labels WHERE collection_id = $2) AS sequence,
        (SELECT list((facet, level, counts_as)) FROM levels WHERE collection_id = $2) AS levels,
        (SELECT list(assessor_id) FROM members WHERE collection_id = $2 AND kind <> $3) AS others
    FROM round_orders,
        (SELECT count(*) AS candidates FROM round_candidates WHERE round_id = $1),
        (SELECT count(*) AS systems FROM round_systems WHERE round_id = $1),
        (SELECT count(*) AS chosen,
             arg_max({'topic_id': topic_id, 'document_id': document_id}, place) AS last
         FROM chosen_items WHERE round_id = $1)
    WHERE round_id = $1"""


def read_standing(cursor: Cursor, rules: Round) -> ChoosingState | None:
    """Return what the choosing of a round rests on now; None for a round without an order."""
    rows = cursor.execute(_STANDING, [rules.round_id, rules.collection_id, PERSON]).fetchall()
    if not rows:
        return None
    ((budget, candidates, systems, chosen, topic_id, document_id, sequence, levels, others),) = rows
    return ChoosingState(
        OrderState(candidates, chosen, budget),
        systems,
        (topic_id or "", document_id or ""),
        sequence,
        {(facet, level): counts_as for facet, level, counts_as in levels or ()},
        frozenset(others or ()),
    )


def read_chosen(cursor: Cursor, round_id: str) -> pd.DataFrame:
    """Return topic_id, document_id, batch, system of what was chosen, in the order of choosing."""
    return fetch_frame(
        cursor,
        "SELECT topic_id, document_id, batch, system FROM chosen_items WHERE round_id = ? "
        "ORDER BY place, chosen_at, topic_id, document_id",
        [round_id],
    )


LabelRow = tuple[str, str, str, str, str, str, int | None]
"""Of a label event: topic, document, assessor, facet, engine, state and level."""


def read_events_since(cursor: Cursor, collection_id: str, since: int) -> list[LabelRow]:
    """Return the label events after a sequence that say how relevant something is, in order.

    Late ones that no longer count, hidden repeats, decisions and pairs are left out.
    """
    rows: list[LabelRow] = cursor.execute(
        f"""SELECT topic_id, document_id, assessor_id, facet, engine, state, level FROM labels
            WHERE sequence > ? AND collection_id = ? AND NOT stale AND occasion = 0
                AND facet IN ('{PAGE}', '{SNIPPET}') AND source <> '{ADJUDICATED}'
            ORDER BY sequence""",
        [since, collection_id],
    ).fetchall()
    return rows


@dataclass(frozen=True)
class Chosen:
    """What an order has chosen: some documents of one topic, which become a batch.

    Parameters
    ----------
    round_id, topic_id : str
        Where.
    batch : int
        The number of the batch in its topic.
    documents, systems : sequence of str
        Each document, and the run that it was chosen from; empty where there is none.
    probabilities : sequence of float or None
        With what probability each is in the sample; None where nobody can say.
    strata : sequence of int or None
        The stratum of each; None where there are none.
    """

    round_id: str
    topic_id: str
    batch: int
    documents: Sequence[str]
    systems: Sequence[str]
    probabilities: Sequence[float | None]
    strata: Sequence[int | None]


_CHOSEN = (
    "round_id", "topic_id", "document_id", "batch", "place", "judging_order", "chosen_at",
    "probability", "stratum", "system",
)  # fmt: skip
_SLOT = ("round_id", "topic_id", "batch", "slot", "assessor_id", "reserved")


def insert_chosen(
    cursor: Cursor, rules: Round, chosen: Chosen, before: int, now: datetime
) -> list[Slot]:
    """Store a batch that was chosen, with its places for assessors, all open; return these.

    Parameters
    ----------
    before : int
        How many documents of the round were chosen before.
    """
    where = chosen.round_id, chosen.topic_id
    pool = [(*where, document, chosen.batch) for document in chosen.documents]
    columns = chosen.documents, chosen.systems, chosen.probabilities, chosen.strata
    rows = [
        (*where, document, chosen.batch, place, rules.order, now, probability, stratum, system)
        for place, (document, system, probability, stratum) in enumerate(
            zip(*columns, strict=True), start=before + 1
        )
    ]
    slots = [(*where, chosen.batch, slot, None, False) for slot in range(rules.judges)]
    for table, names, values in (
        ("pool", ("round_id", "topic_id", "document_id", "batch"), pool),
        ("chosen_items", _CHOSEN, rows),
        ("slots", _SLOT, slots),
    ):
        cursor.execute(*write_insert(Rows(table, names, values)))
    return [Slot(*one, leased_until=None, finished_at=None) for one in slots]


def read_choices(store: Store, collection_id: str) -> pd.DataFrame:
    """Return what orders have chosen in all rounds of a collection, in the order of choosing.

    Returns
    -------
    DataFrame
        round_id, topic_id, document_id, batch, place, order, chosen_at, probability and stratum
        (NaN where there is none), system.
    """
    return fetch_frame(
        store.cursor(),
        """SELECT round_id, topic_id, document_id, batch, place, judging_order AS "order",
               chosen_at, probability, stratum, system
           FROM chosen_items
           JOIN (SELECT round_id, collection_id, created_at FROM rounds) AS rounds USING (round_id)
           WHERE collection_id = ? ORDER BY created_at, round_id, place, chosen_at""",
        [collection_id],
    )


_CHOICE = {"system": "chosen_from"}
_OF_ITEM = ["round_id", "topic_id", "document_id"]


def join_choices(labels: pd.DataFrame, choices: pd.DataFrame) -> pd.DataFrame:
    """Return labels with what chose their items; as they are where no order chose anything.

    Parameters
    ----------
    labels : DataFrame
        With round_id, topic_id, document_id.
    choices : DataFrame
        From ``read_choices``.

    Returns
    -------
    DataFrame
        With order, place (in the round, from 1), chosen_at, probability, stratum, chosen_from (the
        run); missing where nothing chose the item.
    """
    if choices.empty:
        return labels
    chosen = choices.drop(columns="batch").rename(columns=_CHOICE)
    return labels.merge(chosen, how="left", on=_OF_ITEM)


_MEAN_STEPS = """
    WITH left_over AS (
        SELECT topic_id, document_id FROM round_candidates
        ANTI JOIN (FROM chosen_items WHERE round_id = $1) AS chosen USING (topic_id, document_id)
        WHERE round_id = $1),
    snippets AS (
        SELECT count(*) AS number FROM results SEMI JOIN left_over USING (topic_id, document_id)
        WHERE collection_id = $2 AND $3::BOOLEAN)
    SELECT coalesce((any_value(number) + count(*) * $4::INTEGER) / nullif(count(*), 0), 0)
    FROM left_over, snippets"""


def mean_steps(cursor: Cursor, rules: Round) -> float:
    """Return how many judgements a document that is not chosen yet asks of one assessor."""
    values = [rules.round_id, rules.collection_id, rules.judges_snippets, int(rules.judges_pages)]
    (row,) = cursor.execute(_MEAN_STEPS, values).fetchall()
    return float(row[0])
