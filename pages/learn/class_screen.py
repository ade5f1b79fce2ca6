"""The lecturer's screen of a class: what moves as the students judge.

Where students join a class, and what to do while they cannot get there.
"""

from html import escape
from urllib.parse import urlsplit

import pandas as pd
import streamlit as st
from streamlit import config

from core.analysis.learn.lesson import (
    agreement_of,
    count_pages,
    count_students,
    labels_by_item,
    level_names,
    query_of,
    weights_of,
)
from core.command.serve import network_host, write_command
from core.figures.learn import draw_label_counts, draw_level_weights
from core.language.translate import t, tn
from core.numerals import write_limits, write_number
from core.settings import local_address
from core.store.rounds.lessons import Lesson, is_joinable, lesson_code, reveal
from pages.shared.addresses import server_address
from pages.shared.figure import show_figure
from pages.shared.session import PageContext

MOST_USERS = 10
_STYLE = """<style>
.st-key-class-numbers [data-testid="stMetricValue"] {font-size: clamp(2rem, 3.6vw, 4.5rem);}
.st-key-class-numbers [data-testid="stMetricLabel"] p,
.st-key-class-numbers [data-testid="stMetricDelta"] {font-size: clamp(1rem, 1.3vw, 1.6rem);}
.class-door {font-size: clamp(1.3rem, 3.4vw, 4.5rem); font-weight: 700; line-height: 1.2;
overflow-wrap: anywhere; font-variant-numeric: tabular-nums;}
.class-door small {font-size: max(1rem, .45em); font-weight: 400;}
.class-door a {color: inherit; text-decoration: none;}
.stMainBlockContainer {padding-top: 4.25rem;}
</style>"""


def show_screen(room: PageContext, lesson: Lesson) -> None:
    """Show the way in, the counts and κ; once they are revealed, the weights and the labels.

    Before, nothing tells which levels were given: the class may see this screen as it judges.
    """
    st.html(_STYLE)
    _show_door(room, lesson)
    _show_numbers(room, lesson)
    if lesson.revealed_at is None:
        _offer_reveal(room, lesson)
        return
    left, right = st.columns(2)
    with left:
        _show_weights(room)
    with right:
        _show_labels(room)


def _show_door(room: PageContext, lesson: Lesson) -> None:
    query, description = query_of(room.study)
    if not is_joinable(lesson):
        st.info(
            t("Nobody else can join this class; students who have joined can continue judging.")
        )
    else:
        seen = urlsplit(join_address(room, lesson))
        shown = escape(f"{seen.netloc}{seen.path}")
        st.html(
            f'<div class="class-door" data-testid="class-address"><small>{t("Join at")}</small> '
            f"<a href='{escape(seen.geturl())}' target='_blank'>{shown}</a></div>"
        )
        warn_of_loopback(room)
    meant = (
        t("Students are told: {what}", what=description)
        if description
        else t("Students see the query alone.")
    )
    judging = tn(
        count_pages(room.study),
        "Class {number} judges {n} page for the query “{query}”.",
        "Class {number} judges {n} pages for the query “{query}”.",
        number=lesson.number,
        query=query,
    )
    st.text(f"{judging} {meant}")


def _show_numbers(room: PageContext, lesson: Lesson) -> None:
    counts, agreement = count_students(room.study), agreement_of(room.study)
    wanted = counts["students"] * count_pages(room.study)
    with st.container(horizontal=True, key="class-numbers"):
        _show_number(t("Students"), counts["students"], t("up to {n}", n=lesson.most))
        _show_number(t("Finished"), counts["done"], t("of {n}", n=counts["students"]))
        _show_number(t("Labels"), counts["labels"], t("of {n}", n=wanted))
        for place, name in enumerate((t("linear weighted κ"), t("unweighted κ"))):
            _show_number(name, *_write_kappa(agreement, place))
    with st.popover(t("What is κ here?"), icon=":material/help:", type="tertiary"):
        st.markdown(
            t(
                "Cohen's κ says how much more two students agree than they would by chance, "
                "each using the levels as often as they did: 1 is full agreement, 0 is chance. "
                "All pairs of students are pooled. In brackets a 95 % interval, from leaving "
                "out each page in turn. With a few pages of one query it is wide, and says "
                "nothing of other queries. Linear weights count a near miss as partial "
                "agreement: with L levels, one level off counts 1 − 1/(L − 1), with four ⅔. "
                "Unweighted κ counts it as disagreement."
            )
        )


