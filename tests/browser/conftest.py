"""A real Chromium and real servers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.running import Running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    assert path, "no Chromium: run 'python -m tests', which gets one"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


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
