"""Single sign-on through a real browser and a provider on this machine."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from joserfc.jwk import RSAKey
from playwright.sync_api import Page, expect

from core.store.people.accounts import set_email
from core.store.people.people import add_person, list_people
from core.store.store import Store
from tests.browser.identity_provider import Provider, run_provider
from tests.browser.running import Running
from tests.short import long

pytestmark = pytest.mark.browser

OLGA = {"sub": "42", "email": "Olga@example.org", "email_verified": True, "name": "Olga"}


@dataclass
class Place:
    """A server that trusts a provider."""

    server: Running
    provider: Provider
    store: Path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("sso")
    store = Store(folder / "store.duckdb")
    set_email(store, add_person(store, "Olga", "organiser"), "olga@example.org")
    store.close()
    with run_provider() as provider:
        home = {"HOME": str(folder)}
        server = Running(folder / "store.duckdb", folder / "server.log", home)
        (folder / ".streamlit").mkdir()
        (folder / ".streamlit" / "secrets.toml").write_text(provider.secrets_file(server.address))
        server.start()
        yield Place(server, provider, folder / "store.duckdb")
        server.kill()


def come(page: Page, place: Place, **claims: object) -> None:
    """Go through the provider, which vouches for these claims."""
    place.provider.claims = {**OLGA, **claims}
    page.goto(place.server.address)
    page.get_by_role("link", name="Single sign-on").click()


def has_session(page: Page, place: Place) -> bool:
    return any(one["name"] == place.server.cookie for one in page.context.cookies())


@long
@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"email": "eve@example.org"}, "Nobody was invited"),
        ({"email_verified": False}, "not confirmed"),
    ],
)
def test_nobody_gets_an_account_by_coming(page: Page, place: Place, claims: dict, reason: str):
    come(page, place, **claims)
    expect(page.get_by_text(reason)).to_be_visible()
    assert not has_session(page, place)


@long
def test_a_token_that_the_provider_has_not_signed_is_worth_nothing(page: Page, place: Place):
    place.provider.signing_key = RSAKey.generate_key(2048, {"kid": "1"})
    come(page, place)
    expect(page.get_by_role("heading", name="That did not work")).to_be_visible()
    place.provider.signing_key = None
    assert not has_session(page, place)


def test_an_invited_person_comes_in_and_signs_out_for_good(page: Page, place: Place):
    come(page, place)
    page.get_by_role("link", name="Account").click()
    expect(page.get_by_text("Signed in as Olga, organiser")).to_be_visible()
    assert has_session(page, place)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Single sign-on")).to_be_visible()
    assert not has_session(page, place)
    place.server.stop()
    store = Store(place.store)
    assert [one.name for one in list_people(store)] == ["Olga"]
    store.close()
