"""Files made to take for ever or to fill the memory: each is done with in seconds."""

import ast
import gzip
import re
import resource
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import core.collection.files.source as source
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput
from core.settings import ROOT
from pages.api.page import drop_connections
from pages.shared.highlight import mark_terms
from tests.each import each
from tests.short import few, long

pytestmark = pytest.mark.timeout(90)
"""Those that were too slow took minutes to hours; on a busy machine the rest take seconds."""

MIB = 2**20
MOST_MEMORY = 1_500 * MIB
"""More than what was there before, for the largest of them; the bombs would need gigabytes."""

COLUMNS = b",".join(b"c%d" % number for number in range(100_000))
LAUGHS = b"".join(
    b'<!ENTITY a%d "%s">' % (number, (b"&a%d;" % (number - 1)) * 10) for number in range(1, 10)
)
ENDLESS = {
    "numbers": ("qrels", b"t 0 d " + b"9" * 200_000 + b"x\n"),
    "points": ("results", b"topic\tengine\tdocument\trank\nt\te\td\t" + b"9" * 100_000 + b".x"),
    "tags": ("topics", b"<top>" + b"<num " * 200_000 + b"</top>"),
    "open tags": ("topics", b"<top>" * 200_000),
    "signs": ("topics", b"<top>" + b"<" * MIB + b"&" * MIB + b"</top>"),
    "blocks": ("topics", b"<top><num>1<title>x</top>" + b"\n" * MIB),
    "columns": ("documents", b"id," + COLUMNS + b"\n" + b'"1"' + b"," * 100_000),
    "fields": ("documents", b"{" + b",".join(b'"%d":1' % n for n in range(100_000)) + b"}"),
    "commas": ("documents", b"," * 2 * MIB),
    "quotes": ("documents", b"id,text\n" + b'"' * 2 * MIB),
    "an open quote": ("documents", b'id,text\n1,"' + b"\n" * MIB),
    "words": ("runs", b"a " * MIB),
    "spaces": ("runs", b" " * 4 * MIB + b"x"),
    "brackets": ("documents", b"[" * MIB),
    "objects": ("documents", b'{"id":' * 200_000),
    "digits": ("documents", b'{"id": 1' + b"0" * MIB + b"}"),
    "elements": ("topics", b"<a>" * 500_000),
    "depth": ("topics", b"<topic number='1'><query>" + b"<b>" * 100_000 + b"</b>" * 100_000),
    "attributes": ("topics", b"<a " + b" ".join(b"a%d=''" % n for n in range(50_000)) + b"/>"),
    "laughter": (
        "topics",
        b'<!DOCTYPE a [<!ENTITY a0 "ha">' + LAUGHS + b"]><a><topic number='1'>&a9;</topic></a>",
    ),
    "one large entity": (
        "topics",
        b'<!DOCTYPE a [<!ENTITY a "' + b"a" * 50_000 + b'">]><a>' + b"&a;" * 50_000 + b"</a>",
    ),
}


FORBIDDEN = {
    *("urllib.request", "http.client", "requests", "httpx", "httpx2", "aiohttp", "urllib3"),
    *("socket", "ftplib", "smtplib", "telnetlib", "xmlrpc.client", "pickle", "marshal", "shelve"),
    *("xml.etree.ElementTree.parse", "xml.etree.ElementTree.fromstring", "xml.dom.minidom"),
}
SUSPICIOUS = re.compile("|".join({"served_store", *(one.partition(".")[0] for one in FORBIDDEN)}))
"""What stands in a file that imports one of them: others need not be taken apart."""
ITS_OWN = {
    ("core/command/serve.py", "socket"),
    ("core/command/serve.py", "http.client"),
    ("pages/server/run.py", "socket"),
    ("core/api/calls/served_store.py", "urllib.request"),
    ("core/prompting/client.py", "socket"),
    ("core/prompting/client.py", "http.client"),
    ("pages/server/webhooks.py", "socket"),
    ("pages/server/webhooks.py", "http.client"),
}
"""The command that starts a server asks that server whether it is there; Python asks the one that
``dissent.connect`` is given, and no server calls that. Webhooks are told what is finished: by one
module, which asks public machines only (tests/pages/server/test_webhook_attacks.py). Models that
judge are asked by one module, at the one address that an organiser has confirmed."""


