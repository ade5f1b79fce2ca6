"""The paradata that come with a judgement: how it came about, each field checked for itself."""

from collections.abc import Mapping
from typing import Any

from core.assessment.intake.event_fields import LONGEST_DWELL, read_whole
from core.errors import BadInput
from core.language.translate import t
from core.store.events.answered import GIVEN_BY, SIDES, WHOLE, Paradata

_MOST_BUTTONS = 99
_WHOLE = {
    "shown_ms": LONGEST_DWELL,
    "place": _MOST_BUTTONS,
    "x": WHOLE,
    "y": WHOLE,
    "furthest": WHOLE,
}
_ONE_OF = {"given_by": GIVEN_BY, "first_side": SIDES}
_YES_OR_NO = ("both_sides", "text_only")


def read_paradata_of(raw: Mapping[str, Any]) -> Paradata | None:
    """Return the paradata of a judgement as a browser sends it; None where nothing is known.

    Each is optional, and what is not known here is passed over.

    Raises
    ------
    BadInput
        One is not of its type, or outside its bounds.
    """
    told = raw.get("paradata")
    if told is None:
        return None
    if not isinstance(told, Mapping):
        raise BadInput(t("the paradata of a judgement are values by name"), field="paradata")
    given = {name: told[name] for name in told if told[name] is not None}
    known: dict[str, Any] = {
        name: read_whole(given, name, 0, most) for name, most in _WHOLE.items() if name in given
    }
    known |= {name: _read_one(given, name, of) for name, of in _ONE_OF.items() if name in given}
    known |= {name: _read_boolean(given, name) for name in _YES_OR_NO if name in given}
    return Paradata(**known) if known else None


def _read_one(given: Mapping[str, Any], field: str, of: tuple[str, ...]) -> str:
    if given[field] not in of:
        raise BadInput(
            t("'{name}' is one of: {items}", name=field, items=", ".join(of)), field=field
        )
    return str(given[field])


def _read_boolean(given: Mapping[str, Any], field: str) -> bool:
    value = given[field]
    if not isinstance(value, bool):
        raise BadInput(t("'{name}' has to be true or false", name=field), field=field)
    return value
