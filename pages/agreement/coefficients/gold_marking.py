"""Marking an item with its gold level; part of the list of a topic's items."""

import streamlit as st

from core.analysis.base.study import scales_of
from core.errors import DissentError
from core.store.content.gold import GoldItem, mark_gold, unmark_gold
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
