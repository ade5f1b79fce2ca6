"""The numbers of the page, from a store to a score, against trec_eval 9's own code."""

import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import pytrec_eval

from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import UDM, list_choices, weights_of
from core.analysis.results.scores import (
    Scoring,
    ask_scores,
    rankings_of,
    scores_of,
)
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.measures.catalogue import parse_measure
from core.measures.curves import gain_curve
from core.measures.evaluate import mean_scores
from core.reports.scores import average_topics, score_topics
from core.reports.user_model import UserModel
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store
from tests.each import each

MEASURES = ("nDCG@10", "AP", "P@5", "P@10")
NAMES = {"nDCG@10": "ndcg_cut_10", "AP": "map", "P@5": "P_5", "P@10": "P_10"}
MODEL = UserModel(top=3, users=3, at_least=1, weighting="item", keep_lowest=False)


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / "dl19"


@pytest.fixture(scope="module")
def study(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    """dl19 as an organiser imports it."""
    store = Store(tmp_path_factory.mktemp("dl19") / "store.duckdb")
    scales = {"page": numeric_scale(range(4))}
    collection_id = create_collection(store, "dl19", scales=scales)
    files = {
        "topics": [folder / "topics.tsv"],
        "runs": sorted((folder / "runs").glob("*.run.gz")),
        "labels": [folder / "labels.tsv"],
    }
    for kind, paths in files.items():
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        imported = read_import(kind, [Source.at(path) for path in paths], **options)
        write_import(store, collection_id, imported)
    yield Study(store, collection_id, is_masked=True)
    store.close()


@pytest.fixture(scope="module")
def labels(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "labels.tsv", sep="\t", dtype={"topic": str, "document": str})


def first_of_each_topic(labels: pd.DataFrame) -> pd.DataFrame:
    first = labels.groupby("topic", sort=False)["assessor"].first()
    return labels[labels["assessor"] == labels["topic"].map(first)]


def judge_with_trec_eval(folder: Path, labels: pd.DataFrame) -> dict[tuple[str, str, str], float]:
    """Return by system, topic and measure what trec_eval says of the files themselves."""
    best = labels.groupby(["topic", "document"])["level"].max()
    qrels: dict[str, dict[str, int]] = {}
    for (topic, document), level in best.items():
        qrels.setdefault(topic, {})[document] = int(level)
    judge = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10", "P.5,10"})
    values = {}
    for path in sorted((folder / "runs").glob("*.run.gz")):
        run: dict[str, dict[str, float]] = {}
        system = path.name.removesuffix(".run.gz")
        with gzip.open(path, "rt") as lines:
            for topic, _, document, _, score, _ in map(str.split, lines):
                run.setdefault(topic, {})[document] = float(score)
        for topic, scores in judge.evaluate(run).items():
            for ours, theirs in NAMES.items():
                values[system, topic, ours] = scores[theirs]
    return values


@each("version", ["all, maximum", "slot 1"])
def test_scores_of_the_page_are_those_of_trec_eval(study, folder, labels, version):
    choice = list_choices(study, "page", MODEL)[version]
    scores = scores_of(study, choice, MEASURES)
    chosen = labels if version == "all, maximum" else first_of_each_topic(labels)
    oracle = judge_with_trec_eval(folder, chosen)
    keys = list(zip(scores["system"], scores["topic_id"], scores["measure"], strict=True))
    assert scores["value"].tolist() == pytest.approx([oracle[key] for key in keys], abs=1e-9)
    assert scores["system"].nunique() == 37
    assert len(scores) > 37 * 4 * 20
    relevant = set(chosen.loc[chosen["level"] > 0, "topic"])
    left_out = set(oracle) - set(keys)
    assert {topic for _, topic, _ in left_out} == {topic for _, topic, _ in oracle} - relevant


def test_means_of_the_page_are_means_of_trec_eval(study, folder, labels):
    choice = list_choices(study, "page", MODEL)["all, maximum"]
    table = ask_scores(study, choice, MEASURES).side_by_side
    oracle = pd.Series(judge_with_trec_eval(folder, labels)).groupby(level=[0, 2]).mean()
    for measure in MEASURES:
        wanted = [oracle[system, measure] for system in table["system"]]
        assert table[measure].tolist() == pytest.approx(wanted, abs=1e-9)
    assert table["nDCG@10"].is_monotonic_decreasing
    assert set(table["topics"]) == {22}


def test_the_page_shows_the_residuals_of_the_api(study):
    choice = list_choices(study, "page", MODEL)["all, maximum"]
    found = ask_scores(study, choice, ("AP", "RBP", "INST@10"))
    table = found.side_by_side.set_index("system")
    expected = ["AP", "judged", "RBP", "residual RBP", "INST@10", "residual INST@10"]
    assert set(table) == {*expected, "judged@10", "topics"}
    rankings = rankings_of(study, choice)
    means = average_topics(score_topics(rankings, [parse_measure("RBP"), parse_measure("INST@10")]))
    for measure, own in means.groupby("measure"):
        shown = table[f"residual {measure}"].to_dict()
        assert shown == pytest.approx(own.set_index("system")["residual"].to_dict(), abs=1e-12)
        assert 0 < own["residual"].min() < own["residual"].max() < 1


def test_curves_end_where_the_scores_are(study):
    choice = list_choices(study, "page", MODEL)["slot 2"]
    gain = gain_curve(rankings_of(study, choice), 10)
    means = mean_scores(scores_of(study, choice, ["nDCG@10"])).set_index("system")["value"]
    ends = gain[gain["rank"] == 10].set_index("system")["value"]
    assert ends.to_dict() == pytest.approx(means.to_dict(), abs=1e-12)


def test_the_udm_weighs_with_the_chances_of_the_labels(study, labels):
    """Oracle: ordered pairs counted by joining the labels with themselves."""
    both = labels.merge(labels, on=["topic", "document"])
    both = both[both["assessor_x"] != both["assessor_y"]]
    p = both.groupby("level_x")["level_y"].agg(lambda levels: (levels == 3).mean())
    wanted = {0: 0.0, 1: 1 - (1 - p[1]) ** 2, 2: 1 - (1 - p[2]) ** 2, 3: 1.0}
    weights = weights_of(study, "page", MODEL)
    assert dict(weights) == pytest.approx(wanted, abs=1e-12)
    choice = list_choices(study, "page", MODEL)[UDM]
    assert choice.name == "UDM, 1 of 3"
    assert choice.rule is not None
    assert choice.rule.weights == weights


def test_what_a_measure_says_itself_goes_before_the_choices():
    scoring = Scoring(gain="exp", rel=2)
    measures, wrong = scoring.read(
        ["P@5", "AP(rel=3)", "nDCG@10", "nDCG(gain='udm')@5", "judged@10", "P@5", "BREF"]
    )
    assert measures == (
        "P(rel=2)@5",
        "AP(rel=3)",
        "nDCG(gain='exp')@10",
        "nDCG(gain='udm')@5",
        "judged@10",
    )
    assert len(wrong) == 1
    assert "'BREF' is not a measure" in wrong[0]


def test_nothing_is_computed_again_while_nothing_changes(study):
    choice = list_choices(study, "page", MODEL)["all, maximum"]
    assert scores_of(study, choice, ["AP"]) is scores_of(study, replace(choice), ["AP"])
