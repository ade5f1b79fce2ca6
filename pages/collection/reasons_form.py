"""Which reasons assessors can give when they say which of two is better."""

import streamlit as st

from core.analysis.base.wording import count
from core.errors import BadInput
from core.store.events.preference_reasons import (
    LONGEST_REASON,
    MOST_REASONS,
    USUAL_REASONS,
    list_reason_choices,
    set_reason_choices,
)
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def edit_reasons(context: PageContext) -> None:
    """Show the reasons that are offered, or usual ones, and save what is changed."""
    chosen = list_reason_choices(context.store, context.collection_id)
    st.markdown(
        "Where two things stand side by side, assessors can say why one is better: they choose one "
        "or more reasons below the choices, by click or Shift and a digit. Nobody has to. Reasons "
        "are stored with the preference; *Agreement*, *Preferences* counts them by winner."
    )
    if not chosen:
        st.info("No reasons are offered now. These are usual ones; save them to offer them.")
    with st.form(f"reasons-{context.collection_id}"):
        text = st.text_area(
            "Reasons, one a line",
            "\n".join(chosen or USUAL_REASONS),
            height=240,
            help=f"At most {MOST_REASONS}, of at most {LONGEST_REASON} characters each.",
        )
        pressed = st.form_submit_button("Offer these reasons", type="primary")
    if pressed:
        _save(context, text.splitlines())
    if chosen and st.button("Offer none"):
        _save(context, [])


def _save(context: PageContext, reasons: list[str]) -> None:
    try:
        set_reason_choices(context.store, context.collection_id, reasons, by=context.person_id)
    except BadInput as error:
        refuse(error, "The reasons were not changed.")
        return
    now = list_reason_choices(context.store, context.collection_id)
    finish(f"{count(len(now), 'reason')} can be chosen now." if now else "No reasons are offered.")
