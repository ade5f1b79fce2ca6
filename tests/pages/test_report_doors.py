"""Every report says the same through all of its doors: equal cells, and equal sentences.

A door is asked for a study in its own way, and returns what it says: numbers by what they are of.
Where doors print rounded numbers they are compared at that.
"""

import importlib
import io
import json
import pkgutil
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

import core.reports
import dissent
from core.agreement.base import name_coefficient
from core.analysis.agreement.between_assessors import ask_agreement
from core.analysis.base.labels import counted_levels
from core.analysis.base.study import Study, runs_of, scales_of
from core.analysis.results.declared import declared_test
from core.analysis.results.qrels_choices import find_choice
from core.analysis.results.version_scores import score_version
from core.api.calls.arguments import judgements_by_name
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.bundle.methods import mark_text
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_run
from core.collection.records import Scale
from core.command.main import main
from core.comparison.significance_test import SignificanceTest
from core.paper.tables import tabulate_agreement, tabulate_scores
from core.reports.agreement import Agreement, AgreementQuestion, FacetLabels, read_facet
from core.reports.compare import CompareQuestion, SystemComparison
from core.reports.report import Report
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.people.people import add_person
from core.store.people.tokens import make_token
from core.store.store import Store
from core.versions.judgements import Judgements
from core.wording import drop_marks, plain, plain_with_facts
from tests.core.api.made_up import TOPICS, write_study
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page, serve_copy
from tests.short import few, long

Cells = dict[tuple[str, ...], tuple[float, ...]]

VERSIONS = ("all, maximum", "all, minimum")
ERR = "ERR@10"
"""What systems are compared by: it depends on the highest level, whether it occurs or not."""

TEST = SignificanceTest(samples=100, seed=7)
"""With so few exchanges not all are made, and p depends on the seed."""


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
    compared: CompareQuestion = field(default_factory=lambda: CompareQuestion(TEST))

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
    captions = "\n".join(one.value for one in at.caption)
    assert all(plain(f"{note[:1].upper()}{note[1:]}.") in captions for note in found.notes)
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
        assert told["notes"] == [*ask_agreement(asked.study, asked.facet, asked.question).notes]
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
    return print_of(asked, capsys, ["agreement", str(labels), "--facet", asked.facet], form)


def print_of(
    asked: Asked,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    form: str,
    notes: Iterable[str] = (),
) -> str:
    """Return what a command prints, told the scale and the runs; these notes are beside it."""
    words += ["--scale", f"{asked.facet}={write_scale(scales_of(asked.study)[asked.facet])}"]
    words += ["--format", form]
    runs = asked.folder / "all.run"
    if not (frame := runs_of(asked.study)).empty:
        runs.write_bytes(write_run(frame))
        words += ["--run", str(runs)]
    capsys.readouterr()
    assert main(words) == 0
    printed = capsys.readouterr()
    assert {f"note: {one}" for one in notes} <= {*printed.err.splitlines()}
    return printed.out


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
    frame = pd.read_csv(
        io.StringIO(run_command(asked, capsys, "csv")), dtype={"topic_id": "str"}, low_memory=False
    )
    cells: Cells = {}
    for name, keys in KEYS.items():
        cells |= cells_of(name, frame[frame["table"] == name], *keys)
    return Said(cells)


def ask_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    first = run_command(asked, capsys, "table").splitlines()[0]
    return Said({}, first.removeprefix(f"{asked.facet}: "))


BUNDLES: dict[tuple[str, str], Mapping[str, bytes]] = {}
"""What is in the bundle of a study, which takes seconds to make."""


def read_bundled(asked: Asked, table: str) -> pd.DataFrame:
    """Return a table of the bundle of a study, with the versions of a facet."""
    key = asked.collection, asked.facet
    if key not in BUNDLES:
        choices = Choices(
            VERSIONS,
            labels=True,
            imported_labels=True,
            measures=[ERR],
            test=asked.compared.test,
        )
        BUNDLES[key] = read_archive(make_bundle(asked.study, choices).content, "bundle")
    return pd.read_csv(io.BytesIO(BUNDLES[key][f"tables/{table}.csv"]))


