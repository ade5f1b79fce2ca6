"""Two stores of one collection as one: judged apart, kept whole, read only."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput, StoreFull
from core.store.file.database import Cursor, Database, find_file
from core.store.file.disk import expect_room, no_room, put_in_place, require_writable
from core.store.file.memory import expect_memory, limit_memory
from core.store.file.scratch import scratch_folder, temporary_folder
from core.store.file.write_ahead_log import log_of
from core.store.merge.contents import (
    MergeConflict,
    SettingKept,
    compare_contents,
    write_contents,
    write_settings,
)
from core.store.merge.desk import (
    FIRST,
    OF_FIRST,
    OF_NEITHER,
    SECOND,
    lay_out,
    list_shared,
    list_tables,
    rename,
)
from core.store.merge.events import Joined, write_changes, write_events
from core.store.merge.matching import Match, match_collections, match_people
from core.store.merge.places import Surplus, write_places
from core.store.schema.migrations import migrate
from core.store.store import Store, note_change

_MOST_NAMED = 5


@dataclass(frozen=True)
class MergeReport:
    """What a merge does, or would do.

    ``rows`` are those of the merged store by table, ``left`` those of the second store (of
    sessions and invitations: of both) that are not carried over. ``events`` is None and ``rows``
    is empty where something stands in the way.
    """

    collections: tuple[Match, ...]
    people: tuple[Match, ...]
    differences: tuple[MergeConflict, ...]
    events: Joined | None
    surplus: tuple[Surplus, ...]
    settings: tuple[SettingKept, ...]
    left: Mapping[str, int]
    rows: Mapping[str, int]

    @property
    def obstacles(self) -> tuple[str, ...]:
        """What stands in the way, in words; empty where the stores can be merged."""
        return (
            *(
                f"collection {one.second} ({one.name}): {one.why}"
                for one in self.collections
                if one.how == "unclear"
            ),
            *(
                f"{one.second} ({one.name}) of the second store: {one.why}; say in the mapping "
                f"whether this is {one.first} of the first store, or new"
                if "erased" not in one.why
                else f"{one.second} was {one.why}: erase them in the other, too"
                for one in self.people
                if one.how == "unclear"
            ),
            *(
                f"{one.count:,} × {one.what} not the same in both: {_name(one.where)}"
                for one in self.differences
            ),
        )


def merge_stores(
    first: Path,
    second: Path,
    target: Path,
    *,
    people: Mapping[str, str] | None = None,
    rehearse: bool = False,
) -> MergeReport:
    """Make a new store of two in which the same collection was judged apart.

    Both are only read. Every label event is kept, with its id, its time and what it supersedes;
    events are numbered anew, each store's in its own order and by time between them.

    Parameters
    ----------
    target : Path
        The new store.
    people : mapping, optional
        Who of the second store (id or name) is who of the first, or ``new``.
    rehearse : bool
        Do everything in a scratch folder, tell, and throw it away; what stands in the way is
        told, too, and not raised.

    Raises
    ------
    BadInput
        The target exists, the stores have no collection in common, somebody's identity is not
        clear, content differs, or one takes far more memory than its size tells. Nothing was
        written.
    StoreInUse, StoreUnusable, NotFound
        One of the two cannot be read.
    StoreFull
        There is no room for it.
    """
    if not rehearse:
        _require_free(target)
    place = temporary_folder() if rehearse else target.absolute().parent
    with ExitStack() as stack:
        stack.enter_context(expect_memory(first, second))
        stores = list(_open(stack, first, second))
        stack.enter_context(expect_room(place))
        folder = stack.enter_context(scratch_folder(place))
        draft = folder / "merged.duckdb"
        try:
            report = _merge(stores, draft, people or {}, second.name)
        except StoreFull as error:
            raise no_room(place) from error
        if rehearse:
            return report
        if report.obstacles:
            raise BadInput(
                "the stores cannot be merged as they are. " + "; ".join(report.obstacles)
            )
        if log_of(draft).exists():  # closing it found no room to merge it into the file
            raise no_room(place)
        put_in_place(draft, target, is_new=True)
    return report


def _require_free(target: Path) -> None:
    for file in (target, log_of(target)):
        if file.exists():
            raise BadInput(f"{file} exists; stores are merged into a new file only")
    require_writable(target.absolute().parent)


def _open(stack: ExitStack, *paths: Path) -> Iterator[Store]:
    """Yield the stores, read only; one that is given twice is opened once."""
    known: dict[Path, Store] = {}
    for path in map(find_file, paths):
        if path not in known:
            store = Store(path, read_only=True, memory=limit_memory(path))
            known[path] = stack.enter_context(closing(store))
        yield known[path]


def _merge(stores: list[Store], draft: Path, people: Mapping[str, str], second: str) -> MergeReport:
    one, other = (store.cursor() for store in stores)
    collections = match_collections(one, other)
    known = match_people(one, other, people)
    limit = limit_memory(*(store.path for store in stores))
    with closing(Database(draft, memory=limit)) as database:
        migrate(database)
        with _desk(database) as desk:
            lay_out(desk, one, FIRST)
            lay_out(desk, other, SECOND)
            rename(desk, collections, known)
            differences = tuple(compare_contents(desk))
            left = _count_left(one, other)
            report = MergeReport(
                tuple(collections), tuple(known), differences, None, (), (), left, {}
            )
            if report.obstacles:
                return report
            settings = tuple(write_settings(desk))
            write_contents(desk)
            events = write_events(desk)
            surplus = tuple(write_places(desk))
            write_changes(desk)
            for collection_id in list_shared(collections):
                note_change(
                    desk,
                    collection_id,
                    "merge",
                    "collection",
                    _sum_up(second, events, collection_id, len(surplus)),
                )
            rows = {table: _count(desk, table) for table in list_tables(desk)}
    return MergeReport(
        tuple(collections), tuple(known), differences, events, surplus, settings, left, rows
    )


@contextmanager
def _desk(database: Database) -> Iterator[Cursor]:
    with database.write() as cursor:
        yield cursor


def _sum_up(second: str, events: Joined, collection_id: str, surplus: int) -> str:
    conflicts = sum(one.key[0] == collection_id for one in events.conflicts)
    return (
        f"with {second!r}: {events.second - events.shared} label events more, {conflicts} with two "
        f"current labels, {surplus} batches with more places than asked for"
    )


def _count_left(first: Cursor, second: Cursor) -> dict[str, int]:
    return {table: _count(second, table) for table in OF_FIRST} | {
        table: _count(first, table) + _count(second, table) for table in OF_NEITHER
    }


def _count(cursor: Cursor, table: str) -> int:
    row = cursor.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(row[0]) if row else 0


def _name(where: tuple[str, ...]) -> str:
    return ", ".join(f"'{one}'" for one in where[:_MOST_NAMED]) + (
        ", …" if len(where) > _MOST_NAMED else ""
    )
