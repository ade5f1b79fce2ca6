"""The organiser's page about rounds: what is judged, by whom, how often, until when.

Whether assessors may see afterwards where others differ: the organiser's choice. Runs that are
withdrawn, withdrawing one, and letting it count again.
"""

import streamlit as st

from core.analysis.agreement.afterwards import looking_of
from core.errors import BadInput
from core.store.events.afterwards import Seeing, allow_seeing, get_seeing
from core.store.people.people import list_people
from core.store.rounds.withdrawn_runs import (
    LONGEST_REASON,
    list_counting,
    list_withdrawn,
    reinstate_run,
    withdraw_run,
)
from core.wording import count, plain
from pages.judging.rounds.new_round import plan_round
from pages.judging.rounds.round_list import show_rounds
from pages.shared.notice import begin, finish
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.table import draw_table
from pages.shared.wording import needs_collection, refuse

_SET = {
    (False, False): "Assessors see nothing of each other.",
    (True, False): "Who has finished a topic may see there where others differ, without comments.",
    (True, True): "Who has finished a topic may see there where others differ, with comments.",
}
EXPLANATION = (
    "An assessor who has finished a topic, and to whom nothing of it can be assigned again, may "
    "then open it: they see the items on which others gave another level, and keep or change "
    "theirs. Others appear as letters, drawn anew for each topic; where only two judge a topic, a "
    "letter hides nobody. Gold items and hidden repeats are never shown.\n\n"
    "What was given before stays, and counts in agreement and qrels. What is said afterwards is "
    "marked, and counts only in versions made *after discussion*. A later round on a topic that "
    "somebody has opened gets marked labels from them: open such rounds first."
)

PURPOSE = (
    "A round assigns the top documents of every run to assessors, topic by topic. A *slot* is one "
    "assessor's place at one topic, or at one batch of it: open to anybody, reserved for somebody, "
    "taken, or finished. *Topics × people* shows who holds which."
)


@page("assignments", "Judging", "Rounds", "organiser")
def draw(context: PageContext) -> None:
    """Show the rounds and what a new one would hand out."""
    begin(context, PURPOSE)
    if needs_collection(context):
        return
    show_rounds(context)
    offer_seeing(context)
    st.header("A new round", anchor=False)
    plan_round(context)
    show_withdrawn(context)


def offer_seeing(context: PageContext) -> None:
    """Let the organiser choose what assessors see once they are done; nothing unless chosen."""
    now = get_seeing(context.store, context.collection_id)
    with st.expander("What assessors see of each other afterwards"):
        st.markdown(EXPLANATION)
        levels = st.toggle(
            "Who has finished a topic may see where others differ",
            now.is_allowed,
            key=f"seeing-levels-{now.is_allowed}",
        )
        comments = st.toggle(
            "Also what others commented there",
            now.comments,
            disabled=not levels,
            key=f"seeing-comments-{now.comments}",
        )
        wanted = Seeing(levels, levels and comments)
        pressed = st.button("Set this", disabled=wanted == now, type="primary", key="seeing-set")
        looking = looking_of(context.study)
        if looking.topics:
            opened = count(looking.people, "assessor")
            st.caption(
                f"{opened} opened {count(looking.topics, 'topic')} in all, and made "
                f"{count(looking.marked, 'judgement')} there since. *Agreement*, *Seen afterwards* "
                "has what changed."
            )
    if pressed:
        allow_seeing(context.store, context.collection_id, wanted, by=context.person_id)
        finish(_SET[levels, wanted.comments])


def show_withdrawn(context: PageContext) -> None:
    """Offer to withdraw or replace a run, and show those that are withdrawn."""
    with st.expander("Withdraw or replace a run"):
        st.caption(
            "A withdrawn run leaves the pools of later rounds and every ranking. Its lines, the "
            "rounds that were opened with it and their labels stay. To replace it, import the new "
            "run under a name of its own first."
        )
        _ask_withdrawal(context)
        _list_withdrawn(context)


def _ask_withdrawal(context: PageContext) -> None:
    systems = list_counting(context.store, context.collection_id)
    if not systems:
        st.info("There is no run that counts.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = st.selectbox("Run", systems, key="withdraw-run")
        others = ["", *(one for one in systems if one != system)]
        replacement = st.selectbox(
            "Replaced by", others, format_func=lambda one: one or "no other run"
        )
        reason = st.text_input("Reason", max_chars=LONGEST_REASON, key="withdraw-reason")
        # The key: a press is not taken for another run that has come to stand here meanwhile.
        pressed = st.button("Withdraw this run", key=f"withdraw-{system}")
    if not pressed:
        return
    try:
        withdraw_run(
            context.store,
            context.collection_id,
            system,
            replaced_by=replacement,
            reason=reason.strip(),
            by=context.person_id,
        )
    except BadInput as error:
        refuse(error)
        return
    finish(f"The run of {plain(system)} is withdrawn.")


def _list_withdrawn(context: PageContext) -> None:
    gone = list_withdrawn(context.store, context.collection_id)
    if gone.empty:
        return
    names = {person.person_id: person.name for person in list_people(context.store)}
    draw_table(
        gone.assign(withdrawn_by=gone["withdrawn_by"].map(names)),
        column_config={
            "system": "run",
            "replaced_by": "replaced by",
            "withdrawn_by": "withdrawn by",
            "withdrawn_at": st.column_config.DatetimeColumn(
                "withdrawn (UTC)", format="D MMM YYYY, HH:mm"
            ),
        },
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = st.selectbox("Withdrawn run", gone["system"].tolist())
        if st.button("Let it count again", key=f"reinstate-{system}"):
            reinstate_run(context.store, context.collection_id, system, by=context.person_id)
            finish(f"The run of {plain(system)} counts again.")
