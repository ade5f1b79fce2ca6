"""The navigation: which pages there are, and in what order.

To add a page, write its module in the folder of its destination: it is found there and comes last
in its section, unless ``ORDER`` gives it another place.
"""

import streamlit as st

from core.discovery import import_modules, list_folders
from pages.server.memory import keep_for_good
from pages.shared.page import PAGES, SECTIONS, Page
from pages.shared.session import PageContext

ORDER = (
    "judge",
    "history",
    "monitor",
    "agreement",
    "assessors",
    "disagreement",
    "verification",
    "qrels",
    "adjudicate",
    "effectiveness",
    "ranking",
    "comparison",
    "preferences",
    "informativeness",
    "precision-recall",
    "one-number",
    "graded-relevance",
    "rank-correlation",
    "disagreeing-users",
    "class-mode",
    "glossary",
    "collection",
    "assignments",
    "people",
    "export",
    "audit",
    "account",
)
"""The addresses of pages, section by section as in ``SECTIONS``."""

_WITHOUT_PAGES = ("api", "server", "shared")


def _import_pages() -> None:
    """Import every module of every destination, so that its pages are registered."""
    for folder in list_folders(__package__.rpartition(".")[0]):
        if not folder.endswith(_WITHOUT_PAGES):
            import_modules(folder)


def _place(page: Page) -> tuple[int, str]:
    """Return what pages are sorted by: their place in the order, or else behind it by title."""
    return ORDER.index(page.path) if page.path in ORDER else len(ORDER), page.title


_import_pages()
keep_for_good()
PAGES.sort(key=_place)


def pages_for(context: PageContext) -> dict[str, list[st.Page]]:
    """Return the pages that exist for a visitor, by section.

    A hidden entry leads to the first; while there is no collection, to the first that can make
    one. So every page keeps an address of its own.
    """
    open_pages = [page for page in PAGES if page.open_to(context)]
    known = {page: page.streamlit_page() for page in open_pages}
    landing = [page for page in open_pages if context.collection_id or page.section == "Manage"]
    first = known[next(iter(landing or open_pages))]
    entry = st.Page(lambda: st.switch_page(first), title="Dissent", default=True, url_path="",
                    visibility="hidden")  # fmt: skip
    sections = {
        section: [known[page] for page in open_pages if page.section == section]
        for section in SECTIONS
        if any(page.section == section for page in open_pages)
    }
    return {"": [entry], **sections}
