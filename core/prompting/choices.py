"""What a machine may be asked to judge, and how it is asked where nobody says otherwise."""

from collections.abc import Mapping
from typing import Any

PARAMETERS: Mapping[str, Any] = {"temperature": 0, "max_tokens": 400}

LONGEST_TEXT, TRIES = 20_000, 5

UNJUDGED, JUDGED, POOL = "unjudged", "judged", "pool"

PARTS = (UNJUDGED, JUDGED, POOL)
"""Of a pool what no person gave a level; whatever persons gave one; the pool whoever judged it."""

PATIENCE = 120.0
"""Seconds for a request with its answer."""

LEVELS, STEPS = "levels", "steps"

INCLUDED = (LEVELS, STEPS)
"""The templates that come with Dissent: plain levels, and step by step."""
