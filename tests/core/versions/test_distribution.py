"""How levels are spread."""

import pandas as pd
import pytest

from core.versions.distribution import level_distribution
from core.versions.imported import version_from_qrels
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion


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
