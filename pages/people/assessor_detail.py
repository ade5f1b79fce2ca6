"""One assessor: levels beside the others', active time by level, and drift over time."""

import pandas as pd
import streamlit as st

from core.agreement.drift import FEWEST_LABELS
from core.analysis.base.labels import names_of
from core.analysis.base.study import scales_of
from core.analysis.people.assessors import ask_assessors
from core.collection.records import counted_levels
from core.figures.assessors import draw_drift, draw_level_shares, draw_times
from core.numerals import write_limits
from core.wording import count, plain
from pages.shared.figure import show_figure
from pages.shared.session import PageContext


def show_assessor(context: PageContext, facet: str, table: pd.DataFrame) -> None:
    """Let the organiser choose an assessor, and show how they judge.

    ``table`` has assessor_id, labels, leniency, low, high; most labels first.
    """
    names = names_of(context.study)
    chosen = st.selectbox(
        "Assessor, most labels first",
        table["assessor_id"].tolist(),
        format_func=names.__getitem__,
        key=f"assessor-{facet}",
    )
    row = table[table["assessor_id"] == chosen].iloc[0]
    _say_assessor(row, names[chosen], facet)
    left, right = st.columns(2)
    with left:
        _show_levels(context, facet, chosen)
    with right:
        _show_times(context, facet, chosen)
    _show_drift(context, facet, chosen)


def _say_assessor(row: pd.Series, name: str, facet: str) -> None:
    said = "leniency is not defined because nobody else judged the same items."
    if pd.notna(row["leniency"]):
        which = "above" if row["leniency"] >= 0 else "below"
        said = (
            f"on the {count(row['common'], 'item')} that others judged, too, their levels lie "
            f"{abs(row['leniency']):.3f} steps {which} the others' on average"
        )
        limits = f" (95 % interval over topics {write_limits(row['low'], row['high'])})."
        said += limits if pd.notna(row["low"]) else "; one topic gives no interval."
    st.markdown(f"**{plain(name)}** gave {count(row['labels'], f'{facet} label')}; {said}")


def _show_levels(context: PageContext, facet: str, assessor_id: str) -> None:
    rows = _name_levels(context, facet, "level_shares", assessor_id)
    show_figure(
        draw_level_shares(rows, names_of(context.study)[assessor_id]),
        rows,
        "assessor-levels",
        "How often this assessor gave each level, compared with all other assessors together. "
        "Assessors judged different items, so a difference may come from the items; leniency "
        "compares on common items only and avoids this.",
        nobody=("name",),
    )


def _show_times(context: PageContext, facet: str, assessor_id: str) -> None:
    rows = _name_levels(context, facet, "active_time", assessor_id)
    if rows.empty:
        st.info("No active time was measured for this assessor, as with most imported labels.")
        return
    show_figure(
        draw_times(rows),
        rows,
        "assessor-times",
        "Active time of a label by level: the median, with a line from the lower to the upper "
        "quartile. Only time in which the item was on the screen and the assessor was active "
        "counts. Short times alone do not show carelessness: some items are clear at a glance.",
        nobody=("name",),
    )


def _show_drift(context: PageContext, facet: str, assessor_id: str) -> None:
    rows = _own(ask_assessors(context.study, facet).drift, assessor_id)
    st.header("Drift")
    if rows.empty:
        st.info(f"Drift is shown from {FEWEST_LABELS} labels on; this assessor has fewer.")
        return
    series = (
        ("leniency", "leniency (steps)", "No label is on an item that others judged, too.", 0.0),
        ("median_seconds", "median time (s)", "No active time was measured.", None),
    )
    for place, (column, title, nothing, usual) in zip(st.columns(2), series, strict=True):
        with place:
            if rows[column].isna().all():
                st.info(nothing)
                continue
            show_figure(
                draw_drift(rows, column, title, usual=usual),
                rows,
                f"assessor-drift-{column.replace('_', '-')}",
                "The assessor's labels in the order given, cut into ten equal parts. The others' "
                "labels are those of all times, so a change comes from this assessor. A steady "
                "rise or fall may be drift, but tenths are small and topics differ: a single high "
                "or low tenth is often due to one unusual topic. A gap means that there are no "
                "values.",
            )


def _own(rows: pd.DataFrame, assessor_id: str) -> pd.DataFrame:
    return rows[rows["assessor_id"] == assessor_id].reset_index(drop=True)


def _name_levels(context: PageContext, facet: str, table: str, assessor_id: str) -> pd.DataFrame:
    """Return an assessor's rows of a table of the report, with the ``name`` of each level."""
    own = _own(ask_assessors(context.study, facet).table(table), assessor_id)
    return own.assign(name=own["level"].map(counted_levels(scales_of(context.study)[facet])))
