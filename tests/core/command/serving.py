"""A served app as tests meet it: started as a process, asked over HTTP, stopped by a signal."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from core.settings import ROOT
from tests.patience import PATIENCE


@dataclass
class Served:
    """A running ``dissent serve`` whose output goes to a file."""

    process: "subprocess.Popen[bytes]"
    output: Path

    def printed(self, pattern: str) -> str:
        """Return what a pattern matches in the output, once it does."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.output.read_text())):
            if self.process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"'{pattern}' was not printed:\n{self.output.read_text()}")
            time.sleep(0.05)
        return found[0]

    def address(self) -> str:
        """Return where the server says that it runs."""
        return self.printed(r"running at http\S+").removeprefix("running at ")

    def stop(self, number: int = signal.SIGINT) -> int:
        """Send a signal and return the exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)


@contextmanager
def serve(
    words: Sequence[object],
    folder: Path,
    *,
    installed: Sequence[object] = (),
    env: dict[str, str] | None = None,
) -> Iterator[Served]:
    """Start the command in a folder that is not the checkout; that of the checkout or another."""
    output = folder / "serve.txt"
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("DISSENT_") and name != "PYTHONPATH"
    }
    if not installed:
        environment["PYTHONPATH"] = str(ROOT)
    start = map(str, installed or (sys.executable, "-m", "core.command.main"))
    command = [*start, "serve", *map(str, words)]
    with output.open("wb") as stream:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
        )
    try:
        yield Served(process, output)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=PATIENCE)


def get(address: str, path: str) -> tuple[int, bytes]:
    """Return status and content of a request."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()
