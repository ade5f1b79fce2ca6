"""Which tools labels and preferences can be written for: one record each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.collection.annotation_tools.argilla import write_argilla
from core.collection.annotation_tools.doccano import write_doccano
from core.collection.annotation_tools.label_studio import write_label_studio
from core.collection.annotation_tools.pairwise import write_pairwise
from core.collection.annotation_tools.potato import write_potato
from core.collection.annotation_tools.quepid import write_quepid
from core.collection.annotation_tools.texts import Texts
from core.collection.export.exported_kinds import LABEL_TOOLS
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

JSON, JSONL, CSV = "application/json", "application/x-ndjson", "text/csv"


@dataclass(frozen=True)
class ToolWriter:
    """A tool whose files can be written.

    Parameters
    ----------
    title : str
        What the tool is called.
    ending : str
        How such a file's name ends.
    media_type : str
        For a browser.
    write : callable
        Takes canonical labels or preferences, and texts.
    """

    title: str
    ending: str
    media_type: str
    write: Callable[[DataFrame, Texts], bytes]


LABEL_WRITERS = dict(
    zip(
        LABEL_TOOLS,
        (
            ToolWriter("Quepid", "quepid.csv", CSV, write_quepid),
            ToolWriter("Label Studio", "label-studio.json", JSON, write_label_studio),
            ToolWriter("doccano", "doccano.jsonl", JSONL, write_doccano),
            ToolWriter("Argilla", "argilla.json", JSON, write_argilla),
            ToolWriter("Potato", "potato.jsonl", JSONL, write_potato),
        ),
        strict=True,
    )
)

PREFERENCE_WRITERS = {
    "label-studio": ToolWriter("Label Studio", "label-studio-pairs.json", JSON, write_pairwise),
}


def find_writer(writers: dict[str, ToolWriter], tool: str) -> ToolWriter:
    """Return the writer for a tool.

    Raises
    ------
    BadInput
        There is none.
    """
    if tool not in writers:
        raise BadInput(f"'{tool}' is none of {', '.join(writers)}", field="tool")
    return writers[tool]
