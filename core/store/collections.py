"""Collections: their names, scales and guidelines."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.collection.records import Level, default_scales
from core.errors import BadInput, NotFound
from core.store.database import Cursor, fetch
from core.store.store import Store, utc_now

Scales = Mapping[str, Sequence[Level]]


@dataclass(frozen=True)
class Collection:
    """What is being judged, and how. ``simulated`` says so where the labels are."""

    collection_id: str
    name: str
    description: str
    guidelines: str
    simulated: str
    created_at: datetime
    closed_at: datetime | None


def create_collection(
    store: Store,
    name: str,
    *,
    description: str = "",
    guidelines: str = "",
    simulated: str = "",
    scales: Scales | None = None,
    by: str = "",
) -> str:
    """Create an empty collection and return its id."""
    name = _check_name(name)
    collection_id = secrets.token_hex(4)
    with store.change(collection_id, "create", "collection", name, by) as cursor:
        cursor.execute(
            "INSERT INTO collections VALUES (?, ?, ?, ?, ?, ?, NULL)",
            [collection_id, name, description, guidelines, simulated, utc_now()],
        )
        for facet, levels in (scales or default_scales()).items():
            _write_scale(cursor, collection_id, facet, levels)
    return collection_id


def list_collections(store: Store) -> list[Collection]:
    """Return every collection, oldest first."""
    rows = fetch(store.cursor(), "FROM collections ORDER BY created_at, collection_id")
    return [Collection(**row) for row in rows]


def get_collection(store: Store, collection_id: str) -> Collection:
    """Return one collection; raises NotFound."""
    rows = fetch(store.cursor(), "FROM collections WHERE collection_id = ?", [collection_id])
    if not rows:
        raise NotFound("There is no such collection.")
    return Collection(**rows[0])


def find_collection(store: Store, name: str) -> str:
    """Return the id of the collection of this name or id; raises NotFound."""
    for collection in list_collections(store):
        if name in (collection.collection_id, collection.name):
            return collection.collection_id
    raise NotFound(f"There is no collection called '{name}' in this store.")


def describe_collection(
    store: Store, collection_id: str, *, name: str, description: str, guidelines: str, by: str = ""
) -> None:
    """Change the name and the texts of a collection; raises BadInput without a name."""
    name = _check_name(name)
    with store.change(collection_id, "describe", "collection", name, by) as cursor:
        cursor.execute(
            "UPDATE collections SET name = ?, description = ?, guidelines = ? "
            "WHERE collection_id = ?",
            [name, description, guidelines, collection_id],
        )


def close_collection(store: Store, collection_id: str, *, closed: bool, by: str = "") -> None:
    """Close a collection to new judgements, or open it again."""
    what = "close" if closed else "reopen"
    with store.change(collection_id, what, "collection", "", by) as cursor:
        cursor.execute(
            "UPDATE collections SET closed_at = ? WHERE collection_id = ?",
            [utc_now() if closed else None, collection_id],
        )


def get_scales(store: Store, collection_id: str) -> dict[str, tuple[Level, ...]]:
    """Return the levels of each facet, lowest first."""
    rows = fetch(
        store.cursor(),
        "SELECT facet, level, name, meaning, key, counts_as FROM levels "
        "WHERE collection_id = ? ORDER BY facet DESC, level",
        [collection_id],
    )
    scales: dict[str, tuple[Level, ...]] = {}
    for row in rows:
        facet = row.pop("facet")
        scales[facet] = (*scales.get(facet, ()), Level(**row))
    return scales


def replace_scale(
    store: Store, collection_id: str, facet: str, levels: Sequence[Level], by: str = ""
) -> None:
    """Set the levels of a facet.

    Raises
    ------
    BadInput
        Two levels share a number, name or key; ``counts_as`` names no level; or labels that
        are stored use a level that would go.
    """
    check_scale(levels)
    used = fetch(
        store.cursor(),
        "SELECT DISTINCT level FROM labels WHERE collection_id = ? AND facet = ? "
        "AND level IS NOT NULL",
        [collection_id, facet],
    )
    gone = {row["level"] for row in used} - {level.level for level in levels}
    if gone:
        raise BadInput(f"labels with level {min(gone)} are stored, so it has to stay", field=facet)
    with store.change(collection_id, "replace", "scale", facet, by) as cursor:
        cursor.execute(
            "DELETE FROM levels WHERE collection_id = ? AND facet = ?", [collection_id, facet]
        )
        _write_scale(cursor, collection_id, facet, levels)


def check_scale(levels: Sequence[Level]) -> None:
    """Raise BadInput unless the levels can be told apart by number, name and key."""
    if len(levels) < 2:
        raise BadInput("a scale needs at least two levels", field="level")
    for field in ("level", "name", "key"):
        values = [str(getattr(level, field)).strip().lower() for level in levels]
        if "" in values or len(set(values)) < len(values):
            raise BadInput("every level needs one of its own", field=field)
    numbers = {level.level for level in levels}
    for level in levels:
        if level.counts_as not in numbers:
            raise BadInput(f"'{level.name}' counts as {level.counts_as}, which is no level")


def _check_name(name: str) -> str:
    if not name.strip():
        raise BadInput("a collection needs a name", field="name")
    return name.strip()


def _write_scale(cursor: Cursor, collection_id: str, facet: str, levels: Sequence[Level]) -> None:
    cursor.executemany(
        "INSERT INTO levels VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            [collection_id, facet, one.level, one.name, one.meaning, one.key, one.counts_as]
            for one in levels
        ],
    )
