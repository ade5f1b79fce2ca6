"""The language that a page says it is in, for screen readers, hyphens and offers to translate."""

import streamlit as st

from core.language.translate import spoken

_mount = st.components.v2.component(
    "dissent_document_language",
    js="export default ({ data }) => { document.documentElement.lang = data; }",
)


def declare_language() -> None:
    """Let the document say that it is in the language spoken here; Streamlit's says English."""
    with st.container(key="document-language"):  # takes no room: see frame.css
        _mount(data=spoken(), key="document-language-is")
