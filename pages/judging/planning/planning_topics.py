"""How many topics every design asks for, and the power by their number."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.figures.planning import draw_power
from core.reports.planning import TopicPlan
from pages.shared.figure import show_figure, show_report

NOBODY = ("method", "title", "varies", "unit", "reason")


def show_designs(plan: TopicPlan, present: int) -> None:
    """Show the table of designs beside the curves of their power."""
    left, right = st.columns(2, gap="medium")
    with left:
        _show_table(plan, present)
    with right:
        _show_power(plan, present)


def _show_table(plan: TopicPlan, present: int) -> None:
    show_report(
        plan,
        "designs",
        "plan-designs",
        "Topics by every design, for the same difference, power and α. **Paired t-test**: two "
        "systems, nothing else is tested. **Tukey's test**: one given pair among all pairs, at a "
        "level that holds for all together. **Two-way ANOVA**: that the systems are not all alike, "
        "where the best and the worst differ so far and all others lie in the middle. **One-way "
        "ANOVA** takes every system as if on topics of its own and needs more topics than one on "
        "the same topics. **Width**: the 95 % interval of a difference is twice the difference "
        "wide on average. Sakai (2016) has the first, the fourth and the last. *From* and *to* are "
        "at the 95 % limits of the variance, by χ² with degrees of freedom from topics; topics are "
        "what is sampled.",
        without=["effect", "width", "variance"],
    )
    if present >= 2:
        st.markdown("**What the topics with scores tell**")
        show_report(
            replace(plan, present=present),
            "reached",
            "plan-reached",
            "The power of so many topics to find the difference, and the least difference that "
            "they tell with the power that you want; at the 95 % limits of the variance, too.",
        )


def _show_power(plan: TopicPlan, present: int) -> None:
    titles = dict(zip(plan.designs["method"], plan.designs["title"], strict=True))
    curve: pd.DataFrame = plan.curve.assign(title=plan.curve["method"].map(titles))
    show_figure(
        draw_power(curve, plan.wanted.power, present),
        curve,
        "plan-power-curves",
        f"How often a difference of {plan.wanted.effect:g} is found at α = {plan.wanted.alpha:g}, "
        "by the number of topics. Dotted: the power that you want, and the topics with scores now. "
        "The data have the power at the limits of the variance, too.",
        nobody=NOBODY,
    )
