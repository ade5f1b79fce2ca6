"""Taking over imported gold labels as gold items; part of the page about assessors."""

import streamlit as st

from core.analysis.base.wording import count
from core.analysis.people.assessors import gold_labels_of
from core.store.content.gold import take_over_gold
from pages.shared.session import PageContext


def offer_take_over(context: PageContext) -> None:
    """Offer to make gold items of the labels of an assessor called gold, where there is one."""
    found = gold_labels_of(context.study)
    if not found or not context.may_change:
        return
    st.markdown(
        f"An assessor called **gold** has {count(found, 'label')} on items that are not gold yet. "
        "Taking them over marks these items as gold. The labels stay as they are, but gold is then "
        "no assessor: agreement and qrels versions do without it, unless a version names it."
    )
    if st.button(f"Take over {count(found, 'label')} of gold", icon=":material/star:"):
        taken = take_over_gold(context.store, context.collection_id, context.person_id)
        st.toast(f"Taken over: {count(taken, 'gold item')}.")
        st.rerun()
