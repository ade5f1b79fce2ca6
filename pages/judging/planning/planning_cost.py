"""What judging costs, and what the same hours buy with shallower or deeper pools.

How many items to have judged twice, so that agreement is known well enough.
"""

from typing import NamedTuple

import numpy as np
import streamlit as st

from core.agreement.coefficients import Kappa
from core.agreement.intervals import Floats
from core.analysis.base.declared import judged_facets
from core.analysis.judging.planning import (
    depths_of,
    figures_of,
    plan_agreement_of,
    pools_of,
    seconds_of,
)
from core.analysis.results.qrels_choices import QrelsChoice
from core.errors import DissentError
from core.figures.planning import draw_item_widths, draw_same_cost
from core.measures.catalogue import parse_measure
from core.planning.choices import ALIKE, METHODS, USUAL_DEPTH, USUAL_TOPICS, WIDTH
from core.planning.cost import CostRates
from core.planning.designs import parse_design
from core.planning.item_spread import ItemSpread, assume_kappa, assume_share
from core.planning.pool_size import assume_pools
from core.reports.planning import (
    DEPTHS,
    AgreementPlan,
    CostPlan,
    TopicPlan,
    choose_variances,
    plan_agreement,
    plan_cost,
)
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure, show_report
from pages.shared.session import PageContext

MOST_TOPICS = 100_000
RUNS, OVERLAP = 10, 0.5
NOBODY = ("reason",)


def show_cost(
    context: PageContext, plan: TopicPlan, method: str, choice: QrelsChoice | None, measure: str
) -> None:
    """Say what so many topics cost to judge, and compare depths at the same cost."""
    pools = pools_of(context.study)
    topics, depth, rates = _ask(context, plan, method)
    sizes = np.array(pools) if pools else _assume_pools()
    test = method if parse_design(method).has_power else METHODS[0]
    variances = _find_variances(context, plan, test, choice, measure) if pools else None
    is_measured = variances is not None
    if variances is None:
        own = parse_design(test).choose(plan.variance).value
        variances = np.full(len(DEPTHS), own)
        st.caption("The variance is taken to be the same at every depth.")
    least = (parse_measure(measure).cutoff or 1) if is_measured else None
    found = plan_cost(
        topics, DEPTHS, sizes, rates, plan.wanted, variances, depth=depth, method=test, least=least
    )
    st.markdown(plain_with_facts(found.answer))
    left, right = st.columns(2, gap="medium")
    with left:
        _show_tables(found)
    with right:
        _show_same(found, plan, depth, test)


