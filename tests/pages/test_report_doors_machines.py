"""The doors of reports on machines beside people: see ``test_report_doors``."""

import io
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import dissent
from core.agreement.base import name_coefficient
from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study, scales_of
from core.analysis.machines.audit import audit_of
from core.analysis.machines.conclusions import (
    MachineQuestion,
    conclusions_of,
    estimation_of,
    list_people_versions,
    qrels_of,
)
from core.analysis.results.declared import declared_test, scored_runs_of
from core.api.calls.arguments import judgements_by_name
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.command.main import main
from core.errors import BadInput
from core.reports.conclusions import Conclusions
from core.reports.estimate import EstimateQuestion, Estimation
from core.reports.machines import MachineAudit
from core.reports.report import Report
from core.store.store import Store
from core.versions.judgements import Judgements
from core.wording import drop_marks, plain_with_facts
from tests.core.analysis.machines.conftest import build_judged
from tests.pages.conftest import draw_page, serve_copy
from tests.pages.parts import PARTS
from tests.pages.test_report_doors import (
    Asked,
    Cells,
    Said,
    compare,
    make_asked,
    print_of,
    write_scale,
)

REPORTS: tuple[type[Report], ...] = (Estimation, MachineAudit, Conclusions)
"""Those whose doors are here."""

ERR = "ERR@10"
"""It depends on the scale's highest level, whether that occurs or not."""

VERSION = "all, maximum"
"""How people's labels are combined."""

VALUES = ("value", "low", "high")
ENDS = ("", "_low", "_high")
KEYS = {"systems": ("system",), "differences": ("first", "second")}


def cells_of(name: str, frame: pd.DataFrame) -> Cells:
    return {
        (name, *(str(row[key]) for key in (*KEYS[name], "estimate"))): tuple(
            float(row[one]) for one in VALUES
        )
        for row in frame.to_dict("records")
    }


def study_of(asked: Asked) -> Study:
    """Return the study as organisers see it, with names."""
    return replace(asked.study, is_masked=False)


def question_of(asked: Asked) -> MachineQuestion:
    versions = list_people_versions(study_of(asked), asked.facet)
    people = next(one for one in versions.values() if one.name == VERSION)
    return MachineQuestion(asked.facet, "llm", people, ERR)


def ask_estimate(asked: Asked) -> Estimation:
    return estimation_of(study_of(asked), question_of(asked), False)


def tell_estimate(found: Estimation) -> Said:
    cells = {
        key: value for name in KEYS for key, value in cells_of(name, found.table(name)).items()
    }
    return Said(cells, drop_marks(found.answer))


def estimate_on_page(asked: Asked) -> Said:
    """The page's answer and notes, and its table of differences."""
    at = draw_machines(asked, 3)
    found = ask_estimate(asked)
    assert plain_with_facts(found.answer) in "\n".join(one.value for one in at.markdown)
    for note in found.notes:
        assert any(note[1:] in one.value.replace("\\", "") for one in at.caption)
    (rows,) = (one.value for one in at.dataframe if {"first", "ppi: value"} <= {*one.value})
    parts = [
        rows.rename(columns={f"{way}: value{end}": end[1:] or "value" for end in ENDS}).assign(
            estimate=way
        )
        for way in ("classical", "ppi")
    ]
    told = pd.concat(parts, ignore_index=True)
    return Said(cells_of("differences", told), drop_marks(found.answer), some=True)


def estimate_by_python(asked: Asked) -> Said:
    people, machine = qrels_of(study_of(asked), question_of(asked))
    runs = scored_runs_of(asked.study)
    scale = [float(one) for one in asked.levels]
    return tell_estimate(dissent.estimate(runs, people.frame, machine, ERR, scale=scale))


def estimate_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    people, machine = qrels_of(study_of(asked), question_of(asked))
    words = ["estimate", "--measure", ERR]
    for name, frame in (("human", people.frame), ("machine", machine)):
        path = asked.folder / f"{name}.qrels"
        path.write_bytes(write_qrels(frame))
        words += [f"--{name}", str(path)]
    return print_of(asked, capsys, words, form)


