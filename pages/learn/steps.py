"""What the worked examples share: choosing a query and a rank, and saying what a number means."""

from typing import Any

import pandas as pd
import streamlit as st

from core.language.translate import t
from pages.learn.textbook import DEPTH, TOPICS
from pages.shared.figure import show_table
from pages.shared.table import WHOLE

ROLES = ("organiser", "assessor", "viewer")
HERE, RELEVANT = "▶", "●"
SOURCE = (
    "The example is the one of chapter 4 of Baeza-Yates & Ribeiro-Neto, *Modern Information "
    "Retrieval* (2nd edition): one system, two queries, fifteen documents each. Every number is "
    "computed on this server by the same functions as those of your own collections."
)


def choose_query(key: str) -> str:
    """Let the reader choose one of the two queries."""
    chosen = st.radio(t("Query"), TOPICS, horizontal=True, key=f"{key}-query")
    return str(chosen)


def choose_rank(key: str, start: int = 3) -> int:
    """Let the reader go down the list, rank by rank."""
    return int(
        st.slider(
            t("Read down to rank"), 1, DEPTH, start, key=f"{key}-rank", help=t("Arrow keys work.")
        )
    )


def show_list(rows: pd.DataFrame, rank: int, name: str, explanation: str, **columns: Any) -> None:
    """Show a ranking step by step: what lies beyond the rank has no numbers yet.

    Parameters
    ----------
    rows : DataFrame
        ``rank, document_id`` and what each step brings.
    rank : int
        How far the reader has come.
    name : str
        For the file and the widgets.
    explanation : str
        What the table shows.
    **columns
        How Streamlit shows a column: a title, or a column configuration.
    """
    shown = rows.copy()
    steps = [column for column in rows.columns if column not in ("rank", "document_id", "relevant")]
    shown[steps] = shown[steps].where(shown["rank"] <= rank)
    shown.insert(0, "here", [HERE if at == rank else "" for at in shown["rank"]])
    show_table(
        shown,
        name,
        explanation,
        height="content",
        column_config={
            "here": st.column_config.TextColumn(t("at"), width=30),
            "rank": st.column_config.NumberColumn(t("rank"), width=50, format=WHOLE),
            "document_id": st.column_config.TextColumn(t("document"), width=80),
            **columns,
        },
    )


def say(means: str, not_means: str) -> None:
    """Say what a number means and what it does not; Markdown."""
    with st.container(border=True):
        st.markdown(f":material/check: {t('**It says**')} {means}")
        st.markdown(f":material/block: {t('**It does not say**')} {not_means}")


def number(title: str, digits: int = 2) -> Any:
    """Return how a column of numbers is shown."""
    return st.column_config.NumberColumn(title, format=f"%.{digits}f")
