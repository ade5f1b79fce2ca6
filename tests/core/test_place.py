"""Where a store is: what names a file, what a database, and that no password is shown."""

from pathlib import Path

import pytest

from core.errors import BadInput
from core.place import Address, read_place, write_place
from tests.each import each

HIDDEN = "s3cret"


@each(
    ("url", "shown"),
    [
        ("postgresql://u:s3cret@h:5432/db", "postgresql://u@h:5432/db"),
        ("postgres://u:s3cret@h/db?sslmode=verify-full", "postgres://u@h/db?sslmode=verify-full"),
        ("postgresql://h/db?user=u&password=s3cret", "postgresql://h/db?user=u"),
        ("postgresql://h/db?sslpassword=s3cret&sslkey=k", "postgresql://h/db?sslkey=k"),
        ("postgresql:///db?host=/run/x", "postgresql:///db?host=/run/x"),
        ("postgresql://u:s3%40cret@[::1]:1/db", "postgresql://u@[::1]:1/db"),
    ],
)
def test_a_password_is_never_shown(url: str, shown: str):
    place = read_place(url)
    assert isinstance(place, Address)
    assert str(place) == shown
    assert all(HIDDEN not in text and "s3%40" not in text for text in (repr(place), f"{place}"))
    assert place.name == "db"
    assert write_place(place) == url


@each("url", ["postgresql://h", "postgresql://h/", "postgresql://h:x/db"])
def test_an_address_without_a_database_or_port_is_refused(url: str):
    with pytest.raises(BadInput, match="the address of the database"):
        read_place(url)


def test_the_name_may_be_among_the_options():
    assert Address("postgresql://h?dbname=study").name == "study"


@each("text", ["study.duckdb", "/a/b.duckdb", "postgresql.duckdb"])
def test_everything_else_is_a_file(text: str):
    assert read_place(text) == Path(text)
    assert write_place(read_place(text)) == text
