"""A file as its owner supplied it, made into plain text with numbered lines."""

import base64
import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from core.collection.files.parquet_lines import MAGIC, ParquetRows, open_rows
from core.errors import BadInput

GZIP_MAGIC = b"\x1f\x8b"

LARGEST = 2**30
"""Bytes of text in one file. A file is held in memory whole; the largest public run is a third."""

LARGEST_RATIO = 100
"""Unpacked to packed bytes. Runs and documents pack 3 to 40 times, a bomb about a thousand."""

LARGEST_STREAM = 2**35
"""Bytes of text in one file that is read in blocks and never held whole."""

HARMLESS = 2**22
"""Bytes below which the ratio does not matter: small repetitive files pack very well."""

HARMLESS_VALUES = 2**28
"""Bytes of values below which their ratio does not matter."""

LARGEST_VALUES = 8 * LARGEST_RATIO
"""Bytes that values take in memory to packed ones. Labels take about 8 times their text."""

_MEMORY = {b"{": 250, b"[": 64, b",": 60, b"\t": 60, b"\n": 100}
"""What each of these marks adds to memory: an object, a list, a value, a row."""


class Unpacked:
    """What has been unpacked of a packed file, and whether it may go on.

    Parameters
    ----------
    packed : int
        The bytes of the packed file.
    """

    def __init__(self, packed: int) -> None:
        self._packed = packed
        self._memory = 0

    def has_too_many_values(self, piece: bytes) -> bool:
        """Whether the values take too much memory, those of a further piece included."""
        self._memory += sum(piece.count(mark) * size for mark, size in _MEMORY.items())
        return self._memory > max(HARMLESS_VALUES, LARGEST_VALUES * self._packed)


_STEP = 2**20

_SAMPLE = 2**20
"""Bytes that are looked at to tell what a file holds."""

_BLOCK = 2**22
_LONGEST_LINE = 2**25


def _unheard(_share: float) -> None:
    """Take a report of progress that nobody asked for."""


