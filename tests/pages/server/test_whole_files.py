"""Two large files that differ in one sign only are two files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.runtime import memory_media_file_storage as storage
from streamlit.runtime.media_file_storage import MediaFileKind

from core.settings import ROOT
from pages.server.whole_files import tell_files_apart
from tests.short import long

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
