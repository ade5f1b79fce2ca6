"""A class on a projector, step by step: join, judge, reveal page by page, and the summary.

What a projector needs of the browser: keys, a clock that ticks, and the full screen.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import streamlit as st

from core.analysis.learn.lesson import (
    LessonItem,
    count_pages,
    count_students,
    items_of,
    level_names,
    query_of,
    student_names,
    summary_of,
)
from core.language.translate import t
from core.store.rounds.lessons import Lesson, is_joinable, reveal, set_timer
from core.store.store import utc_now
from pages.learn.class_screen import is_loopback, join_address, warn_of_loopback
from pages.learn.projector_html import (
    draw_closed,
    draw_discussion,
    draw_item,
    draw_join,
    draw_judging,
    draw_place,
    draw_summary,
)
from pages.shared.addresses import page_address
from pages.shared.session import PageContext

ON, STEP, AT = "projector", "step", "page"
"""What the address says: that the projector is on, which step it shows, and which page."""

_LEVELS = Path(__file__).parent.parent / "shared" / "styles" / "levels.css"
_GROUNDS = ("#ffffff", "#171614")
"""Streamlit's own, light and dark: what stands in front of the page has to be opaque."""

_DISCUSS, _MINUTES = "projector-discussing", "projector-minutes"
_PAGE_HEIGHT = 460
_LONGEST_TIMER = 90


def is_on() -> bool:
    """Tell whether the class is to be shown as on a projector."""
    return ON in st.query_params


def turn_on() -> None:
    """Show the class as on a projector, from its first step."""
    st.query_params[ON] = "1"
    st.query_params[STEP] = "join"


def turn_off() -> None:
    """Go back to the page with the navigation."""
    for name in (ON, STEP, AT):
        st.query_params.pop(name, None)


def project(room: PageContext, lesson: Lesson) -> None:
    """Show the step that the address names, and the ways on, back and out."""
    st.html(PARTS / "projector.css")
    st.html(_LEVELS)
    st.html(
        f"<style>:root{{--projector-ground:{_GROUNDS[st.context.theme.type == 'dark']}}}</style>"
    )
    places = _list_places(room)
    step, page = places[_find_place(places, lesson)]
    {"join": _join, "judge": _judge, "reveal": _reveal, "summary": _sum_up}[step](
        room, lesson, page
    )
    is_timed = step == "judge" and lesson.revealed_at is None
    until = lesson.timer_until if is_timed else None
    show_controls(until, utc_now())
    _show_bar(room, lesson, places, places.index((step, page)))


def _list_places(room: PageContext) -> list[tuple[str, int]]:
    """Return where one may be: each step, and each page of the reveal."""
    pages = [("reveal", page) for page in range(count_pages(room.study))]
    return [("join", 0), ("judge", 0), *pages, ("summary", 0)]


def _find_place(places: list[tuple[str, int]], lesson: Lesson) -> int:
    """Return the place that the address names; what is not revealed is not shown."""
    page = st.query_params.get(AT, "1")
    asked = st.query_params.get(STEP, "join"), (int(page) - 1 if page.isdecimal() else 0)
    if asked[0] != "reveal":
        asked = asked[0], 0
    if asked not in places:
        return 0
    if asked[0] in ("reveal", "summary") and lesson.revealed_at is None:
        return 1
    return places.index(asked)


def _join(room: PageContext, lesson: Lesson, _: int) -> None:
    query, _told = query_of(room.study)
    title, names = t("Judge with us: {query}", query=query), student_names(room.study)
    if not is_joinable(lesson):
        st.html(draw_closed(title, len(names)))
        return
    address = join_address(room, lesson)
    st.html(draw_join(title, address, address.rpartition("/")[2], names))


def _judge(room: PageContext, lesson: Lesson, _: int) -> None:
    query, topic = query_of(room.study)
    st.html(
        draw_judging(
            t("How well does each page answer “{query}”?", query=query),
            topic or t("What the query means is for each of you to say."),
            count_students(room.study),
            count_pages(room.study),
        )
    )
    if lesson.revealed_at is not None:
        st.info(t("Judging has ended: the labels have been revealed."))


def _reveal(room: PageContext, lesson: Lesson, page: int) -> None:
    items, levels = items_of(room.study), level_names(room.study)
    item = items[page]
    if not st.session_state.get(_DISCUSS):
        st.html(draw_item(item, page + 1, len(items), levels))
        return
    left, right = st.columns(2)
    with left:
        st.html(draw_discussion(item, levels))
    with right:
        st.iframe(_address_of(room, item), height=_PAGE_HEIGHT)


