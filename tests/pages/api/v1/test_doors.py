"""Every operation by every holder of a token; and attacks, each of which its guard alone stops."""

import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import create_collection
from core.store.content.webhook_deliveries import queue_test
from core.store.content.webhooks import make_webhook
from core.store.people import tokens as kept
from core.store.people.members import add_member, add_viewer
from core.store.people.people import add_person, begin_session, hash_token, invite
from core.store.people.sessions import disable_person, enable_person
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import end_token, find_token, list_tokens, make_token
from core.store.store import Store, utc_now
from pages.api.v1 import guard
from pages.api.v1.endpoint import LARGEST_JSON
from pages.api.v1.table import OPERATIONS
from pages.shared.session import list_open, session_cookie
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.conftest import serve_copy
from tests.pages.test_doors import make_visitors
from tests.short import long

LIVE = {"organiser", "viewer", "assessor", "other assessor", "dropped assessor"}
OUT = {"nobody", "guessed", "expired", "ended", "disabled organiser"}
RESULTS, ORGANISER = {"organiser", "viewer"}, {"organiser"}
DOORS = {
    "showToken": LIVE,
    "acceptInvitation": set(),
    "listCollections": LIVE,
    "createCollection": ORGANISER,
    "showCollection": {*RESULTS, "assessor"},
    "importFile": ORGANISER,
    "listRounds": RESULTS,
    "openRound": ORGANISER,
    "showRound": RESULTS,
    "changeRound": ORGANISER,
    "listPeople": ORGANISER,
    "invitePeople": ORGANISER,
    "renewLink": ORGANISER,
    "nextAssignment": {"assessor"},
    "judge": {"assessor"},
    "listLabels": ORGANISER,
    "listPreferences": ORGANISER,
    "listQrelsVersions": RESULTS,
    "readQrels": RESULTS,
    "readScores": RESULTS,
    "readAgreement": RESULTS,
    "readGroups": RESULTS,
    "readComparison": RESULTS,
    "readFrame": RESULTS,
    "readCollections": RESULTS,
    "readFile": ORGANISER,
    "showDeclaration": RESULTS,
    "changeDeclaration": ORGANISER,
    "listWebhooks": ORGANISER,
    "createWebhook": ORGANISER,
    "testWebhook": ORGANISER,
    "sendAgain": ORGANISER,
    "removeWebhook": ORGANISER,
    "endToken": LIVE,
}
"""Who gets in where. An operation that is missing here fails: decide, then write it down."""

SENT: dict[str, Any] = {
    "acceptInvitation": {"invitation": "x", "name": "y"},
    "createCollection": {"name": "Another"},
    "importFile": b"t9\tlynx\n",
    "openRound": {"judges": 1, "flow": "page only"},
    "changeRound": {"closed": False},
    "changeDeclaration": {"measure": "AP"},
    "judge": {"events": [{}]},
    "createWebhook": {"address": "https://example.org/hook"},
}


def person_of(store: Store, session: str) -> str:
    sql = "SELECT person_id FROM sessions WHERE token_hash = ?"
    return str(store.cursor().execute(sql, [hash_token(session)]).fetchall()[0][0])


def set_back(store: Store, token: str, column: str) -> None:
    past = utc_now() - timedelta(seconds=1)
    with store.database.write() as cursor:
        cursor.execute(
            f"UPDATE tokens SET {column} = ? WHERE token_hash = ?", [past, hash_token(token)]
        )


@pytest.fixture(scope="module")
def visited(
    filled_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, str]]:
    """A store to be copied, with every visitor in it, and their tokens."""
    path, collection_id = filled_store
    copy = Path(shutil.copy(path, tmp_path_factory.mktemp("visited")))
    with closing(Store(copy)) as made:
        return copy, make_tokens(made, collection_id)


@pytest.fixture
def store(visited: tuple[Path, dict[str, str]], tmp_path: Path) -> Iterator[Store]:
    with serve_copy(visited[0], tmp_path) as opened:
        yield opened


@pytest.fixture
def tokens(visited: tuple[Path, dict[str, str]]) -> dict[str, str]:
    return visited[1]


def make_tokens(store: Store, filled: str) -> dict[str, str]:
    """Return the token of each visitor, with all that their role allows."""
    sessions = make_visitors(store, filled)
    made = {"nobody": "", "guessed": kept.PREFIX + "x" * 43}
    for visitor in (*sorted(LIVE), "disabled organiser"):
        role = visitor.split()[-1]
        person = person_of(store, sessions[visitor])
        made[visitor] = make_token(store, person, visitor, SCOPES[role])
    organiser = person_of(store, sessions["organiser"])
    for visitor, column in {"expired": "expires_at", "ended": "ended_at"}.items():
        made[visitor] = make_token(store, organiser, visitor, ["read", "write"])
        set_back(store, made[visitor], column)
    return made


def test_somebody_has_decided_who_may_ask_for_each_operation():
    assert {one.name for one in OPERATIONS} == set(DOORS)


