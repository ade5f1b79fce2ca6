"""The files behind figures and tables name nobody, whatever people are called."""

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.assessment.adjudication import adjudicate
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.settings import DEMO_DATA
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales
from core.store.events.frames import read_labels
from core.store.events.labels import Key
from core.store.people.people import add_person
from core.store.store import Store
from core.versions.rules import QrelsRule
from pages.shared import figure
from pages.shared.navigation import PAGES
from tests.pages.conftest import OpenPage, serve_copy
from tests.pages.judging_machine import judge_by_machine
from tests.pages.parts import PARTS as PARTS_OF
from tests.pages.parts import list_views, mark_views
from tests.short import few, long

CLEAR = ("Wilhelmina", "Ermintrude")
"""Names that are nothing else: no file may hold them anywhere."""

ODD = ("a1", "a1, a2", "Li", "李明", "7", "–", *CLEAR)
TOPICS = [f"t{number:02}" for number in range(1, 7)]
REAL = tuple(f"a{number}" for number in range(1, 9))
SAVED, OWN = "{6} against {0}", "slot of my own"
WITHOUT_DATA = {
    *("judge", "history", "account", "class-mode"),
    *("assignments", "matrix", "questions", "people", "hours", "collection", "export", "audit"),
    "machine-judge",
}
PATHS = [page.path for page in PAGES if page.path not in WITHOUT_DATA]
VIEWS: list[tuple[str, dict[str, Any]]] = [
    *list_views(PATHS),
    *(
        ("effectiveness", {"version-page": SAVED, "closer": closer})
        for closer in ("Scores", "Curves", "Topic by topic", "Two systems", "Distributions")
    ),
    ("comparison", {"comparison-versions-page": [SAVED, "imported: {4}", "slot 1"]}),
    ("informativeness", {"informativeness-version-page": SAVED}),
    (
        "informativeness",
        {"informativeness-version-page": SAVED, "informativeness-closer": "One ranking"},
    ),
]
"""Pages, and what is chosen on them; numbers in braces are people."""

KEPT = {
    *("adjudicate", "agreement One pair", "assessors", "qrels"),
    f"effectiveness {SAVED} Scores",
}

PART_KEYS = {key for key, _ in PARTS_OF.values()}
"""What says no more than which part of a page is open: it need not name anybody."""

REAL_PATHS = {"monitor", "agreement", "assessors", "qrels", "effectiveness", "ranking"}
TELLING = {"monitor", "agreement", "assessors", "qrels", "adjudicate", "preferences", "machines"}
"""Pages that name people as they stand; some others, once a version that does is chosen."""

PEOPLE = {
    *("assessor", "assessor_id", "first", "first_id", "second", "second_id", "name", "left_out"),
    *("comment", "comments", "by", "version", "condition", "conditions", "rule", "person"),
}
"""Columns that change: no topic, document, system, measure or level becomes a code."""

PARTS = re.compile(r"""[,;:] | – | and | against | \(|["'\n]""")
CODE = re.compile(r"a-[0-9a-f]{10}")


def name_demo(kind: str, names: tuple[str, ...]) -> bytes:
    """Return labels or preferences of the demo as given by eight people of these names."""
    table = pd.read_csv(DEMO_DATA / f"{kind}.tsv", sep="\t", dtype=str, keep_default_na=False)
    table = table[table["topic"].isin(TOPICS)]
    twins = {"simulated-1": "simulated-7", "simulated-3": "simulated-8"}
    more = table[table["assessor"].isin(twins)].assign(
        assessor=lambda rows: rows["assessor"].map(twins)
    )
    table = pd.concat([table, more])
    place = table["assessor"].str.removeprefix("simulated-").astype(int) - 1
    table["assessor"] = [names[one] for one in place]
    return table.to_csv(sep="\t", index=False, quoting=3).encode()


