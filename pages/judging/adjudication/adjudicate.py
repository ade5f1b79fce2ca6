"""The organiser's page for deciding items on which assessors disagree."""

import pandas as pd
import streamlit as st

from core.analysis.agreement.between_assessors import ITEM, disputed_items
from core.analysis.base.study import scales_of
from core.assessment.adjudication import LONGEST_REASON, adjudicate
from core.errors import DissentError
from core.store.events.labels import Key
from core.store.people.people import list_people
from core.wording import count, plain
from pages.judging.adjudication.disputed import show_item, show_labels
from pages.shared.facet_widgets import choose_facet
from pages.shared.figure import show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection, refuse

PURPOSE = (
    "Items to which assessors gave different levels, largest differences first. Your decision "
    "affects the qrels version *all, adjudicated* only: no label changes, and agreement, the UDM "
    "and every other version stay as they are. An adjudicated level is one more opinion, formed "
    "with knowledge of the others; it does not measure who was right."
)


@page("adjudicate", "Judging", "Adjudicate", "organiser")
def draw(context: PageContext) -> None:
    """Show one disputed item after the other, with a button for each level."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    facet = choose_facet(context, "adjudicate-facet")
    items = disputed_items(context.study, facet)
    if items.empty:
        context.sheet.tell(f"No two assessors have given the same {facet} different levels so far.")
        return
    done = int(items["decided"].notna().sum())
    context.sheet.answer(
        f"{done:,} of {count(len(items), f'disputed {facet}')} {'is' if done == 1 else 'are'} "
        "decided."
    )
    place = _choose_item(context, facet, items)
    if place is None:
        st.success("All of them are decided. Under *Options* you can see them again.")
    else:
        _show(context, facet, items, place)
    _show_decided(context, facet, items)


def _choose_item(context: PageContext, facet: str, items: pd.DataFrame) -> int | None:
    """Return the place of the item in view; it stays in view whatever comes in meanwhile."""
    state = f"adjudicate-item-{facet}"
    keys = list(items[ITEM].itertuples(index=False, name=None))
    with context.sheet.options:
        also_decided = st.toggle("Decided ones, too", key="adjudicate-decided")
    open_places = [
        place
        for place, level in enumerate(items["decided"])
        if also_decided or pd.isna(level) or keys[place] == st.session_state.get(state)
    ]
    if not open_places:
        return None
    held = st.session_state.get(state)
    place = keys.index(held) if held in keys else open_places[0]
    st.session_state[state] = keys[place]
    item = items.iloc[place]
    with st.container(horizontal=True, vertical_alignment="center"):
        _move("Previous", facet, keys, [one for one in open_places if one < place][-1:])
        _move("Next", facet, keys, [one for one in open_places if one > place][:1])
        st.caption(
            f"Item {place + 1:,} of {len(items):,}: {count(int(item['labels']), 'label')}, "
            f"{item['spread']:g} levels apart."
        )
    return place


def _move(label: str, facet: str, keys: list[tuple[str, ...]], target: list[int]) -> None:
    def go() -> None:
        st.session_state[f"adjudicate-item-{facet}"] = keys[target[0]]

    st.button(label, on_click=go, disabled=not target, key=f"adjudicate-{label}")


def _show(context: PageContext, facet: str, items: pd.DataFrame, place: int) -> None:
    item = items.iloc[place]
    left, right = st.columns([3, 2])
    with left:
        show_item(context, item)
    with right:
        show_labels(context, item)
        _ask_level(context, facet, items, place)


def _ask_level(context: PageContext, facet: str, items: pd.DataFrame, place: int) -> None:
    item = items.iloc[place]
    name = "-".join(item[ITEM])
    scale = scales_of(context.study)[facet]
    is_decided = not pd.isna(item["decided"])
    if is_decided:
        decided = next((one.name for one in scale if one.level == item["decided"]), "")
        st.success(f"Decided: {plain(decided)}. {plain(item['reason'])}", icon=":material/gavel:")
    reason = st.text_input(
        "Reason (saved with the decision)",
        max_chars=LONGEST_REASON,
        key=f"adjudicate-reason-{name}",
    )
    for level in scale:
        if st.button(
            plain(level.name),
            help=plain(level.meaning) or None,
            key=f"adjudicate-{level.level}-{name}",
            width="stretch",
        ):
            _decide(context, facet, items, place, level.level, reason)
    if is_decided and st.button(
        "Take the decision back", icon=":material/undo:", key=f"adjudicate-undo-{name}"
    ):
        _decide(context, facet, items, place, None, reason)


def _decide(
    context: PageContext,
    facet: str,
    items: pd.DataFrame,
    place: int,
    level: int | None,
    reason: str,
) -> None:
    """Append the decision and go on to the next item that is not decided."""
    topic_id, document_id, _, engine = items.iloc[place][ITEM]
    item = Key(topic_id, document_id, facet, engine, context.person_id, 0)
    try:
        receipt = adjudicate(context.store, context.collection_id, item, level, reason)
    except DissentError as error:
        refuse(error, "Nothing was decided.")
        return
    if receipt.stale:
        st.error("You have decided this item elsewhere meanwhile. Reload the page.")
        return
    if level is not None:
        keys = list(items[ITEM].itertuples(index=False, name=None))
        around = [*range(place + 1, len(items)), *range(place)]
        left = [one for one in around if pd.isna(items["decided"].iloc[one])]
        st.session_state[f"adjudicate-item-{facet}"] = keys[left[0]] if left else None
    st.rerun()


def _show_decided(context: PageContext, facet: str, items: pd.DataFrame) -> None:
    rows = items[items["decided"].notna()]
    if rows.empty:
        return
    people = {person.person_id: person.name for person in list_people(context.store)}
    names = {one.level: one.name for one in scales_of(context.study)[facet]}
    st.header("Decided so far", anchor=False)
    show_table(
        rows.assign(
            decided=rows["decided"].map(names),
            by=rows["assessor_id"].map(people),
            simulated=bool(context.collection.simulated),
        )
        .drop(columns="assessor_id")
        .rename(columns={"reason": "comment"}),
        "adjudications",
        "Every item that is decided while assessors still disagree on it: how many labels it has, "
        "the lowest and highest of them, what was decided, by whom, when (UTC) and why. Each "
        "decision is a separate event and is kept for good; the latest one counts.",
        column_order=["topic_id", "document_id", *(["engine"] if rows["engine"].any() else []),
                      "labels", "lowest", "highest", "decided", "by", "time", "comment"],
        column_config={"comment": "reason"},
    )  # fmt: skip
