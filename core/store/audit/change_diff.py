"""What a change altered, in words: each field with its old and its new value."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

_MISSING = object()


def describe_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return ``level: 2 → 3; why: "Old." → "New."`` for the fields that differ.

    Texts stand in quotation marks as in JSON, so that nothing in them can be taken for another
    field. What was not there before, or is not any more, is ``none``. Nothing differs: empty.
    """
    fields = dict.fromkeys([*before, *after])
    return "; ".join(
        f"{field}: {_word(before.get(field))} → {_word(after.get(field))}"
        for field in fields
        if before.get(field, _MISSING) != after.get(field, _MISSING)
    )


def describe_scale(levels: Iterable[Any]) -> dict[str, str]:
    """Return the levels of a scale as fields of an alteration, by number."""
    return {
        f"level {one.level}": f"{one.name} [{one.key}] = {one.counts_as}: {one.meaning}"
        for one in levels
    }


def describe_import(read: Mapping[str, int], name: str, added: Mapping[str, int]) -> str:
    """Return what files held, what it is called here, and what of it was new."""
    added = {what: count for what, count in added.items() if what != "already there"}
    called = f" as {json.dumps(name, ensure_ascii=False)}" if name else ""
    return f"read {_counted(read)}{called}; added {_counted(added)}"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing"


def _word(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value, ensure_ascii=False, default=str)
