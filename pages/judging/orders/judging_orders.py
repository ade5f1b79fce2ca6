"""What other orders of judging would have cost: tried on a pool that is judged.

Trying orders of judging: at once where that is quick, else when asked, with progress.

What is asked of orders of judging: which, by which measure, on which judgements.
"""

from dataclasses import dataclass

import streamlit as st

from core.analysis.base.declared import model_of
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.judging.simulated_judging import (
    COMPLETE_FROM,
    count_pool,
    identify_pool,
    judged_depth,
    simulate_orders,
)
from core.analysis.results.declared import declared_measures, offer_versions
from core.analysis.results.qrels_choices import QrelsChoice, version_of
from core.analysis.results.scores import SUGGESTED, Scoring
from core.errors import DissentError
from core.figures.stopping import draw_orders
from core.measures.catalogue import parse_measure
from core.orders.base import ORDERS, parse_order
from core.orders.choices import SEEDS
from core.reports.judging_orders import JudgingQuestion, JudgingSimulation
from core.wording import count, plain, plain_with_facts
from pages.shared.facet_widgets import choose_facet
from pages.shared.figure import show_figure, show_report
from pages.shared.page import page
from pages.shared.scoring_widgets import (
    choose_cut,
    choose_measure,
    choose_version,
    needs_runs,
    tell_declared,
    tell_unjudged,
)
from pages.shared.session import PageContext
from pages.shared.wording import say_why_not

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
    choices = offer_versions(context.study, facet, model)
    if not choices:
        context.sheet.tell(tell_unjudged(context, facet))
        return None
    known = declared_measures(context.study, SUGGESTED)
    with context.sheet.choices:
        tip = "What systems are ranked by. Type any other, as `P@20`."
        text = choose_measure(context, "judging-orders-measure", tip)
    with context.sheet.options:
        key = f"judging-orders-version-{facet}"
        choice = choose_version(choices, key, "Its judgements are taken for complete.")
    deepest = judged_depth(context.study, choice)
    if not deepest:
        context.sheet.tell(TOO_LITTLE)
        return None
    rel = choose_cut(context, facet, choice, version_of(context.study, choice))
    measures, wrong = Scoring(rel=rel).read([text or known[0]])
    for reason in wrong:
        st.error(plain(reason))
    measure = parse_measure(next(iter(measures), known[0]))
    tell_declared(context, measure=str(measure), choice=choice, facet=facet)
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


QUICK = 30_000
"""Documents times orders and seeds that are tried without being asked: some seconds of work."""
_FOUND = VersionedCache(most=16)
_WANTED = "judging-orders-wanted"

PURPOSE = (
    "Which documents should be judged first, and how few would have done? The pool of this "
    "collection, whose judgements are known, is judged again in several orders. At each share of "
    "the pool the systems are ranked by what was judged till then, and the ranking is compared "
    "with that under all judgements (Kendall's τ).\n\n"
    "What it risks: an order that learns from labels follows the runs of this pool. A run that "
    "is not among them may have relevant documents that nobody looked for, and the fewer are "
    "judged, the more it is at a disadvantage. What is not judged counts as not relevant here, "
    "which is unfair to random samples: these are made for measures that estimate. And these are "
    "figures of this collection; on another one an order may gain less."
)
COMPUTED = (
    "The pool is the first documents of every run, in the topics that are judged. A relevant "
    "document is one at or above the chosen level; one that nobody judged counts as not relevant "
    "when it is chosen. An order that draws is tried with several seeds, and all figures are means "
    "over them. Limits are of τ by a bootstrap of topics: for studies of as many topics of the "
    "same kind. A run outside the pool is not looked at."
)


@page("judging-orders", "Judging", "Judging orders", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show how near the final ranking each order is by the share of the pool that is judged."""
    context.sheet.explain(PURPOSE)
    if needs_runs(context):
        return
    try:
        asked = ask_orders(context)
        found = None if asked is None else find_simulation(context, asked)
    except DissentError as error:
        say_why_not(error, "Orders cannot be tried here:")
        return
    if asked is not None and found is not None:
        _show(context, asked, found)


def _show(context: PageContext, asked: AskedOrders, found: JudgingSimulation) -> None:
    context.sheet.answer(plain_with_facts(found.answer))
    rows = found.orders.assign(qrels=asked.choice.name, measure=str(asked.question.measure))
    show_figure(
        draw_orders(found.orders, str(asked.question.measure)),
        rows,
        "judging-orders",
        "Kendall's τ-b between the ranking of systems by what is judged so far and that under all "
        "judgements of the pool; 95 % limits, on hover and in the data, take topics for a sample. "
        "Where all is judged τ is 1. From .9 on two rankings are often taken for the same.",
        nobody=("order", "reason", "shown_reason", "unit"),
    )
    st.caption(_say_basis(asked, found))
    with st.expander("All figures"):
        show_report(
            found,
            "orders",
            "judging-orders-all",
            "The share of the pool judged, how many of the relevant documents are among it, τ with "
            "its 95 % limits over topics, and how often, over the seeds, the best system was the "
            "best.",
            rows=rows,
        )
    with st.expander("How this is computed"):
        st.markdown(COMPUTED)


def _say_basis(asked: AskedOrders, found: JudgingSimulation) -> str:
    """Return in a line of Markdown what the figures rest on."""
    question = asked.question
    parts = [
        f"Judgements: {plain(asked.choice.name)}, relevant from {question.rel:g}",
        f"first {count(question.depth, 'document')} of {count(found.systems, 'run')}",
        f"{count(found.topics, 'topic')}, {count(found.pool, 'document')}, "
        f"{found.relevant:,} relevant",
        f"{count(question.seeds, 'seed')}, batches of {question.batch:,}",
        *found.notes,
    ]
    return " · ".join(parts)


def find_simulation(context: PageContext, asked: AskedOrders) -> JudgingSimulation | None:
    """Return what came out, and show meanwhile how far it is; None until somebody asks for it.

    A visitor who stops it, or chooses something else, ends it: drawing the bar then stops the
    script.
    """
    state = identify_pool(context.study, asked.choice, str(asked.question.measure))
    wanted = (state, asked)
    documents = count_pool(context.study, asked.choice, asked.question.depth)
    drawn = sum(asked.question.seeds if one.is_drawn else 1 for one in asked.question.orders)
    if documents * drawn > QUICK and st.session_state.get(_WANTED) != wanted:
        _offer(context, documents, drawn, wanted)
        return None
    bar, stop = st.empty(), st.empty()
    if documents * drawn > QUICK:
        stop.button("Stop", icon=":material/stop:", on_click=_forget, key="judging-orders-stop")

    def tell(share: float, order: str) -> None:
        bar.progress(min(share, 1.0), f"Judging again: {plain(order)}")

    found: JudgingSimulation = _FOUND.get(
        (context.store, context.collection_id, asked),
        state,
        lambda: simulate_orders(context.study, asked.choice, asked.question, tell),
    )
    bar.empty()
    stop.empty()
    return found


def _offer(context: PageContext, documents: int, drawn: int, wanted: object) -> None:
    context.sheet.tell(
        f"The pool of {count(documents, 'document')} can be judged again in each order, "
        f"{count(drawn, 'time')} in all. That may take some minutes; you can stop it."
    )
    st.button(
        "Try the orders",
        type="primary",
        icon=":material/play_arrow:",
        key="judging-orders-start",
        on_click=lambda: st.session_state.update({_WANTED: wanted}),
    )


def _forget() -> None:
    st.session_state.pop(_WANTED, None)
