"""The scales of a collection: the levels that each facet is judged on."""

from collections.abc import Mapping, Sequence

from core.collection.records import Level
from core.errors import BadInput
from core.store.audit.change_diff import describe_change, describe_scale
from core.store.file.database import Cursor, fetch
from core.store.store import Store

Scales = Mapping[str, Sequence[Level]]


def get_scales(store: Store, collection_id: str) -> dict[str, tuple[Level, ...]]:
    """Return the levels of each facet, lowest first."""
    return _read_scales(store.cursor(), collection_id)


def _read_scales(cursor: Cursor, collection_id: str) -> dict[str, tuple[Level, ...]]:
    rows = fetch(
        cursor,
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
        As for `insert_scale`, or labels that are stored use a level that would go.
    """
    detail = ""
    with store.change(collection_id, "replace", "scale", lambda: detail, by) as cursor:
        detail = put_scale(cursor, collection_id, facet, levels)


def put_scale(cursor: Cursor, collection_id: str, facet: str, levels: Sequence[Level]) -> str:
    """Set the levels of a facet within a transaction; return what that altered, in words.

    Raises
    ------
    BadInput
        As for `replace_scale`.
    """
    used = _read_used(cursor, collection_id).get(facet, set())
    gone = used - {level.level for level in levels}
    if gone:
        raise BadInput(
            f"{facet} labels with level {min(gone)} are stored, so it has to stay", field=facet
        )
    before = describe_scale(_read_scales(cursor, collection_id).get(facet, ()))
    cursor.execute(
        "DELETE FROM levels WHERE collection_id = ? AND facet = ?", [collection_id, facet]
    )
    insert_scale(cursor, collection_id, facet, levels)
    return ", ".join(filter(None, (facet, describe_change(before, describe_scale(levels)))))


def levels_in_use(store: Store, collection_id: str) -> dict[str, set[int]]:
    """Return the levels of the labels that are stored, by facet."""
    return _read_used(store.cursor(), collection_id)


def _read_used(cursor: Cursor, collection_id: str) -> dict[str, set[int]]:
    rows = fetch(
        cursor,
        "SELECT DISTINCT facet, level FROM labels WHERE collection_id = ? AND level IS NOT NULL",
        [collection_id],
    )
    used: dict[str, set[int]] = {}
    for row in rows:
        used.setdefault(row["facet"], set()).add(row["level"])
    return used


def insert_scale(cursor: Cursor, collection_id: str, facet: str, levels: Sequence[Level]) -> None:
    """Store the levels of a facet that has none.

    Raises
    ------
    BadInput
        Fewer than two levels; two share a number, name or key; or ``counts_as`` names no level.
    """
    check_levels(levels)
    cursor.executemany(
        "INSERT INTO levels VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            [collection_id, facet, one.level, one.name, one.meaning, one.key, one.counts_as]
            for one in levels
        ],
    )


def check_levels(levels: Sequence[Level]) -> None:
    """Raise BadInput for what is no scale; see `insert_scale`."""
    if len(levels) < 2:
        raise BadInput("a scale needs at least two levels", field="level")
    for field, what in (("level", "number"), ("name", "name"), ("key", "key")):
        values = [str(getattr(level, field)).strip().lower() for level in levels]
        if "" in values or len(set(values)) < len(values):
            raise BadInput(f"every level needs a {what} of its own", field=field)
    numbers = {level.level for level in levels}
    for level in levels:
        if level.counts_as not in numbers:
            raise BadInput(f"'{level.name}' counts as {level.counts_as}, which is no level")
