import json
import re
from collections import defaultdict

import pytest
import pytrec_eval

from core.agreement.intervals import LOG_ODDS
from core.collection.files.source import Source
from core.collection.formats import read_import
from tests.short import long

SCORE = {"qrels", "system", "measure", "topic", "value", "judged"}
MEASURES = {"P@10": "P_10", "AP": "map", "nDCG@10": "ndcg_cut_10"}


@pytest.fixture(scope="module")
def dl19_qrels(dl19, tmp_path_factory):
    """Write the highest level of each document as TREC qrels."""
    labels = read_import("labels", Source.at(dl19 / "labels.tsv")).frames["labels"]
    best = labels.groupby(["topic_id", "document_id"])["level"].max()
    path = tmp_path_factory.mktemp("qrels") / "max.qrels"
    path.write_text(
        "".join(f"{topic} 0 {document} {level:.0f}\n" for (topic, document), level in best.items())
    )
    return path


@pytest.fixture
def small(tmp_path):
    """Write a run and qrels: topic 1 has a relevant document at rank 2, topic 2 has none."""
    (tmp_path / "small.run").write_text("1 Q0 a 1 9 s\n1 Q0 b 2 8 s\n2 Q0 a 1 9 s\n")
    (tmp_path / "small.qrels").write_text("1 0 a 0\n1 0 b 2\n2 0 a 0\n")
    return ("--qrels", tmp_path / "small.qrels", "--run", tmp_path / "small.run")


@long
def test_real_runs_equal_pytrec_eval(dissent, dl19, dl19_qrels):
    """Oracle: trec_eval itself, through pytrec_eval-terrier; scores by topic and their means."""
    runs = sorted((dl19 / "runs").iterdir())
    words = ("evaluate", "--qrels", dl19_qrels, "--run", *runs, "--measure", *MEASURES)
    scores = dissent(*words, "--per-topic", "--format", "json").json["scores"]
    of_means = {"rank", "low", "high", "interval", "topics"}
    assert all(set(one) == (SCORE if one["topic"] else SCORE | of_means) for one in scores)
    assert scores[-1]["interval"] == {
        **{"method": LOG_ODDS, "unit": "topic", "n": 22},
        "of": "mean score of this system, over topics like these",
    }
    qrels = defaultdict(dict)
    for line in dl19_qrels.read_text().splitlines():
        topic, _, document, level = line.split()
        qrels[topic][document] = int(level)
    frame = read_import("runs", [Source.at(run) for run in runs]).frames["runs"]
    expected = {}
    for system, own in frame.groupby("system"):
        run = {
            topic: dict(zip(rows["document_id"], rows["score"].astype(float), strict=True))
            for topic, rows in own.groupby("topic_id")
        }
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.values()))
        by_topic = evaluator.evaluate(run)
        for name, code in MEASURES.items():
            values = {topic: found[code] for topic, found in by_topic.items()}
            values[None] = sum(values.values()) / len(qrels)
            expected |= {(system, name, topic): value for topic, value in values.items()}
    found = {(row["system"], row["measure"], row["topic"]): row["value"] for row in scores}
    assert len(expected) == 37 * 3 * 23
    assert found == pytest.approx(expected, abs=1e-9)


def test_judged_shares_stand_beside_every_score(dissent, dl19, dl19_qrels):
    run = dl19 / "runs" / "ICT-BERT2.run.gz"
    words = ("evaluate", "--qrels", dl19_qrels, "--run", run, "--measure", "P@10", "judged@10")
    precision, judged = dissent(*words, "--format", "json").json["scores"]
    assert precision["judged"] == judged["value"]
    assert 0 < judged["value"] < 1


def test_trec_eval_lines_name_their_run(dissent, small, tmp_path):
    other = tmp_path / "other.run"
    other.write_text("1 Q0 b 1 1 t\n")
    words = ("evaluate", *small, other, "--measure", "P@2", "AP", "--format", "trec_eval")
    lines = dissent(*words).out.splitlines()
    assert lines == [
        "runid\tall\ts",
        "P@2\tall\t0.5000",
        "AP\tall\t0.5000",
        "runid\tall\tt",
        "P@2\tall\t0.5000",
        "AP\tall\t1.0000",
    ]
    detailed = dissent(*words, "--per-topic").out.splitlines()
    assert detailed[:4] == ["runid\tall\ts", "P@2\t1\t0.5000", "AP\t1\t0.5000", "P@2\tall\t0.5000"]


def test_topics_with_nothing_to_find_are_null_and_say_why(dissent, small):
    words = ("evaluate", *small, "--measure", "AP", "--format", "json")
    by_topic = {row["topic"]: row for row in dissent(*words, "--per-topic").json["scores"]}
    assert by_topic["2"]["value"] is None
    assert "nothing judged" in by_topic["2"]["reason"]
    assert by_topic[None]["value"] == 0.5
    (mean,) = dissent(*words, "--empty-topics").json["scores"]
    assert mean["value"] == 0.25


