"""The judging screen's modules in a real browser, one by one, without Streamlit or the app."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page

from pages.judge.module_linker import read_module
from tests.pages.judge.screen.loopback import SCREEN, Intake, Loopback, serve
from tests.patience import PATIENCE

Run = Callable[..., Any]


@pytest.fixture(scope="session")
def loopback() -> Iterator[Loopback]:
    with serve() as server:
        yield server


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Iterator[Page]:
    """One tab for all: opening another takes longer than most of these tests."""
    context = browser.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def blank(tab: Page, loopback: Loopback) -> Iterator[Page]:
    """A page with nothing on it and nothing stored, of the server that has the modules."""
    loopback.turn()
    tab.goto(loopback.page)
    tab.evaluate("localStorage.clear(), sessionStorage.clear()")
    yield tab
    tab.unroute_all()
    for other in tab.context.pages:
        if other is not tab:
            other.close()


@pytest.fixture
def intake(blank: Page, loopback: Loopback) -> Intake:
    """Takes what is sent from the blank page."""
    return loopback.intake


@pytest.fixture
def run(blank: Page) -> Run:
    """Return a function that runs a script with what some modules export.

    The script may await, has what the test hands over as ``given``, and returns something that
    JSON can hold.
    """
    return lambda *files, script, given=None: run_in(blank, *files, script=script, given=given)


def run_in(place: Page | Frame, *files: str, script: str, given: Any = None) -> Any:
    """Run a script on a page or in one of its frames."""
    imports = "".join(
        f"const {{ {', '.join(read_module(SCREEN / file).exports)} }} = "
        f"await import('/screen/{file}');\n"
        for file in files
    )
    return place.evaluate(f"async (given) => {{ {imports} {script} }}", given)
