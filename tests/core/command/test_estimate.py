"""The estimate command: its JSON, its tables, what it refuses, real data."""

import pandas as pd
import pytest

import dissent as package
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.reports.estimate import LOG_ODDS
from tests.core.reports.test_estimate import make_study
from tests.short import long

MEAN = {"value", "low", "high", "interval"}
NAMES = ("human", "machine")


@pytest.fixture
def files(tmp_path):
    runs, human, machine = make_study()
    (tmp_path / "all.run").write_bytes(write_run(runs))
    for name, qrels in zip(NAMES, (human, machine), strict=True):
        (tmp_path / f"{name}.qrels").write_bytes(write_qrels(qrels))
    words = ["--run", tmp_path / "all.run", "--measure", "nDCG@5"]
    for name in NAMES:
        words += [f"--{name}", tmp_path / f"{name}.qrels"]
    return words


def test_json_has_three_ways_with_their_intervals(dissent, files):
    found = dissent("estimate", *files, "--format", "json").json
    tables = {"systems", "differences", "curve"}
    assert set(found) == {"answer", "form", "finite", "estimates", *tables, "notes"}
    assert (len(found["systems"]), len(found["differences"])) == (4, 6)
    one = found["systems"][0]
    ways = {"classical", "ppi", "machine_only"}
    assert set(one) == {"measure", "system", "n_human", "n_machine", *ways}
    assert (one["n_human"], one["n_machine"]) == (8, 16)
    assert set(one["classical"]) == set(one["machine_only"]) == MEAN
    assert set(one["ppi"]) == {*MEAN, "lambda"}
    of = "mean score of this system, alone, over topics like these"
    assert one["classical"]["interval"] == {"method": LOG_ODDS, "unit": "topic", "n": 8, "of": of}
    assert one["machine_only"]["interval"]["n"] == 24
    assert set(found["differences"][0]) == {
        *("measure", "first", "second", "n_human", "n_machine"),
        *ways,
    }
    assert set(found["curve"][0]) == {
        *("measure", "of", "n_human", "n_machine", "classical", "ppi")
    }


def test_it_says_what_python_says(dissent, files):
    printed = dissent("estimate", *files, "--format", "json").json["systems"]
    runs, human, machine = make_study()
    table = package.estimate(runs, human.drop(columns="iteration"), machine, "nDCG@5").systems
    wanted = {(row["system"], row["estimate"]): row for row in table.to_dict("records")}
    for entry in printed:
        for way in ("classical", "ppi", "machine_only"):
            row = wanted[entry["system"], way]
            for name in ("value", "low", "high"):
                assert entry[way][name] == pytest.approx(row[name], rel=1e-12)


def test_topics_that_are_all_there_are_leave_the_machine_without_limits(dissent, files):
    found = dissent("estimate", *files, "--finite", "--format", "json").json
    machine = found["systems"][0]["machine_only"]
    assert machine["low"] is machine["high"] is None
    assert "bias" in machine["reason"]
    assert found["finite"]


@long
def test_the_normal_form_is_there_on_request(dissent, files):
    found = dissent("estimate", *files, "--normal", "--format", "json").json
    assert found["form"] == "normal"
    methods = {one["classical"]["interval"]["method"] for one in found["systems"]}
    assert methods == {"normal"}
    assert dissent("estimate", *files, "--normal", "--finite").status == 2


def test_tables_name_the_three_ways(dissent, files):
    found = dissent("estimate", *files, "--measure", "AP")
    assert found.out.startswith("People judged 8 topics, only the machine 16 more. 95 % intervals")
    for text in ("people alone", "prediction-powered", "machine alone", "λ", "of means by AP,"):
        assert text in found.out
    assert "take no notice of its bias" in found.err


@pytest.mark.parametrize("form", ["csv", "latex", "md"])
def test_tables_come_in_other_formats(dissent, files, form):
    found = dissent("estimate", *files, "--format", form)
    assert found.status == 0
    assert "s0" in found.out


@long
def test_a_table_shows_the_first_differences_and_says_how_many_more(dissent, tmp_path):
    runs, human, machine = make_study(systems=8)
    (tmp_path / "r").write_bytes(write_run(runs))
    for name, qrels in zip(NAMES, (human, machine), strict=True):
        (tmp_path / name).write_bytes(write_qrels(qrels))
    words = ("--run", tmp_path / "r", "--measure", "AP", "--human", tmp_path / "human")
    out = dissent("estimate", *words, "--machine", tmp_path / "machine").out
    assert "and 8 more" in out


def test_topics_apart_are_refused(dissent, files, tmp_path):
    lines = (tmp_path / "machine.qrels").read_text().splitlines(keepends=True)
    left = [line for line in lines if int(line.split()[0].removeprefix("t")) >= 8]
    (tmp_path / "machine.qrels").write_text("".join(left))
    found = dissent("estimate", *files)
    assert found.status == 1
    assert "no topic is judged by both people and the machine" in found.err


@long
def test_real_labels_of_a_machine_with_people_on_every_other_topic(
    dissent, dl19, shared_data, tmp_path
):
    labels = read_import("labels", Source.at(dl19 / "labels.tsv")).frames["labels"]
    best = labels.groupby(["topic_id", "document_id"], as_index=False)["level"].max()
    people = best[best["topic_id"].isin(sorted(best["topic_id"].unique())[::2])]
    path = tmp_path / "people.qrels"
    path.write_bytes(write_qrels(people.assign(iteration="0")))
    machine = shared_data / "machine" / "dl19-umbrela.qrels"
    words = ("--human", path, "--machine", machine, "--measure", "nDCG@10", "--run")
    found = dissent("estimate", *words, *sorted((dl19 / "runs").iterdir()), "--format", "json").json
    assert (len(found["systems"]), len(found["differences"])) == (37, 666)
    assert (found["systems"][0]["n_human"], found["systems"][0]["n_machine"]) == (11, 11)
    widths = pd.DataFrame(
        {way: one[way]["high"] - one[way]["low"] for way in ("classical", "ppi", "machine_only")}
        for one in found["systems"]
    ).mean()
    assert widths["ppi"] < widths["classical"]
    assert widths["machine_only"] < widths["ppi"]
