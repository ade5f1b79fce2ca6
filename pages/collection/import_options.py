"""What can be chosen for each kind of file."""

from typing import Any

import streamlit as st

from core.analysis.base.wording import plain
from core.collection.records import FACETS
from core.store.content.scales import get_scales
from pages.shared.session import PageContext


def choose_options(context: PageContext, kind: str) -> dict[str, Any]:
    """Show what a kind of file lets one choose; return it as `read_import` takes it."""
    if kind == "runs":
        return {"system_from": _choose_system()}
    if kind == "labels":
        return _choose_label_options(context)
    return {}


def _choose_system() -> str:
    names = {"tag": "the tag in its last column", "file": "the name of its file"}
    chosen: str = st.radio("A system is called by", list(names), format_func=names.get)
    return chosen


def _choose_label_options(context: PageContext) -> dict[str, Any]:
    facet = st.radio("Where the file does not say, the labels are for the", FACETS, index=1)
    scales = get_scales(context.store, context.collection_id)
    levels = ", ".join(
        plain(one.name if one.name == str(one.level) else f"{one.level} {one.name}")
        for one in scales[facet]
    )
    st.caption(f"The levels of a {facet}: {levels}. Other levels are set under *Scales*.")
    texts = st.checkbox(
        "Also take the topics and documents of a table with a column for each rater",
        help="Its query, title and description become topics and documents of the collection.",
    )
    with st.expander("The file names its columns differently, or has more to say"):
        columns = {
            name: st.text_input(f"Column of the {name}", placeholder=name).strip()
            for name in ("assessor", "topic", "document", "level")
        }
        missing = st.text_input(
            "Values that mean no label", help="Separated by commas; '' is an empty cell."
        )
        gold = st.text_input("Column of a gold label", help="It becomes one more assessor, gold.")
        raters = st.text_input(
            "Columns of the raters",
            placeholder="agent_*_rating",
            help="For a table with a column for each rater: a pattern with * for their names.",
        )
    return {
        "scales": scales,
        "facet": facet,
        "columns": {name: given for name, given in columns.items() if given},
        "missing": tuple(one.strip().strip("'\"") for one in missing.split(",") if one.strip()),
        "gold": gold.strip(),
        "raters": raters.strip(),
        "texts": texts,
    }
