"""What the fuzz has found: each input once made a program error, a garbled value or a long wait."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.collection.files.numbers import parse_number
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.store import Store
from tests.each import each
from tests.faults.fuzz_seeds import TARGETS, Target

LABEL = {"assessor": "a", "topic": "t", "document": "d", "level": 1}
TOPIC = {"id": "t", "query": "q"}
SIDES = {"topic": "t", "left": "a", "right": "b", "choice": "tie"}


def read(kind: str, given: bytes | dict[str, Any]) -> Any:
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    return read_import(kind, Source("file", data))


@each(
    ("kind", "given", "reason"),
    [
        ("topics", b",", "no cell of this table holds anything"),
        ("results", b"\t\t\n,", "there is no column|no cell"),
        ("documents", b";;\n;;\n", "no cell of this table holds anything"),
        ("topics", TOPIC | {"subtopics": [{"id": "\ud800", "text": "x"}]}, "half a surrogate"),
        ("topics", TOPIC | {"subtopics": [{"id": "1", "text": "a\0"}]}, "a NUL"),
        ("topics", TOPIC | {"x\ud800": 1}, "name of a column.*half a surrogate"),
        ("documents", {"id": "d", "\udfff": "x"}, "name of a column.*half a surrogate"),
        ("labels", LABEL | {"comment": "x\ud83d"}, "half a surrogate"),
        ("labels", LABEL | {"assessor": "\ud800"}, "half a surrogate"),
        ("preferences", SIDES | {"assessor": "\ud800"}, "half a surrogate"),
        ("results", {"topic": "t", "engine": "e", "document": "\udc00", "rank": 1}, "half a surr"),
        ("topics", b'{"id": NaN, "query": "q"}', "NaN is no number in JSON"),
        ("documents", b'{"id": -Infinity}', "-Infinity is no number in JSON"),
        ("labels", LABEL | {"occasion": 2**31}, "from 0 to 2147483647"),
        ("labels", LABEL | {"time": 1e18}, "is not a time"),
        ("labels", LABEL | {"time": "253402300800"}, "is not a time"),
        ("labels", LABEL | {"level": "1e400"}, "is not a number"),
        ("qrels", b"t 0 d " + b"9" * 50_000 + b"x", "is not a whole number"),
    ],
)
def test_it_is_refused_by_line(kind: str, given: bytes | dict[str, Any], reason: str):
    with pytest.raises(BadInput, match=reason) as caught:
        read(kind, given)
    assert (caught.value.file, caught.value.line) == ("file", 1)


def spoil(value: Any) -> Iterator[Any]:
    """Iterate over a JSON value with half a character in each of its places and names."""
    if isinstance(value, dict):
        for name, held in value.items():
            rest = {other: value[other] for other in value if other != name}
            yield {**rest, f"{name}\ud800": held}
            yield from ({**rest, name: spoiled} for spoiled in spoil(held))
    elif isinstance(value, list):
        for place, held in enumerate(value):
            yield from ([*value[:place], spoiled, *value[place + 1 :]] for spoiled in spoil(held))
    else:
        yield f"{value}\ud800"


def list_texts(read: Any) -> Iterator[str]:
    """Iterate over all texts of what was read, and of what is told about it."""
    for frame in read.frames.values():
        yield from (str(cell) for name in frame for cell in (name, *frame[name]))
    yield from read.notes


def is_whole(text: str) -> bool:
    """Tell whether a text has whole characters only."""
    return text == text.encode("utf-8", "replace").decode()


@each("target", [one for one in TARGETS if "JSON" in one.name], ids=lambda one: str(one))
def test_half_a_character_is_refused_by_line_or_left_aside(target: Target):
    refused: list[tuple[BadInput, int]] = []
    for seed in target.seeds:
        lines = [json.loads(line) for line in seed.splitlines()]
        for number, line in enumerate(lines, start=1):
            for spoiled in spoil(line):
                written = [*lines[: number - 1], spoiled, *lines[number:]]
                source = Source("file", "\n".join(map(json.dumps, written)).encode())
                try:
                    found = read_import(target.kind, source)
                except BadInput as error:
                    refused.append((error, number))
                else:
                    assert all(map(is_whole, list_texts(found)))
    assert len(refused) > 5
    for error, number in refused:
        assert (error.file, error.line) == ("file", number)
        assert is_whole(str(error))


@each("kind", ["topics", "labels", "preferences", "runs"])
@each("blank", ["\x1f\n", "\u2028", "\u3000\n\u00a0", "\x85\x1c"])
def test_a_file_of_nothing_but_spaces_is_empty(kind: str, blank: str):
    with pytest.raises(BadInput, match="the file is empty"):
        read(kind, blank.encode())


def test_a_number_in_json_stays_as_it_is_written():
    documents = read("documents", b'{"id": 1e99}\n{"id": 10000000000000000000000.50}\n{"id": 7}')
    ids = documents.frames["documents"]["document_id"].tolist()
    assert ids == ["1e99", "10000000000000000000000.50", "7"]


@pytest.mark.parametrize("level", [1.5, 1e300, 4_000_000_000])
def test_a_level_of_no_scale_stores_nothing(tmp_path: Path, level: float):
    store = Store(tmp_path / "store.duckdb")
    collection_id = create_collection(store, "Levels")
    with pytest.raises(BadInput, match="is not on this collection's page scale"):
        write_import(store, collection_id, read("labels", LABEL | {"level": level}))
    assert store.cursor().execute("SELECT count(*) FROM labels").fetchone() == (0,)
    store.close()


def test_a_time_too_long_for_an_event_is_kept_as_the_longest(tmp_path: Path):
    store = Store(tmp_path / "store.duckdb")
    collection_id = create_collection(store, "Times")
    write_import(store, collection_id, read("labels", LABEL | {"dwell_ms": 2**53 - 1}))
    rows = store.cursor().execute("SELECT dwell_ms, level FROM labels").fetchall()
    assert rows == [(2**31 - 1, 1)]
    store.close()


def test_a_message_quotes_the_beginning_and_the_end():
    with pytest.raises(BadInput) as caught:
        read("preferences", SIDES | {"choice": "x" * 100_000 + "end"})
    assert len(caught.value.reason) < 1_100
    assert "xend" in caught.value.reason


@each("text", ["1", "1.", "1.5", ".5", "+1e5", "-1.e-5", "12345678901234567890"])
def test_numbers_are_read_as_before(text: str):
    assert parse_number(text) == float(text)


@each("text", ["", ".", "1e", "e5", "1.5.5", "--1", "1_0", " 1", "0x1", "٣"])
def test_other_texts_are_no_numbers(text: str):
    assert parse_number(text) != parse_number(text)
