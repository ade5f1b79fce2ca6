"""Click logs: what each format holds, and what is malformed in it, refused or counted."""

import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.clicks.logs import log_of_import
from core.clicks.click_log import ClickLog
from core.collection.click_logs import sessions as limits
from core.collection.click_logs.building import SeenNames
from core.collection.click_logs.jsonl import write_click_log
from core.collection.click_logs.packing import (
    MOST_CELLS,
    pack_integers,
    pack_pages,
    unpack_integers,
    unpack_pages,
)
from core.collection.click_logs.sessions import (
    AGAIN,
    BACKWARDS,
    BAD_NUMBER,
    EMPTY,
    NO_PAGE,
    NOT_SHOWN,
    RANKS,
    REPEATED,
)
from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import Import
from core.errors import BadInput
from tests.each import each
from tests.short import try_often

CLARA = Path("../shared/data/clicks/log.tsv.gz")
HEADER = "session\ttime\tquery\trank\tdocument\tclicked\n"
GOOD = "g\t0\tQ\tcats\t0\td1\td2\n"


def read(text: str, **options) -> Import:
    return read_import("clicks", Source("log", text.encode()), **options)


def log_of(text: str, **options) -> ClickLog:
    return log_of_import(read(text, **options))


def tell(log: ClickLog) -> list[tuple]:
    """Return each page in words: session, query, what was shown and what was clicked."""
    pages = zip(log.session, log.query, log.item, log.clicked, strict=True)
    return [
        (
            int(session),
            log.queries[query],
            [log.items[one] for one in item if one >= 0],
            [log.items[one] for one in item[clicked]],
        )
        for session, query, item, clicked in pages
    ]


YANDEX = (
    "s9\t0\tQ\tcats\t5\td1\td2\n"
    "s9\t1\tC\td2\n"
    "s9\t2\tQ\tdogs\t5\td1\td3\td4\n"
    "s9\t3\tC\td1\n"
    "s9\t4\tC\td2\n"
    "s2\t0\tQ\tcats\t5\td2\n"
)
TOLD = [
    (0, "cats", ["d1", "d2"], ["d2"]),
    (0, "dogs", ["d1", "d3", "d4"], ["d1"]),
    (1, "cats", ["d2"], []),
]


def test_a_click_belongs_to_the_latest_page_that_shows_the_document():
    log = log_of(YANDEX)
    assert tell(log) == TOLD
    assert (log.depth, len(log)) == (3, 3)
    assert log.items == ("d1", "d2", "d1", "d3", "d4")
    assert log.query_of.tolist() == [0, 0, 1, 1, 1]
    assert (log.item.dtype, log.clicked.dtype) == (np.int32, bool)


def test_the_same_log_in_every_format_is_the_same():
    table = HEADER + (
        "s9\t0\tcats\t1\td1\t0\ns9\t0\tcats\t2\td2\t3\n"
        "s9\t2\tdogs\t1\td1\tTRUE\ns9\t2\tdogs\t2\td3\t0\ns9\t2\tdogs\t3\td4\tfalse\n"
        "s2\t0\tcats\t1\td2\t0\n"
    )
    objects = (
        '{"session": 9, "query": "cats", "shown": ["d1", "d2"], "clicks": [2]}\n'
        '{"session": 9, "topic": "dogs", "documents": ["d1", "d3", "d4"], "clicks": ["d1"]}\n'
        '{"session": 2, "query": "cats", "shown": ["d2"], "clicks": []}\n'
    )
    assert tell(log_of(table)) == tell(log_of(objects)) == TOLD
    packed = Source("x", gzip.compress(table.encode()))
    assert tell(log_of_import(read_import("clicks", packed))) == TOLD


def test_what_was_read_is_counted_and_told():
    imported = read(YANDEX)
    assert imported.counts == {"sessions": 2, "pages": 3, "clicks": 2, "queries": 2}
    assert imported.notes[-1].startswith("Sessions are numbered anew")
    assert imported.frames["clicks"].to_dict("records") == [
        {"sessions": 2, "pages": 3, "clicks": 2, "queries": 2, "items": 5, "depth": 3}
    ]
    held = json.dumps({name: str(one.to_dict()) for name, one in imported.frames.items()})
    assert "s9" not in held


