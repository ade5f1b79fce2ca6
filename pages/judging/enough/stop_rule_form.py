"""The rule by which an organiser wants to be told that enough is judged."""

import streamlit as st

from core.errors import BadInput
from core.reports.enough import EnoughQuestion
from core.stopping.stop_rule import BEST, LOWER, StopRule
from core.store.content.stop_rules import set_stop_rule
from core.wording import plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def edit_rule(context: PageContext, question: EnoughQuestion, version: str) -> None:
    """Show the rule, and set it for what is in view."""
    rule, measure, depth = question.rule, question.measure, question.depth
    st.markdown(
        "When the rule is met, this page and the *Overview* say so, with the figures it rests on. "
        "It proposes to stop; nothing is closed, and no assessor sees it."
    )
    if rule:
        st.markdown(
            f"Now: **{rule.tell()}**, by {plain(rule.measure)} in a pool of depth {rule.depth:,}."
        )
    with st.form(f"stop-rule-{context.collection_id}"):
        left, right = st.columns(2)
        best = left.number_input(
            "P(best stays) at least",
            0.0,
            1.0,
            rule.best_stays if rule else BEST,
            step=0.01,
            help="0 asks for nothing.",
        )
        low = right.number_input(
            "Lower limit of τ at least",
            -1.0,
            1.0,
            rule.tau_low if rule else LOWER,
            step=0.01,
            help="-1 asks for nothing.",
        )
        st.caption(f"By {plain(measure)} in a pool of depth {depth:,}, as in view above.")
        pressed = st.form_submit_button("Set this rule", type="primary")
    if pressed:
        _save(context, best, low, version, measure, depth)
    if rule and st.button("No rule"):
        set_stop_rule(context.store, context.collection_id, "", by=context.person_id)
        finish("There is no stop rule any more.")


def _save(
    context: PageContext, best: float, low: float, version: str, measure: str, depth: int
) -> None:
    try:
        rule = StopRule(best, low, measure, depth, version)
        set_stop_rule(context.store, context.collection_id, rule.to_json(), by=context.person_id)
    except BadInput as error:
        refuse(error, "The rule was not changed.")
        return
    finish(f"The rule is {rule.tell()}.")
