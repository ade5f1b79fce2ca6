"""Writing what was read from files into the store: whole or not at all."""

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass

import pandas as pd

from core.collection.labels.label_options import GOLD, KIND
from core.collection.records import PAIR, Import
from core.errors import BadInput
from core.store.audit.change_diff import describe_import
from core.store.clicks.click_logs import add_click_log
from core.store.content.aspects import add_aspect_levels
from core.store.content.scales import Scales, put_scale
from core.store.file.database import Cursor
from core.store.machines.machines import add_answers, describe_imported, read_mapping, refuse_unread
from core.store.people.members import note_newcomers
from core.store.people.roster import GOLD_KIND, PERSON
from core.store.rounds.pairs import insert_pairs, pair_labels
from core.store.store import Store, note_change, utc_now


@dataclass(frozen=True)
class ImportedTable:
    """How the rows of one table are told apart and grouped when they meet stored ones.

    ``unit`` are the columns that name what arrives whole (a document, a system's run);
    a unit that is already stored must be the same, or the import is refused.
    """

    name: str
    unit: tuple[str, ...]
    columns: tuple[str, ...]
    noun: str


TABLES = {
    "topics": ImportedTable(
        "topics", ("topic_id",), ("topic_id", "query", "description", "narrative", "type"), "topic"
    ),
    "subtopics": ImportedTable(
        "subtopics",
        ("topic_id",),
        ("topic_id", "subtopic_id", "type", "text", "probability"),
        "subtopic list of topic",
    ),
    "documents": ImportedTable(
        "documents", ("document_id",), ("document_id", "title", "url", "text", "html"), "document"
    ),
    "results": ImportedTable(
        "results",
        ("topic_id", "engine"),
        ("topic_id", "engine", "document_id", "rank", "snippet", "vertical"),
        "result list of",
    ),
    "runs": ImportedTable(
        "run_lines",
        ("system",),
        ("system", "topic_id", "document_id", "score", "rank"),
        "run of system",
    ),
    "qrels": ImportedTable(
        "qrels", ("name",), ("name", "topic_id", "iteration", "document_id", "level"), "qrels"
    ),
}


NAMED = ("qrels", "clicks")
"""Kinds that are stored under a name, that of the file unless another is given."""


class _Undo(Exception):
    """Ends a rehearsal."""


def write_import(
    store: Store,
    collection_id: str,
    imported: Import,
    *,
    name: str = "",
    by: str = "",
    rehearse: bool = False,
) -> dict[str, int]:
    """Add what was read to a collection in one transaction.

    Parameters
    ----------
    imported : Import
        The frames that a file format produced.
    name : str
        What qrels or a click log are to be called; the name of the file unless given.
    rehearse : bool
        Do everything, count, and take it back: for a preview.

    Returns
    -------
    dict
        Rows added by table, and under "already there" the rows that were stored before.

    Raises
    ------
    BadInput
        Something stored under the same name differs; nothing was written.
    """
    (counts,) = write_imports(
        store, collection_id, [Incoming(imported, name)], by=by, rehearse=rehearse
    )
    return counts


@dataclass(frozen=True)
class Incoming:
    """What was read of one kind, and its name where it needs one: qrels, click logs."""

    imported: Import
    name: str = ""


def write_imports(
    store: Store,
    collection_id: str,
    incoming: Sequence[Incoming],
    *,
    scales: Scales | None = None,
    by: str = "",
    rehearse: bool = False,
) -> list[dict[str, int]]:
    """Add what was read of several kinds to a collection in one transaction, in this order.

    Parameters
    ----------
    incoming : sequence of Incoming
        At least one.
    scales : mapping, optional
        Levels that replace those of a facet before anything is added.
    by, rehearse
        As in `write_import`.

    Returns
    -------
    list of dict
        For each that came in, as `write_import` returns it.

    Raises
    ------
    BadInput
        As `write_import` and `replace_scale`; nothing was written.
    """
    counts: list[dict[str, int]] = [{"already there": 0} for _ in incoming]
    *earlier, (last, detail) = list(zip(incoming, counts, strict=True))
    change = store.change(
        collection_id, "import", _name_source(last), lambda: _describe(last, detail), by
    )
    has_labels = any(_LABELLED & one.imported.frames.keys() for one in incoming)
    numbering = store.labels.bulk(collection_id) if has_labels else nullcontext(0)
    with suppress(_Undo), numbering as sequence, change as cursor:
        for facet, levels in (scales or {}).items():
            altered = put_scale(cursor, collection_id, facet, levels)
            note_change(cursor, collection_id, "replace", "scale", altered, by)
        for one, added in earlier:
            _write(cursor, store.secret, collection_id, one, sequence, by, added)
            sequence += added.get("labels", 0)
            note_change(
                cursor, collection_id, "import", _name_source(one), _describe(one, added), by
            )
        _write(cursor, store.secret, collection_id, last, sequence, by, detail)
        if rehearse:
            raise _Undo
    return counts


