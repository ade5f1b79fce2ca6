"""What webhooks are told: what is finished, how often it was sent, and how that went.

A topic of a round is finished when every place for an assessor in it is, a round when all of its
places are; not while an order has more of it to choose. Where places are added later and finished
in turn, it is told again.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.errors import NotFound
from core.store.file.database import Cursor, fetch
from core.store.rounds.orders import UNCHOSEN
from core.store.store import Store, utc_now

TOPIC, ROUND = "topic.finished", "round.finished"
EVENTS = (TOPIC, ROUND)
TEST = "test"
"""What is sent to try an address."""

EARLIER, DUE, DELIVERED, GIVEN_UP = "earlier", "due", "delivered", "given up"
STATES = (EARLIER, DUE, DELIVERED, GIVEN_UP)
"""Of a delivery; ``earlier``: it was finished before the webhook was made, and is not told."""

PAUSES = (10, 60, 600, 3600, 3 * 3600, 6 * 3600, 12 * 3600)
"""Seconds until it is tried again, after the first, the second … time that it failed."""

MOST_TRIES = len(PAUSES) + 1

_NEW = f"""
    WITH more AS ({UNCHOSEN})
    SELECT gen_random_uuid()::VARCHAR AS delivery_id, webhook_id, event, round_id, topic_id,
        finished_at, topics, places
    FROM (
        SELECT 'topic.finished' AS event, round_id, slots.topic_id AS topic_id,
            max(finished_at) AS finished_at, 1 AS topics, count(*) AS places
        FROM slots JOIN rounds USING (round_id)
        ANTI JOIN more ON more.round_id = slots.round_id AND more.topic_id = slots.topic_id
        WHERE collection_id = $collection
        GROUP BY round_id, slots.topic_id HAVING count(*) = count(finished_at)
        UNION ALL
        SELECT 'round.finished', round_id, '', max(finished_at), count(DISTINCT slots.topic_id),
            count(*)
        FROM slots JOIN rounds USING (round_id) WHERE collection_id = $collection
            AND round_id NOT IN (SELECT round_id FROM more)
        GROUP BY round_id HAVING count(*) = count(finished_at)) AS found,
        webhooks
    WHERE webhooks.collection_id = $collection AND removed_at IS NULL
        AND ($webhook = '' OR webhook_id = $webhook)
        AND ($webhook <> '' OR list_contains(string_split(events, ' '), event))
        AND NOT EXISTS (
            SELECT 1 FROM webhook_deliveries AS told
            WHERE told.webhook_id = webhooks.webhook_id AND told.event = found.event
                AND told.round_id = found.round_id AND told.topic_id = found.topic_id
                AND told.finished_at >= found.finished_at)"""


@dataclass(frozen=True)
class Delivery:
    """One thing that is told to one webhook.

    ``topics`` and ``places`` count what was finished. ``next_at`` is when it is tried next, None
    where it is not. ``status`` is the number that the last answer had, None without an answer;
    ``reason`` says why it failed.
    """

    delivery_id: str
    webhook_id: str
    event: str
    round_id: str | None
    topic_id: str
    finished_at: datetime
    topics: int
    places: int
    state: str
    attempts: int
    next_at: datetime | None
    tried_at: datetime | None
    status: int | None
    reason: str


def insert_finished(cursor: Cursor, collection_id: str, state: str, webhook_id: str = "") -> int:
    """Add what is finished and was not told, within a transaction; returns how much that is.

    Parameters
    ----------
    webhook_id : str
        For one webhook, whatever it is told of; empty: for each, of what it is told of.
    """
    due = utc_now() if state == DUE else None
    ((added,),) = cursor.execute(
        "INSERT INTO webhook_deliveries SELECT *, $state, 0, $due::TIMESTAMP, NULL, NULL, '' "
        f"FROM ({_NEW})",
        {"collection": collection_id, "webhook": webhook_id, "state": state, "due": due},
    ).fetchall()
    return int(added)


def queue_finished(store: Store, collection_id: str) -> int:
    """Have told what a collection's rounds have finished since; returns how many messages."""
    asked = {"collection": collection_id, "webhook": ""}
    if not fetch(store.cursor(), f"SELECT 1 FROM ({_NEW}) LIMIT 1", asked):
        return 0
    with store.database.write() as cursor:
        return insert_finished(cursor, collection_id, DUE)


def queue_test(store: Store, collection_id: str, webhook_id: str, by: str = "") -> str:
    """Have a webhook sent a message that says nothing; returns the delivery's id."""
    delivery_id, now = str(uuid.uuid4()), utc_now()
    with store.change(collection_id, "test", f"webhook {webhook_id}", "", by) as cursor:
        cursor.execute(
            "INSERT INTO webhook_deliveries VALUES "
            "(?, ?, ?, NULL, '', ?, 0, 0, ?, 0, ?, NULL, NULL, '')",
            [delivery_id, webhook_id, TEST, now, DUE, now],
        )
    return delivery_id


