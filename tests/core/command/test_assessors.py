"""``dissent assessors``: how each assessor judges, from a file."""

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from core.settings import ROOT

SMALL = ROOT / "sample_data" / "small" / "labels.tsv"


def test_a_file_tells_of_each_assessor(dissent):
    told = json.loads(dissent("assessors", SMALL, "--format", "json").out)
    assert set(told) == {
        "answers", "notes", "assessors", "chance", "leaving_out", "leaving_out_ranking",
        "level_shares", "active_time", "drift",
    }  # fmt: skip
    (answer,) = told["answers"]
    assert answer["facet"] == "page"
    assert answer["answer"].endswith("This alone is no verdict on anybody.")
    assert "after Holm's correction for all of them" in answer["leniency"]
    assert answer["chance"].startswith("What chance gives is taken from labels dealt anew in")
    assert answer["ranking"] == ""
    assert "takes α(ordinal) from" in answer["chance"]
    assert {one["finding"] for one in told["chance"]} == {"kappa_mean", "leniency", "drift"}
    assert {"value", "within_items", "within_items_low", "p", "beyond"} <= set(told["chance"][0])
    (left_out,) = told["leaving_out"]
    assert left_out["left_out"] == 1
    (ranking,) = told["leaving_out_ranking"]
    assert ranking["tau"] is None
    assert ranking["reason"] == "there are no runs, so systems are not ranked"
    labels = pd.read_csv(SMALL, sep="\t")
    labels["level"] = labels["level"].astype(float)
    wide = labels.pivot(index=["topic", "document"], columns="assessor", values="level")
    for row in told["assessors"]:
        others = wide.drop(columns=row["assessor"]).mean(axis=1)
        expected = (wide[row["assessor"]] - others).mean()
        assert row["leniency"] == pytest.approx(expected, abs=1e-12)
        assert row["interval"] == {
            "method": "jackknife",
            "unit": "topic",
            "n": labels["topic"].nunique(),
            "of": "leniency of this assessor, over topics like these",
        }
        assert "gold_n" not in row


def test_a_column_of_gold_is_what_people_are_set_beside(dissent, tmp_path: Path):
    labels = pd.read_csv(SMALL, sep="\t")
    right = labels[labels["assessor"] == "simulated-1"].set_index(["topic", "document"])["level"]
    path = tmp_path / "labels.tsv"
    labels.join(right.rename("truth"), on=["topic", "document"]).to_csv(path, sep="\t", index=False)
    said = dissent("assessors", path, "--gold", "truth", "--format", "json").out
    rows = {one["assessor"]: one for one in json.loads(said)["assessors"]}
    assert [*rows] == ["simulated-1", "simulated-2", "simulated-3"]
    assert rows["simulated-1"]["gold_raw"] == rows["simulated-1"]["gold_kappa"] == 1
    assert 0 < rows["simulated-2"]["gold_raw"] < 1
    table = dissent("assessors", path, "--gold", "truth").out
    assert "κ with gold" in table
    assert "no verdict" in table.splitlines()[0]
    csv = dissent("assessors", path, "--format", "csv").out
    assert pd.read_csv(io.StringIO(csv))["table"].unique().tolist() == [
        "assessors", "chance", "leaving_out", "leaving_out_ranking", "level_shares", "drift",
    ]  # fmt: skip


def test_runs_tell_what_leaving_out_does_to_their_ranking(dissent):
    asked = ["assessors", SMALL, "--run", *sorted(SMALL.parent.glob("*.run*"))]
    told = dissent(*asked, "--measure", "AP", "--version", "all, mean", "--format", "json").json
    (row,) = told["leaving_out_ranking"]
    assert -1 <= row["tau"] <= 1
    assert row["left_out"] == 1
    (answer,) = told["answers"]
    assert " by AP under 'all, mean' without the assessor who agrees least" in answer["ranking"]
    table = dissent(*asked).out
    assert "under 'all, median, in whole levels' without" in table.splitlines()[0]
    assert "the ranking of systems\n" in table
    assert "the ranking of systems\n" not in dissent("assessors", SMALL).out
    assert "nDCG" not in dissent("assessors", SMALL).out