def ask_bundle(asked: Asked) -> Said:
    cells: Cells = {}
    for name, entry in (("overall", "agreement"), ("pairs", "agreement_pairs")):
        frame = read_bundled(asked, entry)
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


COMPARED = {
    "ranking": (("condition", "system"), ("value", "low", "high")),
    "pairs": (("condition", "first", "second"), ("difference", "low", "high", "p")),
    "orders": (("first", "second"), ("tau", "low", "high", "p")),
}
"""What rows of a comparison are of, and their numbers."""


def compared_cells(name: str, frame: pd.DataFrame, **named: str) -> Cells:
    """Return the numbers of each row that has them; ``named`` are columns by what they are here."""
    keys, values = COMPARED[name]
    frame = frame.rename(columns={found: own for own, found in named.items()})
    return {
        (name, *(str(row[key]) for key in keys)): tuple(
            float(row[one]) for one in values if one in frame
        )
        for row in frame.to_dict("records")
    }


def cells_of_comparison(found: SystemComparison) -> Cells:
    return {
        key: value
        for name in COMPARED
        for key, value in compared_cells(name, found.table(name)).items()
    }


def ask_comparison(asked: Asked) -> SystemComparison:
    choices = [find_choice(asked.study, name, asked.facet) for name in VERSIONS]
    scored = [score_version(asked.study, choice, ERR) for choice in choices]
    return SystemComparison(scored, asked.compared)


def begin_sentence(note: str) -> str:
    """Return a note as a sentence of its own."""
    return f"{note[:1].upper()}{note[1:]}."


def compare_report(asked: Asked) -> Said:
    """The report itself, of the store."""
    found = ask_comparison(asked)
    return Said(cells_of_comparison(found), drop_marks(found.answer))


def compare_on_page(asked: Asked) -> Said:
    """The page's answer and tables: of pairs those of the first version, p as it is written."""
    at = draw_page(
        asked.store,
        "comparison",
        asked.organiser,
        asked.collection,
        **{
            f"comparison-versions-{asked.facet}": list(VERSIONS),
            "comparison-one-measures": ERR,
            "comparison-samples": TEST.samples,
            "comparison-seed": TEST.seed,
            "comparison-all-pairs": True,
        },
    )
    report = ask_comparison(asked)
    answer = plain_with_facts(report.answer)
    assert answer in "\n".join(one.value for one in at.markdown)
    captions = {one.value for one in at.caption}
    assert {plain(begin_sentence(one)) for one in report.notes} <= captions
    frames = [one.value.drop(columns="p", errors="ignore") for one in at.dataframe]
    (wide,) = (one for one in frames if f"{VERSIONS[0]}: value" in one)
    (pairs,) = (one for one in frames if {"difference", "effect_size"} <= {*one})
    (orders,) = (one for one in frames if {"tau", "limit_reason"} <= {*one})
    means = {
        ("ranking", name, str(row["system"])): (float(row[f"{name}: value"]),)
        for row in wide.to_dict("records")
        for name in VERSIONS
    }
    cells = means | compared_cells("pairs", pairs) | compared_cells("orders", orders)
    return Said(cells, some=True)


def compare_on_orders(asked: Asked) -> Said:
    """The page of orders: means and τ, with what it says of them; its α is the declared one."""
    at = draw_page(
        asked.store,
        "ranking",
        asked.organiser,
        asked.collection,
        **{f"ranking-versions-{asked.facet}": list(VERSIONS), "ranking-measure": ERR},
    )
    usual = replace(asked, compared=CompareQuestion(declared_test(asked.study)))
    report = ask_comparison(usual)
    assert plain_with_facts(report.tell_orders()) in [one.value for one in at.markdown]
    captions = {one.value for one in at.caption}
    assert {plain(begin_sentence(one)) for one in report.notes} <= captions
    wide, _, orders = (one.value.drop(columns="p", errors="ignore") for one in at.dataframe)
    means = {
        ("ranking", name, str(row["system"])): (float(row[f"{name}: value"]),)
        for row in wide.to_dict("records")
        for name in VERSIONS
    }
    return Said(means | compared_cells("orders", orders))


