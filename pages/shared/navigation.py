"""The navigation: which pages there are, and in what order.

To add a page, write its module in the folder of its destination: it is found there and comes last
among the tabs of its destination, unless ``ORDER`` gives it another place.
"""

from functools import cached_property
from urllib.parse import urlparse

import streamlit as st

from core.discovery import import_modules, list_folders
from core.language.translate import t
from pages.server.process import keep_for_good
from pages.shared.frame import show_collection, show_frame
from pages.shared.page import DESTINATIONS, PAGES, Page
from pages.shared.session import PageContext

ORDER = (
    "judge", "history",
    "monitor",
    "assignments", "plan", "enough", "matrix", "adjudicate", "questions",
    "machine-judge", "judging-orders",
    "people", "assessors", "hours",
    "agreement", "disagreement", "verification", "preferences", "machines", "clicks",
    "effectiveness", "comparison", "ranking", "unpooled", "informativeness", "interleaving",
    "collection", "qrels", "export", "audit",
    "precision-recall", "one-number", "graded-relevance", "rank-correlation",
    "disagreeing-users", "position-bias", "class-mode", "glossary",
    "account",
)  # fmt: skip
"""The addresses of pages, destination by destination as in ``DESTINATIONS``."""

_WITHOUT_PAGES = ("api", "server", "shared")


def _import_pages() -> None:
    """Import every module of every destination, so that its pages are registered."""
    for folder in list_folders(__package__.rpartition(".")[0]):
        if not folder.endswith(_WITHOUT_PAGES):
            import_modules(folder)


def _place(page: Page) -> tuple[int, int, str]:
    """Return what pages are sorted by: destination, place in the order, or behind it by title."""
    place = ORDER.index(page.path) if page.path in ORDER else len(ORDER)
    return list(DESTINATIONS).index(page.destination), place, page.title


_import_pages()
keep_for_good()
PAGES.sort(key=_place)


class Navigation:
    """The pages that exist for a visitor: one entry for each destination, tabs within it.

    The entry of the destination in view leads to the page in view; those of the others lead to
    their first pages. The other pages are hidden entries: each keeps an address of its own.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._pages = [page for page in PAGES if page.open_to(context)]
        self._in_view = urlparse(st.context.url or "").path.rpartition("/")[2]
        entries = self._entries()
        self._linked = {
            page: st.Page(
                page.run,
                title=t(page.destination if page in entries else page.title),
                url_path=page.path,
                visibility="visible" if page in entries else "hidden",
                help=t(DESTINATIONS[page.destination]),
            )
            for page in self._pages
        }

    def choose(self) -> st.Page:
        """Draw the navigation and return the page to run.

        A hidden entry leads to the first page; while there is no collection, to the page that
        makes one. So every page keeps an address of its own.
        """
        entry = st.Page(lambda: st.switch_page(self._linked[self._landing]), title="Dissent",
                        default=True, url_path="", visibility="hidden")  # fmt: skip
        return st.navigation([entry, *self._linked.values()], position="top")

    def show_frame(self, chosen: st.Page) -> None:
        """Show the collection in view and the tabs of the destination above the chosen page."""
        page = next((one for one, linked in self._linked.items() if linked is chosen), None)
        if page is None:
            return
        st.set_page_config(page_title=f"{t(page.title)} · Dissent")
        if page.destination == "Judge":
            with st.sidebar:
                show_collection(self._context)
            return
        tabs = [
            (self._linked[one], t(one.title))
            for one in self._pages
            if one.destination == page.destination and (one is page or one.tabbed(self._context))
        ]
        show_frame(self._context, tabs)

    @cached_property
    def _landing(self) -> Page:
        """The page that a visitor begins with."""
        ready = self._context.collection_id
        making = [page for page in self._pages if ready or page.destination == "Collection"]
        return next(iter(making or self._pages))

    def _entries(self) -> set[Page]:
        """Return the page that stands for each destination."""
        first: dict[str, Page] = {}
        for page in self._pages:
            if page.destination not in first or page.path == self._in_view:
                first[page.destination] = page
        return set(first.values())
