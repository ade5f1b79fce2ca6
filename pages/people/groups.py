"""Whether groups of assessors rank systems differently: a part of the page of assessors."""

import streamlit as st

from core.analysis.people.groups import ask_groups
from core.errors import BadInput, TooLittleData
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_report
from pages.shared.session import PageContext
from pages.shared.wording import refuse

PURPOSE = (
    "Groups are those under *Roster*; the page *Collection* declares what they are by, and whether "
    "that is a personal attribute. People, with all their labels, are dealt anew to groups of the "
    "same sizes: **p** is the share of dealings in which two groups are at least as far apart. "
    "Systems are scored by the declared measure and version, made of one group's labels."
)
SHOWN = {
    "orders": "**τ-b** is how alike two groups rank the systems; **dealt anew**, how alike two "
    "groups of these sizes do on average where nothing tells them apart.",
    "systems": "Mean scores over the topics that count for both groups; **p** is corrected for all "
    "systems (step-down), and for the pairs of groups.",
    "ranking": "Means with 95 % limits over topics, of topics that count for all groups.",
    "levels": "Only levels whose weight both groups tell; **p** is corrected for all of them.",
    "weights": "p(top | level) with 95 % limits over topics, the weight that follows, and the "
    "usual gains.",
    "groups": "Who has given labels that count.",
}
"""Tables in order, and what is to be known of each."""


def show_groups(context: PageContext, facet: str) -> None:
    """Say whether groups rank systems differently, and show the tables."""
    st.markdown(PURPOSE)
    try:
        found = ask_groups(context.study, facet)
        with st.spinner("People are dealt anew to the groups."):
            answer = found.answer
    except TooLittleData as error:
        st.info(f"Groups are not compared: {plain(str(error))}.")
        return
    except BadInput as error:
        refuse(error, "Groups are not compared.")
        return
    st.markdown(plain_with_facts(answer))
    for note in found.notes:
        st.caption(plain(f"{note[:1].upper()}{note[1:]}."))
    for name, meaning in SHOWN.items():
        if len(found.table(name)):
            st.subheader(found.tables[name].title)
            show_report(found, name, f"groups-{name}", meaning)
