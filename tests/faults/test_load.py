"""Many assessors and two live pages at once: no error, and every acknowledged label is stored.

The figures are printed and not judged, since they are the machine's as much as the program's;
``python -m tests.bench.load`` prints the same.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.command.check import check_store
from core.store.store import Store
from tests.bench.agreement_page import make_labels
from tests.bench.load import Load, describe, measure
from tests.short import long


@long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(
    "is_full",
    [False, pytest.param(True, marks=long)],
    ids=["an empty store", "a full store"],
)
def test_nothing_fails_under_load(
    tmp_path: Path, is_full: bool, long_form: bool, record_property: Callable[[str, object], None]
):
    held = (1_000_000 if long_form else 10_000) if is_full else 0
    imported = len(make_labels(held).frames["labels"]) if held else 0
    load = Load() if long_form else Load(minutes=0.1, assessors=20, documents=40, looks=2)
    path = tmp_path / "store.duckdb"
    found = measure(load, held, path)
    record_property("counts", f"{imported:,} labels held; {describe(found)}")
    assert found.errors == []
    assert found.faults == []
    assert all(drawn for drawn, _ in found.boards.values())
    assert [fault for one in check_store(path) for fault in one.faults] == []
    store = Store(path)
    stored = store.cursor().execute("SELECT count(*) FROM labels").fetchone()
    store.close()
    assert stored == (imported + found.labels,)
    assert found.labels > 0
