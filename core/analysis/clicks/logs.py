"""Click logs as every analysis takes them, from files or from a store."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from core.clicks.click_log import ClickLog
from core.collection.click_logs.packing import unpack_pages
from core.collection.records import Import
from core.errors import BadInput, NotFound
from core.store.clicks.click_logs import (
    get_click_log,
    list_click_logs,
    read_blocks,
    read_click_items,
    read_click_queries,
)
from core.store.store import Store


def log_of_import(imported: Import) -> ClickLog:
    """Return the log that ``read_import("clicks", …)`` has read from files."""
    frames = imported.frames
    (summary,) = frames["clicks"].to_dict("records")
    return _unpack(
        summary,
        frames["click_queries"],
        frames["click_items"],
        frames["click_blocks"].to_dict("records"),
    )


def read_log(store: Store, collection_id: str, name: str = "") -> ClickLog:
    """Return a log of a collection.

    Parameters
    ----------
    name : str
        Which; it may be left out where there is one only.

    Raises
    ------
    NotFound
        There is no log, or none of this name.
    BadInput
        There are several and none is named, or what is stored is damaged.
    """
    name = choose_log(store, collection_id, name)
    return _unpack(
        get_click_log(store, collection_id, name),
        read_click_queries(store, collection_id, name),
        read_click_items(store, collection_id, name),
        read_blocks(store, collection_id, name),
    )


def choose_log(store: Store, collection_id: str, name: str = "") -> str:
    """Return the name of the log that is meant; raises NotFound and BadInput as `read_log`."""
    if name:
        return str(get_click_log(store, collection_id, name)["name"])
    names = list_click_logs(store, collection_id)["name"].tolist()
    if not names:
        raise NotFound("There is no click log in this collection; import one.")
    if len(names) > 1:
        raise BadInput(f"say which click log: {', '.join(names)}", field="name")
    return str(names[0])


def _unpack(
    summary: Mapping[Any, Any],
    queries: pd.DataFrame,
    items: pd.DataFrame,
    blocks: Iterable[Mapping[Any, Any]],
) -> ClickLog:
    """Fill the arrays of a log block by block: nothing large is held twice."""
    pages, depth = int(summary["pages"]), int(summary["depth"])
    item = np.full((pages, depth), -1, dtype=np.int32)
    clicked = np.zeros((pages, depth), dtype=bool)
    session = np.zeros(pages, dtype=np.int32)
    end = 0
    for row in blocks:
        start, end, deep = end, end + int(row["pages"]), int(row["depth"])
        if end > pages or deep > depth:
            raise _damaged()
        session[start:end], item[start:end, :deep], clicked[start:end, :deep] = unpack_pages(row)
    if end != pages or item.max(initial=-1) >= len(items):
        raise _damaged()
    query_of = items["query"].to_numpy(np.int32)
    # No list is empty, so the first item tells a page's query.
    query = query_of[item[:, 0]]
    return ClickLog(
        tuple(queries["text"]), tuple(items["document_id"]), session, query, item, clicked
    )


def _damaged() -> BadInput:
    return BadInput("a click log is damaged; 'dissent check' says where, a backup has it whole")
