"""Names that are given alone or as several: one measure, say, or a list of them."""

from collections.abc import Sequence


def as_list(names: str | Sequence[str]) -> list[str]:
    """Return names as a list; a text is one name, and not its letters."""
    return [names] if isinstance(names, str) else list(names)
