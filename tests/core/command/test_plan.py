"""The plan command: its JSON, its tables, what serves as a pilot, what it refuses, real data."""

import json

import numpy as np
import pytest

from core.collection.export.preference_export import write_preferences
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.planning.variance import METHOD
from core.versions.judgements import put_on_scale
from tests.calibration.label_models import MODELS, label_rows
from tests.core.reports.test_estimate import make_study
from tests.core.reports.test_votes import make_votes
from tests.short import long

KEYS = {"method", "alpha", "power", "effect", "width", "systems", "variance", "topics"}
GIVEN = ("--difference-variance", "0.04")


@pytest.fixture
def files(tmp_path):
    runs, _, machine = make_study()
    (tmp_path / "all.run").write_bytes(write_run(runs))
    (tmp_path / "all.qrels").write_bytes(write_qrels(machine))
    scores = evaluate([parse_measure("nDCG@5")], compile_rankings(runs, put_on_scale(machine)))
    rows = scores.rename(columns={"topic_id": "topic"})[["system", "topic", "measure", "value"]]
    rows.to_csv(tmp_path / "scores.tsv", sep="\t", index=False)
    rows.drop(columns="measure").to_csv(tmp_path / "scores.csv", index=False)
    return tmp_path


@pytest.fixture
def labels(tmp_path):
    drawn = label_rows(MODELS[1].draw(12, 2, np.random.default_rng(1)))
    names = {"assessor_id": "assessor", "topic_id": "topic", "document_id": "document"}
    rows = drawn.rename(columns=names)[["assessor", "topic", "document", "level"]]
    rows.astype({"level": "int"}).to_csv(tmp_path / "labels.tsv", sep="\t", index=False)
    return tmp_path / "labels.tsv"


def plan(dissent, *words):
    found = dissent("plan", *words, "--format", "json")
    assert found.status == 0, found.err
    return found.json


def scored(files):
    return ("--qrels", files / "all.qrels", "--run", files / "all.run", "--measure", "nDCG@5")


def test_given_variances_give_the_numbers_of_any_table(dissent):
    found = plan(dissent, *GIVEN, "--effect", "0.1")
    by = {one["method"]: one for one in found["designs"]}
    assert set(by["paired-t"]) == KEYS
    assert by["paired-t"]["topics"] == 34
    assert (by["paired-t"]["alpha"], by["paired-t"]["power"]) == (0.05, 0.8)
    assert by["interval-width"]["power"] is by["interval-width"]["effect"] is None
    assert by["interval-width"]["width"] == 0.2
    assert found["variance"]["differences"] == {"value": 0.04}
    assert {"agreement", "cost"}.isdisjoint(found)


def test_a_variance_of_scores_is_taken_twice_for_differences(dissent):
    found = plan(dissent, "--variance", "0.02", "--method", "paired-t", "one-way-anova")
    assert [one["variance"] for one in found["designs"]] == [0.04, 0.02]


@long
def test_scores_and_runs_give_the_same_plan_with_limits(dissent, files):
    plans = [
        plan(dissent, *words)["designs"]
        for words in (
            scored(files),
            ("--scores", files / "scores.tsv"),
            ("--scores", files / "scores.csv"),
        )
    ]
    assert plans[0] == plans[1] == plans[2]
    one = plans[0][0]
    assert one["low"] <= one["topics"] <= one["high"]
    assert (one["interval"]["method"], one["interval"]["n"]) == (METHOD, 24)
    assert one["interval"]["of"].endswith("over topics like these")
    assert plans[0][1]["systems"] == 4


@long
def test_the_json_of_evaluate_is_a_pilot(dissent, files):
    words = [*scored(files), "AP", "--per-topic", "--format", "json"]
    (files / "scores.json").write_text(dissent("evaluate", *words).out)
    whole = plan(dissent, *scored(files))["designs"]
    own = plan(dissent, "--scores", files / "scores.json", "--measure", "nDCG@5")["designs"]
    assert own == whole
    refused = dissent("plan", "--scores", files / "scores.json")
    assert refused.status == 1
    assert "choose one with --measure" in refused.err


