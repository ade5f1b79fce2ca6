"""The doors of reports on the User Disagreement Model: see ``test_report_doors``."""

import io
import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dissent
from core.analysis.agreement.user_disagreement import (
    ask_combined_weights,
    ask_verification,
    ask_weights,
)
from core.analysis.base.declared import model_of
from core.analysis.base.study import Study, scales_of
from core.analysis.collection.declaring import declare
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import counted_levels
from core.command.main import main
from core.errors import BadInput
from core.paper.tables import tabulate_levels
from core.reports.level_weights import CombinedWeights, LevelWeights, WeightsQuestion, read_levels
from core.reports.report import Report
from core.reports.user_model import UserModel
from core.reports.verification import ModelVerification, VerificationQuestion
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store
from core.wording import drop_marks, plain_with_facts
from tests.core.api.made_up import TOPICS, level_of
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page, serve_copy
from tests.pages.test_report_doors import (
    Asked,
    Cells,
    Said,
    compare,
    made_up_store,
    make_asked,
    number,
    read_bundled,
    write_scale,
)
from tests.short import long

__all__ = ["made_up_store"]

REPORTS: tuple[type[Report], ...] = (LevelWeights, CombinedWeights, ModelVerification)
"""Those whose doors are here."""

Rows = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A table, what its rows are of, and their numbers."""

LEVELS: Rows = (
    "levels",
    ("level",),
    ("p", "low", "high", "weight", "weight_low", "weight_high", "cases"),
)
PAIRS: Rows = (
    "pairs",
    ("snippet", "page"),
    ("p", "low", "high", "weight", "weight_low", "weight_high", "cases", "page_weight"),
)

VERIFIED: dict[str, Rows] = {
    "chances": ("chances", ("level", "n"), ("mean", "sd", "low", "high")),
    "weights": (
        "weights",
        ("level", "users", "at_least"),
        ("observed", "predicted", "low", "high", "sd"),
    ),
    "mutual": ("mutual", ("measure", "users"), ("mean", "low", "high", "sd")),
    "repeats": ("repeats", ("within", "level"), ("mean", "sd")),
}


def write_key(key: object) -> str:
    """Return a key as text: whole numbers that missing ones made floats as they were."""
    return f"{key:g}" if isinstance(key, float) else str(key)


def cells_of(rows: Rows, frame: pd.DataFrame) -> Cells:
    """Return the numbers of each row of a table: of those columns that it has."""
    name, keys, values = rows
    frame = frame[[*keys, *(one for one in values if one in frame)]]
    frame = frame.astype(dict.fromkeys(frame.columns[len(keys) :], "float64"))
    return {
        (name, *map(write_key, row[: len(keys)])): tuple(row[len(keys) :])
        for row in frame.itertuples(index=False, name=None)
    }


def told(rows: Rows, found: Report) -> Said:
    return Said(cells_of(rows, found.table(rows[0])), drop_marks(found.answer))


def question(asked: Asked, **chosen: object) -> WeightsQuestion:
    """Return what a study is asked by its doors: of the users whom it declares."""
    return replace(WeightsQuestion(model_of(asked.study, asked.facet)), **chosen)


def ask_levels(asked: Asked) -> LevelWeights:
    return ask_weights(asked.study, asked.facet, question(asked))


def ask_pairs(asked: Asked) -> CombinedWeights:
    return ask_combined_weights(asked.study, asked.facet, question(asked))


def by_number(found: Report, _: Asked) -> Said:
    """What a report says where levels go by their numbers: who reads frames knows no names."""
    bare = replace(found.labels, names={})
    return told(LEVELS if isinstance(found, LevelWeights) else PAIRS, replace(found, labels=bare))


def weights_on_page(asked: Asked) -> Said:
    at = draw_page(asked.store, "disagreement", asked.organiser, asked.collection)
    found = ask_levels(asked)
    said = plain_with_facts(found.answer)
    assert said in "\n".join(one.value for one in at.markdown)
    for note in found.notes:
        assert any(note[1:] in one.value.replace("\\", "") for one in at.caption)
    (rows,) = (one.value for one in at.dataframe if "linear" in one.value)
    assert rows["name"].tolist() == found.levels["name"].tolist()
    return Said(cells_of(LEVELS, rows), drop_marks(found.answer))


def pairs_on_page(asked: Asked) -> Said:
    at = draw_page(asked.store, "disagreement", asked.organiser, asked.collection)
    found = ask_pairs(asked)
    said = plain_with_facts(found.answer)
    assert said in "\n".join(one.value for one in at.markdown)
    (rows,) = (one.value for one in at.dataframe if "page_weight" in one.value)
    levels = {
        facet: {name: level for level, name in names.items()}
        for facet, names in found.labels.names.items()
    }
    numbered = rows.assign(
        **{facet: rows[f"{facet}_name"].map(known) for facet, known in levels.items()}
    )
    return Said(cells_of(PAIRS, numbered), drop_marks(found.answer))


def read_labels_of(asked: Asked) -> pd.DataFrame:
    with served() as address:
        return dissent.connect(address, asked.token).labels(collection=asked.collection)


def weights_by_python(asked: Asked) -> Said:
    model = model_of(asked.study, asked.facet)
    table = dissent.weights(
        read_labels_of(asked),
        model.top,
        users=model.users,
        at_least=model.at_least,
        facet=asked.facet,
        levels=asked.levels,
    )
    return Said(cells_of(LEVELS, table), table.attrs["answer"])


def pairs_by_python(asked: Asked) -> Said:
    model = model_of(asked.study, asked.facet)
    highest = (max(counted_levels(scales_of(asked.study)[one])) for one in ("snippet", "page"))
    table = dissent.combined_weights(
        read_labels_of(asked),
        tuple(highest),
        users=model.users,
        at_least=model.at_least,
        levels={facet: [*counted_levels(one)] for facet, one in scales_of(asked.study).items()},
    )
    return Said(cells_of(PAIRS, table), table.attrs["answer"])


def weigh_by_command(
    asked: Asked, capsys: pytest.CaptureFixture[str], form: str, *more: str
) -> str:
    """Return what the command prints on what the store exports, told its scales and users."""
    client = DescribedClient(open_client(), asked.token)
    labels = asked.folder / "exported.csv"
    labels.write_bytes(client.ask("readFile", collection=asked.collection, kind="labels"))
    model = model_of(asked.study, asked.facet)
    words = ["weights", str(labels), "--top", str(model.top), "--users", str(model.users)]
    words += ["--at-least", str(model.at_least), "--format", form]
    words += [*more] if more else ["--facet", asked.facet]
    for name, scale in scales_of(asked.study).items():
        words += ["--scale", f"{name}={write_scale(scale)}"]
    capsys.readouterr()
    assert main(words) == 0
    return capsys.readouterr().out


def name_levels(asked: Asked, facet: str) -> dict[int, str]:
    """Return what counted levels are called by the names that `write_scale` gives."""
    scale = scales_of(asked.study)[facet]
    return counted_levels(tuple(replace(one, name=f"level {one.level}") for one in scale))


def name_by_command(found: LevelWeights | CombinedWeights, asked: Asked) -> Said:
    """What a report says with the names that the command is told."""
    if isinstance(found, LevelWeights):
        labels = replace(found.labels, names=name_levels(asked, found.labels.facet))
        return told(LEVELS, replace(found, labels=labels))
    names = {facet: name_levels(asked, facet) for facet in found.labels.names}
    return told(PAIRS, replace(found, labels=replace(found.labels, names=names)))


OF_FACET: tuple[str, ...] = ()
OF_BOTH = ("--combined",)


def in_json(rows: Rows, words: tuple[str, ...]) -> Callable[..., Said]:
    def ask(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
        content = json.loads(weigh_by_command(asked, capsys, "json", *words))
        frame = pd.DataFrame(content["levels"])
        if rows is PAIRS:
            both = pd.DataFrame(frame["level"].tolist(), columns=["snippet", "page"])
            frame = frame.join(both)
        assert all("over topics like these" in one["of"] for one in frame["interval"])
        assert isinstance(content["notes"], list)
        return Said(cells_of(rows, frame), content["answer"])

    return ask


def in_csv(rows: Rows, words: tuple[str, ...]) -> Callable[..., Said]:
    def ask(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
        frame = pd.read_csv(io.StringIO(weigh_by_command(asked, capsys, "csv", *words)))
        assert set(frame["table"]) == {rows[0]}
        return Said(cells_of(rows, frame))

    return ask


def in_terminal(rows: Rows, words: tuple[str, ...]) -> Callable[..., Said]:
    def ask(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
        return Said({}, weigh_by_command(asked, capsys, "table", *words).splitlines()[0])

    return ask


def weights_in_bundle(asked: Asked) -> Said:
    frame = read_bundled(asked, "weights")
    return Said(cells_of(LEVELS, frame[frame["facet"] == asked.facet]), digits=4)


def weights_in_paper(asked: Asked) -> Said:
    """The table of levels: p with its limits; levels go by their names there."""
    (table,) = tabulate_levels(asked.study, asked.facet)
    known = {row["name"]: row["level"] for row in ask_levels(asked).levels.to_dict("records")}
    cells: Cells = {}
    for row in table.rows:
        numbers = re.findall(r"[−-]?\d+\.\d+", row[2])
        cells[("levels", str(known[row[0]]))] = tuple(map(number, numbers))
    return Said(cells, digits=3)


def cells_of_verified(frames: Mapping[str, pd.DataFrame]) -> Cells:
    return {
        key: value
        for name, frame in frames.items()
        for key, value in cells_of(VERIFIED[name], frame).items()
    }


def ask_model(asked: Asked) -> ModelVerification:
    return ask_verification(asked.study, asked.facet, VerificationQuestion(max(asked.levels)))


def tell_model(found: ModelVerification) -> Said:
    return Said(
        cells_of_verified({name: found.table(name) for name in VERIFIED}),
        drop_marks(found.answer),
    )


def model_by_number(found: ModelVerification, _: Asked) -> Said:
    return tell_model(replace(found, labels=replace(found.labels, names={})))


def model_by_command(found: ModelVerification, asked: Asked) -> Said:
    names = name_levels(asked, asked.facet)
    return tell_model(replace(found, labels=replace(found.labels, names=names)))


def model_on_page(asked: Asked) -> Said:
    """The page's sentences and notes, and the tables that it shows as such."""
    at = draw_page(asked.store, "verification", asked.organiser, asked.collection)
    found = ask_model(asked)
    said = "\n".join(one.value for one in [*at.markdown, *at.info])
    for one in (
        found.answer,
        found.tell_chances(),
        found.consistency_answer,
        found.mutual_answer,
    ):
        assert plain_with_facts(one) in said
    for note in found.notes:
        assert note[1:] in said.replace("\\", "")
    shown = [one.value for one in at.dataframe]
    (weights,) = (one for one in shown if "observed" in one)
    (mutual,) = (one for one in shown if {"topics", "sd"} <= {*one})
    (repeats,) = (one for one in shown if "within" in one)
    # Levels go by their names there, and whom a label is compared with by words.
    frames = {
        "weights": weights.assign(level=found.weights["level"].reindex(weights.index)),
        "mutual": mutual,
        "repeats": repeats.assign(**found.repeats[["within", "level"]]),
    }
    return Said(cells_of_verified(frames), drop_marks(found.answer), some=True)


