"""Who is looking, and at which collection."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from core.errors import NotAllowed, NotFound
from core.store.collection import Collection, get_collection, list_collections
from core.store.members import collections_of
from core.store.people import Person, find_session
from core.store.store import Store
from pages.shared.server import server

COOKIE = "dissent_session"
_TOKEN = "session_token"
_COLLECTION = "collection_id"
_NEXT = "next_collection_id"


@dataclass(frozen=True)
class Visit:
    """One run of a page: the store, the person, and the collection they look at.

    ``collection_id`` is empty when there is none for them.
    """

    store: Store
    demo: bool
    person: Person | None
    collection_id: str = ""

    @property
    def person_id(self) -> str:
        """The id of the signed-in person."""
        if self.person is None:
            raise NotFound("Nobody is signed in.")
        return self.person.person_id

    @cached_property
    def collection(self) -> Collection:
        """The collection in view; raises NotFound when there is none."""
        if not self.collection_id:
            raise NotFound("There is no collection yet.")
        return get_collection(self.store, self.collection_id)


def current_visit() -> Visit:
    """Return who is looking; the session is looked up again at every run."""
    running = server()
    token = st.session_state.get(_TOKEN) or st.context.cookies.get(COOKIE)
    person = find_session(running.store, token) if token else None
    if person is None:
        return Visit(running.store, running.demo, None)
    st.session_state[_TOKEN] = token
    open_to = list_open(running.store, person)
    if _NEXT in st.session_state:
        st.session_state[_COLLECTION] = st.session_state.pop(_NEXT)
    chosen = st.session_state.get(_COLLECTION)
    if chosen not in open_to:
        chosen = next(iter(open_to), "")
    return Visit(running.store, running.demo, person, chosen)


def while_signed_in(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """Return what makes a download, for as long as the session lasts that was offered it.

    A page that is still open in another tab could otherwise hand out files after signing out:
    a download asked for late is made without running the page.
    """
    token = st.session_state.get(_TOKEN, "")

    def checked() -> bytes:
        if find_session(server().store, token) is None:
            raise NotAllowed("You have signed out. Sign in again to download this.")
        return make()

    return checked


def look_at(collection_id: str) -> None:
    """Look at this collection from the next run on."""
    st.session_state[_NEXT] = collection_id


def list_open(store: Store, person: Person) -> dict[str, str]:
    """Return the names of the collections a person may see, by id."""
    collections = {one.collection_id: one.name for one in list_collections(store)}
    if person.role == "organiser":
        return collections
    return {known: collections[known] for known in collections_of(store, person.person_id)}


def choose_collection(visit: Visit) -> None:
    """Offer the collections in the sidebar when there are several."""
    if visit.person is None:
        return
    names = list_open(visit.store, visit.person)
    if len(names) > 1:
        st.session_state[_COLLECTION] = visit.collection_id
        st.sidebar.selectbox(
            "Collection", list(names), format_func=names.__getitem__, key=_COLLECTION
        )
