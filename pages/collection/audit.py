"""The organiser's page of who changed what, and when."""

from datetime import UTC, date, datetime, time, timedelta

import pandas as pd
import streamlit as st

from core.analysis.base.wording import count
from core.collection.export import write_table
from core.store.audit.audit import (
    KINDS,
    AuditFilter,
    count_audit,
    list_actors,
    read_audit,
    read_item_history,
)
from core.store.audit.audit_codes import hide_people
from core.store.content.collections import list_collections
from core.store.store import Store
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext, while_signed_in

PURPOSE = (
    "Who changed what, and when: every label event with the one it replaces, and every other "
    "change with its old and its new value. Nothing here can be edited or removed."
)
ROWS = 50
MOST_ROWS = 100_000
_NO_COLLECTION = "the store as a whole"
_COLUMNS = {
    "time": st.column_config.DatetimeColumn("when (UTC)", format="YYYY-MM-DD HH:mm:ss"),
    "subject": st.column_config.TextColumn(width="medium"),
    "change": st.column_config.TextColumn("old → new", width="large"),
    "sequence": st.column_config.NumberColumn(
        "event", help="The label event's number in the store."
    ),
    "replaces": st.column_config.NumberColumn(help="The number of the event that it replaces."),
}


@page("audit", "Collection", "Audit", "organiser")
def draw(context: PageContext) -> None:
    """Show the history, filtered and page by page, and that of one item."""
    begin(context, PURPOSE)
    wanted = _choose(context)
    found = count_audit(context.store, wanted)
    if not found:
        st.info("No entries match this choice.")
    else:
        _show_entries(context, wanted, found)
    if context.collection_id:
        _show_item(context)


def _choose(context: PageContext) -> AuditFilter:
    """Return which part of the history is asked for."""
    actors = list_actors(context.store)
    names = {one.collection_id: one.name for one in list_collections(context.store)}
    with st.container(horizontal=True):
        person = st.selectbox(
            "Person", ["", *actors], format_func=lambda one: actors.get(one, "everybody")
        )
        kind = st.selectbox("Kind", ["", *KINDS], format_func=lambda one: one or "everything")
        collection = st.selectbox(
            "In",
            [None, *names, ""],
            format_func=lambda one: "everywhere" if one is None else names.get(one, _NO_COLLECTION),
            key="audit-collection",
        )
    with st.container(horizontal=True):
        first = st.date_input("From (UTC)", value=None)
        last = st.date_input("To, included (UTC)", value=None)
        text = st.text_input("Search", help="In subjects, values, comments and ids.")
    return AuditFilter(person, kind, collection, _start(first), _start(last, days=1), text)


def _start(day: date | None, days: int = 0) -> datetime | None:
    """Return when a day begins, or one so many days later."""
    return datetime.combine(day, time()) + timedelta(days=days) if day else None


def _show_entries(context: PageContext, wanted: AuditFilter, found: int) -> None:
    """Show one portion of the history, and offer the whole of what was filtered."""
    last = -(-found // ROWS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        # Another filter has other pages, so it begins with its first.
        number = st.number_input(
            f"Page of {last:,}", 1, last, 1, width=160, key=f"audit-page-{hash(wanted)}-{last}"
        )
        _offer_file(context, wanted)
    st.caption(
        f"{count(found, 'entry', 'entries')}, newest first. In the file people appear as codes "
        "unless you ask for their names; entries of a collection use the same codes as its other "
        "files. Comments on labels are included as written."
    )
    portion = read_audit(context.store, wanted, ROWS, (int(number) - 1) * ROWS)
    shown = ["time", "person", "kind", "what", "subject", "change", "collection", "sequence"]
    st.dataframe(portion[shown], hide_index=True, placeholder="–", column_config=_COLUMNS)
    if found > MOST_ROWS:
        st.caption(f"The file holds the newest {MOST_ROWS:,}; choose a shorter time for the rest.")


def _offer_file(context: PageContext, wanted: AuditFilter) -> None:
    names = st.toggle(
        "Names of people",
        key="audit-names",
        help="Names and ids in the file instead of codes, also inside the descriptions of changes.",
    )
    st.download_button(
        "CSV of this choice",
        data=while_signed_in(lambda: write_audit(context.store, wanted, names=names)),
        file_name=f"audit-{datetime.now(UTC):%Y-%m-%d-%H%M}.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def write_audit(store: Store, wanted: AuditFilter, *, names: bool) -> bytes:
    """Return a part of the history as CSV, newest first, in cells that no spreadsheet runs."""
    entries = read_audit(store, wanted, MOST_ROWS)
    return write_table(entries if names else hide_people(store, entries))


def _show_item(context: PageContext) -> None:
    """Offer the history of everything that was said of one document of a topic."""
    st.header("The labels of one item", anchor=False)
    with st.container(horizontal=True):
        topic_id = st.text_input("Topic", width=200).strip()
        document_id = st.text_input("Document or pair", width=300).strip()
    if not topic_id or not document_id:
        return
    events = read_item_history(context.store, context.collection_id, topic_id, document_id)
    if events.empty:
        st.info("Nobody has judged this item in the collection that you are looking at.")
        return
    st.dataframe(
        _readable(events), hide_index=True, placeholder="–", column_config=_COLUMNS, key="item"
    )


def _readable(events: pd.DataFrame) -> pd.DataFrame:
    shown = ["sequence", "time", "person", "what", "subject", "change", "replaces", "standing"]
    return events[shown]
