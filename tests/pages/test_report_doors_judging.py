"""The doors of the report of whether enough is judged: see ``test_report_doors``."""

import io
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import dissent
from core.analysis.base.study import Study
from core.analysis.judging.enough import ask_enough
from core.analysis.judging.stop_proposal import (
    CAREFULLY,
    choose_version,
    find_proposal,
    rule_of,
    usual_question,
)
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.reports.enough import USUAL, Enough
from core.reports.report import Report
from core.stopping.stop_rule import StopRule
from core.store.content.imports import write_import
from core.store.content.saved_rules import set_stop_rule
from core.store.store import Store
from core.wording import drop_marks, plain_with_facts
from pages.judging.enough.enough import PART
from tests.core.api.made_up import TOPICS, write_study
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page, serve_copy
from tests.pages.test_report_doors import Asked, Said, compare, made_up_store, make_asked
from tests.pages.test_report_doors_others import (
    Rows,
    cells_of,
    cells_of_csv,
    cells_of_report,
    print_of,
    weights_of,
)
from tests.short import long

__all__ = ["made_up_store"]

LIMITS = ("tau", "low", "high", "best_stays")
TOLD: Rows = {
    "expected": (("best",), (*LIMITS, "judged", "items")),
    "topics": (("topic_id",), ("judged", "items", "lacking", "part")),
    "bounds": (("system",), ("today", "all_relevant", "lowest", "highest", "residual")),
    "history": (("judged",), ("share", *LIMITS)),
    "cost": (("what",), ("labels", "hours", "money")),
}
OF_FILES = ("expected", "topics", "bounds")
"""What can be told of qrels and runs alone."""


def find(study: Study) -> Enough:
    return ask_enough(study, choose_version(study, rule_of(study)), usual_question(study))


def say(found: Enough, *tables: str) -> Said:
    rows = {name: TOLD[name] for name in tables or TOLD}
    return Said(cells_of_report(rows, found), drop_marks(found.answer))


def ask_report(asked: Asked) -> Said:
    return say(find(asked.study))


def ask_page(asked: Asked) -> Said:
    """The page's answer and notes, and the table of costs, which it has of the others' figures."""
    at = draw_page(asked.store, "enough", asked.organiser, asked.collection, **{PART: "Cost"})
    found = find(replace(asked.study, is_masked=False))
    assert plain_with_facts(found.answer) in [one.value for one in at.markdown]
    assert plain_with_facts(found.tell_cost(found.question.price)) in [
        one.value for one in at.markdown
    ]
    captions = "\n".join(one.value for one in at.caption)
    assert all(plain_with_facts(note[1:]) in captions for note in found.notes)
    (cost,) = (one.value for one in at.dataframe if {"what", "labels"} <= {*one.value})
    return Said(cells_of(TOLD, "cost", cost))


def ask_overview(asked: Asked) -> Said:
    """What the overview finds, if it proposes to stop; elsewhere it says nothing of it."""
    study = replace(asked.study, is_masked=False)
    found, proposed = find(study), find_proposal(study)
    at = draw_page(asked.store, "monitor", asked.organiser, asked.collection)
    shown = "\n".join(one.value for one in at.markdown)
    assert bool(proposed) == found.proposes == ("Enough is judged" in shown)
    if proposed:
        assert proposed[0].what in shown
        answer = plain_with_facts(found.answer).removesuffix("\\.")
        assert proposed[0].what == f"{answer}; {CAREFULLY}"
    return Said({}, drop_marks(found.answer))


def ask_python(asked: Asked) -> Said:
    question = usual_question(asked.study)
    version = choose_version(asked.study, rule_of(asked.study)).name
    with served() as address:
        there = dissent.connect(address, asked.token)
        runs = there.runs(collection=asked.collection)
        qrels = there.qrels(version, collection=asked.collection)
    rule = question.rule
    limits = {"best_stays": rule.best_stays, "tau_low": rule.tau_low} if rule else {}
    found = dissent.enough(
        runs, qrels, question.measure, depth=question.depth, weights=weights_of(asked), **limits
    )
    return say(found, *OF_FILES)


def print_collection(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    place = str(asked.store.path)
    asked.store.close()
    words = ["enough", "--store", place, "--collection", asked.collection]
    return print_of(words, form, capsys)


def ask_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(print_collection(asked, capsys, "json"))
    cells = {
        key: value
        for name in TOLD
        for key, value in cells_of(TOLD, name, pd.DataFrame(told[name])).items()
    }
    assert all(one["interval"]["of"] for one in (*told["expected"], *told["history"]))
    return Said(cells, told["answer"])


def ask_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(print_collection(asked, capsys, "csv")))
    return Said(cells_of_csv(TOLD, frame.astype({"judged": "Int64"})))