def estimate_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    content = json.loads(estimate_by_command(asked, capsys, "json"))
    cells: Cells = {}
    for name, keys in KEYS.items():
        rows = [
            {**{key: one[key] for key in keys}, "estimate": way, **one[way]}
            for one in content[name]
            for way in content["estimates"]
        ]
        assert all(one["interval"]["of"] for one in rows)
        cells |= cells_of(name, pd.DataFrame(rows).fillna(np.nan))
    assert content["notes"]
    return Said(cells, content["answer"])


def estimate_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(estimate_by_command(asked, capsys, "csv")))
    cells: Cells = {}
    for name in KEYS:
        cells |= cells_of(name, frame[frame["table"] == name])
    return Said(cells)


def estimate_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, estimate_by_command(asked, capsys, "table").splitlines()[0])


AUDITED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pairs": (("person", "coefficient"), VALUES),
    "differences": (("coefficient",), ("difference", "low", "high")),
    "topics": (("person", "topic_id"), VALUES),
    "near": (("level",), VALUES),
}
"""What rows of tables are of, and their numbers: of one machine."""


def audited_cells(name: str, frame: pd.DataFrame) -> Cells:
    keys, values = AUDITED[name]
    return {
        (name, *(write_key(row[key]) for key in keys)): tuple(float(row[one]) for one in values)
        for row in frame.to_dict("records")
    }


def write_key(key: object) -> str:
    return f"{key:g}" if isinstance(key, float) else str(key)


def ask_audit(asked: Asked) -> MachineAudit:
    return audit_of(study_of(asked), asked.facet, "llm")


def tell_audit(found: MachineAudit) -> Said:
    cells: Cells = {}
    for name in AUDITED:
        cells |= audited_cells(name, found.table(name))
    return Said(cells, drop_marks(found.answer))


def draw_machines(asked: Asked, part: int) -> AppTest:
    key, titles = PARTS["machines"]
    chosen = {
        key: titles[part],
        "machines-machine": "llm",
        "machines-measure": ERR,
        f"machines-people-{asked.facet}": VERSION,
    }
    return draw_page(asked.store, "machines", asked.organiser, asked.collection, **chosen)


def audit_on_page(asked: Asked) -> Said:
    """The page's answers, of agreement and of conclusions, and its tables."""
    at = draw_machines(asked, 0)
    found, drawn = ask_audit(asked), ask_conclusions(asked)
    said = "\n".join(one.value for one in at.markdown)
    assert f"{plain_with_facts(found.answer)} {plain_with_facts(drawn.answer)}" in said
    assert found.sampling in said
    shown = [one.value for one in at.dataframe]
    (differences,) = (one for one in shown if {"people_value", "difference"} <= {*one})
    (topics,) = (one for one in shown if "counted" in one and "topic_id" in one)
    (near,) = (one for one in shown if "cases" in one and "level" in one)
    called = {name_coefficient(one): one for one in found.differences["coefficient"]}
    differences = differences.assign(coefficient=differences["coefficient"].map(called))
    levels = dict(zip(near["level"], found.near["level"], strict=True))
    near = near.assign(level=near["level"].map(levels))
    named = {"differences": differences, "topics": topics, "near": near}
    cells: Cells = {}
    for name, frame in named.items():
        cells |= audited_cells(name, frame)
    return Said(cells, drop_marks(found.answer))


