"""The interleave command: its JSON, its tables, what it refuses."""

import json

import numpy as np
import pytest

from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.interleaving.base import METHODS, parse_method
from core.interleaving.users import parse_user
from core.reports.interleaving import make_traffic, simulate_preference
from core.versions.judgements import put_on_scale
from tests.core.reports.test_interleaving import NAMES, log_of, make_study, split
from tests.short import long

KEYS = {
    *("first", "second", "method", "clicks", "first_wins", "second_wins", "ties"),
    *("without_clicks", "impressions", "sessions", "topics", "delta", "low", "high", "interval"),
    *("p", "p_ties_half", "p_bootstrap", "delta_of_random_clicks", "answer"),
}


@pytest.fixture
def files(tmp_path):
    runs, qrels = make_study()
    for name, run in zip(NAMES, split(runs), strict=True):
        lines = run.assign(score=-run["rank"].astype("float64"))
        (tmp_path / f"{name}.run").write_bytes(write_run(lines))
    (tmp_path / "study.qrels").write_bytes(write_qrels(qrels))
    return ["--first", tmp_path / "good.run", "--second", tmp_path / "poor.run"]


def simulated(files, user="navigational"):
    return [*files, "--simulate", user, "--qrels", "study.qrels"]


def test_json_has_the_wins_delta_and_what_its_limits_rest_on(dissent, files):
    found = dissent("interleave", *simulated(files), "--format", "json").json
    assert set(found) == {*KEYS, "notes"}
    assert (found["first"], found["second"], found["method"]) == (*NAMES, "team-draft")
    of = "share of lists that the first run wins, ties counting half, less one half"
    assert found["interval"] == {
        **{"method": "bootstrap", "unit": "session", "n": 1_000},
        "of": f"{of}, over sessions like these",
    }
    wins = [found[name] for name in ("first_wins", "second_wins", "ties")]
    assert sum(wins) == found["impressions"] == 1_000
    assert all(isinstance(one, int) for one in wins)
    assert found["delta"] == pytest.approx((wins[0] + wins[2] / 2) / 1_000 - 0.5)
    assert 0 < found["low"] < found["delta"] < found["high"]


@pytest.mark.parametrize("text", METHODS.suggested())
def test_it_says_what_python_says(dissent, files, text):
    words = ["--method", text, "--impressions", 300, "--seed", 5, "--length", 5, "--format", "json"]
    printed = dissent("interleave", *simulated(files), *words).json
    runs, qrels = make_study()
    traffic, _ = make_traffic(
        *split(runs), put_on_scale(qrels), parse_user("navigational"), length=5
    )
    found = simulate_preference(traffic, NAMES, parse_method(text), impressions=300, seed=5)
    for name in ("delta", "low", "high", "p", "p_ties_half", "p_bootstrap"):
        assert printed[name] == pytest.approx(getattr(found.comparison, name), rel=1e-12)
    assert printed["delta_of_random_clicks"] == pytest.approx(found.random_clicks)


@long
def test_power_and_pairs_are_printed_when_asked_for(dissent, files, tmp_path):
    (tmp_path / "third.run").write_text((tmp_path / "poor.run").read_text().replace("poor", "bad"))
    more = ["--power", "--beside", "third.run", tmp_path / "good.run", "--impressions", 60]
    found = dissent("interleave", *simulated(files), *more, "--format", "json").json
    assert set(found) == {*KEYS, "notes", "power", "enough", "beside"}
    assert {row["test"] for row in found["power"]} == {"team-draft", "A/B"}
    assert set(found["power"][0]) == {
        *("test", "measure", "impressions", "found", "for_first", "simulations")
    }
    assert found["beside"]["pairs"] == len(found["beside"]["rows"]) == 3
    assert found["beside"]["rows"][0]["interval"]["unit"] == "session"
    said = dissent("interleave", *simulated(files), *more).out
    assert "Simulated navigational users prefer good to poor" in said
    assert "share of 200 simulated studies with p < 0.05" in said
    assert "A/B: abandonment" in said
    assert "Of 3 pairs of runs" in said


