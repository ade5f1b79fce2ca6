"""All pages, in the order of the navigation. To add a page, write its module and name it here."""

from importlib import import_module

import streamlit as st

from core.settings import PREFIX
from pages.shared.memory import keep_for_good
from pages.shared.page import PAGES, SECTIONS
from pages.shared.session import PageContext

MODULES = (
    "pages.judge.judge",
    "pages.judge.history",
    "pages.overview.monitor",
    "pages.agreement.agreement",
    "pages.people.assessors",
    "pages.agreement.disagreement",
    "pages.agreement.verification",
    "pages.collection.qrels",
    "pages.judging.adjudicate",
    "pages.results.leaderboard.effectiveness",
    "pages.results.significance.ranking",
    "pages.results.significance.comparison",
    "pages.agreement.preferences",
    "pages.results.measures.informativeness",
    "pages.learn.precision_recall",
    "pages.learn.one_number",
    "pages.learn.graded_relevance",
    "pages.learn.rank_correlation",
    "pages.learn.disagreeing_users",
    "pages.learn.class_mode",
    "pages.collection.collection",
    "pages.judging.assignments",
    "pages.people.people",
    "pages.collection.export",
    "pages.collection.audit",
    "pages.account.account",
)
"""Importing a module registers its page; whichever was imported first, this is their order."""

for module in MODULES:
    import_module(PREFIX + module)
keep_for_good()
PAGES.sort(key=lambda page: MODULES.index(page.draw.__module__.removeprefix(PREFIX)))


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
