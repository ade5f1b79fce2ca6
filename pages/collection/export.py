"""The organiser's page for taking data out.

The paper pack: tables, figures, methods and BibTeX in one ZIP. Labels and preferences for other
tools.
"""

from functools import partial

import streamlit as st

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study
from core.analysis.results.declared import declared_measures, offer_declared
from core.analysis.results.qrels_choices import list_choices
from core.analysis.results.scores import SUGGESTED
from core.collection.annotation_tools.writers import LABEL_WRITERS, PREFERENCE_WRITERS
from core.paper.choices import MEASURES
from core.paper.pack import make_pack
from pages.collection.backup import offer_backup
from pages.collection.bundle import offer_bundle
from pages.collection.data_files import (
    ANSWERS,
    ASPECTS,
    CLICKS,
    LABELS,
    PARADATA,
    PASSAGES,
    PREFERENCES,
    WORDS,
    Download,
    FilesPart,
    file_name,
    offer_files,
)
from pages.collection.public_form import offer_public_page
from pages.collection.trec_files import offer_qrels, offer_runs
from pages.collection.webhooks_form import offer_webhooks
from pages.shared.figure import NAMES_IN_DATA
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.parts import show_parts
from pages.shared.session import PageContext, while_signed_in
from pages.shared.wording import needs_collection

TOOLS = FilesPart(
    "tool",
    "Labels for other tools",
    "The levels of all labels that stand, with the query, title and text of each item, as these "
    "tools read them. Each file can be imported here again. A book for Quepid has a row for each "
    "query and document and a column for each assessor; it holds no snippets and no repeats.",
    tuple(
        Download(one.title, "labels", one.ending, one.media_type, tool)
        for tool, one in LABEL_WRITERS.items()
    ),
    "Ids instead of codes.",
    "There are no labels yet.",
)
TOOL_PAIRS = FilesPart(
    "tool-pair",
    "Preferences for other tools",
    "Pairs as tasks of Label Studio's *Pairwise*, with what was chosen.",
    tuple(
        Download(one.title, "preferences", one.ending, one.media_type, tool)
        for tool, one in PREFERENCE_WRITERS.items()
    ),
    "Ids instead of codes.",
)

ANSWER = (
    "Qrels, labels, preferences, runs and what else was collected, as files, as a public page or "
    "as a bundle that others compute anew; and a backup of the whole store."
)
PURPOSE = (
    "Files to download. Each is created when you press its button. To download scores, or the "
    "numbers behind any figure or table, press *Data* below it on its own page."
)


@page("export", "Collection", "Export", "organiser")
def draw(context: PageContext) -> None:
    """Offer files, a public page, a bundle, webhooks and a backup."""
    begin(context, PURPOSE)
    context.sheet.answer(ANSWER)
    if needs_collection(context):
        _ask_for_names()
        _show_backup(context)
        return
    show_parts("export-part", {title: partial(part, context) for title, part in PARTS.items()})


def _show_files(context: PageContext) -> None:
    offer_qrels(context)
    for part in (LABELS, ASPECTS, PREFERENCES):
        offer_files(context, part)
    offer_runs(context)
    for part in (PASSAGES, PARADATA, ANSWERS, CLICKS, WORDS):
        offer_files(context, part)
    _ask_for_names()


def _show_other_tools(context: PageContext) -> None:
    for part in (TOOLS, TOOL_PAIRS):
        offer_files(context, part)


def _show_bundle_and_paper(context: PageContext) -> None:
    offer_bundle(context)
    offer_paper(context)


def _show_backup(context: PageContext) -> None:
    st.header("The whole store", anchor=False)
    offer_backup(context)


PARTS = {
    "Files": _show_files,
    "Other tools": _show_other_tools,
    "Public page": offer_public_page,
    "Bundle and paper": _show_bundle_and_paper,
    "Webhooks": offer_webhooks,
    "Backup": _show_backup,
}


def _ask_for_names() -> None:
    """Let the organiser have names in the data behind figures and tables, until they sign out."""
    st.header("Data behind figures and tables", anchor=False)
    st.markdown(
        "What *Data* gives on the other pages. Assessors appear there as the same codes as in the "
        "files above. In texts that people wrote, a name is replaced by its code only where it is "
        "a whole word."
    )
    asked = st.checkbox(
        "With names",
        value=st.session_state.get(NAMES_IN_DATA, False),
        help="In this browser tab, until you reload it or untick this.",
    )
    st.session_state[NAMES_IN_DATA] = asked


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
