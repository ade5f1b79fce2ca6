"""Judgements as a value: levels on a scale, one scale for what is compared, and their hash."""

import pandas as pd
import pytest

from core.errors import BadInput
from core.versions.imported import version_from_qrels
from core.versions.judgements import level_distribution, put_on_one_scale, put_on_scale
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion

QRELS = pd.DataFrame({"topic_id": ["t1", "t1"], "document_id": ["a", "b"], "level": [0, 2]})


def test_without_a_scale_the_highest_level_that_occurs_is_taken_and_it_says_so():
    found = put_on_scale(QRELS)
    assert (found.gmax, found.is_gmax_taken) == (2, True)
    assert found.frame["iteration"].tolist() == ["0", "0"]
    found = put_on_scale(QRELS, 3)
    assert (found.gmax, found.is_gmax_taken) == (3, False)
    empty = put_on_scale(QRELS.head(0))
    assert (empty.gmax, empty.is_gmax_taken) == (0, True)


def test_several_are_put_on_one_scale():
    found = put_on_one_scale({"low": QRELS.assign(level=[0, 1]), "high": QRELS, "none": QRELS[:0]})
    assert {name: one.gmax for name, one in found.items()} == {"low": 2, "high": 2, "none": 2}


def test_what_says_no_scale_goes_up_to_what_occurs_beside_it():
    low = {"low": QRELS.assign(level=[0, 1])}
    assert put_on_one_scale(low, at_least=3)["low"].gmax == 3
    assert put_on_one_scale({"high": QRELS}, at_least=1)["high"].gmax == 2
    assert put_on_one_scale({"none": QRELS[:0]}, at_least=3)["none"].gmax == 3


def test_a_level_above_the_scale_is_refused_with_its_file():
    with pytest.raises(BadInput, match=r"q2: .*level 2 is judged, above the scale's highest, 1"):
        put_on_one_scale({"q1": QRELS.assign(level=[0, 1]), "q2": QRELS}, 1)


def test_other_rows_stay_on_the_scale_and_equal_rows_have_equal_hashes():
    whole = put_on_scale(QRELS, 3)
    part = whole.on_same_scale(whole.frame.head(1))
    assert (part.gmax, len(part.frame)) == (3, 1)
    assert whole.content_hash == whole.on_same_scale(whole.frame.copy()).content_hash
    assert whole.content_hash != part.content_hash


def test_some_topics_are_on_the_scale_of_all():
    whole = put_on_scale(pd.concat([QRELS, QRELS.assign(topic_id="t2")]), 3)
    part = whole.on_topics(["t2"])
    assert (part.frame["topic_id"].tolist(), part.gmax) == (["t2", "t2"], 3)
    assert whole.on_topics([]) is whole


def version_of(levels, gmax=None):
    frame = pd.DataFrame({"topic_id": "t", "iteration": "0", "level": levels})
    frame["document_id"] = [f"d{number}" for number in range(len(frame))]
    highest = max(levels) if gmax is None else gmax
    return QrelsVersion(frame, highest, rule=QrelsRule("v"), last_sequence=0, n_labels=len(frame))


def test_whole_levels_are_counted_with_those_nobody_gave():
    table = level_distribution(version_of([2, 0, 0, 2], gmax=3.0))
    assert table["level"].tolist() == [0, 1, 2, 3]
    assert table["written"].tolist() == ["0", "1", "2", "3"]
    assert table["documents"].tolist() == [2, 0, 2, 0]
    assert table["share"].tolist() == [0.5, 0, 0.5, 0]


def test_negative_levels_are_counted_too():
    table = level_distribution(version_of([-2, 0, 1]))
    assert dict(zip(table["level"], table["documents"], strict=True)) == {-2: 1, -1: 0, 0: 1, 1: 1}


def test_a_few_real_values_stand_as_they_are():
    table = level_distribution(version_of([0.5, 0.5, 0.28, 1]))
    assert table["written"].tolist() == ["0.28", "0.5", "1"]
    assert table["documents"].tolist() == [1, 2, 1]


def test_many_real_values_are_counted_in_bins():
    levels = [number / 20 for number in range(21)]
    table = level_distribution(version_of(levels))
    assert table["written"].tolist() == ["0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1"]
    assert table["documents"].sum() == 21
    assert table["share"].sum() == pytest.approx(1)
    assert table["documents"].iloc[-1] == 5


def test_shares_are_those_of_a_count_by_hand(shared_data):
    labels = pd.read_csv(shared_data / "dl19" / "labels.tsv", sep="\t", dtype={"document": str})
    best = labels.groupby(["topic", "document"])["level"].max()
    frame = best.reset_index().set_axis(["topic_id", "document_id", "level"], axis=1)
    table = level_distribution(version_from_qrels(frame.assign(iteration="0"), "best"))
    assert table["documents"].tolist() == best.value_counts().sort_index().tolist()
