"""The rule by which an organiser wants to be told that enough is judged, as it is written."""

import json
from typing import Any

from core.store.audit.change_diff import describe_change
from core.store.file.database import fetch
from core.store.store import Store, utc_now

SUBJECT = "stop rule"


def find_stop_rule(store: Store, collection_id: str) -> str:
    """Return the text of the rule of a collection; empty where it has none."""
    rows = fetch(
        store.cursor(), "SELECT rule FROM stop_rules WHERE collection_id = ?", [collection_id]
    )
    return str(rows[0]["rule"]) if rows else ""


def set_stop_rule(store: Store, collection_id: str, rule: str, by: str = "") -> None:
    """Set the rule, a JSON object, or end it with an empty text; the change is on record."""
    before = _read(find_stop_rule(store, collection_id))
    detail = describe_change(before, _read(rule))
    if not detail:
        return
    with store.change(collection_id, "set", SUBJECT, detail, by) as cursor:
        cursor.execute("DELETE FROM stop_rules WHERE collection_id = ?", [collection_id])
        if rule:
            cursor.execute(
                "INSERT INTO stop_rules VALUES (?, ?, ?)", [collection_id, rule, utc_now()]
            )


def _read(rule: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(rule) if rule else {}
    return fields