def test_every_operation_answers_whom_it_should(store: Store, filled: str, tokens: dict[str, str]):
    opened = open_round(store, filled, Plan(judges=1, flow="page only"))
    client = DescribedClient(open_client())
    client.client.cookies.set(
        session_cookie(store.secret), begin_session(store, add_person(store, "Oz", "organiser"))
    )
    assessor = find_token(store, tokens["assessor"])
    assert assessor is not None
    hook = make_webhook(store, filled, "https://example.org/hook").webhook_id
    values = {
        "webhook": hook, "delivery": queue_test(store, filled, hook),
        "collection": filled, "round": opened, "person": assessor[0].person_id, "frame": "topics",
        "kind": "labels", "file": "t.tsv", "version": "all, maximum", "measure": "AP",
    }  # fmt: skip
    for name in sorted(DOORS, key="endToken".__eq__):  # That one last: no token holds after it.
        known = {one["name"] for one in client.found[name][2]["parameters"]}
        own = {key: value for key, value in values.items() if key in known}
        if name == "importFile":
            own["kind"] = "topics"
        for visitor in (*sorted(LIVE), *sorted(OUT)):
            client.token = tokens[visitor]
            body = SENT.get(name, {"people": [{"name": str(uuid.uuid4())}]})
            answer = client.send(name, body, **own)
            client.check(name, answer)
            is_in = answer.status_code not in (401, 403, 404)
            assert is_in == (visitor in DOORS[name]), (name, visitor, answer.text)
            if visitor in OUT and name != "acceptInvitation":
                assert answer.status_code == 401, (name, visitor)
            if not is_in:
                assert "jaguar" not in answer.text.lower()


def test_cookies_and_the_address_prove_nothing(store: Store, filled: str, tokens: dict[str, str]):
    session = begin_session(store, add_person(store, "Oz", "organiser"))
    with open_client() as client:
        client.cookies.set(session_cookie(store.secret), session)
        place, good = "/api/v1/collections", tokens["organiser"]
        assert client.get(place).status_code == 401
        assert client.get(f"{place}?token={good}&access_token={good}").status_code == 401
        for sent in (f"Basic {good}", good, f"Bearer {session}", "Bearer ", f"Bearer x{good}"):
            told = client.get(place, headers={"Authorization": sent})
            assert told.status_code == 401, sent
            assert told.headers["www-authenticate"].startswith("Bearer")
        twice = [("Authorization", f"Bearer {good}"), ("Authorization", f"Bearer {session}")]
        assert client.get(place, headers=twice).status_code == 401
        assert client.get(place, headers=dict(twice[:1])).status_code == 200


def without(column: str) -> str:
    """Return the condition of a live token that does not look at one column."""
    kept_parts = [one for one in kept.LIVE_TOKEN.split(" AND ") if column not in one]
    return " AND ".join([*kept_parts, "$now IS NOT NULL"])


def skip(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(guard, name, lambda *_: None)


ATTACKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "expired": lambda patch: patch.setattr(kept, "LIVE_TOKEN", without("expires_at")),
    "ended": lambda patch: patch.setattr(kept, "LIVE_TOKEN", without("ended_at")),
    "disabled organiser": lambda patch: patch.setattr(kept, "LIVE_TOKEN", without("disabled_at")),
    "other collection": lambda patch: patch.setattr(
        guard, "list_reached", lambda store, person, _: list_open(store, person)
    ),
    "wrong scope": skip("require_scope"),
    "wrong role": skip("require_role"),
    "guessed": lambda patch: patch.setattr(
        guard, "find_asker", lambda store, _: find_token(store, patched["organiser"])
    ),
    "in a cookie": lambda patch: patch.setattr(
        guard, "read_bearer", lambda request: request.cookies["token"]
    ),
}
"""How the guard is taken away that stops each."""

patched: dict[str, str] = {}


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_attack_is_stopped_by_its_guard_alone(
    store: Store,
    filled: str,
    tokens: dict[str, str],
    attack: str,
    monkeypatch: pytest.MonkeyPatch,
):
    patched.update(tokens)
    elsewhere = create_collection(store, "Elsewhere")
    found = find_token(store, tokens["organiser"])
    assert found is not None
    organiser = found[0].person_id
    client = DescribedClient(open_client(), tokens.get(attack, ""))
    name, body, values = "listLabels", None, {"collection": filled}
    if attack == "other collection":
        client.token = make_token(store, organiser, "one", ["read"], collection_id=filled)
        values = {"collection": elsewhere}
    elif attack == "wrong scope":
        client.token = make_token(store, organiser, "read", ["read"])
        name, body, values = "createCollection", {"name": "Mine"}, {}
    elif attack == "wrong role":
        client.token = tokens["viewer"]
    elif attack == "in a cookie":
        client.client.cookies.set("token", tokens["organiser"])
    refused = client.send(name, body, **values)
    assert refused.status_code in (401, 403, 404)
    assert "jaguar" not in refused.text
    ATTACKS[attack](monkeypatch)
    assert client.send(name, body, **values).status_code < 300


