"""Findings about the assessors of two crowds, beside what chance gives: the handbook's figures."""

import json
from pathlib import Path

import pandas as pd
import pytest

from core.reports.assessors import AssessorQuality, read_assessors
from core.wording import drop_marks
from tests.short import long

pytestmark = long

COLUMNS = "assessor=workerID,topic=topicID,document=docID,level=label"


def beyond(rows: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Return of how many something is said, and of how many it could be, by finding."""
    counted = rows.groupby("finding")["beyond"].agg(["sum", "size"])
    return {str(name): (int(one), int(of)) for name, one, of in counted.itertuples()}


def test_of_a_crowd_who_answers_for_gain_is_found(dissent, shared_data: Path):
    path = shared_data / "rf10" / "labels.tsv.gz"
    words = [path, "--columns", COLUMNS, "--missing=-2", "--gold", "gold", "--format", "json"]
    told = json.loads(dissent("assessors", *words).out)
    rows = pd.DataFrame(told["chance"])
    assert beyond(rows) == {
        "drift": (1, 352), "gold_kappa": (0, 207), "kappa_mean": (0, 484), "leniency": (48, 554),
    }  # fmt: skip
    gold = rows[rows["finding"] == "gold_kappa"].set_index("assessor")
    beside = gold.loc["w101", ["value", "within_items_low", "within_topics_low"]]
    assert beside.astype(float).round(3).tolist() == [0, 0.073, 0.027]
    assert gold.loc["w101", "p"] > 0.5
    left_out = pd.DataFrame(told["leaving_out"]).set_index("left_out")
    assert left_out["beyond"].to_dict() == {24: False, 48: False, 121: True, 242: True}
    columns = ["before", "after", "within_items", "within_topics"]
    columns += ["within_people_before", "within_people"]
    assert left_out[columns].round(3).T.to_dict("list") == {
        24: [0.1, 0.1, 0.101, 0.101, -0.026, -0.025],
        48: [0.1, 0.099, 0.102, 0.105, -0.026, -0.025],
        121: [0.1, 0.197, 0.12, 0.122, -0.026, -0.027],
        242: [0.1, 0.312, 0.175, 0.167, -0.026, -0.013],
    }
    assert (
        "None of 484 assessors is shown to agree less with the others"
        in (told["answers"][0]["chance"])
    )


@pytest.fixture(scope="module")
def votes(shared_data: Path) -> pd.DataFrame:
    """Return votes as levels from the one answer of a pair to the other."""
    path = shared_data / "answers" / "crowdrag" / "votes.tsv.gz"
    votes = pd.read_csv(path, sep="\t", dtype="str").query("occasion == '0'")
    turned = votes["left"] > votes["right"]
    first = votes["left"].where(~turned, votes["right"])
    level = votes["choice"].map({"left": 0, "tie": 1, "right": 2})
    return pd.DataFrame(
        {
            "topic_id": votes["topic"],
            "document_id": first + " " + votes["right"].where(~turned, votes["left"]),
            "assessor_id": votes["assessor"],
            "level": level.where(~turned, 2 - level),
            "aspect": votes["aspect"],
            **{"facet": "page", "engine": "", "occasion": 0, "state": "level", "group": ""},
        }
    )


def judge(votes: pd.DataFrame) -> AssessorQuality:
    return read_assessors(votes, "page", [0, 1, 2])


def test_of_a_crowd_of_votes_nobody_is_beyond_chance_on_any_aspect(votes: pd.DataFrame):
    raised = {}
    for aspect, rows in votes.groupby("aspect"):
        found = judge(rows)
        assert beyond(found.chance) == {
            "drift": (0, 3), "kappa_mean": (0, 40), "leniency": (0, 62),
        }  # fmt: skip
        assert not found.leaving_out["beyond"].any()
        # Who shares ten pairs with another does so in topics of which each has other people.
        assert found.leaving_out["within_topics"].isna().all()
        told = drop_marks(found.chance_answer)
        assert "None of 40 assessors is shown to agree less with the others" in told
        assert ", not shown to be more than this choice gives by chance: " in told
        rows = found.leaving_out.set_index("left_out")[["before", "after", "within_items"]]
        raised[aspect] = rows.loc[10].round(3).tolist()
    assert len(raised) == 7
    assert raised["quality_overall"] == [0.144, 0.157, 0.154]
    assert raised["coherence_logical"] == [0.186, 0.204, 0.198]


def test_all_aspects_as_items_make_agreement_of_nothing(votes: pd.DataFrame):
    aspects = votes["document_id"] + " " + votes["aspect"]
    rows = judge(votes.assign(document_id=aspects)).leaving_out.set_index("left_out")
    columns = ["before", "after", "within_items", "within_topics"]
    columns += ["within_people_before", "within_people"]
    assert rows.loc[206, columns].astype(float).round(3).tolist() == [
        0.173, 0.341, 0.266, 0.29, 0.013, 0.077,
    ]  # fmt: skip


def test_leaving_out_moves_the_ranking_of_a_track_no_more_than_chance(dissent, dl19: Path):
    runs = sorted((dl19 / "runs").iterdir())
    told = dissent("assessors", dl19 / "labels.tsv", "--format", "json", "--run", *runs).json
    rows = pd.DataFrame(told["leaving_out_ranking"])
    assert rows[["left_out", "topics"]].to_numpy().tolist() == [[1, 22], [2, 17], [4, 10]]
    assert rows["tau"].round(3).tolist() == [0.964, 0.997, 1]
    assert rows["within_topics"].round(3).tolist() == [0.976, 0.992, 0.964]
    assert not rows["beyond"].any()
    (answer,) = told["answers"]
    assert (
        "The ranking of 37 systems by nDCG@10 under 'all, median, in whole levels' without the "
        "assessor who agrees least with the others has Kendall's τ-b 0.964 to that by all labels, "
        "not shown to be more than this choice moves it by chance: "
    ) in answer["ranking"]