MALFORMED = {
    "no page": ("b\t0\tC\td1\n", NO_PAGE, 2),
    "another's page": ("b\t0\tQ\tq\t0\td9\nb\t1\tC\td1\n", NOT_SHOWN, 3),
    "later page": ("b\t0\tQ\tq\t0\td9\nb\t1\tC\td1\nb\t1\tQ\tq\t0\td1\n", NOT_SHOWN, 3),
    "time": ("b\t5\tQ\tq\t0\td1\nb\t4\tC\td1\n", BACKWARDS, 3),
    "page's time": ("b\t5\tQ\tq\t0\td1\nb\t4\tQ\tq\t0\td1\n", BACKWARDS, 3),
    "twice": ("b\t5\tQ\tq\t0\td1\td2\td1\n", REPEATED, 2),
    "nothing": ("b\t5\tQ\tq\t0\n", EMPTY, 2),
    "nothing but tabs": ("b\t5\tQ\tq\t0\t\t\n", EMPTY, 2),
    "gap": ("b\t5\tQ\tq\t0\td1\t\td2\n", EMPTY, 2),
    "no number": ("b\tsoon\tQ\tq\t0\td1\n", BAD_NUMBER, 2),
    "no finite number": ("b\tnan\tQ\tq\t0\td1\n", BAD_NUMBER, 2),
    "again": ("b\t1\tQ\tq\t0\td1\ng\t3\tQ\tq\t0\td1\n", AGAIN, 3),
}


