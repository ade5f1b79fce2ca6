"""The tour of the demo: five questions of an organiser, each on the page that answers it.

Which step somebody is at stands in the address (``?tour=2``) and, while they look elsewhere, in
their session.
"""

from dataclasses import dataclass

import streamlit as st

from pages.shared.page import PAGES, Page
from pages.shared.session import PageContext

_ADDRESS = "tour"
_STEP = "tour_step"
_LEFT = "tour_left"


@dataclass(frozen=True)
class TourStep:
    """One step: the address of its page, its question, and where to look."""

    path: str
    question: str
    look: str


STEPS = (
    TourStep(
        "monitor",
        "When are we done?",
        "The page opens with the answer; start the simulated assessors above and watch it move.",
    ),
    TourStep(
        "assessors",
        "Who needs help?",
        "One of the simulated assessors is careless: see who agrees least with the others.",
    ),
    TourStep(
        "agreement",
        "Do they agree?",
        "κ says how far beyond chance, and its limits how sure that is.",
    ),
    TourStep(
        "effectiveness",
        "Who is best, and is it sure?",
        "The first sentence names who leads, and who is not shown to be worse.",
    ),
    TourStep(
        "export",
        "What goes out?",
        "Labels, qrels and runs as files, with a note of what they rest on.",
    ),
)


def offer_tour(context: PageContext) -> None:
    """Offer an organiser of the demo to begin the tour, or to go on where they left it."""
    if not _is_for(context) or find_step():
        return
    left = st.session_state.get(_LEFT, 1)
    label = "Take the tour" if left == 1 else f"Go on with the tour ({left} of {len(STEPS)})"
    st.button(
        label,
        icon=":material/tour:",
        type="tertiary",
        key="tour-begin",
        on_click=_go_to,
        args=[left],
    )


def show_tour(context: PageContext, in_view: str) -> None:
    """Show the step that somebody is at, with a link to the next page, above the page in view.

    ``in_view`` is the address of that page: a step that stands elsewhere has a link to it.
    """
    number = find_step()
    if not number or not _is_for(context):
        return
    st.session_state[_STEP] = number
    step = STEPS[number - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="tour"):
        st.markdown(
            f"**Tour, {number} of {len(STEPS)}. {step.question}** {step.look}", width="content"
        )
        if in_view != step.path:
            _link(context, number, "Show me")
        if number < len(STEPS):
            _link(context, number + 1, f"Next: {STEPS[number].question}")
        leaving = "Leave" if number < len(STEPS) else "Finish"
        st.button(leaving, type="tertiary", key="tour-leave", on_click=_leave, args=[number])


def find_step() -> int:
    """Return the number of the step somebody is at, from 1; 0 outside the tour.

    The address comes first: a reload, a bookmark or a second tab show the same.
    """
    asked = st.query_params.get(_ADDRESS, "")
    numbers = {str(number): number for number in range(1, len(STEPS) + 1)}
    return numbers.get(asked) or int(st.session_state.get(_STEP, 0))


def _is_for(context: PageContext) -> bool:
    return context.demo and context.may_change and bool(context.collection_id)


def _link(context: PageContext, number: int, label: str) -> None:
    page = _find_page(STEPS[number - 1].path)
    target = st.Page(page.run, title=page.title, url_path=page.path)
    address = context.address | {_ADDRESS: str(number)}
    st.page_link(target, label=label, icon=":material/arrow_forward:", query_params=address)


def _find_page(path: str) -> Page:
    return next(page for page in PAGES if page.path == path)


def _go_to(number: int) -> None:
    st.session_state[_STEP] = number
    st.query_params[_ADDRESS] = str(number)


def _leave(number: int) -> None:
    """Leave the tour; it can be taken up again at the same step, after the last at the first."""
    st.session_state[_STEP] = 0
    st.session_state[_LEFT] = number if number < len(STEPS) else 1
    st.query_params.pop(_ADDRESS, None)