_LABELLED = {"labels", "preferences", "aspects"}
"""The frames whose rows become label events, or belong to some."""


def _name_source(incoming: Incoming) -> str:
    imported = incoming.imported
    return f"{imported.kind} from {imported.source} ({imported.sha256[:12]})"


def _describe(incoming: Incoming, added: dict[str, int]) -> str:
    detail = describe_import(incoming.imported.counts, incoming.name, added)
    machines = incoming.imported.frames.get("machines", pd.DataFrame({"parameters": []}))
    return "; ".join([*(f"levels mapped: {one}" for one in read_mapping(machines)), detail])


def _write(
    cursor: Cursor,
    secret: str,
    collection_id: str,
    incoming: Incoming,
    last: int,
    by: str,
    counts: dict[str, int],
) -> None:
    """Add what was read of one kind, its events after the sequence ``last``; count it."""
    imported = incoming.imported
    pairs, labels = None, imported.frames.get("labels")
    if (preferred := imported.frames.get("preferences")) is not None:
        pairs, labels = pair_labels(secret, preferred)
    for key in imported.frames.keys() & TABLES.keys():
        rows = imported.frames[key]
        if key == "qrels":
            rows = rows.assign(name=incoming.name or imported.source)
        _add(cursor, collection_id, TABLES[key], rows, imported.source, counts)
    if pairs is not None:
        insert_pairs(cursor, collection_id, pairs)
    if labels is not None:
        if (machines := imported.frames.get("machines")) is not None:
            describe_imported(cursor, collection_id, machines, by)
        labels = find_queried_topics(cursor, collection_id, labels)
        note_newcomers(cursor, collection_id, labels["assessor_id"], by)
        _add_labels(cursor, collection_id, labels, last, imported.source, counts)
    if "clicks" in imported.frames:
        add_click_log(cursor, collection_id, imported, incoming.name or imported.source, counts)
    if (aspects := imported.frames.get("aspects")) is not None:
        added, there = add_aspect_levels(cursor, collection_id, aspects, imported.source)
        counts["aspect_labels"] = added
        counts["already there"] += there


def _add(
    cursor: Cursor,
    collection_id: str,
    table: ImportedTable,
    frame: pd.DataFrame,
    source: str,
    counts: dict[str, int],
) -> None:
    unit, columns = ", ".join(table.unit), ", ".join(table.columns)
    cursor.register("incoming", frame[list(table.columns)])
    stored = f"SELECT {columns} FROM {table.name} WHERE collection_id = $1"
    changed = cursor.execute(
        f"""WITH stored AS ({stored}),
                 known AS (SELECT DISTINCT {unit} FROM incoming SEMI JOIN stored USING ({unit}))
            SELECT {unit} FROM (
                (SELECT {columns} FROM incoming SEMI JOIN known USING ({unit}) EXCEPT FROM stored)
                UNION ALL
                (SELECT {columns} FROM stored SEMI JOIN known USING ({unit})
                 EXCEPT SELECT {columns} FROM incoming)) LIMIT 1""",
        [collection_id],
    ).fetchone()
    if changed:
        raise BadInput(
            f"the {table.noun} {', '.join(changed)} is already there with other content; "
            "what is stored is never overwritten",
            file=source,
        )
    extra = _positions(cursor, collection_id) if table.name == "topics" else ""
    listed = f"{extra and 'position, '}{columns}"
    (added,) = cursor.execute(
        f"""INSERT INTO {table.name} (collection_id, {listed})
            SELECT $1, {extra}{columns} FROM incoming
            ANTI JOIN ({stored}) USING ({unit})""",
        [collection_id],
    ).fetchone() or (0,)
    counts[table.name] = added
    counts["already there"] += len(frame) - added
    cursor.unregister("incoming")


def _positions(cursor: Cursor, collection_id: str) -> str:
    """Return the SQL that numbers new topics after those that are there."""
    (count,) = cursor.execute(
        "SELECT count(*) FROM topics WHERE collection_id = ?", [collection_id]
    ).fetchone() or (0,)
    return f"{int(count)} + row_number() OVER (), "


_PLACE = "topic_id, document_id, facet, assessor_id, occasion"
_KEY = f"{_PLACE}, engine"


