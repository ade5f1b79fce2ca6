"""The short form of the suite: one smoke of each guard; ``--long`` runs all."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

long = pytest.mark.long


def try_often(times: int) -> settings:
    """Return how often a law is tried that hides in more cases than others, in either form."""
    return settings(max_examples=times * settings().max_examples)


def few(values: Iterable[Any], kept: int = 1) -> list[Any]:
    """Return the values of a parameter, of which the short form takes the first ones only."""
    return [
        one if place < kept else pytest.param(one, marks=long) for place, one in enumerate(values)
    ]
