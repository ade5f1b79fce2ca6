"""The organiser's page for taking data out."""

import streamlit as st

from pages.collection.backup import offer_backup
from pages.collection.bundle import offer_bundle
from pages.collection.data_files import (
    ASPECTS,
    LABELS,
    PASSAGES,
    PREFERENCES,
    WORDS,
    offer_files,
)
from pages.collection.paper_files import offer_paper
from pages.collection.public_form import offer_public_page
from pages.collection.tool_files import TOOL_PAIRS, TOOLS
from pages.collection.trec_files import offer_qrels, offer_runs
from pages.collection.webhooks_form import offer_webhooks
from pages.shared.figure import NAMES_IN_DATA
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

ANSWER = (
    "Qrels, labels, preferences, runs, passages, questions, and a backup of the whole store, as "
    "files."
)
PURPOSE = (
    "Files to download. Each is created when you press its button. To download scores, or the "
    "numbers behind any figure or table, press *Data* below it on its own page."
)


@page("export", "Collection", "Export", "organiser")
def draw(context: PageContext) -> None:
    """Offer qrels, labels, preferences, runs and a backup."""
    begin(context, PURPOSE)
    context.sheet.answer(ANSWER)
    if not needs_collection(context):
        offer_qrels(context)
        for part in (LABELS, ASPECTS, PREFERENCES):
            offer_files(context, part)
        offer_runs(context)
        for part in (PASSAGES, WORDS, TOOLS, TOOL_PAIRS):
            offer_files(context, part)
        offer_public_page(context)
        offer_webhooks(context)
        offer_bundle(context)
        offer_paper(context)
    _ask_for_names()
    st.header("The whole store", anchor=False)
    offer_backup(context)


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
