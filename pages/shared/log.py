"""The server's log: one line for each event on stderr, never what was judged or written."""

import json
import logging
import os
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

MODES = ("json", "text", "off")
"""What DISSENT_LOG may say. Without it: text on a terminal, JSON everywhere else."""

FACTS = ("status", "events", "saved", "stale", "refused", "rows", "bytes", "ms", "error", "at")
"""All that a line can say besides time, level, event, collection and person."""

_LOGGER = logging.getLogger("dissent")
_FOREIGN = ("streamlit.error_util", "uvicorn.error")
"""Who else writes down errors that nobody caught, with their messages."""

_TOLD = "This error is in the log of Dissent."


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
    _LOGGER.log(level, event, extra={"told": {"collection": collection, "person": person, **facts}})


def log_error(event: str, error: BaseException, *, collection: str = "", person: str = "") -> None:
    """Write which error it was and where it arose; its message may quote a label, and is not."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace else ""
    name = type(error).__name__
    log(event, logging.ERROR, collection=collection, person=person, error=name, at=place)
    error.add_note(_TOLD)


def _hide_message(record: logging.LogRecord) -> bool:
    """Take an error's message out of a foreign record; only people are given its way as well."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return True
    if _TOLD not in getattr(error, "__notes__", ()):
        log_error("uncaught error", error)
    way = "".join(traceback.format_tb(error.__traceback__))
    record.msg, record.args = f"{type(error).__name__} arose here, last step last:\n{way}", ()
    record.exc_info = record.exc_text = None
    return _mode() == "text"


class _Lines(logging.Handler):
    """Writes to what is stderr at that moment, in the mode that the environment asks for."""

    def emit(self, record: logging.LogRecord) -> None:
        mode = _mode()
        # Nobody's judgement fails because a line cannot be written.
        with suppress(OSError, ValueError, AttributeError):
            if mode != "off":
                sys.stderr.write(_FORMATS[mode].format(record) + "\n")
                sys.stderr.flush()


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(_fields(record), ensure_ascii=False)


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        time, level, event, *others = _fields(record).items()
        told = " ".join(f"{name}={value}" for name, value in others)
        return " ".join(filter(None, (time[1], level[1], event[1], told)))


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    told = getattr(record, "told", {})
    kept = {name: value for name, value in told.items() if value != ""}
    return {"time": time, "level": record.levelname.lower(), "event": record.msg, **kept}


_FORMATS: dict[str, logging.Formatter] = {"json": _Json(), "text": _Text()}


def _mode() -> str:
    given = os.environ.get("DISSENT_LOG", "").strip().lower()
    if given in MODES:
        return given
    return "text" if sys.stderr is not None and sys.stderr.isatty() else "json"


_LOGGER.setLevel(logging.INFO)
_LOGGER.propagate = False
_LOGGER.addHandler(_Lines())
for _name in _FOREIGN:
    logging.getLogger(_name).addFilter(_hide_message)
