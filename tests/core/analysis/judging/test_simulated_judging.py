"""Orders tried on a collection: how deep its pool is judged, and the answer in words."""

import pandas as pd
import pytest

from core.analysis.base.study import Study
from core.analysis.judging.simulated_judging import (
    count_pool,
    identify_pool,
    judged_depth,
    simulate_orders,
)
from core.analysis.results.qrels_choices import QrelsChoice
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.reports.judging_orders import simulate_judging
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.versions.judgements import put_on_scale
from tests.core.reports.test_judging_orders import ask, make_study, only_pool

CHOICE = QrelsChoice("imported: all.txt", None)


@pytest.fixture
def fill(store):
    def made(runs: pd.DataFrame, qrels: pd.DataFrame) -> Study:
        collection_id = create_collection(store, f"Judged {len(qrels)}")
        run = write_run(runs.assign(score=-runs["rank"]))
        for kind, text in (("runs", run), ("qrels", write_qrels(qrels))):
            write_import(store, collection_id, read_import(kind, Source("all.txt", text)))
        return Study(store, collection_id, False)

    return made


def test_a_pool_is_judged_down_to_where_nine_tenths_are(fill):
    runs, qrels = make_study()
    assert judged_depth(fill(runs, qrels), CHOICE) == 20
    for depth in (3, 8):
        judged = only_pool(runs, qrels, depth)
        found = judged_depth(fill(runs, judged), CHOICE)
        best = runs.groupby(["topic_id", "document_id"])["rank"].min()
        shares = {k: len(judged) / (best <= k).sum() for k in range(depth, 21)}
        assert found == max(k for k, share in shares.items() if share >= 0.9)
    document = qrels["document_id"]
    assert judged_depth(fill(runs, qrels[document > "d55"]), CHOICE) == 0


def test_a_collection_is_tried_as_its_files_are(fill):
    runs, qrels = make_study()
    study = fill(runs, qrels)
    question, told = ask("max-mean", "depth-first"), []
    found = simulate_orders(study, CHOICE, question, lambda share, _: told.append(share))
    wanted = simulate_judging(runs, put_on_scale(qrels), question)
    pd.testing.assert_frame_equal(found.orders, wanted.orders)
    assert told
    assert count_pool(study, CHOICE, question.depth) == wanted.pool


def test_other_judgements_are_another_pool(fill):
    runs, qrels = make_study()
    first, second = fill(runs, qrels), fill(runs, qrels.head(200))
    assert identify_pool(first, CHOICE, "AP") == identify_pool(first, CHOICE, "AP")
    assert identify_pool(first, CHOICE, "AP")[0] != identify_pool(second, CHOICE, "AP")[0]
    assert identify_pool(first, CHOICE, "AP")[1] == identify_pool(second, CHOICE, "AP")[1]
