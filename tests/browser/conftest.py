"""Real servers, and signing in to them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.firefox import OLDEST, Firefox, Tab, find_firefox
from tests.browser.running import Running
from tests.faults.xss_watch import Catcher, catch

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


@pytest.fixture(scope="session")
def only_in_full(request: pytest.FixtureRequest) -> None:
    """Leave out, in the short form, what Firefox does as Chromium does it."""
    if not request.config.getoption("--long"):
        pytest.skip("runs with --long: all that Chromium is tried with, in Firefox")


@pytest.fixture(scope="module")
def outside() -> Iterator[Catcher]:
    """What stands for all other machines, as Firefox sees it."""
    with catch() as opened:
        yield opened


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory, outside: Catcher) -> Iterator[Firefox]:
    """A real Firefox, which asks no other machine; left out where there is none."""
    path = find_firefox()
    if path is None:
        pytest.skip("no Firefox: install firefox-esr, or name one in DISSENT_FIREFOX")
    with Firefox(path, tmp_path_factory.mktemp("profile"), outside.port) as opened:
        if opened.version < OLDEST:
            pytest.skip(f"{path} is Firefox {opened.version}; these tests know {OLDEST} and later")
        yield opened
    assert outside.asked == []


@pytest.fixture
def tab(firefox: Firefox) -> Iterator[Tab]:
    """A tab of Firefox, without anything from earlier tests."""
    opened = firefox.visit()
    yield opened
    opened.leave()


def sign_in(page: Page, server: Running, token: str) -> None:
    """Follow an invitation link and press its button."""
    page.goto(f"{server.address}/enter/{token}")
    page.get_by_role("button", name="Sign in").click()


def see_both(page: Page) -> None:
    """Bring the side of a pair into view that was not, if there is one: then levels are open."""
    root = judge_screen(page)
    expect(root).to_have_attribute("data-ready", "true")
    while (unseen := root.get_attribute("data-lack")) in ("left", "right"):
        button = page.get_by_test_id(f"side-{unseen}")
        if button.is_visible():
            button.click()
        side = page.get_by_test_id(unseen)
        text = side.locator(".framed, .extract")
        (text if text.count() else side).first.scroll_into_view_if_needed()
        expect(root).not_to_have_attribute("data-lack", unseen)


def judge_screen(page: Page) -> Locator:
    """Return the judging screen, which carries what is being judged as data-step."""
    return page.locator("[data-step]")


def begin(page: Page) -> Locator:
    """Wait for the judging screen, and leave the card before the first item where there is one."""
    root = judge_screen(page)
    expect(root).to_be_visible()
    expect(root).not_to_have_attribute("data-step", "")
    if root.get_attribute("data-step") == "start":
        page.keyboard.press("Enter")
        expect(root).not_to_have_attribute("data-step", "start")
    return root


def press_when_seen(page: Page, key: str) -> None:
    """Press a key once the item on the screen could have been seen."""
    expect(judge_screen(page)).to_have_attribute("data-ready", "true")
    page.keyboard.press(key)


def settle(page: Page) -> None:
    """Wait until a page is drawn to the end, and listens: keys are heard once effects have run."""
    page.wait_for_function(_SETTLED)
    page.evaluate("() => new Promise(done => requestIdleCallback(() => done()))")
