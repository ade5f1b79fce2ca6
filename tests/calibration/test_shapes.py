"""What is drawn in the shape of a real collection looks like that collection."""

import numpy as np
import pandas as pd
import pytest

from tests.calibration.label_models import LabelModel, rate, take
from tests.calibration.shapes import CHORUS, DL19, RF10, LabelShape

SHAPES = [DL19, RF10, CHORUS]


def describe(labels: pd.DataFrame) -> tuple[float, float, float, list[float]]:
    """Return the mean agreement, its spread and slope in log odds, and the share of each level."""
    counts = labels.groupby(["topic", "item"])["level"].value_counts().unstack(fill_value=0)
    given = counts.sum(axis=1)
    counts, given = counts[given > 1], given[given > 1]
    same = (counts * (counts - 1)).sum(axis=1) / (given * (given - 1))
    by_topic = same.groupby(level="topic").agg(["mean", "size"])
    by_topic = by_topic[by_topic["size"] >= 5]
    agreed = by_topic["mean"].clip(0.02, 0.98)
    odds = np.log(agreed / (1 - agreed))
    slope = np.polyfit(np.log(by_topic["size"]), odds, 1)[0]
    shares = labels["level"].value_counts(normalize=True).sort_index()
    return agreed.mean(), odds.std(), float(slope), shares.tolist()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.name)
def test_what_is_drawn_agrees_as_the_collection_does(shape: LabelShape):
    model: LabelModel = take(shape)
    ratings = rate(model.draw(800, 4, np.random.default_rng(0)))
    agreed, spread, slope, shares = describe(
        pd.DataFrame({"topic": ratings.topic, "item": ratings.item, "level": ratings.level})
    )
    assert agreed == pytest.approx(shape.agreed, abs=0.05)
    assert spread == pytest.approx(shape.agreed_spread, rel=0.25)
    assert slope == pytest.approx(shape.slope, abs=0.2)
    assert shares == pytest.approx(shape.shares, abs=0.06)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.name)
def test_as_many_judge_an_item_as_there(shape: LabelShape):
    levels = take(shape).draw(40, 4, np.random.default_rng(1))
    assert levels.shape[2] == shape.people
    judged = (levels >= 0).sum(axis=2)
    assert set(judged.ravel().tolist()) <= {0, shape.labels}
    assert set((judged > 0).sum(axis=1).tolist()) <= set(shape.items)


def read(shape: LabelShape, folder) -> pd.DataFrame:
    if shape is CHORUS:
        raters = [f"agent_{at}_rating" for at in (1, 2, 3)]
        table = pd.read_csv(folder / "chorus/ratings.csv").reset_index(names="item")
        return table.melt(["query", "item"], raters, value_name="level").rename(
            columns={"query": "topic"}
        )
    if shape is RF10:
        table = pd.read_csv(folder / "rf10/labels.tsv.gz", sep="\t")
        names = {"topicID": "topic", "docID": "item", "label": "level"}
        table = table[table["label"] >= 0].drop_duplicates(["topicID", "workerID", "docID"])
        return table.rename(columns=names)
    return pd.read_csv(folder / "dl19/labels.tsv", sep="\t").rename(columns={"document": "item"})


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.name)
def test_what_is_said_of_the_collection_is_so(shape: LabelShape, shared_data):
    agreed, spread, slope, shares = describe(read(shape, shared_data))
    assert [agreed, spread, slope] == pytest.approx(
        [shape.agreed, shape.agreed_spread, shape.slope], abs=0.01
    )
    assert shares == pytest.approx(shape.shares, abs=0.01)
