"""Preferences as a file."""

import pandas as pd
import streamlit as st

from core.collection.preference_export import write_preferences, write_reasons
from core.store.events.preference_reasons import read_reasons
from core.store.people.pseudonyms import hide_assessors
from core.store.rounds.pairs import read_preferences
from pages.collection.label_files import file_name
from pages.shared.left_out import ask_discussed
from pages.shared.session import PageContext, while_signed_in


def offer_preferences(context: PageContext) -> None:
    """Offer what was said of pairs as TSV, where there is any."""
    if read_preferences(context.store, context.collection_id, discussed=True).empty:
        return
    st.header("Preferences", anchor=False)
    st.markdown(
        "One row for each pair that somebody judged side by side: the left and right item, which "
        "was chosen and how clearly. Assessors appear as the same codes as in the files of labels. "
        "The file can be imported again."
    )
    discussed = ask_discussed(context, "export-preference-discussed")
    ids = st.checkbox("With ids", key="export-preference-ids", help="In place of the codes.")
    st.download_button(
        "TSV",
        data=while_signed_in(
            lambda: write_preferences(_standing(context, ids=ids, discussed=discussed))
        ),
        file_name=file_name(context, "preferences.tsv"),
        mime="text/tab-separated-values",
        on_click="ignore",
    )
    if not read_reasons(context.store, context.collection_id).empty:
        st.markdown("Why one was preferred: one row for each reason that was given.")
        st.download_button(
            "Reasons, TSV",
            data=while_signed_in(lambda: _write_reasons(context, ids=ids, discussed=discussed)),
            file_name=file_name(context, "reasons.tsv"),
            mime="text/tab-separated-values",
            on_click="ignore",
        )


def _write_reasons(context: PageContext, *, ids: bool, discussed: bool) -> bytes:
    reasons = read_reasons(context.store, context.collection_id)
    return write_reasons(_standing(context, ids=ids, discussed=discussed), reasons)


def _standing(context: PageContext, *, ids: bool, discussed: bool) -> pd.DataFrame:
    found = read_preferences(context.store, context.collection_id, discussed=discussed)
    found = found[found["state"].isin(["level", "cannot judge"])].reset_index(drop=True)
    return found if ids else hide_assessors(context.store, context.collection_id, found)
