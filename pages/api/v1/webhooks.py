"""The API's webhooks: which addresses are told what is finished, and how that goes."""

from typing import Any

from core.errors import NotAllowed
from core.settings import read_webhook_networks
from core.store.content.webhook_addresses import LONGEST_ADDRESS
from core.store.content.webhook_deliveries import (
    EVENTS,
    Delivery,
    list_deliveries,
    queue_test,
    send_again,
)
from core.store.content.webhooks import (
    Webhook,
    find_webhook,
    list_webhooks,
    make_secret,
    make_webhook,
    remove_webhook,
)
from core.store.people.token_scopes import WRITE
from pages.api.v1.operation import (
    COLLECTION,
    COUNT,
    TEXT_OF,
    TIME,
    Answer,
    Asked,
    Body,
    Operation,
    Parameter,
    record,
    text,
)
from pages.api.v1.records import to_plain
from pages.server.running import server

_WEBHOOK_ID = Parameter("webhook", text(100, minLength=1), "The webhook's id.", True)
_EVENTS = {"type": "array", "items": {"type": "string", "enum": list(EVENTS)}}
_WEBHOOK = record(webhook=TEXT_OF, address=TEXT_OF, events=_EVENTS, made_by=TEXT_OF, made_at=TIME)
_STATUS = {"type": ["integer", "null"], "description": "Of the last answer."}
_DELIVERY = record(
    delivery=TEXT_OF, webhook=TEXT_OF, event=TEXT_OF, round={"type": ["string", "null"]},
    topic=TEXT_OF, finished_at=TIME, topics=COUNT, places=COUNT, state=TEXT_OF, attempts=COUNT,
    next_at=TIME, tried_at=TIME, status=_STATUS, reason=TEXT_OF,
)  # fmt: skip
_ROLES = ("organiser",)


def _tell(one: Webhook) -> dict[str, Any]:
    fields = {name: to_plain(value) for name, value in vars(one).items() if name != "events"}
    del fields["collection_id"]
    return {"webhook": fields.pop("webhook_id"), "events": list(one.events), **fields}


def _tell_delivery(one: Delivery) -> dict[str, Any]:
    fields = {name: to_plain(value) for name, value in vars(one).items()}
    return {name.removesuffix("_id"): value for name, value in fields.items()}


def _list(asked: Asked) -> dict[str, Any]:
    store, collection_id = asked.store, asked.collection_id
    return {
        "webhooks": [_tell(one) for one in list_webhooks(store, collection_id)],
        "deliveries": [_tell_delivery(one) for one in list_deliveries(store, collection_id)],
    }


def _create(asked: Asked) -> dict[str, Any]:
    if server().demo:
        raise NotAllowed("The demo tells nobody.")
    made = make_webhook(
        asked.store,
        asked.collection_id,
        asked.body["address"],
        asked.body.get("events", EVENTS),
        networks=read_webhook_networks(),
        by=asked.by,
    )
    return {**_tell(made), "secret": make_secret(asked.store, made.webhook_id)}


def _remove(asked: Asked) -> dict[str, Any]:
    webhook_id = asked.values["webhook"]
    remove_webhook(asked.store, asked.collection_id, webhook_id, by=asked.by)
    return {"removed": webhook_id}


def _try(asked: Asked) -> dict[str, Any]:
    known = find_webhook(asked.store, asked.collection_id, asked.values["webhook"])
    made = queue_test(asked.store, asked.collection_id, known.webhook_id, by=asked.by)
    return {"delivery": made}


def _again(asked: Asked) -> dict[str, Any]:
    send_again(asked.store, asked.collection_id, asked.values["delivery"], by=asked.by)
    return {"delivery": asked.values["delivery"]}


OPERATIONS = (
    Operation(
        "listWebhooks", "GET", "/collections/{collection}/webhooks",
        "Which addresses are told, and how that went", WRITE, _list,
        Answer(
            "The webhooks, oldest first, and their latest messages, latest first.",
            record(
                webhooks={"type": "array", "items": _WEBHOOK},
                deliveries={"type": "array", "items": _DELIVERY},
            ),
        ),
        _ROLES, (COLLECTION,), subject="Webhooks",
    ),
    Operation(
        "createWebhook", "POST", "/collections/{collection}/webhooks",
        "Have an address told when a topic or a round is finished", WRITE, _create,
        Answer(
            "The webhook, with the secret of its signatures, which is shown once.",
            record(**_WEBHOOK["properties"], secret=TEXT_OF), status=201,
        ),
        _ROLES, (COLLECTION,),
        Body("An https address on a public machine, and which events; all by default.", {
            "type": "object",
            "properties": {
                "address": text(LONGEST_ADDRESS, minLength=1),
                "events": {**_EVENTS, "minItems": 1, "maxItems": len(EVENTS)},
            },
            "required": ["address"], "additionalProperties": False,
        }),
        subject="Webhooks",
    ),
    Operation(
        "removeWebhook", "DELETE", "/collections/{collection}/webhooks/{webhook}",
        "Tell an address nothing more", WRITE, _remove,
        Answer("Which one.", record(removed=TEXT_OF)), _ROLES, (COLLECTION, _WEBHOOK_ID),
        subject="Webhooks",
    ),
    Operation(
        "testWebhook", "POST", "/collections/{collection}/webhooks/{webhook}/test",
        "Send an address a message that says nothing", WRITE, _try,
        Answer("The message, which is on its way.", record(delivery=TEXT_OF), status=202),
        _ROLES, (COLLECTION, _WEBHOOK_ID), subject="Webhooks",
    ),
    Operation(
        "sendAgain", "POST", "/collections/{collection}/deliveries/{delivery}",
        "Send a message to a webhook once more", WRITE, _again,
        Answer("The message, which is on its way.", record(delivery=TEXT_OF), status=202),
        _ROLES,
        (COLLECTION, Parameter("delivery", text(100, minLength=1), "The message's id.", True)),
        subject="Webhooks",
    ),
)  # fmt: skip
