"""The doors of the report of an A/B test: see ``test_report_doors``."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import dissent
from core.analysis.base.study import Study
from core.analysis.collection.declaring import declare
from core.collection.click_logs.ab_log import read_ab_log
from core.collection.files.source import Source
from core.command.main import main
from core.reports.ab_test import ABQuestion, ABTest
from core.wording import drop_marks, plain_with_facts
from tests.core.reports.test_ab_test import write_log
from tests.pages.test_report_doors import Said, compare

REPORTS = (ABTest,)
"""Those whose doors are here."""

NUMBERS = ["value", "low", "high", "p"]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ab") / "log.tsv"
    write_log(users=(70, 60), lead=0.2, before=True).to_csv(path, sep="\t", index=False)
    return path


def to_cells(rows: list[dict]) -> dict:
    return {("difference", row["estimate"]): tuple(row[one] for one in NUMBERS) for row in rows}


def ask_report(log: Path) -> Said:
    found = ABTest(read_ab_log(Source(log.name, log)))
    return Said(to_cells(found.difference.to_dict("records")), drop_marks(found.answer))


def ask_python(log: Path) -> Said:
    found = dissent.ab_test(dissent.read_ab_log(log))
    return Said(to_cells(found.difference.to_dict("records")), drop_marks(found.answer))


def print_it(log: Path, capsys: pytest.CaptureFixture[str], form: str) -> str:
    assert main(["ab", str(log), "--format", form]) == 0
    return capsys.readouterr().out


def ask_json(log: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(print_it(log, capsys, "json"))
    for row in told["difference"]:
        assert row["interval"]["of"].endswith("over users like these")
    return Said(to_cells(told["difference"]), told["answer"])


def ask_csv(log: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(print_it(log, capsys, "csv")))
    assert {*frame["table"]} == {*ABTest.tables}
    rows = frame[frame["table"] == "difference"].to_dict("records")
    return Said(to_cells(rows), "")


def ask_terminal(log: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    printed = print_it(log, capsys, "table")
    for table in ABTest.tables.values():
        assert f"\n{table.title}\n" in printed
    return Said({}, printed.splitlines()[0])


PRINTED: dict[str, Callable] = {"JSON": ask_json, "CSV": ask_csv, "terminal": ask_terminal}


@pytest.mark.parametrize("door", ["Python", *PRINTED])
def test_an_ab_test_is_the_same_through_every_door(
    door: str, log: Path, capsys: pytest.CaptureFixture[str]
):
    said = PRINTED[door](log, capsys) if door in PRINTED else ask_python(log)
    compare(said, ask_report(log))


def test_a_default_of_its_own_is_seen(log: Path, monkeypatch: pytest.MonkeyPatch):
    own = "core.api.calls.interleaving.ABQuestion"
    monkeypatch.setattr(own, lambda first, share, alpha: ABQuestion("B", share, alpha))
    with pytest.raises(AssertionError):
        compare(ask_python(log), ask_report(log))


def test_the_page_says_what_the_report_says(log: Path, demo, organiser, open_page):
    at = open_page("interleaving", organiser, **{"interleaving-part": "An A/B test"})
    at.file_uploader[0].upload("log.tsv", log.read_bytes()).run()
    assert not at.exception
    found = ABTest(read_ab_log(Source(log.name, log)))
    assert plain_with_facts(found.answer) in [one.value for one in at.markdown]
    (rows,) = (one.value for one in at.dataframe if "removed" in one.value)
    assert rows["value"].tolist() == found.difference["value"].tolist()
    at.selectbox("interleaving-ab-first").set_value("B").run()
    at.number_input("interleaving-ab-share").set_value(54.0).run()
    other = ABTest(read_ab_log(Source(log.name, log)), ABQuestion("B", 0.54))
    assert plain_with_facts(other.answer) in [one.value for one in at.markdown]
    (split,) = (one.value for one in at.dataframe if "expected" in one.value)
    assert split["expected"].tolist() == other.split["expected"].tolist()
    at.file_uploader[0].upload("log.tsv", b"user\tarm\toutcome\na\tA\t1\n").run()
    assert "two arms in an A/B test" in "\n".join(one.value for one in at.code)


def test_the_page_and_other_doors_go_by_the_alpha_that_is_declared(
    log: Path, store, demo, organiser, open_page, capsys: pytest.CaptureFixture[str]
):
    declare(Study(store, demo, is_masked=True), {"alpha": 0.7})
    at = open_page("interleaving", organiser, **{"interleaving-part": "An A/B test"})
    at.file_uploader[0].upload("log.tsv", log.read_bytes()).run()
    found = ABTest(read_ab_log(Source(log.name, log)), ABQuestion(alpha=0.7))
    assert found.answer != ask_report_of(log).answer
    assert found.answer.endswith("in four of five tests (p < 0.7).")
    assert (found.needed["users"] < ask_report_of(log).needed["users"]).all()
    assert plain_with_facts(found.answer) in [one.value for one in at.markdown]
    assert dissent.ab_test(dissent.read_ab_log(log), alpha=0.7).answer == found.answer
    assert main(["ab", str(log), "--alpha", "0.7"]) == 0
    assert drop_marks(found.answer) in capsys.readouterr().out


def ask_report_of(log: Path) -> ABTest:
    return ABTest(read_ab_log(Source(log.name, log)))