@dataclass(frozen=True)
class Source:
    """A named file, on disk or in memory, packed with gzip or not.

    Whether it is packed is told from its first bytes, not from its name: browsers unpack
    downloads and leave the name as it was. So is a PDF or an image, which reads as one line that
    describes it: its name, and its content in base64. A Parquet file reads as lines of JSON.

    Parameters
    ----------
    name : str
        The name of the file as its owner knows it, for messages.
    content : bytes or Path
        The content, or where it is.
    report : callable
        Is told which share of the lines has been handed out, in [0, 1].
    """

    name: str
    content: bytes | Path = field(repr=False)
    report: Callable[[float], None] = field(default=_unheard, repr=False, compare=False)

    @classmethod
    def at(cls, path: str | Path) -> "Source":
        """Return the file at a path, named as the path was given."""
        return cls(str(path), Path(path))

    @property
    def stem(self) -> str:
        """The name without folders and endings: ``bm25`` for ``runs/bm25.run.gz``."""
        name = Path(self.name).name.removesuffix(".gz")
        return name.rpartition(".")[0] or name or self.name

    @cached_property
    def data(self) -> bytes:
        """The text as UTF-8 bytes: unpacked, without byte order mark, lines ended by line feeds.

        Raises
        ------
        BadInput
            The file cannot be read, is too large, or is not UTF-8 text.
        """
        return self._loaded[0]

    @property
    def is_described(self) -> bool:
        """Whether the file is a PDF or an image, and its text a description of it."""
        return bool(media_type_of(self._read_beginning()))

    @property
    def sha256(self) -> str:
        """The digest of the file as supplied."""
        return self._loaded[1] if "_loaded" in self.__dict__ else self._digest

    @cached_property
    def text(self) -> str:
        """The text of the file."""
        return self.data.decode()

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line with its number, from 1, without its end."""
        total, read = len(self.text) or 1, 0
        for number, line in enumerate(io.StringIO(self.text, newline="\n"), start=1):
            read += len(line)
            if number % 4096 == 0:
                self.report(read / total)
            yield number, line.removesuffix("\n")

    def blocks(self, size: int = _BLOCK) -> Iterator[bytes]:
        """Yield the text in blocks of whole lines, each line ended by a line feed.

        The file is not held in memory whole; what is refused is what `data` refuses, except that
        a file may be larger.

        Raises
        ------
        BadInput
            The file cannot be read, is too large or has too long a line, or is not UTF-8 text.
        """
        rest, lines, is_blank = b"", 1, True
        for piece in self._unpack_pieces(size):
            text = rest + piece
            # A carriage return at the end may be one half of a line's end.
            end = max(text.rfind(b"\n"), text.rfind(b"\r", 0, -1)) + 1
            rest = text[end:]
            if len(rest) > _LONGEST_LINE:
                reason = f"a line has more than {_LONGEST_LINE // 2**20} MiB; is this a log?"
                raise BadInput(reason, file=self.name, line=lines + text.count(b"\n", 0, end))
            if end:
                block = self._clean(text[:end], lines)
                lines, is_blank = lines + block.count(b"\n"), is_blank and not block.strip()
                yield block
        if rest:
            block = self._clean(rest + b"\n", lines)
            is_blank = is_blank and not block.strip()
            yield block
        if is_blank:
            raise BadInput("the file is empty", file=self.name)

    def _clean(self, block: bytes, line: int) -> bytes:
        """Return a block that begins on some line as text, or refuse it."""
        if line == 1:
            block = block.removeprefix(b"\xef\xbb\xbf")
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._check_text(block, line)
        return block

    def _unpack_pieces(self, size: int) -> Iterator[bytes]:
        """Yield the bytes of the text; those of a described file in one piece."""
        if media_type_of(self._read_beginning()):
            yield self.data
        else:
            yield from self._unpack(size, LARGEST_STREAM)

    def _unpack(self, size: int, largest: int) -> Iterator[bytes]:
        """Yield the bytes of the text as long as there are no more than there may be."""
        beginning = self._read_beginning()
        is_packed = beginning.startswith((GZIP_MAGIC, MAGIC))
        unpacked = 0
        try:
            with ExitStack() as stack:
                raw = stack.enter_context(self._open())
                total = raw.seek(0, io.SEEK_END) or 1
                raw.seek(0)
                file: BinaryIO | gzip.GzipFile | ParquetRows = raw
                if beginning.startswith(GZIP_MAGIC):
                    file = stack.enter_context(gzip.GzipFile(fileobj=raw))
                elif beginning.startswith(MAGIC):
                    file = stack.enter_context(open_rows(self.name, raw))
                while piece := file.read(size):
                    unpacked += len(piece)
                    self._check_size(unpacked, largest)
                    if is_packed:
                        self._check_ratio(unpacked, total)
                    yield piece
                    self.report(min(raw.tell() / total, 1.0))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self._damaged() from error
        except OSError as error:
            raise self._unreadable(error) from error

    def _open(self) -> BinaryIO:
        return (
            io.BytesIO(self.content) if isinstance(self.content, bytes) else self.content.open("rb")
        )

    @cached_property
    def _digest(self) -> str:
        """The digest of a file that is not held."""
        try:
            with self._open() as raw:
                digest = hashlib.sha256()
                while piece := raw.read(_STEP):
                    digest.update(piece)
                return digest.hexdigest()
        except OSError as error:
            raise self._unreadable(error) from error

    def sample(self) -> "Source":
        """Return the beginning of the file as a file of its own: whole lines, if one is there.

        At most a mebibyte is read, and at most as much is unpacked, however large the file is.

        Raises
        ------
        BadInput
            The file cannot be read, or begins like a gzip file but is none.
        """
        raw = self._read_beginning()
        if media_type_of(raw):
            return Source(self.name, self._describe(b""))
        refuse_strangers(raw, self.name)
        if raw.startswith(MAGIC):
            with self._open() as file, open_rows(self.name, file) as rows:
                raw = rows.read(_SAMPLE)
        elif raw.startswith(GZIP_MAGIC):
            raw = self._unpack_beginning(raw)
            self._refuse_within(raw)
        if len(raw) < _SAMPLE:
            return Source(self.name, raw)
        end = max(raw.rfind(b"\n"), raw.rfind(b"\r")) + 1
        # One line without an end: cut between characters.
        return Source(self.name, raw[:end] if end else raw.decode("utf-8", "ignore").encode())

    def _read_beginning(self) -> bytes:
        if isinstance(self.content, bytes):
            return self.content[:_SAMPLE]
        try:
            with self.content.open("rb") as file:
                return file.read(_SAMPLE)
        except OSError as error:
            raise self._unreadable(error) from error

    def _unpack_beginning(self, raw: bytes) -> bytes:
        try:
            return zlib.decompressobj(wbits=31).decompress(raw, _SAMPLE)
        except zlib.error as error:
            raise self._damaged() from error

    @cached_property
    def _loaded(self) -> tuple[bytes, str]:
        raw = self._read()
        digest = hashlib.sha256(raw).hexdigest()
        data = self._unpack_whole(raw) if raw.startswith(GZIP_MAGIC) else raw
        if media_type_of(data):
            return self._describe(data), digest
        self._refuse_within(data)
        if data.startswith(MAGIC):
            data = self._unpack_whole(data)
        data = data.removeprefix(b"\xef\xbb\xbf")
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._check_text(data)
        if not data[:_STEP].decode("utf-8", "ignore").strip() and not data.decode().strip():
            raise BadInput("the file is empty", file=self.name)
        return data, digest

    def _refuse_within(self, data: bytes) -> None:
        refuse_strangers(data[:_STEP], self.name)
        if data.startswith(GZIP_MAGIC):
            raise BadInput("is packed with gzip twice; unpack it once", file=self.name)

    def _describe(self, content: bytes) -> bytes:
        fields = {"id": self.stem, "title": self.stem, "media": base64.b64encode(content).decode()}
        return json.dumps(fields).encode()

    def _read(self) -> bytes:
        if isinstance(self.content, bytes):
            self._check_size(len(self.content))
            return self.content
        try:
            self._check_size(self.content.stat().st_size)
            return self.content.read_bytes()
        except OSError as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: OSError) -> BadInput:
        reason = (error.strerror or str(error)).lower()
        return BadInput(f"the file cannot be read: {reason}", file=self.name)

    def _damaged(self) -> BadInput:
        return BadInput(
            "is damaged or cut short: it begins like a gzip file but cannot be unpacked",
            file=self.name,
        )

    def _unpack_whole(self, packed: bytes) -> bytes:
        whole = io.BytesIO()  # what it holds is handed out without a copy
        unpacked = Unpacked(len(packed))
        for piece in Source(self.name, packed)._unpack(_STEP, LARGEST):
            if unpacked.has_too_many_values(piece):
                raise BadInput(
                    "unpacks to so many small values that they would take all memory, as no data "
                    "set of its size does; unpack it yourself if it is what it should be",
                    file=self.name,
                )
            whole.write(piece)
        return whole.getvalue()

    def _check_size(self, size: int, largest: int = 0) -> None:
        most = largest or LARGEST  # asked for here: tests have another one
        if size > most:
            raise BadInput(
                f"holds more than {most // 2**20} MiB; split it into several files",
                file=self.name,
            )

    def _check_ratio(self, unpacked: int, packed: int) -> None:
        if unpacked > max(HARMLESS, LARGEST_RATIO * packed):
            raise BadInput(
                f"unpacks to more than {LARGEST_RATIO} times its size, as no data "
                "set does; unpack it yourself if it is what it should be",
                file=self.name,
            )

    def _check_text(self, data: bytes, first: int = 1) -> None:
        """Refuse what is not text; ``first`` is the number of the first line."""
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise BadInput("is UTF-16 text; save it as UTF-8", file=self.name, line=1)
        try:
            if not data.isascii():
                data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + first
            start = error.start - data.rfind(b"\n", 0, error.start)
            where = f"byte {error.start + 1} of the text" if first == 1 else f"byte {start}"
            raise BadInput(
                f"{where} is not UTF-8; save the file as UTF-8",
                file=self.name,
                line=line,
            ) from error
        if (position := data.find(b"\0")) >= 0:
            line = data.count(b"\n", 0, position) + first
            raise BadInput(
                "contains a NUL byte, which text has not; is this the right file?",
                file=self.name,
                line=line,
            )


_PACKED = {
    b"PK\x03\x04": "a ZIP archive (or a spreadsheet); unpack it, or save the sheet as CSV",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\xfd7zXZ\x00": "packed with xz; unpack it, or pack it with gzip",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive; unpack it",
    b"\x28\xb5\x2f\xfd": "packed with Zstandard; unpack it, or pack it with gzip",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet or document; save the sheet as CSV",
    b"SQLite format 3\x00": "an SQLite database; export its table as CSV",
    b"ARROW1\x00\x00": "an Arrow file; save it as Parquet",
    **{
        b"BZh%d1AY&SY" % size: "packed with bzip2; unpack it, or pack it with gzip"
        for size in range(1, 10)
    },
}
_LINES = {
    re.compile(rb"\s*sep=.\s*$", re.IGNORECASE): "begins with the line 'sep=', which is for a "
    "spreadsheet program only; take that line out",
    re.compile(rb"-?\d+(?:\.\d+)? qid:\S+ \d+:\S"): "holds feature vectors for learning to rank "
    "(svmlight), which name no documents; write qrels: topic iteration document level",
}

_STATE = b'"instance_id_to_label_to_value"'


def refuse_strangers(beginning: bytes, name: str) -> None:
    """Refuse a file by its first bytes or its first line.

    Raises
    ------
    BadInput
        It is packed in another way than with gzip, a spreadsheet, a database, or no such data.
    """
    for magic, what in _PACKED.items():
        if beginning.startswith(magic):
            raise BadInput(f"is {what}", file=name)
    if beginning.lstrip().startswith(b"{") and _STATE in beginning:
        raise BadInput(
            "is the state that Potato keeps of one person; export its annotated instances and take "
            "these",
            file=name,
        )
    first = beginning.removeprefix(b"\xef\xbb\xbf")[:1000].partition(b"\n")[0]
    for pattern, what in _LINES.items():
        if pattern.match(first):
            raise BadInput(what, file=name, line=1)


_BEGINNINGS = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def media_type_of(content: bytes) -> str:
    """Return ``application/pdf`` or ``image/…`` for what can be drawn, else nothing."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for begin, kind in _BEGINNINGS if content.startswith(begin)), "")
