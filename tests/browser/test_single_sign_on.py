"""Single sign-on through a real browser and a provider on this machine."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from joserfc.jwk import RSAKey
from playwright.sync_api import Page, expect

from core.store.accounts import set_email
from core.store.people import add_person, list_people
from core.store.store import Store
from pages.shared.session import COOKIE
from tests.browser.identity_provider import Provider, run_provider
from tests.browser.running import Running

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
        server = Running(folder / "store.duckdb", folder / "server.log")
        (folder / ".streamlit").mkdir()
        (folder / ".streamlit" / "secrets.toml").write_text(provider.secrets_file(server.address))
        server.start()
        yield Place(server, provider, folder / "store.duckdb")
        server.kill()


def come(page: Page, place: Place, **claims: object) -> None:
    """Go through the provider, which vouches for these claims."""
    place.provider.claims = {**OLGA, **claims}
    page.goto(place.server.address)
    page.get_by_role("button", name="Single sign-on").click()


def has_session(page: Page) -> bool:
    return any(one["name"] == COOKIE for one in page.context.cookies())


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
    expect(page.get_by_role("button", name="Go on as")).to_have_count(0)
    assert not has_session(page)


def test_a_token_that_the_provider_has_not_signed_is_worth_nothing(page: Page, place: Place):
    place.provider.signing_key = RSAKey.generate_key(2048, {"kid": "1"})
    come(page, place)
    page.wait_for_timeout(1_500)
    place.provider.signing_key = None
    page.goto(place.server.address)
    expect(page.get_by_role("button", name="Single sign-on")).to_be_visible()
    expect(page.get_by_role("button", name="Go on as")).to_have_count(0)
    assert not has_session(page)


def test_an_invited_person_comes_in_and_signs_out_for_good(page: Page, place: Place):
    come(page, place)
    page.get_by_role("button", name="Go on as Olga").click()
    expect(page.get_by_text("Signed in as Olga, organiser")).to_be_visible()
    assert has_session(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Single sign-on")).to_be_visible()
    expect(page.get_by_role("button", name="Go on as")).to_have_count(0)
    assert not [one for one in page.context.cookies() if one["name"].startswith("_streamlit_user")]
    place.server.stop()
    store = Store(place.store)
    assert [one.name for one in list_people(store)] == ["Olga"]
    store.close()
