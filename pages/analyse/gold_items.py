"""Gold items on pages: those of a facet, marking one, and taking over imported gold labels."""

import pandas as pd
import streamlit as st

from core.errors import DissentError
from core.store.gold import (
    GoldItem,
    count_gold_labels,
    list_gold,
    mark_gold,
    take_over_gold,
    unmark_gold,
)
from pages.shared.live import kept, scales_of, settled
from pages.shared.session import Visit
from pages.shared.wording import count, refuse

_COLUMNS = ["topic_id", "document_id", "engine", "given_level", "level"]


def gold_of(visit: Visit, facet: str) -> pd.DataFrame:
    """Return topic_id, document_id, engine, given_level (as marked), level (as counted).

    A level that has gone from the scale since is NaN.
    """
    return settled(visit, _gold, facet)


def show_marking(visit: Visit, item: GoldItem | None, place: tuple[str, str, str, str]) -> None:
    """Offer to mark an item with its gold level, to change it and to take it off.

    Parameters
    ----------
    item : GoldItem or None
        The item as it is marked now.
    place : tuple of str
        Its topic, document, facet and engine.
    """
    if not visit.may_change:
        return
    names = {one.level: one.name for one in scales_of(visit)[place[2]]}
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
            mark_gold(visit.store, visit.collection_id, GoldItem(*place, level), visit.person_id)
        elif unmarks and item is not None:
            unmark_gold(visit.store, visit.collection_id, item, visit.person_id)
        else:
            return
    except DissentError as error:
        refuse(error)
        return
    st.rerun()


def offer_take_over(visit: Visit) -> None:
    """Offer to make gold items of the labels of an assessor called gold, where there is one."""
    found = kept(visit, _gold_labels)
    if not found or not visit.may_change:
        return
    st.markdown(
        f"An assessor called **gold** has {count(found, 'label')} on items that are not gold yet. "
        "Taking them over marks these items; the labels stay as they are, and that assessor goes "
        "on being counted like any other."
    )
    if st.button(f"Take over {count(found, 'label')} of gold", icon=":material/star:"):
        taken = take_over_gold(visit.store, visit.collection_id, visit.person_id)
        st.toast(f"Taken over: {count(taken, 'gold item')}.")
        st.rerun()


def _gold(visit: Visit, facet: str) -> pd.DataFrame:
    counts_as = {one.level: one.counts_as for one in scales_of(visit)[facet]}
    rows = [
        (one.topic_id, one.document_id, one.engine, one.level, counts_as.get(one.level))
        for one in list_gold(visit.store, visit.collection_id)
        if one.facet == facet
    ]
    table = pd.DataFrame(rows, columns=_COLUMNS)
    return table.astype({name: "str" for name in _COLUMNS[:3]} | {"level": "float64"})


def _gold_labels(visit: Visit) -> int:
    return count_gold_labels(visit.store, visit.collection_id)
