"""What pages will ask for is made before they do, and only where the server runs."""

import pytest

from core.analysis.base import study as base
from core.analysis.base.study import Study, runs_of
from core.informativeness.curves import tabulate_curves
from core.store.content.collections import create_collection
from core.store.store import Store
from pages.server.ahead import make_ahead, making_ahead
from tests.short import long


def refuse(*_: object) -> None:
    raise AssertionError("the runs are read again")


@long
def test_runs_and_curves_are_there_before_they_are_asked_for(
    demo: str, store: Store, monkeypatch: pytest.MonkeyPatch
):
    tabulate_curves.cache_clear()
    with making_ahead():
        make_ahead(Study(store, demo, is_masked=False))
    assert tabulate_curves.cache_info().currsize >= 4
    monkeypatch.setattr(base, "read_runs", refuse)
    assert runs_of(Study(store, demo, is_masked=False))["system"].nunique() > 1
    with pytest.raises(AssertionError, match="read again"):
        runs_of(Study(store, demo, is_masked=True))


def test_nothing_is_made_where_no_server_runs(demo: str, store: Store):
    tabulate_curves.cache_clear()
    make_ahead(Study(store, demo, is_masked=False))
    assert not tabulate_curves.cache_info().currsize


def test_without_runs_no_curves_are_followed(store: Store):
    tabulate_curves.cache_clear()
    empty = create_collection(store, "Empty")
    with making_ahead():
        make_ahead(Study(store, empty, is_masked=False))
        make_ahead(Study(store, "", is_masked=False))
        make_ahead(Study(store, "gone", is_masked=False))
    assert not tabulate_curves.cache_info().currsize
