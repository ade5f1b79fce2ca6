"""Orders of judging from Python: what the command says."""

import pandas as pd
import pytest

import dissent
from core.orders.base import ORDERS
from core.reports.judging_orders import simulate_judging
from core.versions.judgements import put_on_scale
from tests.core.reports.test_judging_orders import ask, make_study
from tests.short import long


def test_it_says_what_the_analysis_says():
    runs, qrels = make_study()
    given = {"depth": 15, "shares": (0.2, 0.5), "seeds": 2}
    found = dissent.simulate_judging(
        runs, qrels.drop(columns="iteration"), "P@5", "thompson", **given
    )
    wanted = simulate_judging(
        runs, put_on_scale(qrels), ask("thompson", measure="P@5", shown=True, **given)
    )
    pd.testing.assert_frame_equal(found.orders, wanted.orders)
    assert found.relevant == wanted.relevant


@long
def test_without_orders_it_tries_those_that_are_suggested():
    found = dissent.simulate_judging(*make_study(), depth=5, shares=[0.5], seeds=1, level=2)
    assert found.orders["order"].tolist() == ORDERS.suggested()
    assert found.relevant < dissent.simulate_judging(
        *make_study(), "AP", ["random"], depth=5, shares=[0.5], seeds=1
    ).relevant  # fmt: skip


def test_an_order_or_a_share_named_twice_is_tried_once():
    given = {"depth": 5, "seeds": 1, "shown": False}
    found = dissent.simulate_judging(
        *make_study(), "AP", ["random", "random"], shares=[0.5, 0.2, 0.5], **given
    )
    assert found.orders["share"].tolist() == [0.2, 0.5]


def test_an_order_that_is_none_says_which_there_are():
    with pytest.raises(dissent.BadInput, match="known are depth-first"):
        dissent.simulate_judging(*make_study(), "AP", "best")
