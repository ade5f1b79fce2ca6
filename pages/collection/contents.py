"""What a collection holds."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.analysis.base.study import results_of, runs_of, topics_of
from core.analysis.base.wording import count
from core.analysis.collection.contents import systems_of
from core.store.events.frames import count_contents, list_qrels, read_document_index
from pages.collection.click_logs import show_click_logs
from pages.shared.session import PageContext
from pages.shared.table import draw_table


def answer_contents(context: PageContext) -> None:
    """Say at the top of the page what there is."""
    counts = count_contents(context.store, context.collection_id)
    context.sheet.answer(describe_contents(counts))


def show_contents(context: PageContext) -> None:
    """Show the topics and the systems."""
    store, collection_id = context.store, context.collection_id
    counts = count_contents(store, collection_id)
    if not any(counts.values()):
        st.info("Begin under *Import* with topics and runs.")
        return
    _say_without_text(context)
    if counts["topics"]:
        st.header("Topics", anchor=False)
        draw_table(without_empty(topics_of(context.study)))
    systems = systems_of(context.study)
    if len(systems):
        st.header("Systems", anchor=False)
        draw_table(systems)
    if counts["click logs"]:
        show_click_logs(context)
    if counts["qrels"]:
        st.header("Imported qrels", anchor=False)
        draw_table(pd.DataFrame({"name": list_qrels(store, collection_id)}))


def describe_contents(counts: Mapping[str, int]) -> str:
    """Return in words how many there are of each; what there is none of is left out."""
    parts = [
        f"**{number:,}** {noun.removesuffix('s') if number == 1 and noun != 'qrels' else noun}"
        for noun, number in counts.items()
        if number
    ]
    return f"Holds {', '.join(parts) or 'nothing yet'}."


def without_empty(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out the columns in which nothing stands."""
    return table.loc[:, ~(table.isna() | table.isin([""])).all()]


def _say_without_text(context: PageContext) -> None:
    documents = read_document_index(context.store, context.collection_id)
    if without := int((~documents["readable"]).sum()):
        st.caption(f"{count(without, 'document')} without text: nobody can judge the page.")
    found = (runs_of(context.study), results_of(context.study))
    returned = {one for table in found for one in table["document_id"].unique()}
    if missing := len(returned - set(documents["document_id"])):
        st.caption(
            f"The systems returned {count(missing, 'more document')} that are in no file of "
            "documents: nobody can judge those."
        )
