"""The values of labels: levels and states, occasions, times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.collection.files.checks import LINE, are_whole, read_numbers, refuse_where, with_columns
from core.collection.files.numbers import parse_number, parse_numbers
from core.collection.files.source import Source
from core.collection.labels.label_options import (
    ANSWER,
    CANNOT_JUDGE,
    INVALID_ANSWER,
    JUDGED,
    KEY,
    KIND,
    LABEL,
    ROUND,
    STATES,
    LabelOptions,
)
from core.collection.labels.machine_labels import refuse_strays
from core.collection.records import FACETS, MACHINE, MEMBER_KINDS, PAGE, Scale

if TYPE_CHECKING:
    from pandas import DataFrame, Series


def parse_facets(
    source: Source, frame: DataFrame, facet_without: str, others: Sequence[str]
) -> DataFrame:
    """Return rows with a facet each, and with columns of texts that are empty where they are not.

    ``facet_without`` is that of rows that name none. A page is shared by the engines that return
    it, so its label belongs to none of them. Raises BadInput.
    """
    frame = with_columns(frame, ("facet", "engine", *others))
    facet = frame["facet"].str.lower().where(frame["facet"] != "", facet_without)
    refuse_where(
        frame,
        ~facet.isin(FACETS),
        lambda row: f"'{row['facet']}' is no facet; it is {' or '.join(FACETS)}",
        file=source.name,
        field="facet",
    )
    return frame.assign(facet=facet, engine=frame["engine"].where(facet != PAGE, ""))


def over_distinct(texts: Series[str], test: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Return the outcome of a test for each text, tested once for each distinct one."""
    from pandas import factorize

    codes, distinct = factorize(texts)
    return np.array([test(text) for text in distinct], dtype=bool)[codes]


def parse_levels(source: Source, frame: DataFrame, options: LabelOptions) -> DataFrame:
    """Turn texts into levels and states."""
    from pandas import factorize

    state = _parse_states(source, frame, options)
    level = np.full(len(frame), np.nan)
    for facet in frame["facet"].unique():
        rows = (frame["facet"] == facet).to_numpy()
        codes, distinct = factorize(frame["level"][rows])
        scale = options.scales.get(facet, ())
        beyond = options.beyond and not options.machine
        known = [find_level(text, scale, beyond=beyond) for text in distinct]
        level[rows] = np.array(known)[codes]
    judged = (state == JUDGED).to_numpy()
    if options.machine:
        refuse_strays(source, frame, judged & np.isnan(level))
    refuse_where(
        frame,
        judged & np.isnan(level),
        lambda row: explain_level(row["level"], options.scales.get(row["facet"], ())),
        file=source.name,
        field="level",
    )
    return frame.assign(state=state, level=np.where(judged, level, np.nan))


def _parse_states(source: Source, frame: DataFrame, options: LabelOptions) -> Series[str]:
    """Return the state of each label; only machines give answers that cannot be read."""
    from pandas import Series

    words = {word.casefold() for word in options.cannot_judge}
    cannot = over_distinct(frame["level"], lambda text: text.casefold() in words)
    state = frame["state"].where(frame["state"] != "", JUDGED).mask(cannot, CANNOT_JUDGE)
    of_machine = Series(bool(options.machine), frame.index)
    if KIND in frame:
        of_machine |= frame[KIND] == MACHINE
    state = state.mask(of_machine & (frame["level"] == INVALID_ANSWER), INVALID_ANSWER)
    refuse_where(
        frame,
        ~(state.isin(STATES) | of_machine & (state == INVALID_ANSWER)),
        lambda row: (
            f"only a machine gives an '{INVALID_ANSWER}'; say whose labels these are"
            if row["state"] == INVALID_ANSWER
            else f"'{row['state']}' is no state; known are {', '.join(STATES)}"
        ),
        file=source.name,
        field="state",
    )
    return state


