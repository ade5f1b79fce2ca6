"""Keeping a page fresh: it is drawn again soon after its collection has moved.

Saying how old what a page shows is, where the database of the store cannot be reached.
"""

import streamlit as st

from core.language.translate import t
from core.store.backing import BEHIND
from core.store.store import Store
from pages.shared.notice import draw_again
from pages.shared.session import PageContext

SECONDS = 1.2


def keep_fresh(context: PageContext) -> None:
    """Run the page again soon after the collection has moved; do nothing while it stands.

    Also when what it reads has become old, or is no longer: it then says so, or not.

    Call it before anything is read: what comes while the page is drawn is then seen as new, and
    a page that cannot be drawn yet still wakes up.
    """
    seen = context.store.state(context.collection_id), is_old(context.store)

    @st.fragment(run_every=SECONDS)
    def watch() -> None:
        moved = (context.store.state(context.collection_id), is_old(context.store)) != seen
        # It runs with the address that the browser had when it asked. If the page has changed it
        # meanwhile, to draw again now would lead back to where the person just came from.
        is_known = st.query_params.to_dict() == context.drawing.address
        if moved and is_known and context.drawing.may_be_followed():
            draw_again()

    watch()


def is_old(store: Store) -> bool:
    """Tell whether what is read may lack what was saved in more than the last two seconds."""
    return store.behind() > BEHIND


def say_how_old(store: Store) -> None:
    """Say how old what is read is, where it is."""
    if is_old(store):
        st.warning(
            t(
                "What stands here is as of {n} seconds ago: the database of this store does not "
                "answer. Until it is back no names are shown and nothing can be changed. "
                "Judgements wait in the browsers of those who give them, and are saved then.",
                n=round(store.behind()),
            ),
            icon=":material/cloud_off:",
        )
