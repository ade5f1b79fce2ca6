"""Which documents of a round are judged first: its order, and how many it chooses at most."""

from typing import Any

import streamlit as st

from core.assessment.rounds.ordered_rounds import set_order
from core.collection.records import PAGE, SNIPPET
from core.errors import BadInput
from core.orders.base import ORDERS, parse_order
from core.store.content.scales import get_scales
from core.store.rounds.orders import OrderState, find_order_state
from core.store.rounds.rounds import SNIPPET_ONLY, Round
from core.wording import count, plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

_AT_ONCE = "everything at once"
_HELP = (
    "An order hands out batch by batch what it finds best to judge next, and goes by the labels "
    "given so far where it can. Each document is still judged by as many as you say, and assessors "
    "are not told of it; who knows the runs and the order could tell from what comes next how "
    "others judged. What is never judged stays unjudged: runs that are not in the pool can come "
    "off worse than under a whole pool. The open queue only."
)


def ask_order(context: PageContext, flow: str) -> dict[str, Any]:
    """Ask what is judged first; return fields of a plan."""
    order: str | None = st.selectbox(
        "Which first?", [None, *ORDERS.suggested()], format_func=_describe, help=_HELP
    )
    if order is None:
        return {}
    most = st.number_input(
        "Documents at most",
        0,
        10_000_000,
        0,
        help="Over all topics; 0 for the whole pool. It can be changed while the round is open.",
    )
    return {
        "order": order,
        "budget": int(most) or None,
        "relevant_from": _ask_relevant(context, flow),
    }


def _describe(order: str | None) -> str:
    return _AT_ONCE if order is None else f"{order}: {parse_order(order).description}"


def _ask_relevant(context: PageContext, flow: str) -> int:
    levels = get_scales(context.store, context.collection_id)[
        SNIPPET if flow == SNIPPET_ONLY else PAGE
    ]
    names = {level.counts_as: level.name for level in reversed(levels)}
    lowest = min(names)
    chosen: int = st.selectbox(
        "Counts as relevant",
        sorted(one for one in names if one > lowest),
        format_func=lambda level: f"{names[level]} or above",
        help="What an order learns from a label.",
    )
    return chosen


def tell_order(rules: Round, state: OrderState | None) -> list[str]:
    """Return what is said of the order of a round, and how far it has chosen."""
    if rules.order is None or state is None:
        return []
    return [rules.order, f"{state.chosen:,} of {count(state.wanted, 'document')} chosen"]


def offer_order(context: PageContext, rules: Round) -> None:
    """Let the organiser change what a round chooses by from now on, and how much."""
    state = find_order_state(context.store.cursor(), rules.round_id)
    if rules.order is None or state is None or rules.closed_at is not None:
        return
    with st.popover("Order …"):
        st.markdown(
            f"{plain(rules.order)} has chosen {state.chosen:,} of "
            f"{count(state.candidates, 'document')}. What was chosen stays, with the order that "
            "chose it."
        )
        offered = list(dict.fromkeys([rules.order, *ORDERS.suggested()]))
        # Another key for another state: a widget keeps what was chosen under its key.
        key = f"{rules.round_id}-{rules.order}-{rules.budget}"
        order = st.selectbox(
            "What chooses from now on", offered, format_func=_describe, key=f"order-{key}"
        )
        most = st.number_input(
            "Documents at most, in all",
            0,
            10_000_000,
            rules.budget or 0,
            key=f"budget-{key}",
            help="Over all topics; 0 for the whole pool.",
        )
        budget = int(most) or None
        is_same = (order, budget) == (rules.order, rules.budget)
        if st.button("Set the order", type="primary", disabled=is_same):
            try:
                set_order(context.store, rules.round_id, order, budget, by=context.person_id)
            except BadInput as error:
                refuse(error)
                return
            told = "the whole pool" if budget is None else f"{count(budget, 'document')} at most"
            finish(f"{plain(rules.name)} goes on by {plain(order)}, {told}.")
