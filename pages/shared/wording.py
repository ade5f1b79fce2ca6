"""Words on pages: refusals, where to begin, and whose labels do not count."""

from collections.abc import Iterable

import streamlit as st

from core.analysis.agreement.afterwards import describe_given
from core.analysis.base.labels import describe_left_out
from core.errors import DissentError
from core.language.translate import t
from core.wording import plain
from pages.shared.session import PageContext


def needs_collection(context: PageContext) -> bool:
    """Say where to begin when there is no collection."""
    if not context.collection_id:
        context.sheet.tell(
            "There is no collection yet. Create one on the page *Contents*."
            if context.may_change
            else t("No collection is open to you now. The organiser can let you in.")
        )
    return not context.collection_id


def say_why_not(error: DissentError, what: str) -> None:
    """Say why a choice leads to nothing yet: a hint, since nothing was done that went wrong."""
    st.info(f"{what} {plain(str(error).removesuffix('.'))}.")


def show_notes(notes: Iterable[str]) -> None:
    """Show what the reader has to know beside a result, small."""
    for note in notes:
        st.caption(plain(f"{note[:1].upper()}{note[1:]}."))


def refuse(error: DissentError, what: str = "") -> None:
    """Show an error word for word; it may quote a file, so it is never read as Markdown."""
    st.error(what or t("Nothing was changed."), icon=":material/block:")
    st.code(str(error), language=None, wrap_lines=True)


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
