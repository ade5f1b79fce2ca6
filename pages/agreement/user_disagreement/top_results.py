"""How many results are top to users as a group, and how many topics would tell more exactly."""

from collections.abc import Hashable, Mapping
from typing import Any

import streamlit as st

from core.analysis.base.study import topics_of
from core.reports.level_weights import LevelWeights
from core.wording import count, plain
from pages.shared.figure import show_report
from pages.shared.session import PageContext


def show_top_results(context: PageContext, found: LevelWeights) -> None:
    """Say how many results a topic has for one assessor, and for M of N users."""
    facet, model, rows = found.labels.facet, found.model, found.topics.copy()
    query = topics_of(context.study).set_index("topic_id")["query"]
    rows.insert(1, "query", rows["topic_id"].map(query))
    known = rows[rows["effective"].notna()]
    if known.empty:
        st.info("The effective number of top results is unknown: a level has no weight yet.")
        return
    st.markdown(
        f"**Effective number of top results**: of {known['items'].mean():.1f} judged {facet}s a "
        f"topic, one assessor finds **{known['top_results'].mean():.1f}** top, and at least "
        f"{model.at_least} of {model.users} users would find "
        f"**{known['effective'].mean():.1f}** top (means over {count(len(known), 'topic')})."
    )
    with st.expander("Top results by topic"):
        show_report(
            found,
            "topics",
            "top-results",
            "**plain** counts the items that an assessor finds top, **effective** adds up the "
            "weights of all labels: how many items at least M of N users are expected to find top. "
            "An item with several labels counts with their mean. Where the second is larger, users "
            "would find more top results than one assessor's labels suggest.",
            rows=rows,
        )


def show_further(found: LevelWeights) -> None:
    """Say how many more doubly judged topics would narrow the chances' intervals."""
    with st.expander("How many more topics would make this more precise?"):
        width = st.number_input(
            "Desired width of the intervals", 0.01, 1.0, 0.1, 0.01, key="udm-width"
        )
        rows, levels = found.further(width), found.labels.names
        st.markdown("\n".join(_say_further(row, levels, width) for row in rows.to_dict("records")))
        st.caption(
            f"Now {count(int(rows['topics'].iloc[0]), 'topic')} have items that two or more judged "
            "here. The estimate assumes that further topics are like these: halving a width takes "
            "four times as many."
        )


def _say_further(row: Mapping[Hashable, Any], levels: Mapping[int, str], width: float) -> str:
    name = f"- **{plain(levels[int(row['level'])])}**"
    if row["reason"]:
        return f"{name}: cannot be estimated, {row['reason']}."
    now = f"{name}: {row['width']:.3f} wide now"
    if not row["further"]:
        return f"{now}, which is narrow enough."
    return f"{now}; about **{count(int(row['further']), 'more topic')}** for {width:.3f}."
