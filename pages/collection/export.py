"""The organiser's page for taking data out."""

from functools import partial

import streamlit as st

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
from pages.shared.parts import show_parts
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

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
