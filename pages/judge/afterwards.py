"""Where others differ on a finished topic: what they said, to keep or change one's label.

It is drawn only where the organiser allows it, and only of topics that nothing is left of.
"""

import streamlit as st

from core.assessment.afterwards import (
    DisputedItem,
    list_ready_topics,
    open_topic,
    show_item_of,
)
from core.collection.records import SNIPPET, Level
from core.language.translate import t, tn
from core.store.content.documents import get_document, get_snippet
from core.store.content.scales import get_scales
from core.store.events.afterwards import list_topics_seen
from core.store.events.frames import read_topics
from core.wording import plain
from pages.judge.choices import keep_asked
from pages.judge.item import show_item
from pages.judge.revision import send_revision
from pages.shared.session import PageContext

OWN, OTHERS = "own", "others"
SHOWN = "shown"
"""What the address says of which part of the page is open."""

_TAKEN = ("c", "r")
"""Keys that Streamlit has uses for itself."""

_PLACE, _REFUSED = "afterwards-place", "afterwards-refused"


def show_afterwards(context: PageContext) -> bool:
    """Offer what others said, where it may be seen; tells whether that is what is drawn."""
    ready = list_ready_topics(context.store, context.collection_id, context.person_id)
    if not ready:
        return False
    names = {OWN: t("My labels"), OTHERS: t("Where others differ")}
    part = st.segmented_control(
        t("What is shown"),
        list(names),
        format_func=names.__getitem__,
        default=OTHERS if st.query_params.get(SHOWN) == OTHERS else OWN,
        required=True,
        label_visibility="collapsed",
        key="history-part",
    )
    if part != OTHERS:
        return False
    _show_topics(context, ready)
    return True


def _show_topics(context: PageContext, ready: list[str]) -> None:
    """Choose a topic; say what opening it means, or show what others said of it."""
    topics = read_topics(context.store, context.collection_id).set_index("topic_id")
    queries = topics["query"].to_dict()
    chosen = ready[0]
    if len(ready) > 1:
        chosen = st.selectbox(
            t("Query"),
            ready,
            format_func=lambda one: str(queries.get(one, one)),
            label_visibility="collapsed",
            key="afterwards-topic",
            width=480,
        )
    query = str(queries.get(chosen, chosen))
    if len(ready) == 1:
        st.header(plain(query), anchor=False)
    if wanted := str(topics["description"].get(chosen, "")):
        st.text(wanted)
    if chosen not in list_topics_seen(context.store, context.collection_id, context.person_id):
        _ask(context, chosen)
        return
    items = open_topic(context.store, context.collection_id, context.person_id, chosen)
    if items:
        _show_items(context, query, items)
    else:
        st.success(t("Nobody differs from you here."))


def _ask(context: PageContext, topic_id: str) -> None:
    """Say what it means to open a topic, and open it when that is wanted."""
    st.markdown(
        t(
            "You have finished this query. You can see on which items others gave another level, "
            "and keep or change yours. Others appear as letters, which change from query to query."
        )
    )
    st.markdown(
        t(
            "What you gave stays stored as you gave it. From now on, whatever you say about this "
            "query is marked as said after seeing others. This cannot be undone."
        )
    )
    if st.button(t("See what others said"), type="primary", key=f"afterwards-see-{topic_id}"):
        st.session_state.pop(_PLACE, None)
        open_topic(context.store, context.collection_id, context.person_id, topic_id)
        st.rerun()


def _show_items(context: PageContext, query: str, items: tuple[DisputedItem, ...]) -> None:
    """Show one item after the other, beside who said what, and at the end what came of it."""
    topic_id = items[0].key.topic_id
    held = st.session_state.get(_PLACE, ("", 0))
    place = held[1] if held[0] == topic_id else 0
    if place >= len(items):
        _show_end(items)
        return
    item = items[place]
    show_item_of(context.store, context.collection_id, item)
    scale = get_scales(context.store, context.collection_id)[item.key.facet]
    # On a phone the first column is above the second: levels are in reach before a long page.
    changed, judged = st.columns([2, 3], gap="medium")
    with changed:
        st.caption(
            tn(
                len(items),
                "{n} item on which others differ from you.",
                "Item {place} of {n} on which others differ from you.",
                place=place + 1,
            )
        )
        st.markdown(_tell(item, {one.level: one for one in scale}))
        if reason := st.session_state.pop(_REFUSED, ""):
            st.error(reason)
        _offer_levels(context, item, scale, place)
    with judged:
        _show_judged(context, query, item)


