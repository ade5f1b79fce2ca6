"""What more topics, more opinions on each item and more votes on each pair would tell."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from core.analysis.base.declared import judged_facets
from core.analysis.judging.planning import plan_opinions_of, plan_votes_of
from core.errors import DissentError
from core.figures.planning import draw_learning
from core.reports.opinions import OpinionPlan, OpinionQuestion
from core.reports.votes import VotePlan
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure, show_report
from pages.shared.session import PageContext
from pages.shared.wording import show_notes

MOST_ITEMS = 1_000

Plan = TypeVar("Plan", OpinionPlan, VotePlan)


def show_opinions(context: PageContext) -> None:
    """Say what one more topic and one more opinion buy, from the labels that there are."""
    facets = judged_facets(context.study)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        facet = facets[0]
        if len(facets) > 1:
            facet = st.selectbox("Facet", facets, width=180, key="plan-opinions-facet")
        items = st.number_input(
            "Items of a score",
            0,
            MOST_ITEMS,
            OpinionQuestion.items,
            width=180,
            key="plan-items-of-score",
            help="How many items of a topic a system's score is the mean of; 0 for ten, or for as "
            "many as topics have.",
        )
    _show_plan(
        lambda: plan_opinions_of(context.study, facet, OpinionQuestion(int(items))),
        _show_gains,
        _show_learning,
    )


def _show_plan(make: Callable[[], Plan], *parts: Callable[[Plan], None]) -> None:
    """Show what a plan says, its parts side by side; or why there is none."""
    try:
        plan = make()
        answer = plan.answer
    except DissentError as error:
        st.caption(plain(f"{error}."))
        return
    st.markdown(plain_with_facts(answer))
    for column, show in zip(st.columns(len(parts), gap="medium"), parts, strict=True):
        with column:
            show(plan)
    show_notes(plan.notes)


def _show_gains(plan: OpinionPlan) -> None:
    show_report(
        plan,
        "equal_cost",
        "plan-equal-cost",
        "As many labels as there are, spent on more topics or on more opinions of each item. "
        "Limits are by χ², of a difference with these assessors.",
    )
    st.markdown("**What more would buy**")
    show_report(
        plan,
        "gains",
        "plan-gains",
        "One more topic has as many items and opinions as there are of others; the last row "
        "spends on new topics what one more opinion on each item takes.",
    )
    st.markdown("**Where labels vary from**")
    show_report(
        plan,
        "components",
        "plan-components",
        "Variance components of a generalisability study: topics, items within a topic, how high "
        "assessors judge, and what is left. They are estimated without bias, whoever judged what.",
    )


def _show_learning(plan: OpinionPlan) -> None:
    show_figure(
        draw_learning(plan.learning, "opinions", "topics", "an item"),
        plan.learning,
        "plan-learning",
        "How far the mean level of a part of the labels is from that of all: root mean squared "
        f"over {plan.question.draws} draws of topics and of opinions, without replacement (seed "
        f"{plan.question.seed}). With all topics and all opinions it is 0.",
    )
    st.markdown("**Where one more opinion on each item tells most**")
    show_report(
        plan,
        "next",
        "plan-next",
        "By how many opinions there are, never by what they say: whoever goes by this stays "
        "unbiased.",
    )


def show_votes(context: PageContext) -> None:
    """Say how many votes a pair tell most, from the votes that there are."""
    _show_plan(lambda: plan_votes_of(context.study), _show_rules, _show_next)


def _show_rules(plan: VotePlan) -> None:
    show_report(
        plan,
        "rules",
        "plan-rules",
        f"{plan.budget:,} votes spent in several ways, drawn from those that there are without "
        f"replacement, {plan.question.draws} times (seed {plan.question.seed}). The error is that "
        "of systems' win shares against those by all votes, the bias that of the system whose mean "
        "is farthest off.",
    )


def _show_next(plan: VotePlan) -> None:
    show_figure(
        draw_learning(plan.learning, "votes", "budget", "a pair"),
        plan.learning,
        "plan-vote-curve",
        "The error of win shares by the number of votes in all, for several numbers of votes on "
        "each pair.",
    )
    st.markdown("**The next 100 votes, were close systems to get more**")
    show_report(
        plan,
        "next",
        "plan-next-votes",
        "How votes would be shared out over pairs of systems; on which topics is drawn at random.",
    )
