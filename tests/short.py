"""The short form of the suite: one smoke of each guard; ``--long`` runs all."""

from collections.abc import Iterable
from typing import Any

import pytest

long = pytest.mark.long


def few(values: Iterable[Any], kept: int = 1) -> list[Any]:
    """Return the values of a parameter, of which the short form takes the first ones only."""
    return [
        one if place < kept else pytest.param(one, marks=long) for place, one in enumerate(values)
    ]
