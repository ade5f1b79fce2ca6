"""What strangers send does not reach the log, whoever writes it down; and it stays small."""

import asyncio
import io
import json
import logging
import re
import sys
import threading
import unicodedata
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import uvicorn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamlit import logger as streamlit_logger

from pages.server import log as logs
from pages.server.log import log, sum_up_log
from pages.server.log_record import LONGEST, SOURCES, Rate, write_json, write_text

EVIL = 'evil\r\n{"time": "x", "event": "sign in"}\u2028\u2029\x85\x0b\x1b[2J\u202e\ud800\0'
LOGGERS = ("streamlit.web.x", "uvicorn.error", "uvicorn.access", "asyncio", "websockets.server",
           "starlette", "python_multipart.multipart", "nobody.knows")  # fmt: skip
WHO = "Mallory"
TEXTS = st.text(st.characters(), max_size=80) | st.sampled_from([EVIL, EVIL * 2_000])


@pytest.fixture(autouse=True)
def as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSENT_LOG", "json")


class Written:
    """All that was written to stderr."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys, self._text = capsys, ""

    def getvalue(self) -> str:
        self._text += self._capsys.readouterr().err
        return self._text


@pytest.fixture
def stderr(capsys: pytest.CaptureFixture[str]) -> Written:
    return Written(capsys)


@pytest.fixture
def own_handlers(stderr: Written) -> Iterator[None]:
    """Give loggers what libraries give them: handlers of their own, and a level that hears all.

    A server that ran here before may have left another level.
    """
    loggers = [logging.getLogger(name) for name in LOGGERS]
    given = [(logger, logging.StreamHandler(), logger.level) for logger in loggers]
    for logger, handler, _ in given:
        logger.addHandler(handler)
        logger.setLevel(logging.NOTSET)
    yield
    for logger, handler, level in given:
        logger.removeHandler(handler)
        logger.setLevel(level)


def read(stderr: Written | io.StringIO) -> list[dict]:
    """Return the lines: every one has to be a whole one."""
    text = stderr.getvalue()
    assert text.isascii()
    assert not text or text.endswith("\n")
    found = [json.loads(line) for line in text.split("\n")[:-1]]
    assert all(isinstance(line["event"], str) for line in found)
    assert all(len(line) <= LONGEST for line in text.split("\n"))
    return found


def send_everywhere(evil: str = EVIL) -> None:
    """Log what strangers send as libraries do: as an argument, in the message, in an error."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.warning("Rejecting origin=%s, host=%r", evil, evil)
        logger.warning(f"Made of {evil}")
        logger.warning("Named %(it)s", {"it": evil})
        logger.warning(ValueError(evil))
        try:
            raise KeyError(evil)
        except KeyError:
            logger.exception("Failed for %s", evil, stack_info=True)


def test_no_word_of_a_stranger_is_written(united, own_handlers, stderr):
    send_everywhere()
    found = read(stderr)
    assert "evil" not in stderr.getvalue()
    assert {line["logger"] for line in found} == set(LOGGERS)
    (one,) = (line for line in found if line["logger"] == "nobody.knows" and "error" in line)
    assert (one["event"], one["error"]) == ("Failed for …", "KeyError")
    assert one["at"].startswith(f"{__name__}:")
    told = {line["event"] for line in found}
    assert told == {"Rejecting origin=…, host=…", "message withheld", "Named …", "Failed for …"}


def test_without_it_every_word_is(own_handlers, stderr):
    send_everywhere(EVIL.replace("\ud800", ""))  # pytest keeps it, and can send no half characters
    assert stderr.getvalue().count("evil") > len(LOGGERS) * 5
    with pytest.raises(ValueError, match="Expecting value"):
        read(stderr)


def test_text_for_people_has_nothing_else_either(united, own_handlers, stderr, monkeypatch):
    monkeypatch.setenv("DISSENT_LOG", "text")
    send_everywhere()
    lines = stderr.getvalue().split("\n")[:-1]
    assert "evil" not in stderr.getvalue()
    assert all(line.isprintable() for line in lines)
    assert all(re.match(r"20\S+ warning |20\S+ error |    \S+:\d+ \S+$", line) for line in lines)
    assert any(line.startswith("    ") for line in lines)


def test_numbers_are_told_and_endless_ones_are_not(united, stderr):
    logger = logging.getLogger("streamlit.x")
    logger.warning("%d bytes, cap %.1f, by %s", 17, 2.5, "Mallory")
    logger.warning("up to %d", 10**4_000)
    logger.warning("of %s", 10**4_000)
    logger.warning("a broken %d", EVIL)
    logger.warning("too few %s %s", EVIL)
    assert [one["event"] for one in read(stderr)] == [
        *("17 bytes, cap 2.5, by …", "up to %d", "of …", "a broken %d", "too few %s %s"),
    ]


def test_no_way_leads_around_it(united, stderr, monkeypatch):
    """Streamlit makes loggers as it goes, and uvicorn sets handlers up when it is configured."""
    config = uvicorn.Config("app:app", access_log=False)
    made = streamlit_logger.get_logger("streamlit.made_later")
    monkeypatch.delitem(streamlit_logger._loggers, "streamlit.made_later")
    streamlit_logger.setup_formatter(made)
    assert made.handlers
    assert logging.getLogger("uvicorn").handlers
    for name in ("streamlit.made_later", "uvicorn.error", "root.less"):
        logging.getLogger(name).error("It is %s", EVIL)
    assert [one["event"] for one in read(stderr)] == ["It is …"] * 3
    del config
    for logger in (made, *map(logging.getLogger, ("uvicorn", "uvicorn.access"))):
        logger.handlers.clear()


