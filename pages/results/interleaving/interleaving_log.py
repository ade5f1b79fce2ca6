"""A log of interleaved lists that people clicked: read, told, and not kept."""

import streamlit as st

from core.analysis.results.interleaving import preference_in_log
from core.collection.click_logs.interleaving_log import read_interleaving_log
from core.collection.files.source import Source
from core.errors import DissentError
from core.figures.interleaving import draw_preferences
from core.wording import plain_with_facts
from pages.results.interleaving.interleaving_parts import FIXED
from pages.results.interleaving.interleaving_question import InterleavingContext
from pages.shared.figure import show_figure
from pages.shared.wording import refuse, show_notes

LAYOUT = (
    "TSV or CSV with the columns `session`, `topic`, `rank`, `document`, `clicked` and `team` "
    "(first or second), a list beginning at rank 1; or JSONL, a list a line, with `session`, "
    "`topic`, `shown`, `clicks` (ids or ranks) and `teams`. Balanced and probabilistic "
    "interleaving need no teams. The lists have to be made of the two runs chosen above, by the "
    "method chosen under *Options*. The file is not kept."
)
SHOWN = (
    "Δ of the lists in the log, with its 95 % limits: sessions are sampled. It holds for the users "
    "and topics of the log; whether they are like others is not known here."
)


def show_log(asked: InterleavingContext) -> None:
    """Let somebody give a log, and say whom its users prefer."""
    file = st.file_uploader(
        "Log of interleaved lists",
        type=["tsv", "csv", "txt", "jsonl", "json", "gz"],
        help=LAYOUT,
        key="interleaving-log",
    )
    if file is None:
        st.caption(LAYOUT)
        return
    source = Source(file.name, file.getvalue())
    try:
        lists = read_interleaving_log(source)
        found = preference_in_log(asked.context.study, lists, asked.question, source.name)
    except DissentError as error:
        refuse(error, "Nothing was read.")
        return
    st.markdown(plain_with_facts(found.answer))
    show_notes(found.notes)
    show_figure(
        draw_preferences(found.preference),
        found.preference,
        "interleaving-of-log",
        SHOWN,
        nobody=FIXED,
    )
    if found.comparison.reason:
        st.caption(f"Missing: {found.comparison.reason}.")
