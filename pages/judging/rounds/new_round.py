"""A new round in three steps: what is judged, by whom, and what that comes to.

Which pairs a round side by side would hand out. How deep a pool is and what of it is judged, with
what it holds.
"""

from dataclasses import replace
from math import comb

import pandas as pd
import streamlit as st

from core.analysis.base.study import has_snippets
from core.analysis.judging.outlook import Outlook, outlook_of, pool_of, tell_pairs
from core.analysis.judging.pairs import choose_candidates, compared_kind
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.records import DOCUMENTS, SYSTEMS
from core.errors import BadInput, DissentError
from core.store.rounds.rounds import FLOWS, PAGE_ONLY, SIDE_BY_SIDE, SNIPPET_THEN_PAGE
from core.wording import count, plain
from pages.judging.rounds.plan_form import ask_plan
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse, say_why_not

METHODS = {
    "all": "any pairs, evenly",
    "adjacent": "neighbours by level",
    "top": "the best ranks most",
    "adaptive": "where strengths overlap",
}
HELP = (
    "Evenly: over topics and items. Neighbours: next to each other in the order of the mean levels "
    "so far. Best ranks: documents nearer to the top of a run are more likely. Where strengths "
    "overlap: pairs whose order is still uncertain; for a further round."
)

WAYS = {"one": "One at a time, by level", "two": "Two side by side"}


def plan_round(context: PageContext) -> None:
    """Ask for the rules of a new round, say what it comes to, and open it."""
    what, who, check = st.columns(3, border=True)
    with what:
        st.markdown("**1 What is judged**")
        way = st.segmented_control(
            "Way of judging",
            list(WAYS),
            default="one",
            format_func=WAYS.__getitem__,
            required=True,
            label_visibility="collapsed",
            key="round-way",
        )
        chosen = _choose_pool(context) if way == "one" else preview_pairs(context)
    who.markdown("**2 By whom, until when**")
    check.markdown("**3 Check and open**")
    if chosen is None:
        who.caption("Comes once there is something to judge.")
        return
    depth, flow, pairs = chosen
    with who:
        plan = ask_plan(context, depth, flow, is_paired=pairs is not None)
    with check:
        if pairs is None:
            _check_graded(context, plan)
        else:
            _check_pairs(context, plan, pairs)


def _choose_pool(context: PageContext) -> tuple[int, str, None] | None:
    chosen = choose_pool(context)
    return None if chosen is None else (*chosen, None)


def _check_graded(context: PageContext, plan: Plan) -> None:
    """Say what a round by level comes to, ask what is left out, and offer to open it."""
    bare = replace(plan, name="", due_at=None)
    try:
        whole = outlook_of(context.study, bare)
    except BadInput as error:
        say_why_not(error, "No round can be opened in this way:")
        return
    lacking = None if plan.order else _ask_left_out(whole, plan.judges)
    asked = whole if lacking is None else outlook_of(context.study, replace(bare, lacking=lacking))
    _tell(asked, whole if lacking is None else None, plan)
    agreed = _ask_again(asked, lacking)
    if st.button("Open this round", type="primary", disabled=not (agreed and asked.documents)):
        _open(context, replace(plan, lacking=lacking), None)


def _ask_left_out(whole: Outlook, judges: int) -> int | None:
    """Return how many labels are enough for a document to be left out; None: none is left out."""
    if not whole.labelled:
        return None
    names = {0: "no: judge everything", 1: "yes: judge what has no label"}
    if judges > 1:
        names[judges] = f"judge what lacks {judges} labels, as often as it lacks"
    chosen = st.radio(
        f"{whole.labelled:,} of {count(whole.documents, 'document')} "
        f"{'is' if whole.labelled == 1 else 'are'} already labelled: leave out?",
        list(names),
        format_func=names.__getitem__,
        key="plan-left-out",
    )
    return chosen or None


def _tell(asked: Outlook, whole: Outlook | None, plan: Plan) -> None:
    if not asked.documents:
        st.info("Nothing is left to judge: every document has as many labels as asked for.")
        return
    labelled = f"; {whole.labelled:,} already labelled" if whole and whole.labelled else ""
    at_most = "At most " if plan.page_from is not None else ""
    st.markdown(f"{at_most}{asked.tell()}{labelled}.")


