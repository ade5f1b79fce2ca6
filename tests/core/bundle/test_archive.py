"""Archives of bundles: the same bytes always; hostile ones are refused before they do harm."""

import io
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bundle.archive import read_archive, write_archive
from core.errors import BadInput
from tests.each import each

NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,9}(/[a-z0-9]{1,9}\.csv)?", fullmatch=True)
ENTRIES = st.dictionaries(NAMES, st.binary(max_size=200), min_size=1, max_size=5)


@given(ENTRIES)
def test_what_is_written_reads_back(entries):
    content = write_archive(entries)
    assert read_archive(content, "b.zip") == entries
    assert write_archive(dict(reversed(entries.items()))) == content


def test_it_tells_neither_time_nor_owner():
    with zipfile.ZipFile(io.BytesIO(write_archive({"b.csv": b"1", "a.csv": b"2"}))) as archive:
        parts = archive.infolist()
    assert [part.filename for part in parts] == ["a.csv", "b.csv"]
    assert {part.date_time for part in parts} == {(1980, 1, 1, 0, 0, 0)}
    assert {part.external_attr >> 16 for part in parts} == {0o100644}
    assert {(part.extra, part.comment) for part in parts} == {(b"", b"")}


def zipped(*entries: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


@each(
    "name",
    [
        "../up.csv",
        "a/../../up.csv",
        "/etc/passwd",
        "C:\\up.csv",
        "..\\up.csv",
        "a/b/c.csv",
        "tables/",
        ".hidden",
        "tables/.hidden",
        "ta\nbles.csv",
        "tables/ä.csv",
        "",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(name):
    with pytest.raises(BadInput, match="no bundle holds an entry named"):
        read_archive(zipped((name, b"1")), "b.zip")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@each("second", ["a.csv", "A.csv"])
def test_a_name_that_comes_twice_is_refused(second):
    with pytest.raises(BadInput, match="twice"):
        read_archive(zipped(("a.csv", b"1"), (second, b"2")), "b.zip")


def test_a_bomb_is_refused_before_it_is_unpacked():
    bomb = zipped(("a.csv", bytes(2**25)))
    assert len(bomb) < 2**16
    with pytest.raises(BadInput, match="unpacks to more than any study"):
        read_archive(bomb, "b.zip")


def test_an_entry_that_lies_about_its_length_is_not_unpacked_further():
    bomb = bytearray(zipped(("a.csv", bytes(2**25))))
    claimed = (2**25).to_bytes(4, "little")
    assert bomb.count(claimed) >= 1
    lying = bytes(bomb).replace(claimed, (9).to_bytes(4, "little"))
    with pytest.raises(BadInput, match=r"a\.csv' (is damaged|is not as long)"):
        read_archive(lying, "b.zip")


def test_too_many_entries_are_refused():
    many = zipped(*((f"{number}.csv", b"") for number in range(10_001)))
    with pytest.raises(BadInput, match="more than 10,000 entries"):
        read_archive(many, "b.zip")


@given(st.data())
def test_damage_is_refused_or_leaves_the_entries_as_they_were(data):
    entries = {"a.csv": b"one,two\n" * 20, "tables/b.csv": b"1,2,3\n"}
    content = bytearray(write_archive(entries))
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    found: dict[str, bytes] = entries
    with suppress(BadInput):
        found = read_archive(bytes(content), "b.zip")
    assert sorted(found.values()) == sorted(entries.values())


def test_an_entry_that_another_swallows_is_missed():
    """Here as the comment of the one before it, which is longer than it was."""
    content = write_archive({"a.csv": b"1", "b.csv": b"2"})
    first, second = (content.index(b"PK\x01\x02"), content.rindex(b"PK\x01\x02"))
    swallowed = len(content) - 22 - second
    damaged = content[: first + 32] + swallowed.to_bytes(2, "little") + content[first + 34 :]
    with zipfile.ZipFile(io.BytesIO(damaged)) as archive:
        assert archive.namelist() == ["a.csv"]
    with pytest.raises(BadInput, match="does not list all"):
        read_archive(damaged, "b.zip")


@each("content", [b"", b"no archive", b"PK\x03\x04" + bytes(40)])
def test_what_is_no_archive_is_refused(content):
    with pytest.raises(BadInput, match="not a ZIP archive"):
        read_archive(content, "b.zip")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_archive(tmp_path / "none.zip", "none.zip")
