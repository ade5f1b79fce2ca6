"""Who is looking, at which collection, and when their page is drawn.

A live page rests before the next time, and lets others be finished.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.analysis.base.study import Study
from core.errors import NotAllowed, NotFound
from core.language.translate import ENGLISH, find_language
from core.store.content.collections import Collection, list_collections
from core.store.people.members import collections_of, viewed_by
from core.store.people.people import Person, find_session, hash_token
from core.store.store import Store
from pages.server.running import server
from pages.shared.sheet import Sheet

RESTS, LONGEST_REST, LONGEST_WAIT = 2, 5.0, 5.0

_under_way: list["Drawing"] = []


@dataclass(eq=False)
class Drawing:
    """One drawing of a page, to be entered as it begins and left as it ends.

    ``began`` and ``ended`` are seconds on the clock that only goes forward; None until then.
    ``address`` is what the address said when it ended, by name.
    """

    began: float | None = None
    ended: float | None = None
    address: dict[str, str] | None = None

    def __enter__(self) -> "Drawing":
        _under_way.append(self)
        self.began = time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.ended = time.monotonic()
        _under_way.remove(self)

    def may_be_followed(self) -> bool:
        """Tell whether it is time to draw the page again because labels have come.

        It rests twice as long as it took: judging comes first. And it waits while another page is
        being drawn, for five seconds at most: two at once take longer than one after the other.
        """
        if self.began is None or self.ended is None:
            return False
        rest = min(RESTS * (self.ended - self.began), LONGEST_REST)
        waited = time.monotonic() - self.ended - rest
        return waited >= (LONGEST_WAIT if _under_way else 0)


if TYPE_CHECKING:
    from pages.server.machine_jobs import MachineJobs

_TOKEN = "session_token"
_COLLECTION = "collection"
_NEXT = "next_collection_id"
_SHOWN = "shown_collection_id"
_ANEW = "begin_anew"


@dataclass(frozen=True)
class PageContext:
    """One run of a page: the store, the person, and the collection they look at.

    ``collection_id`` is empty when there is none for them. ``session_id`` stands for the session
    that they are signed in with; it proves nothing by itself. ``aspect`` is that whose levels are
    in view; empty for relevance.
    """

    store: Store
    demo: bool
    person: Person | None
    collection_id: str = ""
    session_id: str = ""
    drawing: Drawing = field(default_factory=Drawing, compare=False)
    head: Sheet | None = field(default=None, compare=False)
    aspect: str = ""

    @property
    def sheet(self) -> Sheet:
        """The top of the page that is being drawn; raises NotFound for pages without one."""
        if self.head is None:
            raise NotFound("This page has no head.")
        return self.head

    @property
    def address(self) -> dict[str, str]:
        """What the address says besides the page, so that a link shows the same collection."""
        return {_COLLECTION: self.collection_id} if self.collection_id else {}

    @property
    def is_masked(self) -> bool:
        """Whether assessors appear by codes only, and their comments not at all."""
        return self.person is None or self.person.role == "viewer"

    @property
    def may_change(self) -> bool:
        """Whether this is somebody who decides what becomes of labels."""
        return self.person is not None and self.person.role == "organiser"

    @property
    def machine_jobs(self) -> "MachineJobs | None":
        """What runs jobs of machines here; None where the operator has named no server to ask."""
        return server().machine_jobs

    @property
    def language(self) -> str:
        """The language of what this person reads: their collection's, but for organisers."""
        is_assessor = self.person is not None and self.person.role == "assessor"
        return self.study.collection.language if is_assessor and self.collection_id else ENGLISH

    @property
    def reading_language(self) -> str:
        """The language of explanations for everybody: the collection's, or else the browser's."""
        if self.collection_id and self.study.collection.language != ENGLISH:
            return self.study.collection.language
        return asked_language()

    @property
    def person_id(self) -> str:
        """The id of the signed-in person."""
        if self.person is None:
            raise NotFound("Nobody is signed in.")
        return self.person.person_id

    @cached_property
    def study(self) -> Study:
        """The collection in view, as this person may see it; of one moment for this run."""
        return Study(self.store, self.collection_id, self.is_masked, self.aspect)

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


def asked_language() -> str:
    """Return the language that this visitor's browser asks for, of those that there are."""
    return find_language(st.context.headers.get("Accept-Language", ""))


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
    chosen = _choose(list_open(running.store, person))
    if person.role == "organiser" and running.store.is_cut_off():
        # Who was shut out elsewhere would not be known here: old numbers, no names, no change.
        person = replace(person, role="viewer")
    return PageContext(running.store, running.demo, person, chosen, hash_token(token))


def _choose(open_to: Mapping[str, str]) -> str:
    """Return the collection in view: just chosen, in the address, seen last, or else the first.

    The address names it from then on, so that a reload, a bookmark or a second tab shows it.
    """
    asked = (
        st.session_state.pop(_NEXT, ""),
        st.query_params.get(_COLLECTION, ""),
        shown_collection(),
    )
    chosen = next((one for one in asked if one in open_to), next(iter(open_to), ""))
    st.session_state[_SHOWN] = chosen
    if (kept := st.session_state.pop(_ANEW, None)) is not None:
        _forget_choices(kept)
    if chosen and st.query_params.get(_COLLECTION) != chosen:
        st.query_params[_COLLECTION] = chosen
    return chosen


def while_signed_in(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """Return what makes a download, for as long as it may be had by whom it was offered to.

    A page that is still open in another tab could otherwise hand out files after signing out, or
    of a collection that is no longer open to somebody: a download asked for late is made without
    running the page.
    """
    token, shown = st.session_state.get(_TOKEN, ""), shown_collection()

    def checked() -> bytes:
        server().store.require_reach()
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


def change_to(collection_id: str, kept: Iterable[str] = ()) -> None:
    """Look at this collection from the next run on, and begin anew: with what it declares.

    ``kept`` names what in the address holds on every collection.
    """
    look_at(collection_id)
    st.session_state[_ANEW] = {*kept}


def _forget_choices(kept: set[str]) -> None:
    """Forget what was chosen on another collection, here and in the address.

    Streamlit hands the value of a control on to the next one with its key, and takes the first
    from the address: both would be of the other collection.
    """
    running = get_script_run_ctx()
    if running is None:
        return
    left = {name: one for name, one in st.query_params.to_dict().items() if name in kept}
    with running.session_state.query_params() as address:
        address.populate_from_query_string(urlencode(left))
        address.set_initial_query_params_from_current()
    for key in {*running.session_state._state._key_id_mapper.id_key_mapping.values()}:
        if key in st.session_state:
            del st.session_state[key]


def list_open(store: Store, person: Person) -> dict[str, str]:
    """Return the names of the collections a person may see, by id."""
    collections = {one.collection_id: one.name for one in list_collections(store)}
    if person.role == "organiser":
        return collections
    opened = viewed_by if person.role == "viewer" else collections_of
    return {known: collections[known] for known in opened(store, person.person_id)}