def _add_labels(
    cursor: Cursor,
    collection_id: str,
    frame: pd.DataFrame,
    last: int,
    source: str,
    counts: dict[str, int],
) -> None:
    """Append imported labels as events; a label that is there already is left alone."""
    cursor.register("incoming", _label_rows(frame))
    _check_levels(cursor, collection_id, source)
    differing = cursor.execute(
        f"""SELECT assessor_id, topic_id, document_id FROM incoming
            JOIN current_labels USING ({_PLACE})
            WHERE collection_id = ? AND (current_labels.engine <> incoming.engine
                OR label.level IS DISTINCT FROM incoming.level
                OR label.state <> incoming.state)
                AND (current_labels.engine = incoming.engine OR facet LIKE '%{PAIR}') LIMIT 1""",
        [collection_id],
    ).fetchone()
    if differing:
        raise BadInput(
            "{} has already judged topic {}, document {} differently; "
            "labels are never overwritten".format(*differing),
            file=source,
        )
    cursor.execute(
        f"""INSERT INTO labels
            SELECT $2 + row_number() OVER (), uuid(), NULL, $1, coalesce(time, $3), '',
                assessor_id, topic_id, document_id, facet, engine, occasion, state, level,
                dwell_ms, comment, 'imported', false
            FROM incoming ANTI JOIN
                (FROM current_labels WHERE collection_id = $1) USING ({_KEY})""",
        [collection_id, last, utc_now()],
    )
    (added,) = cursor.execute(
        "SELECT count(*) FROM labels WHERE sequence > ?", [last]
    ).fetchone() or (0,)
    cursor.execute(
        """INSERT INTO members (collection_id, assessor_id, name, "group", origin, kind)
           SELECT $1, assessor_id, assessor_id, max("group"), 'imported',
               if(assessor_id = $2, $3, max(assessor_kind))
           FROM incoming GROUP BY assessor_id ON CONFLICT DO NOTHING""",
        [collection_id, GOLD, GOLD_KIND],
    )
    refuse_unread(cursor, collection_id, last, source)
    counts["labels"] = added
    if answers := add_answers(cursor, collection_id, frame, last):
        counts["machine_answers"] = answers
    counts["already there"] += len(frame) - added
    cursor.unregister("incoming")


def _label_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return labels with every column that the store keeps."""
    rows = frame.reindex(columns=[*_KEY.split(", "), "state", "level"]).copy()
    rows["level"] = rows["level"].astype("Float64")  # those of no scale may be anything
    for column, usual in (("group", ""), ("comment", ""), (KIND, PERSON)):
        given = frame[column] if column in frame else pd.Series(usual, index=frame.index)
        rows[column] = given.fillna(usual).astype("str")
    given = frame["time"] if "time" in frame else pd.Series(pd.NaT, index=frame.index)
    rows["time"] = pd.to_datetime(given, utc=True).dt.tz_localize(None)
    given = frame["dwell_ms"] if "dwell_ms" in frame else pd.Series(0, index=frame.index)
    # The store holds 24 days for an event; only sums of several could ever be more.
    rows["dwell_ms"] = given.fillna(0).astype("int64").clip(upper=2**31 - 1)
    return rows


def _check_levels(cursor: Cursor, collection_id: str, source: str) -> None:
    unknown = cursor.execute(
        f"""SELECT facet, level FROM incoming
            ANTI JOIN (FROM levels WHERE collection_id = ?) USING (facet, level)
            WHERE state = 'level' AND facet NOT LIKE '%{PAIR}' LIMIT 1""",
        [collection_id],
    ).fetchone()
    if unknown:
        raise BadInput(
            f"level {unknown[1]:g} is not on this collection's {unknown[0]} scale; "
            "change the scale first, or map the values",
            file=source,
            field="level",
        )


def find_queried_topics(cursor: Cursor, collection_id: str, labels: pd.DataFrame) -> pd.DataFrame:
    """Return labels with topics' ids in place of queries.

    Only where the collection has no topic of that id, and exactly one with that query: white space
    at both ends does not matter.
    """
    rows = cursor.execute(
        """SELECT trim(query), min(topic_id) FROM topics WHERE collection_id = $1
           GROUP BY trim(query) HAVING count(*) = 1
               AND trim(query) NOT IN (SELECT topic_id FROM topics WHERE collection_id = $1)""",
        [collection_id],
    ).fetchall()
    topic_of = dict(rows)
    given = {topic: topic_of.get(topic.strip(), topic) for topic in labels["topic_id"].unique()}
    if all(topic == found for topic, found in given.items()):
        return labels
    return labels.assign(topic_id=labels["topic_id"].map(given).astype("str"))
