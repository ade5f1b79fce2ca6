"""What a database does when its files cannot grow: in a process of its own, as limits are."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import StoreUnusable
from core.settings import ROOT
from core.store.file.database import Database
from tests.short import long

SCRIPT = """
import resource, sys, uuid
from pathlib import Path
import core.store.file.database as database
from core.errors import StoreFull
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

def add(count):
    for _ in range(count):
        key = Key("t", str(uuid.uuid4()), "page", "", "a", 0)
        event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, comment="x" * 200)
        (receipt,) = store.labels.append("c", [event])
        saved[event.event_id] = receipt.sequence

saved = {}
path = Path(sys.argv[1])
"""

RESUMED = """
refused = 0
{limit}
while refused < 20:
    try:
        add(1)
    except StoreFull:
        refused += 1
assert store.cursor().execute("SELECT count(*) FROM labels").fetchone() == (len(saved),)
limit(resource.RLIM_INFINITY)
add(50)
with store.change("c", "try", "it"):
    pass
store.close()
store = Store(path)
rows = store.cursor().execute("SELECT event_id::VARCHAR, sequence FROM labels").fetchall()
assert dict(rows) == saved and len(rows) == len(saved)
assert sorted(saved.values()) == list(range(1, len(saved) + 1))
"""


def run(script: str, path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + script, str(path)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_a_log_that_cannot_grow_refuses_and_goes_on(tmp_path: Path):
    run("store = Store(path)\n" + RESUMED.format(limit="limit(100_000)"), tmp_path / "s.duckdb")


@long
@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_a_merge_that_finds_no_room_does_not_end_the_database(tmp_path: Path):
    """DuckDB gives a database up whose log cannot be merged into the file: it is opened again."""
    small = 'database._USUAL = "100KB"\nstore = Store(path)\nlimit(150_000)\n'
    then = '\nassert calm > 0, "it was never opened again"\n'
    noted = RESUMED.replace("limit(resource", "calm = store.database._calm_at\nlimit(resource")
    run(small + noted.format(limit="limit(300_000)") + then, tmp_path / "s.duckdb")


@long
@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_a_transaction_without_room_is_refused_whole(tmp_path: Path):
    run(
        """
store = Store(path)
limit(400_000)
try:
    with store.change("c", "import", "topics") as cursor:
        cursor.execute("CREATE TABLE big AS SELECT range AS a, md5(range::VARCHAR) AS b "
                       "FROM range(200000)")
except StoreFull as error:
    assert "no room left" in str(error)
else:
    raise AssertionError("it was not refused")
limit(resource.RLIM_INFINITY)
assert store.cursor().execute("SELECT count(*) FROM changes").fetchone() == (0,)
with store.change("c", "import", "topics"):
    pass
add(3)
store.close()
assert Store(path).cursor().execute("SELECT count(*) FROM changes").fetchone() == (1,)
""",
        tmp_path / "s.duckdb",
    )


def test_a_file_with_several_names_is_refused_by_each_of_them(tmp_path: Path):
    """Its log lies beside one of them: by another what was saved last would be missed."""
    path, other = tmp_path / "study.duckdb", tmp_path / "other.duckdb"
    Database(path).close()
    other.hardlink_to(path)
    for name in (path, other):
        for read_only in (True, False):
            with pytest.raises(StoreUnusable, match=r"has 2 names \(hard links\)"):
                Database(name, read_only=read_only)
    other.unlink()
    Database(path).close()
