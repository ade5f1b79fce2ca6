"""What stands above every page: the collection in view, its round, and tabs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.language.translate import t
from core.store.rounds.rounds import list_rounds
from core.wording import plain
from pages.shared.session import PageContext, change_to, list_open
from pages.shared.sheet import PARTS

_STYLES = Path(__file__).parent / "styles"
MARK = _STYLES / "mark.svg"
"""Two circles that overlap in part: what two people agree on, and what they do not."""

_BOX = "frame-collection"


def style_frame() -> None:
    """Load the look of what stands around pages, the mark among it."""
    st.logo(MARK)
    st.html(_STYLES / "frame.css")


def show_frame(context: PageContext, tabs: Sequence[tuple[st.Page, str]]) -> None:
    """Show the collection and its round, with links to the pages of this destination."""
    with _row("frame", "stretch"):
        with _row("frame-place"):
            show_collection(context)
        if len(tabs) > 1:
            with _row("frame-tabs"):
                for linked, title in tabs:
                    st.page_link(linked, label=title, query_params=context.address)


def _row(key: str, width: Literal["content", "stretch"] = "content") -> DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="center", key=key, width=width)


def show_collection(context: PageContext) -> None:
    """Name the collection in view, to be changed where there are several, and its round."""
    if context.person is None or not context.collection_id:
        return
    names = list_open(context.store, context.person)
    if len(names) > 1:
        _offer_collections(context, names)
    else:
        st.markdown(f"**{plain(context.collection.name)}**", width="content")
    if context.person.role != "assessor" and (state := _describe_state(context)):
        st.caption(state, width="content")


def _offer_collections(context: PageContext, names: Mapping[str, str]) -> None:
    st.session_state[_BOX] = context.collection_id
    times = Counter(names.values())
    titles = {one: name if times[name] == 1 else f"{name} ({one})" for one, name in names.items()}
    st.selectbox(
        t("Collection"),
        list(names),
        format_func=titles.__getitem__,
        key=_BOX,
        label_visibility="collapsed",
        width=260,
        on_change=lambda: change_to(st.session_state[_BOX], PARTS),
    )


def _describe_state(context: PageContext) -> str:
    """Return the latest round's name, or that the collection is closed."""
    if context.collection.closed_at:
        return "closed to new judgements"
    rounds = list_rounds(context.store, context.collection_id)
    return f"latest round: {plain(rounds[-1].name)}" if rounds else "no round yet"