def _show_judged(context: PageContext, query: str, item: DisputedItem) -> None:
    here, key = (context.store, context.collection_id), item.key
    snippet = None
    if key.facet == SNIPPET:
        snippet = get_snippet(*here, key.topic_id, key.document_id, key.engine)
    show_item(context, key.document_id, get_document(*here, key.document_id), query, snippet)


def _tell(item: DisputedItem, levels: dict[int, Level]) -> str:
    """Return who said what, in Markdown."""

    def name(level: int | None) -> str:
        known = levels.get(-1 if level is None else level)
        return plain(known.name if known else str(level))

    lines = [f"- {t('You')}: **{name(item.given)}**"]
    if item.level is not None and item.level != item.given:
        lines[0] += f" → **{name(item.level)}** {t('(after seeing others)')}"
    for one in item.others:
        comment = f" “{plain(' '.join(one.comment.split()))}”" if one.comment else ""
        lines.append(f"- {t('Assessor {letter}', letter=one.name)}: **{name(one.level)}**{comment}")
    return "\n".join(lines)


def _offer_levels(
    context: PageContext, item: DisputedItem, scale: tuple[Level, ...], place: int
) -> None:
    """Offer the levels, one's own first of all to keep, and the way back and on."""
    key = item.key
    name = f"{key.topic_id}-{key.document_id}-{key.facet}-{key.engine}"
    comment_key = f"afterwards-comment-{name}"
    with st.container(horizontal=True, key="afterwards-levels"):
        for number, level in enumerate(scale, start=1):
            is_own = level.level == item.level
            st.button(
                t("Keep: {name}", name=plain(level.name)) if is_own else plain(level.name),
                type="primary" if is_own else "secondary",
                shortcut=_key_of(level, number),
                key=f"afterwards-{name}-{level.level}",
                on_click=_answer,
                args=(context, item, level.level, place, comment_key),
            )
    st.text_input(t("Comment"), item.comment, key=comment_key)
    with st.container(horizontal=True):
        st.button(
            t("Back"), shortcut="Left", disabled=place == 0, key="afterwards-back",
            on_click=_go, args=(key.topic_id, place - 1),
        )  # fmt: skip
        st.button(
            t("Forward"), shortcut="Right", key="afterwards-forward",
            on_click=_go, args=(key.topic_id, place + 1),
        )  # fmt: skip


def _key_of(level: Level, number: int) -> str | None:
    """Return the key of a level, as on the judging screen; none for those that Streamlit keeps."""
    key = (level.key or str(number)).lower()
    return key if len(key) == 1 and key not in _TAKEN else None


def _answer(
    context: PageContext, item: DisputedItem, level: int, place: int, comment_key: str
) -> None:
    """Keep the label, which needs nothing, or store another; then go on."""
    comment = str(st.session_state.get(comment_key, item.comment))
    is_kept = level == item.level and comment == item.comment
    stands = context.store.labels.current(context.collection_id, context.person_id)[item.key]
    answer = keep_asked(context, item.key.facet, level, dict(stands.aspects)) | {"comment": comment}
    reason = "" if is_kept else send_revision(context, item.key, item.event_id, level, answer)
    if reason:
        st.session_state[_REFUSED] = reason
        return
    _go(item.key.topic_id, place + 1)


def _go(topic_id: str, place: int) -> None:
    st.session_state[_PLACE] = topic_id, place


def _show_end(items: tuple[DisputedItem, ...]) -> None:
    changed = sum(one.level != one.given for one in items)
    st.success(
        t("You have been through every item on which others differ.")
        + " "
        + tn(changed, "You changed {n} label.", "You changed {n} labels.")
    )
    st.button(
        t("Look at them again"), key="afterwards-again", on_click=_go,
        args=(items[0].key.topic_id, 0),
    )  # fmt: skip
