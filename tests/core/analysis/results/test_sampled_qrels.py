"""Measures estimated from the sample that a round judged: where there is one, and where not."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.base.study import Study
from core.analysis.collection.qrels_files import write_sample_as
from core.analysis.results.qrels_choices import QrelsChoice, find_choice, version_of
from core.analysis.results.sampled_qrels import (
    ENGINES,
    IMPORTED,
    PREFERENCES,
    explain_unsampled,
    find_obstacle,
    sampled_qrels_of,
)
from core.analysis.results.scores import ask_scores, scores_of
from core.analysis.results.version_scores import score_version
from core.collection.export.exported_kinds import SAMPLED_FORMATS
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, TooLittleData
from core.measures.base import MEASURES
from core.measures.catalogue import parse_measure
from core.orders.base import parse_order
from core.orders.candidates import build_candidates
from core.orders.samples import sample_qrels
from core.paper.tables import tabulate_scores as tabulate_paper
from core.store.content.imports import write_import
from core.store.events.frames import read_labels, read_runs
from core.store.store import Store
from core.versions.combine import PAIR, PREFERENCE
from core.versions.rules import QrelsRule
from core.versions.sampled import LACKING, NONE, OTHERS, SEVERAL
from tests.sampled_rounds import DEPTH, STRATIFIED, TOPICS, judge_all, make_collection, open_sampled
from tests.short import few, long

ESTIMATED = ("infAP", "xinfAP", "infNDCG", "statAP")
PLAIN = tuple(
    text
    for entry in MEASURES
    for text in map(str, map(parse_measure, entry.examples[:1]))
    if not entry.lack and "udm" not in text
)


Judged = tuple[Store, str]
"""A store and its collection."""


@pytest.fixture(scope="module")
def judged_store(blank_store: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The store to be copied of a round that was judged to the end."""
    path = Path(shutil.copy(blank_store, tmp_path_factory.mktemp("judged")))
    with closing(Store(path)) as store:
        collection_id = make_collection(store)
        open_sampled(store, collection_id)
        judge_all(store, collection_id)
        return path, collection_id


@pytest.fixture
def judged(tmp_path: Path, judged_store: tuple[Path, str]) -> Iterator[Judged]:
    path, collection_id = judged_store
    with closing(Store(Path(shutil.copy(path, tmp_path)))) as store:
        yield store, collection_id


def look(store: Store, collection_id: str) -> tuple[Study, QrelsChoice]:
    study = Study(store, collection_id, is_masked=False)
    return study, find_choice(study, "all, maximum")


def topics_with(study: Study, choice: QrelsChoice, measure: str = "xinfAP") -> set[str]:
    return set(scores_of(study, choice, (measure,))["topic_id"])


def why(study: Study, choice: QrelsChoice) -> dict[str, str]:
    return sampled_qrels_of(study, choice).reasons


@pytest.mark.parametrize("order", few([STRATIFIED, "stat-sample(budget=9)", "random(share=0.4)"]))
def test_scores_are_those_of_the_sample(store: Store, order: str):
    """As from the pool, the sample and the labels, brought together without a store's rounds."""
    collection_id = make_collection(store)
    open_sampled(store, collection_id, order, seed=3)
    judge_all(store, collection_id)
    study, choice = look(store, collection_id)
    candidates = build_candidates(read_runs(store, collection_id), DEPTH)
    drawn = parse_order(order).draw(candidates, 3)
    qrels = sample_qrels(candidates, drawn, read_labels(store, collection_id))
    assert why(study, choice) == {}
    found = sampled_qrels_of(study, choice).frame
    pd.testing.assert_frame_equal(
        found, qrels[list(found)].sort_values(["topic_id", "document_id"], ignore_index=True),
        check_dtype=False,
    )  # fmt: skip
    scores = scores_of(study, choice, (*ESTIMATED, "AP"))
    assert scores["measure"].unique().tolist() == [*ESTIMATED, "AP"]
    assert scores.groupby("measure")["topic_id"].nunique().to_dict() == dict.fromkeys(
        (*ESTIMATED, "AP"), len(TOPICS)
    )
    assert (scores["value"] > 0).any()
    assert explain_unsampled(study, choice, ("AP", *ESTIMATED)) == []