def fill(store: Store, names: tuple[str, ...]) -> str:
    """Store something for every page, by people of these names; returns the collection's id.

    There are both facets, repeats, comments, preferences, a decision, saved versions that name
    people, imported qrels that are called like one, and labels of a machine.
    """
    collection_id = create_collection(store, "Named")
    for name in ("topics.jsonl", "documents.jsonl", "results.tsv", "labels", "preferences"):
        kind = name.partition(".")[0]
        content = (DEMO_DATA / name).read_bytes() if "." in name else name_demo(kind, names)
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        imported = read_import(kind, Source(f"{kind}.tsv", content), **options)
        write_import(store, collection_id, imported)
    qrels = Source("qrels", b"t01 0 t01-d01 1\nt02 0 t02-d02 2\n")
    write_import(store, collection_id, read_import("qrels", qrels), name=names[4])
    for rule in (
        QrelsRule(SAVED.format(*names), assessors=names[4:7]),
        QrelsRule(OWN, assessors=names[:5], judges=1, topics=tuple(TOPICS[:4])),
    ):
        save_rule(store, collection_id, rule.name, rule.to_json())
    labels = read_labels(store, collection_id).query("facet == 'page' and topic_id == 't01'")
    spread = labels.groupby("document_id")["level"].agg(lambda given: given.max() - given.min())
    organiser = add_person(store, "Olga", "organiser")
    item = Key("t01", str(spread.idxmax()), "page", "", organiser, 0)
    adjudicate(store, collection_id, item, 1, f"As {names[0]} said to {names[3]}.")
    judge_by_machine(store, collection_id)
    clicks = read_import("clicks", Source.at(DEMO_DATA / "clicks.tsv"))
    write_import(store, collection_id, clicks, name="clicks")
    return collection_id


def fill_real(store: Store, folder: Path) -> str:
    """Store labels of eight people from a shared task, and three runs of it."""
    collection_id = create_collection(store, "Real")
    runs = [folder / "runs" / f"{name}.run.gz" for name in ("UNH_bm25", "bm25base_p", "TUW19-p1-f")]
    for kind, paths in (("topics", [folder / "topics.tsv"]), ("runs", runs),
                        ("labels", [folder / "labels.tsv"])):  # fmt: skip
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        sources = [Source.at(path) for path in paths]
        write_import(store, collection_id, read_import(kind, sources, **options))
    add_person(store, "Olga", "organiser")
    return collection_id


Named = tuple[Path, tuple[str, ...]]


