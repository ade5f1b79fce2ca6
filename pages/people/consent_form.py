"""The text that people are asked to agree to before they judge."""

import streamlit as st

from core.errors import BadInput
from core.store.people.consent import get_consent_text, set_consent_text
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def edit_consent(context: PageContext) -> None:
    """Show the consent text of the collection, to be changed."""
    text = get_consent_text(context.store, context.collection_id)
    with st.form("consent", border=False):
        written = st.text_area(
            "Consent text",
            text,
            help="Assessors are asked once, before their first item, and can judge whatever "
            "they answer. With another text everybody is asked again; empty, nobody is.",
        )
        pressed = st.form_submit_button("Save the text")
    if not pressed:
        return
    try:
        set_consent_text(context.store, context.collection_id, written, by=context.person_id)
    except BadInput as error:
        refuse(error, "The text was not saved.")
        return
    finish("The consent text is saved." if written.strip() else "Nobody is asked any more.")
