"""Pages that never come, fail, come late or by halves: no label is given to what was not shown.

In front of a real server stands a proxy that spoils pages, and tells of each label that passes
whether its pages had come. The guard taken away, it finds such labels.
"""

import base64
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pandas as pd
import pytest
from playwright.sync_api import Browser

from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen
from tests.browser.firefox import Firefox
from tests.browser.firefox_screen import Screen, part
from tests.browser.running import Running, wait_until
from tests.browser.study import Study, Wish
from tests.faults.page_faults import FAULTS, PageFaults, spoil_pages
from tests.made_files import make_pdf, make_picture
from tests.patience import PATIENCE
from tests.short import long

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1_500)]

Counts = Callable[[str, object], None]
PLAN = Plan(judges=1, flow="page only", depth=99)
PRESSES = 3
"""How often a level is pressed at a page that has not come."""

PDF, PICTURE = (
    base64.b64encode(one).decode() for one in (make_pdf([["cats"]] * 3), make_picture())
)
KINDS: dict[str, dict[str, Any]] = {
    "html": {"html": "<p>Cats eat twice a day.</p>" * 300},
    "text": {"text": "Cats eat twice a day.\n" * 1_500},
    "pdf": {"media": PDF},
    "picture": {"media": PICTURE},
}
EVERY = tuple((fault, kind) for fault in ("", *FAULTS) for kind in KINDS)
SHORT = (("error 500", "html"), ("late", "pdf"), ("half", "text"), ("", "html"))


def name_of(fault: str, kind: str) -> str:
    return f"{fault or 'well'}|{kind}".replace(" ", "_")


def fault_of(document: str) -> str:
    fault = document.partition("|")[0].replace("_", " ")
    return fault if fault in FAULTS else ""


def page_for(fault: str, kind: str) -> dict[str, Any]:
    return {"id": name_of(fault, kind), "title": f"A {kind}", **KINDS[kind]}


def sides_of(item: str) -> list[str]:
    """Return the documents of an item: of a pair its id names both in these tests' own way."""
    return PAIRS.get(item, [item])


PAIRS: dict[str, list[str]] = {}
"""The documents of each pair, by its id."""


class Window(Protocol):
    """What an assessor does at the judging screen."""

    def enter(self, address: str, cookie: str, session: str) -> None: ...
    def press(self, key: str) -> None: ...
    def click(self, name: str) -> None: ...
    def read(self, name: str) -> str: ...
    def words(self) -> str: ...


class Chromium:
    """An assessor at Chromium."""

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page = self.context.new_page()

    def enter(self, address: str, cookie: str, session: str) -> None:
        self.context.add_cookies([{"name": cookie, "value": session, "url": address}])
        self.page.goto(address)
        begin(self.page)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def click(self, name: str) -> None:
        self.page.locator(f"{part(name)}:visible").first.click()

    def read(self, name: str) -> str:
        return judge_screen(self.page).get_attribute(name) or ""

    def words(self) -> str:
        return " ".join(self.page.locator(".notHere:visible").all_inner_texts())

    def leave(self) -> None:
        self.context.close()


class AtFirefox:
    """An assessor at Firefox."""

    def __init__(self, firefox: Firefox) -> None:
        self.tab = firefox.visit()

    def enter(self, address: str, cookie: str, session: str) -> None:
        self.tab.set_cookie(cookie, session)
        self.tab.goto(address)
        Screen(self.tab).wait()

    def press(self, key: str) -> None:
        self.tab.press(key)

    def click(self, name: str) -> None:
        self.tab.click(part(name))

    def read(self, name: str) -> str:
        return self.tab.attribute("[data-step]", name) or ""

    def words(self) -> str:
        texts = "() => find('.notHere', '').map(one => one.innerText).join(' ')"
        return str(self.tab.evaluate(texts))

    def leave(self) -> None:
        self.tab.leave()


@pytest.fixture(params=["chromium", "firefox"])
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    if request.param == "firefox":
        opened: Any = AtFirefox(request.getfixturevalue("firefox"))
    else:
        opened = Chromium(request.getfixturevalue("browser"))
    yield opened
    opened.leave()


def add_pairs(store: Store) -> dict[str, str]:
    """Add a collection with a pair for each fault and kind, on either side; returns a session."""
    place = create_collection(store, "Pairs")
    documents = [page_for(*one) for one in EVERY]
    for kind, text in (
        ("topics", "t1\tcats\n"),
        ("documents", pd.DataFrame(documents).to_json(orient="records", lines=True)),
    ):
        name = "file.tsv" if kind == "topics" else "file.jsonl"
        write_import(store, place, read_import(kind, Source(name, text.encode())))
    person = add_person(store, "Compares", "assessor")
    add_member(store, place, person, "Compares")
    kinds = list(KINDS)
    chosen = [
        ("t1", "documents", *sorted((name_of(fault, kind), name_of("", kinds[n - 1]))))
        for fault in FAULTS
        for n, kind in enumerate(kinds)
    ]
    frame = pd.DataFrame(chosen, columns=["topic_id", "kind", "first", "second"])
    open_pair_round(store, place, Plan(judges=1, flow="pages side by side"), frame)
    rows = store.cursor().execute("SELECT pair_id, first, second FROM pairs").fetchall()
    PAIRS.update({pair: [first, second] for pair, first, second in rows})
    return {"pairs": begin_session(store, person)}


