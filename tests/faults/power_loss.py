"""What a power cut can leave of the files that a process writes: a disk that forgets.

A recorder (``recorder.c``) is preloaded into the process and writes down what it does to the files
of one folder. `Disk` replays that up to any moment and knows what was flushed by then; the rest is
dropped, kept or kept in part, as a disk may do that was still busy.
"""

import random
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import pytest

_HEAD = struct.Struct("<IIIIqqIIII")
T = TypeVar("T")
_SECTOR = 512
_BLOCK = 262_144
"""What the database writes to its file in one go, some of it where a former block was in use."""

TORN_BLOCKS = "torn blocks"
_SOURCE = Path(__file__).with_name("recorder.c")


def build_recorder(folder: Path) -> Path:
    """Compile the recorder; skip the test where that cannot be done."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here: what is written cannot be recorded")
    library = folder / "recorder.so"
    words = [compiler, "-shared", "-fPIC", "-O1", "-o", library, _SOURCE, "-ldl", "-lpthread"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the recorder does not compile here: {done.stderr[-300:]}")
    return library


@dataclass(frozen=True)
class Recording:
    """A folder that is watched, the recorder, and the file that takes its records."""

    folder: Path
    library: Path
    trace: Path

    def environment(self, kill_before: int = 0) -> dict[str, str]:
        """Return what a process needs to be recorded; perhaps killed before a certain record."""
        return {
            "LD_PRELOAD": str(self.library),
            "RECORD_FOLDER": str(self.folder),
            "RECORD_TO": str(self.trace),
            **({"RECORD_KILL": str(kill_before)} if kill_before else {}),
        }

    def position(self) -> int:
        """Return how long the record is by now."""
        return self.trace.stat().st_size if self.trace.exists() else 0


@dataclass(frozen=True)
class Record:
    """One thing that was done: its letter is the one that the recorder gave it."""

    what: str
    process: int
    file: int
    token: int
    first: int
    second: int
    path: str
    other: str
    data: bytes
    end: int


def read_records(trace: Path) -> list[Record]:
    """Return everything that was recorded, in order."""
    content, place, records = trace.read_bytes(), 0, []
    while place + _HEAD.size <= len(content):
        what, process, file, token, first, second, *sizes = _HEAD.unpack_from(content, place)
        place += _HEAD.size
        path, other, data = (
            content[place + sum(sizes[:n]) : place + sum(sizes[: n + 1])] for n in range(3)
        )
        place += sum(sizes[:3])
        names = path.decode(), other.decode()
        records.append(Record(chr(what), process, file, token, first, second, *names, data, place))
    return records


@dataclass(frozen=True)
class _Write:
    """A change of a file's content that waits to be flushed."""

    what: str
    place: int
    size: int
    data: bytes = b""

    def apply(self, content: bytearray) -> None:
        if self.what == "T":
            del content[self.place :]
            content.extend(bytes(self.place - len(content)))
            return
        end = self.place + self.size
        if self.what == "A" or len(content) < end:
            content.extend(bytes(max(end - len(content), 0)))
        if self.what == "W":
            content[self.place : end] = self.data
        elif self.what == "P":
            content[self.place : end] = bytes(self.size)

    def parts(self) -> Iterator["_Write"]:
        """Yield the sectors of a write, each of which a disk may write or not."""
        if self.what != "W":
            yield self
            return
        place = self.place
        while place < self.place + self.size:
            end = min((place // _SECTOR + 1) * _SECTOR, self.place + self.size)
            data = self.data[place - self.place : end - self.place]
            yield _Write("W", place, end - place, data)
            place = end


class _Pending(Generic[T]):
    """What was done since the last flush; a place in it stays the same while others flush."""

    def __init__(self) -> None:
        self.items: list[T] = []
        self._gone = 0

    def end(self) -> int:
        return self._gone + len(self.items)

    def take(self, end: int) -> list[T]:
        count = max(end - self._gone, 0)
        taken, self.items = self.items[:count], self.items[count:]
        self._gone += count
        return taken


class _File:
    """A file's content as flushed, and what was done to it since."""

    def __init__(self, content: bytes = b"") -> None:
        self.flushed = bytearray(content)
        self.pending: _Pending[_Write] = _Pending()

    def flush(self, end: int) -> None:
        for write in self.pending.take(end):
            write.apply(self.flushed)


_Move = dict[str, _File | None]
"""Names that were given or taken away in one go."""


@dataclass
class Image:
    """What a power cut left: a content for every name, and how it came to be."""

    how: str
    files: dict[str, bytes]

    def write(self, folder: Path) -> None:
        """Lay the files out in an empty folder."""
        for name, content in self.files.items():
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o600)


class Disk:
    """The files of one folder, its subfolders aside, as recorded up to some moment.

    Parameters
    ----------
    folder : Path
        The folder that was watched.
    before : dict
        What was in it, flushed, before the recording began.
    """

    def __init__(self, folder: Path, before: dict[str, bytes]) -> None:
        self._folder = str(folder)
        self._names: _Move = {name: _File(content) for name, content in before.items()}
        self._flushed_names = dict(self._names)
        self._moves: _Pending[_Move] = _Pending()
        self._folders: set[str] = set()
        self._open: dict[tuple[int, int], _File | None] = {}
        self._flushes: dict[tuple[int, int], tuple[_File | None, int]] = {}

    def apply(self, record: Record) -> None:
        """Do what was recorded."""
        key, name = (record.process, record.file), self._name(record.path)
        if record.what == "O":
            self._open[key] = self._find(name, record)
        elif record.what in "WTPA":
            if file := self._open.get(key):
                size = len(record.data) if record.what == "W" else record.second
                file.pending.items.append(_Write(record.what, record.first, size, record.data))
        elif record.what == "S":
            held = self._open.get(key)
            end = held.pending.end() if held else self._moves.end()
            self._flushes[record.process, record.token] = held, end
        elif record.what == "E":
            self._flush(*self._flushes.pop((record.process, record.token)))
        elif record.what == "R":
            self._move({name: None, self._name(record.other): self._names.get(name)})
        elif record.what == "U":
            self._move({name: None})
        elif record.what == "M":
            self._folders.add(name)

    def images(self, rng: random.Random) -> Iterator[Image]:
        """Yield what a power cut at this moment could leave, in several ways."""
        names = len(self._moves.items)
        some = rng.randint(0, names)
        yield self._image("nothing that was not flushed", 0, lambda _: False)
        yield self._image("everything", names, lambda _: True)
        yield self._image("names without content", names, lambda _: False)
        yield self._image("content without names", 0, lambda _: True)
        yield self._image("some writes", some, lambda _: rng.random() < 0.5)
        yield self._image("torn writes", some, lambda _: rng.random() < 0.5, lambda w: w < _BLOCK)
        if any(write.size >= _BLOCK for write in self._pending()):
            yield self._image(TORN_BLOCKS, names, lambda _: rng.random() < 0.5, lambda _: True)

    def _pending(self) -> Iterator[_Write]:
        """Yield what is not flushed of files that have a name."""
        for file in self._flushed_names.values():
            if file:
                yield from file.pending.items

    def _image(
        self,
        how: str,
        names: int,
        keeps: Callable[[_Write], bool],
        tears: Callable[[int], bool] = lambda _: False,
    ) -> Image:
        """Return what is left with so many of the changes of names, and of writes what is kept.

        Writes of a size that ``tears`` are kept sector by sector.
        """
        held = dict(self._flushed_names)
        for move in self._moves.items[:names]:
            held.update(move)
        return Image(how, {
            name: _forget(file, keeps, tears)
            for name, file in held.items() if file and "/" not in name
        })  # fmt: skip

    def _name(self, path: str) -> str:
        """Return the name of a file within the folder; empty for the folder itself."""
        return path.removeprefix(self._folder).removeprefix("/")

    def _find(self, name: str, record: Record) -> _File | None:
        """Return the file that was opened; None for the folder itself."""
        if not name:
            return None
        if name in self._folders:
            return _File()  # what is flushed of a subfolder is not in any image
        if not (file := self._names.get(name)):
            file = _File()
            self._move({name: file})
        if record.second:
            file.pending.items.append(_Write("T", 0, 0))
        return file

    def _move(self, names: _Move) -> None:
        self._names.update(names)
        self._moves.items.append(names)

    def _flush(self, file: _File | None, end: int) -> None:
        if file:
            file.flush(end)
        else:
            for move in self._moves.take(end):
                self._flushed_names.update(move)


def _forget(file: _File, keeps: Callable[[_Write], bool], tears: Callable[[int], bool]) -> bytes:
    """Return a file's content of which not everything was kept that was not flushed."""
    content = bytearray(file.flushed)
    for write in file.pending.items:
        for part in write.parts() if tears(write.size) else [write]:
            if keeps(part):
                part.apply(content)
    return bytes(content)
