"""Levels as they are named on the command line."""

from core.collection.labels.label_values import find_level
from core.collection.records import Scale
from core.errors import BadInput


def resolve_level(text: str, scale: Scale) -> int:
    """Return the level, as counted, that a text names or writes.

    Raises
    ------
    BadInput
        There is no such level, or a name is given without a scale.
    """
    found = find_level(text, scale)
    if found != found or found != int(found):
        listed = ", ".join(f"{level.level} {level.name}" for level in scale)
        hint = f"it has {listed}" if scale else "names need a scale: --scale FACET=NAME,NAME,…"
        raise BadInput(f"'{text}' is not a level; {hint}")
    counted = {level.level: level.counts_as for level in scale}
    return counted.get(int(found), int(found))
