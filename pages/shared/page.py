"""Pages register themselves here; the record says where they stand and who may see them."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.errors import DissentError
from pages.shared.log import log_error
from pages.shared.session import Visit, current_visit
from pages.shared.wording import plain

SECTIONS = ("Judge", "Watch", "Learn", "Manage", "You")


@dataclass(frozen=True)
class Page:
    """One page: its place in the navigation, its address, its roles and what draws it.

    ``headed``: its title stands above it; a page that needs the height goes without.
    """

    section: str
    title: str
    icon: str
    path: str
    roles: tuple[str, ...]
    draw: Callable[[Visit], None]
    headed: bool = True

    def open_to(self, visit: Visit) -> bool:
        """Tell whether this page exists for a visitor."""
        return visit.person is not None and visit.person.role in self.roles

    def run(self) -> None:
        """Check the visitor again, then draw the page; errors speak to the person.

        Streamlit tells them of an error that nobody foresaw; the log says which and where.
        """
        visit = current_visit()
        if not self.open_to(visit):
            st.error("You are not allowed to see this page. Sign in with another invitation.")
            return
        if self.headed:
            st.title(self.title)
        try:
            with visit.drawing:
                self.draw(visit)
        except DissentError as error:
            st.error(plain(str(error)))
        except Exception as error:
            log_error("page failed", error, collection=visit.collection_id, person=visit.person_id)
            raise

    def streamlit_page(self) -> st.Page:
        """Return this page as Streamlit's navigation wants it."""
        return st.Page(self.run, title=self.title, icon=self.icon, url_path=self.path)


PAGES: list[Page] = []


def page(
    section: str, title: str, icon: str, *roles: str, headed: bool = True
) -> Callable[[Callable[[Visit], None]], Callable[[Visit], None]]:
    """Register the decorated function as a page; its address is the function's module."""

    def register(draw: Callable[[Visit], None]) -> Callable[[Visit], None]:
        path = draw.__module__.rpartition(".")[2].replace("_", "-")
        PAGES.append(Page(section, title, icon, path, roles, draw, headed))
        return draw

    return register
