from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from core.prompting.client import (
    AGAIN,
    GIVE_UP,
    STOP,
    WITHOUT_SCHEMA,
    RequestFailed,
    judge_status,
    read_wait,
)
from tests.each import each


@each(
    ("status", "with_schema", "without"),
    [
        *((one, AGAIN, AGAIN) for one in (408, 409, 425, 429, 500, 502, 503, 504, 529)),
        *((one, WITHOUT_SCHEMA, GIVE_UP) for one in (400, 422)),
        (413, GIVE_UP, GIVE_UP),
        *((one, STOP, STOP) for one in (204, 301, 307, 401, 402, 403, 404, 405)),
    ],
)
def test_what_follows_from_a_status(status: int, with_schema: str, without: str):
    assert judge_status(status, has_schema=True) == with_schema
    assert judge_status(status, has_schema=False) == without


def test_a_wait_is_seconds_or_a_date():
    assert read_wait("0") == 0
    assert read_wait(" 12 ") == 12
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert 80 < (read_wait(soon) or 0) <= 90
    assert read_wait("Wed, 21 Oct 2015 07:28:00 GMT") == 0


@each("header", [None, "", "-1", "1.5", "\u0663", "tomorrow"])
def test_a_wait_that_says_nothing_is_none(header: str | None):
    assert read_wait(header) is None


def test_a_fault_says_why():
    assert str(RequestFailed("the server answered 500")) == "the server answered 500"
