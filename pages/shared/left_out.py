"""Whose labels do not count on a page, said where results stand."""

import streamlit as st

from core.analysis.base.labels import describe_left_out
from pages.shared.session import PageContext


def tell_left_out(context: PageContext) -> None:
    """Say how many machine members are left out, and whether gold is; nothing where nobody is."""
    if words := describe_left_out(context.study):
        st.caption(f"{words[:1].upper()}{words[1:]}.")
