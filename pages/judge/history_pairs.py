"""One's own preferences between two things: to look at and to change."""

import pandas as pd
import streamlit as st

from core.assessment.handing_out.side_by_side import order_sides, show_sides
from core.collection.records import PAIR, preference_scale
from core.language.translate import t
from core.store.events.frames import read_topics
from core.store.events.labels import Key
from core.store.rounds.pairs import LEFT_FIRST, LEFT_SECOND, get_pair, read_pair_depth
from core.wording import plain
from pages.judge.again import link_again
from pages.judge.item import show_pair
from pages.judge.own_words import word_pair, word_state
from pages.judge.reason_choices import word_reasons
from pages.judge.revision import revise
from pages.shared.session import PageContext


def show_own_preferences(context: PageContext, mine: pd.DataFrame) -> None:
    """List one's preferences, latest first, and offer to change one of them."""
    st.header(t("Side by side"), anchor=False)
    queries = read_topics(context.store, context.collection_id).set_index("topic_id")["query"]
    table = pd.DataFrame(
        {
            t("Query"): mine["topic_id"].map(queries),
            t("Judged"): mine["facet"].map(word_pair),
            t("Said"): _word(mine),
            t("Reasons"): word_reasons(context, mine["sequence"]),
            t("Comment"): mine["comment"],
            t("When (UTC)"): mine["time"],
        }
    )
    if not table[t("Reasons")].any():
        table = table.drop(columns=t("Reasons"))
    chosen = st.dataframe(
        table,
        hide_index=True,
        key="history-pairs",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            t("When (UTC)"): st.column_config.DatetimeColumn(format=t("D MMM YYYY, HH:mm:ss"))
        },
    )
    for row in chosen["selection"]["rows"]:
        _show_again(context, mine.iloc[row], str(table[t("Query")].iloc[row]))


def _word(mine: pd.DataFrame) -> "pd.Series[str]":
    """Return what was said as it was seen: left, right, how clearly."""
    side = (mine["choice"] == "first") == (mine["left"] == mine["first"])
    said = {
        (True, 1): t("left, slightly"),
        (True, 2): t("left, clearly"),
        (False, 1): t("right, slightly"),
        (False, 2): t("right, clearly"),
    }
    strengths = mine["strength"].fillna(1).clip(lower=1)  # a tie has none
    words = [said[bool(left), int(how)] for left, how in zip(side, strengths, strict=True)]
    given = pd.Series(words, index=mine.index, dtype="str").mask(mine["choice"] == "tie", t("tie"))
    return given.where(mine["state"] == "level", mine["state"].map(word_state))


def _show_again(context: PageContext, row: pd.Series, query: str) -> None:
    pair = get_pair(context.store, context.collection_id, row["topic_id"], row["pair_id"])
    left = LEFT_SECOND if row["left"] == row["second"] else LEFT_FIRST
    facet = row["facet"] + PAIR
    if pair is None:
        return
    place = (row["topic_id"], row["pair_id"], facet, left)
    key = Key(*place, context.person_id, int(row["occasion"]))
    depth = read_pair_depth(context.store, context.collection_id, *place[:2])
    sides = show_sides(context.store.cursor(), context.collection_id, pair, facet, depth)
    st.header(plain(query), anchor=False)
    link_again(context, key)
    if sides is not None:
        show_pair(context, order_sides(sides, left), query)
    revise(context, key, preference_scale())
