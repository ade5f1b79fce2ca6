"""The doors of the plans of opinions and of votes: see ``test_report_doors``."""

import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

import dissent
from core.analysis.base.study import scales_of
from core.analysis.judging.planning import plan_opinions_of, plan_votes_of
from core.reports.opinions import USUAL, OpinionPlan, OpinionQuestion
from core.reports.report import Report
from core.reports.votes import VotePlan, VoteQuestion
from core.store.store import Store
from core.wording import drop_marks, plain_with_facts
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page
from tests.pages.test_report_doors import (
    Asked,
    Cells,
    Said,
    compare,
    made_up_store,
    make_asked,
    write_scale,
)
from tests.pages.test_report_doors_others import (
    Rows,
    cells_of,
    cells_of_csv,
    cells_of_report,
    export,
    preferred,
    print_of,
    side_by_side,
)
from tests.short import long

__all__ = ["made_up_store", "preferred", "side_by_side"]

_ERRORS = ("mean", "mean_low", "mean_high", "difference", "low", "high")
TOLD: dict[str, Rows] = {
    OpinionPlan.name: {
        "components": (("facet",), ("variance", "share")),
        "equal_cost": (("opinions",), ("topics", "people", "labels", *_ERRORS)),
        "gains": (("step",), ("labels", *_ERRORS, "saved")),
        "learning": (("opinions", "topics"), ("labels", "error")),
        "next": (("topic_id",), ("items", "labels", "fewest", "error", "after", "saved")),
    },
    VotePlan.name: {
        "rules": (("rule",), ("votes", "error", "error_error", "bias", "bias_error", "swapped")),
        "learning": (("votes", "budget"), ("error",)),
        "shares": (("system",), ("share", "votes")),
        "next": (("first", "second"), ("votes", "share", "gap", "asked")),
    },
}
SHOWN = {
    OpinionPlan.name: ("Opinions", ("equal_cost", "gains", "components", "next")),
    VotePlan.name: ("Votes", ("rules", "next")),
}
"""The part of the page, and the tables that it shows, in order."""


def find_report(asked: Asked, name: str) -> Report:
    if name == VotePlan.name:
        return plan_votes_of(asked.study)
    return plan_opinions_of(asked.study, asked.facet, USUAL)


def ask_report(asked: Asked, name: str) -> Said:
    found = find_report(asked, name)
    return Said(cells_of_report(TOLD[name], found), drop_marks(found.answer))


def ask_page(asked: Asked, name: str) -> Said:
    part, tables = SHOWN[name]
    chosen = {"plan-part": part}
    at = draw_page(asked.store, "plan", asked.organiser, asked.collection, **chosen)
    answer = plain_with_facts(find_report(asked, name).answer)
    assert answer in [one.value for one in at.markdown]
    cells: Cells = {}
    for table, shown in zip(tables, at.dataframe, strict=True):
        cells |= cells_of(TOLD[name], table, shown.value)
    return Said(cells)


def ask_python(asked: Asked, name: str) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        if name == VotePlan.name:
            given = there.preferences(collection=asked.collection)
            found: Report = dissent.plan_votes(given)
        else:
            labels = there.labels(collection=asked.collection)
            found = dissent.plan_opinions(labels, facet=asked.facet)
    return Said(cells_of_report(TOLD[name], found), drop_marks(found.answer))


def print_plan(asked: Asked, name: str, capsys, form: str) -> str:
    if name == VotePlan.name:
        words = ["--votes", export(asked, "preferences", "exported.tsv")]
    else:
        scale = f"{asked.facet}={write_scale(scales_of(asked.study)[asked.facet])}"
        words = ["--labels", export(asked, "labels", "exported.csv"), "--scale", scale]
        words += ["--facet", asked.facet]
    return print_of(["plan", *words], form, capsys)


def ask_json(asked: Asked, name: str, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(print_plan(asked, name, capsys, "json"))
    own = told[name.split()[-1]]
    cells: Cells = {}
    for table in TOLD[name]:
        cells |= cells_of(TOLD[name], table, pd.DataFrame(own[table]), topic_id="topic")
    if name == OpinionPlan.name:
        assert all(one["interval"]["of"] for one in (*own["gains"], *own["equal_cost"]))
    notes = find_report(asked, name).notes
    assert {f"{name}: {note}" for note in notes} <= {*told["notes"]}
    (answer,) = (one["answer"] for one in told["answers"] if one["plan"] == name)
    return Said(cells, answer)


def ask_csv(asked: Asked, name: str, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(print_plan(asked, name, capsys, "csv")))
    keys = {key for of, _ in TOLD[name].values() for key in of} & {"opinions", "topics", "budget"}
    whole = dict.fromkeys([*keys, "votes"] if name == VotePlan.name else keys, "Int64")
    own = frame[frame["plan"] == name]
    cells: Cells = {}
    for table, (of, _) in TOLD[name].items():
        rows = own[own["table"] == table]
        kept = {one: kind for one, kind in whole.items() if one in of}
        cells |= cells_of_csv({table: TOLD[name][table]}, rows.astype(kept))
    return Said(cells)


def ask_terminal(asked: Asked, name: str, capsys: pytest.CaptureFixture[str]) -> Said:
    lines = print_plan(asked, name, capsys, "table").splitlines()
    answer = drop_marks(find_report(asked, name).answer)
    return Said({}, next(one for one in lines if one[:20] == answer[:20]))


Door = Callable[..., Said]
PRINTING: dict[str, Door] = {"JSON": ask_json, "CSV": ask_csv, "terminal": ask_terminal}
DOORS: dict[str, Door] = {"page": ask_page, "Python": ask_python, **PRINTING}
REPORTS: tuple[type[Report], ...] = (OpinionPlan, VotePlan)
"""Those whose doors are here."""

EVERY = [(name, door) for name in TOLD for door in DOORS]


def ask(name: str, door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    found = partial(DOORS[door], asked, name)
    return found(capsys) if door in PRINTING else found()


def test_every_report_has_doors():
    assert {one.name for one in REPORTS} == set(TOLD) == set(SHOWN)


@pytest.mark.parametrize(
    ("name", "door"),
    [
        pytest.param(name, door, marks=[long] if door in ("CSV", "terminal") else [])
        for name, door in EVERY
    ],
)
def test_they_are_the_same_through_every_door(
    name: str, door: str, preferred: Asked, capsys: pytest.CaptureFixture[str]
):
    compare(ask(name, door, preferred, capsys), ask_report(preferred, name))


def test_a_default_of_its_own_is_seen(preferred: Asked, monkeypatch: pytest.MonkeyPatch):
    own = "core.api.calls.judging."
    monkeypatch.setattr(f"{own}OpinionQuestion", lambda items, *others: OpinionQuestion(3, *others))
    monkeypatch.setattr(f"{own}VoteQuestion", lambda budget, draws, seed: VoteQuestion(12))
    for name in TOLD:
        with pytest.raises(AssertionError):
            compare(ask_python(preferred, name), ask_report(preferred, name))


@long
@pytest.mark.parametrize(("name", "door"), EVERY)
def test_they_are_the_same_of_the_demo(
    name: str, door: str, demo: str, store: Store, tmp_path: Path, capsys
):
    asked = make_asked(store, demo, tmp_path)
    compare(ask(name, door, asked, capsys), ask_report(asked, name))
