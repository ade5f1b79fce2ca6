"""The server's log: one line for each event on stderr, never what was judged or written."""

import logging
import os
import sys
import threading
import warnings
from collections.abc import Hashable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from pages.server.log_record import (
    MINUTE,
    Rate,
    describe_record,
    find_error,
    find_place,
    list_steps,
    show,
    write_json,
    write_text,
)

MODES = ("json", "text", "off")
"""What DISSENT_LOG may say. Without it: text on a terminal, JSON everywhere else."""

FACTS = ("status", "events", "saved", "stale", "refused", "rows", "bytes", "ms", "error", "at")
"""All that a line of Dissent can say besides time, level, event, collection and person."""

EVENTS_A_MINUTE, FAULTS_A_MINUTE, OTHERS_A_MINUTE = 120, 20, 1
"""How often a source is heard: Dissent about one person, in what goes well and in what does not,
and one place in the code of others. How often it spoke besides is said once a minute."""

_LOGGER = logging.getLogger("dissent")
_LOGGED = "This error is in the log of Dissent."


def log(
    event: str,
    level: int = logging.INFO,
    *,
    collection: str = "",
    person: str = "",
    **facts: int | float | str,
) -> None:
    """Write one line.

    Parameters
    ----------
    event : str
        What happened, in fixed words.
    collection, person : str
        Ids, which are pseudonyms; never names.
    **facts
        Numbers, and the names of errors and of places in the code: only those of ``FACTS``.
    """
    unknown = facts.keys() - set(FACTS)
    if unknown:
        raise ValueError(f"the log has no place for {', '.join(sorted(unknown))}")
    fields = {"told": {"collection": collection, "person": person, **facts}}
    # Who called is not told: to look for it takes as long as all the rest.
    _LOGGER.handle(_LOGGER.makeRecord(_LOGGER.name, level, "", 0, event, (), None, extra=fields))


def log_error(event: str, error: BaseException, *, collection: str = "", person: str = "") -> None:
    """Write which error it was and where it arose; its message may quote a label, and is not."""
    name, place = type(error).__name__, find_place(error)
    log(event, logging.ERROR, collection=collection, person=person, error=name, at=place)
    error.add_note(_LOGGED)


def unite_logs() -> None:
    """Let everything that this process logs leave as lines of this log, and by no other way.

    Whatever loggers and handlers there are or come: Streamlit gives each of its loggers a
    handler of its own, also later, and uvicorn sets up others.
    """
    _LINES.rate = Rate()
    logging.Logger.callHandlers = lambda _, record: _LINES.handle(record)  # type: ignore[assignment, method-assign]  # logging has no hook
    warnings.showwarning = _note_warning
    sys.excepthook = _note_end
    sys.unraisablehook = lambda lost: _note_error(lost.exc_value)
    threading.excepthook = lambda ended: _note_error(ended.exc_value)


def sum_up_log() -> None:
    """Say what was left out since it was last said."""
    _LINES.flush()


def _note_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    log("warning", logging.WARNING, error=category.__name__, at=f"{Path(filename).stem}:{lineno}")


def _note_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        _note_error(error)


def _note_error(error: BaseException | None) -> None:
    if not isinstance(error, SystemExit):
        logging.getLogger("python").error("uncaught error", exc_info=error)


class _Lines(logging.Handler):
    """Writes to what is stderr at that moment, in the mode that the environment asks for.

    Attributes
    ----------
    rate : Rate or None
        How often each source is heard; without one, always.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rate: Rate | None = None
        self._sums_up: threading.Timer | None = None

    def emit(self, record: logging.LogRecord) -> None:
        # Nobody's judgement fails because a line cannot be written.
        with suppress(Exception):
            if (mode := _mode()) != "off":
                self._write(record, mode)

    def flush(self) -> None:
        """Sum up what was left out."""
        self.acquire()
        try:
            with suppress(Exception):
                self._sums_up = None
                for summary in self.rate.begin_minute() if self.rate else ():
                    _put(summary, _mode())
        finally:
            self.release()

    def _write(self, record: logging.LogRecord, mode: str) -> None:
        own = record.name == _LOGGER.name
        error = None if own else find_error(record)
        if error is not None and not _note_first(error) and mode == "json":
            return
        source, event = _describe_own(record) if own else describe_record(record)
        event = {"level": record.levelname.lower(), **event}
        if self._is_heard(record.levelno, own, source, event):
            steps = list_steps(error.__traceback__) if error and mode == "text" else []
            _put(event, mode, steps)

    def _is_heard(self, level: int, own: bool, source: Hashable, event: dict[str, Any]) -> bool:
        if self.rate is None:
            return True
        if self.rate.is_over:
            self.flush()
        often = FAULTS_A_MINUTE if level >= logging.WARNING else EVENTS_A_MINUTE
        if self.rate.admit(source, often if own else OTHERS_A_MINUTE, event):
            return True
        if self._sums_up is None:
            self._sums_up = threading.Timer(MINUTE, self.flush)
            self._sums_up.daemon = True
            self._sums_up.start()
        return False


def _describe_own(record: logging.LogRecord) -> tuple[Hashable, dict[str, Any]]:
    fields = getattr(record, "told", {})
    kept = {name: value for name, value in fields.items() if value != ""}
    source = (record.msg, *(fields.get(name) for name in ("person", "error", "at")))
    return source, {"event": record.msg, **kept}


def _note_first(error: BaseException) -> bool:
    """Tell whether an error has not been in the log, and note that now it is."""
    if _LOGGED in getattr(error, "__notes__", ()):
        return False
    error.add_note(_LOGGED)
    return True


def _put(event: dict[str, Any], mode: str, steps: Iterable[str] = ()) -> None:
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    write = write_text if mode == "text" else write_json
    lines = [write({"time": time, **event}), *map(show, steps)]
    sys.stderr.write("\n".join(lines) + "\n")
    sys.stderr.flush()


def _mode() -> str:
    given = os.environ.get("DISSENT_LOG", "").strip().lower()
    if given in MODES:
        return given
    return "text" if sys.stderr is not None and sys.stderr.isatty() else "json"


_LINES = _Lines()
_LOGGER.setLevel(logging.INFO)
_LOGGER.propagate = False
_LOGGER.addHandler(_LINES)