def model_by_python(asked: Asked) -> Said:
    found = dissent.verify(
        read_labels_of(asked), max(asked.levels), facet=asked.facet, levels=asked.levels
    )
    return tell_model(found)


def verify_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    client = DescribedClient(open_client(), asked.token)
    labels = asked.folder / "exported.csv"
    labels.write_bytes(client.ask("readFile", collection=asked.collection, kind="labels"))
    words = ["verify", str(labels), "--top", str(max(asked.levels)), "--facet", asked.facet]
    words += ["--mutual", "--consistency", "--format", form]
    words += ["--scale", f"{asked.facet}={write_scale(scales_of(asked.study)[asked.facet])}"]
    capsys.readouterr()
    assert main(words) == 0
    return capsys.readouterr().out


def model_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    content = json.loads(verify_by_command(asked, capsys, "json"))
    frames = {
        "chances": content["p"],
        "weights": content["weights"],
        "mutual": content["mutual"]["measures"],
        "repeats": content["consistency"]["p"],
    }
    for one in (*content["p"], *content["weights"], *content["mutual"]["measures"]):
        assert one["interval"]["of"].endswith(f"over {one['interval']['unit']}s like these")
    numbered = {name: pd.DataFrame(rows).fillna(np.nan) for name, rows in frames.items()}
    return Said(cells_of_verified(numbered), content["answer"])


