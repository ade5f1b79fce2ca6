"""Reading a file in a process of its own, to see how much memory and time it takes."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.settings import ROOT
from tests.patience import PATIENCE

MIB = 2**20

MOST = 400 * MIB
"""Bytes above what a process had before, its children included."""

READS = """
import sys
from pathlib import Path
from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.bundle.reproduction import reproduce
from core.errors import BadInput

def read(path, kind):
    if kind == "bundle":
        return print("read", reproduce(Path(path)).is_reproduced, flush=True)
    source = Source.at(path)
    detect_kind(source)
    for frame in read_import(kind, source).frames.values():
        print("read", len(frame), flush=True)

read(sys.argv[1], "bundle" if sys.argv[3] == "bundle" else "documents")
print("ready", flush=True)
sys.stdin.readline()
try:
    read(sys.argv[2], sys.argv[3])
except BadInput as error:
    print("refused", error, flush=True)
"""


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is looked at in /proc")


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


def take(content: bytes, kind: str, small: Path, folder: Path, record_property) -> None:
    """Read a file in a process of its own and see what it takes beside a small one."""
    path = folder / "given.file"
    path.write_bytes(content)
    said, more = read_apart(path, kind, small)
    told = f"{path.stat().st_size:,} bytes, {more / MIB:.0f} MiB more"
    record_property("counts", f"{told}: {said.strip()[:100]}")
    assert said.startswith(("refused", "read")), said
    assert more <= MOST, f"{told}: {said}"
