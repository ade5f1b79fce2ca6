"""All pages, in the order of the navigation. To add a page, write its module and name it here."""

from importlib import import_module

import streamlit as st

from pages.shared.page import PAGES, SECTIONS
from pages.shared.session import Visit

MODULES = (
    "pages.assess.judge",
    "pages.assess.history",
)
"""Importing a module registers its page."""

for module in MODULES:
    import_module(module)


def pages_for(visit: Visit) -> dict[str, list[st.Page]]:
    """Return the pages that exist for a visitor, by section; the first is where they land."""
    open_pages = [page for page in PAGES if page.open_to(visit)]
    return {
        section: [
            page.streamlit_page(default=page is open_pages[0])
            for page in open_pages
            if page.section == section
        ]
        for section in SECTIONS
        if any(page.section == section for page in open_pages)
    }
