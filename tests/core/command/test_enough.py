"""The command that tells whether enough is judged: of files, and of a collection."""

from contextlib import closing
from pathlib import Path

import pytest

from core.analysis.base.study import Study
from core.analysis.judging.enough import ask_enough
from core.analysis.judging.stop_proposal import choose_version
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.reports.enough import ASSUMED, NOT_ASKED, EnoughQuestion, ask_of_runs
from core.settings import ROOT
from core.stopping.stop_rule import StopRule
from core.store.content.saved_rules import set_stop_rule
from core.store.store import Store
from core.versions.judgements import put_on_scale
from core.wording import drop_marks
from tests.core.comparison.test_left_out_runs import study

__all__ = ["study"]

DEPTH = 5


@pytest.fixture
def files(study, tmp_path):
    runs, qrels = study
    (tmp_path / "all.run").write_bytes(write_run(runs.assign(score=-runs["rank"])))
    (tmp_path / "study.qrels").write_bytes(write_qrels(qrels[::2]))
    return ["--run", tmp_path / "all.run", "--qrels", tmp_path / "study.qrels"]


def test_json_is_what_the_report_says(dissent, files, study):
    words = ("--depth", DEPTH, "--measure", "P@3", "--best-stays", 0.5, "--format", "json")
    found = dissent("enough", *files, *words, "--hour-price", 20, "--level", 2).json
    rule = StopRule(0.5, 0.9, "P(rel=2)@3", DEPTH)
    question = EnoughQuestion("P(rel=2)@3", DEPTH, rule)
    expected = ask_of_runs(study[0], put_on_scale(study[1][::2]), question)
    assert found["answer"] == drop_marks(expected.answer)
    assert found["rule"] == {"best_stays": 0.5, "tau_low": 0.9}
    assert {*expected.notes} <= {*found["notes"]}
    assert {NOT_ASKED, ASSUMED} <= {*found["notes"]}
    (row,) = found["expected"]
    assert row["tau"] == expected.expected["tau"].iloc[0]
    assert row["interval"] == expected.describe_interval(
        "expected", expected.expected.iloc[0].to_dict()
    )
    assert {*row["interval"]} == {"method", "unit", "n", "of"}
    assert found["history"][-1]["tau"] == row["tau"]
    assert (found["judged"], found["items"]) == (expected.judged, expected.items)
    assert found["proposes"] == expected.proposes
    rest = found["cost"][-1]
    assert rest["money"] == pytest.approx(20 * rest["hours"])


def test_tables_begin_with_the_answer(dissent, files):
    out = dissent("enough", *files, "--depth", DEPTH).out
    first, *rest = out.splitlines()
    assert ", by the usual rule (" in first
    assert "τ to the full pool [95 %]" in out
    assert any(line.startswith("Stopping now would save about ") for line in rest)
    assert "\\begin{table" in dissent("enough", *files, "--format", "latex").out


def test_a_collection_is_asked_by_its_rule_under_its_version(dissent, whole_study, tmp_path):
    path, collection, _ = whole_study
    copied = tmp_path / "copy.duckdb"
    copied.write_bytes(Path(path).read_bytes())
    with closing(Store(copied)) as store:
        set_stop_rule(store, collection, StopRule(0.2, -0.5, "P@2", 3).to_json())
    with closing(Store(copied)) as store:
        here = Study(store, collection, is_masked=True)
        rule = StopRule(0.2, -0.5, "P@2", 3)
        expected = ask_enough(here, choose_version(here, rule), EnoughQuestion("P@2", 3, rule))
        answer = drop_marks(expected.answer)
    place = ("--store", copied, "--collection", collection)
    found = dissent("enough", *place, "--format", "json")
    assert found.json["answer"] == answer
    assert (found.json["measure"], found.json["depth"]) == ("P@2", 3)
    assert NOT_ASKED not in found.json["notes"]
    other = dissent("enough", *place, "--version", "all, minimum", "--format", "json")
    assert other.json["rule"] == found.json["rule"]
    assert dissent("enough", *place, "--version", "gone").status == 1


def test_what_does_not_go_together_is_refused(dissent, files):
    run, qrels = files[:2], files[2:]
    for words in ([*qrels], [*run], ["--collection", "x", *run], [*files, "--version", "v"]):
        assert dissent("enough", *words).status == 2
    assert dissent("enough", *files, "--best-stays", "x").status == 2
    wrong = dissent("enough", *files, "--best-stays", 2)
    assert (wrong.status, "a number from 0 to 1" in wrong.err) == (1, True)
    graded = dissent("enough", *files, "--measure", "ERR@10")
    assert (graded.status, "choose one of them" in graded.err) == (1, True)


def test_the_small_study_is_judged_to_the_end(dissent):
    small = ROOT / "sample_data" / "small"
    runs = sorted(small.glob("*.run"))
    out = dissent("enough", "--qrels", small / "study.qrels", "--run", *runs, "--depth", 5).out
    assert out.startswith("Enough, by the usual rule")
    assert "Nothing of the pool is left to judge" in out