def model_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(verify_by_command(asked, capsys, "csv")))
    frames = {name: frame[frame["table"] == name] for name in VERIFIED}
    return Said(cells_of_verified(frames))


def model_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, verify_by_command(asked, capsys, "table").splitlines()[0])


Door = Callable[..., Said]
DOORS: Mapping[type[Report], Mapping[str, tuple[Door, Callable[..., Said] | None]]] = {
    LevelWeights: {
        "page": (weights_on_page, None),
        "Python": (weights_by_python, by_number),
        "JSON": (in_json(LEVELS, OF_FACET), name_by_command),
        "CSV": (in_csv(LEVELS, OF_FACET), None),
        "terminal": (in_terminal(LEVELS, OF_FACET), name_by_command),
        "bundle": (weights_in_bundle, None),
        "paper": (weights_in_paper, None),
    },
    CombinedWeights: {
        "page": (pairs_on_page, None),
        "Python": (pairs_by_python, by_number),
        "JSON": (in_json(PAIRS, OF_BOTH), name_by_command),
        "CSV": (in_csv(PAIRS, OF_BOTH), None),
        "terminal": (in_terminal(PAIRS, OF_BOTH), name_by_command),
    },
    ModelVerification: {
        "page": (model_on_page, None),
        "Python": (model_by_python, model_by_number),
        "JSON": (model_in_json, model_by_command),
        "CSV": (model_in_csv, None),
        "terminal": (model_in_terminal, model_by_command),
    },
}
"""By report: each door, and what the report says with the names that this door knows."""

