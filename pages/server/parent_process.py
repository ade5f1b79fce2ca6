"""A server that somebody started ends with them, however they end."""

import os
import signal
import threading
import time

VARIABLE = "DISSENT_LIFELINE"
"""Names a pipe that ``dissent serve`` holds open for as long as it lives."""

PATIENCE = 15.0
"""Seconds until the process ends at once; what it has acknowledged is on disk."""


def end_with_parent() -> None:
    """Watch the pipe, where there is one, in a thread; stop this process when it breaks."""
    given = os.environ.get(VARIABLE, "")
    if given.isdecimal():
        threading.Thread(target=_watch, args=(int(given),), name="lifeline", daemon=True).start()


def _watch(pipe: int) -> None:
    # Nothing is ever written: reading ends when the last holder of the other end has died.
    os.read(pipe, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE)
    os._exit(1)
