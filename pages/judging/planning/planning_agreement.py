"""How many items to have judged twice, so that agreement is known well enough."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from core.agreement.coefficients import Kappa
from core.analysis.base.facets import facets_of
from core.analysis.judging.planning import figures_of, plan_agreement_of
from core.errors import DissentError
from core.figures.planning import draw_item_widths
from core.planning.choices import ALIKE, WIDTH
from core.planning.item_spread import ItemSpread, assume_kappa, assume_share
from core.reports.planning import AgreementPlan, plan_agreement
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure, show_report
from pages.shared.session import PageContext

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
        for facet in facets_of(context.study)
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
