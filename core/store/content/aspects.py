"""The aspects of a collection: added at any time, ended, never taken away."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from core.collection.aspects import Aspect
from core.collection.records import FACETS, Level, Scale
from core.errors import BadInput, NotFound
from core.store.audit.change_diff import describe_change, describe_scale
from core.store.content.scales import check_levels, get_scales
from core.store.events.current_labels import SEALED
from core.store.file.database import Cursor, fetch
from core.store.store import Store, utc_now

LONGEST_NAME, LONGEST_QUESTION = 40, 200
RELEVANCE = "relevance"
"""No aspect is called so: it is what every label says first."""

_BOTH = ""
"""How the store writes that an aspect is asked of snippets and of pages."""


def list_aspects(store: Store, collection_id: str) -> tuple[Aspect, ...]:
    """Return the aspects in the order in which they are asked, those that ended among them."""
    return _read(store.cursor(), collection_id)


def find_aspect(store: Store, collection_id: str, name: str) -> Aspect:
    """Return an aspect by its name; raises NotFound, naming those there are."""
    known = {one.name: one for one in list_aspects(store, collection_id)}
    if name not in known:
        there = f"; there are {', '.join(known)}" if known else ", nor any other"
        raise NotFound(f"There is no aspect '{name}'{there}.")
    return known[name]


def read_aspect_scales(store: Store, collection_id: str) -> dict[str, Scale]:
    """Return the scale of each aspect by its name, in the order in which they are asked."""
    return {one.name: one.levels for one in list_aspects(store, collection_id)}


def _read(cursor: Cursor, collection_id: str) -> tuple[Aspect, ...]:
    levels: dict[str, tuple[Level, ...]] = {}
    for row in fetch(
        cursor,
        "SELECT aspect, level, name, meaning, key, counts_as FROM aspect_levels "
        "WHERE collection_id = ? ORDER BY aspect, level",
        [collection_id],
    ):
        aspect = row.pop("aspect")
        levels[aspect] = (*levels.get(aspect, ()), Level(**row))
    rows = fetch(
        cursor,
        "SELECT name, facet, question, from_level, may_be_left_out, ended_at FROM aspects "
        "WHERE collection_id = ? ORDER BY position",
        [collection_id],
    )
    return tuple(
        Aspect(
            facets=FACETS if (facet := row.pop("facet")) == _BOTH else (facet,),
            levels=levels[row["name"]],
            **row,
        )
        for row in rows
    )


def add_aspect(store: Store, collection_id: str, aspect: Aspect, by: str = "") -> None:
    """Add an aspect, asked after those there are. What was judged before lacks it.

    Raises
    ------
    BadInput
        Name or question are empty, too long or taken; the levels are none of a scale; or
        ``from_level`` is not on the scale of everything that the aspect is asked of.
    """
    aspect = _tidy(aspect)
    _check(store, collection_id, aspect)
    known = list_aspects(store, collection_id)
    if aspect.name.casefold() in {RELEVANCE, *(one.name.casefold() for one in known)}:
        raise BadInput(f"the name '{aspect.name}' is taken", field="name")
    detail = describe_change({}, _describe(aspect))
    with store.change(collection_id, "add", f"aspect {aspect.name}", detail, by) as cursor:
        cursor.execute(
            "INSERT INTO aspects VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            [collection_id, aspect.name, len(known), *_row(aspect), utc_now()],
        )
        _insert_levels(cursor, collection_id, aspect)


def change_aspect(store: Store, collection_id: str, aspect: Aspect, by: str = "") -> None:
    """Change the aspect of this name.

    Raises
    ------
    NotFound
        There is none.
    BadInput
        As for `add_aspect`; it has ended; a level that labels use would go; or, once there are
        labels of it, something else than its levels would change: what was asked of whom has to
        stay known.
    """
    aspect = _tidy(aspect)
    before = find_aspect(store, collection_id, aspect.name)
    _check(store, collection_id, aspect)
    if before.ended_at is not None:
        raise BadInput(f"'{aspect.name}' is asked no more", field="aspect")
    used = aspect_levels_in_use(store, collection_id, aspect.name)
    gone = used - {None, *(level.level for level in aspect.levels)}
    if gone:
        lost = min(level for level in gone if level is not None)
        raise BadInput(
            f"labels with level {lost} of '{aspect.name}' are stored, so it has to stay",
            field="level",
        )
    if used and replace(aspect, levels=before.levels) != before:
        raise BadInput(
            f"there are labels of '{aspect.name}', so only its levels can be changed; end it and "
            "add another",
            field="aspect",
        )
    detail = describe_change(_describe(before), _describe(aspect))
    with store.change(collection_id, "replace", f"aspect {aspect.name}", detail, by) as cursor:
        cursor.execute(
            "UPDATE aspects SET facet = ?, question = ?, from_level = ?, may_be_left_out = ? "
            "WHERE collection_id = ? AND name = ?",
            [*_row(aspect), collection_id, aspect.name],
        )
        cursor.execute(
            "DELETE FROM aspect_levels WHERE collection_id = ? AND aspect = ?",
            [collection_id, aspect.name],
        )
        _insert_levels(cursor, collection_id, aspect)


def end_aspect(store: Store, collection_id: str, name: str, by: str = "") -> None:
    """Ask an aspect no more; its labels stay. Ending it again does nothing.

    Raises
    ------
    NotFound
        There is none of this name.
    """
    if find_aspect(store, collection_id, name).ended_at is not None:
        return
    with store.change(collection_id, "end", f"aspect {name}", "", by) as cursor:
        cursor.execute(
            "UPDATE aspects SET ended_at = ? WHERE collection_id = ? AND name = ?",
            [utc_now(), collection_id, name],
        )


def aspect_levels_in_use(store: Store, collection_id: str, name: str) -> set[int | None]:
    """Return the levels of an aspect that labels use; None where it was left out."""
    rows = fetch(
        store.cursor(),
        "SELECT DISTINCT level FROM aspect_labels WHERE collection_id = ? AND aspect = ?",
        [collection_id, name],
    )
    return {row["level"] for row in rows}


def _tidy(aspect: Aspect) -> Aspect:
    return replace(
        aspect,
        name=" ".join(aspect.name.split()),
        question=" ".join(aspect.question.split()),
        facets=tuple(sorted(set(aspect.facets), key=[*FACETS, *aspect.facets].index)),
        levels=tuple(sorted(aspect.levels, key=lambda one: one.level)),
    )


def _check(store: Store, collection_id: str, aspect: Aspect) -> None:
    for field, longest in (("name", LONGEST_NAME), ("question", LONGEST_QUESTION)):
        text = getattr(aspect, field)
        if not text:
            raise BadInput(f"an aspect needs a {field}", field=field)
        if len(text) > longest:
            raise BadInput(f"the {field} of an aspect has at most {longest} letters", field=field)
    if not aspect.facets or not set(aspect.facets) <= set(FACETS):
        raise BadInput(f"an aspect is asked of {' or '.join(FACETS)}s", field="facet")
    check_levels(aspect.levels)
    scales = get_scales(store, collection_id)
    for facet in aspect.facets if aspect.from_level is not None else ():
        _check_from(scales.get(facet, ()), facet, aspect.from_level)


def _check_from(scale: Sequence[Level], facet: str, from_level: int | None) -> None:
    if from_level not in {one.level for one in scale}:
        raise BadInput(f"{from_level} is not on the {facet} scale", field="from level")


def _row(aspect: Aspect) -> list[object]:
    facet = _BOTH if set(aspect.facets) == set(FACETS) else aspect.facets[0]
    return [facet, aspect.question, aspect.from_level, aspect.may_be_left_out]


def _describe(aspect: Aspect) -> dict[str, object]:
    """Return an aspect as fields of an alteration."""
    return {
        "asked of": " and ".join(f"{facet}s" for facet in FACETS if facet in aspect.facets),
        "question": aspect.question,
        "from level": aspect.from_level,
        "may be left out": aspect.may_be_left_out,
        **describe_scale(aspect.levels),
    }


def _insert_levels(cursor: Cursor, collection_id: str, aspect: Aspect) -> None:
    cursor.executemany(
        "INSERT INTO aspect_levels VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            [collection_id, aspect.name, one.level, one.name, one.meaning, one.key, one.counts_as]
            for one in aspect.levels
        ],
    )


_KEY = "topic_id, document_id, facet, engine, assessor_id, occasion"
_STANDING = f"""
    SELECT {_KEY}, arg_max(event_id, sequence) AS event_id FROM labels
    WHERE collection_id = $1 AND NOT stale AND occasion >= 0 AND source <> 'adjudicated'
        AND {SEALED}
    GROUP BY ALL"""
_MET = f"""
    CREATE OR REPLACE TEMP TABLE aspects_met AS
    SELECT incoming.*, label.event_id AS event_id, label.state AS label_state,
        label.level AS label_level, label.source AS source, defined.name AS defined,
        defined.facet AS asked_of, defined.from_level AS from_level,
        defined.may_be_left_out AS may_be_left_out, scale.level AS on_scale,
        said.event_id IS NOT NULL AS is_said, said.level AS said_level
    FROM incoming_aspects AS incoming
    LEFT JOIN ({_STANDING}) AS standing USING ({_KEY})
    LEFT JOIN labels AS label ON label.event_id = standing.event_id
    LEFT JOIN (FROM aspects WHERE collection_id = $1) AS defined ON defined.name = incoming.aspect
    LEFT JOIN (FROM aspect_levels WHERE collection_id = $1) AS scale
        ON scale.aspect = incoming.aspect AND scale.level = incoming.level
    LEFT JOIN aspect_labels AS said
        ON said.event_id = label.event_id AND said.aspect = incoming.aspect"""

_Why = Callable[[dict[str, Any]], str]
_REFUSED: tuple[tuple[str, _Why], ...] = (
    (
        "defined IS NULL",
        lambda row: f"the collection has no aspect '{row['aspect']}'; add it first",
    ),
    (
        "asked_of NOT IN ('', facet)",
        lambda row: f"the aspect '{row['aspect']}' is not asked of a {row['facet']}",
    ),
    (
        "level IS NOT NULL AND on_scale IS NULL",
        lambda row: (
            f"level {row['level']:g} is not on the scale of the aspect '{row['aspect']}'; change "
            "the scale first"
        ),
    ),
    (
        "level IS NULL AND NOT may_be_left_out",
        lambda row: f"{_name(row)} has no level, and '{row['aspect']}' may not be left out",
    ),
    (
        "event_id IS NULL",
        lambda row: f"{_name(row)} has no label here; import the labels first, or both together",
    ),
    (
        "label_state <> 'level' OR relevance IS NOT NULL AND relevance <> label_level",
        lambda row: (
            f"{_name(row)} was said with the relevance {row['relevance']:g}, but the label here "
            f"has {'no level' if row['label_level'] is None else row['label_level']}"
            if row["relevance"] is not None
            else f"the label of {_name(row)} has no level, so it has none of an aspect"
        ),
    ),
    (
        "level IS NOT NULL AND from_level IS NOT NULL AND label_level < from_level",
        lambda row: (
            f"'{row['aspect']}' is asked from level {row['from_level']} on, and the label of "
            f"{_name(row)} has {row['label_level']}"
        ),
    ),
    (
        "is_said AND said_level IS DISTINCT FROM level",
        lambda row: f"{_name(row)} differs from what is stored; labels are never overwritten",
    ),
    (
        "NOT is_said AND source <> 'imported'",
        lambda row: (
            f"{_name(row)} was judged here without '{row['aspect']}'; nothing is added to what "
            "somebody has judged"
        ),
    ),
)
"""What cannot be stored, in the order in which it is looked for, each with its reason."""


def add_aspect_levels(
    cursor: Cursor, collection_id: str, frame: pd.DataFrame, source: str
) -> tuple[int, int]:
    """Add levels of aspects to labels that were imported without; return how many, and of what.

    Parameters
    ----------
    frame : DataFrame
        The canonical frame of the kind ``aspects``.
    source : str
        The file's name, for messages.

    Returns
    -------
    tuple of int
        How many were added, and how many were there already.

    Raises
    ------
    BadInput
        An aspect or level is not defined here, or there is no imported label that it belongs to.
    """
    cursor.register("incoming_aspects", _as_rows(frame))
    cursor.execute(_MET, [collection_id])
    for test, why in _REFUSED:
        if rows := fetch(cursor, f"FROM aspects_met WHERE {test} LIMIT 1", []):
            raise BadInput(why(rows[0]), file=source, field="aspect")
    (added,) = cursor.execute(
        "INSERT INTO aspect_labels SELECT $1, event_id, aspect, level FROM aspects_met "
        "WHERE NOT is_said",
        [collection_id],
    ).fetchone() or (0,)
    cursor.execute("DROP TABLE aspects_met")
    cursor.unregister("incoming_aspects")
    return int(added), len(frame) - int(added)


def _as_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return what is compared, with nothing where there is no number."""
    rows = frame[[*_KEY.split(", "), "aspect", "level", "relevance"]].copy()
    return rows.astype({"level": "Float64", "relevance": "Float64"})


def _name(row: dict[str, Any]) -> str:
    return "{assessor_id} on topic {topic_id}, document {document_id}".format(**row)
