"""Levels drawn for what is not judged."""

import numpy as np
import pytest

from core.errors import BadInput
from core.stopping.drawn_levels import code_levels, draw_levels
from tests.core.stopping.made_pools import hide, make_pool


def test_codes_name_the_levels():
    values, code = code_levels(np.array([0.0, 2.0, np.nan, 1.0, -1.0]))
    assert values.tolist() == [0, 1, 2]
    assert code.tolist() == [1, 3, 0, 2, 1]


def test_a_threshold_tells_two_levels_apart():
    values, code = code_levels(np.array([0.0, 2.0, 1.0]), np.array([2.0]))
    assert values.tolist() == [0, 2]
    assert code.tolist() == [1, 2, 1]


def test_too_many_levels_are_refused():
    with pytest.raises(BadInput, match="13 different levels"):
        code_levels(np.arange(14) / 14)


def test_judged_items_keep_their_level_and_all_others_get_one():
    candidates, level = make_pool()
    known = hide(level, 0.5)
    values, code = code_levels(known)
    drawn = draw_levels(candidates, values, code, 50, np.random.default_rng(1))
    is_judged = code > 0
    assert (drawn.code[:, is_judged] == code[is_judged]).all()
    assert set(np.unique(drawn.code[:, ~is_judged])) <= {1, 2, 3}


def test_drawn_levels_are_as_frequent_as_those_of_the_rest():
    candidates, level = make_pool(topics=15, documents=80, depth=30)
    known = hide(level, 0.5)
    values, code = code_levels(known)
    drawn = draw_levels(candidates, values, code, 100, np.random.default_rng(1))
    rest = code == 0
    for at, value in enumerate(values):
        share = (drawn.code[:, rest] == at + 1).mean(axis=1)
        assert abs(share.mean() - (level[rest] == value).mean()) < 4 * share.std()


def test_without_a_label_the_prior_speaks():
    candidates, level = make_pool()
    drawn = draw_levels(
        candidates,
        np.array([0.0, 1.0]),
        np.zeros(len(level), dtype=np.uint8),
        20,
        np.random.default_rng(1),
    )
    assert set(np.unique(drawn.code)) == {1, 2}
