"""Labels as files."""

import io
import re

import pandas as pd
import streamlit as st

from core.analysis.base.labels import describe_left_out
from core.collection.label_export import write_labels_csv
from core.store.people.pseudonyms import hide_assessors
from core.store.people.roster import keep_persons
from core.store.rounds.label_rounds import read_labels_by_round
from core.store.store import Store
from pages.shared.left_out import ask_discussed
from pages.shared.session import PageContext, while_signed_in


def offer_labels(context: PageContext) -> None:
    """Offer the labels that stand now, as CSV and as Parquet."""
    st.header("Labels", anchor=False)
    if not context.store.state(context.collection_id)[0]:
        st.info("There are no labels yet.")
        return
    st.markdown(
        "One row for each current label, with its comment and time. Assessors appear as codes, the "
        "same in every file of this collection. Comments are as people wrote them. The CSV can be "
        "imported again; Parquet has column types and two more columns: the level as given, before "
        "*counts as*, and the source."
    )
    names = st.checkbox(
        "With ids and names",
        key="export-label-names",
        help="Ids instead of codes, and names in a separate column. If the file is imported into "
        "this collection again, labels with ids belong to the same assessors, labels with codes to "
        "new ones.",
    )
    everybody = _ask_everybody(context)
    discussed = ask_discussed(context, "export-label-discussed")
    wanted = {"names": names, "everybody": everybody, "discussed": discussed}
    with st.container(horizontal=True):
        st.download_button(
            "CSV",
            data=while_signed_in(lambda: write_csv(context.store, context.collection_id, **wanted)),
            file_name=file_name(context, "labels.csv"),
            mime="text/csv",
            on_click="ignore",
        )
        st.download_button(
            "Parquet",
            data=while_signed_in(
                lambda: write_parquet(context.store, context.collection_id, **wanted)
            ),
            file_name=file_name(context, "labels.parquet"),
            mime="application/vnd.apache.parquet",
            on_click="ignore",
        )


def _ask_everybody(context: PageContext) -> bool:
    """Return whether labels that do not count are wanted, too; asked only where there are any."""
    left_out = describe_left_out(context.study)
    return bool(left_out) and st.checkbox(
        "With labels that count nowhere",
        key="export-label-everybody",
        help=f"Otherwise {left_out}, as from agreement and qrels versions.",
    )


def file_name(context: PageContext, ending: str) -> str:
    """Return the name of a file of this collection."""
    words = re.sub(r"[^\w.]+", "-", f"{context.collection.name} {ending}")
    return words.strip("-").lower()


def write_csv(
    store: Store,
    collection_id: str,
    *,
    names: bool,
    everybody: bool = False,
    discussed: bool = False,
) -> bytes:
    """Return the labels as CSV; those of machine members and of gold only for ``everybody``.

    As given, or with ``discussed`` as they stand after assessors have seen what others said.
    """
    return write_labels_csv(_read(store, collection_id, names, everybody, discussed))


def write_parquet(
    store: Store,
    collection_id: str,
    *,
    names: bool,
    everybody: bool = False,
    discussed: bool = False,
) -> bytes:
    """Return the labels as Parquet, as `write_csv` does."""
    out = io.BytesIO()
    _read(store, collection_id, names, everybody, discussed).to_parquet(out, index=False)
    return out.getvalue()


def _read(
    store: Store, collection_id: str, names: bool, everybody: bool, discussed: bool
) -> pd.DataFrame:
    labels = read_labels_by_round(store, collection_id, discussed=discussed)
    labels = labels.rename(columns={"assessor": "name"})
    if not everybody:
        labels = keep_persons(store, collection_id, labels)
    if names:
        return labels
    return hide_assessors(store, collection_id, labels).drop(columns="name")