def people_of(asked: Asked) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return people's labels, by name, and the machine's."""
    found = ask_audit(asked)
    return found.labels, found.machines[MACHINE]


MACHINE = "llm (machine)"


def audit_by_python(asked: Asked) -> Said:
    labels, machine = people_of(asked)
    found = dissent.machines(
        labels, {MACHINE: machine}, facet=asked.facet, levels=asked.levels, chosen="unknown"
    )
    return tell_audit(found)


def audit_by_command(
    asked: Asked, capsys: pytest.CaptureFixture[str], form: str, *more: str
) -> str:
    labels, machine = people_of(asked)
    rows = labels[labels["level"].notna() & (labels["facet"] == asked.facet)]
    rows = rows.astype({"level": "int64"})
    people, given = asked.folder / "people.tsv", asked.folder / "machine.qrels"
    names = ["assessor_id", "topic_id", "document_id", "level", "facet"]
    rows[names].to_csv(
        people, sep="\t", index=False, header=["assessor", "topic", "document", "level", "facet"]
    )
    kept = machine[machine["level"].notna()].astype({"level": "int64"})
    given.write_bytes(write_qrels(kept[["topic_id", "document_id", "level"]].assign(iteration="0")))
    words = ["machines", "--people", str(people), "--machine", f"{MACHINE}={given}"]
    scale = write_scale(scales_of(asked.study)[asked.facet])
    words += [*more, "--facet", asked.facet, "--scale", f"{asked.facet}={scale}"]
    words += ["--format", form]
    capsys.readouterr()
    assert main(words) == 0
    return capsys.readouterr().out


def audit_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    content = json.loads(audit_by_command(asked, capsys, "json"))
    pairs = [
        {"person": pair["person"], "coefficient": one["name"], **one}
        for pair in content["pairs"]
        for one in pair["coefficients"]
    ]
    named = {
        "pairs": pd.DataFrame(pairs),
        "differences": pd.DataFrame(content["differences"]).rename(columns={"name": "coefficient"}),
        "topics": pd.DataFrame(content["topics"]).rename(columns={"topic": "topic_id"}),
        "near": pd.DataFrame(content["near"]),
    }
    cells: Cells = {}
    for name, frame in named.items():
        assert all(one["of"] for one in frame["interval"])
        cells |= audited_cells(name, frame.fillna(np.nan))
    return Said(cells, content["answer"])


def audit_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    printed = io.StringIO(audit_by_command(asked, capsys, "csv"))
    frame = pd.read_csv(printed, dtype={"topic_id": "str"})
    cells: Cells = {}
    for name in AUDITED:
        cells |= audited_cells(name, frame[frame["table"] == name])
    return Said(cells)


def audit_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, audit_by_command(asked, capsys, "table").splitlines()[0])


def ask_conclusions(asked: Asked) -> Conclusions:
    return conclusions_of(study_of(asked), question_of(asked))


def concluded_cells(rankings: pd.DataFrame, gains: pd.DataFrame) -> Cells:
    """Return τ of the machine's order, and what systems gain."""
    tau = rankings[(rankings["source"] == MACHINE) & (rankings["coefficient"] == "tau")]
    return {
        ("rankings", MACHINE): tuple(float(tau.iloc[0][one]) for one in VALUES),
        **{
            ("gains", str(row["system"])): tuple(float(row[one]) for one in ("gain", "low", "high"))
            for row in gains.to_dict("records")
        },
    }


def tell_conclusions(found: Conclusions) -> Said:
    return Said(concluded_cells(found.rankings, found.gains), drop_marks(found.answer))


def conclusions_by_python(asked: Asked) -> Said:
    people, machine = qrels_of(study_of(asked), question_of(asked))
    scale = [float(one) for one in asked.levels]
    found = dissent.conclusions(
        scored_runs_of(asked.study),
        people.frame,
        {MACHINE: machine},
        ERR,
        scale=scale,
        significance=declared_test(asked.study),
    )
    return tell_conclusions(found)


def conclude_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    runs = asked.folder / "all.run"
    runs.write_bytes(write_run(scored_runs_of(asked.study)))
    more = ["--run", str(runs), "--measure", ERR, "--combine", VERSION.removeprefix("all, ")]
    more += ["--alpha", str(declared_test(asked.study).alpha)]
    if topics := declared_of(asked.study).topics:
        named = asked.folder / "topics.txt"
        named.write_text("\n".join(topics))
        more += ["--topics", str(named)]
    return audit_by_command(asked, capsys, form, *more)


def conclusions_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    content = json.loads(conclude_by_command(asked, capsys, "json"))
    rankings = pd.DataFrame(content["rankings"]).rename(columns={"tau": "value"})
    assert all(one["of"] for one in rankings["interval"])
    cells = concluded_cells(rankings.assign(coefficient="tau"), pd.DataFrame(content["gains"]))
    return Said(cells, content["conclusion"])


def conclusions_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(conclude_by_command(asked, capsys, "csv")))
    rankings, gains = (frame[frame["table"] == name] for name in ("rankings", "gains"))
    return Said(concluded_cells(rankings, gains))


def conclusions_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    lines = conclude_by_command(asked, capsys, "table").splitlines()
    return Said({}, next(one for one in lines if one.startswith(f"By {ERR}")))


