"""What curves say: who is highest where, over which topics, and what has no curve."""

import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.reports.curves import UNTESTED, CurvesQuestion, RankingCurves
from core.reports.report import stack_tables
from core.reports.scores import judge_runs
from core.versions.judgements import put_on_scale
from core.wording import drop_marks, plain_with_facts

QRELS = pd.DataFrame(
    [("t1", "a", 2), ("t1", "b", 1), ("t1", "c", 0), ("t2", "d", 1), ("t3", "e", 0)],
    columns=["topic_id", "document_id", "level"],
)


def curves(lists: dict[str, dict[str, str]], **asked) -> RankingCurves:
    """Return the curves of systems, which answer topics with documents of one letter."""
    runs = pd.DataFrame(
        [
            (system, topic, document, rank)
            for system, own in lists.items()
            for topic, documents in own.items()
            for rank, document in enumerate(documents, start=1)
        ],
        columns=["system", "topic_id", "document_id", "rank"],
    )
    given = judge_runs(runs, put_on_scale(QRELS), weights=asked.pop("weights", None))
    return RankingCurves(given, CurvesQuestion(**asked))


TWO = {"first": {"t1": "abx", "t2": "xd"}, "second": {"t1": "xba", "t2": "dx"}}


def test_the_answer_names_who_is_highest_and_over_which_topics():
    """By hand: precision at recall .1 is (1 + 1/2) / 2 and (2/3 + 1) / 2."""
    found = curves(TWO)
    gain = mean_scores(evaluate([parse_measure("nDCG@3")], found.rankings)).set_index("system")
    assert drop_marks(found.answer) == (
        "second has the highest interpolated precision at recall 0.1: 0.833 over 2 topics. "
        f"first has the highest nDCG at rank 3: {gain['value']['first']:.3f} over 2 topics. "
        f"{UNTESTED}"
    )
    assert "**first** has the highest nDCG" in plain_with_facts(found.answer)
    assert list(found.notes) == [
        "judged topics without a line of first, which score 0: 1 (t3)",
        "judged topics without a line of second, which score 0: 1 (t3)",
        "precision: topics with nothing to find, left out: 1",
        "nDCG: topics with nothing to find, left out: 1",
    ]


def test_a_topic_and_some_systems_are_told_alone():
    found = curves(TWO)
    assert drop_marks(found.tell_precision("t1")) == (
        "first has the highest interpolated precision at recall 0.1: 1.000 on topic t1."
    )
    assert drop_marks(found.tell_precision(systems=["first"])) == (
        "first has this interpolated precision at recall 0.1: 0.750 over 2 topics."
    )
    assert found.tell_gain("t3") == ""
    alike = {name: {"t1": "ab", "t2": "d"} for name in ("p", "q", "r", "s")}
    assert drop_marks(curves(alike).tell_gain()).startswith("4 systems share the highest nDCG at")
    two = {name: alike[name] for name in "pq"}
    assert drop_marks(curves(two).tell_gain("t2")).startswith("p and q share the highest nDCG")
    assert UNTESTED not in curves({"p": alike["p"]}).answer


def test_tables_end_where_the_scores_are():
    found = curves(TWO, depth=2, rel=2)
    assert found.depth == 2
    wanted = mean_scores(evaluate([parse_measure("P(rel=2)@2")], found.rankings))
    last = found.ranks[found.ranks["rank"] == 2]
    assert last["value"].tolist() == wanted["value"].tolist() == [0.5, 0]
    assert last["topics"].tolist() == [1, 1]
    assert found.recall_points["rank"].tolist() == [1, 3]
    assert curves(TWO).depth == 3
    assert set(stack_tables({name: found.table(name) for name in found.tables})["table"]) == {
        *found.tables
    }


@pytest.mark.parametrize("measure", ["nDCG", "CG"])
def test_gain_stands_beside_that_of_the_best_list(measure: str):
    found = curves(TWO, measure=f"{measure}(gain='udm')", weights={0: 0.0, 1: 0.5, 2: 1.0})
    rows = found.gain_by_topic
    rows = rows[(rows["system"] == "second") & (rows["topic_id"] == "t1")]
    if measure == "CG":
        assert rows["value"].tolist() == [0, 0.5, 1.5]
        assert rows["ideal"].tolist() == [1, 1.5, 1.5]
        assert found.areas.empty
        assert found.areas_by_topic.empty
    else:
        assert rows["ideal"].tolist() == [1, 1, 1]
        assert 0 < rows["value"].iloc[-1] < 1
        areas = found.areas_by_topic.set_index(["system", "topic_id"])["area"]
        assert areas["second", "t1"] == pytest.approx(rows["value"].mean())
    assert found.gain["topics"].eq(2).all()


def test_means_are_divided_where_that_is_asked():
    found = curves(TWO, measure="nCG", average="ratio")
    first = found.gain[(found.gain["system"] == "first") & (found.gain["rank"] == 1)]
    assert first["value"].tolist() == pytest.approx([(2 + 0) / (2 + 1)])
    assert "nCG, ratio of averages at rank 3" in drop_marks(found.answer)
    assert "ratio" not in found.tell_gain("t1")
    assert not curves(TWO, measure="CG", average="ratio").divides_means


@pytest.mark.parametrize("measure", ["P", "nDCG@10", "nDCG(judged_only=True)"])
def test_what_has_no_curve_of_gain_is_refused(measure: str):
    with pytest.raises(BadInput, match="has no curve of gain: write CG, nCG"):
        _ = curves(TWO, measure=measure).gain


def test_what_nobody_can_draw_is_refused():
    with pytest.raises(BadInput, match="'mean' is no average: topics or ratio"):
        _ = curves(TWO, average="mean").gain
    with pytest.raises(TooLittleData, match="no topic has a relevant document"):
        _ = curves(TWO, rel=3).answer


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_1_is_refused(depth):
    with pytest.raises(BadInput, match="a rank from 1"):
        CurvesQuestion(depth=depth)
