"""Rules that an organiser has saved, as the text they are written in: of versions, of stopping."""

import json
import re
from typing import Any

from core.collection.records import MACHINE
from core.errors import BadInput, NotFound
from core.store.audit.change_diff import describe_change
from core.store.file.database import fetch
from core.store.people.roster import read_left_out
from core.store.store import Store, utc_now

_RECORDED = """
    SELECT rules.collection_id, rules.name, rules.rule,
        arg_max(changes.detail, changes.time) AS recorded
    FROM qrels_rules AS rules LEFT JOIN changes
        ON changes.collection_id = rules.collection_id AND changes.what = 'save'
        AND changes.subject = 'qrels rule' AND starts_with(changes.detail, rules.name || ': ')
    GROUP BY ALL ORDER BY ALL"""


def save_rule(store: Store, collection_id: str, name: str, rule: str, by: str = "") -> None:
    """Save the text of a rule under a name.

    Raises
    ------
    BadInput
        The name is empty or taken: scores that name a version keep meaning the same; or the rule
        takes labels of a machine, and the name does not say so.
    """
    name = name.strip()
    if not name:
        raise BadInput("a version needs a name", field="name")
    if name in list_rules(store, collection_id):
        raise BadInput(f"a version called '{name}' is already saved; choose another name")
    _require_mark(store, collection_id, name, rule)
    with store.change(collection_id, "save", "qrels rule", f"{name}: {rule}", by) as cursor:
        cursor.execute(
            "INSERT INTO qrels_rules VALUES (?, ?, ?, ?)", [collection_id, name, rule, utc_now()]
        )


def is_marked(name: str) -> bool:
    """Tell whether the name of a version says that labels of a machine are in it."""
    return re.search(rf"\b{MACHINE}\b", name, re.IGNORECASE) is not None


def _require_mark(store: Store, collection_id: str, name: str, rule: str) -> None:
    named = json.loads(rule).get("assessors", ())
    kinds = read_left_out(store, collection_id)
    machines = [one for one in named if kinds.get(one) == MACHINE]
    if machines and not is_marked(name):
        raise BadInput(
            f"this version takes labels of a machine ({', '.join(machines)}); say so in its name, "
            f"as in '{name} ({MACHINE})'",
            field="name",
        )


def list_rules(store: Store, collection_id: str) -> dict[str, str]:
    """Return the texts of the saved rules by name, oldest first."""
    rows = fetch(
        store.cursor(),
        "SELECT name, rule FROM qrels_rules WHERE collection_id = ? ORDER BY created_at, name",
        [collection_id],
    )
    return {row["name"]: row["rule"] for row in rows}


def list_recorded_rules(store: Store) -> list[dict[str, Any]]:
    """Return collection_id, name, rule, recorded of the saved rules of all collections.

    ``recorded`` is the detail under which the saving is on record; None where it is not.
    """
    return fetch(store.cursor(), _RECORDED)


def delete_rule(store: Store, collection_id: str, name: str, by: str = "") -> None:
    """Forget a saved rule; its text stays in the record of changes.

    Raises
    ------
    NotFound
        No rule has this name.
    """
    rules = list_rules(store, collection_id)
    if name not in rules:
        raise NotFound(f"There is no saved version called '{name}'.")
    detail = f"{name}: {rules[name]}"
    with store.change(collection_id, "delete", "qrels rule", detail, by) as cursor:
        cursor.execute(
            "DELETE FROM qrels_rules WHERE collection_id = ? AND name = ?", [collection_id, name]
        )


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
