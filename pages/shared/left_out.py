"""Whose labels do not count on a page, said where results stand."""

import streamlit as st

from core.analysis.agreement.afterwards import describe_given
from core.analysis.base.labels import describe_left_out
from pages.shared.session import PageContext


def tell_left_out(context: PageContext) -> None:
    """Say how many machine members are left out, and whether gold is; nothing where nobody is."""
    if words := describe_left_out(context.study):
        st.caption(f"{words[:1].upper()}{words[1:]}.")


def tell_given(context: PageContext) -> None:
    """Say that labels are as given, where assessors changed some after seeing others'."""
    if words := describe_given(context.study):
        st.caption(f"{words[:1].upper()}{words[1:]}.")


def ask_discussed(context: PageContext, key: str) -> bool:
    """Return whether labels are wanted after discussion; asked only where some were changed."""
    if not describe_given(context.study):
        return False
    chosen = st.radio(
        "Labels of who saw others' afterwards",
        ["as given", "after discussion"],
        horizontal=True,
        key=key,
        help="*As given*: each by somebody who knew nobody else's, which agreement and most "
        "versions need. *After discussion*: as they stand after assessors have seen what others "
        "said.",
    )
    return chosen == "after discussion"
