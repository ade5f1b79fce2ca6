"""The organiser's page for taking data out."""

import streamlit as st

from pages.manage.backup import offer_backup
from pages.manage.label_files import offer_labels
from pages.manage.notice import begin
from pages.manage.preference_files import offer_preferences
from pages.manage.trec_files import offer_qrels, offer_runs
from pages.shared.figure import NAMES_IN_DATA
from pages.shared.page import page
from pages.shared.session import Visit
from pages.shared.wording import needs_collection

PURPOSE = (
    "Files to take away. Each is made at the moment you press its button. Scores, and the numbers "
    "behind any figure or table, are under it on its own page: press *Data* there."
)


@page("Manage", "Export", ":material/file_download:", "organiser")
def draw(visit: Visit) -> None:
    """Offer qrels, labels, preferences, runs and a backup."""
    begin(visit, PURPOSE)
    if not needs_collection(visit):
        offer_qrels(visit)
        offer_labels(visit)
        offer_preferences(visit)
        offer_runs(visit)
    _ask_for_names()
    st.header("The whole store", anchor=False)
    offer_backup(visit)


def _ask_for_names() -> None:
    """Let the organiser have names in the data behind figures and tables, until they sign out."""
    st.header("Data behind figures and tables", anchor=False)
    st.markdown(
        "What *Data* gives on the other pages. Assessors appear there by the same codes as in the "
        "files above; in texts that people wrote, only where a name is a whole word."
    )
    asked = st.checkbox(
        "With names",
        value=st.session_state.get(NAMES_IN_DATA, False),
        help="In this browser tab, until you reload it or untick this.",
    )
    st.session_state[NAMES_IN_DATA] = asked
