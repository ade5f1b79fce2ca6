"""Wrong clocks: those of browsers decide nothing, that of the server holds no place for ever."""

import random
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from core.assessment.handing_out.queue import AWAY, finish_assignment, take_assignment
from core.assessment.rounds.rounds import Plan, open_round
from core.errors import NotAllowed
from core.store.check.check_rounds import SLOTS
from core.store.people import people, sessions, tokens
from core.store.people.token_scopes import SCOPES
from core.store.rounds.rounds import read_slots
from core.store.store import Store, utc_now
from pages.server.running import Server
from tests.bench.collection import prepare
from tests.browser.running import Running
from tests.core.assessment.conftest import ASSESSORS, Small, small, small_store
from tests.faults.assessors import Crowd, make_assessors, tally
from tests.short import few, long

__all__ = ["small", "small_store"]

SEED = 7005
TOLD = ("1970-01-01T00:00:00Z", "2099-12-31T23:59:59+14:00", "yesterday", "", "2026-03-02T02:30:00")


@long
def test_browsers_whose_clocks_are_wrong(
    tmp_path: Path, record_property: Callable[[str, object], None]
):
    path = tmp_path / "store.duckdb"
    prepared = prepare(path, documents=20, assessors=len(TOLD))
    server = Running(path, tmp_path / "server.log")
    assessors = make_assessors(server.port, prepared, SEED)
    for one, told in zip(assessors, TOLD, strict=True):
        one.client_time = told
    crowd = Crowd(assessors)
    before = utc_now()
    server.start()
    try:
        crowd.begin()
        time.sleep(2)
        crowd.finish()
    finally:
        server.kill()
    found = tally(path, assessors)
    record_property("counts", str(found))
    assert found.is_clean(), str(found)
    store = Store(path)
    (times,) = store.cursor().execute("SELECT list(time ORDER BY sequence) FROM labels").fetchone()
    store.close()
    assert len(times) == found.made
    assert times == sorted(times)
    assert before <= times[0] <= times[-1] <= utc_now()


