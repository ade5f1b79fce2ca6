"""Labels as doccano's JSONL; the reader is in ``core.collection.labels.label_formats``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.collection.annotation_tools.texts import Texts, item_data, items_of, write_level
from core.collection.labels.label_options import CANNOT_JUDGE

if TYPE_CHECKING:
    from pandas import DataFrame


def write_doccano(labels: DataFrame, texts: Texts) -> bytes:
    """Return labels as the text classification of doccano, a line for each label.

    Beside ``id``, ``text``, ``label`` and ``Comments`` each line has what doccano keeps as an
    example's metadata, the assessor among them: doccano itself writes a file an annotator.
    """
    lines: list[str] = []
    for item, rows in items_of(labels):
        for row in rows:
            cannot = row["state"] == CANNOT_JUDGE
            entry = {
                "id": len(lines) + 1,
                "label": [CANNOT_JUDGE if cannot else write_level(row["level"])],
                "Comments": [row["comment"]] if row["comment"] else [],
                "assessor": row["assessor_id"],
                "sequence": row["sequence"],
                "time": row["time"],
                "dwell_ms": row["dwell_ms"],
            }
            lines.append(json.dumps(entry | item_data(item, texts), ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
