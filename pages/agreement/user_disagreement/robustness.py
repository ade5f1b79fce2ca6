"""One assessor's labels scored by another's; part of the test of the model."""

import pandas as pd
import streamlit as st

from core.analysis.results.robustness import robustness_of
from core.comparison.robustness import FEWEST_ITEMS
from core.errors import BadInput, TooLittleData
from core.wording import count, plain
from pages.shared.figure import show_table
from pages.shared.session import PageContext

FEW_TOPICS = 5


def show_robustness(context: PageContext, facet: str, top: int) -> None:
    """Show how well one assessor's best ranking does by another assessor's labels."""
    st.header("How well can any system do?")
    try:
        with st.spinner("Scoring assessors against each other"):
            rows = robustness_of(context.study, facet, top)
    except TooLittleData:
        st.info(
            f"No two assessors have judged the same {FEWEST_ITEMS} {facet}s of a topic. Let two "
            "assessors judge the same topics to that depth; use five topics or more."
        )
        return
    except BadInput as error:
        st.info(plain(str(error)))
        return
    known = rows[rows["mean"].notna()]
    if known.empty:
        st.info("No topic has a score: neither assessor gives any item a level with a gain.")
        return
    _say_verdict(known)
    show_table(
        rows,
        "robustness",
        "One assessor's labels rank the items, best level first, and another's score that "
        "ranking; mean and standard deviation over topics and the 95 % interval of the mean "
        "(topics are what is sampled), both ways round, ties in random order. A high mean with a "
        "small deviation shows a measure that is robust to disagreement. **N** is the number of "
        "users of the UDM weights, estimated on all other topics. The means of "
        "different measures are on different scales: a higher one alone does not make a measure "
        "better.",
        column_config={
            "users": "N",
            "sd": "sd over topics",
            **dict.fromkeys(("interval", "unit", "units")),
            "reason": "why no interval" if rows["reason"].any() else None,
        },
    )


def _say_verdict(rows: pd.DataFrame) -> None:
    low, high = rows.iloc[rows["mean"].argmin()], rows.iloc[rows["mean"].argmax()]
    topics = int(rows["topics"].max())
    hint = " Few topics: treat this as a rough indication." if topics < FEW_TOPICS else ""
    st.markdown(
        f"The best ranking by one assessor's labels reaches **{low['mean']:.3f}** "
        f"({_name(low)}) to **{high['mean']:.3f}** ({_name(high)}) by another's, over "
        f"{count(topics, 'topic')}: a system can hardly be expected to please other users "
        f"more.{hint}"
    )


def _name(row: pd.Series) -> str:
    users = row["users"]
    return plain(str(row["measure"])) + (f", N = {users:.0f}" if users == users else "")