@pytest.fixture(scope="module", params=few([ODD, REAL]), ids=["odd", "real"])
def named(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Named:
    """A store file, and the names of the people in it."""
    data = request.getfixturevalue("shared_data") / "dl19" if request.param == REAL else None
    store = Store(tmp_path_factory.mktemp("named") / "store.duckdb")
    if data:
        fill_real(store, data)
    else:
        fill(store, request.param)
    store.close()
    return store.path, request.param


@pytest.fixture(scope="module")
def store(named: Named, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with serve_copy(named[0], tmp_path_factory.mktemp("served")) as opened:
        yield opened


@dataclass
class File:
    """A file to take away, and what it was made from."""

    name: str
    content: bytes
    given: pd.DataFrame
    hidden: pd.DataFrame
    nobody: frozenset[str]
    listed: frozenset[str]


@pytest.fixture
def files_of(
    store: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[File]]:
    """What draws a page for an organiser and returns the files that it offers."""
    olga = store.cursor().execute("SELECT person_id FROM people").fetchone()[0]

    def draw(path: str, **state: Any) -> list[File]:
        offered: list[tuple[str, Any]] = []
        made: list[tuple[Any, ...]] = []
        hide = figure.hide_names

        def keep(_label: str, data: Any, **named: Any) -> bool:
            offered.append((named["file_name"], data))
            return False

        def note(store: Store, collection_id: str, table: pd.DataFrame, **columns: Any) -> Any:
            hidden = hide(store, collection_id, table, **columns)
            made.append((table, hidden, columns["nobody"], columns["listed"]))
            return hidden

        with monkeypatch.context() as patch:
            patch.setattr(st, "download_button", keep)
            patch.setattr(figure, "hide_names", note)
            at = open_page(path, olga, **state)
            assert not at.exception
            files = []
            for name, data in offered:
                if name.endswith(".csv"):
                    content = data()
                    files.append(File(name, content, *made.pop()))
        return files

    return draw


def tells(text: str, names: tuple[str, ...], *, listed: bool) -> bool:
    """Tell whether a text has one of these names, as a part of a list or as a word."""
    told = CODE.sub("", text)
    if any(part.removeprefix("only ").removeprefix("by ") in names for part in PARTS.split(told)):
        return True
    words = [name for name in names if any(map(str.isalnum, name))]
    pattern = "|".join(map(re.escape, words))
    return not listed and bool(re.search(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", told))


def find_told(file: File, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the columns and cells of a file that tell a name."""
    told = []
    for before, name in zip(map(str, file.given), map(str, file.hidden), strict=True):
        kind = before.rpartition(": ")[2]
        if before not in file.nobody and tells(name, names, listed=True):
            told.append((name, ""))
        if kind in file.nobody or before.startswith("by "):
            continue
        cells = {cell for cell in file.hidden[name] if isinstance(cell, str)}
        listed = kind in file.listed
        told += [(name, cell) for cell in cells if tells(cell, names, listed=listed)]
    return told


def find_changed(file: File) -> set[str]:
    """Return the columns in which something was replaced."""
    changed = set()
    for before, name in zip(file.given, file.hidden, strict=True):
        given, hidden = file.given[before], file.hidden[name]
        if not (given.isna() & hidden.isna() | (given == hidden)).all():
            changed.add(str(before))
    return changed


def choose(chosen: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return what is chosen on a page with the names of people in it."""
    return {
        key: [one.format(*names) for one in value]
        if isinstance(value, list)
        else value.format(*names)
        for key, value in chosen.items()
    }


@pytest.mark.parametrize(
    ("path", "chosen"),
    [pytest.param(*view, marks=marks) for view, marks in mark_views(VIEWS, KEPT)],
)
def test_no_file_names_anybody(files_of, named: Named, path: str, chosen: dict[str, Any]):
    names = named[1]
    if names == REAL and (chosen or path not in REAL_PATHS):
        pytest.skip("these data have nothing of the kind")
    files = files_of(path, **choose(chosen, names))
    is_part = bool(chosen) and chosen.keys() <= PART_KEYS
    assert files or is_part
    for file in files:
        assert find_told(file, names) == [], file.name
        changed = {name.rpartition(": ")[2] for name in find_changed(file)}
        assert changed <= PEOPLE, file.name
        assert len(pd.read_csv(io.BytesIO(file.content))) == len(file.given)
        assert not [name for name in CLEAR if name in file.content.decode()], file.name
    told = [find_told(replace(file, hidden=file.given), names) for file in files]
    if not is_part and (chosen or path in TELLING):
        assert any(told), "without the guard nobody is named either, so nothing is shown here"


@pytest.mark.parametrize("named", [ODD], ids=["odd"], indirect=True)
@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("qrels", "qrels-export"),
        pytest.param("export", "export-version-page", marks=long),
    ],
)
def test_nor_does_the_name_of_a_file(
    store: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, path: str, key: str
):
    offered: list[str] = []
    offer = DeltaGenerator.download_button

    def keep(self: DeltaGenerator, label: str, data: Any, **named: Any) -> bool:
        offered.append(named["file_name"])
        return bool(offer(self, label, data, **named))

    monkeypatch.setattr(DeltaGenerator, "download_button", keep)
    monkeypatch.setattr(st, "download_button", partial(keep, st._main))
    olga = store.cursor().execute("SELECT person_id FROM people").fetchone()[0]
    version = SAVED.format(*ODD)
    for asked in (False, True):
        offered.clear()
        state = {key: version, figure.NAMES_IN_DATA: asked, "qrels-part": "Take away"}
        assert not open_page(path, olga, **state).exception
        names = [name for name in offered if "against" in name]
        assert names
        for name in names:
            assert ("wilhelmina" in name) == asked, name
