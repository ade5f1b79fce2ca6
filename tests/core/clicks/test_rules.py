"""Rules that read clicks as preferences: an example by hand, and laws of all."""

import numpy as np
import pytest

from core.clicks.preference_rule import PREFERENCE_RULES
from core.errors import BadInput
from tests.each import each

EVERY = PREFERENCE_RULES.suggested()
CLICKED = np.array([[1, 0, 1, 0, 1, 0, 0]], dtype=bool)
"""The example of Joachims et al. (2005): clicks at 1, 3 and 5 of 7."""

PAIRS = {
    "click-skip-above": {(3, 2), (5, 2), (5, 4)},
    "last-click-skip-above": {(5, 2), (5, 4)},
    "click-earlier-click": {(3, 1), (5, 1), (5, 3)},
    "click-skip-previous": {(3, 2), (5, 4)},
    "click-no-click-next": {(1, 2), (3, 4), (5, 6)},
}


def read(name: str, clicked: np.ndarray, shown: np.ndarray) -> list[set[tuple[int, int]]]:
    pairs = PREFERENCE_RULES.parse(name).pairs(clicked, shown)
    return [{(int(a) + 1, int(b) + 1) for a, b in np.argwhere(page)} for page in pairs]


def test_every_rule_is_tried():
    assert set(PAIRS) == set(EVERY)


@each("name", EVERY)
def test_the_example_of_the_paper(name):
    assert read(name, CLICKED, np.ones_like(CLICKED)) == [PAIRS[name]]
    assert str(PREFERENCE_RULES.parse(name)) == name


@each("name", EVERY)
def test_laws(name):
    rng = np.random.default_rng(0)
    shown = np.arange(6) < rng.integers(1, 7, size=(200, 1))
    clicked = (rng.random((200, 6)) < 0.4) & shown
    for page, pairs in enumerate(read(name, clicked, shown)):
        for a, b in pairs:
            assert clicked[page, a - 1]
            assert shown[page, b - 1]
            assert (b, a) not in pairs
            assert a != b
    assert read(name, np.zeros((1, 6), bool), np.ones((1, 6), bool)) == [set()]


def test_what_is_unknown_is_refused():
    with pytest.raises(BadInput, match="not a preference rule; known are click-earlier-click"):
        PREFERENCE_RULES.parse("coin")
