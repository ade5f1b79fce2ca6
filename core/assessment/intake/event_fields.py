"""The fields of an event as a browser sends them, each checked for itself; raise BadInput."""

import uuid
from collections.abc import Mapping
from typing import Any

from core.errors import BadInput
from core.language.translate import t

LONGEST_DWELL = 24 * 3600 * 1000
"""No time of one judgement is longer: milliseconds."""


def read_text(raw: Mapping[str, Any], field: str) -> str:
    """Return a text; an absent one is empty."""
    value = raw.get(field, "")
    if not isinstance(value, str) or "\x00" in value:
        raise BadInput(t("'{name}' has to be a text", name=field), field=field)
    # Half of a character, as a cut emoji leaves it, cannot be stored; the label is worth more.
    return value.encode("utf-8", "replace").decode()


def read_whole(raw: Mapping[str, Any], field: str, lowest: int, highest: int) -> int:
    """Return a whole number within bounds; an absent one is 0."""
    value = raw.get(field, 0)
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise BadInput(
            t(
                "'{name}' has to be a whole number from {lowest} to {highest}",
                name=field,
                lowest=lowest,
                highest=highest,
            ),
            field=field,
        )
    return value


def read_identifier(value: Any, field: str) -> str:
    """Return a UUID as it is usually written."""
    try:
        return str(uuid.UUID(value))
    except (ValueError, TypeError, AttributeError) as error:
        raise BadInput(t("'{name}' has to be a UUID", name=field), field=field) from error
