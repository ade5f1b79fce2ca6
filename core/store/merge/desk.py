"""Where two stores are merged: a new file, and beside its tables the rows of both as they came."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.store.backup.table_contents import PIECE, Held
from core.store.file.database import Cursor
from core.store.merge.matching import NEW, Match
from core.store.people.hidden_names import HiddenNames

FIRST, SECOND = "of_first", "of_second"

_WHO = (
    "assessor_id", "person_id", "written_by", "marked_by", "set_by", "started_by",
    "withdrawn_by", "added_by", "machine_id",
)  # fmt: skip
_HOLDERS = ("person", "assessor", "viewer")
_AT_ONCE = 50_000
"""Rows that are copied at once, unless their texts are long."""


def list_tables(cursor: Cursor) -> list[str]:
    """Return the tables of a store whose rows a merge has to decide about."""
    rows = cursor.execute(
        "SELECT table_name FROM duckdb_tables() WHERE NOT temporary AND table_name <> 'migrations' "
        "ORDER BY table_name"
    ).fetchall()
    return [str(name) for (name,) in rows if name not in OF_NEITHER]


def list_columns(cursor: Cursor, table: str) -> list[str]:
    """Return the columns of a table, in their order, quoted."""
    rows = cursor.execute(
        "SELECT column_name FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index",
        [table],
    ).fetchall()
    return [f'"{name}"' for (name,) in rows]


def lay_out(desk: Cursor, store: Cursor, prefix: str) -> None:
    """Copy the rows of a store beside the empty tables, in their order."""
    asked = store.cursor()
    for table in list_tables(desk):
        desk.execute(f"CREATE TEMP TABLE {prefix}_{table} AS FROM {table} LIMIT 0")
        held = Held.in_table(table)
        for piece in held.pieces(asked, held.measure(asked), PIECE):
            rows: Any = store.sql(f"FROM {piece}")
            desk.register("incoming", rows.to_arrow_reader(_AT_ONCE))
            desk.execute(f"INSERT INTO {prefix}_{table} BY NAME FROM incoming")
            desk.unregister("incoming")


def rename(desk: Cursor, collections: Sequence[Match], people: Sequence[Match]) -> None:
    """Call everything of the second store as the merged one does."""
    changed = {one.second: one.first for one in collections if one.second != one.first}
    who = {one.second: one.first for one in people if one.second != one.first}
    for table in list_tables(desk):
        for column in list_columns(desk, table):
            plain = column.strip('"')
            known = changed if plain == "collection_id" else who if plain in _WHO else {}
            _replace(desk, f"{SECOND}_{table}", column, known)
    renamed = {
        f"{holder} {one}": f"{holder} {now}" for one, now in who.items() for holder in _HOLDERS
    }
    _replace(desk, f"{SECOND}_changes", "subject", renamed)
    replaced = {f"replaced by {one}": f"replaced by {now}" for one, now in who.items()}
    _replace(desk, f"{SECOND}_changes", "detail", replaced)
    _rename_in_rules(desk, who)


def _replace(desk: Cursor, table: str, column: str, known: Mapping[str, str]) -> None:
    if known:
        desk.execute(
            f"UPDATE {table} SET {column} = called.now FROM "
            "(SELECT unnest($1) AS before, unnest($2) AS now) AS called "
            f"WHERE {column} = called.before",
            [list(known), list(known.values())],
        )


def _rename_in_rules(desk: Cursor, who: Mapping[str, str]) -> None:
    if not who:
        return
    names = HiddenNames(who)
    rows = desk.execute(f"SELECT DISTINCT rule FROM {SECOND}_qrels_rules").fetchall()
    rules = {rule: names.in_rule(rule, lambda text: text) for (rule,) in rows}
    _replace(
        desk,
        f"{SECOND}_qrels_rules",
        "rule",
        {one: now for one, now in rules.items() if one != now},
    )


def list_shared(collections: Sequence[Match]) -> list[str]:
    """Return the ids of those collections that both stores have."""
    return [one.first for one in collections if one.how != NEW]


@dataclass(frozen=True)
class Unit:
    """Content that arrives whole: where both stores have a unit, it has to be the same.

    ``key`` names a unit; ``ignored`` are columns that say nothing of what it is.
    """

    key: tuple[str, ...]
    noun: str
    ignored: tuple[str, ...] = ()


CONTENT = {
    "levels": Unit(("collection_id", "facet"), "scale of"),
    "topics": Unit(("collection_id", "topic_id"), "topic", ("position",)),
    "subtopics": Unit(("collection_id", "topic_id"), "subtopics of topic"),
    "documents": Unit(("collection_id", "document_id"), "document"),
    "results": Unit(("collection_id", "topic_id", "engine"), "result list of"),
    "run_lines": Unit(("collection_id", "system"), "run of system"),
    "qrels": Unit(("collection_id", "name"), "qrels"),
    "aspects": Unit(("collection_id", "name"), "aspect", ("position", "created_at", "ended_at")),
    "aspect_levels": Unit(("collection_id", "aspect"), "scale of aspect"),
    "pairs": Unit(("collection_id", "topic_id", "pair_id"), "pair of topic"),
    "pool": Unit(("round_id", "topic_id", "batch"), "batch of round"),
    "chosen_items": Unit(("round_id", "topic_id", "document_id"), "choice of document in round"),
    "questions": Unit(("question_id",), "question"),
    "notices": Unit(("notice_id",), "notice"),
    "aspect_labels": Unit(("event_id",), "levels of aspects of event"),
    "preference_reasons": Unit(("event_id",), "reasons of event"),
    "passages": Unit(("event_id",), "passages of event"),
    "paradata": Unit(("event_id",), "paradata of event"),
    "machines": Unit(
        ("collection_id", "assessor_id"), "description of machine", ("judged_on", "described_at")
    ),
    "machine_answers": Unit(("event_id",), "machine's answer with event"),
    "machine_jobs": Unit(("job_id",), "job of machine"),
    "machine_items": Unit(("job_id",), "items of machine's job"),
    "machine_requests": Unit(("request_id",), "machine's request"),
    "machine_replies": Unit(("request_id",), "reply to machine's request"),
    "machine_shown": Unit(("event_id",), "machine's level shown with event"),
    "click_logs": Unit(("collection_id", "name"), "click log", ("source", "sha256", "imported_at")),
    "click_apart": Unit(("collection_id", "name"), "malformed sessions of click log"),
    "click_queries": Unit(("collection_id", "name"), "queries of click log"),
    "click_items": Unit(("collection_id", "name"), "items of click log"),
    "click_blocks": Unit(("collection_id", "name"), "pages of click log"),
}
"""Refused whole where it differs, so these come first to be compared."""

KEYED = {
    "collections": ("collection_id",),
    "people": ("person_id",),
    "members": ("collection_id", "assessor_id"),
    "viewers": ("collection_id", "person_id"),
    "rounds": ("round_id",),
    "machine_rounds": ("round_id",),
    "round_orders": ("round_id",),
    "round_systems": ("round_id", "system"),
    "round_candidates": ("round_id", "topic_id", "document_id"),
    "batch_judges": ("round_id", "topic_id", "batch"),
    "qrels_rules": ("collection_id", "name"),
    "practice": ("collection_id", "topic_id", "document_id", "facet", "engine"),
    "gold": ("collection_id", "topic_id", "document_id", "facet", "engine"),
    "lessons": ("collection_id",),
    "withdrawn_runs": ("collection_id", "system", "withdrawn_at"),
    "consents": ("collection_id", "person_id"),
    "items_seen": (
        "collection_id", "assessor_id", "topic_id", "document_id", "facet", "engine",
    ),
    "notices_read": ("collection_id", "person_id", "notice"),
}  # fmt: skip
"""By row: where both stores have one, the first store's stays, and what differs is reported."""

OF_COLLECTIONS = (
    "consent_texts", "declarations", "pass_marks", "reason_choices", "seeing_allowed",
    "stop_rules",
)  # fmt: skip
"""Settings of a collection as a whole: those of the first store, where it has the collection."""

OF_FIRST = ("accounts", "passwords", "settings")
"""Of the first store only: secrets, and what belongs to a server."""

OF_NEITHER = (
    "invitations", "public_pages", "sessions", "tokens", "webhooks", "webhook_deliveries",
)  # fmt: skip
"""As in a restored backup, everybody signs in anew; what is public is published anew, programs
get new tokens, and servers that are told of what is finished are entered anew."""

IN_ORDER = (
    "labels", "labels_after_seeing", "labels_of_two_sites", "changes", "guidelines_versions",
    "topics_seen", "slots",
)  # fmt: skip
"""What each has a module of its own for."""

UNREPORTED = {"items_seen": ("seen_at",), "notices_read": ("read_at",)}
"""Columns whose differences nobody has to decide about."""
