"""Side-by-side preferences: which of two items of a topic somebody chose, and on which side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.collection.file_format import Kind, Parsed
from core.collection.files.checks import (
    LINE,
    are_whole,
    count_values,
    read_numbers,
    refuse_where,
    with_columns,
)
from core.collection.files.source import Source
from core.collection.labels.annotators import refuse_two_names
from core.collection.labels.label_options import CANNOT_JUDGE, JUDGED
from core.collection.records import DOCUMENTS, FACETS, FACETS_OF, PAGE, PANEL, SYSTEMS
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame


FIRST, SECOND, TIE = "first", "second", "tie"
STRENGTHS = {"": 0, "0": 0, "1": 1, "2": 2, "slightly": 1, "clearly": 2}

KEY = ("topic_id", "kind", "facet", "first", "second", "assessor_id", "occasion")
PREFERENCE = (*KEY[:5], "left", "choice", "strength", "assessor_id", "occasion", "state")

_NEITHER, _CANNOT = 2, 3
_TEXTS = ("kind", "facet", "strength", "assessor_id", "occasion", "state")


@dataclass(frozen=True)
class PreferenceOptions:
    """How preferences are read.

    Parameters
    ----------
    compared : {'', 'documents', 'systems'}
        What was compared, where the file does not say; documents if nobody does.
    facet : str
        What of the documents was shown, where the file does not say: 'page' or 'snippet'.
    columns : mapping
        The file's names for columns: ``{"choice": "answer"}``.
    """

    compared: str = ""
    facet: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.compared and self.compared not in FACETS_OF:
            raise BadInput(f"what was compared is {' or '.join(FACETS_OF)}", field="compared")
        if self.facet and self.facet not in FACETS:
            raise BadInput(f"a facet of documents is {' or '.join(FACETS)}", field="facet")


def parse_preferences(
    source: Source, frame: DataFrame, options: PreferenceOptions, *, ids_first: bool = False
) -> Parsed:
    """Return the canonical frame of preferences that are still text.

    Parameters
    ----------
    frame : DataFrame
        ``topic_id``, the items ``one`` and ``other``, ``left`` ('' if unknown), ``choice``, LINE;
        optional ``kind, facet, strength, assessor_id, occasion, state``. ``words`` holds the
        words that mean one and the other item, separated by a space.
    ids_first : bool
        Whether a choice that is both a word and an item's id means the item.
    """
    frame = with_columns(frame, _TEXTS)
    assumed = bool(not options.compared and (frame["kind"] == "").any())
    frame = _parse_facets(source, frame, options)
    _refuse_pairs(source, frame)
    frame = _parse_choices(source, frame, ids_first)
    frame = _parse_strengths(source, frame)
    occasion = read_numbers(
        frame, "occasion", are_whole(), "a whole number from 0", file=source.name, empty=0
    )
    frame = frame.assign(occasion=occasion.astype(np.int64))
    frame, unnamed = _name_assessors(frame)
    notes = []
    if assumed:
        notes.append("the file does not say what was compared; it was taken for documents")
    if unnamed:
        notes.append(
            f"{unnamed:,} preferences name no assessor; those of a pair were taken for the "
            "preferences of different people, unnamed-1, unnamed-2 …"
        )
    return Parsed({"preferences": frame[[*PREFERENCE, LINE]]}, notes=tuple(notes))


def _parse_facets(source: Source, frame: DataFrame, options: PreferenceOptions) -> DataFrame:
    from pandas import Series

    kind = frame["kind"].str.lower().where(frame["kind"] != "", options.compared or DOCUMENTS)
    refuse_where(
        frame,
        ~kind.isin(FACETS_OF),
        lambda row: f"'{row['kind']}' is not compared; it is {' or '.join(FACETS_OF)}",
        file=source.name,
        field="kind",
    )
    usual = Series(np.where(kind == SYSTEMS, PANEL, options.facet or PAGE), kind.index, dtype="str")
    facet = frame["facet"].str.lower().where(frame["facet"] != "", usual)
    frame = frame.assign(kind=kind, facet=facet)
    refuse_where(
        frame,
        (facet == PANEL) != (kind == SYSTEMS) | ~facet.isin((*FACETS, PANEL)),
        lambda row: (
            f"'{row['facet']}' is no facet of {row['kind']}; it is "
            f"{' or '.join(FACETS_OF[row['kind']])}"
        ),
        file=source.name,
        field="facet",
    )
    return frame


def _refuse_pairs(source: Source, frame: DataFrame) -> None:
    for name in ("one", "other"):
        empty = frame[name] == ""
        refuse_where(frame, empty, lambda _: "an item is empty", file=source.name, field="left")
    refuse_where(
        frame,
        frame["one"] == frame["other"],
        lambda row: f"'{row['one']}' is compared with itself",
        file=source.name,
        field="right",
    )
    stray = (frame["left"] != "") & (frame["left"] != frame["one"])
    refuse_where(
        frame,
        stray & (frame["left"] != frame["other"]),
        lambda row: f"'{row['left']}' is neither '{row['one']}' nor '{row['other']}'",
        file=source.name,
        field="left",
    )


def _parse_choices(source: Source, frame: DataFrame, ids_first: bool) -> DataFrame:
    """Add first and second in sorted order, the choice between them, and the state."""
    from pandas import Series

    chosen = _read_choices(frame, ids_first)
    refuse_where(
        frame,
        chosen == _NEITHER,
        lambda row: (
            f"'{row['choice']}' is no choice; it is {row['words'].replace(' ', ', ')}"
            f"{', ' if row['words'] else ''}{TIE}, '{CANNOT_JUDGE}' or the id of an item: "
            f"'{row['one']}' or '{row['other']}'"
        ),
        file=source.name,
        field="choice",
    )
    swapped = (frame["one"] > frame["other"]).to_numpy()
    sign = np.where(swapped & (np.abs(chosen) == 1), -chosen, chosen)
    choice = np.select([sign == 1, sign == -1, sign == 0], [FIRST, SECOND, TIE], "")
    return frame.assign(
        first=frame["one"].mask(swapped, frame["other"]),
        second=frame["other"].mask(swapped, frame["one"]),
        choice=Series(choice, frame.index, dtype="str"),
        state=Series(np.where(chosen == _CANNOT, CANNOT_JUDGE, JUDGED), frame.index, dtype="str"),
    )


def _read_choices(frame: DataFrame, ids_first: bool) -> NDArray[np.int64]:
    """Return 1 for one, −1 for the other, 0 for a tie; _CANNOT or _NEITHER."""
    given, word = frame["choice"], frame["choice"].str.lower()
    one, other, left = frame["one"], frame["other"], frame["left"]
    named = frame["words"].str.partition(" ")
    one_left, other_left = left == one, left == other
    words = [
        (word == TIE, 0),
        ((word == named[0]) & (word != ""), 1),
        ((word == named[2]) & (word != ""), -1),
        ((word == "left") & one_left | (word == "right") & other_left, 1),
        ((word == "left") & other_left | (word == "right") & one_left, -1),
    ]
    ids = [(given == one, 1), (given == other, -1)]
    cannot = (word == CANNOT_JUDGE) | (frame["state"].str.lower() == CANNOT_JUDGE)
    tests = [(cannot, _CANNOT), *(ids + words if ids_first else words + ids)]
    masks = [test.to_numpy(dtype=bool) for test, _ in tests]
    return np.select(masks, [value for _, value in tests], _NEITHER).astype(np.int64)


def _parse_strengths(source: Source, frame: DataFrame) -> DataFrame:
    strength = frame["strength"].str.lower().map(STRENGTHS)
    refuse_where(
        frame,
        strength.isna(),
        lambda row: f"'{row['strength']}' is no strength; it is 1 slightly, 2 clearly or empty",
        file=source.name,
        field="strength",
    )
    refuse_where(
        frame,
        (strength > 0) & ~frame["choice"].isin([FIRST, SECOND]),
        lambda _: "only a choice between the two has a strength; leave it empty here",
        file=source.name,
        field="strength",
    )
    return frame.assign(strength=strength.astype(np.int64))


def _name_assessors(frame: DataFrame) -> tuple[DataFrame, int]:
    """Give preferences without an assessor one each; also return how many they are."""
    unnamed = frame["assessor_id"] == ""
    if not unnamed.any():
        return frame, 0
    keys = [name for name in KEY if name != "assessor_id"]
    position = frame[unnamed].groupby(keys, sort=False).cumcount() + 1
    names = "unnamed-" + position.astype("str")
    assessor = frame["assessor_id"].mask(unnamed, names.reindex(frame.index))
    return frame.assign(assessor_id=assessor.astype("str")), int(unnamed.sum())


def _finish(parsed: Parsed) -> Parsed:
    preferences = parsed.frames["preferences"]
    pairs = preferences[["topic_id", "kind", "facet", "first", "second"]].drop_duplicates()
    counts: dict[str, Any] = {
        "preferences": int((preferences["state"] == JUDGED).sum()),
        "ties": int((preferences["choice"] == TIE).sum()),
        "cannot judge": int((preferences["state"] == CANNOT_JUDGE).sum()),
        "pairs": len(pairs),
        "topics": count_values(preferences, "topic_id"),
        "assessors": count_values(preferences, "assessor_id"),
    }
    frames = refuse_two_names(parsed.frames, "preferences")
    return Parsed(frames, counts | parsed.counts, parsed.notes)


PREFERENCES = Kind(
    "preferences",
    "What somebody chose of two.",
    {"preferences": (KEY,)},
    _finish,
    PreferenceOptions,
)
