"""Time-biased gain against the authors' equations, document by document."""

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.measures.test_cascade import LEVELS, score


def save_slowly(relevant, half_life, words):
    """Walk down the ranking with a watch."""
    time, saved = 0.0, 0.0
    for is_relevant in relevant:
        opens = 0.64 if is_relevant else 0.39
        if is_relevant:
            saved += opens * 0.77 * exp(-time * log(2) / half_life)
        time += 4.4 + (0.018 * words + 7.8) * opens
    return saved


@given(LEVELS, st.sampled_from([30, 224]), st.sampled_from([0, 500, 1200]))
def test_tbg_equals_its_definition(levels, half_life, words):
    options = f"half_life={half_life}, words={words}"
    for text, rel, depth in (
        (f"TBG({options})", 1, None),
        (f"TBG(rel=2, {options})@5", 2, 5),
    ):
        expected = save_slowly([level >= rel for level in levels[:depth]], half_life, words)
        assert score(text, levels) == pytest.approx(expected, abs=1e-12)


def test_constants_are_the_authors():
    """One relevant document on top: .64 · .77; after one that is not, 4.4 + .39 · 16.8 s later."""
    assert score("TBG", [1]) == pytest.approx(0.4928, abs=1e-15)
    assert score("TBG", [0, 1]) == pytest.approx(0.4928 * 2 ** (-10.952 / 224), abs=1e-15)
    assert score("TBG(half_life=10.952)", [0, 1]) == pytest.approx(0.2464, abs=1e-15)