def test_many_pairs_are_cut_for_people_and_whole_in_json(dissent, files, tmp_path, monkeypatch):
    monkeypatch.setattr("core.command.interleave.SHOWN", 1)
    (tmp_path / "third.run").write_text((tmp_path / "poor.run").read_text().replace("poor", "bad"))
    said = dissent("interleave", *simulated(files), "--beside", "third.run").out
    assert "… and 2 more; --format json has all" in said


def test_the_bias_of_balanced_interleaving_is_told(dissent, files):
    words = [*simulated(files), "--method", "balanced"]
    said = dissent("interleave", *words).err
    assert "note: with these two runs balanced interleaving favours good by itself" in said
    (note,) = dissent("interleave", *words, "--format", "json").json["notes"][-1:]
    assert "one click at random in each list would give Δ = +" in note


def test_without_a_preference_it_says_so(dissent, files):
    first = files[1]
    words = ["--first", first, "--second", first, "--simulate", "perfect", "--qrels", "study.qrels"]
    said = dissent("interleave", *words, "--method", "balanced").out
    told = "Simulated perfect users show no preference: every session is a tie (Δ = 0.000"
    assert said.startswith(told)
    assert "no session was won by either" in said
    found = dissent("interleave", *words, "--method", "balanced", "--format", "json").json
    assert found["p"] is None
    assert "ties" in found["reason"]


def test_probable_wins_have_a_decimal(dissent, files):
    said = dissent("interleave", *simulated(files), "--method", "probabilistic").out
    row = next(one for one in said.splitlines() if "probabilistic" in one)
    assert "." in row.split()[3]


def write_log(folder, text: str, name: str = "clicks.jsonl") -> None:
    runs, qrels = make_study()
    lists = log_of(runs, qrels, text, 30)
    lines = [
        {
            "session": one.session,
            "topic": one.topic_id,
            "shown": one.documents,
            "clicks": [at + 1 for at, clicked in enumerate(one.clicked) if clicked],
            **({"teams": one.teams} if one.teams else {}),
        }
        for one in lists
    ]
    (folder / name).write_text("\n".join(map(json.dumps, lines)) + "\n")


@pytest.mark.parametrize("text", METHODS.suggested())
def test_a_log_is_read(dissent, files, tmp_path, text):
    write_log(tmp_path, text)
    words = [*files, "--log", "clicks.jsonl", "--method", text]
    found = dissent("interleave", *words, "--format", "json").json
    assert (found["clicks"], found["impressions"], found["sessions"]) == ("log", 240, 120)
    assert found["interval"]["n"] == 120
    assert found["delta"] > 0
    assert "Users prefer good to poor" in dissent("interleave", *words).out


def write_click_log(folder) -> None:
    runs, qrels = make_study()
    levels = qrels.set_index(["topic_id", "document_id"])["level"]
    rng, lines = np.random.default_rng(4), []
    for topic, own in runs[runs["system"] == "good"].groupby("topic_id"):
        for session in range(40):
            shown = rng.permutation(own["document_id"].to_numpy())[:10].tolist()
            chance = [(0.1 + 0.4 * levels[topic, one]) / rank for rank, one in enumerate(shown, 1)]
            clicks = [one for one, p in zip(shown, chance, strict=True) if rng.random() < p]
            page = {"session": f"{topic}-{session}", "time": 1, "topic": topic}
            lines.append(json.dumps({**page, "shown": shown, "clicks": clicks}))
    (folder / "queries.jsonl").write_text("\n".join(lines) + "\n")


def test_users_of_a_fitted_click_model_prefer_the_good_run(dissent, files, tmp_path):
    write_click_log(tmp_path)
    words = [*simulated(files, "PBM"), "--clicks", "queries.jsonl", "--impressions", 3_000]
    found = dissent("interleave", *words, "--format", "json")
    assert found.status == 0, found.err
    assert found.json["clicks"] == "simulated: PBM"
    assert found.json["low"] > 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--simulate", "PBM", "--qrels", "study.qrels"], "give --clicks"),
        (["--log", "clicks.jsonl", "--method", "team-draft"], "needs to know which run"),
        (["--log", "clicks.jsonl", "--power"], "--power needs simulated users"),
        (["--log", "clicks.jsonl", "--beside", "good.run"], "--beside needs simulated users"),
        (["--simulate", "perfect"], "give --qrels"),
        (
            ["--simulate", "perfect", "--qrels", "study.qrels", "--beside", "twin.run"],
            "a second run is called 'good'",
        ),
    ],
)
def test_what_cannot_be_told_is_refused(dissent, files, tmp_path, words, reason):
    write_log(tmp_path, "balanced")
    (tmp_path / "twin.run").write_text((tmp_path / "good.run").read_text())
    outcome = dissent("interleave", *files, *words)
    assert outcome.status == 1
    assert reason in outcome.err


