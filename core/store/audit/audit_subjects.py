"""What entries of the history are about, with rounds called by their names."""

import re

import pandas as pd

from core.store.file.database import fetch
from core.store.store import Store

_ROUND = re.compile(r"round (\S+)")
_SLOT = re.compile(r"slot (\S+) (.*) (\d+)", re.DOTALL)


def name_rounds(store: Store, entries: pd.DataFrame) -> pd.DataFrame:
    """Return a portion of the history in which a subject tells what an organiser calls it.

    The record has ids, which stay as they are: ``slot r-5f182bbb t04 2`` is read as ``slot of
    topic t04, batch 3, Round 1``.

    Parameters
    ----------
    entries : DataFrame
        As ``read_audit`` returns them.
    """
    rows = fetch(store.cursor(), "SELECT round_id, name, batch_size FROM rounds")
    names = {row["round_id"]: _call(row["name"]) for row in rows}
    whole = {row["round_id"] for row in rows if row["batch_size"] is None}
    told = [_tell(subject, names, whole) for subject in entries["subject"]]
    return entries.assign(subject=told)


def _tell(subject: str, names: dict[str, str], whole: set[str]) -> str:
    if (found := _ROUND.fullmatch(subject)) and found[1] in names:
        return names[found[1]]
    if (found := _SLOT.fullmatch(subject)) and found[1] in names:
        batch = int(found[3]) + 1
        part = "" if batch == 1 and found[1] in whole else f"batch {batch}, "
        return f"slot of topic {found[2]}, {part}{names[found[1]]}"
    return subject


def _call(name: str) -> str:
    """Return a round's name, with what it is unless the name says so."""
    return name if "round" in name.lower() else f"round {name}"