def test_what_a_number_of_topics_tells(dissent):
    found = plan(dissent, *GIVEN, "--topics", "34", "--effect", "0.1", "--method", "paired-t")
    (one,) = found["reached"]
    assert one["power"] == pytest.approx(0.8078, abs=1e-4)
    assert one["effect"] == pytest.approx(0.099, abs=1e-3)
    assert {"topics", "power", "effect"} <= set(found["curve"][0])


def test_items_judged_twice_from_labels_and_assumed(dissent, labels):
    found = plan(dissent, "--labels", labels)["agreement"]
    assert found["figure"] == "kappa(linear)"
    assert (found["pilot_topics"], found["pilot_items"]) == (12, 360)
    assert 0 < found["alike"] < 1
    assert [one["per_topic"] for one in found["items"]] == [5, 10, 20, 50, 100]
    top = plan(dissent, "--labels", labels, "--p-top", "2", "--per-topic", "10")["agreement"]
    assert top["figure"] == "p(top | 2)"
    assert len(top["items"]) == 1
    words = ("--kappa", "0.4", "--shares", "6,3,1", "--alike", "0.05", "--agreement-width", "0.2")
    kappa = plan(dissent, *words)["agreement"]
    assert (kappa["value"], kappa["pilot_width"]) == (0.4, None)
    share = plan(dissent, "--p", "0.3", "--agreement-width", "0.2")["agreement"]
    assert share["figure"] == "p(top | level)"
    never = plan(dissent, "--p", "0.3", "--agreement-width", "0.00001")["agreement"]["items"][0]
    assert never["topics"] is None
    assert "10,000" in never["reason"]


@long
def test_cost_from_runs_and_from_an_overlap(dissent, files):
    found = plan(dissent, *scored(files), "--depth", "2", "5", "--wage", "20", "--judges", "2")
    assert [one["depth"] for one in found["cost"]] == [2, 5]
    assert found["cost"][0]["topics"] == found["designs"][0]["topics"]
    assert found["cost"][1]["money"] == pytest.approx(20 * found["cost"][1]["hours"])
    assert found["same_cost"]["depths"][0]["topics"] > found["same_cost"]["depths"][1]["topics"]
    words = (*GIVEN, "--overlap", "0.5", "--systems", "3", "--depth", "10", "--hours", "10")
    own = plan(dissent, *words)
    assert own["cost"][0]["pool"] == 20
    assert own["same_cost"]["hours"] == 10
    alone = plan(dissent, "--run", files / "all.run", "--depth", "3")
    assert alone["designs"] == []
    assert alone["cost"][0]["topics"] == 50
    assert alone["same_cost"]["depths"] == []


@long
def test_tables_tell_all_parts(dissent, files, labels):
    words = ("--labels", labels, "--topics", "20", "--wage", "10")
    out = dissent("plan", *scored(files), *words).out
    for text in (
        "paired t-test",
        "Tukey's test of all pairs",
        "95 % limits over topics (24), χ²",
        "the 20 topics tell differences of",
        "For a 95 % interval of linear weighted κ",
        "judged twice so far would give",
        "documents a topic",
        "hours buy",
    ):
        assert text in out
    given = dissent("plan", "--variance", "0.02", "--kappa", "0.5", "--overlap", "0.3").out
    assert "so far" not in given
    assert "limits over" not in given
    only = dissent("plan", "--overlap", "0.3", "--systems", "4").out
    assert "hours buy" not in only
    far = dissent("plan", "--difference-variance", "1", "--effect", "0.0001").out
    assert "more than 100,000 topics" in far