def compare_by_rest(asked: Asked) -> Said:
    cells: Cells = {}
    client = DescribedClient(open_client(), asked.token)
    for name in COMPARED:
        told = client.ask(
            "readComparison",
            collection=asked.collection,
            facet=asked.facet,
            version=[*VERSIONS],
            measure=[ERR],
            permutations=TEST.samples,
            seed=TEST.seed,
            table=name,
        )
        cells |= compared_cells(name, pd.DataFrame(told["rows"]).fillna(np.nan))
        assert all(row["of"] for row in told["rows"])
        assert told["verdict"][0] == told["answer"]
        assert told["test"] == asked.compared.test.settings
    assert told["notes"] == [*ask_comparison(asked).notes]
    return Said(cells, told["answer"])


def compare_by_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        runs = there.runs(collection=asked.collection)
        qrels = {
            name: there.qrels(name, collection=asked.collection, facet=asked.facet)
            for name in VERSIONS
        }
    found = dissent.compare(runs, qrels, ERR, test=asked.compared.test)
    assert found.notes == ask_comparison(asked).notes
    return Said(cells_of_comparison(found), drop_marks(found.answer))


def compare_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    client = DescribedClient(open_client(), asked.token)
    words = ["compare", "--measure", ERR, "--permutations", str(TEST.samples)]
    words += ["--seed", str(TEST.seed), "--alpha", str(asked.compared.test.alpha), "--qrels"]
    for name in VERSIONS:
        asks = {"collection": asked.collection, "version": name, "facet": asked.facet}
        path = asked.folder / f"{name}.qrels"
        path.write_bytes(client.ask("readQrels", **asks))
        words.append(str(path))
    return print_of(asked, capsys, words, form, ask_comparison(asked).notes)


def compare_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(compare_by_command(asked, capsys, "json"))
    assert {*ask_comparison(asked).notes} <= {*told["notes"]}
    ranking = [
        {**one, "condition": version["condition"]}
        for version in told["rankings"]
        for one in version["systems"]
    ]
    cells = {
        **compared_cells("ranking", pd.DataFrame(ranking), value="mean"),
        **compared_cells("pairs", pd.DataFrame(told["pairs"]).fillna(np.nan)),
        **compared_cells("orders", pd.DataFrame(told["tau"]).fillna(np.nan), tau="value"),
    }
    assert all(one["interval"]["of"] for one in (*ranking, *told["pairs"], *told["tau"]))
    assert told["answer"] == told["verdict"][0]
    return Said(cells, told["answer"])


def compare_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(
        io.StringIO(compare_by_command(asked, capsys, "csv")),
        dtype={"topic_id": "str"},
        low_memory=False,
    )
    cells: Cells = {}
    for name in COMPARED:
        cells |= compared_cells(name, frame[frame["table"] == name])
    return Said(cells)


def compare_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    lines = compare_by_command(asked, capsys, "table").splitlines()
    return Said({}, next(one.removeprefix("- ") for one in lines if one.startswith("- ")))


def compare_in_bundle(asked: Asked) -> Said:
    ranking, pairs, orders = (
        read_bundled(asked, name) for name in ("ranking", "significance", "rank_correlation")
    )
    cells = {
        **compared_cells("ranking", ranking, condition="qrels"),
        **compared_cells("pairs", pairs, condition="qrels"),
        **compared_cells("orders", orders),
    }
    readme = BUNDLES[asked.collection, asked.facet]["README.md"].decode()
    told = (begin_sentence(f"{ERR}: {one}") for one in ask_comparison(asked).notes)
    assert {f"- {mark_text(one)}" for one in told} <= {*readme.splitlines()}
    return Said(cells, digits=4)


