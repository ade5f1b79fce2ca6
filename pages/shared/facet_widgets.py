"""What the organiser looks at: labels of snippets or of pages, of relevance or of an aspect."""

from dataclasses import replace

import streamlit as st

from core.analysis.base.declared import declared_of, tell_other_labels
from core.analysis.base.study import aspects_of, facets_of
from core.reports.user_model import UserModel
from pages.shared.session import PageContext

TWO_ASSESSORS = (
    "At least two assessors have to judge the same items: on the page *Rounds*, open a round "
    "in which each topic goes to two assessors or more. A few topics will do for a start."
)


def choose_facet(context: PageContext, key: str) -> str:
    """Let the organiser choose between snippets and pages, where there are both.

    The one that the study declares comes first into view.
    """
    facets = facets_of(context.study)
    if len(facets) < 2:
        return facets[0]
    usual = declared_of(context.study).facet
    with context.sheet.choices:
        chosen = st.radio(
            "Labels of",
            facets,
            index=facets.index(usual) if usual in facets else 0,
            format_func=lambda facet: f"{facet}s",
            horizontal=True,
            label_visibility="collapsed",
            width="content",
            key=key,
            bind="query-params",
        )
    return str(chosen)


def tell_labels(context: PageContext, facet: str, model: UserModel | None = None) -> None:
    """Say in a caption whose labels and users are declared and shown, where they differ."""
    if difference := tell_other_labels(context.study, facet, model):
        st.caption(difference)


RESULTS = "results-aspect"
"""The key of the choice that holds on every page of results."""


def choose_aspect(context: PageContext, key: str) -> PageContext:
    """Let the organiser choose an aspect where there are any; its labels are then in view."""
    names = [one.name for one in aspects_of(context.study)]
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
