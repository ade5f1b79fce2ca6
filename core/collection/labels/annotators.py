"""Who judged, where files do not say or say it in two ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.collection.files.checks import refuse_where
from core.collection.files.source import Source
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

ANNOTATORS = "annotators"
"""The frame of those of whom a file has both; it is not stored."""


def frame_annotators(known: Mapping[str, str]) -> dict[str, DataFrame]:
    """Return addresses by numbers as a frame of a file; none where none is known."""
    from pandas import DataFrame

    if not known:
        return {}
    rows = list(known.items())
    return {ANNOTATORS: DataFrame(rows, columns=["number", "assessor_id"], dtype="str")}


def refuse_two_names(frames: dict[str, DataFrame], kind: str) -> dict[str, DataFrame]:
    """Return frames without that of annotators; refuse files that name one of them in two ways.

    Raises
    ------
    BadInput
        One file has a number for somebody of whom another has the address, or another address.
    """
    annotators = frames.get(ANNOTATORS)
    if annotators is None:
        return frames
    named = set(frames[kind]["assessor_id"])
    for number, found in annotators.groupby("number", sort=False)["assessor_id"]:
        names = [*dict.fromkeys(found), *([number] if number in named else [])]
        if len(names) > 1:
            raise BadInput(
                f"one annotator, number {number}, is called {' and '.join(map(str, names))} in "
                "these files; export them all in the same way",
                field="completed_by",
            )
    return {name: frame for name, frame in frames.items() if name != ANNOTATORS}


_ITEM = ("topic_id", "document_id", "facet", "engine", "occasion")


def refuse_repeated_items(source: Source, frame: DataFrame) -> None:
    """Refuse several labels of an item where nobody is named: they may be several people's."""
    item = [name for name in _ITEM if name in frame]
    refuse_where(
        frame,
        frame.duplicated(item),
        lambda row: (
            f"topic {row['topic_id']}, document {row['document_id']} comes again, and nobody is "
            "named who judged; say which field names them, as in assessor=FIELD, or keep a file a "
            "person"
        ),
        file=source.name,
        field="assessor",
    )
