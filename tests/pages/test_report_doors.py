"""Every report says the same through all of its doors: equal cells, and equal sentences.

A door is asked for a study in its own way, and returns what it says: numbers by what they are of.
Where doors print rounded numbers they are compared at that.
"""

import importlib
import io
import json
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import core.reports
import dissent
from core.agreement.base import name_coefficient
from core.analysis.agreement.between_assessors import ask_agreement
from core.analysis.base.labels import counted_levels
from core.analysis.base.study import Study, runs_of, scales_of
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_run
from core.collection.records import Scale
from core.command.main import main
from core.paper.tables import tabulate_agreement
from core.reports.agreement import Agreement, AgreementQuestion, FacetLabels, read_facet
from core.reports.report import Report
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.people.people import add_person
from core.store.people.tokens import make_token
from core.store.store import Store
from core.wording import drop_marks, plain_with_facts
from tests.core.api.made_up import write_study
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page
from tests.short import long

Cells = dict[tuple[str, ...], tuple[float, ...]]


@dataclass(frozen=True)
class Said:
    """What a door said: numbers by what they are of, a sentence, and how many digits it prints.

    Tables are whole, unless it shows ``some`` rows of them only.
    """

    cells: Cells
    answer: str = ""
    digits: int = 12
    some: bool = False


@dataclass(frozen=True)
class Asked:
    """A study as doors find it, and one question about it."""

    store: Store
    collection: str
    organiser: str
    token: str
    folder: Path
    facet: str
    question: AgreementQuestion = field(default_factory=AgreementQuestion)

    @property
    def study(self) -> Study:
        return Study(self.store, self.collection, is_masked=True)

    @property
    def levels(self) -> list[int]:
        return list(counted_levels(scales_of(self.study)[self.facet]))


def cells_of(name: str, frame: pd.DataFrame, *keys: str) -> Cells:
    """Return value and limits of each row, by the table, the coefficient and what else it is of."""
    return {
        (name, str(row["coefficient"]), *(str(row[key]) for key in keys)): tuple(
            float(row[one]) for one in ("value", "low", "high")
        )
        for row in frame.to_dict("records")
    }


KEYS = {"overall": (), "pairs": ("first", "second"), "topics": ("topic_id", "first", "second")}


def ask_report(asked: Asked) -> Said:
    """The report itself, of the store."""
    found = ask_agreement(asked.study, asked.facet, asked.question)
    cells = {
        key: value
        for name, keys in KEYS.items()
        for key, value in cells_of(name, found.table(name), *keys).items()
    }
    return Said(cells, drop_marks(found.answer))


def ask_page(asked: Asked) -> Said:
    """The page's answer, and the three values above its table."""
    at = draw_page(asked.store, "agreement", asked.organiser, asked.collection)
    named = replace(asked.study, is_masked=False)  # an organiser sees names
    found = ask_agreement(named, asked.facet, asked.question)
    assert plain_with_facts(found.answer) in "\n".join(one.value for one in at.markdown)
    shown = {one.label: one.value for one in at.metric}
    names = {"Linear weighted κ, all pairs": "kappa(linear)", "Raw agreement, all pairs": "raw"}
    cells = {("overall", name): (number(shown[title]),) for title, name in names.items()}
    return Said(cells, digits=3, some=True)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def ask_rest(asked: Asked) -> Said:
    client = DescribedClient(open_client(), asked.token)
    cells: Cells = {}
    for name, keys in KEYS.items():
        told = client.ask(
            "readAgreement",
            collection=asked.collection,
            facet=asked.facet,
            table=name,
            **(
                {"coefficient": [*asked.question.coefficients]}
                if asked.question.coefficients
                else {}
            ),
        )
        cells |= cells_of(name, pd.DataFrame(told["rows"]).fillna(np.nan), *keys)
        assert told["notes"] == []
    return Said(cells, told["answer"])


