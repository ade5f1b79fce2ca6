"""Rounds that judge a sample: as many documents as it has, each with its probability."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.rounds.growth import top_up
from core.assessment.rounds.ordered_rounds import set_order
from core.assessment.rounds.rounds import Plan, open_round
from core.errors import BadInput
from core.orders.base import EQUAL, NOTHING, ORDERS, Choice, Chooser, Known, Order
from core.orders.candidates import Candidates
from core.store.rounds.orders import find_order_state, read_choices
from core.store.rounds.rounds import get_round
from tests.core.assessment.conftest import Small
from tests.short import long

SAMPLED = 2


class _EveryOther(Chooser):
    def choose(self, number: int) -> Choice | None:
        left = np.flatnonzero((self.candidates.best_rank <= SAMPLED) & ~self.is_chosen)
        if not len(left):
            return None
        topic = self.candidates.topic[left[0]]
        item = left[self.candidates.topic[left] == topic][:number]
        self.is_chosen[item] = True
        self.number += len(item)
        return Choice(item, np.full(len(item), -1), np.full(len(item), 0.5))

    def choose_items(self, topic: int, number: int) -> Choice:
        raise NotImplementedError


@dataclass(frozen=True)
class TopSample(Order):
    """What some run has at one of the first two ranks, as if it had been drawn."""

    name = "top-sample"
    description = "for tests"
    reference = "none"
    examples = ("top-sample",)
    has_probabilities = True

    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        return _EveryOther(candidates, known, seed, EQUAL)


@pytest.fixture(autouse=True)
def known_order() -> Iterator[None]:
    list(ORDERS)
    ORDERS.register(TopSample)
    yield
    del ORDERS._types["top-sample"]


def open_sample(small: Small, **plan: object) -> str:
    wanted = {"judges": 1, "flow": "page only", "order": "top-sample", "batch_size": 4, **plan}
    return open_round(small.store, small.collection_id, Plan(**wanted))


def judge_all(small: Small) -> None:
    while held := take_assignment(small.store, small.collection_id, "anna"):
        finish_assignment(small.store, held)


def test_the_budget_is_the_sample_and_no_more_is_chosen(small: Small):
    round_id = open_sample(small)
    sampled = get_round(small.store, round_id).budget
    state = find_order_state(small.store.cursor(), round_id)
    assert sampled is not None
    assert sampled < state.candidates
    judge_all(small)
    frame = read_choices(small.store, small.collection_id)
    assert len(frame) == sampled
    assert set(frame["probability"]) == {0.5}
    assert set(frame["system"]) == {""}


def test_a_part_of_a_sample_is_refused(small: Small):
    with pytest.raises(BadInput, match="would not have the stated probabilities"):
        open_sample(small, budget=2)


def test_a_sample_stays_as_it_was_drawn(small: Small):
    round_id = open_sample(small)
    small.add("runs", "t1 Q0 t1d6 1 9 new\n", "new.run")
    with pytest.raises(BadInput, match="more documents would change"):
        top_up(small.store, round_id)
    with pytest.raises(BadInput, match="another number of documents"):
        set_order(small.store, round_id, "top-sample", 1000)


def test_a_sample_is_not_drawn_once_something_was_chosen(small: Small):
    round_id = open_sample(small, order="depth-first")
    with pytest.raises(BadInput, match="only do from the start"):
        set_order(small.store, round_id, "top-sample")


@long
def test_an_order_that_ends_early_ends_its_round(small: Small):
    """A budget above what it chooses, as after a merge, does not keep the round waiting."""
    round_id = open_sample(small)
    sampled = get_round(small.store, round_id).budget
    small.store.database.run("UPDATE round_orders SET budget = NULL")
    judge_all(small)
    state = find_order_state(small.store.cursor(), round_id)
    assert (state.chosen, state.budget, state.left) == (sampled, sampled, 0)
