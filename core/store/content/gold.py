"""Gold items: an organiser has set their correct level, to compare assessors with it."""

from dataclasses import astuple, dataclass

import pandas as pd

from core.collection.labels.label_options import GOLD
from core.errors import BadInput, NotFound
from core.store.audit.change_diff import describe_change
from core.store.content.scales import get_scales
from core.store.file.database import fetch, fetch_frame
from core.store.people.roster import GOLD_KIND, set_kind
from core.store.store import Store, utc_now


@dataclass(frozen=True)
class GoldItem:
    """An item with its settled level, one of the scale; ``engine`` is empty for a page."""

    topic_id: str
    document_id: str
    facet: str
    engine: str
    level: int


_ITEM = "collection_id = ? AND topic_id = ? AND document_id = ? AND facet = ? AND engine = ?"

_GOLD_LABELS = """
    FROM current_labels WHERE collection_id = $1 AND assessor_id = $2 AND occasion = 0
        AND label.state = 'level' AND (topic_id, document_id, facet, engine) NOT IN (
            SELECT (topic_id, document_id, facet, engine) FROM gold WHERE collection_id = $1)"""

_JUDGED = """
    WITH judged AS (
        SELECT DISTINCT document_id, engine FROM labels
        WHERE collection_id = $1 AND topic_id = $2 AND facet = $3 AND occasion >= 0),
    snippets AS (
        SELECT document_id, engine, any_value(snippet) AS snippet FROM results
        WHERE collection_id = $1 AND topic_id = $2 GROUP BY ALL)
    SELECT document_id, engine, coalesce(title, '') AS title,
        left(coalesce(snippet, text, ''), $4) AS shown
    FROM judged
    LEFT JOIN (FROM documents WHERE collection_id = $1) USING (document_id)
    LEFT JOIN snippets USING (document_id, engine)
    ORDER BY document_id, engine"""

LONGEST = 200
"""Characters of an item's text that ``read_judged`` returns."""


def read_judged(store: Store, collection_id: str, topic_id: str, facet: str) -> pd.DataFrame:
    """Return the items of a topic that have labels: document_id, engine, title, shown.

    ``shown`` is the snippet, or the beginning of the page's text; empty where there is none.
    """
    values = [collection_id, topic_id, facet, LONGEST]
    return fetch_frame(store.cursor(), _JUDGED, values)


def list_gold(store: Store, collection_id: str) -> list[GoldItem]:
    """Return the gold items of a collection, topic by topic."""
    rows = fetch(
        store.cursor(),
        "SELECT topic_id, document_id, facet, engine, level FROM gold WHERE collection_id = ? "
        "ORDER BY topic_id, document_id, facet DESC, engine",
        [collection_id],
    )
    return [GoldItem(**row) for row in rows]


def mark_gold(store: Store, collection_id: str, item: GoldItem, by: str = "") -> None:
    """Mark an item with its gold level; marking it again changes the level.

    Raises
    ------
    BadInput
        The level is not on the scale of its facet, or nobody has judged the item.
    """
    levels = {one.level for one in get_scales(store, collection_id).get(item.facet, ())}
    if item.level not in levels:
        raise BadInput(f"{item.level} is not on the {item.facet} scale", field="level")
    place = [collection_id, *astuple(item)[:4]]
    if not fetch(store.cursor(), f"SELECT 1 FROM labels WHERE {_ITEM} LIMIT 1", place):
        raise BadInput(
            f"nobody has judged the {item.facet} of document {item.document_id} in topic "
            f"{item.topic_id}, so a gold level has nothing to be compared with"
        )
    before: dict[str, int] = {}

    def detail() -> str:
        return f"{_describe(item)}, {describe_change(before, {'level': item.level})}"

    with store.change(collection_id, "mark", "gold item", detail, by) as cursor:
        for row in fetch(cursor, f"SELECT level FROM gold WHERE {_ITEM}", place):
            before |= row
        cursor.execute(
            "INSERT OR REPLACE INTO gold VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [*place, item.level, by, utc_now()],
        )


def unmark_gold(store: Store, collection_id: str, item: GoldItem, by: str = "") -> None:
    """Take the gold level off an item, whichever it was; the record of changes keeps it.

    Raises
    ------
    NotFound
        The item has no gold level.
    """
    place = [collection_id, *astuple(item)[:4]]
    marked = fetch(store.cursor(), f"SELECT level FROM gold WHERE {_ITEM}", place)
    if not marked:
        raise NotFound("This item has no gold level.")
    detail = f"{_describe(item)}, {describe_change(marked[0], {})}"
    with store.change(collection_id, "unmark", "gold item", detail, by) as cursor:
        cursor.execute(f"DELETE FROM gold WHERE {_ITEM}", place)


def count_gold_labels(store: Store, collection_id: str) -> int:
    """Return how many labels of the assessor called 'gold' are not gold items yet."""
    (row,) = fetch(
        store.cursor(), f"SELECT count(*) AS labels {_GOLD_LABELS}", [collection_id, GOLD]
    )
    return int(row["labels"])


def take_over_gold(store: Store, collection_id: str, by: str = "") -> int:
    """Make gold items of the labels of the assessor called 'gold'; returns how many.

    An item that is gold already keeps its level. The labels stay as they are, but that assessor
    is none any more: agreement and qrels versions do without.
    """
    found = count_gold_labels(store, collection_id)
    since = store.labels.sequence(collection_id)
    detail = f"{found} labels of the assessor '{GOLD}'"
    with store.change(collection_id, "take over", "gold items", detail, by) as cursor:
        cursor.execute(
            "INSERT INTO changes SELECT $4, $3, $1, 'mark', 'gold item', concat_ws(' ', topic_id, "
            "document_id, facet, nullif(engine, '')) || ', level: none → ' || label.level "
            f"{_GOLD_LABELS}",
            [collection_id, GOLD, by, utc_now()],
        )
        cursor.execute(
            "INSERT INTO gold SELECT collection_id, topic_id, document_id, facet, engine, "
            f"label.level, $3, $4 {_GOLD_LABELS}",
            [collection_id, GOLD, by, utc_now()],
        )
        set_kind(cursor, collection_id, GOLD, GOLD_KIND, since, by)
    return found


def _describe(item: GoldItem) -> str:
    return " ".join(filter(None, (item.topic_id, item.document_id, item.facet, item.engine)))
