"""How a page opens: its title, its answer, few controls, and what it is for behind one click.

Parts of a page as tabs: one is open, drawn and named in the address.
"""

from collections.abc import Callable, Mapping
from functools import cached_property

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.language.translate import t

ANSWER = "answer"
"""The key of the place that the answer stands in; tests look for it in a browser."""

PARTS: set[str] = set()
"""The keys of tabs that were shown: which part is open stays when the collection changes."""


class Sheet:
    """The top of one page: a row of title and controls, and below it the answer.

    ``choices`` holds the controls that change the answer most; ``options`` the rare ones, behind
    a button that is there only if it is asked for. Both may be filled after the answer.
    """

    def __init__(self, title: str) -> None:
        with st.container(horizontal=True, vertical_alignment="center", key="head"):
            st.title(title, anchor=False, width="content")
            self.choices = st.container(
                horizontal=True,
                vertical_alignment="center",
                horizontal_alignment="right",
                key="choices",
            )
            self._options = st.container(width="content")
            self._purpose = st.container(width="content")
        self._answer = st.container(key=ANSWER)

    @cached_property
    def options(self) -> DeltaGenerator:
        """The place of controls that are rarely changed."""
        with self._options:
            return st.popover("Options", icon=":material/tune:", key="options")

    def explain(self, purpose: str) -> None:
        """Say behind a question mark what the page is for and what not to conclude from it."""
        with self._purpose, st.popover("?", type="tertiary", help=t("What is this page for?")):
            st.markdown(purpose)

    def answer(self, text: str) -> None:
        """Say the answer to the page's question, in Markdown; what people wrote is plain there."""
        with self._answer:
            st.markdown(text)

    def tell(self, text: str) -> None:
        """Say instead of an answer what is missing, and where to get it."""
        with self._answer:
            st.info(text)


def show_parts(key: str, parts: Mapping[str, Callable[[], None]]) -> None:
    """Show parts of a page as tabs, and draw the one that is open.

    Parameters
    ----------
    key : str
        The tabs' key; the address names the open part by it.
    parts : mapping of str to function
        What draws each part, by its title; the first is open at first.
    """
    PARTS.add(key)
    tabs = st.tabs(list(parts), key=key, on_change="rerun", bind="query-params")
    for tab, draw in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                draw()
