"""The name and the texts of a collection, new or existing.

The versions of the guidelines: who wrote each and when, and what it said.
"""

from typing import TypedDict

import pandas as pd
import streamlit as st

from core.errors import BadInput
from core.language.translate import LANGUAGES
from core.store.content.collections import (
    Collection,
    choose_language,
    create_collection,
    describe_collection,
    hide_pace,
)
from core.store.content.guidelines import LONGEST_NOTE, read_versions
from core.store.people.people import list_people
from core.wording import plain
from pages.shared.notice import finish
from pages.shared.session import PageContext, change_to
from pages.shared.table import WHOLE, draw_table
from pages.shared.wording import refuse

COMMAND_LINE = "command line"

CREATED = "collection-created"
"""Set in the session when a collection was just made: its files come next."""


class _TextFields(TypedDict):
    name: str
    description: str
    guidelines: str
    language: str


def create_new(context: PageContext) -> None:
    """Ask for the texts of a new collection and make it."""
    with st.form("new-collection"):
        texts = _ask(None)
        pressed = st.form_submit_button("Create", type="primary")
    if not pressed:
        return
    try:
        new = create_collection(context.store, **texts, by=context.person_id)
    except BadInput as error:
        refuse(error, "No collection was made.")
        return
    change_to(new)
    st.session_state[CREATED] = True
    finish(f"Created {plain(texts['name'])}. Now import its files.")


def edit_texts(context: PageContext) -> None:
    """Show the texts of the collection and save what is changed."""
    with st.form(f"texts-{context.collection_id}"):
        texts = _ask(context.collection)
        note = st.text_input(
            "What changed in the guidelines",
            max_chars=LONGEST_NOTE,
            help="One line, for assessors who have judged under older guidelines. It may be empty.",
        )
        hidden = not st.toggle(
            "Show assessors their own pace",
            not context.collection.hides_pace,
            key="texts-pace",
            help="“About 12 s each, 4 min left” beside the buttons of the judging screen. Each can "
            "hide it there, too.",
        )
        pressed = st.form_submit_button("Save", type="primary")
    if not pressed:
        show_versions(context)
        return
    collection_id, by = context.collection_id, context.person_id
    name, description, guidelines = texts["name"], texts["description"], texts["guidelines"]
    try:
        describe_collection(
            context.store, collection_id,
            name=name, description=description, guidelines=guidelines, note=note, by=by,
        )  # fmt: skip
        if texts["language"] != context.collection.language:
            choose_language(context.store, collection_id, texts["language"], by)
        if hidden != context.collection.hides_pace:
            hide_pace(context.store, collection_id, hidden=hidden, by=by)
    except BadInput as error:
        refuse(error)
        return
    finish("The texts are saved.")


def _ask(given: Collection | None) -> _TextFields:
    return {
        "name": st.text_input("Name", given.name if given else ""),
        "description": st.text_area(
            "Description",
            given.description if given else "",
            help="For organisers: where it comes from and what it is for.",
        ),
        "guidelines": st.text_area(
            "Guidelines",
            given.guidelines if given else "",
            height=220,
            help="Assessors open this beside every item; simple Markdown is rendered. "
            "Say for whom they judge. Those who have judged under older ones are told of a change.",
        ),
        "language": st.selectbox(
            "Language of the judging screen",
            list(LANGUAGES),
            index=list(LANGUAGES).index(given.language) if given else 0,
            format_func=LANGUAGES.__getitem__,
            help="What assessors and students read around the items. A new collection begins with "
            "levels in it. Topics, documents, guidelines and levels that there are stay as they "
            "are.",
        ),
    }


def show_versions(context: PageContext) -> None:
    """List every version with how many labels were given under it, and show one as it was."""
    versions = read_versions(context.store, context.collection_id)
    if versions.empty:
        return
    names = {one.person_id: one.name for one in list_people(context.store)}
    written_by = [
        COMMAND_LINE if pd.isna(one) else names.get(one, one) for one in versions["assessor_id"]
    ]
    latest = versions.assign(written_by=written_by).iloc[::-1]
    st.header("Versions of the guidelines", anchor=False)
    draw_table(
        latest,
        column_order=["version", "written_at", "written_by", "labels", "note"],
        column_config={
            "written_at": st.column_config.DatetimeColumn(
                "written (UTC)", format="D MMM YYYY, HH:mm"
            ),
            "written_by": "by",
            "labels": st.column_config.NumberColumn(
                "labels",
                format=WHOLE,
                help="Label events that were stored while this version was in force.",
            ),
            "note": "what changed",
        },
    )
    texts = dict(zip(latest["version"], latest["guidelines"], strict=True))
    chosen = st.selectbox("Version to read", list(texts), key="guidelines-version")
    with st.container(border=True):
        st.text(texts.get(chosen) or "There were no guidelines.")
