"""How pages show figures and tables: with an explanation and the data one click away."""

from typing import Any

import pandas as pd
import streamlit as st

from core.collection.export import write_table
from pages.shared.session import while_signed_in

_HIDDEN = (
    '<style>[data-testid="stElementToolbarButton"]:has(button[aria-label="Download as CSV"])'
    "{display:none}</style>"
)


def hide_raw_downloads() -> None:
    """Take away the download that tables have by themselves: it hands formulas out as they are."""
    st.html(_HIDDEN)


def show_figure(figure: Any, data: pd.DataFrame, name: str, explanation: str) -> None:
    """Draw a figure, with what it shows and its data underneath.

    Parameters
    ----------
    figure : plotly Figure
        From core.figures.
    data : DataFrame
        The numbers in it.
    name : str
        A file name without its ending; also the widgets' key, so one for each page.
    explanation : str
        What it shows, what may be concluded, and what not; Markdown.
    """
    st.plotly_chart(figure, key=name, config={"displaylogo": False})
    _offer(data, name, explanation)


def show_table(data: pd.DataFrame, name: str, explanation: str, **options: Any) -> None:
    """Draw a table, with what it shows and its data underneath."""
    st.dataframe(data, hide_index=True, placeholder="–", **options)
    _offer(data, name, explanation)


def _offer(data: pd.DataFrame, name: str, explanation: str) -> None:
    with st.container(horizontal=True):
        with st.popover("What does this show?", icon=":material/help:", type="tertiary"):
            st.markdown(explanation)
        st.download_button(
            "Data",
            data=while_signed_in(lambda: write_table(data)),
            file_name=f"{name}.csv",
            mime="text/csv",
            icon=":material/download:",
            type="tertiary",
            key=f"download-{name}",
            on_click="ignore",
        )
