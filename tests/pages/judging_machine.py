"""A machine that has judged a collection: as people did, but one level higher now and then."""

from itertools import count

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.frames import read_labels
from core.store.store import Store

NAME = "llm"
LENIENT = 4
"""One level higher is each so-manieth item, from the first on."""

UNREAD = 7
"""So often an answer of which no level can be read."""


def judge_by_machine(store: Store, collection_id: str, facet: str = "page") -> int:
    """Import labels of a machine for what people have judged; return how many have a level."""
    labels = read_labels(store, collection_id)
    labels = labels[(labels["facet"] == facet) & (labels["state"] == "level")]
    medians = labels.groupby(["topic_id", "document_id"])["level"].median().astype("int64")
    highest = int(labels["level"].max())
    lines, given = ["topic\tdocument\tlevel\tstate"], 0
    for place, ((topic, document), level) in zip(count(), medians.items(), strict=False):
        level = min(level + (place % LENIENT == 0), highest)
        read = place % UNREAD != 1
        given += read
        lines.append(
            f"{topic}\t{document}\t{level}\tlevel"
            if read
            else f"{topic}\t{document}\t\tinvalid answer"
        )
    source = Source("machine.tsv", ("\n".join(lines) + "\n").encode())
    scales = get_scales(store, collection_id)
    options = {"scales": scales, "machine": NAME, "facet": facet}
    write_import(store, collection_id, read_import("labels", source, **options))
    return given
