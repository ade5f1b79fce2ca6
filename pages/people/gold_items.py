"""Gold items on pages: those of a facet, marking one, and taking over imported gold labels."""

import streamlit as st

from core.analysis.assessors import gold_labels_of
from core.analysis.study import scales_of
from core.analysis.wording import count
from core.errors import DissentError
from core.store.content.gold import (
    GoldItem,
    mark_gold,
    take_over_gold,
    unmark_gold,
)
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def show_marking(
    context: PageContext, item: GoldItem | None, place: tuple[str, str, str, str]
) -> None:
    """Offer to mark an item with its gold level, to change it and to take it off.

    Parameters
    ----------
    item : GoldItem or None
        The item as it is marked now.
    place : tuple of str
        Its topic, document, facet and engine.
    """
    if not context.may_change:
        return
    names = {one.level: one.name for one in scales_of(context.study)[place[2]]}
    key = " ".join(place)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        level = st.selectbox(
            "Its gold level",
            list(names),
            index=list(names).index(item.level) if item and item.level in names else None,
            format_func=names.__getitem__,
            placeholder="Choose a level",
            key=f"gold-level-{key}-{item.level if item else ''}",
            width=220,
        )
        same = level is None or (item is not None and item.level == level)
        marks = st.button("Mark as gold", icon=":material/star:", disabled=same)
        unmarks = item is not None and st.button("Unmark", icon=":material/delete:")
    try:
        if marks and level is not None:
            mark_gold(
                context.store, context.collection_id, GoldItem(*place, level), context.person_id
            )
        elif unmarks and item is not None:
            unmark_gold(context.store, context.collection_id, item, context.person_id)
        else:
            return
    except DissentError as error:
        refuse(error)
        return
    st.rerun()


def offer_take_over(context: PageContext) -> None:
    """Offer to make gold items of the labels of an assessor called gold, where there is one."""
    found = gold_labels_of(context.study)
    if not found or not context.may_change:
        return
    st.markdown(
        f"An assessor called **gold** has {count(found, 'label')} on items that are not gold yet. "
        "Taking them over marks these items; the labels stay as they are, and that assessor goes "
        "on being counted like any other."
    )
    if st.button(f"Take over {count(found, 'label')} of gold", icon=":material/star:"):
        taken = take_over_gold(context.store, context.collection_id, context.person_id)
        st.toast(f"Taken over: {count(taken, 'gold item')}.")
        st.rerun()
