"""Every page and tab, as somebody who looks at all of them sees them.

``python -m tests.browser.views FOLDER [STORE]`` makes pictures of the demo, or of the collections
of a store, into a folder: light and dark, at the width of a laptop and of a phone.
"""

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from core.store.content.collections import list_collections
from core.store.people.people import add_person, begin_session, invite
from core.store.store import Store
from pages.shared.navigation import PAGES
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.running import Running

LAPTOP, PHONE = (1366, 768), (390, 844)
HEADER = 80
"""Pixels at the top of the window that the navigation covers."""

LOOKS = [(theme, size) for theme in ("light", "dark") for size in (LAPTOP, PHONE)]

SEEN = [page.path for page in PAGES if "organiser" in page.roles and page.headed]
"""The addresses of what an organiser sees."""

SOMETIMES = {"machines"}
"""Addresses whose tab is there only where a machine has judged."""

WITH_A_LOG = {"clicks"}
"""Addresses whose tab is there only where there is a click log, as in the demo."""

DRAWN = """() => {
  const app = document.querySelector('.stApp');
  return app?.dataset.testScriptState === 'notRunning'
    && document.querySelector('[data-testid=stMain] [data-testid=stElementContainer]')
    && !document.querySelector('[data-stale=true], [data-testid=stSkeleton]');
}"""
STAYS = 300
"""Milliseconds for which a page has to stay drawn: it may be drawn in several goes."""

_PASSING = ".notifier-note, [data-testid=stTooltipContent]"
"""Hints that go by themselves when the pointer has gone."""

_TO_TOP = """(tab, header) => {
  tab.scrollIntoView();
  tab.closest('[data-testid=stMain]').scrollBy(0, -header);
}"""
_TITLE = "document.querySelector('[data-testid=stMain] h1')?.innerText"
_ANSWER = """() => {
  const place = document.querySelector('.st-key-answer');
  const box = place?.getBoundingClientRect();
  return {text: place?.innerText ?? '', top: box?.top ?? 0, bottom: box?.bottom ?? 1e9};
}"""


def look(page: Page, server: Running, path: str, collection: str = "") -> None:
    """Open a page, and wait until it is drawn to the end."""
    page.goto(f"{server.address}/{path}" + (f"?collection={collection}" if collection else ""))
    _wait(page)


def _wait(page: Page) -> None:
    page.wait_for_function(DRAWN, timeout=120_000)
    page.wait_for_timeout(STAYS)
    page.wait_for_function(DRAWN, timeout=120_000)


def _wait_for(page: Page, title: str) -> None:
    page.wait_for_function(f"title => {_TITLE} === title && ({DRAWN})()", arg=title)
    _wait(page)


def walk(page: Page, *destinations: str) -> Iterator[str]:
    """Go through what an organiser sees, by the links on the screen; yields each address.

    The first of the pages is being shown already; each is drawn to the end. Of the destinations
    of the navigation all are visited, unless some are named. Pages without a tab are left
    out.
    """
    shown = [one for one in PAGES if one.path in SEEN and one.path not in SOMETIMES]
    shown = [one for one in shown if not destinations or one.destination in destinations]
    _wait_for(page, shown[0].title)
    yield shown[0].path
    destination = shown[0].destination
    for one in shown[1:]:
        if one.destination == destination:
            tabs = page.locator(".st-key-frame-tabs")
            tab = tabs.get_by_role("link", name=one.title, exact=True)
            if one.path in WITH_A_LOG and not tab.count():
                continue
            tab.click()
        else:
            page.get_by_test_id("stTopNavLink").filter(has_text=one.destination).click()
        page.mouse.move(0, 0)  # the hint of an entry would cover its neighbours
        _wait_for(page, one.title)
        destination = one.destination
        yield one.path


def find_answer(page: Page) -> tuple[str, bool]:
    """Return what a page answers, and whether all of that is seen without scrolling."""
    found = page.evaluate(_ANSWER)
    inside = (
        found["top"] >= 0 and found["bottom"] <= (page.viewport_size or {"height": 0})["height"]
    )
    return found["text"].strip(), inside


def open_parts(page: Page) -> Iterator[int]:
    """Open the parts of a page one after the other, each at the top of the window."""
    parts = page.locator("[data-testid=stMain] [role=tab]")
    for number in range(parts.count()):
        parts.nth(number).click()
        _wait(page)
        page.mouse.move(0, 0)  # what is under the pointer would have its tools drawn over it
        parts.nth(number).evaluate(_TO_TOP, HEADER)
        expect(page.locator(_PASSING)).to_have_count(0)
        yield number


@contextmanager
def open_store(store: Path | None, folder: Path) -> Iterator[tuple[Running, str, dict[str, str]]]:
    """Serve the demo, or a copy of a store; yields the way in and the collections by name."""
    path, collections = None, {"demo": ""}
    enter = ""
    if store is not None:
        path = Path(shutil.copy(store, folder / "store.duckdb"))
        opened = Store(path)
        collections = {one.name: one.collection_id for one in list_collections(opened)}
        person = add_person(opened, "Looks at all", "organiser")
        begin_session(opened, person)
        enter = f"/enter/{invite(opened, person)}"
        opened.close()
    server = Running(path, folder / "server.log")
    server.start()
    try:
        yield server, enter, collections
    finally:
        server.kill()


def come_in(browser: Browser, server: Running, enter: str, **look: object) -> Page:
    """Return a page that an organiser is signed in on."""
    page = browser.new_context(**look).new_page()  # type: ignore[arg-type]
    page.goto(f"{server.address}{enter}")
    page.get_by_role("button", name="Sign in" if enter else "Watch as an organiser").click()
    page.wait_for_function(DRAWN, timeout=120_000)
    return page


def picture(browser: Browser, store: Path | None, target: Path) -> None:
    """Make a picture of every page, in every look, of every collection."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(store, Path(folder)) as (server, enter, collections),
    ):
        session = come_in(browser, server, enter).context.storage_state()
        for theme, (width, height) in LOOKS:
            page = browser.new_context(
                storage_state=session,
                color_scheme="dark" if theme == "dark" else "light",
                viewport={"width": width, "height": height},
            ).new_page()
            for name, collection in collections.items():
                for path in SEEN:
                    look(page, server, path, collection)
                    file = f"{name}-{path}-{theme}-{width}"
                    page.screenshot(path=target / f"{file}.png")
                    text, inside = find_answer(page)
                    where = "" if inside else " (below)"
                    print(f"{file}: {text[:100]!r}{where}", flush=True)
                    for number in open_parts(page):
                        page.screenshot(path=target / f"{file}-part{number}.png")
            page.context.close()


def main() -> None:
    """Make the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("store", type=Path, nargs="?", help="a store; without one, the demo")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        picture(browser, asked.store, asked.folder)
        browser.close()


if __name__ == "__main__":
    main()
