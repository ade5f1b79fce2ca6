"""Which addresses are told when topics and rounds are finished, and how that goes."""

import pandas as pd
import streamlit as st

from core.errors import BadInput
from core.settings import read_webhook_networks
from core.store.content.webhook_deliveries import (
    DELIVERED,
    DUE,
    EVENTS,
    MOST_TRIES,
    Delivery,
    list_deliveries,
    queue_test,
    send_again,
)
from core.store.content.webhooks import (
    Webhook,
    list_webhooks,
    make_secret,
    make_webhook,
    remove_webhook,
)
from core.wording import count
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

_FRESH = "webhook-secret"
_NAMES = {"topic.finished": "a topic is finished", "round.finished": "a round is finished"}
_SHOWN = 20


def offer_webhooks(context: PageContext) -> None:
    """List webhooks with what became of their latest messages, and offer to make and remove one."""
    st.header("Webhooks", anchor=False)
    st.markdown(
        "This server tells an address when every place in a topic, or in a whole round, is "
        "finished. It says which one and how many places, and nothing about a person. Messages "
        "are signed."
    )
    if context.demo:
        st.info("The demo tells nobody.")
        return
    _show_fresh()
    known = list_webhooks(context.store, context.collection_id)
    deliveries = list_deliveries(context.store, context.collection_id, 1000)
    if known:
        _show_table(known, deliveries)
        _act(context, known, deliveries)
    with st.expander("Add a webhook", expanded=not known):
        _ask(context)


def _show_fresh() -> None:
    if _FRESH not in st.session_state:
        return
    with st.container(border=True):
        st.text("Copy the secret now: it is not shown again. It proves that messages are ours.")
        st.code(st.session_state[_FRESH], language=None, wrap_lines=True)
        if st.button("I have copied it", key="webhook-copied"):
            del st.session_state[_FRESH]
            st.rerun()


def _show_table(known: list[Webhook], deliveries: list[Delivery]) -> None:
    rows = []
    for one in known:
        own = [each for each in deliveries if each.webhook_id == one.webhook_id]
        latest = next((each for each in own if each.tried_at is not None), None)
        rows.append(
            {
                "address": one.address,
                "when": " or ".join(_NAMES[each] for each in one.events),
                "latest message": _tell(latest) if latest else "none yet",
                "sent (UTC)": latest.tried_at if latest else None,
                "waiting": sum(each.state == DUE for each in own),
            }
        )
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        placeholder="–",
        column_config={"sent (UTC)": st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm")},
    )


def _tell(one: Delivery) -> str:
    if one.state == DELIVERED:
        return "arrived"
    tries = f"{count(one.attempts, 'try', 'tries')} of {MOST_TRIES}"
    if one.state == DUE:
        return f"{one.reason or 'on its way'} ({tries})"
    return f"given up: {one.reason}"


def _act(context: PageContext, known: list[Webhook], deliveries: list[Delivery]) -> None:
    chosen = st.selectbox(
        "Webhook",
        known,
        format_func=lambda one: one.address,
        key=f"webhook-{context.collection_id}",
        width=420,
    )
    if chosen is None:
        return
    own = [each for each in deliveries if each.webhook_id == chosen.webhook_id]
    own = [each for each in own if each.attempts][:_SHOWN]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        message = st.selectbox("Message", own, format_func=_name, width=420, disabled=not own)
        if st.button("Send again", disabled=message is None) and message is not None:
            collection_id, by = context.collection_id, context.person_id
            send_again(context.store, collection_id, message.delivery_id, by=by)
            finish("The message is sent again within seconds.")
    with st.container(horizontal=True):
        if st.button("Send a test", help="A message that says nothing but where it comes from."):
            queue_test(
                context.store, context.collection_id, chosen.webhook_id, by=context.person_id
            )
            finish("A test is sent within seconds. Reload the page to see what became of it.")
        if st.button("Remove the webhook", help="The address is told nothing more."):
            remove_webhook(
                context.store, context.collection_id, chosen.webhook_id, by=context.person_id
            )
            finish("The webhook is removed.")


def _name(one: Delivery) -> str:
    what = f"topic {one.topic_id}" if one.topic_id else one.event.partition(".")[0]
    return f"{what}, {one.finished_at:%Y-%m-%d %H:%M} UTC: {_tell(one)}"


def _ask(context: PageContext) -> None:
    with st.form(f"webhooks-{context.collection_id}", border=False):
        address = st.text_input(
            "Address",
            placeholder="https://example.org/hook",
            help="By https and on a public machine. Whoever runs the server can allow others.",
        )
        events = st.multiselect("When", EVENTS, default=EVENTS, format_func=_NAMES.__getitem__)
        pressed = st.form_submit_button("Add the webhook")
    if not pressed:
        return
    try:
        made = make_webhook(
            context.store,
            context.collection_id,
            address,
            events,
            networks=read_webhook_networks(),
            by=context.person_id,
        )
    except BadInput as error:
        refuse(error, "No webhook was added.")
        return
    st.session_state[_FRESH] = make_secret(context.store, made.webhook_id)
    finish("The address is told from now on.")
