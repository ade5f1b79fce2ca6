"""What came of seeing others afterwards: what was changed, towards whom, and κ before and after."""

from collections.abc import Mapping
from functools import partial
from math import isnan

import streamlit as st

from core.analysis.agreement.afterwards import (
    KEPT,
    OUTCOMES,
    agreement_before_and_after,
    looking_of,
    reopened_of,
)
from core.analysis.base.labels import names_of
from core.analysis.base.study import scales_of
from core.collection.records import counted_levels
from core.numerals import write_limits, write_number
from core.reports.agreement import LINEAR
from core.wording import count
from pages.shared.figure import show_table
from pages.shared.session import PageContext

SEEN = "Seen afterwards"


def show_seen(context: PageContext, facet: str) -> None:
    """Show how many items were looked at again, what became of them, and κ before and after."""
    looking = looking_of(context.study)
    table = reopened_of(context.study, facet)
    if table.empty:
        st.info(
            f"{count(looking.people, 'assessor')} opened {count(looking.topics, 'topic')}. No "
            f"{facet} on which others differ was shown."
        )
        return
    changed = int((table["outcome"] != KEPT).sum())
    counts = table["outcome"].value_counts()
    towards = [f"{counts[one]:,} {one}" for one in OUTCOMES[1:] if one in counts]
    listed = f": {', '.join(towards)}" if towards else ""
    st.markdown(
        f"{count(looking.people, 'assessor')} opened {count(looking.topics, 'topic')} in all, and "
        f"looked again at **{count(len(table), facet)}** on which others differ. **{changed:,}** "
        f"{'was' if changed == 1 else 'were'} changed{listed}."
    )
    _show_agreement(context, facet)
    levels = counted_levels(scales_of(context.study)[facet])
    names = names_of(context.study)
    show_table(
        table.assign(assessor=table["assessor_id"].map(names)),
        "seen-afterwards",
        "A row for each item that an assessor was shown with others' labels. **before** is the "
        "level they had given, **after** the one that stands since. **others** gave the item a "
        "level; **majority** is the most frequent of these, empty where several are. Nearer and "
        "further are by the distance from the **median** of the others. Levels of others are those "
        "given before anybody saw anything.",
        nobody=("outcome", "given", "said", "majority", "median", "others", "seen_at"),
        column_order=[
            "assessor", "query", "document_id", "engine", "given", "said", "others",
            "majority", "median", "outcome", "seen_at",
        ],
        column_config={
            "given": "before",
            "said": "after",
            "median": st.column_config.NumberColumn("median", format="%.1f"),
            "seen_at": st.column_config.DatetimeColumn("seen (UTC)", format="D MMM YYYY, HH:mm"),
            "engine": "engine" if (table["engine"] != "").any() else None,
        },
        written=dict.fromkeys(("given", "said", "majority"), partial(_name, levels)),
    )  # fmt: skip


def _name(levels: Mapping[int, str], level: float) -> str:
    """Return the name of a counted level; nothing where there is none."""
    return "" if isnan(level) else levels.get(int(level), str(level))


def _show_agreement(context: PageContext, facet: str) -> None:
    """Show κ of labels as given, and beside it what it would be after discussion."""
    rows = agreement_before_and_after(context.study, facet)
    helps = {
        "as given": "Labels given independently: this is the agreement that counts.",
        "after discussion": "With what was said after seeing others: not independent, so this is "
        "no agreement beyond chance, and no interval is given.",
    }
    with st.container(horizontal=True):
        for row in rows.to_dict("records"):
            is_given = row["labels"] == "as given"
            known = not isnan(row["value"])
            limits = row["reason"] or write_limits(row["low"], row["high"])
            st.metric(
                f"{LINEAR.title.capitalize()}, {row['labels']}",
                write_number(row["value"]) if known else "not defined",
                limits if is_given else "not independent",
                delta_color="off",
                delta_arrow="off",
                border=True,
                help=helps[row["labels"]],
            )
