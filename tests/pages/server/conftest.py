"""What tests of the log share."""

import logging
import sys
import threading
import warnings

import pytest

from pages.server import log


@pytest.fixture
def united(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all that is logged go one way, as in a running server, until the test is over."""
    for owner, name in (
        (logging.Logger, "callHandlers"),
        (warnings, "showwarning"),
        (sys, "excepthook"),
        (sys, "unraisablehook"),
        (threading, "excepthook"),
        (log._LINES, "rate"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    log.unite_logs()
