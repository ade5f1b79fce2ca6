"""Parts of a collection to estimate chances from; part of the disagreement page."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.analysis.agreement.level_weights import strata_names
from core.reports.level_weights import LevelWeights
from core.wording import plain
from pages.shared.figure import show_table
from pages.shared.session import PageContext
from pages.shared.user_model_widgets import write_estimates

EVERYTHING = ""


def choose_stratum(context: PageContext, facet: str, top: int) -> str:
    """Let the organiser choose a part of the collection, where there are several."""
    names = strata_names(context.study, facet, top)
    if not names:
        return EVERYTHING
    chosen = st.selectbox(
        "Estimate from the labels of",
        [EVERYTHING, *names],
        format_func=lambda name: name or "the whole collection",
        key=f"udm-stratum-{facet}",
        help="Probabilities differ between parts of a collection. A result list, what one engine "
        "returned for one topic, is of high quality when somebody found one of its results top; "
        "the paper estimates from such lists only.",
    )
    return str(chosen)


def show_strata(found: LevelWeights) -> None:
    """Show the chance of the top level in each part of the collection."""
    if found.parts.empty:
        return
    levels, top = found.labels.names, plain(found.labels.name(found.model.top))
    with st.expander("The same probabilities in parts of the collection"):
        table = _spread(found.parts, levels)
        show_table(
            table,
            "chances-by-part",
            f"The probability that another assessor says **{top}**, given the level of one "
            "assessor, in each part of the collection; in brackets if based on fewer than 50 cases "
            "or 5 topics, a dash if on none. An item may belong to several parts. The *high "
            "quality* lists have at least one top result; *top 5* are the first five of each list. "
            "Where the rows differ a lot, choose above which part the weights are estimated from.",
            column_config={
                "stratum": "part",
                "items": "judged items",
                **{
                    name: st.column_config.TextColumn(alignment="right") for name in levels.values()
                },
            },
            nobody=list(table.columns),
        )


def _spread(found: pd.DataFrame, levels: Mapping[int, str]) -> pd.DataFrame:
    """Return a row for each part and a column for each level, as written."""
    rows = write_estimates(found).assign(level=found["level"].map(levels))
    table = rows.pivot(index=["stratum", "items"], columns="level", values="p_shown")
    order = found[["stratum", "items"]].drop_duplicates()
    table = table.reindex(columns=list(levels.values())).reset_index()
    return order.merge(table, on=["stratum", "items"])
