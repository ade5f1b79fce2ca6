"""Hours: how long everybody judged in each round, as a report for payment."""

import pandas as pd
import streamlit as st

from core.analysis.people.hours import LONGEST_MINUTES, hours_of, sum_by_person
from core.collection.export.delimited import write_table
from core.wording import count
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext, while_signed_in
from pages.shared.wording import needs_collection

PURPOSE = "How long everybody judged, by round: the basis of a payment."
_METHOD = (
    "Active time is the time in which an item was on the screen of somebody who was active: a "
    "stretch without any key, pointer, touch or scroll movement counts as at most 60 seconds. "
    "Answers given in the plain form, without the judging screen, are timed from one to the next, "
    "so one answer counts for no more than the minutes chosen under *Options*; *cut* says how many "
    "were cut. Revisions, items passed over and practice count as time. *Labels* are items with an "
    "answer, each once. Hours are rounded to 0.01, and an amount is these hours times the rate."
)


@page("hours", "People", "Hours", "organiser")
def draw(context: PageContext) -> None:
    """Show the hours of everybody and offer them as a file."""
    begin(context, PURPOSE)
    if not needs_collection(context):
        show_hours(context)


def show_hours(context: PageContext) -> None:
    """Ask for a rate, then list hours by person and by round."""
    minutes, rate, names = _choose(context)
    hours = hours_of(context.study, longest_minutes=minutes, rate=rate, names=names)
    if hours.empty:
        context.sheet.tell("Nobody has judged here yet. Imported labels take no time.")
        return
    context.sheet.answer(_answer(hours))
    _show(sum_by_person(hours))
    with st.expander("By round"):
        _show(hours)
    st.download_button(
        "Hours, CSV",
        data=while_signed_in(lambda: write_table(hours)),
        file_name="hours.csv",
        mime="text/csv",
        on_click="ignore",
    )
    st.caption(_METHOD)


def _choose(context: PageContext) -> tuple[float, float | None, bool]:
    """Return the longest answer in minutes, the rate, and whether people appear by name."""
    with context.sheet.choices:
        rate = st.number_input(
            "Rate per hour", min_value=0.0, value=None, placeholder="none", width=160
        )
        names = st.toggle("Names instead of codes")
    with context.sheet.options:
        minutes = st.number_input(
            "Longest answer (minutes)", min_value=1, value=LONGEST_MINUTES, width=200
        )
    return float(minutes), rate, names


def _answer(hours: pd.DataFrame) -> str:
    people = count(hours["assessor_id"].nunique(), "person", "people")
    labels = count(int(hours["labels"].sum()), "label")
    sentence = f"**{hours['hours'].sum():,.2f} hours** by {people} for {labels}"
    return (
        f"{sentence}: {hours['amount'].sum():,.2f} at this rate."
        if "amount" in hours
        else f"{sentence}."
    )


def _show(table: pd.DataFrame) -> None:
    number, time = st.column_config.NumberColumn, st.column_config.DatetimeColumn
    st.dataframe(
        table,
        hide_index=True,
        placeholder="–",
        column_config={
            "assessor_id": None,
            "hours": number(format="%.2f"),
            "amount": number(format="%.2f"),
            "rate": number(format="%.2f"),
            "capped": number("cut"),
            "first": time("first (UTC)", format="D MMM YYYY, HH:mm"),
            "last": time("last (UTC)", format="D MMM YYYY, HH:mm"),
        },
    )
