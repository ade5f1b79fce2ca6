"""Words on pages: refusals, where to begin, and what is to be known of what is shown.

What a page says where it shows something else than what the study declares. Whose labels do not
count on a page, said where results stand. Topics as people know them: by their queries.
"""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from core.analysis.agreement.afterwards import describe_given
from core.analysis.base.labels import describe_left_out
from core.analysis.base.study import topics_of
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.declared import tell_difference
from core.analysis.results.qrels_choices import QrelsChoice
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


def tell_declared(
    context: PageContext,
    *,
    measure: str = "",
    choice: QrelsChoice | None = None,
    facet: str = "",
    alpha: float | None = None,
) -> None:
    """Say in a caption what is declared and what is shown, where they differ.

    Parameters
    ----------
    context : PageContext
        Whose page it is; an aspect in view is a difference.
    measure, choice, facet, alpha : optional
        What is shown; what is left out is not compared.
    """
    said = tell_difference(context.study, measure=measure, choice=choice, facet=facet, alpha=alpha)
    if said:
        st.caption(said)


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


ALL = ""
"""Stands for all topics where one can be chosen."""


def queries_of(context: PageContext) -> dict[str, str]:
    """Return the query of each topic by its id."""
    topics = topics_of(context.study)
    return dict(zip(topics["topic_id"], topics["query"].fillna(""), strict=True))


def choose_topic(context: PageContext, basis: ScoreBasis, key: str, *, whole: bool = False) -> str:
    """Let the organiser choose a judged topic, or ``ALL`` where that is offered."""
    queries = queries_of(context)
    offered = [ALL, *basis.rankings.topics] if whole else list(basis.rankings.topics)
    names = {one: f"{one}: {queries.get(one, '')}".removesuffix(": ") for one in offered}
    names[ALL] = "all, averaged"
    chosen = st.selectbox(
        "Topic", offered, format_func=names.__getitem__, key=key, persist_state="page"
    )
    return str(chosen)


def name_topics(topic_ids: "pd.Series[str]", queries: dict[str, str]) -> "pd.Series[str]":
    """Return each topic's query after its id, as figures name it."""
    return (topic_ids + " " + topic_ids.map(queries).fillna("")).str.strip()
