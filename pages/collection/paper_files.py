"""The paper pack: tables, figures, methods and BibTeX in one ZIP."""

import streamlit as st

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study
from core.analysis.results.declared import declared_measures, offer_declared
from core.analysis.results.qrels_choices import list_choices
from core.analysis.results.scores import SUGGESTED
from core.paper.choices import MEASURES
from core.paper.pack import make_pack
from pages.collection.data_files import file_name
from pages.shared.session import PageContext, while_signed_in


def offer_paper(context: PageContext) -> None:
    """Offer the pack, with a choice of qrels versions and measures."""
    st.header("For a paper", anchor=False)
    st.markdown(
        "Every table as CSV, LaTeX and Markdown, figures as SVG and PDF, a paragraph on methods "
        "with its numbers filled in, and BibTeX of what it rests on. Begin with *paper.tex*. "
        "Assessors appear by codes."
    )
    study = Study(context.store, context.study.collection_id, is_masked=True)
    facet = declared_of(study).facet
    model = model_of(study, facet)
    choices = offer_declared(study, facet, list_choices(study, facet, model))
    usual = declared_measures(study, MEASURES)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        versions = st.multiselect(
            "Versions",
            list(choices),
            default=list(choices)[:1],
            format_func=lambda one: choices[one].name,
            key="paper-versions",
            width=360,
        )
        measures = st.multiselect(
            "Measures",
            list(dict.fromkeys([*usual, *SUGGESTED])),
            default=usual,
            key="paper-measures",
            width=360,
        )
        chosen = [choices[one] for one in versions]
        st.download_button(
            "Paper pack",
            data=while_signed_in(lambda: make_pack(study, chosen, measures).zip()),
            file_name=file_name(context, "paper.zip"),
            mime="application/zip",
            on_click="ignore",
        )
