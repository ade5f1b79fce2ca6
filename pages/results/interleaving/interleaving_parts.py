"""Parts of the page of interleaving: numbers, power, and Δ beside a measure."""

import pandas as pd
import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.results.interleaving import (
    PAIRS,
    InterleavingQuestion,
    beside_measure,
    power_of,
)
from core.figures.interleaving import draw_beside_measure, draw_power_by_lists
from core.interleaving.power import ENOUGH, find_enough
from core.reports.interleaving import ALPHA, TESTED_BY, Interleaving, count_agreement
from core.wording import count, plain
from pages.results.interleaving.interleaving_question import InterleavingContext
from pages.shared.figure import show_figure, show_report

FIXED = ("first", "second", "user", "method", "test", "agrees", "unit")
ABOUT_NUMBERS = (
    "Lists that either run wins, by user and method; Δ with 95 % limits over sessions. *p* is of a "
    "sign test of sessions without ties; *ties half* gives each run half of them; "
    "*bootstrap* draws sessions again. Probabilistic interleaving knows only how probable it is "
    "that a run wins a list, so its counts are sums of probabilities. p are not corrected for "
    "several users and methods."
)
ABOUT_POWER = (
    "The share of simulated studies in which a test finds a difference at p < .05, by how many "
    "lists users are shown. Interleaving: a sign test. A/B: half the users see one run and half "
    "the other, and Welch's t compares the number of clicks, whether there is any (abandonment), "
    "and 1/rank of the first click. A study looks once, at its end: looking again and again finds "
    "differences that are not there. Dotted: 80 %."
)
ABOUT_BESIDE = (
    f"Pairs of runs, at most {PAIRS}, spread evenly over their differences. Horizontal: by how "
    "much the means by the measure differ, the better run first; filled where that is significant "
    f"({TESTED_BY} test, corrected for all pairs; topics are sampled). Vertical: Δ of the same "
    "simulated users, with 95 % limits for each pair alone; sessions are sampled. Above 0 users "
    "prefer the run that is better by the measure."
)


def show_numbers(asked: InterleavingContext, rows: pd.DataFrame) -> None:
    """Show who wins how many lists."""
    show_report(
        Interleaving,
        "preference",
        "interleaving-numbers",
        ABOUT_NUMBERS,
        rows=rows,
        stamp=lambda one: asked.basis.add_columns(one, asked.context.study),
    )


def show_power(asked: InterleavingContext) -> None:
    """Show how many lists it takes until a difference shows."""
    with st.spinner("Simulating studies"):
        power = power_of(asked.context.study, asked.choice, asked.question)
    st.markdown(_say_enough(power, asked.question))
    show_figure(
        draw_power_by_lists(power, ENOUGH),
        asked.basis.add_columns(_add_question(power, asked), asked.context.study),
        "interleaving-power",
        ABOUT_POWER,
        nobody=FIXED,
    )
    studies = count(int(power["simulations"].iloc[0]), "simulated study", "simulated studies")
    st.caption(f"{studies} a point, of {plain(asked.question.users)}.")


def _say_enough(power: pd.DataFrame, question: InterleavingQuestion) -> str:
    """Return from how many lists each test finds the difference in most studies."""
    enough = find_enough(power)
    said = []
    for measure, number in zip(enough["measure"], enough["impressions"], strict=True):
        name = f"A/B test of {measure}" if measure else f"{plain(question.method)} interleaving"
        many = f"over {question.impressions:,}" if pd.isna(number) else f"**{int(number):,}**"
        said.append(f"{name} {many}")
    return f"Lists needed to find this difference in 80 % of studies: {'; '.join(said)}."


def show_beside(asked: InterleavingContext) -> None:
    """Show Δ of pairs of runs beside the difference of their means by a measure."""
    measure = declared_of(asked.context.study).measure
    with st.spinner("Interleaving pairs of runs"):
        pairs = beside_measure(asked.context.study, asked.choice, asked.question)
    counted = count_agreement(pairs)
    st.markdown(
        f"Of {count(counted['pairs'], 'pair')} of runs **{counted['significant']}** differ "
        f"significantly in mean {plain(measure)}; in **{counted['same_sign']}** of these Δ has "
        f"the same sign, in **{counted['opposed']}** it is significant with the other."
    )
    show_figure(
        draw_beside_measure(pairs, measure, ALPHA),
        asked.basis.add_columns(_add_question(pairs, asked), asked.context.study),
        "interleaving-beside-measure",
        ABOUT_BESIDE,
        nobody=FIXED,
    )


def _add_question(rows: pd.DataFrame, asked: InterleavingContext) -> pd.DataFrame:
    """Return rows with what was simulated as columns."""
    question = asked.question
    named = rows.assign(
        user=question.user, log=question.log, lists=question.impressions, seed=question.seed
    )
    if "method" not in named:
        named["method"] = question.method
    return named
