"""The levels that labels use beside those that the scale defines, before anything is stored."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.collection.labels.level_use import (
    compare_levels,
    is_as_defined,
    levels_beyond,
    list_facets,
    plain_scale,
)
from core.collection.records import Import, Scale
from core.errors import BadInput
from core.store.content.aspects import read_aspect_scales
from core.store.content.scales import get_scales, levels_in_use
from core.wording import plain
from pages.shared.session import PageContext
from pages.shared.table import WHOLE

KEEP, REPLACE = "keep", "replace"
_IN_USE = (
    "Labels of this scale are stored already, so it cannot be replaced here. Add the level under "
    "*Scales*, or name the values that mean no label."
)
_OF_AN_ASPECT = "The scale of an aspect cannot be replaced here. Add the level under *Scales*."
_COLUMNS = {
    "level": st.column_config.NumberColumn("level", format="%g"),
    "name": st.column_config.TextColumn("name on the scale"),
    "labels": st.column_config.NumberColumn("labels", format=WHOLE),
}


def settle_aspects(context: PageContext, imports: Sequence[Import]) -> bool:
    """Show the levels of aspects; return whether it is settled what they mean."""
    frames = [one.frames["aspects"] for one in imports if "aspects" in one.frames]
    if not frames:
        return True
    said = pd.concat(frames)
    scales = read_aspect_scales(context.store, context.collection_id)
    use = compare_levels(said.assign(facet=said["aspect"]), scales)
    chosen = [
        _show_use(f"Levels of {plain(one)}", f"aspect {one}", own, _OF_AN_ASPECT)
        for one, own in list_facets(use).items()
    ]
    return all(one == KEEP for one in chosen)


def settle_levels(context: PageContext, imports: Sequence[Import]) -> dict[str, Scale] | None:
    """Show the levels of the labels; return the scales to replace, or None while that is open."""
    given = [one.frames for one in imports if "labels" in one.frames]
    frames = [one["labels"] for one in given if "machines" not in one]
    if not frames:  # what a machine says beyond the scale is refused, or mapped by a rule
        return {}
    scales = get_scales(context.store, context.collection_id)
    stored = levels_in_use(context.store, context.collection_id)
    replaced: dict[str, Scale] = {}
    is_settled = True
    for facet, use in list_facets(compare_levels(pd.concat(frames), scales)).items():
        choice = _show_use(f"Levels of a {facet}", facet, use, _IN_USE if facet in stored else "")
        is_settled = is_settled and choice is not None
        if choice == REPLACE:
            replaced[facet] = plain_scale(use)
    return replaced if is_settled else None


def _show_use(title: str, key: str, use: pd.DataFrame, fixed: str) -> str | None:
    """Show the levels that are used beside those defined, and ask where they differ.

    ``fixed`` says why the scale cannot be replaced; empty where it can.
    """
    st.header(title, anchor=False)
    table, question = st.columns([1, 2])
    table.dataframe(
        use.drop(columns="facet"),
        hide_index=True,
        placeholder="not on the scale",
        column_config=_COLUMNS,
        width="content",
    )
    with question:
        return KEEP if is_as_defined(use) else _ask(key, use, fixed)


def _ask(key: str, use: pd.DataFrame, fixed: str) -> str | None:
    """Ask what is to be done about levels that are not exactly those of the scale."""
    st.warning(_describe(use))
    options = _list_options(use, is_free=not fixed)
    if not options:
        st.error(
            fixed or "These levels make no scale. Name the values that mean no label, or map them."
        )
        return None
    chosen: str | None = st.radio(
        "What do these levels mean?",
        list(options),
        format_func=options.get,
        index=None,
        key=f"import-levels-{key}-{list(use['level'])}-{list(use['labels'] > 0)}",
    )
    return chosen


def _describe(use: pd.DataFrame) -> str:
    unused = [plain(str(name)) for name in use.loc[use["labels"] == 0, "name"]]
    beyond = [f"{level:g}" for level in levels_beyond(use)]
    said = [
        f"not on the scale: {', '.join(beyond)}" if beyond else "",
        f"on the scale but in no label: {', '.join(unused)}" if unused else "",
    ]
    return f"The levels used are not those of the scale: {'; '.join(filter(None, said))}."


def _list_options(use: pd.DataFrame, *, is_free: bool) -> dict[str, str]:
    options = {}
    if not levels_beyond(use):
        used = use[use["labels"] > 0]
        meant = ", ".join(
            f"{level:g} is {plain(str(name))}"
            for level, name in zip(used["level"], used["name"], strict=True)
        )
        options[KEEP] = f"Those of the scale: {meant}"
    if is_free:
        try:
            numbers = ", ".join(str(one.level) for one in plain_scale(use))
        except BadInput:
            return options
        options[REPLACE] = f"Plain numbers: replace the scale by {numbers}"
    return options
