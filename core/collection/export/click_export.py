"""Click logs as files: JSON, an object a page, as they can be imported again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from core.collection.click_logs.packing import unpack_pages

if TYPE_CHECKING:
    import pandas as pd


def write_click_log(
    queries: pd.Series[str], items: pd.DataFrame, blocks: Iterable[Mapping[Any, Any]]
) -> bytes:
    """Return a log as JSONL; sessions are numbers, and no time was kept.

    Parameters
    ----------
    queries : Series
        The queries in the order of their numbers.
    items : DataFrame
        query and document_id in the order of their numbers.
    blocks : iterable of mappings
        Packed pages, as `unpack_pages` takes them.
    """
    texts = [json.dumps(one, ensure_ascii=False) for one in queries]
    names = [json.dumps(one, ensure_ascii=False) for one in items["document_id"]]
    query_of = items["query"].tolist()
    lines = []
    for row in blocks:
        session, item, clicked = unpack_pages(row)
        for one, shown, hit in zip(session.tolist(), item, clicked, strict=True):
            listed = shown[shown >= 0].tolist()
            ranks = (np.flatnonzero(hit) + 1).tolist()
            lines.append(
                f'{{"session": {one}, "query": {texts[query_of[listed[0]]]}, '
                f'"shown": [{", ".join(names[at] for at in listed)}], "clicks": {ranks}}}\n'
            )
    return "".join(lines).encode()
