"""The part of a lecture page about F and E: precision weighed against recall."""

from functools import cache

import pandas as pd
import streamlit as st

from core.figures.learn import draw_lines
from core.language.translate import t
from pages.learn.steps import choose_rank, say
from pages.learn.textbook import DEPTH, score
from pages.shared.figure import show_figure


def show_balance(topic: str) -> None:
    """Weigh precision against recall with a slider, at a rank and along the list."""
    st.header(t("Precision against recall: F and E"), anchor=False)
    left, right = st.columns(2)
    with left:
        rank = choose_rank("balance", 10)
        b = st.slider(
            t("b: how much more recall matters than precision"),
            0.0,
            5.0,
            1.0,
            0.25,
            key="balance-b",
        )
        precision, recall = score(f"P@{rank}")[topic], score(f"R@{rank}")[topic]
        harmonic = score(f"F@{rank}")[topic]
        error = score(f"E(b={b:g})@{rank}")[topic]
        _show_formula(b, precision, recall, error)
        st.markdown(_word_b(b))
        st.latex(rf"F = \frac{{2}}{{\frac{{1}}{{r}} + \frac{{1}}{{P}}}} = {harmonic:.3f}")
    with right:
        lines = _lines(topic, b)
        named = {"precision": t("precision"), "recall": t("recall")}
        lines = lines.assign(series=lines["series"].replace(named))
        show_figure(
            draw_lines(lines, "rank", x=t("rank"), y=t("value"), at=rank),
            lines,
            "balance-figure",
            t(
                "Precision, recall, F (b = 1) and E (with your b) of the list cut at each rank. "
                "E is an error: the lower, the better."
            ),
        )
    say(
        t(
            "at which cut-off the list is the best compromise for somebody who gives recall b² "
            "times the weight of precision: there E is lowest. F = 1 − E for b = 1 only; with "
            "another b it may be highest elsewhere. F is high only where *both* precision and "
            "recall are high."
        ),
        t("which b is right. That depends on the reader and cannot be learned from the data."),
    )


def _show_formula(b: float, precision: float, recall: float, error: float) -> None:
    st.latex(r"E = 1 - \frac{1 + b^2}{\frac{b^2}{r} + \frac{1}{P}}")
    if precision == 0:
        st.latex(r"P = r = 0: \qquad E = 1")
        return
    st.latex(
        rf"= 1 - \frac{{1 + {b:g}^2}}{{\frac{{{b:g}^2}}{{{recall:.3f}}} + "
        rf"\frac{{1}}{{{precision:.3f}}}}} = {error:.3f}"
    )


def _word_b(b: float) -> str:
    """Say what this b asks for."""
    if b == 0:
        return t("With b = 0, E is 1 − precision: recall plays no part.")
    if b == 1:
        return t("With b = 1, both matter equally, and E is 1 − F.")
    if b > 1:
        return t(
            "With b = {n}, recall matters more; as b grows, E comes near 1 − recall.", n=f"{b:g}"
        )
    return t(
        "With b = {n}, precision matters more; as b grows, E comes near 1 − recall.", n=f"{b:g}"
    )


@cache
def _lines(topic: str, b: float) -> pd.DataFrame:
    """Return ``series, rank, value``."""
    texts = {"precision": "P@{}", "recall": "R@{}", "F": "F@{}", "E": f"E(b={b:g})@{{}}"}
    return pd.DataFrame(
        [
            (series, rank, score(text.format(rank))[topic])
            for series, text in texts.items()
            for rank in range(1, DEPTH + 1)
        ],
        columns=["series", "rank", "value"],
    )