@each(("text", "what", "line"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_session_is_refused_or_counted_apart(text, what, line):
    with pytest.raises(BadInput) as caught:
        read(GOOD + text)
    assert what in caught.value.reason
    assert (caught.value.file, caught.value.line) == ("log", line)
    imported = read(GOOD + text + "z\t0\tQ\tcats\t0\td2\n", lenient=True)
    apart = imported.frames["click_apart"]
    assert apart[["fault", "sessions"]].values.tolist() == [[what, 1]]
    assert apart["lines"].tolist() == [[line]]
    assert f"1 session is left out: {what} (line {line})" in imported.notes
    kept = tell(log_of_import(imported))
    first, last = (0, "cats", ["d1", "d2"], []), (1, "cats", ["d2"], [])
    if what == AGAIN:  # what came before stays, and only what comes again is left out
        assert kept == [first, (1, "q", ["d1"], []), (2, *last[1:])]
    else:
        assert kept == [first, last]


ODD_TABLES = {
    "ranks": ("b\t0\tq\t1\td1\t0\nb\t0\tq\t3\td2\t0\n", RANKS, 3),
    "no first": ("b\t0\tq\t2\td1\t0\n", RANKS, 2),
    "rank": ("b\t0\tq\tfirst\td1\t0\n", BAD_NUMBER, 2),
    "clicks": ("b\t0\tq\t1\td1\t-1\n", BAD_NUMBER, 2),
    "time": ("b\t0\tq\t1\td1\t0\nb\t-1\tq\t1\td1\t0\n", BACKWARDS, 3),
    "document": ("b\t0\tq\t1\t\t0\n", EMPTY, 2),
    "twice": ("b\t0\tq\t1\td\t0\nb\t0\tq\t2\td\t0\n", REPEATED, 2),
}


@each(("text", "what", "line"), ODD_TABLES.values(), ids=ODD_TABLES)
def test_a_malformed_table_is_refused_or_counted_apart(text, what, line):
    with pytest.raises(BadInput) as caught:
        read(HEADER + text)
    assert what in caught.value.reason
    assert caught.value.line == line
    rest = "z\t0\tcats\t1\td2\t1\n"
    imported = read(HEADER + text + rest, lenient=True)
    assert imported.frames["click_apart"]["fault"].tolist() == [what]
    assert tell(log_of_import(imported)) == [(0, "cats", ["d2"], ["d2"])]


PAGE = {"session": "b", "time": 5, "query": "q", "shown": ["d1", "d2"], "clicks": []}
ODD_OBJECTS = {
    "rank": ({"clicks": [3]}, NOT_SHOWN),
    "rank 0": ({"clicks": [0]}, NOT_SHOWN),
    "half a rank": ({"clicks": [1.5]}, NOT_SHOWN),
    "document": ({"clicks": ["d3"]}, NOT_SHOWN),
    "number is a document": ({"shown": [7, 8], "clicks": [1]}, NOT_SHOWN),
    "click's time": ({"clicks": [["d1", 4]]}, BACKWARDS),
    "click at no time": ({"clicks": [["d1", "later"]]}, BAD_NUMBER),
    "no time": ({"time": True}, BAD_NUMBER),
    "empty": ({"shown": []}, EMPTY),
    "gap": ({"shown": ["d1", " "]}, EMPTY),
    "twice": ({"shown": ["d1", "d1"]}, REPEATED),
}


@each(("change", "what"), ODD_OBJECTS.values(), ids=ODD_OBJECTS)
def test_a_malformed_object_is_refused_or_counted_apart(change, what):
    bad, good = json.dumps(PAGE | change), json.dumps(PAGE | {"session": "z"})
    with pytest.raises(BadInput) as caught:
        read(f"{bad}\n{good}\n")
    assert what in caught.value.reason
    assert caught.value.line == 1
    imported = read(f"{bad}\n{good}\n", lenient=True)
    assert imported.frames["click_apart"]["fault"].tolist() == [what]
    assert tell(log_of_import(imported)) == [(0, "q", ["d1", "d2"], [])]


def test_clicks_of_objects_are_documents_ranks_or_either_with_a_time():
    page = PAGE | {"shown": ["d1", "d2", "d3"], "clicks": [["d1", 6], 2, [3, "1970-01-01T00:01"]]}
    assert tell(log_of(json.dumps(page)))[0][3] == ["d1", "d2", "d3"]
    numbers = PAGE | {"shown": [7, 8], "clicks": [8]}
    assert tell(log_of(json.dumps(numbers)))[0][2:] == (["7", "8"], ["8"])


def test_times_may_be_dates():
    dated = "b\t2026-01-01T10:00:00\tQ\tq\t0\td1\nb\t{}\tC\td1\n"
    assert len(log_of(dated.format("2026-01-01T12:00:01+02:00")))
    with pytest.raises(BadInput, match=BACKWARDS):
        read(dated.format("2026-01-01T09:59:59Z"))


UNREADABLE = {
    "letter": (GOOD + "g\t0\tX\td1\n", 2),
    "words": (GOOD + "g\t0\tC\n", 2),
    "short page": (GOOD + "g\t0\tQ\td\n", 2),
    "session": (GOOD + " \t0\tQ\tq\t0\td\n", 2),
    "query": (GOOD + "g\t0\tQ\t\t0\td\n", 2),
    "cells": (HEADER + "b\t0\tq\t1\td1\n", 2),
    "no query": (HEADER + "b\t0\t\t1\td1\t0\n", 2),
    "no session": (HEADER + "\t0\tq\t1\td1\t0\n", 2),
    "column": (HEADER.replace("rank", "place") + "b\t0\tq\t1\td1\t0\n", 1),
    "only a header": (HEADER, 1),
    "no JSON": ('{"session": 1}\n{"session"\n', 1),
    "half JSON": (json.dumps(PAGE) + '\n{"session"\n', 2),
    "no object": (json.dumps(PAGE) + "\n[1]\n", 2),
    "no list": (json.dumps(PAGE | {"clicks": 3}), 1),
    "no id": (json.dumps(PAGE | {"query": [1]}), 1),
    "no words": (json.dumps(PAGE | {"query": " "}), 1),
    "no name": (json.dumps(PAGE | {"session": ""}), 1),
    "half a character": (json.dumps(PAGE).replace('"q"', '"\\ud800"'), 1),
}


@each(("text", "line"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_line_that_cannot_be_read_refuses_the_file_whatever_is_chosen(text, line):
    for lenient in (False, True):
        with pytest.raises(BadInput) as caught:
            read(text, lenient=lenient)
        assert (caught.value.file, caught.value.line) == ("log", line)


def test_where_nothing_is_left_the_file_is_refused():
    with pytest.raises(BadInput, match="no session is left: all are malformed") as caught:
        read("b\t0\tC\td1\n", lenient=True)
    assert caught.value.line == 1


def test_the_first_lines_of_a_fault_are_kept_and_all_are_counted():
    text = GOOD + "".join(f"s{n}\t0\tC\td\n" for n in range(30))
    imported = read(text, lenient=True)
    (row,) = imported.frames["click_apart"].to_dict("records")
    assert (row["sessions"], row["lines"]) == (30, [*range(2, 22)])
    assert imported.notes[0].startswith("30 sessions are left out: a click before any page")
    assert imported.notes[0].endswith("21, …)")
    assert imported.counts["malformed sessions"] == 30


def test_a_session_counts_under_its_first_fault_only():
    text = GOOD + "b\t9\tC\td1\nb\t5\tQ\tq\t0\td1\td1\n"
    apart = read(text, lenient=True).frames["click_apart"]
    assert apart[["fault", "sessions"]].values.tolist() == [[NO_PAGE, 1]]


def test_lists_have_an_end():
    deepest = limits.DEEPEST
    listed = [f"d{n}" for n in range(deepest + 1)]
    page = "b\t0\tQ\tq\t0\t" + "\t".join(listed)
    rows = "".join(f"b\t0\tq\t{n + 1}\td{n}\t0\n" for n in range(deepest + 1))
    for text in (page + "\n", HEADER + rows, json.dumps(PAGE | {"shown": listed})):
        with pytest.raises(BadInput, match=f"at most {deepest} documents, and this one 201"):
            read(text)


def test_several_files_are_one_log_and_their_sessions_stay_apart():
    files = [Source(f"{n}.tsv", text.encode()) for n, text in enumerate((YANDEX, GOOD, YANDEX))]
    log = log_of_import(imported := read_import("clicks", files))
    again = [(one[0] + 3, *one[1:]) for one in TOLD]
    assert tell(log) == [*TOLD, (2, "cats", ["d1", "d2"], []), *again]
    assert (log.queries, len(log.items)) == (("cats", "dogs"), 5)
    assert imported.counts == {"sessions": 5, "pages": 7, "clicks": 4, "queries": 2}


def test_faults_of_several_files_are_added_up():
    bad = GOOD + "b\t0\tC\td1\n"
    files = [Source(name, bad.encode()) for name in "xy"]
    apart = read_import("clicks", files, lenient=True).frames["click_apart"]
    assert apart[["fault", "sessions"]].values.tolist() == [[NO_PAGE, 2]]


def test_other_names_of_columns_can_be_said():
    text = HEADER.replace("session", "visit") + "b\t0\tq\t1\td1\t1\n"
    assert tell(log_of(text, columns={"session": "visit"})) == [(0, "q", ["d1"], ["d1"])]


@each("ending", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way_and_blank_ones_count(ending):
    text = (ending * 2 + GOOD.replace("\n", ending) + "  " + ending + "b\t0\tC\tx").encode()
    with pytest.raises(BadInput) as caught:
        read_import("clicks", Source("log", text))
    assert caught.value.line == 5


def test_a_long_log_is_read_in_blocks_as_if_in_one(monkeypatch):
    rng = np.random.default_rng(3)
    text = make_log(rng, sessions=300)
    whole = log_of(text, lenient=True)
    blocks = Source.blocks
    monkeypatch.setattr(Source, "blocks", lambda self: blocks(self, 700))
    pieces = log_of(text, lenient=True)
    assert tell(pieces) == tell(whole)
    assert pieces.items == whole.items


def test_a_session_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(limits, "_MOST_OF_SESSION", 1_000)
    with pytest.raises(BadInput, match="does this column name sessions"):
        read("z\t0\tQ\tq\t0\td\n" + GOOD * 100)


def make_log(rng: np.random.Generator, sessions: int) -> str:
    """Return a log in Yandex' format in which some sessions are malformed."""
    lines = []
    for session in range(sessions):
        time = 0
        for _ in range(rng.integers(1, 6)):
            time += int(rng.integers(-1, 40))
            if rng.random() < 0.4:
                shown = rng.permutation(12)[: rng.integers(0, 6)]
                query = rng.integers(5)
                listed = "".join(f"\td{one}" for one in shown)
                lines.append(f"s{session}\t{time}\tQ\tq{query}\t0{listed}")
            else:
                lines.append(f"s{session}\t{time}\tC\td{rng.integers(12)}")
    return "g\t0\tQ\tq\t0\td\n" + "\n".join(lines) + "\n"


def read_plainly(text: str) -> tuple[list[tuple], Counter]:
    """Return pages and faults of a log in Yandex' format, line by line."""
    pages: dict[str, list] = {}
    faults: dict[str, str] = {}
    times: dict[str, float] = {}
    for line in text.splitlines():
        session, at, letter, *words = line.split("\t")
        own = pages.setdefault(session, [])
        if float(at) < times.get(session, 0) and session in times:
            faults.setdefault(session, BACKWARDS)
        times[session] = float(at)
        if letter == "Q":
            own.append((words[0], words[2:], set()))
            if not words[2:]:
                faults.setdefault(session, EMPTY)
            continue
        page = next((one for one in reversed(own) if words[0] in one[1]), None)
        if page is not None:
            page[2].add(words[0])
        elif not own:
            # A click before any page and a time that goes back: the first in the order told.
            if faults.get(session) in (None,):
                faults[session] = NO_PAGE
        else:
            faults.setdefault(session, NOT_SHOWN)
    kept = [own for session, own in pages.items() if session not in faults]
    told = [
        (number, query, shown, [one for one in shown if one in clicked])
        for number, own in enumerate(kept)
        for query, shown, clicked in own
    ]
    return told, Counter(faults.values())


@each("seed", range(5))
def test_a_log_is_what_reading_it_line_by_line_gives(seed):
    text = make_log(np.random.default_rng(seed), sessions=400)
    told, _ = read_plainly(text)
    imported = read(text, lenient=True)
    assert tell(log_of_import(imported)) == told
    left_out = 401 - len({one[0] for one in told})
    assert imported.frames["click_apart"]["sessions"].sum() == left_out > 50


@st.composite
def logs(draw):
    """Draw a log as objects, a page each."""
    ids = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=4)
    pages = []
    for session in range(draw(st.integers(1, 4))):
        for _ in range(draw(st.integers(1, 3))):
            shown = draw(st.lists(ids, min_size=1, max_size=5, unique=True))
            ranks = draw(st.sets(st.integers(1, len(shown))))
            pages.append(
                {"session": session, "query": draw(ids), "shown": shown, "clicks": sorted(ranks)}
            )
    return pages


@given(logs())
@try_often(2)
def test_what_is_exported_is_read_back_the_same(pages):
    text = "".join(json.dumps(page) + "\n" for page in pages)
    imported = read(text)
    told = [
        (one["session"], one["query"], one["shown"], [one["shown"][at - 1] for at in one["clicks"]])
        for one in pages
    ]
    assert tell(log_of_import(imported)) == told
    frames = imported.frames
    content = write_click_log(
        frames["click_queries"]["text"],
        frames["click_items"],
        frames["click_blocks"].to_dict("records"),
    )
    again = read(content.decode())
    for name, frame in frames.items():
        assert frame.equals(again.frames[name]), name


def test_pages_are_packed_in_blocks_that_no_engine_stumbles_over():
    rng = np.random.default_rng(0)
    count, depth = MOST_CELLS // 3, 10
    session = np.arange(count)
    item = rng.integers(-1, 2**31 - 1, (count, depth))
    clicked = rng.random((count, depth)) < 0.5
    rows = list(pack_pages(session, item, clicked))
    assert len(rows) == -(-count // (MOST_CELLS // depth))
    assert max(len(row["item"]) for row in rows) < 2**20
    back = [unpack_pages(row) for row in rows]
    for at, given_ in enumerate((session, item, clicked)):
        assert (np.concatenate([one[at] for one in back]) == given_).all()


@each(
    "change",
    [
        {"item": "no base64 ä"},
        {"item": "AAAA"},
        {"item": pack_integers(np.arange(3))},
        {"item": pack_integers(np.arange(9))},
        {"pages": 0},
        {"pages": 2**30},
        {"depth": -1},
    ],
)
def test_a_damaged_block_is_refused(change):
    (row,) = pack_pages(np.arange(2), np.zeros((2, 2), dtype=int), np.ones((2, 2), dtype=bool))
    assert unpack_pages(row)[2].all()
    with pytest.raises(BadInput, match="damaged"):
        unpack_pages(row | change)


def test_little_that_unpacks_to_much_is_not_unpacked():
    bomb = pack_integers(np.zeros(10_000_000, dtype=np.int32))
    with pytest.raises(BadInput, match="damaged"):
        unpack_integers(bomb, 4)


def test_names_that_come_again_are_known_however_many_lie_between():
    seen, known = SeenNames(), set()
    rng = np.random.default_rng(1)
    for _ in range(60):
        names = [f"n{one}" for one in rng.integers(0, 4_000, rng.integers(1, 90))]
        told = seen.add(names)
        expected = []
        for name in names:
            expected.append(name in known)
            known.add(name)
        assert told.tolist() == expected
    assert len(seen._runs) < 14


@each(
    ("text", "name"),
    [
        (YANDEX, "Yandex"),
        (HEADER + "b\t0\tq\t1\td1\t1\n", "TSV"),
        ("session\tquery\trank\tdoc\tclicks\nb\tq\t1\td1\t1\n", "TSV"),
        (json.dumps(PAGE) + "\n", "JSONL"),
    ],
)
def test_logs_are_told_from_other_files(text, name):
    detected = detect_kind(Source("f", text.encode()))
    assert (detected.kind, detected.format_name) == ("clicks", name)


@pytest.mark.skipif(not CLARA.exists(), reason="needs ../shared/data/clicks")
def test_clara_is_read_as_a_plain_reading_has_it():
    with pytest.raises(BadInput, match=NOT_SHOWN) as caught:
        read_import("clicks", Source.at(CLARA))
    assert caught.value.line == 54
    imported = read_import("clicks", Source.at(CLARA), lenient=True)
    assert imported.counts == {
        "sessions": 9020,
        "pages": 15106,
        "clicks": 4451,
        "queries": 967,
        "malformed sessions": 268,
    }
    apart = imported.frames["click_apart"]
    assert dict(zip(apart["fault"], apart["sessions"], strict=True)) == {
        NOT_SHOWN: 236,
        REPEATED: 32,
    }