def _show_number(name: str, value: str | int, beside: str) -> None:
    st.metric(name, value, beside, delta_color="off", delta_arrow="off", border=True)


def _write_kappa(agreement: pd.DataFrame, place: int) -> tuple[str, str]:
    """Return κ and its interval as text."""
    if agreement.empty or pd.isna(agreement["value"].iloc[place]):
        return "–", t("needs two students")
    row = agreement.iloc[place]
    if pd.isna(row["low"]):
        return write_number(row["value"], 2), t("interval needs more pages")
    return write_number(row["value"], 2), write_limits(row["low"], row["high"], 2)


def _offer_reveal(room: PageContext, lesson: Lesson) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(t("Reveal the labels"), key="class-reveal"):
            reveal(room.store, lesson, revealed=True, by=room.person_id)
            st.rerun()
        st.caption(
            t("Which levels were given is shown from then on, and nobody judges any more."),
            width="content",
        )


def _show_weights(room: PageContext) -> None:
    st.header(t("Weights of the levels"), anchor=False)
    with st.container(horizontal=True):
        users = st.slider(t("N, users"), 2, MOST_USERS, 3, key="class-users")
        wanted = min(st.session_state.get("class-at-least", 1), users)
        st.session_state["class-at-least"] = wanted
        at_least = st.slider(t("M, at least so many find it top"), 1, users, key="class-at-least")
    rows = weights_of(room.study, users, at_least)
    show_figure(
        draw_level_weights(rows),
        rows.drop(columns="written"),
        "class-weights",
        t(
            "The probability that at least {lowest} of {n} users find a page top, given the level "
            "of one of them: the weights of the User Disagreement Model, estimated from this "
            "class's labels alone. **?**: nobody has given this level to a page that another "
            "student has judged, too. The lowest level weighs 0. A few pages are an illustration, "
            "not an estimate to use.",
            lowest=at_least,
            n=users,
        ),
        nobody=("name",),
    )


def _show_labels(room: PageContext) -> None:
    st.header(t("Who said what"), anchor=False)
    named = st.toggle(
        t("Name the pages"),
        key="class-named",
        help=t("Each student has the pages in a different order, so the letters reveal nothing."),
    )
    rows = labels_by_item(room.study)
    shown = rows.assign(item=rows["title"].str.slice(0, 40)) if named else rows
    table = rows if named else rows.drop(columns=["document_id", "title"])
    show_figure(
        draw_label_counts(shown, level_names(room.study)),
        table,
        "class-labels",
        t("How many students gave each page each level. A bar of one colour: they agree on it."),
        nobody=("item",),
    )


LOOPBACK = ("127.0.0.1", "localhost", "::1")
_EVERYWHERE = "0.0.0.0"


def join_address(room: PageContext, lesson: Lesson) -> str:
    """Return the address at which students join."""
    code = lesson_code(room.store, lesson)
    return f"{server_address()}/join/{code[:4]}-{code[4:]}"


def is_loopback() -> bool:
    """Tell whether this server is seen under an address that is this machine's alone."""
    return urlsplit(server_address()).hostname in LOOPBACK


def warn_of_loopback(room: PageContext) -> None:
    """Say how to let other machines in, where this address is for this one only."""
    if not is_loopback():
        return
    listens, port = _find_socket()
    host = network_host()
    there = f"`{local_address(host, port)}`" if host else t("the name of this machine")
    warning = f":material/warning: {t('This address works on this computer only.')}"
    if listens not in LOOPBACK:
        how = t("Open this page at {name}: students then see that address.", name=there)
        st.caption(f"{warning} {how}")
        return
    how = t(
        "Put a proxy in front of the server or, in a network that you trust, stop it and start it "
        "with this command; then open this page at {name}, so that students see that address.",
        name=there,
    )
    st.caption(f"{warning} {how}")
    store = None if room.demo else room.store.place
    st.code(write_command(store, _EVERYWHERE, port), language=None, wrap_lines=True)


def _find_socket() -> tuple[str, int]:
    """Return where this server listens."""
    return str(config.get_option("server.address")), int(config.get_option("server.port"))