class Lost:
    def __del__(self) -> None:
        raise ValueError(EVIL)


def test_errors_that_nobody_catches_are_lines_as_well(united, stderr):
    thread = threading.Thread(target=lambda: int(EVIL))
    thread.start()
    thread.join()
    Lost()
    try:
        raise RuntimeError(EVIL)
    except RuntimeError as error:
        sys.excepthook(RuntimeError, error, error.__traceback__)
    assert [(one["event"], one["error"]) for one in read(stderr)] == [
        ("uncaught error", "ValueError"),
        ("uncaught error", "ValueError"),
        ("uncaught error", "RuntimeError"),
    ]


def test_warnings_are_lines_without_their_words(united, stderr):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(EVIL, RuntimeWarning, stacklevel=1)
    (line,) = read(stderr)
    assert (line["event"], line["error"]) == ("warning", "RuntimeWarning")
    assert line["at"].startswith("test_united_logs:")


def test_what_the_event_loop_says_keeps_its_words_and_none_of_its_objects(united, stderr):
    async def run_out() -> None:
        loop = asyncio.get_running_loop()
        for _ in range(1_000):
            loop.call_exception_handler(
                {
                    "message": "socket.accept() out of system resource",
                    "exception": OSError(24, EVIL),
                    "socket": EVIL,
                }
            )

    with ThreadPoolExecutor(1) as apart:  # a browser in this process has a loop of its own
        apart.submit(asyncio.run, run_out()).result()
    sum_up_log()
    first, sum_ = read(stderr)
    assert first["event"] == "socket.accept() out of system resource"
    assert first["error"] == "OSError"
    assert sum_ == first | {"time": sum_["time"], "more": 999}


def test_a_source_is_heard_some_times_a_minute_and_then_counted(united, stderr):
    for number in range(500):
        log("labels", person="p-1", events=number)
        log("labels refused", logging.WARNING, status=401)
        logging.getLogger("streamlit.x").warning("Number %d", number)
    log("labels", person="p-2", events=0)
    assert len(read(stderr)) == 120 + 20 + 1 + 1
    sum_up_log()
    sums = {one["event"]: one["more"] for one in read(stderr) if "more" in one}
    assert sums == {"labels": 380, "labels refused": 480, "Number 499": 499}


def test_the_sum_comes_by_itself(united, stderr, monkeypatch):
    monkeypatch.setattr(logs, "MINUTE", 0.01)
    written = threading.Event()
    flush = logs._LINES.flush

    def note() -> None:
        flush()
        if "more" in stderr.getvalue():
            written.set()

    monkeypatch.setattr(logs._LINES, "flush", note)
    for _ in range(3):
        logging.getLogger("streamlit.x").warning("Again")
    assert written.wait(30)
    assert [one.get("more") for one in read(stderr)] == [None, 2]


def test_a_new_minute_is_counted_anew():
    now = [0.0]
    rate = Rate(clock=lambda: now[0])
    assert rate.is_over
    assert rate.begin_minute() == []
    assert [rate.admit("a", 2, {"event": "a"}) for _ in range(4)] == [True, True, False, False]
    now[0] = 59.9
    assert not rate.is_over
    now[0] = 60.0
    assert rate.is_over
    assert rate.begin_minute() == [{"event": "a", "more": 2}]
    assert rate.admit("a", 2, {"event": "a"})
    assert rate.begin_minute() == []


def test_strangers_cannot_fill_the_table_of_sources():
    rate = Rate(clock=lambda: 0.0)
    heard = sum(rate.admit(number, 1, {"event": str(number)}) for number in range(100_000))
    assert heard == SOURCES + 20
    assert len(rate._said) == SOURCES + 1
    (others,) = rate.begin_minute()
    assert others["more"] == 100_000 - heard


@given(TEXTS, TEXTS, st.integers(), st.floats())
def test_whatever_a_line_tells_it_is_one_line(text, other, number, fraction):
    numbers = {"rows": number, "ms": fraction}
    texts = {"logger": other, "error": other, "at": text, "person": text, "collection": other}
    fields = {"time": "t", "level": "info", "event": text, **texts, **numbers}
    line = write_json(fields)
    assert len(line) <= LONGEST
    assert line.isascii()
    assert line.isprintable()
    assert list(json.loads(line)) == list(fields)
    line = write_text(fields)
    assert len(line) <= LONGEST
    assert line.isprintable()
    assert not {unicodedata.category(one) for one in line} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.sampled_from(LOGGERS))
def test_whatever_is_logged_comes_out_as_lines(united, text, name):
    stream, logger, said = io.StringIO(), logging.getLogger(name), WHO + text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        patch.setattr(logs._LINES, "rate", None)
        logger.warning(said)
        logger.warning("It is %s", said)
        logger.warning(f"It is {said}")
    assert len(read(stream)) == 3
    assert WHO not in stream.getvalue()


@pytest.mark.parametrize("breaks", ["write", "flush"])
def test_a_log_that_cannot_be_written_stops_nobody(united, monkeypatch, breaks):
    stream = io.StringIO()
    monkeypatch.setattr(stream, breaks, lambda *_: 1 / 0, raising=False)
    monkeypatch.setattr(sys, "stderr", stream)
    logging.getLogger("streamlit.x").warning("It %s", "is")
    log("labels")


def test_nothing_is_written_where_that_is_asked_for(united, own_handlers, stderr, monkeypatch):
    monkeypatch.setenv("DISSENT_LOG", "off")
    send_everywhere()
    assert stderr.getvalue() == ""