def send_again(store: Store, collection_id: str, delivery_id: str, by: str = "") -> None:
    """Have something sent once more, by the same id, whatever became of it; raises NotFound."""
    found = fetch(
        store.cursor(),
        "SELECT webhook_id FROM webhook_deliveries JOIN webhooks USING (webhook_id) WHERE "
        "delivery_id = ? AND collection_id = ? AND removed_at IS NULL AND state <> ?",
        [delivery_id, collection_id, EARLIER],
    )
    if not found:
        raise NotFound("There is no such message to a webhook of this collection.")
    subject = f"webhook {found[0]['webhook_id']}"
    detail = f"message {delivery_id}"
    with store.change(collection_id, "send again", subject, detail, by) as cursor:
        cursor.execute(
            "UPDATE webhook_deliveries SET state = ?, attempts = 0, next_at = ? "
            "WHERE delivery_id = ?",
            [DUE, utc_now(), delivery_id],
        )


def list_deliveries(store: Store, collection_id: str, most: int = 100) -> list[Delivery]:
    """Return what the webhooks of a collection that are told were or are to be sent.

    The latest first; what was finished before is left out.
    """
    rows = fetch(
        store.cursor(),
        "SELECT webhook_deliveries.* FROM webhook_deliveries JOIN webhooks USING (webhook_id) "
        "WHERE collection_id = ? AND removed_at IS NULL AND state <> ? "
        "ORDER BY coalesce(tried_at, next_at) DESC, finished_at DESC, event, delivery_id LIMIT ?",
        [collection_id, EARLIER, most],
    )
    return [Delivery(**row) for row in rows]


def list_due(store: Store, most: int = 50) -> list[Delivery]:
    """Return what is to be sent now, of all webhooks, what has waited longest first."""
    rows = fetch(
        store.cursor(),
        "SELECT webhook_deliveries.* FROM webhook_deliveries JOIN webhooks USING (webhook_id) "
        "WHERE state = ? AND next_at <= ? AND removed_at IS NULL "
        "QUALIFY row_number() OVER (PARTITION BY webhook_id ORDER BY next_at, finished_at, "
        "event DESC, delivery_id) <= ? ORDER BY next_at, finished_at, event DESC, delivery_id",
        [DUE, utc_now(), most],
    )
    return [Delivery(**row) for row in rows]


def begin_attempt(store: Store, one: Delivery) -> bool:
    """Count an attempt before it is made: a server that dies in it waits before the next.

    Returns
    -------
    bool
        Whether it is to be made: not where another server has begun one.
    """
    now, attempts = utc_now(), one.attempts + 1
    pause = PAUSES[min(attempts, len(PAUSES)) - 1]
    with store.database.write() as cursor:
        ((begun,),) = cursor.execute(
            "UPDATE webhook_deliveries SET attempts = ?, tried_at = ?, next_at = ? "
            "WHERE delivery_id = ? AND attempts = ? AND state = ?",
            [attempts, now, now + timedelta(seconds=pause), one.delivery_id, one.attempts, DUE],
        ).fetchall()
    return bool(begun)


def end_attempt(store: Store, one: Delivery, status: int | None, reason: str = "") -> None:
    """Note how an attempt went that was begun; without a reason all went well."""
    failed = DUE if one.attempts + 1 < MOST_TRIES else GIVEN_UP
    state = failed if reason else DELIVERED
    with store.database.write() as cursor:
        cursor.execute(
            "UPDATE webhook_deliveries SET state = $1, status = $2, reason = $3, "
            "next_at = CASE WHEN $1 = 'due' THEN next_at END WHERE delivery_id = $4",
            [state, status, reason, one.delivery_id],
        )


def describe_delivery(store: Store, collection_id: str, one: Delivery) -> dict[str, Any]:
    """Return what a webhook is told, without a word about a person."""
    (names,) = fetch(
        store.cursor(),
        "SELECT name AS collection_name, (SELECT name FROM rounds WHERE round_id = ?) AS "
        "round_name FROM collections WHERE collection_id = ?",
        [one.round_id, collection_id],
    )
    fields: dict[str, Any] = {
        "collection": collection_id,
        "collection_name": names["collection_name"],
    }
    if one.round_id is not None:
        fields |= {"round": one.round_id, "round_name": names["round_name"]}
        fields |= {"topic": one.topic_id} if one.event == TOPIC else {"topics": one.topics}
        fields |= {"places": one.places}
    return {
        "type": one.event,
        "id": one.delivery_id,
        "timestamp": f"{one.finished_at.isoformat(timespec='milliseconds')}Z",
        "data": fields,
    }