def conclusions_on_page(asked: Asked) -> Said:
    """The page's answer, behind that on agreement."""
    at = draw_machines(asked, 2)
    found = ask_conclusions(asked)
    assert plain_with_facts(found.answer) in "\n".join(one.value for one in at.markdown)
    return Said({}, drop_marks(found.answer))


DOORS: dict[type[Report], dict[str, Callable[..., Said]]] = {
    Estimation: {
        "page": estimate_on_page,
        "Python": estimate_by_python,
        "JSON": estimate_in_json,
        "CSV": estimate_in_csv,
        "terminal": estimate_in_terminal,
    },
    MachineAudit: {
        "page": audit_on_page,
        "Python": audit_by_python,
        "JSON": audit_in_json,
        "CSV": audit_in_csv,
        "terminal": audit_in_terminal,
    },
    Conclusions: {
        "page": conclusions_on_page,
        "Python": conclusions_by_python,
        "JSON": conclusions_in_json,
        "CSV": conclusions_in_csv,
        "terminal": conclusions_in_terminal,
    },
}
ASKING: dict[type[Report], Callable[[Asked], Said]] = {
    Estimation: lambda asked: tell_estimate(ask_estimate(asked)),
    MachineAudit: lambda asked: tell_audit(ask_audit(asked)),
    Conclusions: lambda asked: tell_conclusions(ask_conclusions(asked)),
}
EVERY = [(report, door) for report, doors in DOORS.items() for door in doors]
PRINTING = {"JSON", "CSV", "terminal"}


def test_every_report_here_has_doors():
    assert set(DOORS) == set(ASKING) == set(REPORTS)


@pytest.fixture(scope="module")
def judged_twice_store(blank_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """A store to be copied, in which three people and machines have judged."""
    folder = tmp_path_factory.mktemp("judged-twice")
    store = Store(Path(shutil.copy(blank_store, folder)))
    asked = make_asked(store, build_judged(store), folder)
    store.close()
    return asked


@pytest.fixture
def judged_twice(judged_twice_store: Asked, tmp_path: Path) -> Iterator[Asked]:
    with serve_copy(judged_twice_store.store.path, tmp_path) as store:
        yield replace(judged_twice_store, store=store, folder=tmp_path)


def ask(report: type[Report], door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    found = DOORS[report][door]
    return found(asked, capsys) if door in PRINTING else found(asked)


@pytest.mark.parametrize(("report", "door"), EVERY)
def test_what_machines_say_is_the_same_through_every_door(
    report: type[Report], door: str, judged_twice: Asked, capsys: pytest.CaptureFixture[str]
):
    compare(ask(report, door, judged_twice, capsys), ASKING[report](judged_twice))


def test_an_estimate_with_a_default_of_its_own_is_seen(
    judged_twice: Asked, monkeypatch: pytest.MonkeyPatch
):
    own = "core.api.calls.machines.EstimateQuestion"
    monkeypatch.setattr(own, lambda finite, *others: EstimateQuestion(True, *others))
    with pytest.raises(AssertionError):
        compare(estimate_by_python(judged_twice), tell_estimate(ask_estimate(judged_twice)))


def test_an_audit_on_the_levels_that_occur_is_seen(
    judged_twice: Asked, monkeypatch: pytest.MonkeyPatch
):
    def forget_scale(
        labels: pd.DataFrame, machines: object, facet: str, *_: object
    ) -> MachineAudit:
        return MachineAudit(labels, machines, facet, [0, 1, 2])

    monkeypatch.setattr("core.api.calls.machines.MachineAudit", forget_scale)
    with pytest.raises((AssertionError, BadInput)):
        compare(audit_by_python(judged_twice), tell_audit(ask_audit(judged_twice)))


def test_conclusions_on_another_scale_are_seen(
    judged_twice: Asked, monkeypatch: pytest.MonkeyPatch
):
    def forget_scale(qrels: dict[str, pd.DataFrame], scale: object) -> dict[str, Judgements]:
        return judgements_by_name(qrels, [0.0, 1.0, 2.0, 3.0, 4.0])

    monkeypatch.setattr("core.api.calls.machines.judgements_by_name", forget_scale)
    with pytest.raises(AssertionError):
        compare(
            conclusions_by_python(judged_twice), tell_conclusions(ask_conclusions(judged_twice))
        )
