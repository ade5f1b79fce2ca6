"""The doors of the report of groups of assessors, and what none of them lets through."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import dissent
from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study, runs_of, scales_of
from core.analysis.collection.declaring import declare
from core.analysis.people.groups import ask_groups
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.collection.qrels_and_runs.trec import write_run
from core.command.main import main
from core.errors import NotFound, TooLittleData
from core.reports.groups import GroupRankings, GroupsQuestion
from core.store.people.members import list_members
from core.store.people.roster import RosterEntry, edit_roster
from core.wording import drop_marks, plain, plain_with_facts
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page, serve_copy
from tests.pages.test_report_doors import (
    Asked,
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
    name_weights,
    print_of,
    weights_of,
)
from tests.pages.test_report_doors_people import name_topics
from tests.short import long

__all__ = ["made_up_store"]

TWO = ("first", "second")
GROUPS: Rows = {
    "groups": (("group",), ("people", "labels", "items", "topics")),
    "orders": (TWO, ("tau", "dealt", "p", "topics")),
    "ranking": (("group", "system"), ("rank", "value", "low", "high")),
    "systems": ((*TWO, "system"), ("first_mean", "second_mean", "difference", "p")),
    "weights": (("group", "level"), ("cases", "p", "low", "high", "weight", "linear", "exp")),
    "levels": ((*TWO, "level"), ("first_weight", "second_weight", "difference", "p")),
}
MEASURE, VERSION = "AP", "all, minimum"
"""What the study declares: nothing of it is what doors begin with."""


def tell(found: GroupRankings) -> Said:
    return Said(cells_of_report(GROUPS, found), drop_marks(found.answer))


def ask_report(asked: Asked) -> Said:
    return tell(ask_groups(asked.study, asked.facet))


def ask_page(asked: Asked) -> Said:
    """The page's sentence and notes, and the ranking; there people are by name."""
    at = draw_page(
        asked.store, "assessors", asked.organiser, asked.collection,
        address={"assessors-part": "Groups"},
    )  # fmt: skip
    assert not at.exception
    found = ask_groups(replace(asked.study, is_masked=False), asked.facet)
    shown = "\n".join(one.value for one in at.markdown)
    assert plain_with_facts(found.answer) in shown
    captions = "\n".join(one.value for one in at.caption)
    assert all(plain(f"{note[:1].upper()}{note[1:]}.") in captions for note in found.notes)
    tables = [one.value for one in at.dataframe]
    cells = {}
    for name in ("systems", "levels"):
        keys, values = GROUPS[name]
        (table,) = (one for one in tables if {*TWO, values[0]} <= {*one} and keys[-1] in one)
        cells |= cells_of(GROUPS, name, table)
    return Said(cells, drop_marks(found.answer))


def ask_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        labels, runs = (one(collection=asked.collection) for one in (there.labels, there.runs))
    declared = declared_of(asked.study)
    found = dissent.groups(
        labels,
        runs,
        facet=asked.facet,
        levels=asked.levels,
        measure=MEASURE,
        version=VERSION,
        users=declared.users,
        at_least=declared.at_least,
        alpha=declared.alpha,
        topics=declared.topics,
        weights=weights_of(asked),
    )
    return tell(found)


def ask_api(asked: Asked) -> Said:
    client, cells, answer = DescribedClient(open_client(), asked.token), {}, ""
    for name in GROUPS:
        said = client.ask("readGroups", collection=asked.collection, table=name)
        cells |= cells_of(GROUPS, name, pd.DataFrame(said["rows"]))
        answer = said["answer"]
    return Said(cells, answer)


def print_groups(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    labels = export(asked, "labels", "exported.csv")
    scale = f"{asked.facet}={write_scale(scales_of(asked.study)[asked.facet])}"
    path = asked.folder / "exported.run"
    runs = runs_of(asked.study)
    parts = [write_run(own) for _, own in runs.groupby("system", observed=True)]
    path.write_bytes(b"".join(parts))
    words = ["groups", labels, "--run", str(path), "--facet", asked.facet, "--scale", scale]
    declared = declared_of(asked.study)
    words += ["--measure", MEASURE, "--version", VERSION, "--alpha", str(declared.alpha)]
    words += ["--users", str(declared.users), "--at-least", str(declared.at_least)]
    return print_of([*words, *name_topics(asked), *name_weights(asked)], form, capsys)


def ask_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(print_groups(asked, capsys, "json"))
    cells = {
        key: own
        for name in GROUPS
        for key, own in cells_of(GROUPS, name, pd.DataFrame(told[name])).items()
    }
    assert {one["interval"]["of"] for one in told["ranking"]} == {
        "mean score of this system by the labels of this group, over topics like these"
    }
    (answer,) = told["answers"]
    return Said(cells, answer["answer"])


def ask_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(print_groups(asked, capsys, "csv")))
    return Said(cells_of_csv(GROUPS, frame.astype({"level": "Int64"})))


def ask_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    first = print_groups(asked, capsys, "table").splitlines()[0]
    return Said({}, first.removeprefix(f"{asked.facet}: "))


REPORTS = (GroupRankings,)

