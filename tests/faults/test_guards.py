"""Attacks on what guards the server: each fails, and succeeds once its guard is taken out."""

import gzip
import hashlib
import io
import json
import re
import uuid
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from starlette.applications import Starlette
from starlette.testclient import TestClient

import core.collection.export.delimited as export
import core.collection.files.source as source
from core.assessment.class_mode import start_lesson
from core.assessment.intake.judging import Grant, Intake
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.errors import BadInput, DissentError
from core.store.backup import backup
from core.store.content.collections import create_collection
from core.store.events.frames import read_labels
from core.store.people import passwords, people
from core.store.people.members import add_member, add_viewer, drop_member
from core.store.people.people import (
    add_person,
    begin_session,
    end_session,
    hash_token,
    invite,
)
from core.store.rounds.lessons import lesson_code
from core.store.store import Store
from pages.api import granted, join, page, password, sign_in
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server import gate
from pages.server import running as serving
from pages.shared import addresses, intake, session, throttle
from pages.shared.page import Page
from pages.shared.session import PageContext, session_cookie
from tests.pages.conftest import OpenPage
from tests.short import few

PATIENCE = 350
"""Longer than anybody may guess who is not made to wait."""

PASSWORD = "a cat, a hat and a bat"


@dataclass
class Scene:
    """A collection in which Anna judges; Bob sits in it, too, and attacks."""

    client: TestClient
    store: Store
    collection_id: str
    anna: Grant
    bob: Grant
    open_page: OpenPage
    folder: Path

    def __post_init__(self) -> None:
        self.sessions = {
            who: begin_session(self.store, who)
            for who in (self.anna.assessor_id, self.bob.assessor_id)
        }

    def token(self, grant: Grant) -> str:
        """Return what a browser of the grant's assessor judges with."""
        return intake.sign_grant(grant, hash_token(self.sessions[grant.assessor_id]))

    def be(self, grant: Grant) -> None:
        """Let the client carry the cookie of an assessor."""
        self.client.cookies.clear()
        self.client.cookies.set(session_cookie(self.store.secret), self.sessions[grant.assessor_id])

    def judge(self, token: str, **fields: object) -> bool:
        """Tell whether one judgement is stored under a token."""
        event = {"event_id": str(uuid.uuid4()), "topic": "t1", "document": "d1", "facet": "page",
                 "engine": "", "state": "level", "level": 1, **fields}  # fmt: skip
        before = len(self._stored())
        self.client.post(
            "/api/labels", json={"events": [event]}, headers={"Authorization": f"Bearer {token}"}
        )
        return len(self._stored()) > before

    def _stored(self) -> pd.DataFrame:
        return read_labels(self.store, self.collection_id)


