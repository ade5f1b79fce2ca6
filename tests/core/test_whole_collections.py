"""Whole real collections through the store: what comes out equals independent oracles."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval

from core.agreement.base import COEFFICIENTS
from core.agreement.confusion import confusion_matrices
from core.agreement.pairs import agreement_by_pair
from core.agreement.ratings import ratings_from_labels
from core.assessment.rounds.rounds import preview_pool
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.disagreement.user_disagreement import estimate_top_probability
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.frames import count_contents, read_labels, read_runs
from core.store.store import Store
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels
from tests.each import each
from tests.short import long


def bring(store: Store, collection_id: str, kind: str, *files: Path, **options: object):
    if kind == "labels":
        options["scales"] = get_scales(store, collection_id)
    imported = read_import(kind, [Source.at(file) for file in files], **options)
    return write_import(store, collection_id, imported)


@pytest.fixture(scope="module")
def dl19(shared_data: Path, tmp_path_factory: pytest.TempPathFactory):
    folder = shared_data / "dl19"
    store = Store(tmp_path_factory.mktemp("dl19") / "store.duckdb")
    collection_id = create_collection(store, "dl19", scales={"page": numeric_scale(range(4))})
    bring(store, collection_id, "topics", folder / "topics.tsv")
    bring(store, collection_id, "documents", folder / "documents.jsonl.gz")
    bring(store, collection_id, "runs", *sorted((folder / "runs").iterdir()))
    bring(store, collection_id, "labels", folder / "labels.tsv")
    yield store, collection_id
    store.close()


@long
def test_dl19_is_there_whole(dl19):
    counts = count_contents(*dl19)
    assert counts["topics"] == 22
    assert counts["documents"] == 2726
    assert counts["runs"] == 37
    assert counts["label events"] == 5438
    assert read_labels(*dl19)["assessor_id"].nunique() == 8


@long
def test_the_depth_ten_pool_of_dl19(dl19):
    pooled = preview_pool(*dl19, depth=10, flow="page only")
    assert len(pooled.pairs) + pooled.without_text == 1348
    assert pooled.without_text == 591
    labelled = read_labels(*dl19)[["topic_id", "document_id"]].drop_duplicates()
    assert len(pooled.pairs.merge(labelled)) == 743


def test_kappa_of_every_pair_equals_statsmodels(dl19):
    from statsmodels.stats.inter_rater import cohens_kappa

    labels = read_labels(*dl19)
    matrices = confusion_matrices(ratings_from_labels(labels, "page", range(4)))
    table = agreement_by_pair(matrices, [COEFFICIENTS.parse("kappa(linear)")])
    ours = {(row.first, row.second): row for row in table.itertuples()}
    wide = labels.pivot_table(
        index=["topic_id", "document_id"], columns="assessor_id", values="level"
    )
    compared = 0
    for first, second in combinations(sorted(wide.columns), 2):
        both = wide[[first, second]].dropna().astype(int)
        row = ours[first, second]
        assert row.n == len(both)
        if len(both) < 2 or both.nunique().max() < 2:
            continue
        counts = pd.crosstab(both[first], both[second])
        counts = counts.reindex(index=range(4), columns=range(4), fill_value=0)
        oracle = cohens_kappa(counts.to_numpy(), wt="linear", return_results=False)
        assert row.value == pytest.approx(float(oracle), abs=1e-9)
        compared += 1
    assert compared >= 4


@long
def test_the_probability_of_top_equals_a_plain_count(dl19):
    labels = read_labels(*dl19)
    estimate = estimate_top_probability(ratings_from_labels(labels, "page", range(4)), 3)
    said, top = np.zeros(4), np.zeros(4)
    for _, group in labels.groupby(["topic_id", "document_id"]):
        levels = [int(level) for level in group["level"]]
        weight = 2 / (len(levels) * (len(levels) - 1)) if len(levels) > 1 else 0
        for place, level in enumerate(levels):
            for other in levels[:place] + levels[place + 1 :]:
                said[level] += weight
                top[level] += weight * (other == 3)
    assert estimate["p"].to_numpy() == pytest.approx(top / said, abs=1e-12)
    assert estimate["cases"].to_numpy() == pytest.approx(said, abs=1e-9)


@each("rule", [QrelsRule("best"), QrelsRule("slot", "page", "first", slots=(1,))])
def test_scores_equal_pytrec_eval(dl19, rule: QrelsRule):
    runs = read_runs(*dl19)
    version = qrels_from_labels(read_labels(*dl19), rule)
    measures = [parse_measure(text) for text in ("nDCG@10", "AP", "P@10")]
    scores = evaluate(measures, compile_rankings(runs, version))
    ours = scores.set_index(["system", "topic_id", "measure"])["value"].sort_index()
    qrels: dict[str, dict[str, int]] = {}
    for row in version.frame.itertuples():
        qrels.setdefault(row.topic_id, {})[row.document_id] = int(row.level)
    oracle = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map", "P.10"})
    names = {"ndcg_cut_10": "nDCG@10", "map": "AP", "P_10": "P@10"}
    compared = 0
    for system, lines in runs.groupby("system"):
        given = {
            topic: dict(zip(group["document_id"], group["score"], strict=True))
            for topic, group in lines.groupby("topic_id")
        }
        for topic, values in oracle.evaluate(given).items():
            for name, value in values.items():
                key = (system, topic, names[name])
                if key in ours.index:
                    assert ours[key] == pytest.approx(value, abs=1e-12)
                    compared += 1
                else:
                    assert value == 0, "only topics with nothing to find are left out"
    assert compared > 37 * 20 * 3


def test_chorus_with_its_three_raters(shared_data: Path, tmp_path: Path):
    store = Store(tmp_path / "chorus.duckdb")
    collection_id = create_collection(store, "chorus", scales={"page": numeric_scale(range(4))})
    counts = bring(
        store,
        collection_id,
        "labels",
        shared_data / "chorus" / "ratings.csv",
        raters="agent_*_rating",
        texts=True,
    )
    assert counts["topics"] > 0
    assert counts["documents"] > 0
    labels = read_labels(store, collection_id)
    assert labels["assessor_id"].nunique() == 3
    matrices = confusion_matrices(ratings_from_labels(labels, "page", range(4)))
    table = agreement_by_pair(matrices, [COEFFICIENTS.parse("kappa(linear)")])
    assert len(table) == 3
    assert table["value"].between(0, 1).all()
    assert (table["n"] > 1000).all()
    store.close()
