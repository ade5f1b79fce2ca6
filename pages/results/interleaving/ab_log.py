"""The log of an A/B test, and whether its arms differ: a part of the page of interleaving."""

import streamlit as st

from core.collection.click_logs.ab_log import read_ab_log
from core.collection.files.source import Source
from core.errors import DissentError
from core.reports.ab_test import USUAL, ABQuestion, ABTest
from core.wording import plain_with_facts
from pages.shared.figure import show_report
from pages.shared.wording import refuse, show_notes

LAYOUT = (
    "TSV, CSV or JSONL with a row for each visit: `user`, `arm` (two of them), `outcome` (a "
    "number, such as clicks, or yes and no) and perhaps `before`, the user's outcome before the "
    "test. The file is not kept."
)
SHOWN = {
    "difference": "The other arm less the one it is compared with, with 95 % limits; users are "
    "what is sampled, and those with many visits weigh more. **Adjusted** takes away what the "
    "outcomes before the test foretell.",
    "arms": "Visits weigh alike in the outcome.",
    "split": "**p** is of χ² over users.",
    "needed": "At p < 0.05, with users who vary as these do.",
}
"""Tables in order, and what is to be known of each."""


def show_ab_log() -> None:
    """Let somebody give the log of an A/B test, and say whether its arms differ."""
    file = st.file_uploader(
        "Log of an A/B test",
        type=["tsv", "csv", "txt", "jsonl", "json", "gz"],
        help=LAYOUT,
        key="interleaving-ab-log",
    )
    if file is None:
        st.caption(LAYOUT)
        return
    try:
        log = read_ab_log(Source(file.name, file.getvalue()))
        found = ABTest(log, _choose_question(ABTest(log).names))
        answer = found.answer
    except DissentError as error:
        refuse(error, "Nothing was read.")
        return
    st.markdown(plain_with_facts(answer))
    show_notes(found.notes)
    for name, meaning in SHOWN.items():
        if len(found.table(name)):
            st.subheader(found.tables[name].title)
            show_report(found, name, f"ab-{name}", meaning)


def _choose_question(arms: tuple[str, str]) -> ABQuestion:
    first, share = st.columns(2)
    return ABQuestion(
        first.selectbox("Arm that the other is compared with", arms, key="interleaving-ab-first"),
        share.number_input(
            "Users planned for the other arm, in %",
            0.1,
            99.9,
            100 * USUAL.share,
            5.0,
            format="%g",
            key="interleaving-ab-share",
            help="The split is tested against this plan.",
        )
        / 100,
    )
