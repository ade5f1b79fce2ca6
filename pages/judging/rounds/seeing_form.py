"""Whether assessors may see afterwards where others differ: the organiser's choice."""

import streamlit as st

from core.analysis.agreement.afterwards import looking_of
from core.analysis.base.wording import count
from core.store.events.afterwards import Seeing, allow_seeing, get_seeing
from pages.shared.notice import finish
from pages.shared.session import PageContext

_SET = {
    (False, False): "Assessors see nothing of each other.",
    (True, False): "Who has finished a topic may see there where others differ, without comments.",
    (True, True): "Who has finished a topic may see there where others differ, with comments.",
}
EXPLANATION = (
    "An assessor who has finished a topic, and to whom nothing of it can be assigned again, may "
    "then open it: they see the items on which others gave another level, and keep or change "
    "theirs. Others appear as letters, drawn anew for each topic; where only two judge a topic, a "
    "letter hides nobody. Gold items and hidden repeats are never shown.\n\n"
    "What was given before stays, and counts in agreement and qrels. What is said afterwards is "
    "marked, and counts only in versions made *after discussion*. A later round on a topic that "
    "somebody has opened gets marked labels from them: open such rounds first."
)


def offer_seeing(context: PageContext) -> None:
    """Let the organiser choose what assessors see once they are done; nothing unless chosen."""
    now = get_seeing(context.store, context.collection_id)
    with st.expander("What assessors see of each other afterwards"):
        st.markdown(EXPLANATION)
        levels = st.toggle(
            "Who has finished a topic may see where others differ",
            now.is_allowed,
            key=f"seeing-levels-{now.is_allowed}",
        )
        comments = st.toggle(
            "Also what others commented there",
            now.comments,
            disabled=not levels,
            key=f"seeing-comments-{now.comments}",
        )
        wanted = Seeing(levels, levels and comments)
        pressed = st.button("Set this", disabled=wanted == now, type="primary", key="seeing-set")
        looking = looking_of(context.study)
        if looking.topics:
            opened = count(looking.people, "assessor")
            st.caption(
                f"{opened} opened {count(looking.topics, 'topic')} in all, and made "
                f"{count(looking.marked, 'judgement')} there since. *Agreement*, *Seen afterwards* "
                "has what changed."
            )
    if pressed:
        allow_seeing(context.store, context.collection_id, wanted, by=context.person_id)
        finish(_SET[levels, wanted.comments])
