from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.gain import needs_weights
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.short import long

LEVELS = st.lists(st.integers(0, 3), min_size=1, max_size=12).filter(any)
Q = {0: 0.0, 1: 0.2, 2: 0.6, 3: 1.0}


@cache
def compile_levels(levels, unseen=()):
    """Return one ranking with these levels; the unseen ones are judged but not retrieved."""
    documents = [f"d{at}" for at in range(len(levels) + len(unseen))]
    qrels = pd.DataFrame({"document_id": documents, "level": [*levels, *unseen]})
    shown = documents[: len(levels)]
    runs = pd.DataFrame({"document_id": shown, "rank": range(1, len(levels) + 1)})
    return compile_rankings(
        runs.assign(system="s", topic_id="t"),
        put_on_scale(qrels.assign(topic_id="t", iteration="0")),
    )


def score(text, levels, unseen=(), weights=None):
    return parse_measure(text).score(compile_levels(tuple(levels), tuple(unseen)), weights)[0]


def add_up_slowly(levels, unseen, q):
    """Equation (7) of Demeester et al. (2014), over the judged documents of the topic."""
    total = sum(
        sum(q[min(levels[above], levels[at])] for above in range(at + 1)) / (at + 1)
        for at in range(len(levels))
    )
    return total / sum(q[level] for level in [*levels, *unseen])


def test_the_check_of_the_definition():
    # One judged document a level, ranked 3 0 1 2, thresholds equally probable.
    assert score("GAP", [3, 0, 1, 2]) == pytest.approx(0.819444, abs=5e-7)
    thirds = {0: 0, 1: 1 / 3, 2: 2 / 3, 3: 1}
    assert score("GAP(gain='udm')", [3, 0, 1, 2], weights=thirds) == pytest.approx(59 / 72)


@given(LEVELS, st.lists(st.integers(0, 3), max_size=4))
def test_equals_the_equation(levels, unseen):
    expected = add_up_slowly(levels, unseen, Q)
    assert score("GAP(gain='udm')", levels, unseen, Q) == pytest.approx(expected)
    assert score(f"GAP(gain={Q})", levels, unseen) == pytest.approx(expected)


@given(LEVELS, st.lists(st.integers(0, 3), max_size=4))
def test_is_ap_where_all_users_want_the_top(levels, unseen):
    strict = {0: 0, 1: 0, 2: 0, 3: 1}
    expected = score("AP(rel=3)", levels, unseen)
    found = score("GAP(gain='udm')", levels, unseen, strict)
    assert found == pytest.approx(expected, nan_ok=True)


@long
@given(LEVELS, st.permutations([0.1, 0.4, 0.7]))
def test_weights_that_do_not_rise_stay_within_bounds(levels, gains):
    table = dict(enumerate(gains, start=1))
    best = sorted(levels, key=lambda level: -({0: 0} | table)[level])
    assert 0 < score(f"GAP(gain={table})", levels) <= 1 + 1e-12
    assert score(f"GAP(gain={table})", best) == pytest.approx(1)


def test_the_divisor_as_printed_is_the_list_alone():
    assert score("GAP(divisor='list')", [2, 0], [3, 3]) == 1
    assert score("GAP", [2, 0], [3, 3]) == pytest.approx(2 / 8)
    assert score("GAP(divisor='list')", [0, 0], [3]) == 0
    assert np.isnan(score("GAP(divisor='list')", [0, 0], [0]))


def test_more_than_one_of_n_users_is_refused():
    with pytest.raises(BadInput, match="choose M = 1"):
        score("GAP(gain='udm')", [3, 1], weights={0: 0, 1: 0.1, 3: 0.6})
    with pytest.raises(BadInput, match="estimate or give weights first"):
        score("GAP(gain='udm')", [3, 1])


def test_which_measures_need_weights():
    found = {
        name: needs_weights(parse_measure(name))
        for name in ("nDCG(gain='udm')@10", "nDCG@10", "nDCG(gain='exp')@10", "P@5")
    }
    assert [name for name, needs in found.items() if needs] == ["nDCG(gain='udm')@10"]