@pytest.fixture(autouse=True)
def _little_memory():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    yield
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert after - before < MOST_MEMORY


@pytest.mark.parametrize("name", few(ENDLESS, 4))
def test_nothing_takes_for_ever(name: str):
    kind, data = ENDLESS[name]
    refusal = _refusal(kind, data)
    if refusal is not None:
        assert refusal.line is not None
        assert len(str(refusal)) < 2_000, "a message that quotes a file stays a message"


def _refusal(kind: str, data: bytes) -> BadInput | None:
    try:
        read_import(kind, Source("large.txt", data))
    except BadInput as error:
        return error
    return None


@long
def test_many_topics_are_read_quickly():
    """Each knows its line, which is not counted anew from the beginning."""
    rows = b"".join(b"%d\ta query\n" % number for number in range(100_000))
    assert read_import("topics", Source("topics.tsv", rows)).counts["topics"] == 100_000
    tags = b"".join(b"<top><num>%d<title>q</title>\n</top>" % number for number in range(50_000))
    assert read_import("topics", Source("topics.txt", tags)).counts["topics"] == 50_000


def test_uploads_are_limited():
    """What a browser sends is refused by size before any of it is read."""
    with (ROOT / ".streamlit" / "config.toml").open("rb") as file:
        limit = tomllib.load(file)["server"]["maxUploadSize"]
    assert 1 <= limit <= 200
    assert limit * MIB <= source.LARGEST


def test_nothing_is_fetched_and_nothing_is_unpickled():
    """No part but these can ask another server, so that no other address can make it."""
    for path in (*(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for name in _imports(text) if SUSPICIOUS.search(text) else ():
            part = path.relative_to(ROOT).as_posix()
            assert name not in FORBIDDEN or (part, name) in ITS_OWN, f"{part} imports {name}"
            assert "served_store" not in name or part == "core/api/__init__.py", part


def _imports(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{one.name}" for one in node.names))


def test_a_file_elsewhere_is_never_read(tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    for declared in (
        f'<!DOCTYPE a [<!ENTITY s SYSTEM "{secret.as_uri()}">]>',
        f'<!DOCTYPE a SYSTEM "{secret.as_uri()}" [<!ENTITY s "x">]>',
        f'<!DOCTYPE a [<!ENTITY % p SYSTEM "{secret.as_uri()}">%p;]>',
    ):
        text = f"{declared}<a><topic number='1'><query>&s;</query></topic></a>"
        with pytest.raises(BadInput, match="entity") as caught:
            read_import("topics", Source("topics.xml", text.encode()))
        assert "the secret" not in str(caught.value)


@each("times", [1, 2])
def test_a_bomb_is_refused_before_it_bursts(times: int, long_form: bool):
    data = bytes((300 if long_form else 64) * MIB)
    for _ in range(times):
        data = gzip.compress(data, compresslevel=6, mtime=0)
    with pytest.raises(
        BadInput, match=r"unpacks to more than 100 times|packed with gzip twice|NUL|UTF-8"
    ):
        read_import("documents", Source("bomb.gz", data))


def test_what_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch):
    """A file that packs well enough for data, but is larger than any."""
    monkeypatch.setattr(source, "LARGEST", 5 * MIB)
    lines = b"".join(b"%d\ta query\n" % number for number in range(500_000))
    with pytest.raises(BadInput, match="holds more than 5 MiB"):
        read_import("topics", Source("topics.gz", gzip.compress(lines)))
    with pytest.raises(BadInput, match="holds more than 5 MiB"):
        read_import("topics", Source("topics.tsv", lines))


@each(
    ("document", "query"),
    [
        ("<" * MIB, "cat"),
        ("<!--" * 200_000, "cat"),
        ("<script>" + "</script " * 100_000, "cat"),
        ("<script></script" + " " * MIB + "x", "cat"),
        ("&" * MIB + "a" * MIB, "cat"),
        ("w0 " * 200_000, " ".join("w" * n for n in range(3, 1_000))),
        ("<iframe " * 200_000 + "<link " * 200_000, "cat"),
    ],
    ids=range(7),
)
def test_no_document_takes_for_ever(document: str, query: str):
    assert mark_terms(drop_connections(document), query)
