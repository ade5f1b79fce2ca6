"""Small files that unpack to very much take neither memory nor time, and honest ones are read."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings import ROOT
from tests.faults.packed_files import GZIP, MIB, PARQUET, PDF, PICTURES, Made
from tests.patience import PATIENCE
from tests.short import long

MOST = 400 * MIB
"""Bytes above what a process had before, its children included."""

SHORT = {
    *("a text of 16 MB in 256 rows", "a list of 40 million zeros", "many members"),
    *("forms within forms", "a picture in colour", "a PNG like a thread"),
}

READS = """
import sys
from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput

def read(path, kind):
    source = Source.at(path)
    detect_kind(source)
    for frame in read_import(kind, source).frames.values():
        print("read", len(frame), flush=True)

read(sys.argv[1], "documents")
print("ready", flush=True)
sys.stdin.readline()
try:
    read(sys.argv[2], sys.argv[3])
except BadInput as error:
    print("refused", error, flush=True)
"""


def of_kind(kind: str, files: dict[str, Made]) -> Iterator[object]:
    for name, make in files.items():
        marks = () if name in SHORT else long
        yield pytest.param(kind, make, marks=marks, id=f"{kind}: {name}")


def resident(process: int) -> int:
    """Return the bytes that a process and its children have in memory."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(resident(int(one)) for one in children)


def read_apart(path: Path, kind: str, small: Path) -> tuple[str, int]:
    """Return what reading a file says, and by how many bytes it made a process larger."""
    process = subprocess.Popen(
        [sys.executable, "-c", READS, str(small), str(path), kind],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        while "ready" not in (line := process.stdout.readline()):
            assert line
        before = peak = resident(process.pid)
        process.stdin.write("\n")
        process.stdin.flush()
        deadline = time.monotonic() + 4 * PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            peak = max(peak, resident(process.pid))
            time.sleep(0.005)
        assert process.poll() == 0
        return process.stdout.read(), peak - before
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "documents.tsv"
    path.write_text("id\ttext\nd1\ta cat\n")
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked at in /proc")
@pytest.mark.parametrize(
    ("kind", "make"),
    [
        *of_kind("documents", PARQUET),
        *of_kind("runs", GZIP),
        *of_kind("documents", PDF),
        *of_kind("documents", PICTURES),
    ],
)
def test_a_small_file_takes_little_memory(
    kind: str, make: Made, small: Path, tmp_path: Path, record_property
):
    path = tmp_path / "given.file"
    path.write_bytes(make())
    said, more = read_apart(path, kind, small)
    told = f"{path.stat().st_size:,} bytes, {more / MIB:.0f} MiB more"
    record_property("counts", f"{told}: {said.strip()[:100]}")
    assert said.startswith(("refused", "read")), said
    assert more <= MOST, f"{told}: {said}"