def ask_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        labels, runs = (frame(collection=asked.collection) for frame in (there.labels, there.runs))
    found = dissent.agreement(
        labels,
        asked.question.coefficients,
        facet=asked.facet,
        levels=asked.levels,
        runs=None if runs.empty else runs,
    )
    cells = {
        key: value
        for name, keys in KEYS.items()
        for key, value in cells_of(name, found.table(name), *keys).items()
    }
    return Said(cells, drop_marks(found.answer))


def write_scale(scale: Scale) -> str:
    """Return a scale as the command takes it: names, each with that which it counts as."""
    names = {one.level: f"level {one.level}" for one in scale}
    return ",".join(f"{names[one.level]}={names[one.counts_as]}" for one in scale)


def run_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    """Run the command on what the store exports; returns what it prints."""
    client = DescribedClient(open_client(), asked.token)
    labels = asked.folder / "exported.csv"
    labels.write_bytes(client.ask("readFile", collection=asked.collection, kind="labels"))
    words = ["agreement", str(labels), "--facet", asked.facet, "--format", form]
    words += ["--scale", f"{asked.facet}={write_scale(scales_of(asked.study)[asked.facet])}"]
    runs = asked.folder / "all.run"
    if not (frame := runs_of(asked.study)).empty:
        runs.write_bytes(write_run(frame))
        words += ["--run", str(runs)]
    capsys.readouterr()
    assert main(words) == 0
    return capsys.readouterr().out


def ask_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(run_command(asked, capsys, "json"))
    pairs = [
        {**one, "first": pair["first"], "second": pair["second"]}
        for pair in told["pairs"]
        for one in pair["coefficients"]
    ]
    tables = {"overall": told["overall"], "pairs": pairs, "topics": told["topics"]}
    cells: Cells = {}
    for name, keys in KEYS.items():
        frame = pd.DataFrame(tables[name]).rename(columns={"name": "coefficient"})
        cells |= cells_of(name, frame.rename(columns={"topic": "topic_id"}), *keys)
    assert all(one["interval"]["of"] for one in told["overall"])
    (answer,) = told["answers"]
    return Said(cells, answer["answer"])


def ask_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(run_command(asked, capsys, "csv")))
    cells: Cells = {}
    for name, keys in KEYS.items():
        cells |= cells_of(name, frame[frame["table"] == name], *keys)
    return Said(cells)


def ask_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    first = run_command(asked, capsys, "table").splitlines()[0]
    return Said({}, first.removeprefix(f"{asked.facet}: "))


def ask_bundle(asked: Asked) -> Said:
    packed = make_bundle(asked.study, Choices(labels=True, imported_labels=True))
    entries = read_archive(packed.content, "bundle")
    cells: Cells = {}
    for name, entry in (("overall", "agreement"), ("pairs", "agreement_pairs")):
        frame = pd.read_csv(io.BytesIO(entries[f"tables/{entry}.csv"]))
        own = frame[frame["facet"] == asked.facet]
        cells |= cells_of(name, own, *KEYS[name])
    return Said(cells, digits=4)


def ask_paper(asked: Asked) -> Said:
    """The table of coefficients; one with names like others' in print is told apart there."""
    overall, _ = tabulate_agreement(asked.study, asked.facet)
    named = {name_coefficient(str(one)): str(one) for one in suggested(asked)}
    cells: Cells = {}
    for row in overall.rows:
        value = re.findall(r"[−-]?\d+\.\d+", row[overall.header.index("value [95 %]")])
        cells[("overall", named[row[0]])] = tuple(map(number, value))
    return Said(cells, digits=3)


def suggested(asked: Asked) -> list[str]:
    return (
        ask_agreement(asked.study, asked.facet, AgreementQuestion()).overall["coefficient"].tolist()
    )


Door = Callable[..., Said]
DOORS: dict[str, dict[str, Door]] = {
    Agreement.name: {
        "page": ask_page,
        "REST": ask_rest,
        "Python": ask_python,
        "JSON": ask_json,
        "CSV": ask_csv,
        "terminal": ask_terminal,
        "bundle": ask_bundle,
        "paper": ask_paper,
    }
}
"""By report; those that take no coefficients are asked for what is suggested only."""

CHOOSING = {"REST", "Python"}
PRINTING = {"JSON", "CSV", "terminal"}