DOORS: dict[str, Callable[..., Said]] = {
    "page": ask_page,
    "Python": ask_python,
    "API": ask_api,
    "JSON": ask_json,
    "CSV": ask_csv,
    "terminal": ask_terminal,
}
PRINTING = {"JSON", "CSV", "terminal"}


def ask(door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return DOORS[door](asked, capsys) if door in PRINTING else DOORS[door](asked)


def put_in_groups(asked: Asked) -> None:
    """Put every second assessor among the experts, and declare what nothing begins with."""
    members = sorted(list_members(asked.store, asked.collection)["assessor_id"])
    changes = {
        one: RosterEntry(("experts", "students")[number % 2]) for number, one in enumerate(members)
    }
    edit_roster(asked.store, asked.collection, changes)
    declare(asked.study, {"measure": MEASURE, "version": VERSION})


@pytest.fixture
def grouped(made_up_store: Asked, tmp_path: Path) -> Iterator[Asked]:
    with serve_copy(made_up_store.store.path, tmp_path) as store:
        asked = replace(made_up_store, store=store, folder=tmp_path)
        put_in_groups(asked)
        yield asked


@pytest.mark.parametrize("door", DOORS)
def test_groups_are_the_same_through_every_door(
    door: str, grouped: Asked, capsys: pytest.CaptureFixture[str]
):
    report = ask_report(grouped)
    assert {key[0] for key in report.cells} == set(GROUPS)
    compare(ask(door, grouped, capsys), report)


def test_a_door_with_a_default_of_its_own_is_seen(grouped: Asked, monkeypatch: pytest.MonkeyPatch):
    report = ask_report(grouped)
    monkeypatch.setattr(
        "core.api.calls.assessors.GroupsQuestion",
        lambda *given: GroupsQuestion(*given[:-1], seed=2),
    )
    with pytest.raises(AssertionError):
        compare(ask_python(grouped), report)


def read_bundle(study: Study, choices: Choices) -> str:
    entries = read_archive(make_bundle(study, choices).content, "study.zip")
    texts = [content for name, content in entries.items() if not name.endswith((".png", ".pdf"))]
    return b"".join(texts).decode(errors="replace")


ALL = Choices(labels=True, imported_labels=True)
BY = ({"groups": "Age"}, {"groups": "hobby", "personal": True})


@pytest.mark.parametrize(
    "declared", [pytest.param(BY[0], marks=long), BY[1]], ids=["by its name", "declared"]
)
def test_a_personal_attribute_comes_through_no_door(
    declared: dict[str, object], grouped: Asked, capsys: pytest.CaptureFixture[str]
):
    """Two groups of two: before, all doors tell them; then none does, and no file has them."""
    study = grouped.study
    assert "experts" in read_bundle(study, ALL)
    declare(study, declared)
    with pytest.raises(TooLittleData, match="is a personal attribute"):
        _ = ask_groups(study, grouped.facet).answer
    client = DescribedClient(open_client(), grouped.token)
    for table in GROUPS:
        answer = client.send("readGroups", collection=grouped.collection, table=table)
        assert answer.status_code >= 400
        assert "experts" not in answer.text
    at = draw_page(
        grouped.store, "assessors", grouped.organiser, grouped.collection,
        address={"assessors-part": "Groups"},
    )  # fmt: skip
    assert "is a personal attribute" in at.info[0].value
    assert not any("experts" in str(one.value) for one in (*at.markdown, *at.caption, *at.info))
    with served() as address:
        there = dissent.connect(address, grouped.token)
        for frame in (there.labels, there.assessors):
            assert set(frame(collection=grouped.collection)["group"]) == {""}
    path = Path(export(grouped, "labels", "exported.csv"))
    assert "experts" not in path.read_text()
    assert main(["groups", str(path)]) == 1
    assert "experts" not in capsys.readouterr().out
    assert "experts" not in read_bundle(study, ALL)
    with pytest.raises(NotFound):
        read_bundle(study, replace(ALL, versions=["group experts, maximum"]))


def test_commands_and_python_withhold_by_the_name_of_the_column(
    grouped: Asked, capsys: pytest.CaptureFixture[str]
):
    path = Path(export(grouped, "labels", "exported.csv"))
    labels = pd.read_csv(path, dtype="str", keep_default_na=False)
    people = labels[["assessor", "group"]].drop_duplicates().rename(columns={"group": "country"})
    listed = grouped.folder / "people.csv"
    people.to_csv(listed, index=False)
    words = ["groups", str(path), "--people", str(listed), "--by"]
    assert main([*words, "country"]) == 1
    assert "personal attribute" in capsys.readouterr().err
    people.rename(columns={"country": "employer"}).to_csv(listed, index=False)
    assert main([*words, "employer", "--permutations", "99"]) == 0
    assert "experts and students" in capsys.readouterr().out
    assert main([*words, "employer", "--personal"]) == 1
    read = dissent.read_labels(path)
    with pytest.raises(TooLittleData, match="personal"):
        _ = dissent.groups(read, people=people, by="country").answer


@long
@pytest.mark.parametrize("door", DOORS)
def test_groups_of_the_demo_are_the_same_through_every_door(
    door: str, demo: str, store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    asked = make_asked(store, demo, tmp_path)
    declare(asked.study, {"measure": MEASURE, "version": VERSION})
    compare(ask(door, asked, capsys), ask_report(asked))