@pytest.fixture
def scene(
    store: Store,
    filled: str,
    open_page: OpenPage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Scene:
    anna, bob = (add_person(store, name, "assessor") for name in ("Anna", "Bob"))
    for person, name in ((anna, "Anna"), (bob, "Bob")):
        add_member(store, filled, person, name)
    round_id = open_round(store, filled, Plan(judges=1, assessors=(anna,), flow="page only"))
    for module, name, fresh in (
        (password, "WRONG_BY_NAME", throttle.Backoff(5, 900)),
        (password, "WRONG_BY_ADDRESS", throttle.Backoff(30, 900)),
        (join, "WRONG_CODES", throttle.Throttle(300, 60)),
    ):
        monkeypatch.setattr(module, name, fresh)
    client = TestClient(
        Starlette(routes=ROUTES, middleware=MIDDLEWARE),
        follow_redirects=False,
        raise_server_exceptions=False,
    )
    return Scene(
        client,
        store,
        filled,
        Grant(filled, anna, round_id, "t1", 0),
        Grant(filled, bob),
        open_page,
        tmp_path,
    )


@dataclass(frozen=True)
class Attack:
    """What is tried, and what would let it through."""

    succeeds: Callable[[Scene], bool]
    remove: Callable[[pytest.MonkeyPatch], None]


def _forge_a_page_address(scene: Scene) -> bool:
    content = [scene.collection_id, "d2", "", hash_token(scene.sessions[scene.bob.assessor_id])]
    forged = URLSafeTimedSerializer("guessed", salt=addresses._PURPOSE).dumps(content)
    scene.be(scene.bob)
    return "A car." in scene.client.get(f"/api/page/{forged}").text


def _believe_every_signature(patch: pytest.MonkeyPatch) -> None:
    def read(running: serving.Server, purpose: str, token: str) -> object:
        signer = URLSafeTimedSerializer(running.store.secret, salt=purpose)
        return signer.loads_unsafe(token)[1]

    patch.setattr(serving.Server, "read_signed", read)


def _use_the_token_of_another_purpose(scene: Scene) -> bool:
    content = [asdict(scene.anna), hash_token(scene.sessions[scene.anna.assessor_id])]
    return scene.judge(serving.server().sign(addresses._PURPOSE, content))


def _sign_all_purposes_alike(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(addresses, "_PURPOSE", intake._PURPOSE)


def _judge_with_yesterdays_token(scene: Scene) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        now = TimestampSigner.get_timestamp
        patch.setattr(TimestampSigner, "get_timestamp", lambda self: now(self) - 13 * 3600)
        token = scene.token(scene.anna)
    return scene.judge(token)


def _let_tokens_last(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(serving, "TOKEN_LASTS", 10**9)


def _open_the_page_of_somebody_else(scene: Scene) -> bool:
    theirs = hash_token(scene.sessions[scene.anna.assessor_id])
    address = addresses.page_address(scene.collection_id, "d1", "", theirs)
    scene.be(scene.bob)
    return "A cat." in scene.client.get(address).text


def _compare_no_session(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(page, "compare_digest", lambda *_: True)


def _open_a_page_after_being_dropped(scene: Scene) -> bool:
    own = hash_token(scene.sessions[scene.anna.assessor_id])
    address = addresses.page_address(scene.collection_id, "d1", "", own)
    drop_member(scene.store, scene.collection_id, scene.anna.assessor_id)
    scene.be(scene.anna)
    return "A cat." in scene.client.get(address).text


def _open_every_collection(patch: pytest.MonkeyPatch) -> None:
    def everything(store: Store, _person: object) -> dict[str, str]:
        rows = store.cursor().execute("SELECT collection_id, name FROM collections").fetchall()
        return dict(rows)

    for module in (page, session):
        patch.setattr(module, "list_open", everything)


def _judge_in_the_place_of_another(scene: Scene) -> bool:
    lent = intake.name_assignment(scene.anna)
    return scene.judge(scene.token(scene.bob), assignment=lent)


def _take_every_assignment(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        granted, "grant_of", lambda raw, _grant: intake.read_assignment(raw["assignment"])
    )


def _judge_what_was_not_handed_out(scene: Scene) -> bool:
    return scene.judge(scene.token(scene.anna), document="d2", topic="t2")


def _hand_everything_out(patch: pytest.MonkeyPatch) -> None:
    checked = Intake._handed_out

    def all_topics(intake: Intake, grant: Grant) -> dict:
        one = checked(intake, grant)
        other = checked(intake, Grant(*(*asdict(grant).values(),)[:3], "t2", 0))
        return one | other

    patch.setattr(Intake, "_handed_out", all_topics)


def _judge_after_signing_out(scene: Scene) -> bool:
    token = scene.token(scene.anna)
    end_session(scene.store, scene.sessions[scene.anna.assessor_id])
    return scene.judge(token)


def _replay_a_session(scene: Scene) -> bool:
    scene.be(scene.anna)
    cookie = scene.sessions[scene.anna.assessor_id]
    scene.client.post("/leave")
    return people.find_session(scene.store, cookie) is not None


def _never_end_sessions(patch: pytest.MonkeyPatch) -> None:
    fetch = people.fetch

    def fetch_all(cursor: people.Cursor, sql: str, *values: Any) -> list[dict[str, Any]]:
        return fetch(cursor, sql.replace("AND ended_at IS NULL", ""), *values)

    patch.setattr(people, "fetch", fetch_all)


def _accept_an_invitation_twice(scene: Scene) -> bool:
    token = invite(scene.store, scene.anna.assessor_id)
    scene.client.cookies.clear()
    assert scene.client.post(f"/enter/{token}").status_code == 303
    scene.client.cookies.clear()
    return scene.client.post(f"/enter/{token}").status_code == 303


def _forget_that_it_was_used(patch: pytest.MonkeyPatch) -> None:
    def invited(cursor: people.Cursor, token: str) -> people.Person:
        sql = "SELECT people.* FROM people JOIN invitations USING (person_id) WHERE token_hash = ?"
        return people.Person(**people.fetch(cursor, sql, [hash_token(token)])[0])

    patch.setattr(people, "_invited", invited)


def _sign_out_from_another_site(scene: Scene) -> bool:
    scene.be(scene.anna)
    scene.client.post("/leave", headers={"Origin": "http://evil.example"})
    return people.find_session(scene.store, scene.sessions[scene.anna.assessor_id]) is None


def _sign_in_from_another_site(scene: Scene) -> bool:
    passwords.set_password(scene.store, scene.bob.assessor_id, PASSWORD)
    answer = scene.client.post(
        "/sign-in",
        data={"name": "Bob", "password": PASSWORD},
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    return answer.status_code == 303


def _welcome_every_form(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "comes_from_here", lambda _request: True)


def _guess_a_password(scene: Scene) -> bool:
    passwords.set_password(scene.store, scene.anna.assessor_id, PASSWORD)
    guesses = [*(f"{n} cats" for n in range(8)), PASSWORD]
    with pytest.MonkeyPatch.context() as quick:  # wrong ones need not be slow here
        verify = passwords._verify
        quick.setattr(passwords, "_verify", lambda held, given: given == PASSWORD and verify(
            held, given))  # fmt: skip
        codes = [
            scene.client.post("/sign-in", data={"name": "Anna", "password": one}).status_code
            for one in guesses
        ]
    return codes[-1] == 303


def _guess_the_code_of_a_class(scene: Scene) -> bool:
    """Go on guessing: who has the right code is let in, however many were wrong before."""
    code = lesson_code(scene.store, start_lesson(scene.store, "t01", by="Olga"))
    answers = [scene.client.get("/join/AAAA2222").status_code for _ in range(PATIENCE)]
    assert scene.client.get(f"/join/{code}").status_code == 200
    return answers[-1] == 403


def _let_everybody_guess(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(throttle.Backoff, "_pause", lambda *_: 0.0)
    patch.setattr(throttle.Throttle, "is_full", lambda *_: False)


def _fix_a_session(scene: Scene) -> bool:
    planted = "chosen by the attacker"
    scene.client.cookies.clear()
    scene.client.cookies.set(session_cookie(scene.store.secret), planted)
    scene.client.post(f"/enter/{invite(scene.store, scene.anna.assessor_id)}")
    return people.find_session(scene.store, planted) is not None


def _take_the_token_that_is_sent(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(people.secrets, "token_urlsafe", lambda _size: "chosen by the attacker")
    _leave_former_sessions(patch)


def _keep_a_former_session(scene: Scene) -> bool:
    scene.be(scene.bob)
    scene.client.post(f"/enter/{invite(scene.store, scene.anna.assessor_id)}")
    return people.find_session(scene.store, scene.sessions[scene.bob.assessor_id]) is not None


def _leave_former_sessions(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sign_in, "end_session", lambda *_: None)


def _look_at_an_organisers_page(scene: Scene) -> bool:
    at = scene.open_page("audit", scene.bob.assessor_id)
    return bool(at.dataframe)


def _open_every_page(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Page, "open_to", lambda *_: True)


def _see_names_as_a_viewer(scene: Scene) -> bool:
    viewer = add_person(scene.store, "Vera", "viewer")
    add_viewer(scene.store, scene.collection_id, viewer)
    at = scene.open_page("monitor", viewer)
    return any(re.search(r"\ba1\b", frame.value.to_string()) for frame in at.dataframe)


def _mask_nobody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PageContext, "is_masked", False)


def _look_into_a_collection_that_is_not_shown(scene: Scene) -> bool:
    viewer = add_person(scene.store, "Vera", "viewer")
    add_viewer(scene.store, create_collection(scene.store, "Other"), viewer)
    at = scene.open_page("monitor", viewer, collection_id=scene.collection_id)
    return any("jaguar" in frame.value.to_string() for frame in at.dataframe)


def _send_a_huge_body(scene: Scene) -> bool:
    body = json.dumps({"events": [], "rest": "x" * 1_100_000})
    headers = {"Authorization": f"Bearer {scene.token(scene.anna)}"}
    return scene.client.post("/api/labels", content=body, headers=headers).status_code == 200


def _take_every_body(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(granted, "LARGEST_BODY", 10**9)


def _unpack_a_bomb(_scene: Scene) -> bool:
    try:
        return len(Source("bomb.gz", gzip.compress(b"a" * 60_000_000)).data) == 60_000_000
    except BadInput:
        return False


def _trust_every_archive(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(source, "LARGEST_RATIO", 10**9)


def _write_outside_by_a_name(scene: Scene) -> bool:
    outside, held = scene.folder / "outside", b"text"
    facts = {"rows": 0, "content": "0", "sha256": hashlib.sha256(held).hexdigest()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{outside}.parquet", held)
        archive.writestr("manifest.json", json.dumps({"migrations": 1, "tables": {
            str(outside): facts}}))  # fmt: skip
    (scene.folder / "backup.zip").write_bytes(packed.getvalue())
    with suppress(DissentError):
        backup.restore_backup(scene.folder / "backup.zip", scene.folder / "new.duckdb")
    return outside.with_suffix(".parquet").exists()


def _take_every_name(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(backup, "_check_name", lambda _name: None)


def _send_a_formula(_scene: Scene) -> bool:
    return b'\n"=' in export.write_table(pd.DataFrame({"comment": ["=1+1"]}))


def _write_formulas(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(export, "neutralise", lambda text: text)


ATTACKS = {
    "forgery: an address that nobody signed": Attack(
        _forge_a_page_address, _believe_every_signature
    ),
    "forgery: a token made for another purpose": Attack(
        _use_the_token_of_another_purpose, _sign_all_purposes_alike
    ),
    "replay: a token of yesterday": Attack(_judge_with_yesterdays_token, _let_tokens_last),
    "replay: a token after signing out": Attack(_judge_after_signing_out, _never_end_sessions),
    "replay: a cookie after signing out": Attack(_replay_a_session, _never_end_sessions),
    "replay: an invitation": Attack(_accept_an_invitation_twice, _forget_that_it_was_used),
    "IDOR: a page handed to another": Attack(_open_the_page_of_somebody_else, _compare_no_session),
    "IDOR: a page after being dropped": Attack(
        _open_a_page_after_being_dropped, _open_every_collection
    ),
    "IDOR: the assignment of another": Attack(
        _judge_in_the_place_of_another, _take_every_assignment
    ),
    "IDOR: an item that was not handed out": Attack(
        _judge_what_was_not_handed_out, _hand_everything_out
    ),
    "IDOR: an organiser's page": Attack(_look_at_an_organisers_page, _open_every_page),
    "IDOR: names on a viewer's page": Attack(_see_names_as_a_viewer, _mask_nobody),
    "IDOR: a collection that is not shown": Attack(
        _look_into_a_collection_that_is_not_shown, _open_every_collection
    ),
    "CSRF: signing out": Attack(_sign_out_from_another_site, _welcome_every_form),
    "CSRF: signing in": Attack(_sign_in_from_another_site, _welcome_every_form),
    "guessing: a password": Attack(_guess_a_password, _let_everybody_guess),
    "guessing: the code of a class": Attack(_guess_the_code_of_a_class, _let_everybody_guess),
    "fixation: a cookie that was planted": Attack(_fix_a_session, _take_the_token_that_is_sent),
    "fixation: the session before": Attack(_keep_a_former_session, _leave_former_sessions),
    "size: a body": Attack(_send_a_huge_body, _take_every_body),
    "size: a bomb": Attack(_unpack_a_bomb, _trust_every_archive),
    "traversal: a name in an archive": Attack(_write_outside_by_a_name, _take_every_name),
    "formula: a cell of an export": Attack(_send_a_formula, _write_formulas),
}


@pytest.mark.parametrize("name", few(ATTACKS, 3))
def test_the_attack_fails(scene: Scene, name: str):
    assert not ATTACKS[name].succeeds(scene)


@pytest.mark.parametrize("name", few(ATTACKS))
def test_without_its_guard_the_attack_succeeds(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch
):
    """Only then does the test above prove anything."""
    with monkeypatch.context() as patch:
        ATTACKS[name].remove(patch)
        assert ATTACKS[name].succeeds(scene)