def test_a_file_of_several_systems_is_refused(dissent, files, tmp_path):
    both = (tmp_path / "good.run").read_text() + (tmp_path / "poor.run").read_text()
    (tmp_path / "both.run").write_text(both)
    words = ["--first", "both.run", *files[2:], "--simulate", "perfect", "--qrels", "study.qrels"]
    outcome = dissent("interleave", *words)
    assert outcome.status == 1
    assert "both.run" in outcome.err
    assert "runs of 2 systems" in outcome.err


@pytest.mark.parametrize("words", [["--simulate", "nobody"], ["--method", "none"], []])
def test_wrong_usage_is_told(dissent, files, words):
    assert dissent("interleave", *files, *words).status == 2


def test_runs_of_one_tag_are_called_by_their_files(dissent, files, tmp_path):
    (tmp_path / "other.run").write_text((tmp_path / "poor.run").read_text().replace("poor", "good"))
    words = [*files[:2], "--second", "other.run", "--simulate", "perfect", "--qrels", "study.qrels"]
    found = dissent("interleave", *words, "--format", "json").json
    assert (found["first"], found["second"]) == ("good", "other")
    assert np.isfinite(found["delta"])


IN_STORE = ["--store", "study.duckdb", "--collection", "Study"]


@pytest.fixture
def stored(dissent, files, tmp_path):
    """The files as a collection, with another run and what it declares."""
    (tmp_path / "third.run").write_text((tmp_path / "poor.run").read_text().replace("poor", "bad"))
    levels = ["--scale", "page=0,1,2"]
    runs = ["good.run", "poor.run", "third.run"]
    dissent("import", "runs", *runs, *IN_STORE, "--create", *levels)
    assert dissent("import", "qrels", "study.qrels", *IN_STORE).status == 0
    declared = ["--version", "imported: study.qrels", "--measure", "AP"]
    assert dissent("declare", *IN_STORE, *declared).status == 0
    return ["--first", "good", "--second", "poor", *IN_STORE]


def test_runs_of_a_collection_are_interleaved_as_files_are(dissent, files, stored, tmp_path):
    more = ["--impressions", 60, "--simulate", "perfect", "--format", "json", "--beside"]
    found = dissent("interleave", *stored, *more, "bad", "good").json
    there = [*files, "--qrels", "study.qrels", "--measure", "AP"]
    of_files = dissent("interleave", *there, *more, "third.run").json
    # Notes say how files were read.
    assert found == {**of_files, "notes": []}
    assert found["beside"]["measure"] == "AP"


def test_a_log_of_lists_is_read_beside_runs_of_a_collection(dissent, files, stored, tmp_path):
    write_log(tmp_path, "team-draft")
    words = ["--log", "clicks.jsonl", "--format", "json"]
    found = dissent("interleave", *stored, *words).json
    assert found == {**dissent("interleave", *files, *words).json, "notes": []}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--second", "nobody"], "no run of 'nobody' here; there are: bad, good, poor"),
        (["--qrels", "study.qrels"], "--qrels is for files: leave out --collection"),
        (["--simulate", "PBM"], "give --clicks"),
        (["--simulate", "PBM", "--clicks", "none"], "none"),
        (["--version", "none"], "none"),
    ],
)
def test_what_a_collection_does_not_have_is_refused(dissent, stored, words, reason):
    outcome = dissent("interleave", *stored, "--simulate", "perfect", *words)
    assert outcome.status == 1
    assert reason in outcome.err


def test_a_version_needs_a_collection(dissent, files):
    outcome = dissent("interleave", *simulated(files), "--version", "all, maximum")
    assert "--version is for a store: give --collection" in outcome.err
