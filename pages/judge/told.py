"""What a machine said of a page, told after the assessor's own label, in Streamlit's elements."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.analysis.base.wording import plain
from core.assessment.handing_out.queue import Assignment
from core.assessment.showing import shows_machine
from core.collection.records import Scale
from core.language.translate import t
from core.store.events.labels import Key
from pages.judge.again import link_again
from pages.shared.session import PageContext

_TOLD = "told-of-machine"
"""What a session remembers to tell: the label that it is about, and the words."""

BEFOREHAND = (
    "For some of the pages you will see, once your own label is saved, what a machine said of "
    "them. You can keep your label or change it; the one that you gave first stays on record."
)


def tell_beforehand(context: PageContext, assignment: Assignment) -> None:
    """Say before the first page that a machine's levels are shown, where the round does so."""
    if shows_machine(context.store, assignment):
        st.caption(t(BEFOREHAND))


def keep_told(
    key: Key, what: str, scale: Scale, level: int | None, machine: Mapping[str, Any]
) -> None:
    """Remember what the answer to a label says of the machine, for the next page that is drawn."""
    names = {one.level: one.name for one in scale}
    words = t(
        "On “{what}” you said {own}; the machine {called} said {level}.",
        what=what,
        own=t("Cannot judge") if level is None else names[level],
        called=machine["called"],
        level=names.get(machine["level"], str(machine["level"])),
    )
    st.session_state[_TOLD] = key, words


def show_told(context: PageContext) -> None:
    """Tell what is remembered, once, with a way to change the label."""
    key, words = st.session_state.pop(_TOLD, (None, ""))
    if key is None:
        return
    st.info(plain(words))
    link_again(context, key)