@pytest.mark.parametrize("form", ["csv", "latex", "md"])
def test_tables_come_in_other_formats(dissent, form):
    found = dissent("plan", *GIVEN, "--topics", "20", "--format", form)
    assert found.status == 0
    assert "paired t-test" in found.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "give --scores"),
        (("--scores", "x", *GIVEN), "without a pilot"),
        (("--scores", "x", "--qrels", "y"), "without --qrels"),
        (("--qrels", "y"), "goes with --run"),
        ((*GIVEN, "--overlap", "0.5", "--run", "r"), "goes without --run"),
        ((*GIVEN, "--p-top", "2"), "goes with --labels"),
        (("--labels", "x", "--kappa", "0.5"), "without --labels"),
        ((*GIVEN, "--effect", "0"), "above 0"),
        ((*GIVEN, "--power", "1"), "between 0 and 1"),
        ((*GIVEN, "--alike", "x"), "from 0"),
        ((*GIVEN, "--method", "guess"), "invalid choice"),
    ],
)
def test_wrong_usage_is_told(dissent, words, said):
    found = dissent("plan", *words)
    assert found.status == 2
    assert said in found.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("system\ttopic\tvalue\na\tt1\tx\n", "scores.tsv:2: field 'value': 'x' is not a number"),
        ("system\tvalue\na\t1\n", "no column"),
        ("system\ttopic\tvalue\na\tall\t0.5\n", "--per-topic"),
        (json.dumps({"scores": []}), "--per-topic"),
        (json.dumps({"other": []}), "no column"),
        ("system\ttopic\tvalue\na\tt1\t.5\na\tt2\t.5\n", "two systems"),
        (
            "system\ttopic\tmeasure\tvalue\na\tt1\tAP\t.5\na\tt2\tP@5\t.5\n",
            "has scores by AP, P@5; choose one",
        ),
    ],
)
def test_files_that_cannot_be_used_are_told(dissent, tmp_path, text, said):
    (tmp_path / "scores.tsv").write_text(text)
    found = dissent("plan", "--scores", tmp_path / "scores.tsv")
    assert found.status == 1
    assert said in found.err


def test_other_refusals(dissent, files, labels):
    two = dissent("plan", *scored(files), "AP")
    assert (two.status, "one measure" in two.err) == (1, True)
    other = dissent("plan", "--scores", files / "scores.tsv", "--measure", "AP")
    assert "no scores by AP, only by nDCG@5" in other.err
    alpha = dissent("plan", "--labels", labels, "--coefficient", "AC1")
    assert "planned for kappa" in alpha.err
    power = dissent("plan", *GIVEN, "--alpha", "0.5", "--power", "0.3")
    assert "above the significance level" in power.err


@long
def test_real_scores_and_labels(dissent, dl19, shared_data):
    qrels = shared_data / "machine" / "dl19-umbrela.qrels"
    words = ("--qrels", qrels, "--measure", "nDCG@10", "--run", *sorted((dl19 / "runs").iterdir()))
    found = plan(dissent, *words, "--labels", dl19 / "labels.tsv")
    by = {one["method"]: one for one in found["designs"]}
    assert by["paired-t"]["topics"] == 126
    assert by["one-way-anova"]["systems"] == 37
    assert found["agreement"]["alike"] > 0.1
    assert found["cost"][-1]["pool"] > 500


def test_labels_say_what_more_topics_and_opinions_buy(dissent, labels):
    words = ("--labels", labels, "--items", "5", "--draws", "20", "--seed", "2")
    found = plan(dissent, *words)
    assert set(found["opinions"]) == {"components", "equal_cost", "gains", "learning", "next"}
    here = found["opinions"]["gains"][0]
    assert here["interval"]["of"].startswith("standard error of the difference of two systems")
    assert "5 items a topic" in next(
        one["answer"] for one in found["answers"] if one["plan"] == "plan of opinions"
    )
    assert found["opinions"]["next"][0]["topic"]
    assert any(note.startswith("plan of opinions: scores are mean") for note in found["notes"])


@pytest.fixture
def votes(tmp_path):
    paths = []
    for seed, number in ((1, 900), (2, 200)):
        paths.append(tmp_path / f"votes{seed}.tsv")
        paths[-1].write_bytes(write_preferences(make_votes(number, seed)))
    return paths


def test_votes_say_how_they_are_spent_best_and_where_next(dissent, votes):
    found = plan(dissent, "--votes", votes[0], "--budget", "40", "--draws", "50")
    assert [one["votes"] for one in found["votes"]["rules"]] == [40.0] * 8
    assert sum(one["asked"] for one in found["votes"]["next"]) == 100
    both = plan(dissent, "--votes", votes[0], "--later", votes[1])["votes"]["shares"]
    assert both != found["votes"]["shares"]
    out = dissent("plan", "--votes", votes[0]).out
    assert out.startswith("Of 40 votes, 1 vote a pair comes nearest")
    assert "close systems get more, pooled" in out
    wrong = dissent("plan", "--variance", "0.1", "--later", votes[1])
    assert wrong.status == 2
    assert "--later goes with --votes" in wrong.err
