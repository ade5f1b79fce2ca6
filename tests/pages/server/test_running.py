"""The server of a process: which store it opens, and what is left of it."""

from pathlib import Path

import pytest

from core.store.content.collections import list_collections
from pages.server.running import server, stop


def test_the_demo_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch):
    stop()
    monkeypatch.setenv("DISSENT_DEMO", "1")
    monkeypatch.delenv("DISSENT_STORE", raising=False)
    running = server()
    folder = running.store.path.parent
    assert running.demo
    assert len(list_collections(running.store)) == 1
    stop()
    assert not folder.exists()


def test_a_store_of_ones_own_stays_and_gets_no_demo(store, tmp_path: Path):
    assert list_collections(store) == []
    stop()
    assert (tmp_path / "store.duckdb").exists()