def _ask(context: PageContext, plan: TopicPlan, method: str) -> tuple[int, int, CostRates]:
    needed = plan.designs.set_index("method")["topics"].get(method, np.nan)
    usual = USUAL_TOPICS if np.isnan(needed) else min(int(needed), MOST_TOPICS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        topics = st.number_input(
            "Topics", 1, MOST_TOPICS, usual, width=130, key=f"plan-topics-{usual}"
        )
        depth = st.selectbox(
            "Depth", DEPTHS, index=DEPTHS.index(USUAL_DEPTH), width=110, key="plan-depth"
        )
        judges = st.number_input("Assessors a document", 1, 20, 1, width=180, key="plan-judges")
        seconds = st.number_input(
            "Seconds a judgement",
            0.1,
            36_000.0,
            round(seconds_of(context.study), 1),
            width=180,
            key="plan-seconds",
            help="At first the median active time of a judgement here, 15 without any.",
        )
        overhead = st.number_input(
            "Minutes a topic besides", 0.0, 1_000.0, 0.0, width=200, key="plan-overhead"
        )
        wage = st.number_input("Money an hour", 0.0, 100_000.0, 0.0, width=150, key="plan-wage")
    return (
        int(topics),
        int(depth),
        CostRates(int(judges), float(seconds), float(wage), float(overhead)),
    )


def _assume_pools() -> Floats:
    """Let the organiser say how many runs there will be and how much they overlap."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        runs = st.number_input("Runs in the pool", 1, 1_000, RUNS, width=160, key="plan-runs")
        overlap = st.number_input(
            "Overlap",
            0.0,
            1.0,
            OVERLAP,
            width=130,
            key="plan-overlap",
            help="What part of a further run's documents is in the pool already.",
        )
    return assume_pools(int(runs), float(overlap), DEPTHS)


def _find_variances(
    context: PageContext, plan: TopicPlan, method: str, choice: QrelsChoice | None, measure: str
) -> Floats | None:
    """Return the variance by depth, from the judgements in pools as shallow; None without."""
    if choice is None:
        return None
    try:
        known = depths_of(context.study, choice, measure, ())
    except DissentError as error:
        st.caption(plain(f"{error}."))
        return None
    if known["residual"].isna().all():
        return None
    return choose_variances(
        parse_design(method), known["residual"].to_numpy(), known["within"].to_numpy()
    )


def _show_tables(found: CostPlan) -> None:
    show_report(
        found,
        "cost",
        "plan-cost",
        "By the depth of pools: documents of a topic, and what the topics above cost. Pools are "
        "those of the runs here where there are any.",
        without=["topics", *([] if found.cost["money"].any() else ["money"])],
    )
    st.markdown("**What the same hours buy**")
    show_report(
        found,
        "same",
        "plan-same-hours",
        "How many topics the same hours would buy at that depth, what power they have, and the "
        "least difference that they tell with the power that you want. The variance at a depth is "
        "of scores by the judgements of such a pool; scores from shallow pools are lower than "
        "others and less fair to runs that did not contribute.",
    )


def _show_same(found: CostPlan, plan: TopicPlan, depth: int, method: str) -> None:
    show_figure(
        draw_same_cost(found.same, plan.wanted.power),
        found.same,
        "plan-same-cost",
        f"The power to find a difference of {plan.wanted.effect:g} with the hours that the topics "
        f"above take at depth {depth}, spent on pools of other depths; "
        f"{parse_design(method).title}. Dotted: the power that you want. Many topics with shallow "
        "pools usually tell more than few with deep ones, as topics vary more than documents do. A "
        "pool that is shallower than the measure looks leaves documents unjudged that count.",
        nobody=NOBODY,
    )


WIDTHS = (0.05, 0.1, 0.15, 0.2, 0.3)
LEVELS = 4
"""Of an assumed scale, each given as often."""

KAPPA, SHARE = 0.4, 0.3


class Figure(NamedTuple):
    """What an interval is planned of: the facet, the key and the name of the figure."""

    facet: str
    key: str
    name: str


def show_agreement(context: PageContext) -> None:
    """Say how many items two assessors should judge, from double judgements or assumed values."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        figure = _choose_figure(context)
        width = st.selectbox(
            "Width of the 95 % interval over topics",
            WIDTHS,
            index=WIDTHS.index(WIDTH),
            width=220,
            key="plan-width",
        )
    try:
        plan = plan_agreement_of(context.study, figure.facet, figure.key, float(width))
    except DissentError as error:
        st.caption(f"No pilot: {plain(str(error).removesuffix('.'))}. Values are assumed.")
        plan = plan_agreement(figure.name, _assume(figure.key), float(width))
    _show(plan)


def _choose_figure(context: PageContext) -> Figure:
    known = [
        Figure(facet, key, name)
        for facet in judged_facets(context.study)
        for key, name in figures_of(context.study, facet).items()
    ]
    several = len({one.facet for one in known}) > 1
    names = [f"{one.name}, {one.facet}s" if several else one.name for one in known]
    place = st.selectbox(
        "Interval of",
        range(len(known)),
        format_func=names.__getitem__,
        width=320,
        key="plan-figure",
    )
    return known[place]


def _assume(key: str) -> ItemSpread:
    """Let the organiser give the values that a pilot would have."""
    is_kappa = key.startswith("kappa")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        value = st.number_input(
            "κ, about" if is_kappa else "p, about",
            0.01,
            0.99,
            KAPPA if is_kappa else SHARE,
            width=150,
            key=f"plan-value-{is_kappa}",
        )
        alike = st.number_input(
            "How alike items of a topic are",
            0.0,
            1.0,
            ALIKE,
            width=230,
            key="plan-alike",
            help="The intraclass correlation: 0 where topics do not matter, .05 to .15 where "
            "assessors agree more on some topics than on others.",
        )
    if is_kappa:
        weighting = key.removeprefix("kappa").strip("()") or "unweighted"
        return assume_kappa(float(value), np.ones(LEVELS), Kappa(weighting), float(alike))
    return assume_share(float(value), 1.0, float(alike))


def _show(plan: AgreementPlan) -> None:
    st.markdown(plain_with_facts(plan.answer))
    left, right = st.columns(2, gap="medium")
    with left:
        _show_table(plan)
    with right:
        show_figure(
            draw_item_widths(plan.curve, plan.width, plan.figure),
            plan.curve,
            "plan-item-widths",
            f"How wide the 95 % interval of {plain(plan.figure)} is on average, by how many items "
            "two assessors judge; topics are what is sampled. Few items of many topics tell more "
            "than many items of few: items of a topic are alike. Of rare levels the intervals come "
            "out up to a fifth wider than this.",
        )


def _show_table(plan: AgreementPlan) -> None:
    spread = plan.spread
    source = (
        f"from {spread.items:,} items in {spread.topics:,} topics that are judged twice or more"
        if spread.items
        else "assumed"
    )
    show_report(
        plan,
        "items",
        "plan-items",
        "How many topics, and how many items in all, two assessors judge so that the interval is "
        f"as narrow on average. What an item tells, and how alike items of a topic are "
        f"({spread.alike:.3f}), is {source}. The *design effect* says how many times as many items "
        "are needed as if each were of another topic. A pilot of few topics knows it badly.",
    )
