"""The levels of each facet, in a table that can be edited."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd
import streamlit as st

from core.collection.records import Level, numeric_scale
from core.errors import BadInput
from core.store.content.scales import get_scales, replace_scale
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

COLUMNS = {
    "level": st.column_config.NumberColumn("Level", step=1, help="Scales are ordered by this."),
    "name": st.column_config.TextColumn("Name", help="On buttons and in tables."),
    "meaning": st.column_config.TextColumn("Meaning", width="large", help="When to choose it."),
    "key": st.column_config.TextColumn("Key", max_chars=1, help="The key that gives it."),
    "counts_as": st.column_config.NumberColumn(
        "Counts as", step=1, help="The level that analyses use instead; usually the same."
    ),
}
"""How the levels of a scale stand in a table that can be edited."""


def edit_scales(context: PageContext) -> None:
    """Show the scale of each facet; save what is changed."""
    st.markdown(
        "Assessors choose one level for each snippet and each page. Change a cell, add a row "
        "below, or mark a row to delete it; then save. *Meaning* appears on the assessors' buttons."
    )
    for facet, levels in get_scales(context.store, context.collection_id).items():
        st.header(f"Levels of a {facet}", anchor=False)
        table = st.data_editor(
            pd.DataFrame([asdict(level) for level in levels]),
            key=f"scale-{facet}-{hash(levels)}",
            column_config=COLUMNS,
            num_rows="dynamic",
            hide_index=True,
        )
        try:
            _offer_saving(context, facet, levels, table)
        except BadInput as error:
            refuse(error, "The scale stays as it was.")


def read_levels(table: pd.DataFrame) -> tuple[Level, ...]:
    """Return the rows of the table as levels; *counts as* is the level itself when empty.

    Raises
    ------
    BadInput
        A row has no whole number as its level.
    """
    return tuple(_read_level(row) for row in table.to_dict("records"))


def _read_level(row: Mapping[Hashable, Any]) -> Level:
    number = _whole(row["level"], "level")
    counts_as = number if pd.isna(row["counts_as"]) else _whole(row["counts_as"], "counts as")
    texts = {
        field: "" if pd.isna(row[field]) else str(row[field]).strip()
        for field in ("name", "meaning", "key")
    }
    return Level(level=number, counts_as=counts_as, **texts)


def _whole(value: float | None, field: str) -> int:
    if pd.isna(value) or float(value) != int(float(value)):
        raise BadInput(f"every level needs a whole number as its {field}", field=field)
    return int(float(value))


def _offer_saving(
    context: PageContext, facet: str, levels: tuple[Level, ...], table: pd.DataFrame
) -> None:
    with st.container(horizontal=True):
        if st.button("Save", key=f"save-{facet}", type="primary"):
            _replace(context, facet, read_levels(table))
        # A new key after each change, so that the popover closes.
        with st.popover(
            "Plain numbers",
            help="For levels without names, as TREC's 0 to 3.",
            key=f"plain-{facet}-{hash(levels)}",
        ):
            lowest = st.number_input("From", value=0, step=1, key=f"lowest-{facet}")
            highest = st.number_input("To", value=3, step=1, key=f"highest-{facet}")
            if st.button("Use these numbers", key=f"numbers-{facet}"):
                _replace(context, facet, numeric_scale(range(lowest, highest + 1)))


def _replace(context: PageContext, facet: str, levels: Sequence[Level]) -> None:
    replace_scale(context.store, context.collection_id, facet, levels, by=context.person_id)
    finish(f"The levels of a {facet} are saved.")
