"""What a machine said of a batch that is judged to its end, in Streamlit's elements."""

import streamlit as st

from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.steps import lay_out, scales_for
from core.assessment.showing import RevealedLevel, reveal_levels, shows_machine
from core.language.translate import t
from core.store.events.labels import CurrentLabel
from core.wording import plain
from pages.judge.again import link_again
from pages.shared.session import PageContext

_ENDED = "told-of-machine"
"""What a session remembers to tell of: the assignment whose last item was judged in it."""

BEFOREHAND = (
    "For some of the pages you will see, once you have finished the topic, what a machine said of "
    "them. You can keep your label or change it; the one that you gave first stays on record."
)


def tell_beforehand(context: PageContext, assignment: Assignment) -> None:
    """Say before the first page that a machine's levels are shown, where the round does so."""
    if shows_machine(context.store, assignment):
        st.caption(t(BEFOREHAND))


def note_end(context: PageContext, assignment: Assignment) -> None:
    """Remember an assignment that shows a machine's levels: it may be at its end."""
    if shows_machine(context.store, assignment):
        st.session_state[_ENDED] = assignment


def show_revealed(context: PageContext) -> bool:
    """Tell what the machine said, until somebody goes on; tells whether there was anything."""
    assignment: Assignment | None = st.session_state.get(_ENDED)
    levels = reveal_levels(context.store, assignment) if assignment else []
    if assignment is None or not levels:
        return False
    st.title(t("What a machine said"))
    documents = lay_out(context.store, assignment).documents
    current = context.store.labels.current(context.collection_id, context.person_id)
    names = {
        facet: {one.level: one.name for one in scale}
        for facet, scale in scales_for(context.store, assignment).items()
    }
    for one in levels:
        what = str((documents.get(one.key.document_id) or {}).get("title") or one.key.document_id)
        st.info(plain(_word(what, one, current[one.key], names[one.key.facet])))
        link_again(context, one.key)
    if st.button(t("Next"), type="primary"):
        del st.session_state[_ENDED]
        st.rerun()
    return True


def _word(what: str, one: RevealedLevel, own: CurrentLabel, names: dict[int, str]) -> str:
    return t(
        "On “{what}” you said {own}; the machine {called} said {level}.",
        what=what,
        own=t("Cannot judge") if own.level is None else names[own.level],
        called=one.called,
        level=names.get(one.level, str(one.level)),
    )