ASKING: Mapping[type[Report], tuple[Callable[[Asked], Report], Callable[..., Said]]] = {
    LevelWeights: (ask_levels, partial(told, LEVELS)),
    CombinedWeights: (ask_pairs, partial(told, PAIRS)),
    ModelVerification: (ask_model, tell_model),
}
EVERY = [(report, door) for report, doors in DOORS.items() for door in doors]
PRINTING = {"JSON", "CSV", "terminal"}


def test_every_report_here_has_doors():
    assert set(DOORS) == set(ASKING) == set(REPORTS)


@pytest.fixture(scope="module")
def both_facets_store(blank_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """Snippets and pages by the same two or three people, some twice; no page has the level 1.

    It declares other users than are usual.
    """
    folder = tmp_path_factory.mktemp("both-facets")
    store = Store(Path(shutil.copy(blank_store, folder)))
    here = create_collection(store, "Made up")
    rows = ["assessor\ttopic\tdocument\tlevel\tfacet\tengine\toccasion"]
    for topic in range(TOPICS):
        for who in (0, 1, 2)[: 2 + topic % 2]:
            for item in range(12):
                level = level_of(who, topic, item)
                place = f"a{who}\tt{topic}\td{item}"
                rows.append(f"{place}\t{0 if level == 1 else level}\tpage\t\t0")
                rows.append(f"{place}\t{level_of(who, topic + 1, item)}\tsnippet\te\t0")
                if item < 2:
                    rows.append(f"{place}\t{3 * (topic % 2)}\tpage\t\t1")
    source = Source("labels.tsv", "\n".join(rows).encode())
    scales = get_scales(store, here)
    topics = "\n".join(["id\tquery", *(f"t{topic}\tquery {topic}" for topic in range(TOPICS))])
    write_import(store, here, read_import("topics", Source("topics.tsv", topics.encode())))
    write_import(store, here, read_import("labels", source, scales=scales))
    asked = make_asked(store, here, folder)
    declare(Study(store, here, is_masked=False), {"users": 5, "at_least": 2})
    store.close()
    return asked


@pytest.fixture
def both_facets(both_facets_store: Asked, tmp_path: Path) -> Iterator[Asked]:
    with serve_copy(both_facets_store.store.path, tmp_path) as store:
        yield replace(both_facets_store, store=store, folder=tmp_path)


def ask(report: type[Report], door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    found, _ = DOORS[report][door]
    return found(asked, capsys) if door in PRINTING else found(asked)


def expect(report: type[Report], door: str, asked: Asked) -> Said:
    (make, tell), (_, name) = ASKING[report], DOORS[report][door]
    return name(make(asked), asked) if name else tell(make(asked))


@pytest.mark.parametrize(("report", "door"), EVERY)
def test_weights_are_the_same_through_every_door(
    report: type[Report], door: str, both_facets: Asked, capsys: pytest.CaptureFixture[str]
):
    assert ask_levels(both_facets).model == UserModel(3, 5, 2)
    compare(ask(report, door, both_facets, capsys), expect(report, door, both_facets))


@long
@pytest.mark.parametrize(("report", "door"), EVERY)
def test_weights_of_the_demo_are_the_same_through_every_door(
    report: type[Report], door: str, demo: str, store: Store, tmp_path: Path, capsys
):
    asked = make_asked(store, demo, tmp_path)
    compare(ask(report, door, asked, capsys), expect(report, door, asked))


def test_another_number_of_labels_is_seen(both_facets: Asked, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("core.api.calls.assessors.VerificationQuestion", always_two)
    with pytest.raises(AssertionError):
        compare(model_by_python(both_facets), model_by_number(ask_model(both_facets), both_facets))


def always_two(top: int, group_by: str, min_labels: int | None, repeats: int) -> object:
    return VerificationQuestion(top, group_by, 2, repeats)


OWN_DEFAULTS: dict[str, tuple[str, Callable[..., object]]] = {
    "the levels that occur": (
        "read_levels",
        lambda labels, facet, levels: read_levels(labels, facet, None),
    ),
    "another N": (
        "UserModel",
        lambda top, users, *others: UserModel(top, users + 1, *others),
    ),
    "every pair of labels counts alike": (
        "UserModel",
        lambda top, users, at_least, weighting, *others: UserModel(
            top, users, at_least, "pairs", *others
        ),
    ),
}


@pytest.mark.parametrize("default", OWN_DEFAULTS)
def test_a_door_with_a_default_of_its_own_is_seen(
    default: str, both_facets: Asked, monkeypatch: pytest.MonkeyPatch
):
    name, own = OWN_DEFAULTS[default]
    compare(weights_by_python(both_facets), by_number(ask_levels(both_facets), both_facets))
    monkeypatch.setattr(f"core.api.calls.agreement.{name}", own)
    with pytest.raises((AssertionError, BadInput)):
        compare(weights_by_python(both_facets), by_number(ask_levels(both_facets), both_facets))