@contextmanager
def run_spoilt(folder: Path, pages: Any, unguarded: str = "") -> Iterator[tuple[Study, PageFaults]]:
    """Run a server whose pages are spoilt on their way."""
    wish = Wish(documents=tuple(page_for(*one) for one in pages), plan=PLAN)
    study = Study(folder, {"pages": wish}, add_pairs if pages is EVERY else None)
    given = {"UNGUARDED": unguarded}
    study.server = Running(study.path, folder / "server.log", given, afresh=True)
    study.server.app = "tests.faults.impatient:app"
    study.server.start()
    try:
        with spoil_pages(study.server.port, fault_of, sides_of) as proxy:
            yield study, proxy
    finally:
        study.server.kill()


def judge_everything(window: Window, proxy: PageFaults, key: str) -> Counter[str]:
    """Press a level at once and again at every item; what does not come is tried again or left.

    Returns how many items came to what.
    """
    done: Counter[str] = Counter()
    while (step := window.read("data-step")) not in ("finished", ""):

        def is_past(before: str = step) -> bool:
            return window.read("data-step") != before

        for _ in range(PRESSES):
            window.press(key)
            time.sleep(0.1)
            if is_past():
                break
        if is_past():
            done["judged at once"] += 1
            continue
        wait_until(lambda: window.read("data-lack") != "loading")
        how = "judged when it had come"
        if window.read("data-lack") == "failed":
            assert "could not be loaded" in window.words()
            window.press(key)
            assert not is_past()
            how = leave_or_try_again(window, proxy, done)
        if how != "cannot judge":
            wait_until(lambda: window.read("data-ready") == "true")
            window.press(key)
        done[how] += 1
        wait_until(is_past)
    wait_until(lambda: window.read("data-waiting") == "0")
    return done


def leave_or_try_again(window: Window, proxy: PageFaults, done: Counter[str]) -> str:
    """Of what has failed say that it cannot be judged; every other time, try it again."""
    if done["cannot judge"] > done["tried again"]:
        proxy.healed.update(document for document, _ in proxy.spoilt)
        window.click("try-again")
        wait_until(lambda: window.read("data-lack") == "")
        proxy.healed.clear()
        return "tried again"
    window.click("cannot-load")
    window.press("1")
    return "cannot judge"


@long
@pytest.mark.parametrize("place", ["pages", "pairs"])
def test_nothing_is_judged_that_was_not_shown(
    window: Window, tmp_path: Path, place: str, record_property: Counts
):
    with run_spoilt(tmp_path, EVERY) as (study, proxy):
        session = study.collections[place] if place == "pairs" else study.seats[place].session
        window.enter(proxy.address, study.server.cookie, session)
        done = judge_everything(window, proxy, "ArrowLeft" if place == "pairs" else "2")
        wait_until(lambda: len(proxy.given) == done.total())
        kinds = Counter(fault for _, fault in proxy.spoilt)
        record_property(
            "counts", f"{dict(done)}; {dict(kinds)} requests spoilt; {len(proxy.unseen)} unseen"
        )
        assert proxy.unseen == []
        spoilt = (len(FAULTS) - 1) * len(KINDS)
        assert done["cannot judge"] + done["tried again"] == spoilt
        assert done.total() == spoilt + len(KINDS) * (1 if place == "pairs" else 2)
        if place == "pairs":  # of pages alone, the next ones are on their way meanwhile
            assert done["judged when it had come"] > 0
        assert set(kinds) == set(FAULTS) - {"late"}


@long
def test_what_was_fetched_ahead_is_judged_whatever_the_network_does(
    window: Window, tmp_path: Path, record_property: Counts
):
    with run_spoilt(tmp_path, EVERY) as (study, proxy):
        proxy.is_on, proxy.has_ahead = False, True
        window.enter(proxy.address, study.server.cookie, study.seats["pages"].session)
        wait_until(lambda: len(proxy.came) == len(EVERY))
        proxy.wait_for_rest()  # texts alone come after pages
        proxy.is_on = True
        done = judge_everything(window, proxy, "2")
        record_property("counts", f"{dict(done)}; {len(proxy.spoilt)} requests spoilt")
        assert proxy.unseen == proxy.spoilt == []
        assert done.total() == len(EVERY)
        assert set(done) == {"judged at once"}


@long
@pytest.mark.parametrize("guard", ["guarded", "sight"])
def test_without_the_guard_what_was_not_shown_is_judged(
    browser: Browser, tmp_path: Path, guard: str, record_property: Counts
):
    window = Chromium(browser)
    with run_spoilt(tmp_path, SHORT, guard) as (study, proxy):
        window.enter(proxy.address, study.server.cookie, study.seats["pages"].session)
        done = judge_everything(window, proxy, "2")
        wait_until(lambda: len(proxy.given) == done.total())
        record_property("counts", f"{dict(done)}; {len(proxy.unseen)} unseen")
        assert bool(proxy.unseen) == (guard == "sight")
    window.leave()
