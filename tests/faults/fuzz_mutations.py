"""Ways to spoil a file, and ways to make one up: strategies of Hypothesis."""

import json
from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

NASTY = (
    *("", " ", "0", "-0", "-1", "1", "2", "1.5", "1e400", "-1e400", "1e-400", "nan", "NaN", "inf"),
    *("-inf", "1_000", "0x10", "1e5", "2147483647", "2147483648", "9007199254740993", "9" * 400),
    *("٣", "²", "½", "true", "null", "[]", "{}", "'", '"', '""', '"a', "\\", "\\n", "\t", "a b"),
    *("=1", "+1", "@x", "\ufeff", "\u2028", "\u00a0", "\u202e", "\x1a", "\x1f", "\x85", "\x0b"),
    *("é", "e\u0301", "😀", "\uffff", "\x7f", "a" * 3_000, "2026-13-45", "2026-01-31T12:00:00Z"),
    *("0001-01-01", "9999-12-31T23:59:59.999999Z", "1e18", "99999999999999", "P1D", "12:00"),
)
"""Values that parsers take for something else."""

JUNK = (
    *(b"\0", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\xaf"),
    *(b"\xf4\x90\x80\x80", b"\xe2\x80", b"\r", b"\r\n", b"\n\r", b"\n\n\n", b"\x1f\x8b", b"\x1a"),
    *(b'"', b"'", b"\t", b",", b";", b"\\", b"\v", b"\f", b"<", b"</", b"<top>", b"]]>", b"&"),
    *(b"&lt;", b"&#0;", b"&#xD800;", b"&x;", b"<!--", b"<![CDATA[", b"<?x?>", b"{", b"}", b"["),
    *(b"]", b"[" * 500, b'{"a":' * 500, b":", b"\\ud800", b"\\u0000", b"1e999", b"-", b"NaN"),
    *(b"Infinity", b"9" * 5_000, b"{}", b"[]", b"null", b" ", b"\xc2\xa0", b"\xe2\x80\xa8"),
    b"<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY d '&b;&b;&b;&b;&b;&b;&b;&b;'>]>",
    b"<!DOCTYPE a SYSTEM 'file:///etc/passwd'>",
    b"<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://127.0.0.1:9/'> %p;]>",
)
"""Bytes that do not belong where they land."""


@st.composite
def spoiled_files(draw: DrawFn, seeds: Sequence[bytes], words: Sequence[str]) -> bytes:
    """Return a valid file with one to five things done to it, mostly one."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 5)))):
        data = draw(st.sampled_from(_WAYS))(draw, data, words)
    return data


@st.composite
def nearly_valid_files(draw: DrawFn, seeds: Sequence[bytes], words: Sequence[str]) -> bytes:
    """Return a valid file with perhaps a row more, and a value or two changed."""
    lines = draw(st.sampled_from(seeds)).decode().rstrip("\n").split("\n")
    value = st.one_of(st.text(max_size=4), st.sampled_from([*NASTY, *words]))
    if draw(st.booleans()):
        lines.append(lines[-1].replace("1", draw(st.sampled_from("3456789"))))
    for _ in range(draw(st.sampled_from((1, 1, 2)))):
        place = draw(st.integers(0, len(lines) - 1))
        change = _change_field if lines[place].startswith("{") else _change_part
        lines[place] = change(draw, lines[place], value)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _change_field(draw: DrawFn, line: str, value: SearchStrategy[str]) -> str:
    try:
        record = json.loads(line) or {"id": ""}
    except ValueError:
        return line
    name = draw(st.sampled_from(sorted(record)))
    record[name] = draw(st.one_of(value, value, _json))
    return json.dumps(record, ensure_ascii=draw(st.booleans()))


def _change_part(draw: DrawFn, line: str, value: SearchStrategy[str]) -> str:
    mark = next((mark for mark in "\t,;> " if mark in line), " ")
    parts = line.split(mark)
    parts[draw(st.integers(0, len(parts) - 1))] = draw(value)
    return mark.join(parts)


def _place(draw: DrawFn, data: bytes) -> int:
    return draw(st.integers(0, len(data)))


def _flip(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    if not data:
        return data
    place = draw(st.integers(0, len(data) - 1))
    return data[:place] + bytes([draw(st.integers(0, 255))]) + data[place + 1 :]


def _insert(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    place = _place(draw, data)
    return data[:place] + draw(st.sampled_from(JUNK)) + data[place:]


def _put_word(draw: DrawFn, data: bytes, words: Sequence[str]) -> bytes:
    place = _place(draw, data)
    return data[:place] + draw(st.sampled_from(words)).encode() + data[place:]


def _cut(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    first, last = sorted((_place(draw, data), _place(draw, data)))
    return data[:first] + data[last:]


def _end_early(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    return data[: _place(draw, data)]


def _repeat(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    first, last = sorted((_place(draw, data), _place(draw, data)))
    return data[:last] + data[first:last] * draw(st.sampled_from((1, 2, 30))) + data[last:]


def _swap_lines(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    return b"\n".join(draw(st.permutations(data.split(b"\n"))))


def _change_cell(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    mark = draw(st.sampled_from((b"\t", b",", b" ", b'"', b":")))
    cells = data.split(mark)
    cells[draw(st.integers(0, len(cells) - 1))] = draw(st.sampled_from(NASTY)).encode()
    return mark.join(cells)


def _change_marks(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    old, new = (draw(st.sampled_from((b"\t", b",", b";", b" ", b"\n", b'"'))) for _ in range(2))
    return data.replace(old, new, draw(st.sampled_from((-1, 1))))


def _change_ends(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    ends = st.sampled_from((b"\r\n", b"\r", b"\n\r", b"\x85", b"\x1e"))
    return data.replace(b"\n", draw(ends), draw(st.sampled_from((-1, 1))))


def _change_encoding(draw: DrawFn, data: bytes, _: Sequence[str]) -> bytes:
    name = draw(st.sampled_from(("utf-16", "utf-16-le", "utf-32", "utf-7", "utf-8-sig", "cp037")))
    return data.decode("utf-8", "ignore").encode(name, "ignore")


_WAYS = (
    *(_flip, _insert, _put_word, _cut, _end_early, _repeat, _swap_lines, _change_cell),
    *(_change_cell, _change_marks, _change_ends, _change_encoding),
)


def made_up_files(words: Sequence[str], seeds: Sequence[bytes]) -> SearchStrategy[bytes]:
    """Return files made of known words and nasty values: tables, JSON lines, lines, tags."""
    name = st.sampled_from([*words, "x", ""])
    cell = st.one_of(st.sampled_from([*NASTY, *words]), st.text(max_size=6))
    return st.one_of(
        _tables(name, cell), _objects(name, cell), _word_lines(cell, seeds), _elements(name, cell)
    )


@st.composite
def _tables(draw: DrawFn, name: SearchStrategy[str], cell: SearchStrategy[str]) -> bytes:
    mark = draw(st.sampled_from("\t,;"))
    header = draw(st.lists(name, min_size=1, max_size=8))
    rows = draw(st.lists(st.lists(cell, min_size=len(header), max_size=len(header)), max_size=4))
    quote = draw(st.booleans())
    lines = [header, *rows]
    if draw(st.integers(0, 4)) == 0 and rows:
        lines[-1] = lines[-1][:-1]
    written = [
        mark.join('"' + one.replace('"', '""') + '"' if quote else one for one in line)
        for line in lines
    ]
    return draw(st.sampled_from(("\n", "\r\n"))).join(written).encode("utf-8", "surrogatepass")


_json = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.floats(),
        st.sampled_from(NASTY),
        st.text(st.characters(exclude_categories=()), max_size=5),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(("id", "text")), inner)
    ),
    max_leaves=5,
)


@st.composite
def _objects(draw: DrawFn, name: SearchStrategy[str], cell: SearchStrategy[str]) -> bytes:
    fields = draw(st.lists(name, min_size=1, max_size=6, unique=True))
    rows = draw(
        st.lists(
            st.fixed_dictionaries({field: st.one_of(cell, _json) for field in fields}),
            min_size=1,
            max_size=4,
        )
    )
    pretty = draw(st.sampled_from((None, None, None, 1)))
    return "\n".join(json.dumps(row, indent=pretty) for row in rows).encode()


@st.composite
def _word_lines(draw: DrawFn, cell: SearchStrategy[str], seeds: Sequence[bytes]) -> bytes:
    count = len(seeds[0].partition(b"\n")[0].split())
    lines = draw(st.lists(st.lists(cell, min_size=count - 1, max_size=count + 1), max_size=5))
    mark = draw(st.sampled_from((" ", "\t", "  ")))
    return "\n".join(mark.join(line) for line in lines).encode("utf-8", "surrogatepass")


@st.composite
def _elements(draw: DrawFn, name: SearchStrategy[str], cell: SearchStrategy[str]) -> bytes:
    tags = draw(st.lists(st.tuples(name, cell, cell), min_size=1, max_size=6))
    body = "".join(f"<{tag} number='{value}'>{text}</{tag}>" for tag, value, text in tags)
    root = draw(st.sampled_from(("topics", "topic", "top", "a")))
    return f"<{root}>{body}</{root}>".encode("utf-8", "surrogatepass")
