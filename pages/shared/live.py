"""Keeping a page fresh: it is drawn again soon after its collection has moved."""

import streamlit as st

from pages.shared.notice import draw_again
from pages.shared.session import PageContext

SECONDS = 1.2


def keep_fresh(context: PageContext) -> None:
    """Run the page again soon after the collection has moved; do nothing while it stands.

    Call it before anything is read: what comes while the page is drawn is then seen as new, and
    a page that cannot be drawn yet still wakes up.
    """
    seen = context.store.state(context.collection_id)

    @st.fragment(run_every=SECONDS)
    def watch() -> None:
        moved = context.store.state(context.collection_id) != seen
        if moved and context.drawing.may_be_followed():
            draw_again()

    watch()
