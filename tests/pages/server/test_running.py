"""The server of a process: which store it opens, and what is left of it."""

import threading
from pathlib import Path

import pytest

from core.assessment.simulated.simulation import FAILED
from core.store.content.collections import list_collections
from pages.server.running import server, stop
from tests.browser.running import wait_until
from tests.short import long


@long
def test_the_demo_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch):
    stop()
    monkeypatch.setenv("DISSENT_DEMO", "1")
    monkeypatch.delenv("DISSENT_STORE", raising=False)
    running = server()
    folder = running.store.path.parent
    assert running.demo
    assert len(list_collections(running.store)) == 1
    assert running.simulation is not None
    running.simulation.start()
    assert "simulation" in [thread.name for thread in threading.enumerate()]
    stop()
    assert not folder.exists()
    assert "simulation" not in [thread.name for thread in threading.enumerate()]


@long
def test_a_simulation_that_fails_is_in_the_log(live_demo: str, caplog: pytest.LogCaptureFixture):
    running = server()
    assert running.simulation is not None
    with running.store.database.write() as cursor:
        cursor.execute("ALTER TABLE labels RENAME TO gone")
    running.simulation.start()
    wait_until(lambda: not running.simulation.is_judging)
    assert running.simulation.why_paused == FAILED
    assert "simulation failed" in caplog.text


def test_a_store_of_ones_own_stays_and_gets_no_demo(store, tmp_path: Path):
    assert list_collections(store) == []
    stop()
    assert (tmp_path / "store.duckdb").exists()
