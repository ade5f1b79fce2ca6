"""The scores of real collections' runs, where the data are there."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.collection.files.source import Source
from core.collection.qrels_and_runs.trec import rank_runs, read_qrels
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import put_on_scale
from tests.calibration.score_models import Scores
from tests.calibration.shapes import SCORE_SHAPES, ScoreShape
from tests.core.measures.conftest import read_runs


@pytest.fixture(scope="session")
def rankings_of(shared_data: Path) -> Callable[[str], Rankings]:
    """A collection's runs against its judgements; of several labels the highest counts."""

    @cache
    def find(collection: str) -> Rankings:
        folder = shared_data / collection
        if collection == "dl19":
            names = {"topic": "topic_id", "document": "document_id"}
            labels = pd.read_csv(folder / "labels.tsv", sep="\t", dtype="str").rename(columns=names)
            labels["level"] = labels["level"].astype("float64")
            qrels = labels.groupby(["topic_id", "document_id"], as_index=False)["level"].max()
        else:
            qrels = read_qrels(Source.at(folder / "adhoc.qrels.gz"), None).frames["qrels"]
        runs = read_runs(sorted((folder / "runs").glob("*.run.gz")))
        runs = runs.drop_duplicates(["system", "topic_id", "document_id"])
        runs = rank_runs(runs[["system", "topic_id", "document_id", "score"]])
        return compile_rankings(runs, put_on_scale(qrels))

    return find


@pytest.fixture(scope="session")
def scores_of(rankings_of: Callable[[str], Rankings]) -> Callable[[ScoreShape], Scores]:
    """Scores by topic and run of a collection, runs with lower means first."""

    @cache
    def evaluate_all(collection: str) -> pd.DataFrame:
        measures = [parse_measure(one.measure) for one in SCORE_SHAPES[: len(SCORE_SHAPES) // 2]]
        return evaluate(measures, rankings_of(collection))

    def find(shape: ScoreShape) -> Scores:
        every = evaluate_all(shape.collection)
        own = every[every["measure"] == shape.measure]
        values = own.pivot(index="topic_id", columns="system", values="value").to_numpy()
        return values[:, np.argsort(values.mean(axis=0), kind="stable")]

    return find
