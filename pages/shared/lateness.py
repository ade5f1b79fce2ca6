"""Saying how old what a page shows is, where the database of the store cannot be reached."""

import streamlit as st

from core.language.translate import t
from core.store.backing import BEHIND
from core.store.store import Store


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
