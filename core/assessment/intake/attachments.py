"""What may come with a judgement: how each kind is read from it, checked; raise BadInput."""

from collections.abc import Callable, Mapping
from typing import Any

from core.assessment.intake.aspects import read_aspects, show_label
from core.assessment.intake.paradata import read_paradata_of
from core.assessment.intake.passages import read_marked, told_marked
from core.assessment.intake.reasons import read_reasons_of
from core.store.content.aspects import list_aspects
from core.store.events.labels import CurrentLabel, Key
from core.store.events.passages import find_marked
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
    return show_label(label) | told_marked(marked)
