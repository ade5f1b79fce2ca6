"""What was said of aspects, as a file."""

import streamlit as st

from core.collection.label_export import write_labels_csv
from core.store.content.aspects import list_aspects
from core.store.events.aspect_labels import list_said, read_aspect_labels
from core.store.people.pseudonyms import hide_assessors
from core.store.people.roster import keep_persons
from core.store.rounds.label_rounds import read_labels_by_round
from core.store.store import Store
from pages.collection.label_files import file_name
from pages.shared.session import PageContext, while_signed_in


def offer_aspects(context: PageContext) -> None:
    """Offer a row for each label and aspect as CSV, where there are aspects."""
    if not list_aspects(context.store, context.collection_id):
        return
    st.header("Aspects", anchor=False)
    st.markdown(
        "One row for each label and aspect, with the label's relevance beside it. Where an aspect "
        "was left out the level is empty. *dissent agreement --aspect* reads this file."
    )
    names = st.checkbox("With ids and names", key="export-aspect-names")
    place = context.store, context.collection_id
    st.download_button(
        "Aspects",
        data=while_signed_in(lambda: write_aspects(*place, names=names)),
        file_name=file_name(context, "aspects.csv"),
        mime="text/csv",
        on_click="ignore",
    )


def write_aspects(store: Store, collection_id: str, *, names: bool) -> bytes:
    """Return what persons said of aspects as CSV."""
    labels = read_labels_by_round(store, collection_id).rename(columns={"assessor": "name"})
    labels = keep_persons(store, collection_id, labels)
    rows = list_said(labels, read_aspect_labels(store, collection_id))
    if not names:
        rows = hide_assessors(store, collection_id, rows).drop(columns="name")
    return write_labels_csv(rows)
