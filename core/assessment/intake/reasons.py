"""The reasons that come with a preference."""

from collections.abc import Mapping
from typing import Any

from core.assessment.intake.event_fields import read_text
from core.collection.records import PAIR
from core.errors import BadInput
from core.language.translate import t
from core.store.events.labels import Key
from core.store.events.preference_reasons import LONGEST_REASON, MOST_REASONS


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
