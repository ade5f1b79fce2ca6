"""``dissent machines`` with runs: what follows for systems, and what it needs for that."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.core.command.test_machines import KEYS, write_labels, write_qrels
from tests.core.machines.made_up import simulate
from tests.short import long

MORE = {"conclusion", "sources", "rankings", "significance", "gains", "lineage", "circularity"}
SYSTEMS = "pqrstu"
TOPIC = re.compile(r"\bt[123]\b")


def write_runs(path: Path, seed: int = 4) -> Path:
    rng = np.random.default_rng(seed)
    lines = [
        f"t{topic} Q0 d{item} {rank} {100 - rank} {system}"
        for system in SYSTEMS
        for topic in range(8)
        for rank, item in enumerate(rng.permutation(12), start=1)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def words(tmp_path: Path) -> list:
    people, machine = simulate()
    labels = write_labels(tmp_path / "labels.tsv", people)
    stray = [*machine[:-1], (*machine[-1][:2], 9)]
    qrels = write_qrels(tmp_path / "machine.qrels", stray)
    return ["machines", "--people", labels, "--machine", f"m={qrels}"]


@pytest.fixture
def runs(tmp_path: Path) -> list:
    return ["--run", write_runs(tmp_path / "runs"), "--measure", "nDCG@5"]


def test_programs_get_rankings_gains_and_circularity(dissent, words, runs):
    result = dissent(*words, *runs, "--lineage", "m=p,q,r", "--format", "json").json
    assert set(result) == {*KEYS, *MORE, "notes"}
    assert [one["source"] for one in result["rankings"]] == ["m", "people, else m"]
    for one in result["rankings"]:
        assert {"tau", "tau_ap", "tau_top", "low", "high", "interval"} <= set(one)
        assert one["low"] <= one["tau"] <= one["high"]
        assert one["interval"]["unit"] == "topic"
    assert {one["system"] for one in result["gains"]} == set(SYSTEMS)
    assert {one["verdict"] for one in result["lineage"]} <= {"shown", "not shown"}
    assert {one["system"] for one in result["circularity"]} == set(SYSTEMS)
    assert [one["value"] for one in result["invalid"]] == [9]


@long
def test_a_level_that_is_on_no_scale_scores_nothing(dissent, words, runs, tmp_path):
    """It is no judgement: the same without its line."""
    _, machine = simulate()
    clean = write_qrels(tmp_path / "clean.qrels", machine[:-1])
    without = [*words[:-1], f"m={clean}"]
    found = [dissent(*one, *runs, "--format", "json").json for one in (words, without)]
    assert all(found[0][name] == found[1][name] for name in MORE)
    assert found[0]["invalid"] != found[1]["invalid"]


@long
def test_how_people_are_combined_changes_their_scores(dissent, words, runs):
    gains = [
        dissent(*words, *runs, "--combine", rule, "--format", "json").json["gains"]
        for rule in ("maximum", "minimum")
    ]
    assert gains[0] != gains[1]


def test_systems_are_scored_on_the_topics_that_are_named(dissent, words, runs, tmp_path):
    """As where nothing else is judged and answered; agreement is of all labels all the same."""
    named = tmp_path / "topics.txt"
    named.write_text("t1\nt2\nt3\nt99\n")
    more = [*runs, "--format", "json", "--combine", "median, in whole levels"]
    every, some = (dissent(*words, *more, *topics).json for topics in ([], ["--topics", named]))
    assert [found["sources"][0]["topics"] for found in (every, some)] == [8, 3]
    assert some["pairs"] == every["pairs"]
    people, machine = ([one for one in rows if TOPIC.search(str(one))] for rows in simulate())
    answered = [one for one in runs[1].read_text().splitlines() if TOPIC.match(one)]
    runs[1].write_text("\n".join(answered))
    labels = write_labels(tmp_path / "fewer.tsv", people)
    qrels = write_qrels(tmp_path / "fewer.qrels", machine)
    alone = dissent("machines", "--people", labels, "--machine", f"m={qrels}", *more).json
    assert {one: some[one] for one in MORE} == {one: alone[one] for one in MORE}
    named.write_text("t99\n")
    refused = dissent(*words, *more, "--topics", named)
    assert (refused.status, "none of these topics is judged by people" in refused.err) == (1, True)
    named.write_text("\n")
    refused = dissent(*words, *more, "--topics", named)
    assert (refused.status, "the file is empty" in refused.err) == (1, True)


@long
def test_people_read_what_changes(dissent, words, runs):
    said = dissent(*words, *runs, "--same-documents").out
    for words_ in ("Orders of systems beside people's", "what systems gain", "people, else m"):
        assert words_ in said


@pytest.mark.parametrize("left_out", ["--run", "--measure"])
def test_runs_and_a_measure_go_together(dissent, words, runs, left_out: str):
    at = runs.index(left_out)
    refused = dissent(*words, *runs[:at], *runs[at + 2 :])
    assert refused.status == 1
    assert "both --run and --measure" in refused.err


def test_what_cannot_be_used_is_refused(dissent, words, runs):
    assert "one measure at a time" in dissent(*words, *runs, "--measure", "P@5").err
    unknown = dissent(*words, *runs, "--lineage", "other=p")
    assert (unknown.status, "'other'" in unknown.err) == (1, True)
    assert dissent(*words, *runs, "--lineage", "m").status == 2
