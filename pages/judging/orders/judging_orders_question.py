"""What is asked of orders of judging: which, by which measure, on which judgements."""

from dataclasses import dataclass

import streamlit as st

from core.analysis.base.declared import model_of
from core.analysis.judging.simulated_judging import COMPLETE_FROM, judged_depth
from core.analysis.results.declared import declared_measures, offer_declared
from core.analysis.results.qrels_choices import QrelsChoice, list_choices, version_of
from core.analysis.results.scores import SUGGESTED, Scoring
from core.measures.catalogue import parse_measure
from core.orders.base import ORDERS, parse_order
from core.orders.choices import SEEDS
from core.reports.judging_orders import JudgingQuestion
from core.wording import plain
from pages.shared.facet_widgets import choose_facet
from pages.shared.scoring_widgets import choose_cut, tell_unjudged
from pages.shared.session import PageContext

TOO_LITTLE = (
    "Orders can be tried on a pool that is judged: of the first documents of all runs at least "
    f"{COMPLETE_FROM:.0%} need a judgement, at whatever depth. In this version that holds at none. "
    "Choose another version under *Options*, or import a complete set of qrels on *Contents*."
)


@dataclass(frozen=True)
class AskedOrders:
    """A question, and the version whose judgements are taken for complete."""

    choice: QrelsChoice
    question: JudgingQuestion


def ask_orders(context: PageContext) -> AskedOrders | None:
    """Let the organiser choose; None, with a word why, as long as there is nothing to try."""
    facet = choose_facet(context, "judging-orders-facet")
    model = model_of(context.study, facet)
    choices = offer_declared(context.study, facet, list_choices(context.study, facet, model))
    if not choices:
        context.sheet.tell(tell_unjudged(context, facet))
        return None
    known = declared_measures(context.study, SUGGESTED)
    with context.sheet.choices:
        text = st.selectbox(
            "Measure",
            known,
            accept_new_options=True,
            label_visibility="collapsed",
            width=180,
            key="judging-orders-measure",
            bind="query-params",
            help="What systems are ranked by. Type any other, as `P@20`.",
        )
    with context.sheet.options:
        key = st.selectbox(
            "Qrels version",
            list(choices),
            format_func=lambda one: choices[one].name,
            key=f"judging-orders-version-{facet}",
            bind="query-params",
            help="Its judgements are taken for complete.",
        )
    choice = choices[key]
    deepest = judged_depth(context.study, choice)
    if not deepest:
        context.sheet.tell(TOO_LITTLE)
        return None
    rel = choose_cut(context, facet, choice, version_of(context.study, choice))
    measures, wrong = Scoring(rel=rel).read([text or known[0]])
    for reason in wrong:
        st.error(plain(reason))
    measure = parse_measure(next(iter(measures), known[0]))
    orders, depth, seeds = _choose_rest(context, deepest)
    if not orders:
        context.sheet.tell("Choose at least one order under *Options*.")
        return None
    question = JudgingQuestion(
        tuple(map(parse_order, orders)), measure, depth, seeds=seeds, rel=rel, shown=False
    )
    return AskedOrders(choice, question)


def _choose_rest(context: PageContext, deepest: int) -> tuple[list[str], int, int]:
    """Return the orders, the depth of the pool and the number of seeds."""
    with context.sheet.options:
        orders = st.multiselect(
            "Orders",
            ORDERS.suggested(),
            default=ORDERS.suggested(),
            key="judging-orders-chosen",
            help="  \n".join(f"**{plain(one.name)}**: {plain(one.description)}" for one in ORDERS),
        )
        depth = st.number_input(
            "Depth of the pool",
            1,
            deepest,
            deepest,
            key=f"judging-orders-depth-{deepest}",
            help=f"The first so many documents of every run. Down to {deepest:,} at least "
            f"{COMPLETE_FROM:.0%} of them are judged.",
        )
        seeds = st.number_input(
            "Seeds",
            1,
            SEEDS,
            SEEDS,
            key="judging-orders-seeds",
            help="How often an order that draws is tried; figures are means.",
        )
    return orders, depth, seeds
