"""Real servers, and signing in to them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.running import Running

_SETTLED = """() => {
  const app = document.querySelector('.stApp');
  const main = document.querySelector('[data-testid=stMain]');
  return app?.dataset.testScriptState === 'notRunning'
    && main?.querySelector('[data-testid=stElementContainer]')
    && !document.querySelector('[data-stale=true]');
}"""


@pytest.fixture
def run_server(tmp_path: Path) -> Iterator[Callable[[Path | None], Running]]:
    """Return a function that starts a server on a store (None: the demo)."""
    started: list[Running] = []

    def run(store: Path | None) -> Running:
        server = Running(store, tmp_path / f"server{len(started)}.log")
        started.append(server)
        server.start()
        return server

    yield run
    for server in started:
        server.kill()


def sign_in(page: Page, server: Running, token: str) -> None:
    """Follow an invitation link and press its button."""
    page.goto(f"{server.address}/enter/{token}")
    page.get_by_role("button", name="Sign in").click()


def judge_screen(page: Page) -> Locator:
    """Return the judging screen, which carries what is being judged as data-step."""
    return page.locator("[data-step]")


def settle(page: Page) -> None:
    """Wait until a page is drawn to the end."""
    page.wait_for_function(_SETTLED)
