"""Who is looking, and at which collection."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import streamlit as st

from core.analysis.base.study import Study
from core.errors import NotAllowed, NotFound
from core.store.content.collections import Collection, list_collections
from core.store.people.members import collections_of
from core.store.people.people import Person, find_session, hash_token
from core.store.people.viewers import viewed_by
from core.store.store import Store
from pages.server.running import server
from pages.shared.drawing import Drawing

_TOKEN = "session_token"
_COLLECTION = "collection_id"
_NEXT = "next_collection_id"
_SHOWN = "shown_collection_id"


@dataclass(frozen=True)
class PageContext:
    """One run of a page: the store, the person, and the collection they look at.

    ``collection_id`` is empty when there is none for them. ``session_id`` stands for the session
    that they are signed in with; it proves nothing by itself.
    """

    store: Store
    demo: bool
    person: Person | None
    collection_id: str = ""
    session_id: str = ""
    drawing: Drawing = field(default_factory=Drawing, compare=False)

    @property
    def is_masked(self) -> bool:
        """Whether assessors appear by codes only, and their comments not at all."""
        return self.person is None or self.person.role == "viewer"

    @property
    def may_change(self) -> bool:
        """Whether this is somebody who decides what becomes of labels."""
        return self.person is not None and self.person.role == "organiser"

    @property
    def person_id(self) -> str:
        """The id of the signed-in person."""
        if self.person is None:
            raise NotFound("Nobody is signed in.")
        return self.person.person_id

    @cached_property
    def study(self) -> Study:
        """The collection in view, as this person may see it; of one moment for this run."""
        return Study(self.store, self.collection_id, self.is_masked)

    @property
    def sequence(self) -> int:
        """The collection's latest label event when this run first asked."""
        return self.study.sequence

    @property
    def collection(self) -> Collection:
        """The collection in view; raises NotFound when there is none."""
        if not self.collection_id:
            raise NotFound("There is no collection yet.")
        return self.study.collection


def session_cookie(secret: str) -> str:
    """Return the name of the cookie that holds a session of the store with this key.

    Cookies know no ports: with one name for all, two servers on a host would sign people out of
    each other.
    """
    return f"dissent_{hash_token(f'cookie {secret}')[:10]}"


def current_context() -> PageContext:
    """Return who is looking; the session is looked up again at every run."""
    running = server()
    token: str = st.session_state.get(_TOKEN) or st.context.cookies.get(
        session_cookie(running.store.secret), ""
    )
    person = find_session(running.store, token) if token else None
    if person is None:
        return PageContext(running.store, running.demo, None)
    st.session_state[_TOKEN] = token
    open_to = list_open(running.store, person)
    if _NEXT in st.session_state:
        st.session_state[_COLLECTION] = st.session_state.pop(_NEXT)
    chosen = st.session_state.get(_COLLECTION)
    if chosen not in open_to:
        chosen = next(iter(open_to), "")
    st.session_state[_SHOWN] = chosen
    return PageContext(running.store, running.demo, person, chosen, hash_token(token))


def while_signed_in(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """Return what makes a download, for as long as it may be had by whom it was offered to.

    A page that is still open in another tab could otherwise hand out files after signing out, or
    of a collection that is no longer open to somebody: a download asked for late is made without
    running the page.
    """
    token, shown = st.session_state.get(_TOKEN, ""), shown_collection()

    def checked() -> bytes:
        person = find_session(server().store, token)
        if person is None:
            raise NotAllowed("You have signed out. Sign in again to download this.")
        if shown and shown not in list_open(server().store, person):
            raise NotAllowed("This collection is no longer open to you.")
        return make()

    return checked


def shown_collection() -> str:
    """Return the id of the collection in view; empty when there is none."""
    return str(st.session_state.get(_SHOWN, ""))


def look_at(collection_id: str) -> None:
    """Look at this collection from the next run on."""
    st.session_state[_NEXT] = collection_id


def list_open(store: Store, person: Person) -> dict[str, str]:
    """Return the names of the collections a person may see, by id."""
    collections = {one.collection_id: one.name for one in list_collections(store)}
    if person.role == "organiser":
        return collections
    opened = viewed_by if person.role == "viewer" else collections_of
    return {known: collections[known] for known in opened(store, person.person_id)}


def choose_collection(context: PageContext) -> None:
    """Offer the collections in the sidebar when there are several."""
    if context.person is None:
        return
    names = list_open(context.store, context.person)
    if len(names) > 1:
        st.session_state[_COLLECTION] = context.collection_id
        st.sidebar.selectbox(
            "Collection", list(names), format_func=names.__getitem__, key=_COLLECTION
        )
