"""A lecture page: what is shown first is clicked most, and how a click model takes that out."""

from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.clicks.click_log import ClickLog
from core.clicks.click_rates import rates_by_rank
from core.clicks.fitting import fit
from core.clicks.worked import (
    ATTRACTIVE,
    EXAMINED,
    PBM,
    RESULTS,
    ClickedList,
    add_lists,
    order_of,
    share_clicked,
    simulate_users,
)
from core.figures.clicks import draw_click_rates, draw_examination
from core.language.translate import t
from pages.learn.worked_examples import ROLES, number, say
from pages.shared.figure import show_figure, show_table
from pages.shared.page import page
from pages.shared.session import PageContext

PURPOSE = (
    "What is shown higher is clicked more, whatever it is: **position bias**. A click model tells "
    "how attractive a result is from how far down users look. Click yourself, add simulated users, "
    "and see what clicks alone say and what the model makes of them."
)
LISTS, PAGE = "position-bias-lists", "position-bias-page"


@page("position-bias", "Learn", "Clicks and position", *ROLES)
def draw(context: PageContext) -> None:
    """Let the reader click, then show bias, the examination hypothesis and its correction."""
    context.sheet.answer(t(PURPOSE))
    _let_click()
    mixed, users = _choose()
    own = [one for one in st.session_state.get(LISTS, []) if isinstance(one, ClickedList)]
    log = add_lists(_simulate(users, mixed), own)
    _show_bias(log)
    _show_hypothesis()
    _show_correction(log, mixed)


def titles() -> list[str]:
    """Return what the made-up results are called; the last is what the query is after."""
    return [
        t("Bicycles from A to Z"),
        t("Buy bicycle parts online"),
        t("Bicycle repair: ten common faults"),
        t("A short history of the bicycle"),
        t("Cycling tours for beginners"),
        t("Mend a puncture in five steps"),
    ]


@cache
def _simulate(users: int, mixed: bool) -> ClickLog:
    return simulate_users(users, mixed=mixed)


def _let_click() -> None:
    st.header(t("Your clicks"), anchor=False)
    st.markdown(t("You have searched for **how to mend a puncture**. Which would you click?"))
    seen = int(st.session_state.get(PAGE, 0))
    order, names = order_of(seen, mixed=True).tolist(), titles()
    clicked = [
        st.checkbox(f"{rank}. {names[one]}", key=f"position-bias-{seen}-{rank}")
        for rank, one in enumerate(order, start=1)
    ]
    st.button(
        t("Take this and show the next list"),
        key="position-bias-next",
        on_click=_keep,
        args=(ClickedList(order, clicked), seen),
    )
    st.caption(
        t(
            "Lists taken in this browser: {n}. They stay here and count below like those of one "
            "more user each.",
            n=len(st.session_state.get(LISTS, [])),
        )
    )


def _keep(taken: ClickedList, seen: int) -> None:
    st.session_state[LISTS] = [*st.session_state.get(LISTS, []), taken]
    st.session_state[PAGE] = seen + 1


def _choose() -> tuple[bool, int]:
    left, right = st.columns(2)
    with left:
        users = st.slider(t("Simulated users"), 100, 5_000, 1_000, 100, key="position-bias-users")
    with right:
        mixed = st.toggle(
            t("Every user gets another order"),
            value=True,
            key="position-bias-mixed",
            help=t("Without it all simulated users see the same list, the best result last."),
        )
    return mixed, users


def _show_bias(log: ClickLog) -> None:
    st.header(t("What is shown higher is clicked more"), anchor=False)
    rates = rates_by_rank(log)
    show_figure(
        draw_click_rates(rates),
        rates,
        "position-bias-rates",
        t(
            "How often the result at each rank was clicked, with 95 % intervals; users are what is "
            "sampled."
        ),
        nobody=("interval", "unit", "reason"),
    )
    say(
        t("what users clicked where it stood."),
        t("whether a result is good or only stood high: the share falls with rank in any case."),
    )


def _show_hypothesis() -> None:
    st.header(t("The examination hypothesis"), anchor=False)
    st.markdown(
        t(
            "A result is clicked if the user **examines** it and finds it **attractive**. In the "
            "position-based model the first depends on the rank alone, the second on the result "
            "alone; the first rank is always examined:"
        )
    )
    st.latex(r"P(\text{click}) = \gamma_{\text{rank}} \cdot \alpha_{\text{result}}")
    st.markdown(
        t(
            "No click at rank 1 means: not attractive. No click further down may mean either, and "
            "the model shares it between both, again and again, until nothing changes (expectation "
            "maximisation)."
        )
    )


def _show_correction(log: ClickLog, mixed: bool) -> None:
    st.header(t("Position taken out"), anchor=False)
    found = fit(PBM, log)
    examined, attractive = (found.parameters[name] for name in ("examination", "attractiveness"))
    lines = {t("of the simulated users"): EXAMINED, t("found from the clicks"): examined}
    left, right = st.columns(2)
    with left:
        show_figure(
            draw_examination(lines),
            pd.DataFrame({"rank": np.arange(1, RESULTS + 1), "true": EXAMINED, "found": examined}),
            "position-bias-examination",
            t(
                "How likely each rank is examined: what the simulated users do, and what the model "
                "finds from their clicks and yours."
            ),
        )
    with right:
        rows = {
            "result": titles(),
            "clicked": share_clicked(log),
            "found": attractive,
            "true": ATTRACTIVE,
        }
        show_table(
            pd.DataFrame(rows).sort_values("found", ascending=False, ignore_index=True),
            "position-bias-attractiveness",
            t(
                "Each result: how often it was clicked wherever it stood, how attractive the "
                "model finds it, and how attractive the simulated users find it."
            ),
            height="content",
            nobody=("result",),
            column_config={
                "result": t("result"),
                "clicked": number(t("share clicked"), 3),
                "found": number(t("attractiveness found"), 3),
                "true": number(t("attractiveness, true"), 3),
            },
        )
    if mixed:
        explained = t(
            "Results that stand at several ranks tell how far users look; so the share of clicks, "
            "which examination makes too low for all, becomes attractiveness."
        )
    else:
        explained = t(
            "With one order for all nothing tells a rank from its result: the model cannot know "
            "whether the last result is bad or never examined, and is far from the truth."
        )
    st.markdown(explained)
