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

import dissent
from core.analysis.base.study import Study, runs_of
from core.analysis.machines.conclusions import MachineQuestion, list_people_versions, qrels_of
from core.analysis.machines.estimation import estimation_of
from core.collection.qrels_and_runs.trec import write_qrels
from core.reports.estimate import Estimation, estimate_scores
from core.reports.report import Report
from core.store.store import Store
from core.wording import drop_marks, plain_with_facts
from tests.core.analysis.machines.conftest import build_judged
from tests.pages.conftest import draw_page, serve_copy
from tests.pages.parts import PARTS
from tests.pages.test_report_doors import Asked, Cells, Said, compare, make_asked, print_of

REPORTS: tuple[type[Report], ...] = (Estimation,)
"""Those whose doors are here."""

ERR = "ERR@10"
"""It depends on the scale's highest level, whether that occurs or not."""

VALUES = ("value", "low", "high")
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
    people = list_people_versions(study_of(asked), "page")["all, maximum"]
    return MachineQuestion("page", "llm", people, ERR)


def ask_estimate(asked: Asked) -> Estimation:
    return estimation_of(study_of(asked), question_of(asked), False)


def tell_estimate(found: Estimation) -> Said:
    cells = {
        key: value for name in KEYS for key, value in cells_of(name, found.table(name)).items()
    }
    return Said(cells, drop_marks(found.answer))


def estimate_on_page(asked: Asked) -> Said:
    """The page's answer and notes, and its table of differences."""
    part, titles = PARTS["machines"]
    at = draw_page(
        asked.store,
        "machines",
        asked.organiser,
        asked.collection,
        **{
            part: titles[3],
            "machines-machine": "llm",
            "machines-measure": ERR,
            "machines-people-page": "all, maximum",
        },
    )
    found = ask_estimate(asked)
    assert plain_with_facts(found.answer) in "\n".join(one.value for one in at.markdown)
    for note in found.notes:
        assert any(note[1:] in one.value.replace("\\", "") for one in at.caption)
    (rows,) = (one.value for one in at.dataframe if {"first", "estimate"} <= {*one.value})
    return Said(cells_of("differences", rows), drop_marks(found.answer), some=True)


def estimate_by_python(asked: Asked) -> Said:
    people, machine = qrels_of(study_of(asked), question_of(asked))
    runs = runs_of(asked.study)
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


DOORS: dict[type[Report], dict[str, Callable[..., Said]]] = {
    Estimation: {
        "page": estimate_on_page,
        "Python": estimate_by_python,
        "JSON": estimate_in_json,
        "CSV": estimate_in_csv,
        "terminal": estimate_in_terminal,
    },
}
ASKING: dict[type[Report], Callable[[Asked], Said]] = {
    Estimation: lambda asked: tell_estimate(ask_estimate(asked)),
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


@pytest.mark.parametrize(("report", "door"), EVERY)
def test_what_machines_say_is_the_same_through_every_door(
    report: type[Report], door: str, judged_twice: Asked, capsys: pytest.CaptureFixture[str]
):
    found = DOORS[report][door]
    said = found(judged_twice, capsys) if door in PRINTING else found(judged_twice)
    compare(said, ASKING[report](judged_twice))


def test_an_estimate_with_a_default_of_its_own_is_seen(
    judged_twice: Asked, monkeypatch: pytest.MonkeyPatch
):
    def estimate_finitely(*given: object, **chosen: object) -> Estimation:
        return estimate_scores(*given, **{**chosen, "finite": True})

    monkeypatch.setattr("core.api.calls.estimation.estimate_scores", estimate_finitely)
    with pytest.raises(AssertionError):
        compare(estimate_by_python(judged_twice), tell_estimate(ask_estimate(judged_twice)))
