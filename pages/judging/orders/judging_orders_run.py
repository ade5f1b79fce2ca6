"""Trying orders of judging: at once where that is quick, else when asked, with progress."""

import streamlit as st

from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.base.wording import count, plain
from core.analysis.judging.simulated_judging import count_pool, identify_pool, simulate_orders
from core.reports.judging_orders import JudgingSimulation
from pages.judging.orders.judging_orders_question import AskedOrders
from pages.shared.session import PageContext

QUICK = 20_000
"""Documents times orders and seeds that are tried without being asked: some seconds of work."""

_FOUND = VersionedCache(most=16)
_WANTED = "judging-orders-wanted"


def find_simulation(context: PageContext, asked: AskedOrders) -> JudgingSimulation | None:
    """Return what came out, and show meanwhile how far it is; None until somebody asks for it.

    A visitor who stops it, or chooses something else, ends it: drawing the bar then stops the
    script.
    """
    state = identify_pool(context.study, asked.choice)
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