def compare_in_paper(asked: Asked) -> Said:
    """The tables of each version: means, and differences of every two systems."""
    cells: Cells = {}
    for name in VERSIONS:
        choice = find_choice(asked.study, name, asked.facet)
        scored = [score_version(asked.study, choice, ERR)]
        told = [begin_sentence(one) for one in SystemComparison(scored, asked.compared).notes]
        for table in tabulate_scores(asked.study, choice, [ERR], asked.compared.test):
            column = next(at for at, one in enumerate(table.header) if one.endswith(" [95 %]"))
            which = "pairs" if "difference" in table.header[column] else "ranking"
            assert which == "ranking" or {*told} <= {*table.notes}
            for row in table.rows:
                numbers = re.findall(r"[−-]?\d+\.\d+", row[column])
                cells[(which, name, *row[:column])] = tuple(map(number, numbers))
    return Said(cells, digits=3)


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
    },
    SystemComparison.name: {
        "page": compare_on_page,
        "page of orders": compare_on_orders,
        "REST": compare_by_rest,
        "Python": compare_by_python,
        "JSON": compare_in_json,
        "CSV": compare_in_csv,
        "terminal": compare_in_terminal,
        "bundle": compare_in_bundle,
        "paper": compare_in_paper,
    },
}
"""By report; those that take no coefficients are asked for what is suggested only."""

ASKING: dict[str, Callable[[Asked], Said]] = {
    Agreement.name: ask_report,
    SystemComparison.name: compare_report,
}
REPORTS = tuple(DOORS)
"""Those whose doors are here."""

EVERY = [(report, door) for report, doors in DOORS.items() for door in doors]
CHOOSING = {"REST", "Python"}
PRINTING = {"JSON", "CSV", "terminal"}


def list_reports() -> set[str]:
    """Return the names of all reports that a module has: examples in docstrings make others."""
    for module in pkgutil.iter_modules(core.reports.__path__, "core.reports."):
        importlib.import_module(module.name)
    return {
        one.name
        for one in Report.__subclasses__()
        if getattr(sys.modules[one.__module__], one.__name__, None) is one
        and one.__module__.startswith("core.")
    }


def test_every_report_is_in_a_test_of_doors():
    """In ``REPORTS`` of this module, or of one whose name begins with this one's."""
    here = Path(__file__)
    modules = [
        importlib.import_module(f"tests.pages.{path.stem}")
        for path in here.parent.glob(f"{here.stem}*.py")
    ]
    assert list_reports() == {
        getattr(one, "name", one) for module in modules for one in getattr(module, "REPORTS", ())
    }
    assert set(ASKING) == set(DOORS)


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