@long
def test_a_mean_over_no_topic_is_null_and_says_why(dissent, small):
    words = ("evaluate", *small, "--measure", "P@1", "--level", 3)
    (mean,) = dissent(*words, "--format", "json").json["scores"]
    assert (mean["value"], mean["measure"]) == (None, "P(rel=3)@1")
    assert "no judged topic" in mean["reason"]
    trec = dissent(*words, "--format", "trec_eval")
    assert trec.out == ""
    assert "note: P(rel=3)@1: no judged topic" in trec.err
    assert "–" in dissent(*words).out


def test_the_level_counts_for_binary_measures_without_one_of_their_own(dissent, small):
    words = ("evaluate", *small, "--level", 2, "--format", "json", "--measure")
    scores = dissent(*words, "AP", "P(rel=3)@1", "RR(rel=1)", "nDCG").json["scores"]
    assert [row["measure"] for row in scores] == ["AP(rel=2)", "P(rel=3)@1", "RR", "nDCG"]


def test_weights_are_the_gain_of_levels(dissent, small):
    measure = "CG(gain='udm')@2"
    words = ("evaluate", *small, "--measure", measure, "--format", "json")
    (mean,) = dissent(*words, "--weights", "1=.25,2=.75").json["scores"]
    assert mean["value"] == 0.75
    without = dissent(*words)
    assert (without.status, without.out) == (1, "")
    assert "needs the weight" in without.err


@long
def test_several_qrels_are_told_apart(dissent, small, tmp_path):
    second = tmp_path / "second.qrels"
    second.write_text("1 0 a 1\n")
    words = ("evaluate", *small, "--qrels", second, "--measure", "P@1")
    scores = dissent(*words, "--format", "json").json["scores"]
    assert {row["qrels"]: row["value"] for row in scores} == {str(small[1]): 0, str(second): 1}
    assert "\nsecond\n" in dissent(*words).out
    latex = dissent(*words, "--format", "latex").out
    assert r"\caption{Mean scores, second}" in latex
    assert str(tmp_path) not in latex
    assert dissent(*words, "--format", "trec_eval").status == 2


def test_tables_begin_with_the_best_system(dissent, small, tmp_path):
    other = tmp_path / "other.run"
    other.write_text("1 Q0 b 1 1 t\n")
    result = dissent("evaluate", *small, other, "--measure", "AP", "nDCG@10", "--per-topic")
    lines = result.out.splitlines()
    assert lines[0] == "t leads with AP 1.000 over 1 topic."
    assert re.split(" {2,}", lines[2]) == [
        *("system", "AP", "judged share", "nDCG@10", "judged share")
    ]
    assert lines[4].split()[:7] == ["t", "1.000", "100.0", "%", "1.000", "100.0", "%"]
    assert lines[5].split()[:2] == ["s", "0.500"]
    assert lines[7].split()[:3] == ["system", "topic", "AP"]


def test_means_over_different_topics_show_how_many_each(dissent, small):
    """A threshold leaves out topics: P@1 counts two here, P(rel=2)@1 one, P(rel=3)@1 none."""
    small[1].write_text("1 0 a 0\n1 0 b 2\n2 0 a 1\n")
    words = ("evaluate", *small, "--measure", "P@1", "P(rel=2)@1", "P(rel=3)@1")
    table = dissent(*words)
    note = "the means are over different topics: P@1 2, P(rel=2)@1 1, P(rel=3)@1 0; a topic where"
    assert note in table.err
    found = dissent(*words, "--format", "json")
    assert [row["topics"] for row in found.json["scores"]] == [2, 1, 0]
    assert note in found.err
    same = dissent("evaluate", *small, "--measure", "P@1", "AP")
    assert "different topics" not in same.err


def test_residuals_stand_beside_rbp_and_inst(dissent, small):
    """By hand: ranks 1 and 2 are judged, so that RBP leaves p² open; in topic 2 nothing counts."""
    words = ("evaluate", *small, "--measure", "RBP(p=0.5)", "AP", "INST@3", "--per-topic")
    scores = dissent(*words, "--format", "json").json["scores"]
    found = {(row["measure"], row["topic"]): row for row in scores}
    assert found["RBP(p=0.5)", "1"]["value"] == 0.25
    assert found["RBP(p=0.5)", "1"]["residual"] == 0.25
    assert found["RBP(p=0.5)", "2"]["residual"] is None
    assert found["RBP(p=0.5)", None]["residual"] == 0.25
    assert "residual" not in found["AP", None]
    one, two = (2 / 3) ** 2, (2 / 3) ** 2 * (2 / 3) ** 2
    best = (one + two) / (1 + one + two)
    inst = found["INST@3", None]
    assert inst["value"] + inst["residual"] == pytest.approx(best)
    header = re.split(" {2,}", dissent(*words).out.splitlines()[2])
    expected = ["system", "RBP(p=0.5)", "residual", "judged share", "AP", "judged share"]
    assert header == [*expected, "INST@3", "residual", "judged share"]


