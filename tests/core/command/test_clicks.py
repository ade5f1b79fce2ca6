"""The clicks command: its JSON, its tables, what it refuses."""

import gzip

import pytest

from core.settings import DEMO_DATA
from tests.short import long

KEYS = {
    *("sessions", "pages", "clicks", "ctr_by_rank", "ctr_by_level", "rates_by_rank", "baseline"),
    *("answer", "models_answer", "models", "lift"),
}
JUDGED = {
    *("rates_by_level", "rates_by_level_and_rank", "attractiveness_model"),
    *("attractiveness_by_level", "contradictions", "predicting"),
}
LEVEL = {"Non": 0, "Rel": 1, "HRel": 2, "Key": 3, "Nav": 3}
LOG = DEMO_DATA / "clicks.tsv"


@pytest.fixture
def grades(tmp_path):
    """The levels that the authors of the demo's pages had in mind, as a table and as qrels."""
    lines = (DEMO_DATA / "page_levels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    table = "query,document,grade\n" + "".join(f"{a},{b},{LEVEL[c]}\n" for a, b, c in rows)
    (tmp_path / "grades.csv.gz").write_bytes(gzip.compress(table.encode()))
    qrels = "".join(f"{a} 0 {b} {LEVEL[c]}\n" for a, b, c in rows)
    (tmp_path / "grades.qrels").write_text(qrels, encoding="utf-8")
    return tmp_path / "grades.csv.gz", tmp_path / "grades.qrels"


def test_json_without_judgements(dissent):
    found = dissent("clicks", LOG, "--model", "PBM", "CTR", "--format", "json").json
    assert set(found) == {*KEYS, "notes"}
    assert (found["sessions"], found["pages"]) == (600, 800)
    assert len(found["ctr_by_rank"]) == 10
    assert found["ctr_by_rank"][0] > 2 * found["ctr_by_rank"][3] > 4 * found["ctr_by_rank"][9]
    assert (found["ctr_by_level"], found["lift"]) == ({}, [])
    assert [one["model"] for one in found["models"]] == ["rank-CTR", "PBM", "CTR"]
    baseline, pbm, _ = found["models"]
    assert baseline["examination"] is None
    assert len(pbm["examination"]) == len(pbm["perplexity_by_rank"]) == 10
    assert pbm["log_likelihood"] > baseline["log_likelihood"]
    assert pbm["difference_high"] < 0
    assert "PBM predicts" in found["models_answer"]


@long
def test_json_with_judgements(dissent, grades):
    table, qrels = grades
    words = ["clicks", LOG, "--model", "PBM", "--format", "json", "--judgements"]
    found = dissent(*words, table, "--weights", "0=0,1=0.3,2=0.5,3=1").json
    assert set(found) == {*KEYS, *JUDGED, "notes"}
    rates = found["ctr_by_level"]
    assert list(rates) == ["0", "1", "2", "3"]
    assert rates["0"] < rates["1"] < rates["2"] < rates["3"]
    assert {one["against"] for one in found["lift"]} == {"levels", "weights"}
    above = next(one for one in found["lift"] if one["rule"] == "click-skip-above")
    assert above["low"] > 1
    assert above["lift"] == pytest.approx(above["agree"] / above["expected"])
    assert above["interval"]["unit"] == "session"
    assert found["contradictions"]["cut"] == 2
    by = {one["predictor"]: one for one in found["predicting"]}
    assert by["attractiveness"]["low"] > 0.5
    other = dissent(*words, qrels).json
    assert other["ctr_by_level"] == rates


@long
def test_tables(dissent, grades):
    out = dissent("clicks", LOG, "--judgements", grades[0]).out
    for words in (
        "600 sessions, 800 pages",
        "People prefer what clicks prefer (click > skip above)",
        "UBM",
        "click > no-click next",
        "Attractiveness by level",
        "By the model PBM.",
        "Results about which people and clicks contradict each other",
        "rank and click-through rate",
        "topics (14)",
    ):
        assert words in out


@long
def test_preferences_alone(dissent):
    words = ["clicks", LOG, "--model", "PBM", "--preferences", "p.tsv"]
    with open("p.tsv", "w", encoding="utf-8") as file:
        file.write((DEMO_DATA / "preferences.tsv").read_text(encoding="utf-8"))
    assert "only preferences" not in dissent(*words).out
    assert dissent(*words).status == 1
    assert "several kinds" in dissent(*words).err
    with open("p.tsv", "w", encoding="utf-8") as file:
        lines = (DEMO_DATA / "preferences.tsv").read_text(encoding="utf-8").splitlines()
        file.write("\n".join(line for line in lines if "\tsystems\t" not in line))
    found = dissent(*words, "--format", "json").json
    assert {one["against"] for one in found["lift"]} == {"preferences"}
    assert "\npreferences  click > " in dissent(*words).out


@long
def test_too_little_is_said_and_not_made_up(dissent, tmp_path):
    rows = "".join(f"s{at}\tq\t1\td{at % 3}\t{at % 2}\n" for at in range(12))
    header = "session\tquery\trank\tdocument\tclicked\n"
    (tmp_path / "log.tsv").write_text(header + rows, encoding="utf-8")
    (tmp_path / "one.qrels").write_text("q 0 d0 1\n", encoding="utf-8")
    words = ["clicks", "log.tsv", "--judgements", "one.qrels", "--model", "PBM"]
    found = dissent(*words, "--format", "json").json
    assert found["contradictions"] is None
    assert "two levels" in found["contradictions_reason"]
    assert found["predicting"] is None
    out = dissent(*words).out
    assert "Results about which people and clicks contradict" not in out
    told = dissent(*words).err
    assert "to tell high from low takes two levels" in told
    assert "0 queries have results of different levels" in told


def test_few_sessions_are_told_without_models(dissent, tmp_path):
    rows = "".join(f"s{at}\tq\t{rank}\td{rank}\t{at}\n" for at in range(2) for rank in (1, 2))
    header = "session\tquery\trank\tdocument\tclicked\n"
    (tmp_path / "log.tsv").write_text(header + rows, encoding="utf-8")
    found = dissent("clicks", "log.tsv", "--format", "json").json
    why = "2 sessions cannot be dealt into 5 folds"
    assert (found["models"], found["models_answer"]) == (None, None)
    assert found["models_reason"] == found["models_answer_reason"] == why
    assert found["ctr_by_rank"] == [0.5, 0.5]
    told = dissent("clicks", "log.tsv")
    assert (told.status, "Click-through rate by rank" in told.out, why in told.err) == (
        0,
        True,
        True,
    )
    one = "".join(line for line in rows.splitlines(keepends=True) if line[:2] == "s1")
    (tmp_path / "log.tsv").write_text(header + one, encoding="utf-8")
    assert "1 session, 1 page, 2 clicks" in dissent("clicks", "log.tsv").out


def test_all_models_that_suit(dissent, tmp_path):
    rows = "".join(f"s{at}\tq\t{1 + at % 2}\td{at % 3}\t{at % 2}\n" for at in range(40))
    header = "session\tquery\trank\tdocument\tclicked\n"
    (tmp_path / "log.tsv").write_text(header + rows, encoding="utf-8")
    found = dissent("clicks", "log.tsv", "--model", "all", "--format", "json").json
    names = [one["model"] for one in found["models"]]
    assert {"PBM", "UBM", "cascade", "DCM", "SDBN", "DBN"} < set(names)
    assert not any("level" in name for name in names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--model", "level-CTR"], "a model by level needs judgements"),
        (["--weights", "0=0,1=1"], "weights are of levels"),
        (["--model", "coin"], "'coin' is not a click model"),
        (["--judgements", "bad.csv"], "bad.csv:3: 'much' is not a level"),
        (["--judgements", "short.csv"], "short.csv:2: has too few cells"),
        (["--judgements", "other.csv"], "no result of the click log has a level"),
        (["--judgements", "words.txt"], "words.txt:1"),
    ],
)
def test_what_is_refused(dissent, tmp_path, words, reason):
    header = "topic,document,level\n"
    for name, text in (
        ("bad.csv", f"{header}t01,t01-d01,1\nt01,t01-d02,much\n"),
        ("short.csv", f"{header}t01,t01-d01\n"),
        ("other.csv", f"{header}zz,zz,1\n\n"),
        ("words.txt", "no judgements here at all\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = dissent("clicks", LOG, *words)
    assert found.status == 1
    assert reason in found.err


def test_malformed_sessions_are_left_out_and_counted_or_refused(dissent, tmp_path):
    text = "1\t0\tQ\tq\t0\td1\td2\n1\t1\tC\td2\n2\t0\tC\td1\n" + "".join(
        f"{at}\t0\tQ\tq\t0\td1\td2\n" for at in range(3, 12)
    )
    (tmp_path / "log.tsv").write_text(text, encoding="utf-8")
    found = dissent("clicks", "log.tsv", "--model", "PBM", "--format", "json")
    assert found.json["sessions"] == 10
    assert "1 session" in found.err
    refused = dissent("clicks", "log.tsv", "--strict")
    assert refused.status == 1
    assert "log.tsv:3" in refused.err


@long
def test_all_models_stand_for_those_that_suit_the_usual_ones_first(dissent, monkeypatch):
    monkeypatch.setattr("core.clicks.click_model.CLICK_MODELS.suggested", lambda: ["CTR", "PBM"])
    found = dissent("clicks", LOG, "--model", "all", "--format", "json").json
    assert [one["model"] for one in found["models"]] == ["rank-CTR", "PBM", "CTR"]
