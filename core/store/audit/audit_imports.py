"""The imports of a collection that brought labels, and the label events of each."""

from dataclasses import dataclass
from datetime import datetime

import pandas as pd

from core.store.audit.audit import read_events
from core.store.file.database import fetch
from core.store.store import Store

_IMPORTS = r"""
    SELECT time, subject, TRY_CAST(
        regexp_extract(detail, '; added (?:[^;"]*, )?([0-9]+) labels(?:, [^;"]*)?$', 1)
        AS BIGINT) AS labels
    FROM changes WHERE collection_id = ? AND what = 'import'
        AND regexp_matches(subject, '^(labels|preferences) from ')
    ORDER BY rowid"""


@dataclass(frozen=True)
class LabelImport:
    """One import of labels: when (UTC), what from which files, and how many were new.

    ``earlier`` is how many labels the imports before it brought.
    """

    time: datetime
    subject: str
    labels: int
    earlier: int


def list_label_imports(store: Store, collection_id: str) -> list[LabelImport]:
    """Return the imports that brought labels into a collection, the newest first.

    An import numbers its events in one go, so its labels follow those of the one before. Where
    the record does not account for every imported label, as in a store that was written by other
    means, none is listed.
    """
    found, earlier = [], 0
    for row in fetch(store.cursor(), _IMPORTS, [collection_id]):
        if labels := row.pop("labels"):
            found.append(LabelImport(**row, labels=labels, earlier=earlier))
            earlier += labels
    (stored,) = fetch(
        store.cursor(),
        "SELECT count(*) AS n FROM labels WHERE collection_id = ? AND source = 'imported'",
        [collection_id],
    )
    return found[::-1] if stored["n"] == earlier else []


def read_imported(
    store: Store, collection_id: str, one: LabelImport, most: int, skip: int = 0
) -> pd.DataFrame:
    """Return a portion of the label events of an import, in the order of the file.

    Columns are those of ``read_audit``.
    """
    rows = fetch(
        store.cursor(),
        "SELECT sequence FROM labels WHERE collection_id = ? AND source = 'imported' "
        "ORDER BY sequence LIMIT ? OFFSET ?",
        [collection_id, max(min(most, one.labels - skip), 0), one.earlier + skip],
    )
    return read_events(store, [row["sequence"] for row in rows])