def _address_of(room: PageContext, item: LessonItem) -> str:
    query = query_of(room.study)[0]
    return page_address(room.collection_id, item.document_id, query, room.session_id)


def _sum_up(room: PageContext, lesson: Lesson, _: int) -> None:
    st.html(draw_summary(summary_of(room.study)))


def _show_bar(room: PageContext, lesson: Lesson, places: list[tuple[str, int]], place: int) -> None:
    step = places[place][0]
    with st.container(horizontal=True, key="projector-bar", vertical_alignment="center"):
        st.button(
            t("Back"),
            key="projector-back",
            disabled=place == 0,
            on_click=_go,
            args=(room, lesson, places[max(0, place - 1)]),
        )
        st.button(
            _name_next(room, lesson, step),
            key="projector-next",
            type="primary",
            disabled=place == len(places) - 1,
            on_click=_go,
            args=(room, lesson, places[min(len(places) - 1, place + 1)]),
        )
        st.html(draw_place(step), width="content")
        if step == "join" and is_joinable(lesson) and is_loopback():
            with st.popover(t("This computer only"), icon=":material/warning:"):
                warn_of_loopback(room)
        if step == "judge":
            _offer_timer(room, lesson)
        if step == "reveal":
            shown = t("Labels") if st.session_state.get(_DISCUSS) else t("Discuss")
            st.button(shown, key="projector-discuss", on_click=_discuss)
        st.button(t("Leave"), key="projector-leave", type="tertiary", on_click=turn_off)


def _name_next(room: PageContext, lesson: Lesson, step: str) -> str:
    """Return what the button for going on says: before the reveal, who is not done yet."""
    if step != "judge" or lesson.revealed_at is not None:
        return t("Next")
    counts = count_students(room.study)
    late = counts["students"] - counts["done"]
    return t("End judging and reveal ({n} not done)", n=late) if late else t("Reveal")


def _go(room: PageContext, lesson: Lesson, place: tuple[str, int]) -> None:
    step, page = place
    st.session_state[_DISCUSS] = False
    if step == "reveal" and lesson.revealed_at is None:
        reveal(room.store, lesson, revealed=True, by=room.person_id)
    st.query_params[STEP] = step
    st.query_params[AT] = str(page + 1)


def _discuss() -> None:
    st.session_state[_DISCUSS] = not st.session_state.get(_DISCUSS)


def _offer_timer(room: PageContext, lesson: Lesson) -> None:
    if lesson.revealed_at is not None:
        st.button(t("Judge on"), on_click=_judge_on, args=(room, lesson))
        return
    if lesson.timer_until is not None:
        st.button(t("Stop the timer"), on_click=set_timer, args=(room.store, lesson, None),
                  kwargs={"by": room.person_id})  # fmt: skip
        return
    st.number_input(
        t("Minutes"),
        1,
        _LONGEST_TIMER,
        5,
        key=_MINUTES,
        width=130,
        label_visibility="collapsed",
        help=t(
            "Minutes for judging. When they are over the clock says so, and nothing else happens."
        ),
    )
    st.button(t("Start a timer (minutes)"), on_click=_start_timer, args=(room, lesson))


def _start_timer(room: PageContext, lesson: Lesson) -> None:
    minutes = timedelta(minutes=int(st.session_state[_MINUTES]))
    set_timer(room.store, lesson, minutes, by=room.person_id)


def _judge_on(room: PageContext, lesson: Lesson) -> None:
    reveal(room.store, lesson, revealed=False, by=room.person_id)


PARTS = Path(__file__).parent / "projector_parts"


def _read(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8")


_mount = st.components.v2.component(
    "dissent_projector",
    html=_read("projector.html"),
    css=_read("component.css"),
    js=_read("projector.js"),
)


def show_controls(until: datetime | None, now: datetime) -> None:
    """Listen to the keys, offer the full screen, and show the time left, if there is a timer.

    The browser's clock may be wrong, so that it is told how late it is here.
    """
    data = {"until": _stamp(until) if until else None, "now": _stamp(now), "words": _words()}
    _mount(data=data, key="projector-controls")


def _words() -> dict[str, str]:
    return {
        "full": t("Full screen"),
        "leave": t("Leave the full screen"),
        "left": t("Time left"),
        "over": t("Time is up"),
    }


def _stamp(time: datetime) -> int:
    return int(time.replace(tzinfo=UTC).timestamp() * 1000)
