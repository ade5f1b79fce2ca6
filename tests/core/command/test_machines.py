"""``dissent machines``: people from labels or qrels, machines from qrels, tables and JSON."""

import json
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from core.machines.alternative_test import FEW_LABELS, FEW_PEOPLE
from tests.core.machines.leaving_one_out import run
from tests.core.machines.made_up import simulate
from tests.short import long

KEYS = {"facet", "levels", "items", "machines", "pairs", "people", "differences", "verdicts"}
KEYS |= {"answer", "topics", "distributions", "near", "alternative_test", "invalid"}
PAIR = {"machine", "person", "n", "coefficients", "matrix", "shift", "invalid"}
COEFFICIENT = {"name", "value", "low", "high", "interval"}
TEST = {"machine", "defined", "omega", "rho", "epsilon", "passed", "annotators"}
TEST |= {"topic_omega", "topic_passed"}
ANNOTATOR = {"person", "n", "advantage", "p", "rejected"}


def write_labels(path: Path, rows: list) -> Path:
    lines = ["assessor\ttopic\tdocument\tlevel"]
    lines += [f"{person}\t{topic}\t{item}\t{level}" for topic, item, person, level in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_qrels(path: Path, rows: list) -> Path:
    path.write_text("".join(f"{topic} 0 {item} {level}\n" for topic, item, level in rows))
    return path


@pytest.fixture
def files(tmp_path):
    people, machine = simulate()
    labels = write_labels(tmp_path / "labels.tsv", people)
    return labels, write_qrels(tmp_path / "machine.qrels", machine)


def test_what_programs_get(dissent, files):
    labels, machine = files
    words = ("machines", "--people", labels, "--machine", f"m={machine}", "--epsilon", 0.1)
    result = dissent(*words, "--format", "json").json
    assert set(result) == {*KEYS, "notes"}
    assert (result["facet"], result["levels"]) == ("page", [0, 1, 2, 3])
    assert [set(pair) for pair in result["pairs"]] == [PAIR] * 4
    assert [(pair["machine"], pair["person"]) for pair in result["pairs"]] == [
        ("m", person) for person in "abcd"
    ]
    for pair in result["pairs"]:
        assert sum(map(sum, pair["matrix"])) == pair["n"]
        assert all(set(one) >= COEFFICIENT for one in pair["coefficients"])
        assert pair["coefficients"][0]["interval"] == {
            "method": "jackknife",
            "unit": "topic",
            "n": 8,
            "of": "agreement of this machine and this person, over topics like these",
        }
        assert set(pair["shift"]) == {"value", "low", "high", "interval"}
        assert pair["invalid"] == 0
    names = {one["name"] for one in result["pairs"][0]["coefficients"]}
    assert {"kappa", "kappa(linear)", "kappa(quadratic)", "alpha(ordinal)", "raw"} <= names
    assert [(one["first"], one["second"]) for one in result["people"]][:2] == [
        *(("a", "b"), ("a", "c"))
    ]
    assert {one["machine"] for one in result["people"]} == {"m"}
    assert result["invalid"] == []
    assert result["items"]["chosen"] == "unknown"
    assert "not shown to differ" in result["verdicts"]["m"]
    assert len(result["topics"]) == 8 * 4
    assert len(result["distributions"]) == 16
    assert [one["level"] for one in result["near"]] == [0, 1, 2, 3]


def test_the_alternative_test_equals_a_plain_one(dissent, files):
    labels, machine = files
    words = ("machines", "--people", labels, "--machine", f"m={machine}", "--epsilon", 0.1)
    (test,) = dissent(*words, "--format", "json").json["alternative_test"]
    assert set(test) == TEST
    expected, omega, rho = run(*simulate(), 0.1)
    assert (test["machine"], test["defined"], test["epsilon"]) == ("m", True, 0.1)
    assert (test["omega"], test["passed"]) == (omega, omega >= 0.5)
    assert test["rho"] == pytest.approx(rho)
    assert all(set(row) >= ANNOTATOR for row in test["annotators"])
    for row in test["annotators"]:
        n, advantage, p, rejected = expected[row["person"]]
        assert (row["n"], row["rejected"]) == (n, rejected)
        assert row["advantage"] == pytest.approx(advantage)
        assert row["p"] == pytest.approx(p, rel=1e-9)


@long
def test_stray_levels_are_named_in_both_forms(dissent, tmp_path):
    people = [("t", "d", "a", 0), ("t", "e", "a", 1), ("u", "f", "a", 1), ("u", "f", "b", 1)]
    labels = write_labels(tmp_path / "labels.tsv", people)
    stray = [("t", "d", 10), ("t", "e", -1), ("u", "f", 1), ("v", "g", 5)]
    machine = write_qrels(tmp_path / "m.qrels", stray)
    words = ("machines", "--people", labels, "--machine", f"m={machine}")
    outcome = dissent(*words, "--format", "json")
    assert outcome.json["invalid"] == [
        {"machine": "m", "topic": "t", "document": "d", "value": 10},
        {"machine": "m", "topic": "t", "document": "e", "value": -1},
        {"machine": "m", "topic": "v", "document": "g", "value": 5},
    ]
    assert [(one["person"], one["n"], one["invalid"]) for one in outcome.json["pairs"]] == [
        *(("a", 1, 2), ("b", 1, 0))
    ]
    assert "m: labels that are not on the scale, left out: 3" in outcome.err
    assert "m: labels on items that no person judged, left out: 1" in outcome.err
    assert outcome.json["machines"] == [
        {
            **{"machine": "m", "labels": 4, "items": 1, "people": 2, "invalid": 3},
            **{"only_machine": 1, "only_people": 0},
        }
    ]
    out = dissent(*words).out
    for line in ("m        t      d            10", "m        t      e            -1"):
        assert line in out


@long
def test_people_may_be_qrels_that_are_called_like_their_files(dissent, tmp_path):
    people, machine = simulate(people="ab")
    paths = [
        write_qrels(
            tmp_path / f"{name}.qrels", [(*row[:2], row[3]) for row in people if row[2] == name]
        )
        for name in "ab"
    ]
    given = write_qrels(tmp_path / "machine.qrels", machine)
    words = ("--machine", f"m={given}", "--format", "json")
    by_qrels = dissent("machines", "--people", *paths, *words).json
    labels = write_labels(tmp_path / "labels.tsv", people)
    by_labels = dissent("machines", "--people", labels, *words).json
    assert {**by_qrels, "notes": []} == {**by_labels, "notes": []}, "files are told by name"
    (test,) = by_qrels["alternative_test"]
    assert test["defined"]
    assert len(test["annotators"]) == 2
    three = dissent("machines", "--people", labels, *words, "--fewest-people", 3).json
    (test,) = three["alternative_test"]
    assert (test["omega"], test["passed"], test["annotators"]) == (None, None, [])


@long
def test_scales_count_for_people_and_machines(dissent, tmp_path):
    people = [("t", "d", "a", "Key"), ("t", "e", "a", "Nav"), ("u", "f", "a", "Non")]
    labels = write_labels(tmp_path / "labels.tsv", people)
    machine = write_qrels(tmp_path / "m.qrels", [("t", "d", 2), ("t", "e", 1), ("u", "f", 7)])
    words = ("machines", "--people", labels, "--machine", f"m={machine}", "--format", "json")
    result = dissent(*words, "--scale", "page=Non,Key,Nav=Key").json
    assert result["levels"] == [0, 1]
    assert result["pairs"][0]["matrix"] == [[0, 0], [0, 2]]
    assert [one["value"] for one in result["invalid"]] == [7]


@long
def test_people_see_tables(dissent, files):
    labels, machine = files
    outcome = dissent(
        *("machines", "--people", labels, "--machine", f"m={machine}", f"n={machine}"),
        *("--items", "random"),
    )
    out = outcome.out + outcome.err
    for said in (
        *("machine  person", "items of  first", "m: linear weighted κ with people is"),
        *("level of people", "n: over items the alternative annotator test is"),
        *("left out", "The judged items were drawn at random", "over topics (8)"),
    ):
        assert said in out
    markdown = dissent(
        "machines", "--people", labels, "--machine", f"m={machine}", "--format", "md"
    ).out
    assert "| machine | person |" in markdown


@long
def test_long_tables_are_cut_for_people_only(dissent, tmp_path):
    people, machine = simulate(people="abcdefghijklmnopqrstu", topics=2, items=4)
    people = [(topic, item, f"p-{name}", level) for topic, item, name, level in people]
    labels = write_labels(tmp_path / "labels.tsv", people)
    stray = [(f"x{place}", "d", 99) for place in range(25)]
    given = write_qrels(tmp_path / "m.qrels", [*machine, *stray])
    words = ("machines", "--people", labels, "--machine", f"m={given}")
    out = dissent(*words).out
    assert out.count("more; --format json has all") == 5
    result = dissent(*words, "--format", "json").json
    assert (len(result["pairs"]), len(result["invalid"])) == (21, 25)


@long
def test_what_cannot_be_used_is_refused(dissent, files, tmp_path):
    labels, machine = files
    both = ("machines", "--people", labels, "--machine")
    assert dissent(*both, machine).status == 2
    twice = dissent(*both, f"m={machine}", f"m={machine}")
    assert (twice.status, "two machines are called 'm'" in twice.err) == (1, True)
    same = dissent(*both, f"a={machine}")
    assert (same.status, "a person is called 'a', too" in same.err) == (1, True)
    mixed = dissent("machines", "--people", machine, labels, "--machine", f"m={machine}")
    assert (mixed.status, "holds no qrels, as other files" in mixed.err) == (1, True)
    subtopics = tmp_path / "subtopics.qrels"
    subtopics.write_text("t1 1 d1 1\nt1 2 d1 0\n")
    by_subtopic = dissent("machines", "--people", subtopics, "--machine", f"m={machine}")
    assert (by_subtopic.status, "by subtopic" in by_subtopic.err) == (1, True)
    epsilon = dissent(*both, f"m={machine}", "--epsilon", 2)
    assert (epsilon.status, "epsilon is a number from 0" in epsilon.err) == (1, True)
    elsewhere = write_qrels(tmp_path / "else.qrels", [("x", "y", 1)])
    nothing = dissent(*both, f"m={elsewhere}")
    assert (nothing.status, "no item in common" in nothing.err) == (1, True)


@long
def test_a_facet_is_chosen_where_people_judged_both(dissent, tmp_path):
    labels = tmp_path / "labels.tsv"
    rows = ["assessor\ttopic\tdocument\tengine\tfacet\tlevel"]
    for item in "de":
        rows += [f"a\tt\t{item}\t\tpage\t1", f"a\tt\t{item}\tx\tsnippet\t0"]
    labels.write_text("\n".join(rows) + "\n")
    machine = write_qrels(tmp_path / "m.qrels", [("t", "d", 1), ("t", "e", 0)])
    words = ("machines", "--people", labels, "--machine", f"m={machine}", "--format", "json")
    outcome = dissent(*words)
    assert (outcome.status, "people judged snippet and page; say which" in outcome.err) == (1, True)
    # What one person calls 1 throughout is a scale of one level.
    result = dissent(*words, "--facet", "page", "--scale", "page=0,1").json
    assert [(one["person"], one["n"]) for one in result["pairs"]] == [("a", 2)]


@long
def test_labels_of_dl19_beside_a_machine(dissent, shared_data, dl19):
    machine = shared_data / "machine" / "dl19-umbrela.qrels"
    words = ("machines", "--people", dl19 / "labels.tsv", "--machine", f"umbrela={machine}")
    result = dissent(*words, "--format", "json").json
    assert len(result["pairs"]) == 8
    (test,) = result["alternative_test"]
    assert test["defined"]
    three = dissent(*words, "--fewest-people", 3, "--format", "json").json
    (test,) = three["alternative_test"]
    assert (test["defined"], test["reason"]) == (False, FEW_LABELS.format(3))
    for pair in result["pairs"]:
        levels = [
            (row, column)
            for row, counts in enumerate(pair["matrix"])
            for column, count in enumerate(counts)
            for _ in range(count)
        ]
        (found,) = (one for one in pair["coefficients"] if one["name"] == "kappa(linear)")
        expected = cohen_kappa_score(*zip(*levels, strict=True), weights="linear")
        assert found["value"] == pytest.approx(expected, abs=1e-9)


@long
def test_judges_with_their_stray_levels(dissent, shared_data):
    folder = shared_data / "machine" / "llmjudge"
    named = [f"{name}={folder / name}.qrels" for name in ("Olz-gpt4o", "RMITIR-llama70B")]
    words = ("machines", "--people", folder / "human.qrels", "--machine", *named)
    result = dissent(*words, "--format", "json").json
    assert [pair["person"] for pair in result["pairs"]] == ["human"] * 2
    assert result["people"] == []
    assert {one["machine"] for one in result["invalid"]} == {"RMITIR-llama70B"}
    assert [one["value"] for one in result["invalid"]] == [5, 5]
    assert {one["reason"] for one in result["alternative_test"]} == {FEW_PEOPLE}
    assert "no two people judged the same item" in json.dumps(result["differences"])
