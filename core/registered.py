"""What is registered, for help: names and descriptions of values, names of file formats.

A value is defined beside its numbers and a format beside its reader, so that asking a registry
takes in NumPy. ``registered.json`` tells of all of them without that. It follows from the
registries: ``python -m tests.docs`` writes it, and a test compares the two. Whoever computes
asks the registries themselves.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

_FILE = Path(__file__).parent / "registered.json"


class RegisteredValue(NamedTuple):
    """What is told of a registered value; see `core.registry.Value`."""

    name: str
    description: str
    suggested: Sequence[str]


def list_values(kind: str) -> list[RegisteredValue]:
    """Return the values of a kind, in the order of their registry.

    Parameters
    ----------
    kind : str
        As the registry calls it: ``measure``, say.

    Raises
    ------
    KeyError
        There is no such kind.
    """
    return [RegisteredValue(**one) for one in _read()["values"][kind]]


def list_formats() -> dict[str, list[str]]:
    """Return the names of the file formats of each kind, in the order in which they are tried."""
    return dict(_read()["formats"])


@cache
def _read() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return found
