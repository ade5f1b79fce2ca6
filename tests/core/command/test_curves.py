"""Curves from the command line, against the numbers that the textbook prints."""

import json

import pytest

from core.settings import ROOT

TEXTBOOK = ROOT / "sample_data" / "textbook"
ASKED = ("--run", TEXTBOOK / "textbook.run", "--qrels")


def test_the_textbook_has_its_curves(dissent):
    """Baeza-Yates & Ribeiro-Neto, ch. 4: precision at recall 0 to 1, and nDCG of averages."""
    result = dissent(
        "curves", *ASKED, TEXTBOOK / "graded.qrels", "--measure", "nDCG(discount='jarvelin')",
        "--average", "ratio", "--format", "json",
    )  # fmt: skip
    assert set(result.json) == {
        "answer", "qrels", "notes", "eleven_points", "ranks", "gain", "areas"
    }  # fmt: skip
    precision = [row["value"] for row in result.json["eleven_points"]]
    assert precision[:3] == pytest.approx([2 / 3, 2 / 3, 1 / 2])
    gain = [round(row["value"], 2) for row in result.json["gain"]]
    assert gain == [0.17, 0.09, 0.21, 0.2, 0.19, *[0.25] * 2, *[0.26] * 2, *[0.29] * 5, 0.37]
    assert {row["topics"] for row in result.json["gain"]} == {2}
    assert "ratio of averages at rank 15: 0.37" in result.json["answer"]


def test_topics_are_printed_where_they_are_asked_for(dissent):
    words = ("curves", *ASKED, TEXTBOOK / "binary.qrels", "--level", "1", "--depth", "3")
    shown = dissent(*words, "--per-topic").out
    assert shown.startswith("textbook has this interpolated precision at recall 0.1: 0.667")
    assert "Precision at every relevant document found" in shown
    told = json.loads(dissent(*words, "--per-topic", "--format", "json").out)
    assert {row["topic"] for row in told["gain_by_topic"]} == {"q1", "q2"}
    assert [row["rank"] for row in told["ranks"]] == [1, 2, 3]
    assert "topic by topic" not in dissent(*words).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--measure", "nDCG@10"), "'nDCG@10' has no curve of gain"),
        (("--level", "5"), "no topic has a relevant document"),
    ],
)
def test_what_has_no_curve_is_refused(dissent, words, said):
    result = dissent("curves", *ASKED, TEXTBOOK / "binary.qrels", *words)
    assert (result.status, result.out) == (1, "")
    assert said in result.err
