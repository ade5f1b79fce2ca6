"""Levels of aspects from files: added to imported labels, never to what somebody judged here."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from core.errors import BadInput
from core.store.events.current_labels import SEALED
from core.store.file.database import Cursor, fetch

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
