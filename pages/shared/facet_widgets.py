"""What the organiser looks at: the labels of snippets or of pages."""

import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.base.facets import facets_of
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