def test_a_token_reaches_no_further_than_it_may_by_what_it_hands_out(
    store: Store, filled: str, tokens: dict[str, str]
):
    found = find_token(store, tokens["organiser"])
    assert found is not None
    organiser = found[0].person_id
    add_member(store, filled, organiser, "Olga")
    anna = add_person(store, "Anna", "assessor")
    elsewhere = create_collection(store, "Elsewhere")
    for place in (filled, elsewhere):
        add_member(store, place, anna, "Anna")
    narrow = make_token(store, organiser, "one", ["read", "write"], collection_id=filled)
    client = DescribedClient(open_client(), narrow)
    for person in (organiser, anna):
        answer = client.send("renewLink", collection=filled, person=person)
        assert answer.status_code == 403
    assert client.send("createCollection", {"name": "Mine"}).status_code == 403
    foreign = open_round_elsewhere(store, filled)
    client.token = make_token(store, organiser, "other", ["read"], collection_id=elsewhere)
    assert client.send("showRound", collection=elsewhere, round=foreign).status_code == 404
    client.token = tokens["organiser"]
    assert client.send("renewLink", collection=filled, person=anna).status_code == 201


def open_round_elsewhere(store: Store, collection_id: str) -> str:
    return open_round(store, collection_id, Plan(judges=1, flow="page only"))


@long
def test_nobody_judges_what_was_handed_out_to_another(
    store: Store, filled: str, tokens: dict[str, str]
):
    open_round(store, filled, Plan(judges=1, flow="page only"))
    bob = add_person(store, "Bob", "assessor")
    add_member(store, filled, bob, "Bob")
    client = DescribedClient(open_client(), tokens["assessor"])
    work = client.ask("nextAssignment", collection=filled)["handed_out"]
    assert "engine_id" not in str(work)
    assert not {"e1", "e2", "s1"} & {str(step["engine"]) for step in work["steps"]}
    client.token = make_token(store, bob, "bob", ["judge"])
    body = {"assignment": work["assignment"], "events": []}
    assert client.send("judge", body, collection=filled).status_code == 403
    own = client.send("judge", {"assignment": "forged", "events": []}, collection=filled)
    assert own.status_code == 403


def test_viewers_see_no_names_and_no_frames_of_assessors(
    store: Store, filled: str, tokens: dict[str, str]
):
    client = DescribedClient(open_client(), tokens["viewer"])
    assert client.send("listQrelsVersions", collection=filled, names=True).status_code == 403
    for frame in ("labels", "assessors", "adjudications", "preferences", "reasons", "passages",
                  "paradata", "gold", "documents", "results"):  # fmt: skip
        assert client.send("readFrame", collection=filled, frame=frame).status_code == 403
    assert client.send("readFrame", collection=filled, frame="runs").status_code == 200


def test_what_is_too_large_is_refused_before_it_is_read(
    store: Store, filled: str, tokens: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    client = DescribedClient(open_client(), tokens["organiser"])
    answer = client.send("createCollection", {"name": "x", "guidelines": "y" * LARGEST_JSON})
    assert answer.status_code == 413
    from pages.api.v1 import endpoint

    monkeypatch.setattr(endpoint.config, "get_option", lambda _: 1)
    answer = client.send("importFile", b"x" * (2**20 + 1), collection=filled, file="x")
    assert answer.status_code == 413
    assert list(store.path.parent.rglob("sent")) == []


def test_a_token_is_kept_as_a_hash_ends_with_its_person_and_is_counted(store: Store):
    olga = add_person(store, "Olga", "organiser")
    anna = add_person(store, "Anna", "assessor")
    token = make_token(store, anna, "mine", ["judge"])
    rows = store.cursor().execute("SELECT * FROM tokens").fetchall()
    changes = store.cursor().execute("SELECT * FROM changes").fetchall()
    assert token not in str(rows) + str(changes)
    assert hash_token(token) in str(rows)
    disable_person(store, anna, by=olga)
    enable_person(store, anna, by=olga)
    assert find_token(store, token) is None
    for number in range(kept.MOST_TOKENS):
        make_token(store, anna, f"number {number}", ["judge"])
    with pytest.raises(kept.BadInput, match="at most"):
        make_token(store, anna, "one more", ["judge"])
    with pytest.raises(kept.NotFound):
        end_token(store, list_tokens(store, anna)[0].token_id, person_id=olga)
    for scopes in ([], ["read"], ["write", "judge"]):
        with pytest.raises(kept.BadInput, match="may allow"):
            make_token(store, anna, "too much", scopes)


def test_an_invitation_gives_one_token_with_the_rights_of_its_role(store: Store, filled: str):
    add_person(store, "Olga", "organiser")
    vera = add_person(store, "Vera", "viewer")
    add_viewer(store, filled, vera)
    link = f"http://judge.example/enter/{invite(store, vera)}"
    client = DescribedClient(open_client())
    for wrong in ({"days": 0}, {"name": ""}, {"more": 1}):
        body = {"invitation": link, "name": "r"} | wrong
        assert client.send("acceptInvitation", body).status_code == 422
    client.token = client.ask("acceptInvitation", {"invitation": link, "name": "r"})["token"]
    assert client.ask("showToken")["scopes"] == ["read"]
    client.ask("endToken")
    assert client.send("showToken").status_code == 401
