"""Attacks on single sign-on: by visitors, and by a provider that is down, slow or hostile."""

import asyncio
import hmac
import json
import shutil
import ssl
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
import streamlit as st
from authlib.integrations.starlette_client import StarletteIntegration
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import RSAKey
from joserfc.util import urlsafe_b64decode, urlsafe_b64encode
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.testclient import TestClient
from streamlit import config

from core.store.people import accounts
from core.store.people.accounts import set_email
from core.store.people.people import add_person, find_session
from core.store.store import Store
from pages.api import single_sign_on
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.shared.session import session_cookie
from tests.browser.identity_provider import CLIENT_ID, Provider, run_provider
from tests.browser.running import Running, wait_until
from tests.pages.server.receiver import make_certificate
from tests.short import few, long

pytestmark = pytest.mark.filterwarnings("ignore:JWS algorithm")
"""Otherwise it would be the warning that stops what is tried."""

HERE = "http://testserver"
OLGA = {"sub": "42", "email": "olga@example.org", "email_verified": True}
EVE = {"sub": "66", "email": "eve@example.org", "email_verified": True}
HOSTILE = "<script>hurt()</script>\r\nforged: line \x1b[31m"


@dataclass
class Attacked(Provider):
    """A provider that can be made to misbehave; ``instead`` answers in place of an end."""

    instead: dict[str, Callable[[], Response]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    forge: Callable[[dict[str, Any]], str] | None = None
    supported: list[str] = field(default_factory=lambda: ["RS256"])
    forgets_codes: bool = True
    says: dict[str, Any] = field(default_factory=dict)

    async def describe(self, request: Request) -> Response:
        self.asked.append("describe")
        if "describe" in self.instead:
            return self.instead["describe"]()
        facts = json.loads(bytes((await super().describe(request)).body))
        told = {"id_token_signing_alg_values_supported": self.supported} | self.says
        return JSONResponse(facts | told)

    async def give_token(self, request: Request) -> Response:
        self.asked.append("token")
        if "token" in self.instead:
            return self.instead["token"]()
        before = dict(self.codes)
        answered = await super().give_token(request)
        if not self.forgets_codes:
            self.codes |= before
        return answered

    async def show_keys(self, request: Request) -> Response:
        self.asked.append("keys")
        return self.instead.get("keys", lambda: None)() or await super().show_keys(request)

    def sign(self, claims: dict[str, Any]) -> str:
        return self.forge(claims) if self.forge else super().sign(claims)


@dataclass
class Scene:
    """A server that trusts a provider; Olga organises, Eve judges and attacks."""

    store: Store
    provider: Attacked
    web: httpx2.Client

    def browser(self, address: str = "192.0.2.1") -> TestClient:
        """Return a browser with cookies of its own, that follows nothing by itself."""
        app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
        return TestClient(
            app, HERE, follow_redirects=False, raise_server_exceptions=False, client=(address, 1)
        )

    def be_vouched_for(self, browser: TestClient, claims: dict[str, Any]) -> str:
        """Go as far as the address at which the provider sends a browser back; "" if not so far."""
        sent = browser.get("/sign-in/provider")
        if sent.status_code != 302:
            return ""
        self.provider.claims = claims
        answered = self.web.get(sent.headers["location"])
        return answered.headers["location"].removeprefix(HERE)

    def who(self, browser: TestClient) -> str:
        """Return the name of whoever is signed in in a browser."""
        token = browser.cookies.get(session_cookie(self.store.secret))
        person = find_session(self.store, token) if token else None
        return person.name if person else ""

    def come_in(self, claims: dict[str, Any]) -> bool:
        """Tell whether somebody gets in by the ordinary way, with these claims."""
        browser = self.browser()
        if address := self.be_vouched_for(browser, claims):
            browser.get(address)
        return bool(self.who(browser))


@pytest.fixture(scope="module")
def provider() -> Iterator[Attacked]:
    with run_provider(Attacked()) as running:
        yield running  # type: ignore[misc]


@pytest.fixture
def scene(
    store: Store, provider: Attacked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Scene]:
    for name, role, claims in (("Olga", "organiser", OLGA), ("Eve", "assessor", EVE)):
        set_email(store, add_person(store, name, role), str(claims["email"]))
    for name, value in vars(Attacked(port=provider.port)).items():
        if name not in ("client_secret", "key"):
            setattr(provider, name, value)
    with httpx2.Client() as web, settings_of(provider, tmp_path):
        yield Scene(store, provider, web)


@contextmanager
def settings_of(provider: Provider, folder: Path) -> Iterator[None]:
    """Trust a provider, as the operator's settings in a folder say."""
    (folder / "secrets.toml").write_text(provider.secrets_file(HERE))
    before = config.get_option("secrets.files")
    config.set_option("secrets.files", [str(folder / "secrets.toml")])
    _forget_settings()
    try:
        yield
    finally:
        config.set_option("secrets.files", before)
        _forget_settings()


def _forget_settings() -> None:
    st.secrets._reset()
    single_sign_on._client.cache_clear()


def test_the_ordinary_way_works(scene: Scene):
    assert scene.come_in(OLGA)
    assert scene.come_in(EVE)


@dataclass(frozen=True)
class Attack:
    """What is tried, and what would let it through."""

    succeeds: Callable[[Scene], bool]
    remove: Callable[[pytest.MonkeyPatch], None]


def _make_a_state_up(scene: Scene) -> bool:
    browser = scene.browser()
    came = parse_qs(urlsplit(scene.be_vouched_for(browser, OLGA)).query)
    made_up = urlencode({"code": came["code"][0], "state": "made up"})
    browser.get(f"/oauth2callback?{made_up}")
    return scene.who(browser) == "Olga"


def _take_any_state(patch: pytest.MonkeyPatch) -> None:
    async def find(_integration: object, session: dict, _state: str) -> dict | None:
        return next((held["data"] for held in session.values()), None)

    patch.setattr(StarletteIntegration, "get_state_data", find)


def _sign_a_visitor_in_as_oneself(scene: Scene) -> bool:
    """Eve begins; Olga's browser opens the address at which Eve was to come back."""
    address = scene.be_vouched_for(scene.browser(), EVE)
    victim = scene.browser()
    victim.get(address)
    return scene.who(victim) == "Eve"


def _remember_for_everybody(patch: pytest.MonkeyPatch) -> None:
    begun: dict[str, Any] = {}
    read = single_sign_on._with_session

    def share(request: Request, own: dict[str, Any]) -> Request:
        own |= begun
        begun.update(own)
        return read(request, begun)

    patch.setattr(single_sign_on, "_with_session", share)
    patch.setattr(single_sign_on, "_read_begun", lambda _: dict(begun))


def _put_a_code_into_a_visit(scene: Scene) -> bool:
    """Olga has begun, and has her own state; the code that comes with it is Eve's."""
    victim = scene.browser()
    olgas = parse_qs(urlsplit(scene.be_vouched_for(victim, OLGA)).query)
    eves = parse_qs(urlsplit(scene.be_vouched_for(scene.browser(), EVE)).query)
    mixed = urlencode({"code": eves["code"][0], "state": olgas["state"][0]})
    victim.get(f"/oauth2callback?{mixed}")
    return scene.who(victim) == "Eve"


def _prove_nothing(patch: pytest.MonkeyPatch) -> None:
    make = single_sign_on._client.__wrapped__

    def without_pkce() -> tuple[Any, str]:
        client, address = make()
        client.client_kwargs["code_challenge_method"] = None
        return client, address

    single_sign_on._client.cache_clear()
    without_pkce.cache_clear = lambda: None  # type: ignore[attr-defined]
    patch.setattr(single_sign_on, "_client", without_pkce)
    patch.setattr(CodeIDToken, "validate_nonce", lambda _: None)


def _come_back_once_more(scene: Scene) -> bool:
    """After Olga has left, somebody finds the address in the history of her browser."""
    scene.provider.forgets_codes = False
    browser = scene.browser()
    address = scene.be_vouched_for(browser, OLGA)
    browser.get(address)
    browser.post("/leave")
    assert scene.who(browser) == ""
    browser.get(address)
    return scene.who(browser) == "Olga"


def _keep_what_was_begun(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Response, "delete_cookie", lambda *_, **__: None)
    patch.setattr(single_sign_on, "_count_once", lambda *_: None)


def _come_back_much_later(scene: Scene) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        now = single_sign_on.URLSafeTimedSerializer.default_signer.get_timestamp
        patch.setattr(
            single_sign_on.URLSafeTimedSerializer.default_signer,
            "get_timestamp",
            lambda self: now(self) - 3_600,
        )
        browser = scene.browser()
        address = scene.be_vouched_for(browser, OLGA)
    browser.get(address)
    return scene.who(browser) == "Olga"


def _wait_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(single_sign_on, "BACK_WITHIN", 10**9)


def _claim(**claims: Any) -> Callable[[Scene], bool]:
    return lambda scene: scene.come_in(OLGA | claims)


def _believe_every_claim(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CodeIDToken, "validate", lambda *_, **__: None)


def _forge(make: Callable[[Scene, dict[str, Any]], str]) -> Callable[[Scene], bool]:
    def succeeds(scene: Scene) -> bool:
        scene.provider.forge = lambda claims: make(scene, claims)
        return scene.come_in(OLGA)

    return succeeds


def _write_token(header: dict[str, str], claims: dict[str, Any], key: bytes = b"") -> str:
    """Return a token as a forger writes it: no library would sign like this."""
    parts = [json.dumps(part).encode() for part in (header, claims)]
    signed = ".".join(urlsafe_b64encode(part).decode() for part in parts)
    proof = hmac.digest(key, signed.encode(), "sha256") if key else b""
    return f"{signed}.{urlsafe_b64encode(proof).decode()}"


def _sign_with_nothing(_scene: Scene, claims: dict[str, Any]) -> str:
    return _write_token({"alg": "none", "kid": "1"}, claims)


def _sign_with_what_all_know(scene: Scene, claims: dict[str, Any]) -> str:
    public = scene.provider.key.as_pem(private=False)
    return _write_token({"alg": "HS256", "kid": "1"}, claims, public)


def _sign_with_another_key(_scene: Scene, claims: dict[str, Any]) -> str:
    other = RSAKey.generate_key(2048, {"kid": "1"})
    return str(jwt.encode({"alg": "RS256", "kid": "1"}, claims, other))


def _bring_the_key_along(_scene: Scene, claims: dict[str, Any]) -> str:
    other = RSAKey.generate_key(2048)
    header = {"alg": "RS256", "jwk": other.as_dict(private=False)}
    return str(jwt.encode(header, claims, other))


def _believe_every_signature(patch: pytest.MonkeyPatch) -> None:
    def read(value: str, *_: object, **__: object) -> jwt.Token:
        return jwt.Token(
            {"alg": "RS256"}, json.loads(urlsafe_b64decode(value.split(".")[1].encode()))
        )

    patch.setattr("authlib.integrations.base_client.async_openid.jwt.decode", read)


def _name_no_key(scene: Scene, claims: dict[str, Any]) -> str:
    other = RSAKey.generate_key(2048, {"kid": "unknown"})
    return str(jwt.encode({"alg": "RS256", "kid": "unknown"}, claims, other))


LONG_AGO, FAR_AHEAD = int(time.time()) - 3_600, int(time.time()) + 36_000
ATTACKS = {
    "a state that nobody gave": Attack(_make_a_state_up, _take_any_state),
    "signing a visitor in as oneself": Attack(
        _sign_a_visitor_in_as_oneself, _remember_for_everybody
    ),
    "the code of another visit": Attack(_put_a_code_into_a_visit, _prove_nothing),
    "coming back once more": Attack(_come_back_once_more, _keep_what_was_begun),
    "coming back much later": Attack(_come_back_much_later, _wait_for_ever),
    "another issuer": Attack(_claim(iss="https://evil.example"), _believe_every_claim),
    "another audience": Attack(_claim(aud="another app"), _believe_every_claim),
    "many audiences": Attack(_claim(aud=[CLIENT_ID, "other"]), _believe_every_claim),
    "an old token": Attack(_claim(exp=LONG_AGO, iat=LONG_AGO - 60), _believe_every_claim),
    "a token without end": Attack(_claim(exp=None), _believe_every_claim),
    "a token of the future": Attack(_claim(nbf=FAR_AHEAD), _believe_every_claim),
    "a token that was made tomorrow": Attack(
        _claim(iat=FAR_AHEAD, exp=FAR_AHEAD + 60), _believe_every_claim
    ),
    "for somebody else to use": Attack(_claim(azp="another app"), _believe_every_claim),
    "for nobody": Attack(_claim(aud=None), _believe_every_claim),
    "nearly this issuer": Attack(_claim(iss="http://127.0.0.1"), _believe_every_claim),
    "another nonce": Attack(_claim(nonce="another"), _believe_every_claim),
    "no nonce": Attack(_claim(nonce=None), _believe_every_claim),
    "no signature": Attack(_forge(_sign_with_nothing), _believe_every_signature),
    "the public key as a secret": Attack(
        _forge(_sign_with_what_all_know), _believe_every_signature
    ),
    "another key": Attack(_forge(_sign_with_another_key), _believe_every_signature),
    "a key that nobody knows": Attack(_forge(_name_no_key), _believe_every_signature),
    "a key in the token": Attack(_forge(_bring_the_key_along), _believe_every_signature),
}  # fmt: skip


@pytest.mark.parametrize("name", few(ATTACKS, 3))
def test_the_attack_fails(scene: Scene, name: str):
    assert not ATTACKS[name].succeeds(scene)


@long
@pytest.mark.parametrize("name", few(ATTACKS, 3))
def test_without_its_guard_the_attack_succeeds(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch
):
    """Only then does the test above prove anything."""
    with monkeypatch.context() as patch:
        ATTACKS[name].remove(patch)
        assert ATTACKS[name].succeeds(scene)


@pytest.mark.parametrize("supported", few([["RS256", "HS256", "none"], ["none"], [], [5]]))
def test_a_provider_is_taken_at_its_word_for_good_signatures_only(
    scene: Scene, supported: list[str]
):
    scene.provider.supported = supported
    assert not ATTACKS["no signature"].succeeds(scene)
    assert not ATTACKS["the public key as a secret"].succeeds(scene)
    scene.provider.forge = None
    assert scene.come_in(OLGA)


@long
def test_otherwise_it_might_say_that_it_signs_not_at_all(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(single_sign_on, "SIGNATURES", {"RS256", "HS256", "none"})
    scene.provider.supported = ["RS256", "HS256", "none"]
    assert ATTACKS["no signature"].succeeds(scene)


def test_what_a_visit_leaves_in_the_browser(scene: Scene):
    """A cookie that only the way back gets, for ten minutes, over TLS where there is TLS."""
    browser = scene.browser()
    for headers, is_secure in (({}, False), ({"X-Forwarded-Proto": "https"}, True)):
        cookie = browser.get("/sign-in/provider", headers=headers).headers["set-cookie"]
        for part in ("Path=/oauth2callback", "Max-Age=600", "HttpOnly", "SameSite=lax"):
            assert part in cookie
        assert ("Secure" in cookie) == is_secure
    browser = scene.browser()
    address = scene.be_vouched_for(browser, OLGA)
    given = browser.get(address).headers.get_list("set-cookie")
    assert any("_begun=" in one and "Max-Age=0" in one for one in given)


def test_a_forged_way_back_does_not_end_what_was_begun(scene: Scene):
    browser = scene.browser()
    address = scene.be_vouched_for(browser, OLGA)
    assert browser.get("/oauth2callback?code=x&state=y").status_code == 403
    browser.get(address)
    assert scene.who(browser) == "Olga"


UNREADABLE = ({"sub": "\ud800"}, {"email": "\ud800@example.org"})
CLAIMS = (
    *UNREADABLE,
    {"sub": "4\x002"},
    {"sub": "4" * 5_000},
    {"sub": None},
    {"sub": ""},
    {"email": ["olga@example.org"]},
    {"email": None},
    {"email": HOSTILE},
    {"email": "x" * 100_000},
    {"email_verified": "true"},
    {"email_verified": 1},
    {"email_verified": None},
)


@long
def test_claims_that_are_none_are_refused_in_words(scene: Scene):
    for claims in CLAIMS:
        browser = scene.browser()
        answered = browser.get(scene.be_vouched_for(browser, OLGA | claims))
        assert answered.status_code == 403, claims
        assert "Try again" in answered.text
        assert "<script" not in answered.text
        assert scene.who(browser) == ""


@long
@pytest.mark.parametrize("claims", few(UNREADABLE))
def test_without_the_guard_the_store_cannot_take_them(
    scene: Scene, claims: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(accounts, "_is_readable", lambda _text: True)
    browser = scene.browser()
    assert browser.get(scene.be_vouched_for(browser, OLGA | claims)).status_code == 422


GARBAGE: dict[str, Callable[[], Response]] = {
    "a page": lambda: PlainTextResponse("<html>Log in to the network: hurt()</html>"),
    "a list": lambda: JSONResponse([1]),
    "nothing": lambda: JSONResponse({}),
    "null": lambda: JSONResponse(None),
    "no text": lambda: Response(b"\xff\xfe{", media_type="application/json"),
    "nested": lambda: Response("[" * 200_000, media_type="application/json"),
    "numbers": lambda: JSONResponse(
        {"issuer": 1, "authorization_endpoint": 2, "token_endpoint": 3, "keys": 4, "id_token": 5}
    ),
    "an error": lambda: JSONResponse({"error": HOSTILE, "error_description": HOSTILE}, 400),
    "a fault": lambda: PlainTextResponse(HOSTILE, 500),
    "another place": lambda: Response(status_code=302, headers={"Location": "http://127.0.0.1:1"}),
    "unpacked": lambda: Response(b"no gzip", headers={"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("end", few(["describe", "token", "keys"]))
def test_a_provider_that_answers_garbage(scene: Scene, end: str, capfd: pytest.CaptureFixture[str]):
    """It is refused in words, nothing of it is shown or logged, and the next visitor gets in."""
    for name, garbage in GARBAGE.items():
        single_sign_on._client.cache_clear()
        browser, address = scene.browser(), "/sign-in/provider"
        if end != "describe":
            address = scene.be_vouched_for(browser, OLGA)
        scene.provider.instead[end] = garbage
        scene.provider.asked.clear()
        answered = browser.get(address)
        assert answered.status_code == (502 if end == "describe" else 403), name
        assert "did not work" in answered.text
        assert end in scene.provider.asked
        told = capfd.readouterr()
        assert not any("hurt" in text for text in (answered.text, told.out, told.err)), name
        scene.provider.instead.clear()
        assert scene.come_in(OLGA), name


@long
@pytest.mark.parametrize(("end", "name"), [("describe", "nothing"), ("keys", "a list")])
def test_without_the_guard_garbage_is_believed_for_good(
    scene: Scene, end: str, name: str, monkeypatch: pytest.MonkeyPatch
):
    """What the provider says of itself is read once; what led to a failure is forgotten."""
    monkeypatch.setattr(single_sign_on._client, "cache_clear", lambda: None)
    scene.provider.instead[end] = GARBAGE[name]
    assert not scene.come_in(OLGA)
    scene.provider.instead.clear()
    assert not scene.come_in(OLGA)


def test_what_a_provider_or_a_forger_says_is_neither_shown_nor_logged(
    scene: Scene, capfd: pytest.CaptureFixture[str]
):
    browser = scene.browser()
    scene.be_vouched_for(browser, OLGA)
    for name in ("error", "error_description", "error_uri", "code", "state", "iss", "x" * 9_000):
        answered = browser.get("/oauth2callback", params={name: HOSTILE, "error": HOSTILE})
        assert answered.status_code == 403
        assert "hurt" not in answered.text
        answered = browser.get("/oauth2callback", params={name: HOSTILE})
        assert answered.status_code == 403
        assert "hurt" not in answered.text
    told = capfd.readouterr()
    assert "hurt" not in told.out + told.err
    assert "\x1b" not in told.out + told.err


def test_a_provider_that_is_not_there(scene: Scene, monkeypatch: pytest.MonkeyPatch):
    client, _ = single_sign_on._client()
    client._server_metadata_url = "http://127.0.0.1:1/nothing"
    answered = scene.browser().get("/sign-in/provider")
    assert (answered.status_code, "did not work" in answered.text) == (502, True)


def make_drip(enough: threading.Event) -> Callable[[], Response]:
    """Return what answers a little at a time, which no limit on a pause notices."""

    async def body() -> AsyncIterator[bytes]:
        while not enough.is_set():
            yield b" "
            await asyncio.sleep(0.1)

    return lambda: StreamingResponse(body(), media_type="application/json")


@pytest.mark.parametrize("end", few(["describe", "token", "keys"]))
@pytest.mark.parametrize("is_guarded", few([True, False]), ids=["guarded", "without its guard"])
def test_a_provider_that_never_ends_its_answer(
    scene: Scene, end: str, is_guarded: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(single_sign_on, "PATIENCE", 0.5 if is_guarded else 1e9)
    browser, enough = scene.browser(), threading.Event()
    address = "/sign-in/provider" if end == "describe" else scene.be_vouched_for(browser, OLGA)
    scene.provider.instead[end] = make_drip(enough)
    with ThreadPoolExecutor(1) as thread:
        visit = thread.submit(browser.get, address)
        try:
            ended, _ = wait([visit], 60 if is_guarded else 2)
        finally:
            enough.set()
        assert bool(ended) == is_guarded
        assert visit.result().status_code in (403, 502)


@long
def test_no_visitor_makes_the_server_read_all_certificates_anew(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
):
    """That would take tenths of a second each time, in which nobody is served."""
    read: list[int] = []
    load = ssl.SSLContext.load_verify_locations
    monkeypatch.setattr(
        ssl.SSLContext,
        "load_verify_locations",
        lambda *given, **named: read.append(1) or load(*given, **named),
        raising=False,
    )
    assert scene.come_in(OLGA)
    read.clear()
    assert all(scene.come_in(OLGA) for _ in range(3))
    assert read == []
    client, _ = single_sign_on._client()
    del client.client_kwargs["verify"]
    assert scene.come_in(OLGA)
    assert len(read) > 1


FLOOD = 150


def test_a_flood_leaves_all_others_alone_also_at_the_same_address(scene: Scene):
    """Whoever floods cannot use anything up: the provider is not asked for what began nowhere."""
    assert scene.come_in(OLGA)
    scene.provider.asked.clear()
    flooding = scene.browser()
    codes = Counter(
        flooding.get(path).status_code
        for _ in range(FLOOD)
        for path in ("/sign-in/provider", "/oauth2callback?code=a&state=b")
    )
    flooding.cookies.clear()
    codes += Counter(flooding.get("/oauth2callback?code=a").status_code for _ in range(FLOOD))
    assert codes == {302: FLOOD, 403: 2 * FLOOD}
    assert scene.provider.asked == []
    assert scene.come_in(OLGA)


@pytest.mark.parametrize("is_guarded", few([True, False]), ids=["guarded", "without its guard"])
def test_the_provider_is_asked_once_for_each_visit(
    scene: Scene, is_guarded: bool, monkeypatch: pytest.MonkeyPatch
):
    """A browser that keeps what it is told to forget brings wrong codes, and others come in."""
    if not is_guarded:
        monkeypatch.setattr(single_sign_on, "_count_once", lambda *_: None)
    flooding = scene.browser()
    came = parse_qs(urlsplit(scene.be_vouched_for(flooding, OLGA)).query)
    kept = dict(flooding.cookies)
    for number in range(10):
        flooding.cookies.update(kept)
        wrong = urlencode({"code": f"wrong {number}", "state": came["state"][0]})
        assert flooding.get(f"/oauth2callback?{wrong}").status_code == 403
    assert scene.provider.asked.count("token") == (1 if is_guarded else 10)
    flooding.cookies.update(kept)
    flooding.get("/oauth2callback?" + urlencode(came, doseq=True))
    assert (scene.who(flooding) == "Olga") != is_guarded
    assert scene.come_in(OLGA)


@pytest.mark.parametrize("is_guarded", few([True, False]), ids=["guarded", "without its guard"])
def test_one_address_does_not_hold_all_places_of_a_slow_provider(
    scene: Scene, is_guarded: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(single_sign_on, "MOST_FROM_ONE", 2 if is_guarded else 10**9)
    monkeypatch.setattr(single_sign_on, "_UNDER_WAY", asyncio.Semaphore(4))
    enough = threading.Event()
    scene.provider.instead["describe"] = make_drip(enough)
    with ThreadPoolExecutor(6) as threads:
        visits = [threads.submit(scene.browser().get, "/sign-in/provider") for _ in range(6)]
        wait_until(lambda: sum(one.done() for one in visits) == (4 if is_guarded else 2))
        scene.provider.instead.clear()
        elsewhere = scene.browser("192.0.2.2")
        served = elsewhere.get("/sign-in/provider").status_code
        enough.set()
    assert served == (302 if is_guarded else 503)
    assert Counter(one.result().status_code for one in visits)[503] == (4 if is_guarded else 2)
    assert not single_sign_on._FROM


SAID: dict[str, dict[str, Any]] = {
    "redirects are followed": {"follow_redirects": True},
    "certificates do not count": {"verify": False},
    "by another way": {"proxy": "http://127.0.0.1:1"},
    "nothing is proved": {"code_challenge_method": "plain"},
    "no nonce": {"nonce": "", "scope": "profile", "response_type": "token"},
    "its own keys": {"jwks": {"keys": []}},
    "a key for a thing": {"transport": 1, "event_hooks": 1, "headers": {"X-Evil": "1"}},
}


@pytest.mark.parametrize("name", few(SAID, 2))
def test_a_provider_sets_nothing_by_what_it_says_of_itself(scene: Scene, name: str):
    scene.provider.says = SAID[name]
    browser = scene.browser()
    sent = parse_qs(urlsplit(browser.get("/sign-in/provider").headers["location"]).query)
    assert sent["code_challenge_method"] == ["S256"]
    assert sent["scope"] == ["openid email profile"]
    assert sent["response_type"] == ["code"]
    assert sent["nonce"]
    assert scene.come_in(OLGA)


@long
def test_without_the_guard_it_would(scene: Scene, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(single_sign_on, "FACTS", (
        "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", *SAID["no nonce"],
        "id_token_signing_alg_values_supported"))  # fmt: skip
    scene.provider.says = SAID["no nonce"]
    sent = scene.browser().get("/sign-in/provider").headers["location"]
    assert parse_qs(urlsplit(sent).query)["scope"] == ["profile"]


LEADING_ELSEWHERE = (
    "https://evil.example/", "//evil.example/", "/\\evil.example", "https:evil.example",
    "/%5cevil.example", "\r\nLocation: https://evil.example/", "javascript:alert(1)", "",
)  # fmt: skip


def test_no_address_says_where_a_visitor_is_sent(scene: Scene):
    """Neither as one goes to the provider nor as one comes back."""
    for place in LEADING_ELSEWHERE:
        asked = {name: place for name in ("next", "redirect_uri", "return_to", "url", "next_url")}
        browser = scene.browser()
        sent = browser.get("/sign-in/provider", params=asked).headers["location"]
        assert sent.startswith(f"{scene.provider.issuer}/authorize?")
        assert parse_qs(urlsplit(sent).query)["redirect_uri"] == [f"{HERE}/oauth2callback"]
        scene.provider.claims = OLGA
        back = scene.web.get(sent).headers["location"].removeprefix(HERE)
        came = browser.get(f"{back}&{urlencode(asked)}")
        assert (came.status_code, came.headers["location"]) == (303, "/")
        assert scene.who(browser) == "Olga"


SECURE = pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl: no certificate")


@SECURE
@pytest.mark.parametrize("place", few(["token_endpoint", "jwks_uri", "authorization_endpoint"]))
def test_who_is_asked_over_tls_leads_to_no_place_without(
    store: Store, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
):
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    single_sign_on._trusted.cache_clear()
    set_email(store, add_person(store, "Olga", "organiser"), str(OLGA["email"]))
    with (
        run_provider(Attacked(certificate=certificate)) as provider,
        settings_of(provider, tmp_path),
    ):
        web = httpx2.Client(verify=ssl.create_default_context(cafile=str(certificate)))
        scene = Scene(store, provider, web)  # type: ignore[arg-type]
        assert scene.come_in(OLGA)
        single_sign_on._client.cache_clear()
        provider.says = {place: f"http://127.0.0.1:{provider.port}/elsewhere"}  # type: ignore[attr-defined]
        answered = scene.browser().get("/sign-in/provider")
        assert (answered.status_code, "did not work" in answered.text) == (502, True)
        web.close()
    single_sign_on._trusted.cache_clear()


@pytest.mark.parametrize("is_guarded", few([True, False]), ids=["guarded", "without its guard"])
def test_others_are_served_while_a_provider_lets_many_wait(
    provider: Attacked,
    tmp_path: Path,
    is_guarded: bool,
    long_form: bool,
    record_property: Callable[[str, object], None],
):
    """A real server: visitors come from as many addresses, as a proxy on this machine tells it."""
    if not long_form:
        pytest.skip("runs with --long: it waits for as long as a provider is waited for")
    Store(tmp_path / "store.duckdb").close()
    home = {"HOME": str(tmp_path), "UNGUARDED": "provider"}
    server = Running(tmp_path / "store.duckdb", tmp_path / "server.log", home)
    server.app = server.app if is_guarded else "tests.faults.unguarded:app"
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_text(provider.secrets_file(server.address))
    server.start()
    enough = threading.Event()
    provider.instead = {"describe": make_drip(enough)}
    many = 2 * single_sign_on.MOST_AT_ONCE

    def visit(number: int) -> int:
        headers = {"X-Forwarded-For": f"192.0.2.{number}"}
        with httpx2.Client(timeout=120, headers=headers) as browser:
            return browser.get(f"{server.address}/sign-in/provider").status_code

    try:
        with ThreadPoolExecutor(many) as threads:
            visits = [threads.submit(visit, number) for number in range(many)]
            served = 0
            while not all(one.done() for one in visits) and (is_guarded or served < 50):
                served += server.answers()
            ended = Counter(one.result() for one in visits if one.done())
            enough.set()
    finally:
        enough.set()
        provider.instead = {}
        server.kill()
    record_property("counts", f"{many} visitors, {dict(ended)}, {served} others served meanwhile")
    assert served > 10
    assert set(ended) == ({502, 503} if is_guarded else set())
    assert ended.total() == (many if is_guarded else 0)
