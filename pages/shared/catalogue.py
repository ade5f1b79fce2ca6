"""All pages, in the order of the navigation. To add a page, write its module and name it here."""

from importlib import import_module

import streamlit as st

from pages.shared.page import PAGES, SECTIONS
from pages.shared.session import Visit

MODULES = (
    "pages.assess.judge",
    "pages.assess.history",
    "pages.analyse.monitor",
    "pages.analyse.agreement",
    "pages.analyse.disagreement",
    "pages.analyse.effectiveness",
    "pages.analyse.ranking",
    "pages.manage.collection",
    "pages.manage.assignments",
    "pages.manage.people",
    "pages.manage.export",
)
"""Importing a module registers its page."""

for module in MODULES:
    import_module(module)


def pages_for(visit: Visit) -> dict[str, list[st.Page]]:
    """Return the pages that exist for a visitor, by section.

    They land on the first; while there is no collection, on the first that can make one.
    """
    open_pages = [page for page in PAGES if page.open_to(visit)]
    landing = [page for page in open_pages if visit.collection_id or page.section == "Manage"]
    first = next(iter(landing or open_pages))
    return {
        section: [
            page.streamlit_page(default=page is first)
            for page in open_pages
            if page.section == section
        ]
        for section in SECTIONS
        if any(page.section == section for page in open_pages)
    }
