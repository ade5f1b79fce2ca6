"""The aspects of a collection: what else is asked of each item, and on which levels.

The levels of each facet, in a table that can be edited.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

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
from core.store.content.scales import get_scales, replace_scale
from core.wording import plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

COLUMNS = {
    "level": st.column_config.NumberColumn("Level", step=1, help="Scales are ordered by this."),
    "name": st.column_config.TextColumn("Name", help="On buttons and in tables."),
    "meaning": st.column_config.TextColumn("Meaning", width="large", help="When to choose it."),
    "key": st.column_config.TextColumn("Key", max_chars=1, help="The key that gives it."),
    "counts_as": st.column_config.NumberColumn(
        "Counts as", step=1, help="The level that analyses use instead; usually the same."
    ),
}
"""How the levels of a scale stand in a table that can be edited."""


def edit_scales(context: PageContext) -> None:
    """Show the scale of each facet; save what is changed."""
    st.markdown(
        "Assessors choose one level for each snippet and each page. Change a cell, add a row "
        "below, or mark a row to delete it; then save. *Meaning* appears on the assessors' buttons."
    )
    for facet, levels in get_scales(context.store, context.collection_id).items():
        st.header(f"Levels of a {facet}", anchor=False)
        table = st.data_editor(
            pd.DataFrame([asdict(level) for level in levels]),
            key=f"scale-{facet}-{hash(levels)}",
            column_config=COLUMNS,
            num_rows="dynamic",
            hide_index=True,
        )
        try:
            _offer_saving(context, facet, levels, table)
        except BadInput as error:
            refuse(error, "The scale stays as it was.")


def read_levels(table: pd.DataFrame) -> tuple[Level, ...]:
    """Return the rows of the table as levels; *counts as* is the level itself when empty.

    Raises
    ------
    BadInput
        A row has no whole number as its level.
    """
    return tuple(_read_level(row) for row in table.to_dict("records"))


def _read_level(row: Mapping[Hashable, Any]) -> Level:
    number = _whole(row["level"], "level")
    counts_as = number if pd.isna(row["counts_as"]) else _whole(row["counts_as"], "counts as")
    texts = {
        field: "" if pd.isna(row[field]) else str(row[field]).strip()
        for field in ("name", "meaning", "key")
    }
    return Level(level=number, counts_as=counts_as, **texts)


def _whole(value: float | None, field: str) -> int:
    if pd.isna(value) or float(value) != int(float(value)):
        raise BadInput(f"every level needs a whole number as its {field}", field=field)
    return int(float(value))


def _offer_saving(
    context: PageContext, facet: str, levels: tuple[Level, ...], table: pd.DataFrame
) -> None:
    with st.container(horizontal=True):
        if st.button("Save", key=f"save-{facet}", type="primary"):
            _replace(context, facet, read_levels(table))
        # A new key after each change, so that the popover closes.
        with st.popover(
            "Plain numbers",
            help="For levels without names, as TREC's 0 to 3.",
            key=f"plain-{facet}-{hash(levels)}",
        ):
            lowest = st.number_input("From", value=0, step=1, key=f"lowest-{facet}")
            highest = st.number_input("To", value=3, step=1, key=f"highest-{facet}")
            if st.button("Use these numbers", key=f"numbers-{facet}"):
                _replace(context, facet, numeric_scale(range(lowest, highest + 1)))


def _replace(context: PageContext, facet: str, levels: Sequence[Level]) -> None:
    replace_scale(context.store, context.collection_id, facet, levels, by=context.person_id)
    finish(f"The levels of a {facet} are saved.")


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
