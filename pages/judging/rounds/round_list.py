"""The rounds of a collection: how far they are, until when, and what can be done."""

import pandas as pd
import streamlit as st

from core.analysis.judging.deadlines import tell_deadline
from core.analysis.judging.progress import ask_progress
from core.assessment.rounds.growth import MOST_JUDGES, add_judges, top_up
from core.assessment.rounds.rounds import close_round, set_deadline
from core.errors import BadInput
from core.reports.progress import Progress
from core.store.rounds.orders import OrderState, read_order_states
from core.store.rounds.pools import count_without_text
from core.store.rounds.rounds import Round, list_rounds
from core.store.rounds.showing import list_showings
from core.store.store import utc_now
from core.wording import count, plain, plain_with_facts
from pages.judging.rounds.plan_form import end_of, offer_order, tell_order
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.table import draw_table
from pages.shared.wording import refuse

_COLUMNS = {
    "share": st.column_config.ProgressColumn("slots finished", format="percent", max_value=1),
    "opened": st.column_config.DatetimeColumn("opened (UTC)", format="D MMM YYYY, HH:mm"),
    "due": st.column_config.DatetimeColumn("due (UTC)", format="D MMM YYYY, HH:mm"),
}


def show_rounds(context: PageContext) -> None:
    """Show all rounds, and what can be done with one of them."""
    rounds = list_rounds(context.store, context.collection_id)
    if not rounds:
        context.sheet.tell("No round is open yet. Plan the first one below.")
        return
    progress = ask_progress(context.study)
    context.sheet.answer(_answer(rounds, progress))
    draw_table(_summarise(context, rounds, progress), column_config=_COLUMNS)
    names = {one.round_id: one for one in reversed(rounds)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = next(iter(names))
        if len(names) > 1:
            chosen = st.selectbox(
                "Round", list(names), format_func=lambda one: names[one].name, width=240
            )
        _offer_changes(context, names[chosen])


def _answer(rounds: list[Round], progress: Progress) -> str:
    """Return what is open and how far it is, in a sentence for each round that is open."""
    sentences = []
    for rules in rounds:
        if rules.closed_at is None:
            left, _ = progress.count_unfinished(rules.round_id)
            places = plain_with_facts(progress.say_places(rules.round_id))
            sentences.append(f"{places}. {tell_deadline(rules, left, utc_now())}")
    return "  \n".join(sentences) or f"{count(len(rounds), 'round')}, none of them open."


def _summarise(context: PageContext, rounds: list[Round], progress: Progress) -> pd.DataFrame:
    showings = list_showings(context.store, context.collection_id)
    shown = {one.round_id: one.called for one in showings}
    chosen = read_order_states(context.store.cursor(), context.collection_id)
    rows = progress.rounds.set_index("round_id").loc[[one.round_id for one in rounds]]
    names = {"state": "round is", "free": "open"}
    rows = rows[["round", "state", "share", "finished", "taken", "reserved", "free"]]
    return (
        rows.rename(columns=names)
        .reset_index(drop=True)
        .assign(
            due=pd.Series([one.due_at for one in rounds], dtype="datetime64[us]"),
            judged=[
                _describe(one, shown.get(one.round_id, ""), chosen.get(one.round_id))
                + _tell_left_out(count_without_text(context.store, one))
                for one in rounds
            ],
            depth=[one.depth for one in rounds],
            assessors=[one.judges for one in rounds],
            opened=[one.created_at for one in rounds],
        )
    )


def _describe(rules: Round, machine: str, chosen: OrderState | None) -> str:
    parts = [rules.flow, *tell_order(rules, chosen)]
    if rules.page_from is not None:
        parts.append(f"page from snippet level {rules.page_from}")
    if rules.batch_size:
        parts.append(f"batches of {rules.batch_size}")
    if rules.repeat_share:
        parts.append(f"{rules.repeat_share:.0%} repeats")
    if rules.lacking is not None:
        parts.append(f"what lacked {count(rules.lacking, 'label')}")
    if machine:
        parts.append(f"levels of {machine} shown")
    return ", ".join(parts)


def _tell_left_out(without_text: int) -> str:
    return f", {count(without_text, 'document')} without text left out" if without_text else ""


def _offer_changes(context: PageContext, rules: Round) -> None:
    closed = rules.closed_at is not None
    if st.button(
        "Top up the pool",
        disabled=closed or bool(rules.pair_facets),
        help="Adds documents from runs imported since then to its topics.",
    ):
        try:
            added = top_up(context.store, rules.round_id, by=context.person_id)
        except BadInput as error:
            refuse(error)
            return
        what = f"{count(added, 'pair')} added" if added else "There was nothing to add"
        finish(f"{plain(rules.name)}: {what}.")
    with st.popover("More assessors …", disabled=closed or rules.judges >= MOST_JUDGES):
        _ask_more_judges(context, rules)
    with st.popover("Deadline …"):
        _ask_deadline(context, rules)
    offer_order(context, rules)
    if st.button(
        "Reopen this round" if closed else "Close this round",
        help="A closed round assigns nothing more. Its labels are kept.",
    ):
        close_round(context.store, rules.round_id, closed=not closed, by=context.person_id)
        finish(f"{plain(rules.name)} is {'open again' if closed else 'closed'}.")


def _ask_more_judges(context: PageContext, rules: Round) -> None:
    if rules.judges >= MOST_JUDGES:
        return
    st.markdown(
        f"Each topic of {plain(rules.name)} has {count(rules.judges, 'assessor')}. More of them "
        "add open slots to every topic; what is finished stays so, and nobody judges twice."
    )
    judges = st.number_input(
        "Assessors per topic from now on",
        rules.judges + 1,
        MOST_JUDGES,
        rules.judges + 1,
        key=f"more-judges-{rules.round_id}-{rules.judges}",
    )
    if st.button("Add the slots", type="primary"):
        try:
            added = add_judges(context.store, rules.round_id, int(judges), by=context.person_id)
        except BadInput as error:
            refuse(error)
            return
        finish(f"{plain(rules.name)}: {count(added, 'open slot')} added.")


def _ask_deadline(context: PageContext, rules: Round) -> None:
    day = st.date_input(
        "To be finished by (UTC)",
        rules.due_at.date() if rules.due_at else None,
        format="YYYY-MM-DD",
        key=f"due-{rules.round_id}-{rules.due_at}",
        help="The end of this day. Assessors see it; what comes later counts all the same. "
        "Empty: no deadline.",
    )
    if st.button("Set the deadline", type="primary", disabled=end_of(day) == rules.due_at):
        set_deadline(context.store, rules.round_id, end_of(day), by=context.person_id)
        until = f"is due by {day:%-d %B %Y}" if day else "has no deadline"
        finish(f"{plain(rules.name)} {until}.")