def _ask_again(asked: Outlook, lacking: int | None) -> bool:
    """Ask before documents of another round are handed out again; tell whether all is agreed."""
    if not asked.shared:
        return True
    listed = ", ".join(f"{number:,} in *{plain(name)}*" for name, number in asked.shared.items())
    st.warning(
        f"The same documents are in other rounds, too: {listed}. Nobody is asked twice while those "
        "are open; who has judged them keeps the label.",
        icon=":material/content_copy:",
    )
    return st.checkbox("Judge them in this round, too", key=f"plan-again-{lacking}-{listed}")


def _check_pairs(context: PageContext, plan: Plan, pairs: pd.DataFrame) -> None:
    asked = tell_pairs(len(pairs), len(SIDE_BY_SIDE[plan.flow]), plan.judges)
    st.markdown(f"{asked[0].upper()}{asked[1:]}.")
    if st.button("Open this round", type="primary"):
        _open(context, plan, pairs)


def _open(context: PageContext, plan: Plan, pairs: pd.DataFrame | None) -> None:
    try:
        if pairs is None:
            open_round(context.store, context.collection_id, plan, by=context.person_id)
        else:
            open_pair_round(context.store, context.collection_id, plan, pairs, by=context.person_id)
    except BadInput as error:
        refuse(error, "The round was not opened.")
        return
    finish(f"{plain(plan.name)} is open. Assessors find it under *Judge*.")


def preview_pairs(context: PageContext) -> tuple[int, str, pd.DataFrame] | None:
    """Ask what is to be compared and show how many pairs there are; None when there is none."""
    with st.container(horizontal=True):
        flow = st.selectbox("What is judged", list(SIDE_BY_SIDE), width=320, key="pair-flow")
        kind = compared_kind(flow)
        depth = st.number_input(
            "Results shown" if kind == SYSTEMS else "Depth",
            1,
            100 if kind == SYSTEMS else 1000,
            10,
            help="For systems, the length of the lists. For documents, how far down each run they "
            "are taken from.",
            width=140,
        )
        method = st.selectbox(
            "Pairs",
            [name for name in METHODS if kind == DOCUMENTS or name in ("all", "adaptive")],
            format_func=METHODS.__getitem__,
            help=HELP,
            width=240,
            key="pair-method",
        )
        budget = st.number_input("At most, in all topics", 1, 100_000, 200, width=180)
    try:
        candidates, chosen = choose_candidates(context.study, flow, int(depth), method, int(budget))
    except DissentError as error:
        say_why_not(error, "No pairs can be chosen in this way:")
        return None
    if chosen.empty:
        st.info(
            "There is nothing left to compare. It takes topics, runs (or results) and documents."
        )
        return None
    sizes = candidates.groupby("topic_id").size()
    topics = count(chosen["topic_id"].nunique(), "topic")
    st.caption(
        f"{count(len(chosen), 'pair')} in {topics} chosen, of "
        f"{sum(comb(size, 2) for size in sizes):,} possible between {len(candidates):,} "
        "candidates; pairs of earlier rounds are not chosen again. Every assessor of a topic "
        f"judges every pair of the topic{' twice: snippets, then pages' if ',' in flow else ''}."
    )
    return int(depth), flow, chosen.assign(kind=kind)


def choose_pool(context: PageContext) -> tuple[int, str] | None:
    """Ask for depth and flow and say what the pool holds; return them when it can be judged."""
    usual = SNIPPET_THEN_PAGE if has_snippets(context.study) else PAGE_ONLY
    flow = st.selectbox(
        "What is judged",
        FLOWS,
        index=FLOWS.index(usual),
        help="A snippet comes before its page.",
    )
    depth = st.number_input(
        "Depth", 1, 1000, 10, help="The pool has the documents of every run up to this rank."
    )
    pooled = pool_of(context.study, int(depth), flow)
    pairs = pooled.pairs
    if pairs.empty:
        st.info(f"Nothing can be judged: {pooled.advice}.")
        return None
    topics = pairs.groupby("topic_id").size()
    left_out = ""
    if pooled.without_text:
        left_out += f"; {pooled.without_text:,} more have no text"
    if pooled.unknown_topics:
        left_out += f"; {pooled.unknown_topics:,} more belong to topics without a description"
    st.caption(
        f"{count(len(pairs), 'document')} of {count(len(topics), 'topic')} can be judged, "
        f"{topics.min()} to {topics.max()} a topic (median {topics.median():g}){left_out}."
    )
    return int(depth), flow
