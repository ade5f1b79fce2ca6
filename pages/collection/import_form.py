"""Importing files: choose them, look at what they hold, then store it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.analysis.base.wording import count, plain
from core.collection.formats import KINDS, explain_kind, read_import
from core.collection.records import Import
from core.collection.source import Source
from core.errors import BadInput
from core.store.content.imports import write_import
from pages.collection.contents import without_empty
from pages.collection.import_options import choose_options
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

_CHECKED = "import-checked"
_UPLOADS = "import-uploads"
_SHOWN_ROWS = 20


@dataclass(frozen=True)
class Checked:
    """Files that were read and rehearsed: ``added`` is what storing them would add."""

    what: str
    imported: Import
    added: dict[str, int]


def show_import(context: PageContext) -> None:
    """Take files, show what they hold, and store them when told to."""
    kind = st.selectbox("What do the files hold?", KINDS, format_func=str.capitalize)
    st.markdown(explain_kind(kind))
    uploads = st.session_state.setdefault(_UPLOADS, 0)
    files = st.file_uploader(
        "Files, also packed as .gz", accept_multiple_files=True, key=f"import-{kind}-{uploads}"
    )
    name = ""
    if kind == "qrels":
        name = st.text_input("What are these qrels called?", placeholder="the name of the file")
    options = choose_options(context, kind)
    if not files:
        st.session_state.pop(_CHECKED, None)
        return
    try:
        checked = _check(context, kind, files, options, name.strip())
        _show_counts(checked)
        if st.button("Import", type="primary", icon=":material/download:"):
            _store(context, checked, name.strip())
        _show_rows(checked)
    except BadInput as error:
        refuse(error, "Nothing was stored. This is the first fault:")


def _check(
    context: PageContext, kind: str, files: Sequence[Any], options: dict[str, Any], name: str
) -> Checked:
    """Read the files and rehearse storing them, once for each choice."""
    what = repr((context.collection_id, kind, [file.file_id for file in files], options, name))
    known: Checked | None = st.session_state.get(_CHECKED)
    if known is not None and known.what == what:
        return known
    bar = st.progress(0.0, text="Reading")

    def tell(share: float, doing: str) -> None:
        bar.progress(0.9 * share, text=plain(doing))

    try:
        imported = read_import(
            kind,
            [Source(file.name, file.getvalue()) for file in files],
            progress=tell,
            **options,
        )
        bar.progress(0.95, text="Comparing with what is stored")
        added = write_import(
            context.store, context.collection_id, imported, name=name, rehearse=True
        )
    finally:
        bar.empty()
    checked = Checked(what, imported, added)
    st.session_state[_CHECKED] = checked
    return checked


def _show_counts(checked: Checked) -> None:
    st.subheader("What the files hold", anchor=False)
    st.caption("Nothing is stored yet.")
    with st.container(horizontal=True):
        for noun, number in checked.imported.counts.items():
            st.metric(noun.capitalize(), f"{number:,}", width=130)
    for note in checked.imported.notes:
        st.caption(f":material/info: {plain(note)}")
    st.markdown(f"Importing would add {_describe(checked.added)}.")


def _show_rows(checked: Checked) -> None:
    for title, frame in checked.imported.frames.items():
        shown = f"The first {min(len(frame), _SHOWN_ROWS)} of {count(len(frame), 'row')}"
        with st.expander(f"{title.capitalize()}: {shown.lower()}", expanded=True):
            st.dataframe(without_empty(frame.head(_SHOWN_ROWS)), hide_index=True, placeholder="–")


def _store(context: PageContext, checked: Checked, name: str) -> None:
    with st.spinner("Storing"):
        added = write_import(
            context.store, context.collection_id, checked.imported, name=name, by=context.person_id
        )
        st.session_state[_UPLOADS] += 1
        del st.session_state[_CHECKED]
    finish(f"Imported: {_describe(added)}.")


def _describe(added: dict[str, int]) -> str:
    rows = [
        count(number, table.replace("_", " ").removesuffix("s"))
        for table, number in sorted(added.items())
        if number and table != "already there"
    ]
    stored = added["already there"]
    already = f"; {count(stored, 'row is', 'rows are')} there already" if stored else ""
    named = " and ".join(filter(None, [", ".join(rows[:-1]), *rows[-1:]]))
    return (named or "nothing") + already