def test_time_biased_gain_reckons_with_the_documents_given(dissent, small, tmp_path):
    """Document a, not relevant, has 1,000 words; without them it counts as having 500."""
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "a", "text": "word " * 1000}))
    words = ("evaluate", *small, "--measure", "TBG", "--format", "json")
    (plain,) = dissent(*words).json["scores"]
    (known,) = dissent(*words, "--documents", tmp_path / "a.jsonl").json["scores"]
    for found, length in ((plain, 500), (known, 1000)):
        seconds = 4.4 + 0.39 * (7.8 + 0.018 * length)
        assert found["value"] == pytest.approx(0.4928 * 2 ** (-seconds / 224), abs=1e-12)


def test_what_a_run_lacks_is_told(dissent, small, tmp_path):
    (tmp_path / "small.run").write_text("1 Q0 b 1 9 s\n7 Q0 b 1 9 s\n")
    err = dissent("evaluate", *small, "--measure", "AP").err
    assert "topics of the runs without a judgement, left out: 1" in err
    assert "judged topics without a line of s, which score 0: 1" in err


def test_systems_can_be_called_after_their_files(dissent, small):
    words = ("evaluate", *small, "--measure", "AP", "--format", "json", "--system-from", "file")
    assert {row["system"] for row in dissent(*words).json["scores"]} == {"small"}


@pytest.mark.parametrize("measure", ["foo", "P@0", "nDCG(gain='much')@10", "P(rel"])
def test_an_unknown_measure_is_wrong_usage(dissent, small, measure):
    result = dissent("evaluate", *small, "--measure", measure)
    assert (result.status, result.out) == (2, "")
    assert f"'{measure}'" in result.err


@pytest.mark.parametrize("level", ["0", "-1", "nan", "x"])
def test_a_level_is_above_zero(dissent, small, level):
    result = dissent("evaluate", *small, "--measure", "AP", f"--level={level}")
    assert result.status == 2
    assert f"'{level}' is not a level above 0" in result.err


@pytest.mark.parametrize(
    ("file", "content", "line"),
    [
        ("small.run", "1 Q0 a 1 9 s\n1 Q0 a 2 8 s\n", 2),
        ("small.run", "1 Q0 a 1 9 s\n1 Q0 b 2 high s\n", 2),
        ("small.qrels", "1 0 a 0\n\n1 0 b\n", 3),
        ("small.qrels", "1 0 a 0\n1 0 a 1\n", 2),
    ],
)
def test_a_faulty_line_is_named(dissent, small, tmp_path, file, content, line):
    (tmp_path / file).write_text(content)
    result = dissent("evaluate", *small, "--measure", "AP", "--format", "json")
    assert (result.status, result.out) == (1, "")
    assert f"dissent: {tmp_path / file}:{line}: " in result.err


def test_json_numbers_are_unrounded(dissent, small, tmp_path):
    (tmp_path / "small.qrels").write_text("1 0 b 1\n1 0 z 1\n1 0 y 1\n")
    out = dissent("evaluate", *small, "--measure", "R", "--format", "json").out
    assert json.loads(out)["scores"][0]["value"] == 1 / 3


def test_samples_are_estimated_or_told_to_be_missing(dissent, tmp_path):
    (tmp_path / "a.run").write_text("".join(f"1 Q0 d{n} {n} {9 - n} s\n" for n in range(1, 6)))
    (tmp_path / "sample.qrels").write_text("1 0 d1 a 1\n1 0 d2 a 0\n1 0 d3 b -1\n1 0 d4 b 1\n")
    (tmp_path / "plain.qrels").write_text("1 0 d1 1\n1 0 d2 0\n1 0 d4 1\n")
    words = (
        "evaluate",
        "--run",
        tmp_path / "a.run",
        "--measure",
        "xinfAP",
        "AP",
        "--format",
        "json",
    )
    found = dissent(*words, "--qrels", tmp_path / "sample.qrels").json["scores"]
    # d4 stands for d3 as well: (1 + 2 · (1 + 1/2 + ½ of d3) / 4) / 3, but for the smoothing.
    share = (1 + 1e-5) / (2 + 3e-5) * 2 + 1 / 3
    assert found[0]["value"] == pytest.approx((1 + 2 * (1 + share) / 4) / 3, abs=1e-12)
    assert found[1]["value"] == pytest.approx(0.75)
    missing, plain = dissent(*words, "--qrels", tmp_path / "plain.qrels").json["scores"]
    assert missing["value"] is None
    assert "what was pooled and not judged" in missing["reason"]
    assert plain["value"] == pytest.approx(0.75)
