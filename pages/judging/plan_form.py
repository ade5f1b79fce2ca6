"""The form for a new round."""

import pandas as pd
import streamlit as st

from core.analysis.base.wording import plain
from core.assessment.pair_rounds import open_pair_round
from core.assessment.rounds import Plan, open_round
from core.errors import BadInput
from core.store.content.scales import get_scales
from core.store.people.members import list_assessors
from core.store.rounds.rounds import list_rounds
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def plan_round(
    context: PageContext, depth: int, flow: str, pairs: pd.DataFrame | None = None
) -> None:
    """Ask for the rules of a round over this pool, or over these pairs, and open it."""
    with st.form("plan"):
        plan = _ask(context, depth, flow, is_paired=pairs is not None)
        pressed = st.form_submit_button("Open this round", type="primary")
    if not pressed:
        return
    try:
        if pairs is None:
            open_round(context.store, context.collection_id, plan, by=context.person_id)
        else:
            open_pair_round(context.store, context.collection_id, plan, pairs, by=context.person_id)
    except BadInput as error:
        refuse(error, "The round was not opened.")
        return
    finish(f"{plain(plan.name)} is open. Assessors find it under *Judge*.")


def _ask(context: PageContext, depth: int, flow: str, *, is_paired: bool) -> Plan:
    number = len(list_rounds(context.store, context.collection_id)) + 1
    names = list_assessors(context.store, context.collection_id)
    left, right = st.columns(2)
    with left:
        name = st.text_input("Name", f"Round {number}")
        judges = st.number_input(
            "Assessors per topic",
            1,
            50,
            2,
            help="Every topic is judged by exactly this many assessors.",
        )
        assessors = st.multiselect(
            "Assessors by name",
            list(names),
            format_func=names.__getitem__,
            placeholder="Open queue",
            help="Topics are divided evenly among these. If nobody is chosen, there is an open "
            "queue: each assessor takes the next topic.",
        )
        page_from = _ask_page_from(context, flow)
    with right:
        share = 100
        if not is_paired:
            share = st.slider("Share of the topics, %", 1, 100, 100, help="Drawn with the seed.")
        batch = st.number_input(
            f"{'Pairs' if is_paired else 'Documents'} handed out together",
            0,
            1000,
            0,
            help="0 hands out whole topics, so that one person sees all of a topic.",
        )
        repeats = st.slider(
            "Hidden repeats, %",
            0,
            100,
            0,
            help="This share is repeated at the end, to see how far people agree with themselves; "
            "pairs are repeated with their sides swapped.",
        )
        lease = st.number_input(
            "Lease, minutes",
            1,
            100_000,
            60,
            help="A slot without activity for this long goes back to the queue.",
        )
        seed = st.number_input("Seed", 0, 2**31, 1, help="The same seed gives the same orders.")
    return Plan(
        name=name.strip() or f"Round {number}",
        judges=int(judges),
        depth=depth,
        flow=flow,
        page_from=page_from,
        share=share / 100,
        batch_size=int(batch) or None,
        lease_minutes=int(lease),
        repeat_share=repeats / 100,
        seed=int(seed),
        assessors=tuple(assessors),
    )


def _ask_page_from(context: PageContext, flow: str) -> int | None:
    if flow != "snippet then page":
        return None
    levels = get_scales(context.store, context.collection_id)["snippet"]
    names = {level.level: f"the snippet is {level.name} or above" for level in levels[1:]}
    page_from: int | None = st.selectbox(
        "The page is judged",
        [None, *names],
        format_func=lambda level: names.get(level, "always"),
        help="With a threshold, estimates about pages rest on promising snippets only; they "
        "say so. Always judging the page avoids that.",
    )
    return page_from
