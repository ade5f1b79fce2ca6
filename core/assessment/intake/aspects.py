"""What else is asked of an item in the same pass, and whether an answer to it can be taken."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from core.assessment.intake.event_fields import read_whole
from core.collection.aspects import Aspect
from core.collection.records import PAGE, SNIPPET
from core.errors import BadInput
from core.language.translate import t
from core.store.events.labels import PRACTICE, AspectLevels, CurrentLabel, Key

LEVEL = "level"


def open_aspects(aspects: Iterable[Aspect], facet: str) -> list[Aspect]:
    """Return the aspects that are asked of snippets or of pages, in their order."""
    return [one for one in aspects if facet in one.facets and one.ended_at is None]


def read_aspects(raw: Mapping[str, Any], key: Key, aspects: Iterable[Aspect]) -> AspectLevels:
    """Return what a judgement says of aspects, checked.

    Parameters
    ----------
    raw : mapping
        A judgement with its state and level checked. ``aspects`` has a level, or nothing where it
        was left out, by the name of each aspect; ``asked`` names those that its assessor was
        asked. A screen that was opened before an aspect was added names it nowhere: its judgement
        is taken without.
    key : Key
        What was judged. In practice only relevance counts, and aspects are passed over.
    aspects : iterable of Aspect
        Those of the collection.

    Raises
    ------
    BadInput
        An aspect is unknown, not for such items or such a level, or its level is not on its
        scale; or one that was asked, and has to be answered, is not.
    """
    given = raw.get("aspects") or {}
    if not isinstance(given, Mapping):
        raise BadInput(t("the aspects of a judgement are levels by name"), field="aspects")
    if not given and not raw.get("asked"):
        return ()
    if raw.get("state") != LEVEL:
        if given:
            raise BadInput(t("aspects go with a level only"), field="aspects")
        return ()
    if key.occasion == PRACTICE:
        return ()
    known = {one.name: one for one in aspects}
    levels = {name: _read(known, name, given, raw, key) for name in given}
    for name in _read_asked(raw):
        _refuse_missing(known.get(name), levels, key.facet, raw[LEVEL])
    return tuple(sorted(levels.items()))


def _read(
    known: Mapping[str, Aspect],
    name: Any,
    given: Mapping[str, Any],
    raw: Mapping[str, Any],
    key: Key,
) -> int | None:
    aspect = known.get(name)
    if aspect is None or key.facet not in aspect.facets:
        called = str(name)[:40].encode("utf-8", "replace").decode()
        wrong = {
            SNIPPET: t("'{name}' is no aspect of a snippet", name=called),
            PAGE: t("'{name}' is no aspect of a page", name=called),
        }
        other = t("'{name}' is no aspect of two things side by side", name=called)
        raise BadInput(wrong.get(key.facet, other), field="aspects")
    if given[name] is None:
        if not aspect.may_be_left_out:
            raise BadInput(t("'{name}' may not be left out", name=name), field="aspects")
        return None
    if aspect.from_level is not None and raw[LEVEL] < aspect.from_level:
        raise BadInput(
            t(
                "'{name}' is asked from level {lowest} on, and this is {level}",
                name=name,
                lowest=aspect.from_level,
                level=raw[LEVEL],
            ),
            field="aspects",
        )
    level = read_whole(given, name, -1000, 1000)
    if level not in {one.level for one in aspect.levels}:
        raise BadInput(
            t("{n} is not on the scale of '{name}'", n=level, name=name), field="aspects"
        )
    return level


def _read_asked(raw: Mapping[str, Any]) -> list[str]:
    asked = raw.get("asked") or []
    if not isinstance(asked, list) or not all(isinstance(one, str) for one in asked):
        raise BadInput(t("what was asked is a list of names of aspects"), field="asked")
    return asked


def _refuse_missing(
    aspect: Aspect | None, levels: Mapping[str, int | None], facet: str, level: int
) -> None:
    """Raise BadInput for an aspect that was asked, is asked still, and has no answer."""
    if aspect is None or not aspect.is_asked(facet, level):
        return
    if aspect.name not in levels and not aspect.may_be_left_out:
        raise BadInput(t("'{name}' has no level", name=aspect.name), field="aspects")


def show_label(label: CurrentLabel) -> dict[str, Any]:
    """Return a label as its assessor's browser is told it; with aspects only where it has some."""
    fields: dict[str, Any] = {
        "event_id": label.event_id,
        "state": label.state,
        "level": label.level,
        "comment": label.comment,
    }
    return fields | ({"aspects": dict(label.aspects)} if label.aspects else {})


def show_aspects(aspects: Iterable[Aspect], facets: Iterable[str]) -> list[dict[str, Any]]:
    """Return the aspects that are asked of these facets now, as the judging screen takes them."""
    wanted = set(facets)
    return [
        {
            "name": one.name,
            "question": one.question,
            "facets": list(one.facets),
            "from_level": one.from_level,
            "may_be_left_out": one.may_be_left_out,
            "levels": [asdict(level) for level in one.levels],
        }
        for one in aspects
        if one.ended_at is None and wanted & set(one.facets)
    ]
