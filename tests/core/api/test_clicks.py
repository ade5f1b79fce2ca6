"""Clicks and interleaved runs from Python: what the commands print."""

import json

import pytest

import dissent as api
from tests.core.command.conftest import dissent
from tests.core.command.test_clicks import LOG, grades
from tests.core.command.test_interleave import files, log_of, make_study, simulated, split
from tests.short import long

__all__ = ["dissent", "files", "grades"]


@long
def test_python_says_of_clicks_what_the_command_prints(dissent, grades, tmp_path):
    printed = dissent(
        *("clicks", LOG, "--model", "PBM", "--format", "json", "--judgements", grades[1]),
        *("--weights", "0=0,1=0.3,2=0.5,3=1", "--seed", 3),
    ).json
    judgements = api.read_qrels(grades[1])
    weights = {0: 0.0, 1: 0.3, 2: 0.5, 3: 1.0}
    found = api.clicks(api.read_clicks(LOG), judgements, "PBM", weights=weights, seed=3)
    assert found.by_rank["value"].tolist() == pytest.approx(printed["ctr_by_rank"])
    models = {one["model"]: one for one in printed["models"]}
    for row in found.held_out.frame.to_dict("records"):
        assert row["perplexity"] == pytest.approx(models[row["model"]]["perplexity"])
    lifts = {(one["rule"], one["against"]): one["lift"] for one in printed["lift"]}
    for row in found.lift.to_dict("records"):
        assert row["lift"] == pytest.approx(lifts[row["rule"], row["against"]])
    areas = {one["predictor"]: one["value"] for one in printed["predicting"]}
    assert dict(found.predicted[["predictor", "value"]].to_numpy()) == pytest.approx(areas)


def test_preferences_between_documents_are_an_opinion(grades, tmp_path):
    shown = LOG.read_text(encoding="utf-8").splitlines()
    header, first, second = (line.split("\t") for line in shown[:3])
    query, document = header.index("topic"), header.index("document")
    rows = f"{first[query]} {first[document]} {second[document]} {first[document]}\n"
    (tmp_path / "sides.txt").write_text(rows, encoding="utf-8")
    preferences = api.read_preferences(tmp_path / "sides.txt", compared="documents")
    found = api.clicks(api.read_clicks(LOG), preferences=preferences)
    assert set(found.opinions) == {"preferences"}


def test_what_needs_levels_is_refused_without_them(tmp_path):
    log = api.read_clicks(LOG)
    with pytest.raises(api.BadInput, match="a model by level needs judgements"):
        api.clicks(log, models=["level-CTR"])
    with pytest.raises(api.BadInput, match="weights are of levels"):
        api.clicks(log, weights={1: 1.0})
    (tmp_path / "other.qrels").write_text("x 0 y 1\n", encoding="utf-8")
    with pytest.raises(api.TooLittleData, match="no result of the click log has a level"):
        api.clicks(log, api.read_qrels(tmp_path / "other.qrels"))


def test_a_malformed_session_refuses_the_log_or_is_left_out(tmp_path):
    lines = [
        {"session": "a", "query": "q", "shown": ["d", "e"], "clicks": ["e"]},
        {"session": "b", "query": "q", "shown": ["d", "d"], "clicks": []},
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(api.BadInput, match=r"log\.jsonl:2"):
        api.read_clicks(tmp_path / "log.jsonl")
    assert len(api.read_clicks(tmp_path / "log.jsonl", lenient=True)) == 1
    with pytest.raises(api.NotFound):
        api.read_clicks(tmp_path / "none.tsv")


@pytest.mark.parametrize("user", ["perfect", "PBM"])
def test_python_says_of_interleaving_what_the_command_prints(dissent, files, tmp_path, user):
    runs, _ = make_study()
    clicked = [
        {"session": str(at), "query": topic, "shown": own["document_id"].tolist(), "clicks": [1]}
        for at, (topic, own) in enumerate(split(runs)[0].groupby("topic_id"))
    ]
    (tmp_path / "clicks.jsonl").write_text("\n".join(map(json.dumps, clicked)), encoding="utf-8")
    words = ["--clicks", "clicks.jsonl"] if user == "PBM" else []
    words += ["--impressions", 200, "--seed", 4, "--length", 6, "--format", "json"]
    printed = dissent("interleave", *simulated(files, user), *words).json
    first, second = (api.read_runs(tmp_path / f"{name}.run") for name in ("good", "poor"))
    log = api.read_clicks(tmp_path / "clicks.jsonl") if user == "PBM" else None
    found = api.interleave(
        first, second, judgements=api.read_qrels(tmp_path / "study.qrels"), user=user, clicks=log,
        impressions=200, seed=4, length=6,
    )  # fmt: skip
    for name in ("delta", "low", "high", "p"):
        assert getattr(found.comparison, name) == pytest.approx(printed[name], rel=1e-12)


def test_a_log_of_interleaved_lists_is_read_from_python(tmp_path):
    runs, qrels = make_study()
    first, second = split(runs)
    logged = log_of(runs, qrels, "team-draft", 20)
    lines = [
        {
            **{"session": one.session, "topic": one.topic_id, "shown": one.documents},
            **{"teams": [team or None for team in one.teams]},
            "clicks": [at for at, was in enumerate(one.clicked, start=1) if was],
        }
        for one in logged
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = api.interleave(first, second, log=api.read_interleaved(tmp_path / "log.jsonl"))
    assert found.comparison.impressions == len(logged)
    assert found.comparison.delta > 0


def test_interleaving_takes_a_log_or_judgements_and_runs_of_one_system():
    runs, qrels = make_study()
    first, second = split(runs)
    with pytest.raises(api.BadInput, match="give a log, or judgements"):
        api.interleave(first, second)
    with pytest.raises(api.BadInput, match="takes the run of one system, not of 2"):
        api.interleave(runs, second, judgements=qrels)
