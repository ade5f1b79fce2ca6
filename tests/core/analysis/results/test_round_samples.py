"""The samples of rounds: pool, strata and probabilities as the order drew them."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.analysis.results.sampled_qrels import CHANGED, NOT_WHOLE, read_samples
from core.assessment.rounds.ordered_rounds import set_order
from core.orders.base import parse_order
from core.orders.candidates import build_candidates
from core.orders.samples import sample_qrels
from core.store.events.frames import read_labels, read_runs
from core.store.rounds.orders import read_choices
from core.store.store import Store
from tests.sampled_rounds import (
    DEPTH,
    STRATIFIED,
    judge_all,
    make_collection,
    open_sampled,
)
from tests.short import few, long

_ITEM = ["topic_id", "document_id"]

Judged = tuple[Store, str, str]
"""A store, its collection and the round of it."""


@pytest.fixture(scope="module")
def judged_store(
    blank_store: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str, str]:
    """The store to be copied of a round that was judged to the end, and the ids in it."""
    path = Path(shutil.copy(blank_store, tmp_path_factory.mktemp("judged")))
    with closing(Store(path)) as store:
        collection_id = make_collection(store)
        round_id = open_sampled(store, collection_id)
        judge_all(store, collection_id)
        return store.path, collection_id, round_id


@pytest.fixture
def judged(tmp_path: Path, judged_store: tuple[Path, str, str]) -> Iterator[Judged]:
    path, *ids = judged_store
    with closing(Store(Path(shutil.copy(path, tmp_path)))) as store:
        yield store, *ids


@pytest.mark.contract
@pytest.mark.parametrize("order", few([STRATIFIED, "stat-sample(budget=9)", "random(share=0.3)"]))
def test_it_is_what_the_order_draws_of_the_pool(store: Store, order: str):
    collection_id = make_collection(store)
    round_id = open_sampled(store, collection_id, order, seed=5)
    judge_all(store, collection_id)
    samples = read_samples(store, collection_id)
    candidates = build_candidates(read_runs(store, collection_id), DEPTH)
    drawn = parse_order(order).draw(candidates, 5)
    labels = read_labels(store, collection_id)
    expected = sample_qrels(candidates, drawn, labels)
    for name in (*_ITEM, "stratum", "probability"):
        assert samples[name].tolist() == expected[name].tolist()
    assert samples["is_drawn"].tolist() == (expected["level"] >= 0).tolist()
    assert set(samples["fault"]) == {""}
    assert set(samples["round_id"]) == {round_id}
    told = read_choices(store, collection_id).merge(samples, on=_ITEM, suffixes=("", "_drawn"))
    assert len(told) == samples["is_drawn"].sum() == len(labels)
    assert np.allclose(told["probability"], told["probability_drawn"])


@long
def test_nothing_can_be_estimated_before_all_is_handed_out(store: Store):
    collection_id = make_collection(store)
    open_sampled(store, collection_id)
    judge_all(store, collection_id, batches=2)
    samples = read_samples(store, collection_id)
    assert set(samples["fault"]) == {NOT_WHOLE}
    assert samples["is_drawn"].sum() == 8


@long
def test_rounds_that_draw_nothing_have_no_sample(store: Store):
    collection_id = make_collection(store)
    open_sampled(store, collection_id, "depth-first")
    open_sampled(store, collection_id, "random")
    open_sampled(store, collection_id, None)
    assert read_samples(store, collection_id).empty


def test_a_round_that_went_on_in_another_order_has_no_sample(judged: Judged):
    store, collection_id, round_id = judged
    set_order(store, round_id, "depth-first")
    assert read_samples(store, collection_id).empty


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chosen_items SET probability = probability / 2",
        "UPDATE chosen_items SET document_id = document_id || 'x'",
        "DELETE FROM round_systems WHERE system = 's1'",
    ],
)
def test_what_was_not_drawn_from_these_runs_is_no_sample(judged: Judged, statement: str):
    store, collection_id, _ = judged
    store.database.run(statement)
    assert set(read_samples(store, collection_id)["fault"]) == {CHANGED}
