"""What the organiser looks at: the levels of relevance, or those of an aspect."""

from dataclasses import replace

import streamlit as st

from core.store.content.aspects import list_aspects
from pages.shared.session import PageContext

RESULTS = "results-aspect"
"""The key of the choice that holds on every page of results."""


def choose_aspect(context: PageContext, key: str) -> PageContext:
    """Let the organiser choose an aspect where there are any; its labels are then in view."""
    names = [one.name for one in list_aspects(context.store, context.collection_id)]
    if not names:
        return context
    with context.sheet.choices:
        chosen = st.selectbox(
            "Aspect",
            ["", *names],
            format_func=lambda name: name or "relevance",
            label_visibility="collapsed",
            help="What was judged: relevance, or another aspect of the same items.",
            width=150,
            key=key,
            bind="query-params",
        )
    return replace(context, aspect=str(chosen))


def key_for(context: PageContext, key: str) -> str:
    """Return the key of a control whose options differ from one aspect to another."""
    return " ".join(filter(None, (key, context.aspect)))
