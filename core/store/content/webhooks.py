"""Webhooks: the addresses that a collection's organisers want told when something is finished."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Collection as Some
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from core.errors import BadInput, NotFound
from core.settings import Network
from core.store.audit.change_diff import describe_change
from core.store.content.collections import get_collection
from core.store.content.webhook_addresses import read_target
from core.store.content.webhook_deliveries import EARLIER, EVENTS, insert_finished
from core.store.file.database import fetch
from core.store.store import Store, utc_now

MOST_WEBHOOKS = 10
"""Of one collection."""

_PREFIX = "whsec_"


@dataclass(frozen=True)
class Webhook:
    """One address that is told, and of which events; ``made_by`` is a person's id."""

    webhook_id: str
    collection_id: str
    address: str
    events: tuple[str, ...]
    made_by: str
    made_at: datetime


def make_webhook(
    store: Store,
    collection_id: str,
    address: str,
    events: Some[str] = EVENTS,
    *,
    networks: Sequence[Network] = (),
    by: str = "",
) -> Webhook:
    """Have an address told from now on; nothing is told of what was finished before.

    The record of changes names the machine only: the rest of an address may be a secret.

    Parameters
    ----------
    events : collection of str
        Of `EVENTS`.
    networks : sequence of networks
        Those that are allowed besides public machines.

    Raises
    ------
    BadInput
        The address or the events cannot be had, or there are as many webhooks as there may be.
    NotFound
        There is no such collection.
    """
    get_collection(store, collection_id)
    address = address.strip()
    target = read_target(address, networks)
    if not events or not set(events) <= set(EVENTS):
        raise BadInput(f"events are: {', '.join(EVENTS)}", field="events")
    webhook_id = f"w-{secrets.token_hex(8)}"
    chosen = [one for one in EVENTS if one in events]
    fields = {"machine": target.host, "events": " ".join(chosen)}
    detail = describe_change({}, fields)
    with store.change(collection_id, "make", f"webhook {webhook_id}", detail, by) as cursor:
        if len(list_webhooks(store, collection_id)) >= MOST_WEBHOOKS:
            raise BadInput(f"a collection has at most {MOST_WEBHOOKS} webhooks; remove one")
        cursor.execute(
            "INSERT INTO webhooks VALUES (?, ?, ?, ?, ?, ?, NULL)",
            [webhook_id, collection_id, address, " ".join(chosen), by, utc_now()],
        )
        insert_finished(cursor, collection_id, EARLIER, webhook_id)
    return find_webhook(store, collection_id, webhook_id)


def remove_webhook(store: Store, collection_id: str, webhook_id: str, by: str = "") -> None:
    """Tell an address nothing more, not even what is still to be sent; raises NotFound."""
    known = find_webhook(store, collection_id, webhook_id)
    detail = describe_change({"machine": urlsplit(known.address).hostname}, {})
    with store.change(collection_id, "remove", f"webhook {webhook_id}", detail, by) as cursor:
        cursor.execute(
            "UPDATE webhooks SET removed_at = ? WHERE webhook_id = ?", [utc_now(), webhook_id]
        )


def list_webhooks(store: Store, collection_id: str = "") -> list[Webhook]:
    """Return the webhooks that are told, of one collection or of all, the oldest first."""
    rows = fetch(
        store.cursor(),
        "SELECT webhook_id, collection_id, address, events, made_by, made_at FROM webhooks "
        "WHERE removed_at IS NULL AND ($1 = '' OR collection_id = $1) ORDER BY made_at, webhook_id",
        [collection_id],
    )
    return [Webhook(**{**row, "events": tuple(row["events"].split())}) for row in rows]


def find_webhook(store: Store, collection_id: str, webhook_id: str) -> Webhook:
    """Return one webhook of a collection; raises NotFound."""
    for one in list_webhooks(store, collection_id):
        if one.webhook_id == webhook_id:
            return one
    raise NotFound("There is no such webhook in this collection.")


def make_secret(store: Store, webhook_id: str) -> str:
    """Return the secret with which a webhook's messages are signed.

    It is not in the store: it follows from the store's key, so that nobody who reads a backup can
    sign a message.
    """
    return _PREFIX + base64.b64encode(_make_key(store, webhook_id)).decode()


def sign(store: Store, webhook_id: str, delivery_id: str, time: int, body: bytes) -> str:
    """Return the signature of a message, as Standard Webhooks has it.

    Parameters
    ----------
    time : int
        When it is sent, in seconds since 1970.
    """
    signed = f"{delivery_id}.{time}.".encode() + body
    made = hmac.digest(_make_key(store, webhook_id), signed, hashlib.sha256)
    return f"v1,{base64.b64encode(made).decode()}"


def _make_key(store: Store, webhook_id: str) -> bytes:
    return hmac.digest(store.secret.encode(), f"webhook {webhook_id}".encode(), hashlib.sha256)
