"""What a round leaves out, as no text of it is stored: counted by round and by topic."""

from dataclasses import replace

import pandas as pd
import pytest

from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, open_round
from core.store.rounds.pools import count_without_text
from core.store.rounds.rounds import get_round
from tests.core.assessment.conftest import Small, small, small_store

__all__ = ["small", "small_store"]

RUN = """t1 Q0 ghost 1 9.0 run
t1 Q0 empty 2 8.0 run
t1 Q0 t1d6 3 7.0 run
t1 Q0 deep 4 6.0 run
t2 Q0 ghost 1 9.0 run
t9 Q0 ghost 1 9.0 run
"""


@pytest.mark.contract
def test_documents_of_the_runs_without_text_are_counted_down_to_the_depth(small: Small):
    small.add("documents", "id\ttitle\ttext\nempty\tEmpty\t\n")
    small.add("runs", RUN, "run")
    round_id = open_round(small.store, small.collection_id, Plan(judges=1, depth=3))
    rules = get_round(small.store, round_id)
    assert count_without_text(small.store, rules) == 3
    assert [count_without_text(small.store, rules, one) for one in ("t1", "t2", "t3")] == [2, 1, 0]
    assert count_without_text(small.store, replace(rules, flow="snippet only")) == 0


def test_pairs_of_which_a_side_is_missing_are_counted(small: Small):
    small.add("documents", "id\ttitle\ttext\nempty\t\t\n")
    second = ["t1d2", "t1d3", "empty"]
    pairs = pd.DataFrame({"topic_id": "t1", "kind": "documents", "first": "t1d1", "second": second})
    plan = Plan(judges=1, flow="pages side by side")
    open_pair_round(small.store, small.collection_id, plan, pairs)
    content = lay_out(small.store, take_assignment(small.store, small.collection_id, "anna"))
    assert (len(content.steps), content.left_out) == (2, 1)
