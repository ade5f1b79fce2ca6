"""The intake of judgements: what is acknowledged here is on disk."""

import re
import time
from collections import Counter
from typing import Any

from core.assessment.intake.judging import Grant
from core.errors import DissentError
from core.language.translate import t
from pages.api.granted import accept_each, granted, name_giver
from pages.server.log import log
from pages.server.running import server

EVENTS = '{"events": […]}'
_HALF = re.compile("[\ud800-\udfff]")
_WORDS = ("comment", "client_time", "text")
"""Of these half a character is replaced: a label is worth more than an emoji that was cut."""


def parse_events(asked: Any) -> list[Any]:
    """Return the events of a body; raises DissentError where there are none, or unfit ones."""
    events = asked["events"]
    if not isinstance(events, list):
        raise DissentError(t("'events' has to be a list."))
    for event in events:
        check_ids(event)
    return events


@granted(EVENTS, parse_events, "labels refused", "labels not stored")
def take_labels(grant: Grant, events: list[Any]) -> dict[str, Any]:
    """Store events and acknowledge each of them."""
    return {"acks": accept_timed(grant, events)}


def accept_timed(grant: Grant, events: list[Any]) -> list[dict[str, Any]]:
    """Store events and log how many there were and how long it took."""
    begun = time.perf_counter()
    acks = accept_each(grant, events, server().intake.accept)
    became = Counter(ack["status"] for ack in acks)
    log(
        "labels",
        events=len(events),
        saved=became["saved"],
        stale=became["stale"],
        refused=became["refused"],
        ms=round((time.perf_counter() - begun) * 1000, 1),
        **name_giver(grant),
    )
    return acks


def check_ids(event: Any) -> None:
    """Refuse ids with half a character, which JSON can escape and no answer could name."""
    for field, text in event.items() if isinstance(event, dict) else ():
        if isinstance(text, str) and field not in _WORDS and not _is_whole(text):
            raise DissentError(
                t("A judgement has half a character as its '{name}'.", name=_show(field))
            )


def _is_whole(text: str) -> bool:
    return text.isascii() or not _HALF.search(text)


def _show(field: str) -> str:
    return field[:40].encode("utf-8", "replace").decode()
