"""The organiser's page of who changed what, and when."""

from datetime import UTC, date, datetime, time, timedelta

import pandas as pd
import streamlit as st

from core.collection.export.delimited import write_table
from core.store.audit.audit import (
    KINDS,
    AuditFilter,
    AuditSpan,
    list_actors,
    list_label_imports,
    name_rounds,
    read_audit,
    read_imported,
    read_item_history,
    span_audit,
)
from core.store.audit.audit_codes import hide_people
from core.store.store import Store
from core.wording import count, plain
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext, while_signed_in
from pages.shared.table import WHOLE, draw_table

PURPOSE = (
    "Who changed what, and when: every label event with the one it replaces, and every other "
    "change with its old and its new value. Nothing here can be edited or removed."
)
ROWS = 50
MOST_ROWS = 100_000
_HERE, _STORE, _NONE = "this collection", "the whole store", "no collection"
_PLACES = (_HERE, _STORE, _NONE)
_COLUMNS = {
    "time": st.column_config.DatetimeColumn("when (UTC)", format="YYYY-MM-DD HH:mm:ss"),
    "subject": st.column_config.TextColumn(width="medium"),
    "change": st.column_config.TextColumn("old → new", width="large"),
    "event": st.column_config.NumberColumn(
        format=WHOLE, help="The label event's number in its collection."
    ),
    "replaces": st.column_config.NumberColumn(
        format=WHOLE, help="The number of the event that it replaces."
    ),
}


@page("audit", "Collection", "Audit", "organiser")
def draw(context: PageContext) -> None:
    """Show the history, filtered and page by page, and that of one item."""
    begin(context, PURPOSE)
    wanted = _choose(context)
    span = span_audit(context.store, wanted)
    if not span.entries:
        context.sheet.tell("No entries match this choice.")
    else:
        _show_entries(context, wanted, span)
    if context.collection_id:
        _show_import(context)
        _show_item(context)


def _choose(context: PageContext) -> AuditFilter:
    """Return which part of the history is asked for: at first, the collection in view."""
    actors = list_actors(context.store)
    places = [place for place in _PLACES if context.collection_id or place != _HERE]
    with context.sheet.choices:
        place = st.selectbox("In", places, key="audit-place", width=200)
        kind = st.selectbox(
            "Kind", ["", *KINDS], format_func=lambda one: one or "everything", width=180
        )
    with context.sheet.options:
        person = st.selectbox(
            "Person", ["", *actors], format_func=lambda one: actors.get(one, "everybody")
        )
        first = st.date_input("From (UTC)", value=None)
        last = st.date_input("To, included (UTC)", value=None)
        text = st.text_input("Search", help="In subjects, values, comments and ids.")
        each = st.toggle(
            "Each imported label",
            help="Otherwise an import is one entry, unless you choose a person or search.",
        )
    folds = not (each or person or text.strip())
    collection_id = {_HERE: context.collection_id, _STORE: None, _NONE: ""}[place]
    return AuditFilter(
        person, kind, collection_id, _start(first), _start(last, days=1), text, folds
    )


def _start(day: date | None, days: int = 0) -> datetime | None:
    """Return when a day begins, or one so many days later."""
    return datetime.combine(day, time()) + timedelta(days=days) if day else None


def _show_entries(context: PageContext, wanted: AuditFilter, span: AuditSpan) -> None:
    """Show one portion of the history, and offer the whole of what was filtered."""
    found = span.entries
    with st.container(horizontal=True, vertical_alignment="bottom"):
        # Another filter has other pages, so it begins with its first.
        skip = _choose_portion(found, f"audit-page-{hash(wanted)}")
        _offer_file(context, wanted)
    newest = read_audit(context.store, wanted, 1)["person"].iloc[0]
    context.sheet.answer(describe_span(span, newest, wanted, datetime.now(UTC).date()))
    portion = read_audit(context.store, wanted, ROWS, skip)
    shown = ["time", "person", "kind", "what", "subject", "change", "collection", "event"]
    if wanted.collection_id is not None:
        shown.remove("collection")
    draw_table(name_rounds(context.store, portion)[shown], column_config=_COLUMNS)
    st.caption(
        "Newest first. Label events are numbered in each collection, as everywhere. In the file "
        "rounds appear by their ids, and people as codes unless you ask for their names; entries "
        "of a collection use the same codes as its other files. Comments on labels are included as "
        "written."
    )
    if found > MOST_ROWS:
        st.caption(f"The file holds the newest {MOST_ROWS:,}; choose a shorter time for the rest.")


def _choose_portion(rows: int, key: str) -> int:
    """Return how many rows stand on the pages before the chosen one; one page is no choice."""
    last = -(-rows // ROWS)
    if last == 1:
        return 0
    number = st.number_input(f"Page of {last:,}", 1, last, 1, width=160, key=f"{key}-{last}")
    return (int(number) - 1) * ROWS


def describe_span(span: AuditSpan, newest: str, wanted: AuditFilter, today: date) -> str:
    """Return how many changes there are, since when, and who made the last one and when.

    Imported labels carry the time of their judgement, which may be long before the collection.
    """
    place = {None: _STORE, "": _NONE}.get(wanted.collection_id, _HERE)
    changes = f"**{count(span.entries, 'change')}** in {place}"
    if span.first is None or span.last is None:
        return f"{changes}."
    by = plain(newest) if newest != "command line" else "the command line"
    first, last = span.first.date(), span.last.date()
    if first == last:
        return f"{changes}, {_name_day(last, today)}; the last by {by}."
    since = _name_day(first, today).removeprefix("on ")
    return f"{changes} since {since}; the last by {by} {_name_day(last, today)}."


def _name_day(day: date, today: date) -> str:
    """Return a day as one would say it: ``today``, ``on 3 October``, ``on 3 October 2025``."""
    if 0 <= (today - day).days <= 1:
        return ("today", "yesterday")[(today - day).days]
    year = f" {day.year}" if day.year != today.year else ""
    return f"on {day.day} {day:%B}{year}"


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
    shown = entries if names else hide_people(store, entries)
    return write_table(shown.drop(columns="sequence"))


def _show_import(context: PageContext) -> None:
    """Offer the label events that one import brought."""
    imports = list_label_imports(context.store, context.collection_id)
    if not imports:
        return
    st.header("The labels of one import", anchor=False)
    chosen = st.selectbox(
        "Import",
        imports,
        index=None,
        placeholder="Choose one to open it",
        format_func=lambda one: (
            f"{one.time:%Y-%m-%d %H:%M} · {one.subject} · {count(one.labels, 'label')}"
        ),
    )
    if chosen is None:
        return
    skip = _choose_portion(chosen.labels, f"import-page-{chosen.earlier}")
    events = read_imported(context.store, context.collection_id, chosen, ROWS, skip)
    shown = ["time", "person", "subject", "change", "event"]
    draw_table(events[shown], column_config=_COLUMNS, key="import")


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
    draw_table(_readable(events), column_config=_COLUMNS, key="item")


def _readable(events: pd.DataFrame) -> pd.DataFrame:
    shown = ["event", "time", "person", "what", "subject", "change", "replaces", "standing"]
    return events[shown]