def find_level(text: str, scale: Scale, *, beyond: bool = False) -> float:
    """Return the level that a text names or writes; NaN when it is none of the scale.

    Without a scale, or ``beyond`` it, any number from 0 is a level.
    """
    number = parse_number(text)
    for level in scale:
        if level.name.casefold() == text.casefold() or level.level == number:
            return float(level.level)
    return number if (beyond or not scale) and 0 <= number < np.inf else np.nan


def explain_level(text: str, scale: Scale) -> str:
    """Return why a text is no level."""
    if not text:
        return "is empty; if that means that there is no label, say that '' is missing"
    if scale:
        listed = ", ".join(f"{level.level} {level.name}" for level in scale)
        return f"'{text}' is not on the scale: {listed}"
    if parse_number(text) < 0:
        return f"{text} is negative; if it means that there is no label, say missing={text}"
    return f"'{text}' is not a number; names of levels need a scale"


def parse_occasions(
    source: Source, frame: DataFrame, by: Sequence[str] = KEY[:-1]
) -> tuple[DataFrame, int]:
    """Number the judgements of an item by an assessor; also return how many are repeats."""
    if "occasion" in frame and (frame["occasion"] != "").any():
        return frame.assign(occasion=_parse_whole(source, frame, "occasion", 0)), 0
    occasion = frame.groupby(list(by), sort=False).cumcount()
    return frame.assign(occasion=occasion.astype(np.int64)), int((occasion > 0).sum())


_SMALL, _LARGE = 2**31, 2**53
_YEAR_10000 = 253_402_300_800.0
"""In seconds since 1970: later moments are no dates that could be written."""


def _parse_whole(
    source: Source, frame: DataFrame, name: str, empty: float | None, below: int = _SMALL
) -> NDArray[np.int64]:
    what = f"a whole number from 0 to {below - 1}"
    check = are_whole(below=below)
    return read_numbers(frame, name, check, what, file=source.name, empty=empty).astype(np.int64)


def parse_details(source: Source, frame: DataFrame) -> DataFrame:
    """Turn sequence, time and dwell time into numbers; the sequence is file order if absent."""
    frame = _parse_kinds(source, with_columns(frame, ("time", "dwell_ms")))
    if "sequence" in frame and (frame["sequence"] != "").all():
        sequence = _parse_whole(source, frame, "sequence", None, _LARGE)
    else:
        sequence = np.arange(1, len(frame) + 1)
    frame = frame.assign(
        sequence=sequence,
        time=_parse_times(source, frame),
        dwell_ms=_parse_whole(source, frame, "dwell_ms", 0, _LARGE),
    )
    more = [name for name in (ROUND, KIND, *ANSWER) if name in frame]
    return frame[[*LABEL, *more, LINE]]


def _parse_kinds(source: Source, frame: DataFrame) -> DataFrame:
    """Return labels with what each is by; a person, where the file says nothing."""
    if KIND not in frame:
        return frame
    kind = frame[KIND].where(frame[KIND] != "", MEMBER_KINDS[0])
    refuse_where(
        frame,
        ~kind.isin(MEMBER_KINDS),
        lambda row: f"'{row[KIND]}' is none of {', '.join(MEMBER_KINDS)}",
        file=source.name,
        field=KIND,
    )
    return frame.assign(**{KIND: kind})


def _parse_times(source: Source, frame: DataFrame) -> Series[Any]:
    """Read ISO 8601 (universal time unless it names a zone) or seconds since 1970."""
    from pandas import Series, to_datetime

    given = frame["time"] != ""
    seconds = parse_numbers(frame["time"])
    counted = given & (seconds >= 1e8) & (seconds < _YEAR_10000)
    time = to_datetime(
        frame["time"].where(given & ~counted, None), utc=True, format="ISO8601", errors="coerce"
    ).astype("datetime64[us, UTC]")
    if counted.any():
        moments = Series((np.where(counted, seconds, 0) * 1e6).astype(np.int64), index=frame.index)
        time = time.where(~counted, to_datetime(moments, unit="us", utc=True))
    refuse_where(
        frame,
        given & time.isna(),
        lambda row: f"'{row['time']}' is not a time such as 2026-01-31T12:00:00Z",
        file=source.name,
        field="time",
    )
    return time
