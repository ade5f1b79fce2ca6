"""A new round in three steps: what is judged, by whom, and what that comes to."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.analysis.base.wording import count, plain
from core.analysis.judging.outlook import Outlook, outlook_of, tell_pairs
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, open_round
from core.errors import BadInput
from core.store.rounds.rounds import SIDE_BY_SIDE
from pages.judging.rounds.pair_preview import preview_pairs
from pages.judging.rounds.plan_form import ask_plan
from pages.judging.rounds.pool_preview import choose_pool
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse, say_why_not

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
