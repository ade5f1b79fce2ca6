"""Judging a pool again whose judgements are known."""

import numpy as np
import pytest

from core.errors import BadInput
from core.orders.base import ORDERS, parse_order
from core.orders.simulation import count_share, judged_at, simulate_order
from tests.core.orders.pools import judge, make_pool
from tests.each import each

TEXTS = [entry.examples[-1] for entry in ORDERS]


@each("text", TEXTS)
def test_a_simulation_judges_as_people_would(text):
    candidates, relevance = make_pool(2)
    order = parse_order(text)
    found = simulate_order(candidates, relevance, order, seed=5)
    assert found.tolist() == judge(order, candidates, relevance, seed=5)


@each("text", TEXTS)
def test_fewer_are_the_first_of_all(text):
    candidates, relevance = make_pool(2)
    order = parse_order(text)
    every = simulate_order(candidates, relevance, order)
    some = simulate_order(candidates, relevance, order, most=6)
    assert some.tolist() == every[:6].tolist()


def test_progress_goes_on_and_may_stop():
    candidates, relevance = make_pool(2, topics=60)
    told = []
    order = parse_order("random")
    simulate_order(candidates, relevance, order, batch=7, progress=told.append)
    assert told == sorted(told)
    assert 0 < told[0] <= 1

    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate_order(candidates, relevance, order, progress=stop)


def test_a_share_is_a_number_of_items():
    candidates, relevance = make_pool(2)
    order = simulate_order(candidates, relevance, parse_order("random"))
    judged = judged_at(candidates, order, 0.25)
    assert judged.sum() == count_share(candidates, 0.25) == round(len(candidates) / 4)
    assert judged_at(candidates, order, 1).all()
    assert judged_at(candidates, order, 1e-9).sum() == 1


@each("wrong", [np.nan, -0.1, 2])
def test_relevance_is_known_of_every_item(wrong):
    candidates, relevance = make_pool(2)
    relevance[3] = wrong
    with pytest.raises(BadInput, match="from 0 to 1"):
        simulate_order(candidates, relevance, parse_order("random"))
