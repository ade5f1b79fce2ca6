"""Every page by every visitor: who is let in where, on a fresh server and after a restart."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.store.content.collections import create_collection
from core.store.people.members import add_member, add_viewer, drop_member
from core.store.people.people import add_person, begin_session, end_session
from core.store.store import Store, utc_now
from pages.server.running import server, stop
from pages.shared.navigation import PAGES
from tests.pages.conftest import MAIN, lasting_filled
from tests.patience import PATIENCE
from tests.short import few

store = lasting_filled

REFUSED = "You are not allowed to see this page. Sign in with another invitation."
EVERYBODY = {"organiser", "assessor", "viewer"}
RESULTS = {"organiser", "viewer"}
DOORS = {
    "judge": {"assessor"},
    "history": {"assessor"},
    "monitor": RESULTS,
    "questions": RESULTS,
    "agreement": RESULTS,
    "assessors": RESULTS,
    "disagreement": RESULTS,
    "verification": RESULTS,
    "machines": RESULTS,
    "clicks": RESULTS,
    "qrels": RESULTS,
    "adjudicate": {"organiser"},
    "effectiveness": RESULTS,
    "ranking": RESULTS,
    "unpooled": RESULTS,
    "comparison": RESULTS,
    "preferences": RESULTS,
    "informativeness": RESULTS,
    "interleaving": RESULTS,
    "precision-recall": EVERYBODY,
    "one-number": EVERYBODY,
    "graded-relevance": EVERYBODY,
    "rank-correlation": EVERYBODY,
    "disagreeing-users": EVERYBODY,
    "position-bias": EVERYBODY,
    "class-mode": {"organiser"},
    "glossary": EVERYBODY,
    "collection": {"organiser"},
    "assignments": {"organiser"},
    "matrix": {"organiser"},
    "machine-judge": {"organiser"},
    "judging-orders": RESULTS,
    "plan": {"organiser"},
    "enough": {"organiser"},
    "people": {"organiser"},
    "hours": {"organiser"},
    "export": {"organiser"},
    "audit": {"organiser"},
    "account": EVERYBODY,
}
"""Who may open each page. A page that is missing here fails: decide, then write it down."""

ROLE_OF = {
    "anonymous": "",
    "assessor": "assessor",
    "other assessor": "assessor",
    "dropped assessor": "assessor",
    "viewer": "viewer",
    "organiser": "organiser",
    "expired organiser": "",
    "idle organiser": "",
    "signed-out organiser": "",
    "disabled organiser": "",
}

ASKED_FIRST = {"anonymous", "assessor", "viewer"}
"""Of these the short form knows that a page asks by itself, the rest have no other role."""


def make_visitors(store: Store, collection_id: str) -> dict[str, str]:
    """Return the session token of each visitor, some of them no longer good."""
    tokens = {"anonymous": "of nobody"}
    for visitor, role in ROLE_OF.items():
        if visitor != "anonymous":
            person = add_person(store, visitor.title(), role or "organiser")
            tokens[visitor] = begin_session(store, person)
            _place(store, collection_id, visitor, person, tokens[visitor])
    return tokens


def _place(store: Store, collection_id: str, visitor: str, person: str, token: str) -> None:
    past = utc_now() - timedelta(days=40)
    elsewhere = create_collection(store, "Elsewhere") if visitor == "other assessor" else ""
    columns = {"expired organiser": "expires_at", "idle organiser": "seen_at"}
    if visitor in ("assessor", "dropped assessor", "other assessor"):
        add_member(store, elsewhere or collection_id, person, visitor)
    if visitor == "dropped assessor":
        drop_member(store, collection_id, person)
    elif visitor == "viewer":
        add_viewer(store, collection_id, person)
    elif visitor == "signed-out organiser":
        end_session(store, token)
    elif visitor == "disabled organiser":
        with store.database.write() as cursor:
            cursor.execute("UPDATE people SET disabled_at = ? WHERE person_id = ?", [past, person])
    elif column := columns.get(visitor):
        with store.database.write() as cursor:
            cursor.execute(f"UPDATE sessions SET {column} = ? WHERE person_id = ?", [past, person])


@pytest.fixture(scope="module")
def tokens(store: Store, filled_store: tuple[object, str]) -> dict[str, str]:
    return make_visitors(store, filled_store[1])


@pytest.fixture(scope="module", params=few(["fresh", "restarted"]))
def server_state(store: Store, tokens: dict[str, str], request: pytest.FixtureRequest) -> None:
    """A server that has just made its store, or that has been started again on it."""
    if request.param == "restarted":
        stop()
        assert server().store is not store


def doors_of(visitor: str, *, long_form: bool) -> dict[str, set[str]]:
    """Return every page; for those who are out like anybody else, every fifth.

    In the short form assessors of nothing here are like the assessor as well.
    """
    is_alike = not ROLE_OF[visitor] and visitor != "anonymous"
    if not long_form:
        is_alike = is_alike or visitor in ("other assessor", "dropped assessor")
    return dict([*DOORS.items()][:: 5 if is_alike else 1])


@pytest.fixture
def drawn(visitor: str, long_form: bool) -> Iterator[list[str]]:
    """Which pages were drawn, as their own functions tell.

    In the short form they go on to draw for the organiser only: for others they are let in or not.
    """
    seen: list[str] = []
    goes_on = long_form or visitor == "organiser"
    kept = {page: page.draw for page in PAGES}

    def spy(path: str, draw: Callable[[Any], None]) -> Callable[[Any], None]:
        def told(context: Any) -> None:
            seen.append(path)
            if goes_on:
                draw(context)

        return told

    for page, draw in kept.items():
        object.__setattr__(page, "draw", spy(page.path, draw))
    yield seen
    for page, draw in kept.items():
        object.__setattr__(page, "draw", draw)


def context(address: str, token: str, **state: Any) -> AppTest:
    """Open an address with the session that a token stands for."""
    at = AppTest.from_file(MAIN, default_timeout=PATIENCE)
    for key, value in {"session_token": token, **state}.items():
        at.session_state[key] = value
    at._page_hash = calc_hash(address)
    return at.run()


def run_unguarded(path: str, token: str) -> AppTest:
    """Run a page as if the navigation had let anybody through to it."""

    def script(path: str) -> None:
        from pages.shared.navigation import PAGES

        next(page for page in PAGES if page.path == path).run()

    at = AppTest.from_function(script, args=(path,), default_timeout=PATIENCE)
    at.session_state["session_token"] = token
    return at.run()


def test_somebody_has_decided_who_may_open_each_page():
    assert {page.path: set(page.roles) for page in PAGES} == DOORS


@pytest.mark.usefixtures("server_state")
@pytest.mark.parametrize("visitor", ROLE_OF)
def test_every_page_opens_to_whom_it_is_for(
    tokens: dict[str, str], drawn: list[str], visitor: str, long_form: bool
):
    for path, roles in doors_of(visitor, long_form=long_form).items():
        drawn.clear()
        at = context(path, tokens[visitor])
        assert not at.exception, path
        assert (path in drawn) == (ROLE_OF[visitor] in roles), path
        if not ROLE_OF[visitor]:
            assert not drawn
            assert any("signed out" in one.value for one in at.info)


@pytest.mark.parametrize(
    "visitor", few(sorted(ROLE_OF, key=ASKED_FIRST.__contains__, reverse=True), 3)
)
def test_every_page_asks_again_who_is_there(
    tokens: dict[str, str], drawn: list[str], visitor: str, long_form: bool
):
    for path, roles in doors_of(visitor, long_form=long_form).items():
        if ROLE_OF[visitor] in roles:
            continue
        at = run_unguarded(path, tokens[visitor])
        assert not drawn, path
        assert [one.value for one in at.error] == [REFUSED], path
        assert not at.markdown, path
