"""Where a store is: what names a file, what a database, and that no password is shown."""

from pathlib import Path

import pytest

from core.command.main import main
from core.errors import BadInput
from core.place import Address, expand_home, read_place, write_place
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


@each("text", ["~nobody-of-this-name/study.duckdb", "postgresql://", "postgresql://h"])
def test_a_place_that_cannot_be_read_is_told_in_a_sentence(
    text: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(BadInput):
        read_place(text)
    assert main(["backup", "never.zip", "--store", text]) == 1
    told = capsys.readouterr().err
    assert told.startswith("dissent: ")
    assert told.count("\n") == 1


def test_without_a_look_at_the_error_an_unknown_home_is_none_of_ours(
    monkeypatch: pytest.MonkeyPatch,
):
    with pytest.raises(BadInput, match="which home folder"):
        expand_home("~nobody-of-this-name/x")
    monkeypatch.setattr("core.place.expand_home", lambda text: Path(text).expanduser())
    with pytest.raises(RuntimeError):
        read_place("~nobody-of-this-name/x")
