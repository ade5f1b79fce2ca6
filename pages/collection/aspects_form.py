"""The aspects of a collection: what else is asked of each item, and on which levels."""

from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd
import streamlit as st

from core.collection.aspects import Aspect
from core.collection.records import FACETS, Level, numeric_scale
from core.errors import BadInput
from core.store.content.aspects import (
    LONGEST_NAME,
    LONGEST_QUESTION,
    add_aspect,
    aspect_levels_in_use,
    change_aspect,
    end_aspect,
    list_aspects,
)
from core.store.content.scales import get_scales
from core.wording import plain
from pages.collection.scale_editor import COLUMNS, read_levels
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

KINDS = {
    "pages": ("page",),
    "snippets": ("snippet",),
    "snippets and pages": FACETS,
}
_ALWAYS = "always"
_FIRST = numeric_scale(range(4))


def edit_aspects(context: PageContext) -> None:
    """Show each aspect; save what is changed, end one, or add another."""
    st.header("Aspects", anchor=False)
    st.markdown(
        "What else is asked of an item in the same pass, trust or freshness for instance. It is "
        "asked right after the level of relevance, on levels of its own, and has agreement and "
        "qrels of its own. One that is added later is missing from what was judged before."
    )
    for aspect in list_aspects(context.store, context.collection_id):
        if aspect.ended_at is None:
            _edit(context, aspect)
        else:
            names = ", ".join(level.name for level in aspect.levels)
            st.caption(
                f"{plain(aspect.name)}, asked until {aspect.ended_at:%-d %B %Y}: {plain(names)}"
            )
    with st.expander("Add an aspect"):
        _add(context)


def _edit(context: PageContext, aspect: Aspect) -> None:
    used = bool(aspect_levels_in_use(context.store, context.collection_id, aspect.name))
    with st.expander(f"{plain(aspect.name)}: {plain(aspect.question)}"):
        if used:
            st.caption(
                f"Of {', '.join(f'{one}s' for one in aspect.facets)}. There are labels of it, so "
                "only its levels can be changed."
            )
            asked = aspect
        else:
            asked = _ask(context, aspect, aspect.name)
        levels = _ask_levels(aspect.levels, f"{aspect.name}-{hash(aspect)}")
        with st.container(horizontal=True):
            if st.button("Save", key=f"save-aspect-{aspect.name}", type="primary"):
                _save(context, asked, levels, is_new=False)
            if st.button(
                "End",
                key=f"end-aspect-{aspect.name}",
                help="It is asked no more. Its labels stay, with their agreement and qrels.",
            ):
                end_aspect(context.store, context.collection_id, aspect.name, by=context.person_id)
                finish(f"{aspect.name} is asked no more.")


def _add(context: PageContext) -> None:
    name = st.text_input(
        "Name",
        max_chars=LONGEST_NAME,
        placeholder="trust",
        help="It stands on the judging screen, in files and on every page, and never changes.",
        key="aspect-name",
    )
    asked = _ask(context, Aspect(name, ("page",), "", _FIRST), "")
    number = len(list_aspects(context.store, context.collection_id))
    levels = _ask_levels(_FIRST, f"new-{number}")
    if st.button("Add", key="add-aspect", type="primary"):
        _save(context, asked, levels, is_new=True)


def _ask(context: PageContext, aspect: Aspect, key: str) -> Aspect:
    """Ask for everything but name and levels."""
    question = st.text_input(
        "Question",
        aspect.question,
        max_chars=LONGEST_QUESTION,
        placeholder="How far would you trust this page?",
        key=f"aspect-question-{key}",
    )
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    kinds = list(KINDS)
    kind = left.selectbox(
        "Asked of",
        kinds,
        index=next(i for i, one in enumerate(kinds) if set(KINDS[one]) == set(aspect.facets)),
        key=f"aspect-kind-{key}",
    )
    levels = _shared_levels(context, KINDS[kind])
    choices: list[int | None] = [None, *levels]
    start = choices.index(aspect.from_level) if aspect.from_level in choices else 0
    from_level = middle.selectbox(
        "Only from relevance",
        choices,
        index=start,
        format_func=lambda one: _ALWAYS if one is None else f"{levels[one]} and above",
        help="What has a lower level of relevance is not asked for this aspect.",
        key=f"aspect-from-{key}-{kind}",
    )
    may_be_left_out = right.checkbox(
        "May be left out",
        aspect.may_be_left_out,
        help="Assessors get a key to go on without an answer.",
        key=f"aspect-leave-{key}",
    )
    return Aspect(
        aspect.name, KINDS[kind], question, aspect.levels, from_level, bool(may_be_left_out)
    )


def _shared_levels(context: PageContext, facets: Sequence[str]) -> dict[int, str]:
    """Return the names of the levels of relevance that all these facets have."""
    scales = get_scales(context.store, context.collection_id)
    names = [{one.level: one.name for one in scales.get(facet, ())} for facet in facets]
    shared = set(names[0]).intersection(*names[1:])
    return {
        level: " or ".join(dict.fromkeys(one[level] for one in names)) for level in sorted(shared)
    }


def _ask_levels(levels: Sequence[Level], key: str) -> pd.DataFrame:
    return st.data_editor(
        pd.DataFrame([asdict(level) for level in levels]),
        key=f"aspect-levels-{key}",
        column_config=COLUMNS,
        num_rows="dynamic",
        hide_index=True,
    )


def _save(context: PageContext, aspect: Aspect, table: pd.DataFrame, *, is_new: bool) -> None:
    save = add_aspect if is_new else change_aspect
    try:
        whole = Aspect(
            aspect.name,
            aspect.facets,
            aspect.question,
            read_levels(table),
            aspect.from_level,
            aspect.may_be_left_out,
        )
        save(context.store, context.collection_id, whole, by=context.person_id)
    except BadInput as error:
        refuse(error, "The aspects stay as they were.")
        return
    finish(f"{' '.join(aspect.name.split())} is saved.")
