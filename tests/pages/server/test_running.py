"""The server of a process: which store it opens, and what is left of it."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from streamlit.runtime import memory_media_file_storage as storage
from streamlit.runtime.media_file_storage import MediaFileKind

from core.assessment.simulated.simulation import FAILED
from core.settings import ROOT
from core.store.content.collections import list_collections
from pages.server.running import server, stop, tell_files_apart
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


SIZE = 2_000_000


def store_two() -> tuple[bytes, bytes]:
    """Return what is handed out of two files, one stored after the other."""
    held = storage.MemoryMediaFileStorage("/media")
    found = []
    for sign in (b"1", b"2"):
        content = b"0" * (SIZE // 4) + sign + b"0" * (3 * SIZE // 4)
        kind = MediaFileKind.DOWNLOADABLE
        name = held.load_and_get_id(content, "text/csv", kind, "labels.csv")
        found.append(held.get_file(f"{name}.csv").content)
    return found[0], found[1]


def test_the_second_is_not_taken_for_the_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(storage, "_PARTIAL_HASH_THRESHOLD", 1_048_576)
    first, second = store_two()
    assert first == second, "Streamlit hashes all of it by now: what mends this can go"
    tell_files_apart()
    first, second = store_two()
    assert first != second


PROGRAM = """
import asyncio, sys
from pages.server.running import lifespan
from streamlit.runtime import memory_media_file_storage as storage

async def start():
    async with lifespan(None):
        print(storage._PARTIAL_HASH_THRESHOLD == sys.maxsize)

asyncio.run(start())
"""


@long
def test_a_server_does_so_as_it_starts(tmp_path: Path):
    told = os.environ | {"DISSENT_STORE": str(tmp_path / "store.duckdb")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=told, capture_output=True, text=True
    )
    assert "True\n" in done.stdout, done.stderr
