"""Parts of a page as tabs: one is open, drawn and named in the address."""

from collections.abc import Callable, Mapping

import streamlit as st


def show_parts(key: str, parts: Mapping[str, Callable[[], None]]) -> None:
    """Show parts of a page as tabs, and draw the one that is open.

    Parameters
    ----------
    key : str
        The tabs' key; the address names the open part by it.
    parts : mapping of str to function
        What draws each part, by its title; the first is open at first.
    """
    tabs = st.tabs(list(parts), key=key, on_change="rerun", bind="query-params")
    for tab, draw in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                draw()
