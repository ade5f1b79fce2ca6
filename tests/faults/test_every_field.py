"""The same hostile texts in every field of every import and of every operation, on both engines.

Whatever stands in a field, it is stored as it was read, byte for byte, or refused in a sentence;
and what was there before is there afterwards.
"""

import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from httpx2 import InvalidURL, Response

from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import Import
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.content.imports import TABLES, write_import
from core.store.content.scales import get_scales
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import make_token
from core.store.store import Store
from pages.api.v1.table import OPERATIONS
from tests.core.command.whole_store import FILES
from tests.faults.fuzz_seeds import TARGETS, Target
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.conftest import serve_copy
from tests.short import few

pytestmark = [pytest.mark.contract, pytest.mark.timeout(1_800)]

TEXTS = (
    "'; DROP TABLE labels; --",
    '" OR 1=1 --',
    "x' UNION SELECT secret FROM head --",
    "\\'",
    "$1",
    "%s %(x)s %",
    "{} {0} {x}",
    ":name",
    "?",
    "100%_",
    "--",
    "/* x",
    "$$x$$",
    "E'\\n'",
    "\\.",
    "\\N",
    "NULL",
    "a\n\\.\nb",
    "a\tb",
    "a\r\nb",
    'a""b,"c',
    "\x00",
    "\ud800",
    "\u202egnp.exe",
    "é" * 3_000,
    "x" * 100_000,
)


KEPT = {name: table.columns for name, table in TABLES.items()} | {
    "labels": ("assessor_id", "topic_id", "document_id", "comment"),
}
"""The columns of what is read whose texts are stored as they are."""


