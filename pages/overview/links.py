"""Links from the overview to the pages where one acts."""

import streamlit as st

from pages.shared.page import PAGES
from pages.shared.session import PageContext


def link_to(context: PageContext, path: str) -> None:
    """Show a link to the page at an address, if it exists for whoever looks."""
    found = next((one for one in PAGES if one.path == path and one.open_to(context)), None)
    if found is None:
        return
    target = st.Page(found.run, title=found.title, url_path=found.path)
    icon = ":material/arrow_forward:"
    st.page_link(target, label=found.title, icon=icon, query_params=context.address)
