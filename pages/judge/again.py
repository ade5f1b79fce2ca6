"""From one's own labels to the judging screen at one of the items, and back."""

import streamlit as st

from core.assessment.handing_out.steps import lay_out_again
from core.language.translate import t
from core.store.events.labels import Key
from pages.judge.assignment import component_data
from pages.judge.component import AROUND, judge_component
from pages.shared.page import PAGES
from pages.shared.session import PageContext

_AGAIN = "again"
"""What an address calls the label that is to be changed, by the id of its event."""


def link_again(context: PageContext, key: Key) -> None:
    """Show a link to the judging screen at an item of one's own."""
    label = context.store.labels.current(context.collection_id, context.person_id)[key]
    judge = next(one for one in PAGES if one.path == "judge")
    st.page_link(
        st.Page(judge.run, title=judge.title, url_path=judge.path),
        label=t("Judge again"),
        icon=":material/arrow_forward:",
        query_params={**context.address, _AGAIN: label.event_id},
    )


def show_again(context: PageContext) -> bool:
    """Show the judging screen at the item that the address names; tells whether it names one.

    What it names was judged anew once its event is no current label any more; then, and once the
    screen says that it is done, judging goes on with what is next.
    """
    event_id = st.query_params.get(_AGAIN)
    if not event_id:
        return False
    whose = context.collection_id, context.person_id
    laid = lay_out_again(context.store, *whose, event_id)
    if laid is None:
        st.query_params.pop(_AGAIN, None)
        return False
    offset = st.context.timezone_offset or 0
    data = component_data(context.store, context.collection, *laid, context.session_id, offset)
    st.html(AROUND)
    answered = judge_component(
        data | {"again": True, "intro": None}, key=f"judge-{context.collection_id}"
    )
    if answered.finished == data["assignment"]:
        st.query_params.pop(_AGAIN, None)
        st.rerun()
    return True
