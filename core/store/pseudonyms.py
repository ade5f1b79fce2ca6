"""Codes that stand for assessors where their ids and names are not to be seen."""

import hashlib
import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

from core.store.database import fetch
from core.store.store import Store

_PEOPLE = ("assessor", "assessor_id", "first", "first_id", "second", "second_id", "name")
"""Columns of tables on pages that may hold a person, or two with a dash between them."""

_WHO = """
    SELECT assessor_id AS id, name FROM members WHERE collection_id = $1
    UNION SELECT DISTINCT assessor_id, assessor_id FROM labels WHERE collection_id = $1
    UNION SELECT person_id, name FROM people"""


def assessor_codes(store: Store, collection_id: str, assessors: Iterable[str]) -> dict[str, str]:
    """Return the code of each assessor by id.

    The same assessor has the same code in everything that leaves one collection, and another
    one in every other collection and store. Without the store's key no code can be made or
    traced back.
    """
    key = hashlib.sha256(store.secret.encode()).digest()
    return {one: _code(key, collection_id, one) for one in assessors}


def hide_assessors(store: Store, collection_id: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with codes for assessors, in place of their ids and of their names.

    Parameters
    ----------
    frame : DataFrame
        Its columns ``assessor_id``, ``assessor`` and ``name`` are replaced where they exist;
        with none of them it is returned as it is.
    """
    if "assessor_id" not in frame:
        return frame
    known = frame["assessor_id"].dropna().unique()
    codes = frame["assessor_id"].map(assessor_codes(store, collection_id, known)).astype("str")
    names = {name: codes for name in ("assessor_id", "assessor", "name") if name in frame}
    return frame.assign(**names)


def hide_names(store: Store, collection_id: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return a table from a page with codes for assessors wherever it names them.

    In columns that may hold people they are replaced whatever they are called. In other texts
    and in the names of columns they are where they are whole words of three characters or more
    with a letter: others may mean anything there.
    """
    rows = fetch(store.cursor(), _WHO, [collection_id])
    codes = assessor_codes(store, collection_id, {row["id"] for row in rows})
    called = {row["name"]: codes[row["id"]] for row in rows if row["name"]} | codes
    alone = any_of(called, "(?:^|(?<= – )|(?<=: ))", "(?= – |$)")
    words = words_of(called)

    def hide(text: object, pattern: re.Pattern[str]) -> object:
        return pattern.sub(lambda found: called[found[0]], text) if isinstance(text, str) else text

    def hide_column(name: str) -> "pd.Series[Any]":
        texts = [hide(text, alone) for text in table[name]] if name in _PEOPLE else table[name]
        return pd.Series([hide(text, words) for text in texts], table.index, dtype=object)

    told = [str(name) for name in table.select_dtypes(["str", "object"]).columns]
    hidden = table.assign(**{name: hide_column(name) for name in told})
    return hidden.set_axis([hide(name, words) for name in table.columns], axis=1)


def words_of(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds those of some names that cannot be mistaken, where they are whole words."""
    clear = [name for name in names if len(name) > 2 and any(map(str.isalpha, name))]
    return any_of(clear, r"(?<![^\W_])", r"(?![^\W_])")


def any_of(words: Iterable[str], before: str, after: str) -> re.Pattern[str]:
    """Return what finds any of some words, the longest first; of none, nothing."""
    ordered = sorted(words, key=len, reverse=True)
    return re.compile(before + f"(?:{'|'.join(map(re.escape, ordered)) or '(?!)'})" + after)


def _code(key: bytes, collection_id: str, assessor_id: str) -> str:
    text = "\x1f".join(("assessor", collection_id, assessor_id)).encode()
    return "a-" + hashlib.blake2b(text, key=key, digest_size=5).hexdigest()
