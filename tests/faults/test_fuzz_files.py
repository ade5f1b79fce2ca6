"""Every import format against spoiled and made-up files: read whole, or refused by line."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.collection.file_format import formats_of
from core.collection.files.source import Source
from core.collection.formats import KINDS, read_import
from core.collection.records import Import
from core.errors import BadInput, DissentError
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.store import Store
from tests.faults.fuzz_mutations import made_up_files, nearly_valid_files, spoiled_files
from tests.faults.fuzz_seeds import PACKED, TARGETS, Target
from tests.short import long

pytestmark = pytest.mark.timeout(3_600)

FILE = "spoiled file.txt"
SHORT, LONG = 20, 6_000
"""Inputs for each format."""

FIRST = {target.kind: target for target in reversed(TARGETS)}
"""What the short form tries: one format of each kind of file."""

STORED = 5
"""Of so many imports that are read, one is stored, too."""

WITHOUT_LINE = (
    "the file is empty",
    "is damaged or cut short",
    "unpacks to more than",
    "does not look like",
    "no row has a label",
)
"""Refusals of a whole file: there is no one line at fault."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store(tmp_path_factory.mktemp("fuzz") / "store.duckdb")
    yield opened
    opened.close()


def test_every_format_is_fuzzed():
    known = {(kind, entry.name) for kind in KINDS for entry in formats_of(kind)}
    assert {(target.kind, target.name) for target in TARGETS} == known


@pytest.mark.parametrize(
    "target",
    [one if one is FIRST[one.kind] else pytest.param(one, marks=long) for one in TARGETS],
    ids=str,
)
def test_files_are_read_whole_or_refused_by_line(
    target: Target, store: Store, long_form: bool, record_property
):
    seen: Counter[str] = Counter()

    def read(data: bytes, options: dict[str, Any]) -> None:
        imported = _read(target.kind, data, options, seen)
        if imported and seen["read"] % STORED == 1:
            seen["stored" if _stores(store, imported) else "not stored"] += 1

    for seed in target.seeds:
        assert any(_is_read(target, seed, options) for options in target.options)
    count = LONG if long_form else SHORT
    for files, share in (
        (nearly_valid_files(target.seeds, target.words), 0.5),
        (spoiled_files(target.seeds, target.words), 0.3),
        (made_up_files(target.words, target.seeds), 0.2),
    ):
        _run(int(share * count), read, files, st.sampled_from(target.options))
    record_property("counts", f"{target}: {dict(seen)}")
    assert seen["inputs"] >= count
    assert seen["read"]
    assert seen["refused"]


def _run(count: int, read: Callable[..., None], *strategies: st.SearchStrategy[Any]) -> None:
    """Try a reader on so many inputs, the same ones every time."""
    chosen = settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    chosen(given(*strategies)(read))()


def _read(kind: str, data: bytes, options: dict[str, Any], seen: Counter[str]) -> Import | None:
    """Read an input, or see to it that its refusal says where; anything else is a fault."""
    seen["inputs"] += 1
    try:
        imported = read_import(kind, Source(FILE, data), **options)
    except BadInput as error:
        seen["refused"] += 1
        _check_refusal(error)
        return None
    seen["read"] += 1
    return imported


def test_packed_files_are_read_or_refused(long_form: bool, record_property):
    seen: Counter[str] = Counter()

    def read(data: bytes) -> None:
        _read("topics", data, {}, seen)

    _run(LONG if long_form else SHORT, read, spoiled_files(PACKED, ("\x1f\x8b",)))
    record_property("counts", f"packed: {dict(seen)}")


def _is_read(target: Target, data: bytes, options: dict[str, Any]) -> bool:
    try:
        read_import(target.kind, Source(FILE, data), format_name=target.name, **options)
    except BadInput:
        return False
    return True


def _check_refusal(error: BadInput) -> None:
    assert error.file == FILE, error
    str(error).encode()
    lineless = any(text in error.reason for text in WITHOUT_LINE)
    assert lineless or (error.line is not None and error.line >= 1), error


def _stores(store: Store, imported: Import) -> bool:
    """Store an import in a new collection: all of it or, with a word to the person, nothing."""
    collection_id = create_collection(store, "fuzz")
    before = _count(store)
    try:
        added = write_import(store, collection_id, imported)
    except DissentError:
        assert _count(store) == before
        return False
    after = _count(store)
    tables = {"runs": "run_lines"}
    for table in added.keys() - {"already there"}:
        name = tables.get(table, table)
        assert after[name] - before[name] == added[table]
    return True


def _count(store: Store) -> dict[str, int]:
    cursor = store.cursor()
    names = cursor.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
    union = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for (name,) in names)
    return dict(cursor.execute(union).fetchall())


def test_a_path_can_be_read_as_well(tmp_path: Path):
    """The fuzz reads from memory; a file on disk goes the same way."""
    path = tmp_path / "topics.tsv"
    path.write_bytes(TARGETS[1].seeds[0])
    assert read_import("topics", Source.at(path)).counts["topics"] == 2
