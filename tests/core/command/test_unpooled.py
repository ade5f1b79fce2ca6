"""The unpooled command: its JSON, its tables, teams, and what it refuses."""

import pytest

from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.reports.unpooled import Unpooled, UnpooledQuestion
from core.versions.judgements import put_on_scale
from tests.core.comparison.test_left_out_runs import DEPTH, study

__all__ = ["study"]


@pytest.fixture
def files(study, tmp_path):
    runs, qrels = study
    (tmp_path / "all.run").write_bytes(write_run(runs.assign(score=-runs["rank"])))
    (tmp_path / "study.qrels").write_bytes(write_qrels(qrels))
    return ["--run", tmp_path / "all.run", "--qrels", tmp_path / "study.qrels", "--measure", "AP"]


def test_json_has_everything(dissent, files, study):
    found = dissent("unpooled", *files, "bpref", "--format", "json").json
    assert set(found) == {*("answer", "depth", "test", "summary", "runs", "teams", "notes")}
    assert found["depth"] == DEPTH
    assert len(found["runs"]) == 10
    question = UnpooledQuestion(("AP", "bpref"), DEPTH)
    expected = Unpooled(study[0], put_on_scale(study[1]), question).falls
    for row, entry in zip(expected.to_dict("records"), found["runs"], strict=True):
        assert entry == pytest.approx(row)
    assert [one["measure"] for one in found["summary"]] == ["AP", "bpref"]
    assert set(found["teams"][0]) == {
        *("team", "systems", "judged", "alone", "share", "relevant", "relevant_alone")
    }


def test_tables_begin_with_the_answer(dissent, files):
    out = dissent("unpooled", *files, "--depth", 5).out
    assert out.startswith("Pool: the first 5 of each run\n\nA run that had not contributed")
    assert "significant differences lost" in out
    assert "brought alone" in out
    assert "\\begin{table" in dissent("unpooled", *files, "--format", "latex").out


def test_teams_are_a_file_or_letters(dissent, files, tmp_path):
    (tmp_path / "teams").write_text("a1 a\na2 a\nb1 b\nb2 b\nc1 c\n")
    by_file = dissent("unpooled", *files, "--teams", tmp_path / "teams", "--format", "json").json
    letters = dissent("unpooled", *files, "--team-letters", 1, "--format", "json").json
    assert by_file == letters
    assert {one["team"] for one in by_file["teams"]} == {"a", "b", "c"}
    both = ("--team-letters", 1, "--teams", tmp_path / "teams")
    assert dissent("unpooled", *files, *both).status == 2


def test_faults_are_named(dissent, files, tmp_path):
    (tmp_path / "teams").write_text("z9 a\n")
    found = dissent("unpooled", *files, "--teams", tmp_path / "teams")
    assert (found.status, "no run of system 'z9'" in found.err) == (1, True)
    assert dissent("unpooled", *files, "--depth", 0).status == 2
    refused = dissent("unpooled", *files, "GMAP")
    assert (refused.status, "geometric mean" in refused.err) == (1, True)
