"""Whose judgements a plan takes its scores from."""

import streamlit as st

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.facets import facets_of
from core.analysis.results.declared import offer_declared
from core.analysis.results.qrels_choices import QrelsChoice, list_choices
from pages.shared.session import PageContext


def choose_version(context: PageContext) -> QrelsChoice | None:
    """Let the organiser choose a qrels version of a facet; None without."""
    facets = facets_of(context.study)
    first = declared_of(context.study).facet
    for facet in sorted(facets, key=lambda one: one != first):
        model = model_of(context.study, facet)
        if choices := list_choices(context.study, facet, model):
            return _choose(context, facet, offer_declared(context.study, facet, choices))
    return None


def _choose(context: PageContext, facet: str, choices: dict[str, QrelsChoice]) -> QrelsChoice:
    with context.sheet.options:
        key = st.selectbox(
            "Qrels version",
            list(choices),
            format_func=lambda one: choices[one].name,
            key=f"plan-version-{facet}",
            bind="query-params",
            help="The judgements that the pilot's scores rest on.",
        )
    return choices[key]
