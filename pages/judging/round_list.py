"""The rounds of a collection: how far they are, who holds what, and what can be done."""

import pandas as pd
import streamlit as st

from core.analysis.base.wording import count, plain
from core.assessment.progress import read_slot_states
from core.assessment.rounds import close_round, top_up
from core.store.people.members import list_members
from core.store.rounds.rounds import Round, list_rounds
from pages.shared.notice import finish
from pages.shared.session import PageContext

_STATES = ["finished", "taken", "reserved", "open"]


def show_rounds(context: PageContext) -> None:
    """Show all rounds, and one of them in detail."""
    rounds = list_rounds(context.store, context.collection_id)
    if not rounds:
        st.info("No round is open yet. Plan the first one below.")
        return
    slots = _read_slots(context)
    st.markdown(
        "A *slot* is one assessor's place at one topic, or at one batch of it: open to anybody, "
        "reserved for somebody, taken, or finished."
    )
    st.dataframe(_summarise(rounds, slots), hide_index=True, column_config=_SUMMARY_COLUMNS)
    names = {one.round_id: one for one in reversed(rounds)}
    chosen = st.selectbox("Round", list(names), format_func=lambda one: names[one].name)
    _offer_changes(context, names[chosen])
    with st.expander("Who holds what"):
        table = _holders(context, slots[slots["round_id"] == chosen])
        st.dataframe(table, hide_index=True, placeholder="–", column_config=_HOLDER_COLUMNS)


_SUMMARY_COLUMNS = {
    "progress": st.column_config.ProgressColumn("progress", format="percent"),
    "opened": st.column_config.DatetimeColumn("opened (UTC)", format="D MMM YYYY, HH:mm"),
}
_HOLDER_COLUMNS = {
    "lease ends": st.column_config.DatetimeColumn("lease ends (UTC)", format="D MMM, HH:mm"),
    "finished": st.column_config.DatetimeColumn("finished (UTC)", format="D MMM, HH:mm"),
}


def _read_slots(context: PageContext) -> pd.DataFrame:
    """Return the slots of all rounds; those that their assessor has not begun are reserved."""
    slots = read_slot_states(context.store, context.collection_id)
    waiting = (slots["state"] == "taken") & slots["leased_until"].isna()
    return slots.assign(state=slots["state"].mask(waiting, "reserved"))


def _summarise(rounds: list[Round], slots: pd.DataFrame) -> pd.DataFrame:
    states = pd.crosstab(slots["round_id"], slots["state"]).reindex(
        index=[one.round_id for one in rounds], columns=_STATES, fill_value=0
    )
    return pd.DataFrame(
        {
            "round": [one.name for one in rounds],
            "round is": ["closed" if one.closed_at else "open" for one in rounds],
            "progress": (states["finished"] / states.sum(axis=1)).to_numpy(),
            **{state: states[state].to_numpy() for state in _STATES},
            "judged": [_describe(one) for one in rounds],
            "depth": [one.depth for one in rounds],
            "assessors": [one.judges for one in rounds],
            "opened": [one.created_at for one in rounds],
        }
    )


def _describe(rules: Round) -> str:
    parts = [rules.flow]
    if rules.page_from is not None:
        parts.append(f"page from snippet level {rules.page_from}")
    if rules.batch_size:
        parts.append(f"batches of {rules.batch_size}")
    if rules.repeat_share:
        parts.append(f"{rules.repeat_share:.0%} repeats")
    return ", ".join(parts)


def _offer_changes(context: PageContext, rules: Round) -> None:
    closed = rules.closed_at is not None
    with st.container(horizontal=True):
        if st.button(
            "Top up the pool",
            disabled=closed or bool(rules.pair_facets),
            help="Adds documents from runs imported since then to its topics.",
        ):
            added = top_up(context.store, rules.round_id, by=context.person_id)
            what = f"{count(added, 'pair')} added" if added else "There was nothing to add"
            finish(f"{plain(rules.name)}: {what}.")
        if st.button(
            "Reopen this round" if closed else "Close this round",
            help="A closed round assigns nothing more. Its labels are kept.",
        ):
            close_round(context.store, rules.round_id, closed=not closed, by=context.person_id)
            finish(f"{plain(rules.name)} is {'open again' if closed else 'closed'}.")


def _holders(context: PageContext, slots: pd.DataFrame) -> pd.DataFrame:
    members = list_members(context.store, context.collection_id)
    names = members.set_index("assessor_id")["name"]
    return pd.DataFrame(
        {
            "topic": slots["topic_id"],
            "batch": slots["batch"] + 1,
            "slot": slots["slot"] + 1,
            "state": slots["state"],
            "assessor": slots["assessor_id"].map(names),
            "lease ends": slots["leased_until"].where(slots["state"] == "taken"),
            "finished": slots["finished_at"],
        }
    )
