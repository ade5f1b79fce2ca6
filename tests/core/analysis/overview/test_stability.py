"""Whether the ranking has come to rest."""

import numpy as np
import pandas as pd

from core.analysis.overview.stability import describe_stability, first_results, ranking_stability
from tests.short import long


def rows(*tau: float) -> pd.DataFrame:
    shares = [tenth / 10 for tenth in range(1, len(tau) + 1)]
    return pd.DataFrame({"share": shares, "topics": 3, "systems": 1200, "tau": tau})


def test_earlier_states_are_compared_with_today(scene):
    for document in (6, 5):
        scene.give("x", "t1", document, 2)
    for topic in ("t2", "t3"):
        for document in (1, 2, 3, 4):
            scene.give("x", topic, document, 2)
    table = ranking_stability(scene.study)
    assert table["share"].tolist() == [tenth / 10 for tenth in range(1, 10)]
    assert table["tau"].iloc[0] == -1
    assert table["tau"].iloc[-1] == 1
    assert table["topics"].tolist() == sorted(table["topics"])
    assert table["topics"].iloc[-1] == 3


@long
def test_a_state_without_anything_relevant_has_no_tau(scene):
    for document in (1, 2, 3, 4, 5):
        scene.give("x", "t1", document, 0)
    scene.give("x", "t1", 1, 2)  # stale: the first label stands
    scene.give("y", "t1", 1, 2)
    table = ranking_stability(scene.study)
    assert table["tau"].isna().all()
    assert table["topics"].eq(0).all()


@long
def test_one_label_has_no_earlier_state(scene):
    scene.give("x", "t1", 1, 2)
    table = ranking_stability(scene.study)
    assert table["tau"].isna().all()
    assert (
        describe_stability(table, "nDCG@10") == "No earlier state gives a ranking to compare with."
    )


@long
def test_nothing_is_compared_without_labels_a_relevant_document_or_systems(scene):
    assert ranking_stability(scene.study).empty
    scene.give("x", "t1", 1, 0)
    assert ranking_stability(scene.study).empty
    scene.store.cursor().execute("DELETE FROM run_lines WHERE system = 'up'")
    scene.give("x", "t1", 2, 2)
    scene.bring("topics", "t4\tlate\n")  # a change, so that runs are read again
    assert ranking_stability(scene.study).empty


def test_labels_of_topics_that_no_run_answers_give_no_ranking(scene):
    scene.bring("topics", "t4\tunanswered\n")
    scene.give("x", "t4", 1, 2)
    assert ranking_stability(scene.study).empty


def test_of_each_run_the_first_ten_documents_count(scene):
    long = "".join(f"t1 Q0 x{rank} {rank} {99 - rank} long\n" for rank in range(1, 15))
    scene.bring("runs", long)
    assert first_results(scene.study)["system"].value_counts()["long"] == 10


def test_words_say_whether_it_is_at_rest():
    nan = np.nan
    assert "No earlier state" in describe_stability(rows(nan, nan), "nDCG@10")
    assert describe_stability(rows(nan, 0.95, 0.97), "nDCG@10") == (
        "τ with today's order of 1,200 systems by nDCG@10 was 0.950 after 20% of the labels "
        "already."
    )
    assert describe_stability(rows(0.2, 0.95, 0.89), "nDCG@10") == (
        "The ranking still moves: τ with today's order of 1,200 systems by nDCG@10 was 0.890 "
        "after 30% of the labels."
    )
    assert describe_stability(rows(0.2, 0.8, 0.93), "nDCG@10") == (
        "τ with today's order of 1,200 systems by nDCG@10 has been 0.9 or more since 30% of the "
        "labels."
    )
