"""What a question on a pair is about: both sides as they stood, each result with its page."""

import pandas as pd
import streamlit as st

from core.analysis.base.wording import plain
from core.assessment.handing_out.side_by_side import order_sides, show_sides
from core.collection.records import SYSTEMS
from core.store.rounds.pairs import LEFT_SECOND, get_pair, read_pair_depth
from pages.shared.page_address import page_address
from pages.shared.session import PageContext


def show_pair(context: PageContext, row: pd.Series) -> None:
    """Show the results on the left and on the right, as who asked saw them.

    Assessors are blind, organisers are not: of systems, each side bears the name of its own.
    """
    here = context.store, context.collection_id, row["topic_id"], row["document_id"]
    st.header(plain(row["query"]), anchor=False)
    st.markdown(f"A {plain(row['facet'])}, judged side by side.")
    pair = get_pair(*here)
    sides = None
    if pair is not None:
        depth, cursor = read_pair_depth(*here), context.store.cursor()
        sides = show_sides(cursor, context.collection_id, pair, row["facet"], depth)
    if pair is None or sides is None:
        st.caption("What stood on its sides is not stored any more.")
        return
    is_swapped = row["engine"] == LEFT_SECOND
    names = (pair.second, pair.first) if is_swapped else (pair.first, pair.second)
    shown = zip(st.columns(2), names, ("Left", "Right"), order_sides(sides, row["engine"]),
                strict=True)  # fmt: skip
    for column, name, side, cards in shown:
        with column, st.container(border=True):
            st.caption(f"{side}: {plain(name)}" if pair.kind == SYSTEMS else side)
            for card in cards:
                _link(context, row["query"], card)


def _link(context: PageContext, query: str, card: dict[str, object]) -> None:
    """Show the title of a result, which opens its page in another tab."""
    document_id = str(card["document_id"])
    st.link_button(
        plain(str(card["title"] or document_id)),
        page_address(context.collection_id, document_id, query, context.session_id),
        type="tertiary",
        icon=":material/open_in_new:",
    )
