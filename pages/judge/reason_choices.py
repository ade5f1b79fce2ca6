"""The reasons of a preference in Streamlit's own elements: to choose, and to list."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.collection.records import PAIR
from core.language.translate import t
from core.store.events.preference_reasons import (
    list_reason_choices,
    read_given_reasons,
    read_reasons,
)
from core.wording import plain
from pages.shared.session import PageContext


def choose_reasons(context: PageContext, facet: str, event_id: str | None) -> dict[str, Any]:
    """Offer the reasons of a preference, those of a label event chosen; what its event says.

    Nothing is offered, and nothing said, of what does not stand side by side, or where there are
    no reasons to choose from.
    """
    if not facet.endswith(PAIR):
        return {}
    here = context.store, context.collection_id
    given = read_given_reasons(*here, [event_id]).get(event_id, []) if event_id else []
    offered = list(dict.fromkeys([*list_reason_choices(*here), *given]))
    if not offered:
        return {}
    label = t("Why one is better")
    chosen = st.multiselect(label, offered, given, format_func=plain, key=f"why-{event_id}")
    return {"reasons": chosen}


def word_reasons(context: PageContext, sequences: Iterable[int]) -> Sequence[str]:
    """Return the reasons of each of these preferences of one's own, as a text; often none."""
    reasons = read_reasons(context.store, context.collection_id)
    joined: pd.Series[str] = reasons.groupby("sequence")["reason"].agg(", ".join)
    return [str(joined.get(one, "")) for one in sequences]