@pytest.fixture(scope="module")
def bystander(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a collection that nobody touches, to be copied."""
    path = tmp_path_factory.mktemp("bystander") / "store.duckdb"
    with closing(Store(path)) as store:
        collection_id = create_collection(store, "Bystander")
        chosen = {"labels": {"scales": get_scales(store, collection_id)}, "clicks": {}}
        for kind, text in FILES.items():
            if kind != "clicks":
                source = Source(f"{kind}.tsv", text.encode())
                read = read_import(kind, source, **chosen.get(kind, {}))
                write_import(store, collection_id, read)
    return path


def read_rows(store: Store, collection_id: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows that a collection has in each table."""
    cursor = store.cursor()
    tables = cursor.execute(
        "SELECT table_name FROM duckdb_columns() WHERE column_name = 'collection_id' "
        "AND NOT internal AND table_name <> 'current_labels' ORDER BY 1"
    ).fetchall()
    return {
        name: cursor.execute(
            f"FROM {name} WHERE collection_id = ? ORDER BY ALL", [collection_id]
        ).fetchall()
        for (name,) in tables
    }


def find_values(read: Import, seed: bytes) -> list[str]:
    """Return the texts that stand in a file and are read from it."""
    cells = {
        cell
        for frame in read.frames.values()
        for name in frame.select_dtypes(exclude="number")
        for cell in frame[name].unique()
        if isinstance(cell, str) and cell.strip() and cell.encode() in seed
    }
    return sorted(cells)


def put(seed: bytes, value: str, text: str) -> bytes:
    """Return a file with a text in place of a value, written as the file is."""
    is_json = seed.lstrip().startswith((b"{", b"["))
    written = json.dumps(text)[1:-1] if is_json else text
    return seed.replace(value.encode(), written.encode("utf-8", "surrogatepass"))


def list_kept(read: Import) -> set[str]:
    """Return the texts that are stored as they were read."""
    return {
        cell
        for name, frame in read.frames.items()
        for column in KEPT.get(name, ())
        if column in frame
        for cell in frame[column].unique()
        if isinstance(cell, str)
    }


def try_file(store: Store, target: Target, data: bytes, number: str) -> str:
    """Import a file into a collection of its own; what was read has to be there afterwards."""
    collection_id = create_collection(store, f"{target} {number}")
    options = dict(target.options[0])
    if target.kind == "labels":
        options.setdefault("scales", get_scales(store, collection_id))
    try:
        read = read_import(target.kind, Source("file", data), format_name=target.name, **options)
        write_import(store, collection_id, read)
    except BadInput as error:
        str(error).encode()
        return "refused"
    held = {
        cell
        for rows in read_rows(store, collection_id).values()
        for row in rows
        for cell in row
        if isinstance(cell, str)
    }
    assert list_kept(read) <= held, list_kept(read) - held
    return "stored"


@pytest.mark.parametrize("target", few(TARGETS, 3), ids=str)
def test_every_field_of_an_import_is_stored_or_refused(
    bystander: Path,
    tmp_path: Path,
    target: Target,
    long_form: bool,
    record_property: Callable[[str, object], None],
    copy_of: Callable[[Path], Path],
):
    seen: Counter[str] = Counter()
    with closing(Store(copy_of(bystander))) as store:
        ((collection_id,),) = (
            store.cursor().execute("SELECT collection_id FROM collections").fetchall()
        )
        before = read_rows(store, collection_id)
        for place, seed in enumerate(target.seeds):
            try:
                read = read_import(
                    target.kind, Source("file", seed), format_name=target.name, **target.options[0]
                )
            except BadInput:
                continue
            values = find_values(read, seed)
            for number, value in enumerate(values):
                texts = TEXTS if long_form else [TEXTS[(7 * number + place) % len(TEXTS)]]
                for turn, text in enumerate(texts):
                    data = put(seed, value, text)
                    seen[try_file(store, target, data, f"{place} {number} {turn}")] += 1
        assert read_rows(store, collection_id) == before
    record_property("counts", f"{target}: {dict(seen)}")
    assert seen["stored"] + seen["refused"]


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    def copy(path: Path) -> Path:
        target = tmp_path / "store.duckdb"
        target.write_bytes(path.read_bytes())
        return target

    return copy


def test_a_store_that_changes_a_text_is_found_out(
    bystander: Path, copy_of: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
):
    """The comparison above sees it: here texts are escaped where nothing has to be."""
    write = write_import

    def write_carelessly(store: Store, collection_id: str, read: Import) -> None:
        frames = {
            name: frame.map(lambda one: one.replace("'", "''") if isinstance(one, str) else one)
            for name, frame in read.frames.items()
        }
        write(store, collection_id, replace(read, frames=frames))

    target = next(one for one in TARGETS if (one.kind, one.name) == ("documents", "JSONL"))
    data = json.dumps({"id": "d1", "text": TEXTS[0]}).encode()
    with closing(Store(copy_of(bystander))) as store:
        assert try_file(store, target, data, "1") == "stored"
        monkeypatch.setitem(globals(), "write_import", write_carelessly)
        with pytest.raises(AssertionError, match="DROP TABLE"):
            try_file(store, target, data, "2")


@dataclass(frozen=True)
class Api:
    """An API with a collection to work in, another that nobody names, and who may do what."""

    store: Store
    clients: tuple[DescribedClient, ...]
    ids: dict[str, str]
    bystander: str


@pytest.fixture
def api(bystander: Path, tmp_path: Path) -> Iterator[Api]:
    with serve_copy(bystander, tmp_path) as store, open_client() as client:
        ((bystander_id,),) = (
            store.cursor().execute("SELECT collection_id FROM collections").fetchall()
        )
        collection_id = create_collection(store, "Worked in")
        for kind in ("topics", "documents", "results"):
            source = Source(f"{kind}.tsv", FILES[kind].encode())
            write_import(store, collection_id, read_import(kind, source))
        olga, anna = (add_person(store, n, r) for n, r in (("Ol", "organiser"), ("An", "assessor")))
        add_member(store, collection_id, anna, "An")
        opened = open_round(store, collection_id, Plan(judges=1, flow="page only"))
        clients = tuple(
            DescribedClient(client, make_token(store, person, "p", SCOPES[role]))
            for person, role in ((olga, "organiser"), (anna, "assessor"))
        )
        ids = {"collection": collection_id, "round": opened, "person": anna, "kind": "labels"}
        yield Api(store, clients, ids | {"frame": "topics", "file": "t.tsv"}, bystander_id)


EVENT = {"topic": "t1", "document": "d1", "facet": "page", "engine": "", "occasion": 0,
         "state": "level", "level": 1, "comment": "x", "supersedes": None}  # fmt: skip
BODIES: dict[str, Any] = {
    "acceptInvitation": {"invitation": "x", "name": "y"},
    "createCollection": {"name": "x", "description": "x", "guidelines": "x", "language": "en"},
    "openRound": {"name": "x", "assessors": ["x"], "order": "max-mean", "due_at": "2030-01-01"},
    "changeRound": {"closed": False},
    "invitePeople": {"people": [{"name": "x", "group": "x"}]},
    "judge": {"assignment": "x", "events": [{**EVENT, "event_id": "x"}]},
    "createWebhook": {"address": "https://example.org", "events": ["topic.finished"]},
}
"""What each operation takes in full."""

NAMES = [
    *("judge", "createCollection", "readQrels"),
    *(
        one.name
        for one in OPERATIONS
        if one.name not in ("judge", "createCollection", "readQrels", "endToken")
    ),
]
"""All but the one that would end the rest; those that take most come first."""

KEPT_OF = {
    "createCollection": {"name", "description", "guidelines"},
    "openRound": {"name"},
    "invitePeople": {"name", "group"},
    "judge": {"comment"},
}
"""Fields whose texts are stored as they are."""


def place(held: Any, text: str) -> Iterator[tuple[str, Any]]:
    """Iterate over a body with a text in each of its fields, by the name of the field."""
    if isinstance(held, dict):
        for name, inner in held.items():
            for found, placed in place(inner, text):
                yield found or name, {**held, name: placed}
    elif isinstance(held, list):
        for found, placed in place(held[0], text):
            yield found, [placed]
    elif isinstance(held, str | None):
        yield "", text


def alone(name: str, body: Any, field: str, handed: dict[str, Any]) -> Any:
    """Return a body that can be accepted but for the field that is tried."""
    if name == "judge":
        (event,) = body["events"]
        event = event if field == "event_id" else {**event, "event_id": str(uuid.uuid4())}
        token = body["assignment"] if field == "assignment" else handed["assignment"]
        step = {} if field in handed["step"] else handed["step"]
        return {"events": [{**event, **step}], "assignment": token}
    if name == "openRound":
        return {one: told for one, told in body.items() if one == field}
    return body


def holds(store: Store, text: str) -> bool:
    """Tell whether a text is somewhere in the store, byte for byte."""
    cursor = store.cursor()
    columns = cursor.execute(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE data_type = 'VARCHAR' "
        "AND NOT internal AND table_name IN "
        "('collections', 'rounds', 'people', 'members', 'labels')"
    ).fetchall()
    return any(
        cursor.execute(f'SELECT 1 FROM {table} WHERE "{column}" = ? LIMIT 1', [text]).fetchall()
        for table, column in columns
    )


@pytest.mark.parametrize("name", few(NAMES, 3))
def test_every_field_of_an_operation_is_stored_or_refused(
    api: Api, name: str, long_form: bool, record_property: Callable[[str, object], None]
):
    before, seen = read_rows(api.store, api.bystander), Counter[str]()
    parameters = api.clients[0].found[name][2]["parameters"]
    known = {one["name"]: api.ids[one["name"]] for one in parameters if one["name"] in api.ids}
    known |= {one["name"]: "x" for one in parameters if one["in"] == "path"} | known
    if name == "importFile":
        known["kind"] = "topics"
    handed = api.clients[1].ask("nextAssignment", collection=api.ids["collection"])["handed_out"]
    handed["step"] = {
        one: handed["steps"][0][one] for one in ("topic", "document", "facet", "engine", "occasion")
    }
    body = b"t9\tlynx\n" if name == "importFile" else BODIES.get(name)
    texts = TEXTS if long_form else TEXTS[:3]
    asked = [(field, alone(name, made, field, handed), known, text)
             for text in texts for field, made in place(body, text)]  # fmt: skip
    asked += [
        (one["name"], body, {**known, one["name"]: write_value(one, text)}, text)
        for text in texts
        for one in parameters
        if one["schema"].get("type") in ("string", "array")
        and "\ud800" not in text  # which no address can hold
        and not (one["in"] == "path" and "/" in text)  # which is another address
    ]
    for field, sent, values, text in asked:
        for client in api.clients:
            try:
                answer = client.send(name, sent, **values)
            except InvalidURL:  # longer than any server takes
                continue
            assert answer.status_code < 500, (field, text[:40], answer.text)
            client.check(name, answer)
            is_taken = answer.status_code < 300 and not has_refusal(answer)
            seen["taken" if is_taken else "refused"] += 1
            if is_taken and field in KEPT_OF.get(name, ()):
                # Of a comment only half a character is lost: a label is worth more than that.
                whole = text.encode("utf-8", "replace").decode() if field == "comment" else text
                assert holds(api.store, whole), (field, text[:40])
                seen["found as it was"] += 1
    assert read_rows(api.store, api.bystander) == before
    record_property("counts", f"{name}: {dict(seen)}")


def write_value(parameter: dict[str, Any], text: str) -> str:
    """Return a text as the address has it: what is in the path is quoted by who asks."""
    return quote(text, safe="") if parameter["in"] == "path" else text


def has_refusal(answer: Response) -> bool:
    """Tell whether a judgement of several was refused by itself."""
    return '"status":"refused"' in answer.text.replace(" ", "")