def list_reports() -> set[str]:
    """Return the names of all reports that there are."""
    for module in pkgutil.iter_modules(core.reports.__path__, "core.reports."):
        importlib.import_module(module.name)
    return {one.name for one in Report.__subclasses__() if one.__module__.startswith("core.")}


def test_every_report_is_here():
    assert list_reports() == set(DOORS)


def compare(said: Said, report: Said) -> None:
    """Assert that a door says nothing else than the report, and something of it."""
    assert said.cells or said.answer
    tables = {key[0] for key in said.cells}
    assert said.some or set(said.cells) == {key for key in report.cells if key[0] in tables}
    most = 0.5001 * 10**-said.digits
    for key, value in said.cells.items():
        expected = report.cells[key][: len(value)]
        np.testing.assert_allclose(value, expected, rtol=0, atol=most, err_msg=str(key))
    if said.answer:
        assert said.answer == report.answer


def make_asked(store: Store, collection: str, folder: Path) -> Asked:
    organiser = add_person(store, "Olga", "organiser")
    token = make_token(store, organiser, "doors", ["read"])
    return Asked(store, collection, organiser, token, folder, "page")


@pytest.fixture
def made_up(store: Store, tmp_path: Path) -> Asked:
    """A study whose labels use three levels of a scale of four, as its highest is never given."""
    files = write_study(tmp_path / "files")
    here = create_collection(store, "Made up")
    labels = files / "labels.tsv"
    labels.write_text(re.sub(r"\t3$", "\t2", labels.read_text(), flags=re.MULTILINE))
    for kind, path in (
        ("topics", files / "topics.tsv"),
        ("labels", labels),
        *(("runs", one) for one in sorted((files / "runs").iterdir())),
    ):
        options = {"scales": get_scales(store, here)} if kind == "labels" else {}
        write_import(store, here, read_import(kind, Source(path.name, path), **options))
    asked = make_asked(store, here, tmp_path)
    assert len(asked.levels) == 4
    return asked


def ask(door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    found = DOORS[Agreement.name][door]
    return found(asked, capsys) if door in PRINTING else found(asked)


@pytest.mark.parametrize("door", DOORS[Agreement.name])
def test_agreement_is_the_same_through_every_door(
    door: str, made_up: Asked, capsys: pytest.CaptureFixture[str]
):
    compare(ask(door, made_up, capsys), ask_report(made_up))


@pytest.mark.parametrize("door", sorted(CHOOSING))
def test_other_coefficients_are_the_same_through_every_door(
    door: str, made_up: Asked, capsys: pytest.CaptureFixture[str]
):
    asked = replace(made_up, question=AgreementQuestion(("alpha(ordinal)", "overlap>=2")))
    said, report = ask(door, asked, capsys), ask_report(asked)
    assert set(said.cells) == set(report.cells)
    compare(said, report)


@long
@pytest.mark.parametrize("door", DOORS[Agreement.name])
@pytest.mark.parametrize("facet", ["page", "snippet"])
def test_agreement_of_the_demo_is_the_same_through_every_door(
    door: str, facet: str, demo: str, store: Store, tmp_path: Path, capsys
):
    asked = replace(make_asked(store, demo, tmp_path), facet=facet)
    if door == "page" and facet == "snippet":
        pytest.skip("the page begins with pages")
    compare(ask(door, asked, capsys), ask_report(asked))


OWN_DEFAULTS: dict[str, Callable[..., FacetLabels]] = {
    "the levels that occur": lambda labels, facet, levels, runs: read_facet(
        labels, facet, None, runs
    ),
    "no ranks": lambda labels, facet, levels, runs: read_facet(labels, facet, levels, None),
}


@pytest.mark.parametrize("default", OWN_DEFAULTS)
def test_a_door_with_a_default_of_its_own_is_seen(
    default: str, made_up: Asked, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("core.api.calls.agreement.read_facet", OWN_DEFAULTS[default])
    with pytest.raises(AssertionError):
        compare(ask_python(made_up), ask_report(made_up))
