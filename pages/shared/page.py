"""Pages register themselves here; the record says where they stand and who may see them.

The language that a page says it is in, for screen readers, hyphens and offers to translate.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.util import calc_hash

from core.errors import DissentError
from core.language.translate import speak, spoken, t
from core.wording import plain
from pages.server.ahead import make_ahead
from pages.server.log import log_error
from pages.shared.session import PageContext, current_context
from pages.shared.sheet import Sheet

_mount_language = st.components.v2.component(
    "dissent_document_language",
    js="export default ({ data }) => { document.documentElement.lang = data; }",
)

DESTINATIONS = {
    "Judge": "What is next?",
    "History": "What have I said?",
    "Overview": "When is it done, and is anything wrong?",
    "Judging": "Who judges what?",
    "People": "Who is in, and who needs help?",
    "Agreement": "Do they agree, and where not?",
    "Results": "Which system is best, and is it sure?",
    "Collection": "What is in, and what goes out?",
    "Learn": "How does evaluation work?",
    "Account": "Who am I here?",
}
"""The entries of the navigation, in order, with the question that each answers."""


def _always(context: PageContext) -> bool:
    return True


@dataclass(frozen=True)
class Page:
    """One page: its place in the navigation, its address, its roles and what draws it.

    ``headed``: its title stands above it; a page that needs the height goes without. ``tabbed``
    tells whether a link to it stands among the tabs of its destination, whatever is in view.
    """

    destination: str
    title: str
    path: str
    roles: tuple[str, ...]
    draw: Callable[[PageContext], None]
    headed: bool = True
    tabbed: Callable[[PageContext], bool] = _always

    def open_to(self, context: PageContext) -> bool:
        """Tell whether this page exists for a visitor."""
        return context.person is not None and context.person.role in self.roles

    @property
    def is_explanation(self) -> bool:
        """Whether this explains something to everybody, in the language that they read."""
        return self.destination == "Learn" and "assessor" in self.roles

    def run(self) -> None:
        """Check the visitor again, then draw the page; errors speak to the person.

        Streamlit tells them of an unexpected error; the log says which and where.
        """
        context = current_context()
        if not self.open_to(context):
            st.error(t("You are not allowed to see this page. Sign in with another invitation."))
            return
        speak(context.reading_language if self.is_explanation else context.language)
        declare_language()
        if self.headed:
            context = replace(context, head=Sheet(t(self.title)))
        try:
            with context.drawing, _keep_apart(self.path, context.collection_id):
                try:
                    self.draw(context)
                finally:
                    context.drawing.address = st.query_params.to_dict()
            if "organiser" in self.roles or "viewer" in self.roles:
                make_ahead(context.study)
        except DissentError as error:
            st.error(plain(str(error)))
        except Exception as error:
            log_error(
                "page failed", error, collection=context.collection_id, person=context.person_id
            )
            raise


def _keep_apart(path: str, collection_id: str) -> AbstractContextManager[None]:
    """Let what is drawn within be controls of one page and one collection.

    A control is known by its key and by the page that it is drawn on. So of two collections each
    has controls of its own, whatever their keys: they begin with what their study declares, and
    nothing that was chosen on the one holds on the other.
    """
    running = get_script_run_ctx()
    if running is None:
        return nullcontext()
    return running.run_with_active_hash(calc_hash(f"{path} {collection_id}"))


PAGES: list[Page] = []


def page(
    address: str,
    destination: str,
    title: str,
    *roles: str,
    headed: bool = True,
    tabbed: Callable[[PageContext], bool] = _always,
) -> Callable[[Callable[[PageContext], None]], Callable[[PageContext], None]]:
    """Register the decorated function as a page at an address of its own."""

    def register(draw: Callable[[PageContext], None]) -> Callable[[PageContext], None]:
        PAGES.append(Page(destination, title, address, roles, draw, headed, tabbed))
        return draw

    return register


def declare_language() -> None:
    """Let the document say that it is in the language spoken here; Streamlit's says English."""
    with st.container(key="document-language"):  # takes no room: see frame.css
        _mount_language(data=spoken(), key="document-language-is")