def test_all_other_measures_stay_as_they_are(judged: Judged):
    """Beside estimates or alone; and what was not drawn is in no version."""
    store, collection_id = judged
    study, choice = look(store, collection_id)
    alone = scores_of(study, choice, PLAIN)
    beside = scores_of(study, choice, ("xinfAP", *PLAIN, "statAP"))
    assert beside["measure"].iloc[0] == "xinfAP"
    assert beside["measure"].iloc[-1] == "statAP"
    plain = beside[~beside["measure"].isin(ESTIMATED)].reset_index(drop=True)
    pd.testing.assert_frame_equal(plain, alone)
    version = version_of(study, choice)
    assert (version.frame["level"] >= 0).all()
    assert version.n_documents == len(read_labels(store, collection_id))
    table = ask_scores(study, choice, ("AP", "xinfAP")).side_by_side
    assert table["xinfAP"].notna().all()


def test_without_a_sample_there_is_no_score_and_a_reason(store: Store):
    collection_id = make_collection(store)
    open_sampled(store, collection_id, "depth-first", budget=12)
    judge_all(store, collection_id)
    study, choice = look(store, collection_id)
    assert topics_with(study, choice) == set()
    assert topics_with(study, choice, "AP") == set(TOPICS)
    assert why(study, choice) == dict.fromkeys(TOPICS, NONE)
    assert explain_unsampled(study, choice, ("AP", "xinfAP", "statAP@10")) == [
        f"xinfAP, statAP@10 have no score on 3 topics: {NONE}."
    ]
    assert explain_unsampled(study, choice, ("AP",)) == []
    with pytest.raises(BadInput, match="'all, maximum' has no sample to write: 3 topics"):
        write_sample_as(study, choice, "strata")


@long
def test_a_topic_with_what_nobody_can_judge_has_no_score(store: Store):
    collection_id = make_collection(store)
    open_sampled(store, collection_id)
    candidates = build_candidates(read_runs(store, collection_id), DEPTH)
    judge_all(store, collection_id, unknown=candidates.document[candidates.best_rank == 1][0])
    study, choice = look(store, collection_id)
    assert why(study, choice) == {"t1": LACKING}
    assert topics_with(study, choice) == {"t2", "t3"}
    assert explain_unsampled(study, choice, ("xinfAP",)) == [
        f"xinfAP has no score on 1 topic: {LACKING}."
    ]


@long
def test_labels_of_other_documents_spoil_a_sample_but_not_a_version_of_its_round(store: Store):
    collection_id = make_collection(store)
    open_sampled(store, collection_id, name="Sample")
    judge_all(store, collection_id)
    open_sampled(store, collection_id, None, depth=5, name="Top", lacking=1)
    judge_all(store, collection_id)
    study, choice = look(store, collection_id)
    assert why(study, choice) == dict.fromkeys(TOPICS, OTHERS)
    own = find_choice(study, "round Sample, maximum")
    assert why(study, own) == {}
    assert topics_with(study, own) == set(TOPICS)


@long
def test_samples_that_overlap_have_no_score(store: Store):
    collection_id = make_collection(store)
    for seed in (1, 2):
        open_sampled(store, collection_id, seed=seed)
        judge_all(store, collection_id)
    study, choice = look(store, collection_id)
    assert why(study, choice) == dict.fromkeys(TOPICS, SEVERAL)


@long
def test_other_versions_have_no_sample(judged: Judged):
    store, collection_id = judged
    text = b"t1 0 t1d01 0 1\nt1 0 t1d02 0 -1\n"
    write_import(store, collection_id, read_import("qrels", Source("q", text)), name="official")
    study, _ = look(store, collection_id)
    assert why(study, find_choice(study, "official")) == {"t1": IMPORTED}


def test_what_is_not_made_from_levels_of_documents_has_no_sample():
    pairs = QrelsRule("pairs", combine=PAIR, pair_weights=((1, 1, 0.5),))
    assert find_obstacle(QrelsChoice("pairs", pairs)) == ENGINES
    preferred = QrelsRule("preferred", combine=PREFERENCE)
    assert find_obstacle(QrelsChoice("preferred", preferred)) == PREFERENCES
    assert find_obstacle(QrelsChoice("maximum", QrelsRule("maximum"))) == ""


def test_an_unknown_format_is_refused(judged: Judged):
    store, collection_id = judged
    study, choice = look(store, collection_id)
    with pytest.raises(BadInput, match=f"none of {', '.join(SAMPLED_FORMATS)}"):
        write_sample_as(study, choice, "trec")


@long
def test_a_comparison_without_a_sample_says_so(store: Store):
    collection_id = make_collection(store)
    open_sampled(store, collection_id, "depth-first", budget=12)
    judge_all(store, collection_id)
    study, choice = look(store, collection_id)
    with pytest.raises(TooLittleData, match="xinfAP has no score on 3 topics: no round has"):
        score_version(study, choice, "xinfAP")
    (table, *_) = tabulate_paper(study, choice, ["xinfAP", "AP"], SignificanceTest())
    assert "xinfAP" not in str(table)
