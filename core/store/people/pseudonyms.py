"""Codes that stand for assessors where their ids and names are not to be seen."""

import hashlib
from collections.abc import Iterable

import pandas as pd

from core.store.content.declarations import find_declaration
from core.store.store import Store


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


def hide_groups(store: Store, collection_id: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame without the groups in its column ``group`` where these are personal.

    Whatever leaves a store passes here, so that a personal attribute is in no file and no bundle.
    """
    if "group" not in frame or not (frame["group"] != "").any():
        return frame
    if not find_declaration(store, collection_id).hides_groups:
        return frame
    hidden = pd.Series("", frame.index, dtype="str")
    is_coded = isinstance(frame["group"].dtype, pd.CategoricalDtype)
    return frame.assign(group=hidden.astype("category") if is_coded else hidden)


def _code(key: bytes, collection_id: str, assessor_id: str) -> str:
    text = "\x1f".join(("assessor", collection_id, assessor_id)).encode()
    return "a-" + hashlib.blake2b(text, key=key, digest_size=5).hexdigest()
