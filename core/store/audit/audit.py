"""Who changed what, and when: the record of changes and the label events as one history."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd

from core.store.audit.change_diff import describe_change
from core.store.events.moments import number_events
from core.store.file.database import Cursor, fetch
from core.store.people.members import BY_IMPORT
from core.store.store import Store

KINDS = (
    "labels", "adjudication", "practice", "gold", "assignments", "people", "imports",
    "qrels versions", "scales", "collections", "classes", "questions",
    "seen afterwards", "other",
)  # fmt: skip
COLUMNS = (
    "time", "person", "person_id", "kind", "what", "subject", "change", "collection",
    "collection_id", "event", "sequence", "event_id", "supersedes",
)  # fmt: skip

_LABEL_KIND = """
    CASE WHEN source = 'adjudicated' THEN 'adjudication' WHEN occasion < 0 THEN 'practice'
    ELSE 'labels' END"""
CHANGE_KIND = """
    CASE WHEN what = 'import' OR subject LIKE 'run %' THEN 'imports'
    WHEN subject LIKE 'round %' OR subject LIKE 'slot %' OR what = 'finish'
        OR subject LIKE 'machine job %' THEN 'assignments'
    WHEN subject LIKE 'assessor%' OR subject LIKE 'person%' OR subject LIKE 'viewer %'
        OR what IN ('sign in', 'sign out', 'erase') THEN 'people'
    WHEN subject = 'qrels rule' THEN 'qrels versions' WHEN subject LIKE 'gold item%' THEN 'gold'
    WHEN subject LIKE 'practice item%' THEN 'practice' WHEN subject = 'scale'
        OR subject LIKE 'aspect %' THEN 'scales'
    WHEN subject IN ('collection', 'reasons of preferences', 'public page', 'stop rule')
        OR subject = 'declaration' OR subject LIKE 'webhook %' THEN 'collections'
    WHEN subject LIKE 'class %' THEN 'classes'
    WHEN subject IN ('question', 'announcement') THEN 'questions'
    WHEN what = 'see' OR subject = 'seeing others afterwards' THEN 'seen afterwards'
    ELSE 'other' END"""
_LABEL_TEXT = "concat_ws(' ', topic_id, document_id, facet, engine, state, comment, source)"
_CHANGE_TEXT = "concat_ws(' ', what, subject, detail)"

# Only what has to be sorted is read of every event; the rest is looked up for one portion.
_FOUND = f"""
    SELECT time, true AS is_label, sequence AS place FROM labels
    WHERE ($1 = '' OR assessor_id = $1) AND ($2 = '' OR {_LABEL_KIND} = $2)
        AND ($3 IS NULL OR collection_id = $3) AND ($4 IS NULL OR time >= $4)
        AND ($5 IS NULL OR time < $5) AND ($6 = '' OR contains(lower({_LABEL_TEXT}), lower($6)))
        AND NOT ($7 AND source = 'imported')
    UNION ALL
    SELECT time, false, rowid FROM changes
    WHERE ($1 = '' OR person_id = $1) AND ($2 = '' OR {CHANGE_KIND} = $2)
        AND ($3 IS NULL OR collection_id = $3) AND ($4 IS NULL OR time >= $4)
        AND ($5 IS NULL OR time < $5) AND ($6 = '' OR contains(lower({_CHANGE_TEXT}), lower($6)))
        AND NOT ($7 AND what = 'add' AND subject LIKE 'assessor %' AND detail = '{BY_IMPORT}')"""

_LABELS = f"""
    SELECT labels.sequence, labels.time, labels.assessor_id AS person_id, labels.kind,
        labels.collection_id, labels.topic_id, labels.document_id, labels.facet, labels.engine,
        labels.occasion, labels.source, labels.stale, labels.state, labels.level, labels.comment,
        now.name AS level_name, before.event_id IS NOT NULL AS has_before,
        before.state AS old_state, before.level AS old_level, then_.name AS old_name,
        before.comment AS old_comment, labels.event_id::VARCHAR AS event_id,
        marked.event_id IS NOT NULL AS is_marked,
        (SELECT string_agg(concat(aspect, ': ', coalesce(level::VARCHAR, 'left out')), '; '
            ORDER BY aspect) FROM aspect_labels
         WHERE aspect_labels.event_id = labels.event_id) AS aspects,
        labels.supersedes::VARCHAR AS supersedes, before.sequence AS replaces
    FROM (SELECT *, {_LABEL_KIND} AS kind FROM labels WHERE {{condition}}) AS labels
    LEFT JOIN labels AS before ON before.event_id = labels.supersedes
    LEFT JOIN labels_after_seeing AS marked ON marked.event_id = labels.event_id
    LEFT JOIN levels AS now ON now.collection_id = labels.collection_id
        AND now.facet = labels.facet AND now.level = labels.level
    LEFT JOIN levels AS then_ ON then_.collection_id = labels.collection_id
        AND then_.facet = labels.facet AND then_.level = before.level"""

_CHANGES = f"""
    SELECT rowid AS place, time, person_id, {CHANGE_KIND} AS kind, what, subject,
        detail AS change, collection_id
    FROM changes WHERE rowid IN (SELECT unnest($1))"""


@dataclass(frozen=True)
class AuditFilter:
    """Which part of the history is asked for; empty fields leave nothing out.

    ``collection_id`` None means everywhere; empty, what belongs to no collection. ``since`` is
    included, ``until`` is not. ``text`` is looked for in subjects, values and comments. With
    ``folds_imports`` an import is one entry, without those of its labels and its assessors.
    """

    person_id: str = ""
    kind: str = ""
    collection_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    folds_imports: bool = False

    @property
    def values(self) -> list[Any]:
        """The filter as the parameters of the queries here."""
        given = [self.person_id, self.kind, self.collection_id, self.since, self.until]
        return [*given, self.text.strip(), self.folds_imports]


@dataclass(frozen=True)
class AuditSpan:
    """How many entries a part of the history has, and when (UTC) the first and the last were."""

    entries: int
    first: datetime | None
    last: datetime | None


def span_audit(store: Store, wanted: AuditFilter) -> AuditSpan:
    """Return how many entries a part of the history has, and over which time."""
    sql = f"SELECT count(*) AS entries, min(time) AS first, max(time) AS last FROM ({_FOUND})"
    (row,) = fetch(store.cursor(), sql, wanted.values)
    return AuditSpan(**row)


def read_audit(store: Store, wanted: AuditFilter, most: int, skip: int = 0) -> pd.DataFrame:
    """Return a portion of the history, newest first.

    The time of an imported label is that of its judgement where the file has told it; when it
    was imported, the entry of the import says.

    Returns
    -------
    DataFrame
        time (UTC), person (the name, or the id), person_id (empty: the command line), kind (one
        of ``KINDS``), what, subject, change (old and new values), collection, collection_id; for
        label events also event, the number that it has in its collection, sequence, that in the
        store, event_id, supersedes.
    """
    cursor = store.cursor()
    found = cursor.execute(
        f"{_FOUND} ORDER BY time DESC, is_label DESC, place DESC LIMIT $8 OFFSET $9",
        [*wanted.values, most, skip],
    ).fetchall()
    entries = _read_entries(cursor, [row[1:] for row in found])
    return _name(cursor, [entries[row[1:]] for row in found])


def read_events(store: Store, sequences: Sequence[int]) -> pd.DataFrame:
    """Return label events by their numbers, in this order; columns as of ``read_audit``."""
    cursor = store.cursor()
    entries = _read_entries(cursor, [(True, sequence) for sequence in sequences])
    return _name(cursor, [entries[True, sequence] for sequence in sequences])


def read_item_history(
    store: Store, collection_id: str, topic_id: str, document_id: str
) -> pd.DataFrame:
    """Return every event about a document of a topic (or a pair), oldest first.

    Columns are those of ``read_audit``, with ``replaces``, the number of the event that it
    replaces, and ``standing``: stands, replaced, or late (it replaced nothing and never counted).
    """
    cursor = store.cursor()
    rows = fetch(
        cursor,
        _LABELS.format(condition="collection_id = ? AND topic_id = ? AND document_id = ?")
        + " ORDER BY labels.sequence",
        [collection_id, topic_id, document_id],
    )
    table = _name(cursor, [_tell_label(row) for row in rows])
    keys = [(*(row[field] for field in _KEY),) for row in rows]
    last = {key: row["sequence"] for key, row in zip(keys, rows, strict=True) if not row["stale"]}
    standing = [_standing(row, last.get(key)) for key, row in zip(keys, rows, strict=True)]
    numbers = dict(zip(table["sequence"], table["event"], strict=True))
    replaces = pd.array([numbers.get(row["replaces"]) for row in rows], dtype="Int64")
    return table.assign(replaces=replaces, standing=standing)


def list_actors(store: Store) -> dict[str, str]:
    """Return the names of everybody who appears in the history, by id."""
    names = _read_names(store.cursor())
    rows = fetch(
        store.cursor(),
        "SELECT DISTINCT assessor_id AS id FROM labels "
        "UNION SELECT DISTINCT person_id FROM changes",
    )
    known = {row["id"]: names.get(row["id"], row["id"]) for row in rows if row["id"]}
    return dict(sorted(known.items(), key=lambda one: one[1].casefold()))


_SOURCES = {"adjudicated": "adjudicate", "imported": "import"}
_KEY = ("topic_id", "document_id", "facet", "engine", "person_id", "occasion")


def _standing(row: dict[str, Any], last: int | None) -> str:
    if row["stale"]:
        return "late"
    return "stands" if row["sequence"] == last else "replaced"


def _read_entries(cursor: Cursor, places: list[tuple[bool, int]]) -> dict[tuple[bool, int], Any]:
    """Return the entries of a portion by where they are."""
    sequences = [place for is_label, place in places if is_label]
    rowids = [place for is_label, place in places if not is_label]
    sql = _LABELS.format(condition="sequence IN (SELECT unnest($1::BIGINT[]))")
    labels = fetch(cursor, sql, [sequences]) if sequences else []
    changes = fetch(cursor, _CHANGES, [rowids]) if rowids else []
    return {(True, row["sequence"]): _tell_label(row) for row in labels} | {
        (False, row["place"]): row for row in changes
    }


def _tell_label(row: dict[str, Any]) -> dict[str, Any]:
    """Return a label event as an entry: what was done to which item, old and new value."""
    old = "none"
    if row["has_before"]:
        old = _value(row["old_state"], row["old_level"], row["old_name"])
    new = _value(row["state"], row["level"], row["level_name"])
    comment = describe_change({"comment": row["old_comment"] or ""}, {"comment": row["comment"]})
    changed = [f"{old} → {new}" if old != new else "", row["aspects"] or "", comment]
    where = [f"topic {row['topic_id']}", f"document {row['document_id']}", row["facet"]]
    again = f"occasion {row['occasion']}" if row["occasion"] > 0 else ""
    return row | {
        "what": _verb(row),
        "subject": ", ".join(filter(None, [*where, row["engine"], again])),
        "change": "; ".join(filter(None, changed)) or "label and comment as before",
    }


def _verb(row: dict[str, Any]) -> str:
    if row["stale"]:
        return "judge too late"
    if row["source"] != "judged":
        return _SOURCES.get(row["source"], str(row["source"]))
    seen = " after seeing others" if row["is_marked"] else ""
    return f"{'revise' if row['has_before'] else 'judge'}{seen}"


def _value(state: str, level: int | None, name: str | None) -> str:
    """Return a level by number and name, which is the number itself on some scales."""
    if state != "level":
        return state
    return f"{level} {name}" if name and name != str(level) else str(level)


def _name(cursor: Cursor, entries: Iterable[dict[str, Any]]) -> pd.DataFrame:
    table = pd.DataFrame(list(entries)).reindex(columns=list(COLUMNS))
    names, collections = _read_names(cursor), _read_collections(cursor)
    table["person"] = [names.get(one, one) or "command line" for one in table["person_id"]]
    table["collection"] = [collections.get(one, one) for one in table["collection_id"]]
    table["time"] = pd.to_datetime(table["time"])
    table["sequence"] = table["sequence"].astype("Int64")
    numbers = number_events(cursor, table["sequence"].dropna().tolist())
    table["event"] = table["sequence"].map(numbers).astype("Int64")
    return table


def _read_names(cursor: Cursor) -> dict[str, str]:
    rows = fetch(
        cursor,
        "SELECT assessor_id AS id, any_value(name) || CASE WHEN bool_or(kind = 'machine') "
        "THEN ' (machine)' ELSE '' END AS name FROM members "
        "WHERE assessor_id NOT IN (SELECT person_id FROM people) GROUP BY assessor_id "
        "UNION ALL SELECT person_id, name FROM people",
    )
    return {row["id"]: row["name"] for row in rows}


def _read_collections(cursor: Cursor) -> dict[str, str]:
    rows = fetch(cursor, "SELECT collection_id, name FROM collections")
    return {row["collection_id"]: row["name"] for row in rows}


_IMPORTS = r"""
    SELECT time, subject, TRY_CAST(
        regexp_extract(detail, '; added (?:[^;"]*, )?([0-9]+) labels(?:, [^;"]*)?$', 1)
        AS BIGINT) AS labels
    FROM changes WHERE collection_id = ? AND what = 'import'
        AND regexp_matches(subject, '^(labels|preferences) from ')
    ORDER BY rowid"""


@dataclass(frozen=True)
class LabelImport:
    """One import of labels: when (UTC), what from which files, and how many were new.

    ``earlier`` is how many labels the imports before it brought.
    """

    time: datetime
    subject: str
    labels: int
    earlier: int


def list_label_imports(store: Store, collection_id: str) -> list[LabelImport]:
    """Return the imports that brought labels into a collection, the newest first.

    An import numbers its events in one go, so its labels follow those of the one before. Where
    the record does not account for every imported label, as in a store that was written by other
    means, none is listed.
    """
    found, earlier = [], 0
    for row in fetch(store.cursor(), _IMPORTS, [collection_id]):
        if labels := row.pop("labels"):
            found.append(LabelImport(**row, labels=labels, earlier=earlier))
            earlier += labels
    (stored,) = fetch(
        store.cursor(),
        "SELECT count(*) AS n FROM labels WHERE collection_id = ? AND source = 'imported'",
        [collection_id],
    )
    return found[::-1] if stored["n"] == earlier else []


def read_imported(
    store: Store, collection_id: str, one: LabelImport, most: int, skip: int = 0
) -> pd.DataFrame:
    """Return a portion of the label events of an import, in the order of the file.

    Columns are those of ``read_audit``.
    """
    rows = fetch(
        store.cursor(),
        "SELECT sequence FROM labels WHERE collection_id = ? AND source = 'imported' "
        "ORDER BY sequence LIMIT ? OFFSET ?",
        [collection_id, max(min(most, one.labels - skip), 0), one.earlier + skip],
    )
    return read_events(store, [row["sequence"] for row in rows])


_ROUND = re.compile(r"round (\S+)")
_SLOT = re.compile(r"slot (\S+) (.*) (\d+)", re.DOTALL)


def name_rounds(store: Store, entries: pd.DataFrame) -> pd.DataFrame:
    """Return a portion of the history in which a subject tells what an organiser calls it.

    The record has ids, which stay as they are: ``slot r-5f182bbb t04 2`` is read as ``slot of
    topic t04, batch 3, Round 1``.

    Parameters
    ----------
    entries : DataFrame
        As ``read_audit`` returns them.
    """
    rows = fetch(store.cursor(), "SELECT round_id, name, batch_size FROM rounds")
    names = {row["round_id"]: _call(row["name"]) for row in rows}
    whole = {row["round_id"] for row in rows if row["batch_size"] is None}
    subjects = [_tell(subject, names, whole) for subject in entries["subject"]]
    return entries.assign(subject=subjects)


def _tell(subject: str, names: dict[str, str], whole: set[str]) -> str:
    if (found := _ROUND.fullmatch(subject)) and found[1] in names:
        return names[found[1]]
    if (found := _SLOT.fullmatch(subject)) and found[1] in names:
        batch = int(found[3]) + 1
        part = "" if batch == 1 and found[1] in whole else f"batch {batch}, "
        return f"slot of topic {found[2]}, {part}{names[found[1]]}"
    return subject


def _call(name: str) -> str:
    """Return a round's name, with what it is unless the name says so."""
    return name if "round" in name.lower() else f"round {name}"
