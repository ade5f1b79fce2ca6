"""Assigning, moving and freeing one slot."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.base.study import topics_of
from core.assessment.handing_out.moving import give_slot
from core.errors import BadInput
from core.store.people.members import list_assessors
from core.store.rounds.rounds import Round, Slot
from core.wording import count, plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

TOPIC, SLOT, TO = "matrix-topic", "matrix-slot", "matrix-to"
_FOLLOWED = "matrix-followed"
_ALL_FINISHED = (
    "Every slot of this topic is finished, and its labels count. For one more opinion add "
    "assessors to the round, on the page *Rounds*."
)
Place = tuple[int, int]
"""Batch and number of a slot."""


def follow_click(
    clicked: Sequence[Any], places: pd.DataFrame, topics: list[str], ids: dict[str, str]
) -> None:
    """Have the form show the cell that was clicked, once for each click."""
    if not clicked or clicked == st.session_state.get(_FOLLOWED):
        return
    st.session_state[_FOLLOWED] = clicked
    row, column = clicked[0]
    topic_id, person = topics[row], ids.get(column)
    st.session_state[TOPIC] = topic_id
    slots = _list_movable(places, topic_id)
    theirs = [place for place, one in slots.items() if one["assessor_id"] == person]
    is_open = [place for place, one in slots.items() if one["state"] == "open"]
    st.session_state[SLOT] = next(iter([*(theirs if person else ()), *is_open, *slots]), None)
    st.session_state[TO] = None if theirs else person


def change_slot(
    context: PageContext, rules: Round, places: pd.DataFrame, names: dict[str, str]
) -> None:
    """Ask which slot goes to whom, and give it to them."""
    if rules.closed_at is not None or places.empty:
        return
    present = list_assessors(context.store, context.collection_id)
    with st.container(border=True, horizontal=True, vertical_alignment="bottom"):
        topic_id = _choose_topic(context, places["topic_id"].unique().tolist())
        slots = _list_movable(places, topic_id)
        if not slots:
            st.caption(_ALL_FINISHED)
            return
        _keep(SLOT, list(slots))
        place = st.selectbox(
            "Slot", list(slots), format_func=lambda one: _name_slot(slots[one], names), key=SLOT
        )
        held = slots[place]
        others: list[str | None] = [None, *(one for one in present if one != held["assessor_id"])]
        _keep(TO, others)
        to = st.selectbox(
            "Goes to",
            others,
            format_func=lambda one: names[one] if one else "nobody: open to all",
            key=TO,
        )
        verb = "Free" if to is None else "Move" if held["assessor_id"] else "Assign"
        # The key: a press is not taken for another slot that has come to stand here meanwhile.
        pressed = st.button(
            f"{verb} this slot",
            key=f"matrix-give-{topic_id}-{place}-{held['assessor_id']}-{to}",
            disabled=to is None and held["state"] == "open",
            type="primary" if to else "secondary",
        )
    if kept := _tell_kept(held, names):
        st.caption(kept)
    if pressed:
        _give(context, rules, held, to, names)


def _choose_topic(context: PageContext, known: list[str]) -> str:
    queries = topics_of(context.study).set_index("topic_id")["query"]
    _keep(TOPIC, known)
    chosen: str = st.selectbox(
        "Topic", known, format_func=lambda one: f"{one}  {queries.get(one, '')}", key=TOPIC
    )
    return chosen


def _keep(key: str, options: Sequence[Any]) -> None:
    """Let go of a choice that is there no more."""
    if key in st.session_state and st.session_state[key] not in options:
        del st.session_state[key]


def _list_movable(places: pd.DataFrame, topic_id: str) -> dict[Place, dict[Any, Any]]:
    """Return the slots of a topic that are not finished."""
    rows = places[(places["topic_id"] == topic_id) & (places["state"] != "finished")]
    rows = rows.astype({"assessor_id": "object"})
    rows = rows.assign(assessor_id=rows["assessor_id"].where(rows["assessor_id"].notna(), None))
    return {(row["batch"], row["slot"]): row for row in rows.to_dict("records")}


def _name_slot(row: dict[Any, Any], names: dict[str, str]) -> str:
    batch = f"batch {row['batch'] + 1}, " if row["batch"] else ""
    if row["state"] == "open":
        return f"{batch}slot {row['slot'] + 1}: open"
    how = "reserved" if row["state"] == "reserved" else f"{row['judged']} of {row['steps']}"
    return f"{batch}slot {row['slot'] + 1}: {names[row['assessor_id']]}, {how}"


def _tell_kept(held: dict[Any, Any], names: dict[str, str]) -> str:
    """Return what becomes of what the holder has judged already."""
    if not held["judged"]:
        return ""
    given = count(held["judged"], "judgement")
    return (
        f"The {given} that {plain(names[held['assessor_id']])} has given here are kept and count."
    )


def _give(
    context: PageContext,
    rules: Round,
    held: dict[Any, Any],
    to: str | None,
    names: dict[str, str],
) -> None:
    seen = Slot(
        rules.round_id,
        held["topic_id"],
        int(held["batch"]),
        int(held["slot"]),
        held["assessor_id"],
        held["state"] == "reserved",
        None,
        None,
    )
    try:
        give_slot(context.store, seen, to, by=context.person_id)
    except BadInput as error:
        refuse(error, "The slot was not moved.")
        return
    topic = plain(held["topic_id"])
    finish(
        f"A slot of topic {topic} is open to all again."
        if to is None
        else f"{plain(names[to])} has the slot of topic {topic}."
    )
