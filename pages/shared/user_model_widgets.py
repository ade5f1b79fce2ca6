"""What the organiser chooses about users who disagree."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.numerals import write_number
from core.reports.user_model import UserModel
from core.wording import plain

MOST_USERS = 10
WEIGHTINGS = {
    "item": "every item counts equally",
    "pairs": "every pair of labels counts equally",
}


def choose_model(levels: Mapping[int, str], facet: str, usual: UserModel) -> UserModel:
    """Let the organiser choose the top level, M, N, and how chances are estimated.

    Parameters
    ----------
    levels : mapping of int to str
        The names of the counted levels, lowest first.
    facet : str
        Whose levels these are.
    usual : UserModel
        The users to begin with: those whom the study declares.
    """
    tops = list(levels)[:0:-1]
    top = st.selectbox("Top level", tops, format_func=levels.__getitem__, key=f"udm-top-{facet}")
    users = st.slider(
        "N, the number of users", 2, MOST_USERS, min(usual.users, MOST_USERS), key="udm-users"
    )
    wanted = min(st.session_state.get("udm-at-least", usual.at_least), users)
    st.session_state["udm-at-least"] = wanted
    at_least = st.slider("M, at least so many find it top", 1, users, key="udm-at-least")
    weighting = st.selectbox(
        "In the estimate",
        list(WEIGHTINGS),
        format_func=WEIGHTINGS.__getitem__,
        key="udm-weighting",
        help="With more than two labels on an item, its pairs share the weight of one double "
        "judgement; otherwise items with many labels count for more.",
    )
    keep_lowest = st.toggle(
        f"Let the lowest level, {plain(levels[min(levels)])}, have a weight above 0",
        key="udm-keep-lowest",
        help="A top label from one assessor and a lowest label from another is usually a "
        "mistake, so the lowest level has weight 0 unless you switch this on.",
    )
    return UserModel(top, users, at_least, weighting, keep_lowest)


def write_estimates(table: pd.DataFrame) -> pd.DataFrame:
    """Add ``p_shown, weight_shown``: as written, in brackets where they are of few cases."""
    named = {name: table[name] for name in ("p", "weight") if name in table}
    return table.assign(
        **{
            f"{name}_shown": [
                f"({write_number(value)})" if few and value == value else write_number(value)
                for value, few in zip(values, table["few"], strict=True)
            ]
            for name, values in named.items()
        }
    )
