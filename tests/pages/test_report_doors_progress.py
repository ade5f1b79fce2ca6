"""The doors of the report of how far a round is: see ``test_report_doors``."""

import io
import json
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import dissent
from core.analysis.judging import progress as gathering
from core.analysis.judging.progress import ask_progress
from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.reports.progress import Progress, ProgressQuestion
from core.store.content.imports import write_import
from core.store.events.labels import LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.pseudonyms import assessor_codes
from core.store.rounds.rounds import list_rounds
from core.store.store import Store, utc_now
from core.wording import drop_marks, plain_with_facts
from tests.core.api.made_up import write_study
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page, serve_copy
from tests.pages.test_report_doors import Asked, Said, compare, made_up_store, make_asked
from tests.pages.test_report_doors_others import (
    Rows,
    cells_of,
    cells_of_csv,
    print_of,
)
from tests.short import long

__all__ = ["made_up_store"]

PLACES = ("places", "finished", "taken", "open")
TOLD: Rows = {
    "topics": (
        ("topic_id",),
        ("progress", "judged", "required", "complete", "items", "at_k", *PLACES[1:], "labels",
         "imported", "assessors", "cannot_judge"),
    ),
    "people": (("assessor_id",), ("judged", "left", *PLACES, "labels", "topics", "cannot_judge")),
    "rounds": (("round",), ("share", "finished", "taken", "reserved", "free")),
    "items": (("facet", "assessors"), ("items",)),
    "course": (("time",), ("judged",)),
    "ahead": (("time",), ("value", "low", "high", "units")),
    "end": ((), ("left", "units")),
}  # fmt: skip


def name_times(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose times are the same text wherever they come from."""
    if "time" not in frame or frame.empty:
        return frame
    times = pd.to_datetime(frame["time"], format="ISO8601", utc=True).dt.tz_localize(None)
    return frame.assign(time=times.dt.strftime("%Y-%m-%dT%H:%M:%S"))


def say(found: Progress) -> Said:
    cells = {
        key: value
        for name in TOLD
        for key, value in cells_of(TOLD, name, name_times(found.table(name))).items()
    }
    return Said(cells, drop_marks(found.answer))


def ask_report(asked: Asked) -> Said:
    return say(ask_progress(asked.study))


def code(asked: Asked, table: pd.DataFrame) -> pd.DataFrame:
    codes = assessor_codes(asked.store, asked.collection, table["assessor_id"].tolist())
    return table.assign(assessor_id=table["assessor_id"].map(codes))


def ask_page(asked: Asked) -> Said:
    """The overview's sentence and tables; there people are by id, here by code."""
    at = draw_page(asked.store, "monitor", asked.organiser, asked.collection)
    found = ask_progress(asked.study)
    assert plain_with_facts(found.answer) in [one.value for one in at.markdown]
    (topics,) = (one.value for one in at.dataframe if "required" in one.value)
    (people,) = (one.value for one in at.dataframe if "left" in one.value)
    cells = cells_of(TOLD, "topics", topics) | cells_of(TOLD, "people", code(asked, people))
    return Said(cells, drop_marks(found.answer))


def ask_rounds(asked: Asked) -> Said:
    """The page of rounds: a sentence for each that is open, and their places."""
    at = draw_page(asked.store, "assignments", asked.organiser, asked.collection)
    found = ask_progress(asked.study)
    shown = "\n".join(one.value for one in at.markdown)
    for rules in list_rounds(asked.store, asked.collection):
        said = plain_with_facts(found.say_places(rules.round_id))
        assert (said in shown) == (rules.closed_at is None)
    (table,) = (one.value for one in at.dataframe if "reserved" in one.value)
    return Said(cells_of(TOLD, "rounds", table, free="open"))


def ask_matrix(asked: Asked) -> Said:
    """The page of topics × people: how many places and judgements of the round."""
    at = draw_page(asked.store, "matrix", asked.organiser, asked.collection)
    found = ask_progress(asked.study)
    said = f"{found.say_places(found.rules.round_id, with_states=True)}; {found.say_judged()}."
    assert plain_with_facts(said) in "\n".join(one.value for one in at.markdown)
    return Said({}, drop_marks(found.answer))


def ask_rest(asked: Asked) -> Said:
    client = DescribedClient(open_client(), asked.token)
    found = ask_progress(asked.study)
    told = client.ask("showRound", collection=asked.collection, round=found.rules.round_id)
    assert (told["judged"], told["required"]) == (found.judged, found.required)
    assert told["notes"] == [*found.notes]
    of_round = found.topics[found.topics["required"].notna()]
    assert {one["topic_id"] for one in told["topics"]} == {*of_round["topic_id"]}
    topics, people = (pd.DataFrame(told[name]) for name in ("topics", "people"))
    for name, rows, keys in (("topics", topics, "topic_id"), ("people", people, "assessor_id")):
        expected = found.table(name).set_index(keys)
        for column in {*rows} & {*TOLD[name][1]}:
            own = expected[column].loc[rows[keys]].astype("float64")
            assert own.tolist() == rows[column].astype("float64").tolist(), column
    (row,) = found.rounds[found.rounds["round_id"] == told["round"]].to_dict("records")
    assert [told[name] for name in PLACES] == [row[name] for name in PLACES]
    end = [] if told["end"] is None else [told["end"]]
    return Said(cells_of(TOLD, "end", pd.DataFrame(end)), told["answer"])


def ask_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        tables = {name: there.progress(asked.collection, table=name) for name in TOLD}
    cells = {
        key: value
        for name, table in tables.items()
        for key, value in cells_of(TOLD, name, name_times(table)).items()
    }
    return Said(cells)


def run_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    place = str(asked.store.path)
    asked.store.close()
    words = ["progress", "--store", place, "--collection", asked.collection]
    return print_of(words, form, capsys)


def ask_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(run_command(asked, capsys, "json"))
    cells = {
        key: value
        for name in TOLD
        for key, value in cells_of(TOLD, name, read_rows(told[name])).items()
    }
    assert all(one["interval"]["of"] for one in (*told["end"], *told["ahead"]))
    return Said(cells, told["answer"])


def read_rows(rows: list[dict[str, object]]) -> pd.DataFrame:
    """Return rows with how many units their limits rest on in a column."""
    frame = pd.DataFrame(rows)
    if "interval" in frame:
        frame = frame.assign(units=[one["n"] for one in frame["interval"]])
    return name_times(frame)


def ask_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(run_command(asked, capsys, "csv")), low_memory=False)
    return Said(cells_of_csv(TOLD, name_times(frame.astype({"assessors": "Int64"}))))


