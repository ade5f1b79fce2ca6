"""Which topics still move the ranking."""

import numpy as np
import pytest

from core.measures.catalogue import parse_measure
from core.stopping.expected import draw_full_pools, share_uncertainty
from tests.core.stopping.made_pools import hide, make_pool

AP = parse_measure("AP")


def test_parts_add_up_and_judged_topics_have_next_to_none():
    candidates, level = make_pool(topics=6, documents=60, depth=20)
    known = hide(level, 0.6)
    known[candidates.of(0)] = level[candidates.of(0)]
    pools = draw_full_pools(candidates, known, AP, np.random.default_rng(1), 200)
    parts = share_uncertainty(pools)
    assert parts.sum() == pytest.approx(1)
    assert abs(parts[0]) < 0.01
    assert parts[1:].min() > 0.02


def test_where_nothing_is_in_doubt_there_are_no_parts():
    candidates, level = make_pool()
    pools = draw_full_pools(candidates, level, AP, np.random.default_rng(1), 10)
    assert np.isnan(share_uncertainty(pools)).all()