@pytest.fixture(scope="module")
def made_up_store(blank_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """A store to be copied: labels use three levels of a scale of four, never its highest."""
    folder = tmp_path_factory.mktemp("made-up")
    files = write_study(folder / "files")
    store = Store(Path(shutil.copy(blank_store, folder)))
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
    asked = make_asked(store, here, folder)
    assert len(asked.levels) == 4
    store.close()
    return asked


@pytest.fixture
def made_up(made_up_store: Asked, tmp_path: Path) -> Iterator[Asked]:
    with serve_copy(made_up_store.store.path, tmp_path) as store:
        yield replace(made_up_store, store=store, folder=tmp_path)


def ask(report: str, door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    found = DOORS[report][door]
    return found(asked, capsys) if door in PRINTING else found(asked)


@pytest.mark.parametrize(("report", "door"), EVERY)
def test_a_report_is_the_same_through_every_door(
    report: str, door: str, made_up: Asked, capsys: pytest.CaptureFixture[str]
):
    compare(ask(report, door, made_up, capsys), ASKING[report](made_up))


def test_what_few_topics_cannot_tell_is_among_what_the_doors_say(made_up: Asked):
    """Ten differences on eight topics: of limits, and of what is unseen."""
    notes = ask_comparison(made_up).notes
    limits = [one for one in notes if "limits of 10 differences at once, on 8 topics" in one]
    assert len(limits) == len(VERSIONS)
    assert len([one for one in notes if "may be unseen on 8 topics" in one]) == 1
    stepwise = replace(made_up, compared=CompareQuestion(replace(TEST, test="max-t")))
    assert not [one for one in ask_comparison(stepwise).notes if "at once" in one]


@pytest.mark.parametrize("door", sorted(CHOOSING))
def test_other_coefficients_are_the_same_through_every_door(
    door: str, made_up: Asked, capsys: pytest.CaptureFixture[str]
):
    asked = replace(made_up, question=AgreementQuestion(("alpha(ordinal)", "overlap>=2")))
    said, report = ask(Agreement.name, door, asked, capsys), ask_report(asked)
    assert set(said.cells) == set(report.cells)
    compare(said, report)


@long
@pytest.mark.parametrize(("report", "door"), EVERY)
@pytest.mark.parametrize("facet", ["page", "snippet"])
def test_a_report_of_the_demo_is_the_same_through_every_door(
    report: str, door: str, facet: str, demo: str, store: Store, tmp_path: Path, capsys
):
    asked = replace(make_asked(store, demo, tmp_path), facet=facet)
    if door.startswith("page") and facet == "snippet":
        pytest.skip("the page begins with pages")
    if (report, door, facet) == (SystemComparison.name, "bundle", "snippet"):
        pytest.skip("versions of pages go before those of snippets")
    compare(ask(report, door, asked, capsys), ASKING[report](asked))


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


def forget_scale(
    qrels: Mapping[str, pd.DataFrame], scale: Iterable[float] | None
) -> dict[str, Judgements]:
    """Take the levels that occur for the scale."""
    bare = {name: one.set_axis(one.columns, axis=1) for name, one in qrels.items()}
    for one in bare.values():
        one.attrs = {}
    return judgements_by_name(bare, scale)


COMPARED_DEFAULTS = {
    "the levels that occur": ("core.api.calls.evaluation.judgements_by_name", forget_scale),
    "systems are the sample": (
        "core.reports.compare.CompareQuestion",
        lambda test, unit, common: CompareQuestion(test, "system", common),
    ),
    "another seed": (
        "core.reports.compare.CompareQuestion",
        lambda test, *others: CompareQuestion(replace(test, seed=1), *others),
    ),
}


@pytest.mark.parametrize("default", COMPARED_DEFAULTS)
def test_a_comparison_with_a_default_of_its_own_is_seen(
    default: str, made_up: Asked, monkeypatch: pytest.MonkeyPatch
):
    name, own = COMPARED_DEFAULTS[default]
    monkeypatch.setattr(name, own)
    with pytest.raises(AssertionError):
        compare(compare_by_python(made_up), compare_report(made_up))


def expected_reciprocal_rank(levels: Iterable[int], highest: int) -> float:
    """ERR by its definition (Chapelle et al. 2009, equation 1), the gain of a level its number."""
    found, goes_on = 0.0, 1.0
    for rank, level in enumerate(levels, start=1):
        stops = level / (highest + 1)
        found += goes_on * stops / rank
        goes_on *= 1 - stops
    return found


@pytest.mark.parametrize("pair", few([("s4", "s0"), ("s2", "s1")]))
def test_a_difference_by_hand(made_up: Asked, made_up_store: Asked, pair: tuple[str, str]):
    """From the files: the higher of two levels, ERR on a scale up to 3, and scipy's paired t."""
    files = made_up_store.folder / "files"
    labels = pd.read_csv(files / "labels.tsv", sep="\t")
    highest = labels.groupby("document")["level"].max()
    assert highest.max() == 2
    names = ["topic", "q0", "document", "rank", "score", "system"]
    scores: dict[str, list[float]] = {}
    for system in pair:
        run = pd.read_csv(files / "runs" / f"{system}.run", sep=" ", names=names)
        top = run[run["rank"] <= 10].sort_values("rank")
        scores[system] = [
            expected_reciprocal_rank(highest[own["document"]], 3)
            for _, own in top.groupby("topic", sort=True)
        ]
        assert len(scores[system]) == TOPICS
    test = SignificanceTest("t", "none")
    asked = replace(made_up, compared=CompareQuestion(test))
    expected = ttest_rel(*scores.values())
    interval = expected.confidence_interval(0.95)
    said, report = compare_by_python(asked), compare_report(asked)
    compare(said, report)
    key = next(
        one for one in said.cells if one[:2] == ("pairs", VERSIONS[0]) and {*one[2:]} == {*pair}
    )
    turn = 1 if key[2:] == pair else -1
    difference, low, high, p = said.cells[key]
    assert p == pytest.approx(expected.pvalue, rel=1e-9)
    assert difference == pytest.approx(turn * np.subtract(*scores.values()).mean())
    assert sorted((turn * low, turn * high)) == pytest.approx([interval.low, interval.high])
