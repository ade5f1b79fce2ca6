"""By whom a new round is judged, how it is divided, and until when.

Which documents of a round are judged first: its order, and how many it chooses at most.
"""

from datetime import date, datetime, time
from typing import Any

import streamlit as st

from core.assessment.rounds.growth import MOST_JUDGES
from core.assessment.rounds.ordered_rounds import set_order
from core.assessment.rounds.rounds import Plan
from core.collection.records import PAGE, SNIPPET
from core.errors import BadInput
from core.orders.base import ORDERS, parse_order
from core.orders.choices import BATCH
from core.store.content.scales import get_scales
from core.store.people.members import list_assessors, list_members
from core.store.people.roster import MACHINE, read_left_out
from core.store.rounds.orders import OrderState, find_order_state
from core.store.rounds.rounds import PAGE_ONLY, SNIPPET_ONLY, SNIPPET_THEN_PAGE, Round, list_rounds
from core.wording import count, plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

END_OF_DAY = time(23, 59)


def ask_plan(context: PageContext, depth: int, flow: str, *, is_paired: bool) -> Plan:
    """Ask for everything about a round but what it is about."""
    number = len(list_rounds(context.store, context.collection_id)) + 1
    names = list_assessors(context.store, context.collection_id)
    judges = st.number_input(
        "Assessors per topic",
        1,
        MOST_JUDGES,
        2,
        help="Every topic is judged by exactly this many assessors.",
    )
    assessors = st.multiselect(
        "Assessors by name",
        list(names),
        format_func=names.__getitem__,
        placeholder="Open queue",
        help="Topics are divided evenly among these. If nobody is chosen, there is an open queue: "
        "each assessor takes the next topic.",
    )
    due = st.date_input(
        "To be finished by (UTC)",
        None,
        format="YYYY-MM-DD",
        help="The end of this day. Assessors see it; what comes later counts all the same.",
    )
    page_from = _ask_page_from(context, flow)
    order = {} if is_paired else ask_order(context, flow)
    with st.popover("More options", icon=":material/tune:"):
        name = st.text_input("Name", f"Round {number}", key=f"plan-name-{number}")
        more = _ask_more(is_paired=is_paired)
        machine = _ask_machine(context, flow)
    return Plan(
        name=name.strip() or f"Round {number}",
        judges=int(judges),
        depth=depth,
        flow=flow,
        page_from=page_from,
        assessors=tuple(assessors),
        due_at=end_of(due),
        shows_machine=machine,
        **order,
        **more,
    )


def end_of(day: date | None) -> datetime | None:
    """Return the end of a day; None where none is chosen."""
    return None if day is None else datetime.combine(day, END_OF_DAY)


def _ask_more(*, is_paired: bool) -> dict[str, Any]:
    """Ask for what is rarely changed; return fields of a plan."""
    share = 100
    if not is_paired:
        share = st.slider("Share of the topics, %", 1, 100, 100, help="Drawn with the seed.")
    batch = st.number_input(
        f"{'Pairs' if is_paired else 'Documents'} handed out together",
        0,
        1000,
        0,
        help="0 hands out whole topics, so that one person sees all of a topic; "
        f"{BATCH} documents where an order chooses.",
    )
    repeats = st.slider(
        "Hidden repeats, %",
        0,
        100,
        0,
        help="This share is repeated at the end, to see how far people agree with themselves; "
        "pairs are repeated with their sides swapped.",
    )
    lease = st.number_input(
        "Lease, minutes",
        1,
        100_000,
        60,
        help="A slot without activity for this long goes back to the queue.",
    )
    seed = st.number_input("Seed", 0, 2**31, 1, help="The same seed gives the same orders.")
    return {
        "share": share / 100,
        "batch_size": int(batch) or None,
        "repeat_share": repeats / 100,
        "lease_minutes": int(lease),
        "seed": int(seed),
    }


def _ask_machine(context: PageContext, flow: str) -> str | None:
    """Ask whose levels are shown, where there is a machine and pages are judged."""
    kinds = read_left_out(context.store, context.collection_id)
    members = list_members(context.store, context.collection_id)
    names = dict(zip(members["assessor_id"], members["name"], strict=True))
    machines = [one for one, kind in kinds.items() if kind == MACHINE]
    if not machines or flow not in (SNIPPET_THEN_PAGE, PAGE_ONLY):
        return None
    chosen: str | None = st.selectbox(
        "Show a machine's levels",
        [None, *machines],
        format_func=lambda one: names[one] or one if one else "nobody's",
        help="On a random half of the pages, an assessor is told what the machine said, once they "
        "have judged all of the topic. What was given before stays, and counts; what is changed "
        "then counts in versions made *after discussion* only. Not together with hidden repeats.",
    )
    return chosen


def _ask_page_from(context: PageContext, flow: str) -> int | None:
    if flow != SNIPPET_THEN_PAGE:
        return None
    levels = get_scales(context.store, context.collection_id)["snippet"]
    names = {level.level: f"the snippet is {level.name} or above" for level in levels[1:]}
    page_from: int | None = st.selectbox(
        "The page is judged",
        [None, *names],
        format_func=lambda level: names.get(level, "always"),
        help="With a threshold, estimates about pages rest on promising snippets only; they "
        "say so. Always judging the page avoids that.",
    )
    return page_from


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
            size = "the whole pool" if budget is None else f"{count(budget, 'document')} at most"
            finish(f"{plain(rules.name)} goes on by {plain(order)}, {size}.")
