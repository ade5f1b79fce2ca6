"""Click logs as they are read, whatever their format: several files as one log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.collection.click_logs.building import (
    APART,
    MOST_NAMED,
    SUMMARY,
    ItemNumbers,
    describe_apart,
)
from core.collection.click_logs.packing import number_blocks, pack_pages, unpack_pages
from core.collection.file_format import Kind, Parsed, TableOptions
from core.collection.files.checks import FILE

if TYPE_CHECKING:
    import pandas as pd

_NUMBERED = "Sessions are numbered anew; what the file calls them, and times, are not stored."


@dataclass(frozen=True)
class ClickOptions(TableOptions):
    """How click logs are read.

    Parameters
    ----------
    lenient : bool
        Leave malformed sessions out, each counted under its first fault with its line; without it
        the first of them refuses the file.
    """

    lenient: bool = False


def join_logs(parsed: Parsed) -> Parsed:
    """Return the logs of several files as one.

    Sessions of different files are different sessions. Queries and items are numbered in the order
    in which they come.
    """
    frames = parsed.frames
    apart = frames["click_apart"]
    notes = (*parsed.notes, *describe_apart(apart), _NUMBERED)
    if len(frames["clicks"]) > 1:
        frames = _join(frames)
    summary = frames["clicks"].iloc[0]
    counts = {name: int(summary[name]) for name in ("sessions", "pages", "clicks", "queries")}
    counts |= {"malformed sessions": int(apart["sessions"].sum())}
    return Parsed(frames, {noun: n for noun, n in counts.items() if n or noun == "clicks"}, notes)


def _join(frames: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    import pandas as pd

    numbering = ItemNumbers()
    texts: dict[str, int] = {}
    names: dict[str, int] = {}
    blocks: list[dict[str, Any]] = []
    before = 0
    for file, summary in enumerate(frames["clicks"].to_dict("records")):
        own = {name: frame[frame[FILE] == file] for name, frame in frames.items()}
        query = _number(texts, own["click_queries"]["text"])
        items = own["click_items"]
        document = _number(names, items["document_id"])
        item = numbering.number(query[items["query"].to_numpy()], document)
        blocks += _renumber(own["click_blocks"], item, before)
        before += summary["sessions"]
    items = numbering.list_items([*names])
    whole = frames["clicks"][SUMMARY].sum()
    whole["depth"], whole["queries"] = frames["clicks"]["depth"].max(), len(texts)
    whole["items"] = len(items)
    return {
        "clicks": pd.DataFrame([whole.to_dict()]),
        "click_queries": pd.DataFrame({"text": pd.array([*texts], dtype="str")}),
        "click_items": items,
        "click_blocks": number_blocks(blocks),
        "click_apart": _add_apart(frames["click_apart"]),
    }


def _number(known: dict[str, int], texts: pd.Series[str]) -> NDArray[np.int64]:
    return np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.int64)


def _renumber(
    blocks: pd.DataFrame, item: NDArray[np.int32], before: int
) -> Iterator[dict[str, Any]]:
    for row in blocks.to_dict("records"):
        session, places, clicked = unpack_pages(row)
        places = np.where(places >= 0, item[places], np.int32(-1))
        yield from pack_pages(session + before, places, clicked)


def _add_apart(apart: pd.DataFrame) -> pd.DataFrame:
    """Return how many sessions have each fault in all files; lines are of the first with it."""
    import pandas as pd

    rows = [
        (what, int(same["sessions"].sum()), same["lines"].iloc[0][:MOST_NAMED])
        for what, same in apart.groupby("fault", sort=True)
    ]
    return pd.DataFrame(rows, columns=APART).astype({"fault": "str"})


CLICKS = Kind(
    name="clicks",
    meaning="What searchers were shown and what they clicked, session by session: a click log. It "
    "is stored whole under the name of its file; queries that are a topic's id or text are those "
    "of the topic. A click belongs to the latest page of its session that shows the document.",
    unique={},
    finish=join_logs,
    options=ClickOptions,
)
