"""Rounds that an order chooses the items of: from what, how far they are, what was chosen when."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd

from core.collection.records import PAGE, SNIPPET
from core.store.events.adjudications import ADJUDICATED
from core.store.file.database import Cursor, fetch, fetch_frame
from core.store.people.roster import PERSON
from core.store.rounds.rounds import Round
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


def read_extent(cursor: Cursor, round_id: str) -> tuple[int, int]:
    """Return how many candidates and how many runs a round has: a top-up raises one or both."""
    (row,) = cursor.execute(
        "SELECT (SELECT count(*) FROM round_candidates WHERE round_id = $1), "
        "(SELECT count(*) FROM round_systems WHERE round_id = $1)",
        [round_id],
    ).fetchall()
    return int(row[0]), int(row[1])


def read_basis(cursor: Cursor, collection_id: str) -> list[tuple[Any, ...]]:
    """Return what else relevance rests on than labels: who is no person, what levels count as."""
    return cursor.execute(
        """SELECT 'level', facet, level::VARCHAR, counts_as FROM levels WHERE collection_id = $1
           UNION ALL
           SELECT 'kind', assessor_id, kind, 0 FROM members
           WHERE collection_id = $1 AND kind <> $2 ORDER BY ALL""",
        [collection_id, PERSON],
    ).fetchall()


def read_chosen(cursor: Cursor, round_id: str) -> pd.DataFrame:
    """Return topic_id, document_id, system of what was chosen, in the order of choosing."""
    return fetch_frame(
        cursor,
        "SELECT topic_id, document_id, system FROM chosen_items WHERE round_id = ? "
        "ORDER BY place, chosen_at, topic_id, document_id",
        [round_id],
    )


def read_last_chosen(cursor: Cursor, round_id: str) -> tuple[int, str, str]:
    """Return how many items were chosen, and topic and document of the last; 0 before the first."""
    rows = cursor.execute(
        """SELECT count(*), coalesce(arg_max(topic_id, place), ''),
               coalesce(arg_max(document_id, place), '')
           FROM chosen_items WHERE round_id = ?""",
        [round_id],
    ).fetchall()
    (row,) = rows
    return int(row[0]), str(row[1]), str(row[2])


_RELEVANCE = f"""
    WITH asked AS (SELECT topic_id, document_id FROM chosen_items WHERE round_id = $1),
    events AS (
        FROM labels SEMI JOIN asked USING (topic_id, document_id)
        WHERE collection_id = $2 AND NOT stale AND occasion = 0
            AND facet IN ('{PAGE}', '{SNIPPET}') AND source <> '{ADJUDICATED}'
            AND assessor_id NOT IN (SELECT assessor_id FROM members
                WHERE collection_id = $2 AND kind <> '{PERSON}')),
    touched AS (SELECT DISTINCT topic_id, document_id FROM events WHERE sequence > $3),
    given AS (
        SELECT topic_id, document_id, assessor_id, facet,
            arg_max({{'state': state, 'level': level}}, sequence) AS label
        FROM events SEMI JOIN touched USING (topic_id, document_id)
        GROUP BY topic_id, document_id, assessor_id, facet, engine),
    counted AS (
        SELECT topic_id, document_id, assessor_id, given.facet AS facet, counts_as,
            label.level AS level
        FROM given JOIN (FROM levels WHERE collection_id = $2) AS levels
            ON levels.facet = given.facet AND levels.level = label.level
        WHERE label.state = 'level'),
    votes AS (
        SELECT topic_id, document_id, (counts_as >= $4)::DOUBLE AS vote FROM counted
        WHERE facet = $5
        UNION ALL
        SELECT topic_id, document_id, 0 FROM counted
        ANTI JOIN (FROM given WHERE facet = '{PAGE}') AS paged
            USING (topic_id, document_id, assessor_id)
        WHERE facet = '{SNIPPET}' AND $6::INTEGER IS NOT NULL
        GROUP BY topic_id, document_id, assessor_id HAVING max(level) < $6)
    SELECT topic_id, document_id, avg(vote) AS relevance
    FROM touched LEFT JOIN votes USING (topic_id, document_id) GROUP BY ALL"""


def read_relevance(cursor: Cursor, rules: Round, since: int = -1) -> pd.DataFrame:
    """Return how relevant the chosen items of a round are by their labels so far.

    Labels of pages count where pages are judged, else those of snippets. A page that its snippets
    do not call for is not relevant to who judged them. *Cannot judge*, hidden repeats, decisions
    and labels of machines and gold are no labels here.

    Parameters
    ----------
    since : int
        Only items about which there is an event with a later sequence.

    Returns
    -------
    DataFrame
        topic_id, document_id, relevance: the share of labels from ``relevant_from`` on, in
        [0, 1]; NaN where there is none.
    """
    facet = PAGE if rules.judges_pages else SNIPPET
    page_from = rules.page_from if rules.judges_pages and rules.judges_snippets else None
    return fetch_frame(
        cursor,
        _RELEVANCE,
        [rules.round_id, rules.collection_id, since, rules.relevant_from, facet, page_from],
    )


def read_sequence(cursor: Cursor, collection_id: str) -> int:
    """Return the sequence of the last label event of a collection that a transaction sees."""
    (row,) = cursor.execute(
        "SELECT coalesce(max(sequence), -1) FROM labels WHERE collection_id = ?", [collection_id]
    ).fetchall()
    return int(row[0])


def find_next_batch(cursor: Cursor, round_id: str, topic_id: str) -> int:
    """Return the number that the next batch of a topic gets, from 0."""
    (row,) = cursor.execute(
        "SELECT coalesce(max(batch) + 1, 0) FROM pool WHERE round_id = ? AND topic_id = ?",
        [round_id, topic_id],
    ).fetchall()
    return int(row[0])


def insert_chosen(
    cursor: Cursor, round_id: str, order: str, chosen: pd.DataFrame, now: datetime
) -> None:
    """Take down what an order has chosen.

    Parameters
    ----------
    chosen : DataFrame
        topic_id, document_id, batch, place (from 1 in the round), probability and stratum (NaN
        where there is none), system (empty where it was chosen from none).
    """
    cursor.register("incoming", chosen)
    cursor.execute(
        """INSERT INTO chosen_items
           SELECT ?, topic_id, document_id, batch, place, ?, ?,
               CASE WHEN isnan(probability) THEN NULL ELSE probability END,
               CASE WHEN isnan(stratum) THEN NULL ELSE stratum END, system
           FROM incoming""",
        [round_id, order, now],
    )
    cursor.unregister("incoming")


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


_MEAN_STEPS = f"""
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
