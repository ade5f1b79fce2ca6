"""What may come with a judgement: how each kind is read from it, checked; raise BadInput."""

from collections.abc import Callable, Mapping
from typing import Any

from core.assessment.intake.aspects import read_aspects, show_label
from core.assessment.intake.event_fields import LONGEST_DWELL, read_text, read_whole
from core.assessment.intake.passages import read_marked, show_marked
from core.collection.records import PAIR
from core.errors import BadInput
from core.language.translate import t
from core.store.content.aspects import list_aspects
from core.store.events.answered import GIVEN_BY, SIDES, WHOLE, Paradata
from core.store.events.labels import CurrentLabel, Key
from core.store.events.passages import find_marked
from core.store.events.preference_reasons import LONGEST_REASON, MOST_REASONS
from core.store.store import Store

_READ: dict[str, Callable[[Store, str, Key, Mapping[str, Any]], Any]] = {
    "marked": read_marked,
    "reasons": lambda _store, _here, key, raw: read_reasons_of(raw, key),
    "aspects": lambda store, here, key, raw: read_aspects(raw, key, store.keep(list_aspects, here)),
    "paradata": lambda _store, _here, _key, raw: read_paradata_of(raw),
}
"""By the field of a label event: all but the answers of machines, which no browser sends."""


def read_attachments(
    store: Store, collection_id: str, key: Key, raw: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what came with a judgement, by the fields of a label event.

    Parameters
    ----------
    raw : mapping
        A judgement with its state and level checked.
    """
    return {name: read(store, collection_id, key, raw) for name, read in _READ.items()}


def tell_standing(store: Store, label: CurrentLabel, sent: str) -> dict[str, Any]:
    """Return a label as its assessor's browser is told it, with passages if it did not send it."""
    if label.event_id == sent:
        return show_label(label)
    marked = find_marked(store, [label.event_id]).get(label.event_id)
    return show_label(label) | show_marked(marked)


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
    paradata = raw.get("paradata")
    if paradata is None:
        return None
    if not isinstance(paradata, Mapping):
        raise BadInput(t("the paradata of a judgement are values by name"), field="paradata")
    given = {name: paradata[name] for name in paradata if paradata[name] is not None}
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


def read_reasons_of(raw: Mapping[str, Any], key: Key) -> tuple[str, ...]:
    """Return the reasons of a preference, each once; also those that are not offered any more."""
    given = raw.get("reasons") or []
    if raw.get("state") != "level":
        return ()
    if not isinstance(given, list) or len(given) > MOST_REASONS:
        raise BadInput(
            t("'reasons' has to be a list of at most {n}", n=MOST_REASONS), field="reasons"
        )
    if not key.facet.endswith(PAIR):
        return ()
    texts = [read_text({"reasons": one}, "reasons").strip() for one in given]
    if any(not text or len(text) > LONGEST_REASON for text in texts):
        raise BadInput(t("a reason has 1 to {n} characters", n=LONGEST_REASON), field="reasons")
    return tuple(dict.fromkeys(texts))