def ask_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, run_command(asked, capsys, "table").splitlines()[0])


DOORS: dict[str, Callable[..., Said]] = {
    "page": ask_page,
    "page of rounds": ask_rounds,
    "page of topics × people": ask_matrix,
    "REST": ask_rest,
    "Python": ask_python,
    "JSON": ask_json,
    "CSV": ask_csv,
    "terminal": ask_terminal,
}
PRINTING = {"JSON", "CSV", "terminal"}
REPORTS = (Progress,)


def ask(door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return DOORS[door](asked, capsys) if door in PRINTING else DOORS[door](asked)


@pytest.fixture(autouse=True)
def one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask all doors at the same time."""
    now = pd.Timestamp(utc_now()).floor("min") + pd.Timedelta(minutes=30)
    monkeypatch.setattr(gathering, "_find_minute", lambda _: now)


def judge(asked: Asked, person: str, most: int, *, finishes: bool) -> None:
    """Judge some of the next place of somebody, once without an answer."""
    mine = take_assignment(asked.store, asked.collection, person)
    assert mine is not None
    for at, step in enumerate(lay_out(asked.store, mine).steps[:most]):
        state, level = ("level", 1) if at else ("cannot judge", None)
        event = LabelEvent(str(uuid.uuid4()), None, step.key(person), state, level, 2000)
        asked.store.labels.append(asked.collection, [event])
    if finishes:
        finish_assignment(asked.store, mine)


@pytest.fixture(scope="module")
def rounds_store(made_up_store: Asked, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """The made-up study with a round that was closed, and one that is under way."""
    folder = tmp_path_factory.mktemp("rounds")
    with closing(Store(Path(shutil.copy(made_up_store.store.path, folder)))) as store:
        asked = replace(made_up_store, store=store, folder=folder)
        documents = write_study(folder / "files") / "documents.jsonl.gz"
        source = Source(documents.name, documents)
        write_import(store, asked.collection, read_import("documents", source))
        people = [add_person(store, name, "assessor") for name in ("Ann", "Ben")]
        for person, name in zip(people, ("Ann", "Ben"), strict=True):
            add_member(store, asked.collection, person, name)
        plan = Plan(name="Closed", judges=1, depth=2, flow="page only")
        closed = open_round(store, asked.collection, plan)
        judge(asked, people[0], 99, finishes=True)
        judge(asked, people[0], 1, finishes=False)
        close_round(store, closed, closed=True)
        plan = Plan(name="Open", judges=2, depth=3, flow="page only", assessors=tuple(people))
        open_round(store, asked.collection, plan)
        for person, most in zip(people, (99, 2), strict=True):
            judge(asked, person, most, finishes=most == 99)
        judge(asked, people[0], 12, finishes=False)
        return asked


@pytest.fixture
def in_rounds(rounds_store: Asked, tmp_path: Path) -> Iterator[Asked]:
    with serve_copy(rounds_store.store.path, tmp_path) as store:
        yield replace(rounds_store, store=store, folder=tmp_path)


@pytest.mark.parametrize("door", DOORS)
def test_how_far_a_round_is_is_the_same_through_every_door(
    door: str, in_rounds: Asked, capsys: pytest.CaptureFixture[str]
):
    report = ask_report(in_rounds)
    numbers = {key: value for key, value in report.cells.items() if key[0] == "rounds"}
    assert all(value[1] == 1 for value in numbers.values())
    compare(ask(door, in_rounds, capsys), report)


@pytest.mark.parametrize("door", ["JSON", "CSV", "terminal"])
def test_a_door_with_a_default_of_its_own_is_seen(
    door: str, in_rounds: Asked, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    report = ask_report(in_rounds)
    own = "core.command.progress.ProgressQuestion"
    monkeypatch.setattr(own, lambda _: ProgressQuestion("Closed"))
    with pytest.raises(AssertionError):
        compare(ask(door, in_rounds, capsys), report)


@long
@pytest.mark.parametrize("door", DOORS)
def test_how_far_the_demo_is_is_the_same_through_every_door(
    door: str, live_demo: str, store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    asked = make_asked(store, live_demo, tmp_path)
    report = ask_report(asked)
    assert any(key[0] == "ahead" for key in report.cells)
    compare(ask(door, asked, capsys), report)
