"""What is drawn in the shape of a real collection looks like that collection."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import dissent
from tests.calibration.label_models import LabelModel, rate, take
from tests.calibration.orders import REAL, RunsOrderModel
from tests.calibration.score_models import COLLECTIONS, ONE_RUN, RunsModel
from tests.calibration.shapes import (
    CHORUS,
    DL19,
    ONE_RUN_SHAPES,
    PARTS,
    RF10,
    SCORE_SHAPES,
    LabelShape,
    ScoreShape,
)

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


@pytest.mark.parametrize("shape", SCORE_SHAPES, ids=lambda one: f"{one.collection} {one.measure}")
def test_what_is_said_of_the_scores_of_runs_is_so(shape: ScoreShape, scores_of):
    values = scores_of(shape)
    alike = np.corrcoef(values.T)[np.triu_indices(values.shape[1], k=1)]
    assert np.nanmean(alike) == pytest.approx(shape.similarity, abs=0.01)
    halves = np.array_split(values, 2, axis=1)
    assert [half.mean() for half in halves] == pytest.approx(shape.means, abs=0.001)
    for half, told in zip(halves, (shape.weaker, shape.stronger), strict=True):
        assert np.quantile(half, PARTS) == pytest.approx(told, abs=0.005 * max(told[-1], 1))


@pytest.mark.parametrize("model", COLLECTIONS, ids=lambda one: one.name)
def test_scores_that_are_drawn_are_spread_as_those_of_the_runs(model: RunsModel):
    shape = SCORE_SHAPES[COLLECTIONS.index(model)]
    drawn = model.draw_runs(40_000, 4, np.random.default_rng(0))
    means = drawn[:, ::2].mean(), drawn[:, 1::2].mean()
    assert means == pytest.approx(shape.means, rel=0.05)
    alike = np.corrcoef(drawn.T)[np.triu_indices(4, k=1)].mean()
    # Where most scores are 1, those that are drawn are less alike.
    assert alike == pytest.approx(shape.similarity, abs=0.2 if shape.measure == "RR" else 0.1)


def test_systems_in_groups_are_more_alike():
    model = replace(COLLECTIONS[0], groups=2)
    alike = np.corrcoef(model.draw(40_000, 4, np.random.default_rng(0)).T)
    assert alike[0, 2] > 0.95 > 0.8 > alike[0, 1]


def test_what_is_said_of_the_scores_of_one_run_is_so(shared_data):
    folder = shared_data / "web09"
    with warnings.catch_warnings(category=dissent.ReadWarning, action="ignore"):
        qrels = dissent.read_qrels(folder / "diversity.qrels.gz")
        run = dissent.read_runs(folder / "indri-baseline.run.gz")
    rows = dissent.evaluate(run, qrels, [one.measure for one in ONE_RUN_SHAPES]).by_topic
    for shape, model in zip(ONE_RUN_SHAPES, ONE_RUN, strict=True):
        values = rows.loc[rows["measure"] == shape.measure, "value"]
        assert np.quantile(values, PARTS) == pytest.approx(shape.scores, abs=0.001)
        assert model.mean == pytest.approx(values.mean(), rel=0.05)


@pytest.mark.parametrize("model", REAL, ids=lambda one: one.name)
def test_two_conditions_are_alike_as_those_of_one_collection(model: RunsOrderModel):
    first, second = (one.scores.values for one in model.draw(20_000, 6, np.random.default_rng(0)))
    orders = [np.argsort(one.mean(axis=0).round(2), kind="stable") for one in (first, second)]
    assert (orders[0].tolist() == orders[1].tolist()) is (model.turned == 0)
    same = np.mean([np.corrcoef(first[:, at], second[:, at])[0, 1] for at in range(6)])
    assert 0.8 < same < 0.95
    assert len({*first.mean(axis=0).round(2).tolist()}) == (model.runs.groups or 6)