@long
def test_a_token_from_before_the_clock_was_set_back_is_renewed(tmp_path: Path):
    path = tmp_path / "store.duckdb"
    prepared = prepare(path, documents=5, assessors=1)
    ahead = make_token(prepared.secret, [asdict(prepared.grants[0]), prepared.sessions[0]], 7200)
    server = Running(path, tmp_path / "server.log")
    server.start()
    try:
        request = urllib.request.Request(
            f"{server.address}/api/labels",
            data=b'{"events": []}',
            headers={"Authorization": f"Bearer {ahead}"},
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        refused.value.close()
    finally:
        server.kill()
    assert refused.value.code == 401  # on which a browser asks for a new one, and sends again


@pytest.mark.parametrize("ahead", few([1, 30, 50], 2))
def test_a_token_of_a_server_whose_clock_is_a_little_ahead_counts(store: Store, ahead: int):
    """Any server takes any label: otherwise none did for a second after it was handed out."""
    serving = Server(store, demo=False)
    token = make_token(store.secret, ["x"], ahead)
    assert serving.read_signed("judge in a session", token) == ["x"]
    for seconds in (3_600, -13 * 3_600):
        with pytest.raises(NotAllowed):
            serving.read_signed("judge in a session", make_token(store.secret, ["x"], seconds))


def test_a_token_that_was_read_before_the_clock_was_set_back_is_renewed(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    serving = Server(store, demo=False)
    token = make_token(store.secret, ["x"], 0)
    assert serving.read_signed("judge in a session", token) == ["x"]
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 3_600)
    with pytest.raises(NotAllowed):
        serving.read_signed("judge in a session", token)


def set_clock(patch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Set the clock of everything that lets people in."""
    for module in (people, sessions, tokens):
        patch.setattr(module, "utc_now", lambda: utc_now() + by)


YEAR = timedelta(days=365)


@dataclass
class Doors:
    """What somebody was given to come in by."""

    session: str
    token: str
    invitation: str

    def open(self, store: Store) -> list[bool]:
        """Tell by which of them they come in now."""
        try:
            invited = bool(people.find_invited(store, self.invitation))
        except NotAllowed:
            invited = False
        is_in = people.find_session(store, self.session) is not None
        return [is_in, tokens.find_token(store, self.token) is not None, invited]


def give_doors(store: Store) -> Doors:
    person = people.add_person(store, f"Olga {uuid.uuid4()}", "organiser")
    return Doors(
        people.begin_session(store, person),
        tokens.make_token(store, person, "x", SCOPES["organiser"], days=30),
        people.invite(store, person),
    )


@pytest.mark.parametrize("is_guarded", few([True, False]), ids=["guarded", "without its guard"])
def test_what_was_given_while_the_clock_was_a_year_ahead_is_open_no_year_longer(
    store: Store, is_guarded: bool, monkeypatch: pytest.MonkeyPatch
):
    if not is_guarded:
        monkeypatch.setattr(people, "AHEAD", 10 * YEAR)
        monkeypatch.setattr(tokens, "AHEAD", 10 * YEAR)
    with monkeypatch.context() as patch:
        set_clock(patch, YEAR)
        given = give_doors(store)
        assert given.open(store) == [True] * 3
    assert given.open(store) == [not is_guarded] * 3
    assert people.is_organised(store) != is_guarded, "else no link is printed at the next start"
    assert give_doors(store).open(store) == [True] * 3, "whoever was shut out gets in anew"


@pytest.mark.parametrize("hours", few([-1, 1, -23, 23]))
def test_a_clock_that_jumps_by_hours_shuts_nobody_out(
    store: Store, hours: int, monkeypatch: pytest.MonkeyPatch
):
    given = give_doors(store)
    with monkeypatch.context() as patch:
        set_clock(patch, timedelta(hours=hours))
        assert given.open(store) == [True] * 3
        later = give_doors(store)
        assert later.open(store) == [True] * 3
    assert given.open(store) == later.open(store) == [True] * 3


def test_a_clock_that_jumps_a_year_ahead_and_back_ends_nothing_for_good(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    given = give_doors(store)
    with monkeypatch.context() as patch:
        set_clock(patch, YEAR)
        assert given.open(store) == [False] * 3
    assert given.open(store) == [True] * 3


def make_token(secret: str, content: object, seconds: int) -> str:
    """Return a token that a clock so far ahead dates."""

    class Ahead(TimestampSigner):
        def get_timestamp(self) -> int:
            return super().get_timestamp() + seconds

    signer = URLSafeTimedSerializer(secret, salt="judge in a session", signer=Ahead)
    return str(signer.dumps(content))


@long
@pytest.mark.parametrize("seed", few(range(SEED, SEED + 5)))
def test_leases_while_the_clock_jumps(small: Small, seed: int):
    """Exactly k places, no two of one person's, and all of it is judged in the end."""
    plan = Plan(judges=2, depth=3, flow="page only", batch_size=2, lease_minutes=30)
    open_round(small.store, small.collection_id, plan)
    rng, now = random.Random(seed), datetime(2026, 3, 2, 9)
    for _ in range(120):
        now += rng.choice(JUMPS)
        held = take_assignment(small.store, small.collection_id, rng.choice(ASSESSORS), now)
        if held and rng.random() < 0.2:
            finish_assignment(small.store, held)
        check_places(small)
    now = datetime(2026, 3, 2, 12)
    for person in ASSESSORS:
        while held := take_assignment(small.store, small.collection_id, person, now):
            finish_assignment(small.store, held)
    slots = read_slots(small.store.cursor(), small.collection_id)
    assert all(slot.finished_at for slot in slots)
    check_places(small)
    assert SLOTS.check(small.store).faults == ()


def test_a_lease_from_a_clock_that_was_ahead_lapses_like_any_other(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1, depth=3, lease_minutes=30))
    now = datetime(2026, 3, 2, 9)
    ahead = now + timedelta(days=3650)
    taken = take_assignment(small.store, small.collection_id, "anna", ahead)
    assert taken
    mine = take_assignment(small.store, small.collection_id, "bob", now)
    assert mine
    assert mine.topic_id != taken.topic_id
    finish_assignment(small.store, mine)
    later = now + timedelta(minutes=31) + AWAY  # it may have been one of what is kept offline
    got = set()
    while held := take_assignment(small.store, small.collection_id, "bob", later):
        got.add(held.topic_id)
        finish_assignment(small.store, held)
    assert taken.topic_id in got


JUMPS = tuple(
    timedelta(minutes=minutes) for minutes in (1, 1, 1, 5, 20, 45, -300, 240, 3_000_000, -3_000_000)
)


def check_places(small: Small) -> None:
    """Assert that every batch has two places, not both of one person's."""
    slots = read_slots(small.store.cursor(), small.collection_id)
    places = Counter((slot.topic_id, slot.batch) for slot in slots)
    assert set(places.values()) == {2}
    held = Counter((slot.topic_id, slot.batch, slot.assessor_id) for slot in slots)
    assert all(n == 1 for (_, _, person), n in held.items() if person is not None)