def ask_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, print_collection(asked, capsys, "table").splitlines()[0])


DOORS: dict[str, Callable[..., Said]] = {
    "page": ask_page,
    "overview": ask_overview,
    "Python": ask_python,
    "JSON": ask_json,
    "CSV": ask_csv,
    "terminal": ask_terminal,
}
PRINTING = {"JSON", "CSV", "terminal"}
REPORTS: tuple[type[Report], ...] = (Enough,)


def ask(door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return DOORS[door](asked, capsys) if door in PRINTING else DOORS[door](asked)


RULE = StopRule(0.1, -0.5, "AP", 8)
"""It is met by what is judged in the made-up study."""


@pytest.fixture(scope="module")
def pooled_store(made_up_store: Asked, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """The made-up study with one run more, of whose documents nobody has judged the half."""
    folder = tmp_path_factory.mktemp("pooled")
    store = Store(Path(shutil.copy(made_up_store.store.path, folder)))
    lines = [
        f"t{topic} Q0 {f'new{topic}-{rank}' if rank % 2 else f't{topic}d{rank}'} {rank} {-rank} s9"
        for topic in range(TOPICS)
        for rank in range(1, 11)
    ]
    run = read_import("runs", Source("s9.run", "\n".join(lines).encode()))
    write_import(store, made_up_store.collection, run)
    store.close()
    return replace(made_up_store, store=store, folder=folder)


@pytest.fixture
def pooled(pooled_store: Asked, tmp_path: Path) -> Iterator[Asked]:
    with serve_copy(pooled_store.store.path, tmp_path) as store:
        yield replace(pooled_store, store=store, folder=tmp_path)


def set_rule(asked: Asked) -> None:
    set_stop_rule(asked.store, asked.collection, RULE.to_json())


def open_a_round(asked: Asked) -> None:
    """Set a rule that is met, and open a round that asks for two opinions more of some items."""
    set_rule(asked)
    files = asked.folder / "files"
    documents = write_study(files) / "documents.jsonl.gz"
    source = Source(documents.name, documents)
    write_import(asked.store, asked.collection, read_import("documents", source))
    plan = Plan(judges=2, depth=3, flow="page only")
    open_round(asked.store, asked.collection, plan)


def do_nothing(asked: Asked) -> None:
    """Leave the study without a rule and a round."""


STATES: dict[str, tuple[Callable[[Asked], None], str, tuple[str, ...]]] = {
    "usual": (do_nothing, "Not yet, by the usual rule", tuple(DOORS)),
    "a rule that is met": (set_rule, "Enough, by the rule", tuple(DOORS)),
    "a round": (open_a_round, "Not yet: ", tuple(one for one in DOORS if one != "Python")),
}
"""What is done to the study, how the answer begins, and the doors that can know of it."""


@pytest.mark.parametrize(
    ("state", "door"),
    [
        pytest.param(state, door, marks=[long] if state == "usual" or door == "CSV" else [])
        for state, (*_, doors) in STATES.items()
        for door in doors
    ],
)
def test_whether_it_is_enough_is_the_same_through_every_door(
    state: str, door: str, pooled: Asked, capsys: pytest.CaptureFixture[str]
):
    change, begins, _ = STATES[state]
    change(pooled)
    report = ask_report(pooled)
    assert report.answer.startswith(begins)
    assert all(any(key[0] == name for key in report.cells) for name in TOLD)
    compare(ask(door, pooled, capsys), report)


@long
@pytest.mark.parametrize("door", [one for one in DOORS if one != "Python"])
def test_of_the_demo_it_is_the_same_through_every_door(
    door: str, live_demo: str, store: Store, tmp_path: Path, capsys
):
    asked = make_asked(store, live_demo, tmp_path)
    report = ask_report(asked)
    assert report.answer.startswith("Not yet: 399 of 399 items")
    compare(ask(door, asked, capsys), report)


def test_a_door_with_a_default_of_its_own_is_seen(pooled: Asked, monkeypatch: pytest.MonkeyPatch):
    own = replace(USUAL, rule=StopRule())
    monkeypatch.setattr("core.api.calls.judging.USUAL", own)
    with pytest.raises(AssertionError):
        compare(ask_python(pooled), ask_report(pooled))


def test_a_command_with_a_default_of_its_own_is_seen(
    pooled: Asked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    report = ask_report(pooled)
    monkeypatch.setattr("core.command.enough.usual_question", lambda study: replace(USUAL, depth=3))
    with pytest.raises(AssertionError):
        compare(ask_json(pooled, capsys), report)
