"""Documents that are a PDF or a picture: what a file holds becomes the HTML that is judged."""

from __future__ import annotations

import base64
import binascii
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import IO, TYPE_CHECKING, Any

import core.collection.topics_and_documents.drawing as drawing
from core.collection.files.checks import LINE, refuse_where
from core.collection.files.source import Source
from core.collection.topics_and_documents.drawing import RenderedFile
from core.errors import BadInput
from core.processes import start_module

if TYPE_CHECKING:
    from pandas import DataFrame

MEDIA = "media"

_SECONDS = 300.0
"""Seconds of the clock for one file; those of a processor are counted where it is drawn."""
_ADDRESS = re.compile(r"\s*data:[\w.+/-]*(?:;[\w.+=-]+)*;base64,", re.IGNORECASE)


class Drawer:
    """Draws files in a process of its own, one after the other."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process = start_module(
            drawing.__name__,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def draw(self, content: bytes, title: str) -> RenderedFile:
        """Draw one file; see `core.collection.topics_and_documents.drawing.draw_file`.

        Raises
        ------
        BadInput
            As there; or it took more time or memory than there is for it.
        """
        asked = {"title": title, "size": len(content)}
        end = Timer(self._seconds, self._process.kill)
        end.start()
        try:
            _pipe(self._process.stdin).write(json.dumps(asked).encode() + b"\n" + content)
            _pipe(self._process.stdin).flush()
            answered = _pipe(self._process.stdout).readline()
        except BrokenPipeError:
            answered = b""
        finally:
            end.cancel()
        if not answered:
            reason = "cannot be drawn: it is damaged, or takes too long or too much memory"
            raise BadInput(f"{reason}; save it anew, with fewer or smaller pages")
        answer = json.loads(answered)
        if "refused" in answer:
            raise BadInput(answer["refused"])
        return RenderedFile(**answer)

    def close(self) -> None:
        """End the process; what it had not read of a file is dropped."""
        self._process.kill()
        _pipe(self._process.stdout).close()
        with suppress(BrokenPipeError):
            _pipe(self._process.stdin).close()
        self._process.wait()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe, "both are pipes"
    return pipe


@contextmanager
def a_drawer(seconds: float = _SECONDS) -> Iterator[Drawer]:
    """Have a process that draws, each file within some seconds, and end it."""
    drawer = Drawer(seconds)
    try:
        yield drawer
    finally:
        drawer.close()


def draw_files(frame: DataFrame, source: Source) -> DataFrame:
    """Return documents whose files have become the HTML and the text of their pages.

    Parameters
    ----------
    frame : DataFrame
        Documents as read, with the column ``media``: a PDF or an image in base64, alone or as a
        data address; empty where there is none.
    source : Source
        Where they come from, for messages and for the progress.

    Raises
    ------
    BadInput
        A document has HTML, too; or its file is no base64, cannot be drawn or is too large.
    """
    if MEDIA not in frame or not (has_file := frame[MEDIA].str.strip() != "").any():
        return frame
    refuse_where(
        frame,
        has_file & (frame["html"] != ""),
        lambda _: "has HTML, too; a page is one of the two",
        file=source.name,
        field=MEDIA,
    )
    frame = frame.astype({"html": object, "text": object})
    wanted = frame.index[has_file]
    with a_drawer() as drawer:
        for number, place in enumerate(wanted, start=1):
            row = frame.loc[place]
            try:
                drawn = drawer.draw(_unpack(row[MEDIA]), row["title"] or row["document_id"])
            except BadInput as error:
                raise _place(error.reason, source, int(row[LINE])) from error
            frame.loc[place, "html"] = drawn.html
            frame.loc[place, "text"] = row["text"] or drawn.text
            source.report(number / len(wanted))
    return frame.astype({"html": "str", "text": "str"})


def _place(reason: str, source: Source, line: int) -> BadInput:
    if source.is_described:
        return BadInput(reason, file=source.name)
    return BadInput(reason, file=source.name, line=line, field=MEDIA)


def _unpack(packed: Any) -> bytes:
    try:
        return base64.b64decode("".join(_ADDRESS.sub("", packed, count=1).split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput(f"is not base64 ({error})") from error
