"""A class on a projector, in real browsers: join, judge, reveal and summary, by keyboard."""

import io
import re
import shutil
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path

import httpx2
import pytest
import zxingcpp
from itsdangerous import URLSafeTimedSerializer
from PIL import Image
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from core.assessment.class_mode import ITEMS, start_lesson
from core.assessment.intake.judging import Grant
from core.store.people.people import add_person, begin_session, find_session, hash_token
from core.store.rounds.lessons import Lesson, lesson_code
from core.store.rounds.rounds import read_pool
from core.store.store import Store
from tests.browser.conftest import settle
from tests.browser.running import Running
from tests.browser.study import expect_saved
from tests.browser.test_class import come_in, judge_pages
from tests.browser.views import LAPTOP, PHONE
from tests.short import long

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PROJECTOR = (1920, 1080)
_FIT = """() => {
  const box = one => document.querySelector(one).getBoundingClientRect();
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    below: box('.projector').bottom - box('.st-key-projector-bar').top,
    letters: parseFloat(getComputedStyle(document.querySelector('.projector p')).fontSize),
  };
}"""
OVER_HTTP = 6
"""Students besides the two in browsers; tests/bench/lesson.py has forty."""


@dataclass
class Hall:
    """A running server with a class, the lecturer's session, and the key of its tokens."""

    server: Running
    lesson: Lesson
    session: str
    secret: str
    code: str
    pages: list[str]
    clients: list[httpx2.Client] = field(default_factory=list)

    def close(self) -> None:
        """Send everybody home."""
        for client in self.clients:
            client.close()
        self.server.kill()

    def enter(self, browser: Browser, path: str, size: tuple[int, int] = PROJECTOR) -> Page:
        """Open a page as the lecturer."""
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height})
        cookie = {"name": self.server.cookie, "value": self.session, "url": self.server.address}
        context.add_cookies([cookie])
        page = context.new_page()
        page.goto(f"{self.server.address}/{path}")
        return page

    def find_ids(self, students: "list[Student]") -> dict[int, str]:
        """Return who the students are, read from a copy of the store's files."""
        copy = self.server.log.parent / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for part in self.server.log.parent.glob("store.duckdb*"):
            shutil.copy(part, copy)
        with closing(Store(copy / "store.duckdb")) as store:
            people = {one.number: find_session(store, one.session) for one in students}
        return {number: person.person_id for number, person in people.items() if person}

    def sit_down(self, number: int) -> "Student":
        """Join over HTTP."""
        client = httpx2.Client(base_url=self.server.address, timeout=60)
        self.clients.append(client)
        joined = client.post(f"/join/{self.code}", data={"nickname": f"Guest {number}"})
        assert joined.status_code == 303, joined.text
        return Student(self, client, number)


@dataclass
class Student:
    """One who joins and judges without a browser, as the judging screen does."""

    hall: Hall
    client: httpx2.Client
    number: int

    @property
    def session(self) -> str:
        """The token of their session."""
        return str(self.client.cookies[self.hall.server.cookie])

    def judge(self, person_id: str) -> list[float]:
        """Give every page a level, one request for each; returns the seconds each took."""
        seconds = []
        lesson = self.hall.lesson
        grant = Grant(lesson.collection_id, person_id, lesson.round_id, "t01", 0)
        signer = URLSafeTimedSerializer(self.hall.secret, salt="judge in a session")
        headers = {
            "Authorization": f"Bearer {signer.dumps([asdict(grant), hash_token(self.session)])}"
        }
        for place, document in enumerate(self.hall.pages):
            event = {
                "event_id": str(uuid.uuid4()), "topic": "t01", "document": document,
                "facet": "page", "engine": "", "state": "level", "dwell_ms": 1000,
                "level": (self.number + place) % 4,
                "comment": f"I, {self.number}, say so" if place == 0 else "",
            }  # fmt: skip
            began = time.perf_counter()
            answer = self.client.post("/api/labels", json={"events": [event]}, headers=headers)
            seconds.append(time.perf_counter() - began)
            assert answer.status_code == 200, answer.text
            assert answer.json()["acks"][0]["status"] == "saved"
        return seconds


def open_hall(folder: Path) -> Hall:
    """Start a server on a store with a class."""
    store = Store(folder / "store.duckdb")
    olga = add_person(store, "Olga", "organiser")
    session = begin_session(store, olga)
    lesson = start_lesson(store, "t01", by=olga)
    pages = sorted(read_pool(store, lesson.round_id)["document_id"])
    code, secret = lesson_code(store, lesson), store.secret
    store.close()
    server = Running(folder / "store.duckdb", folder / "server.log")
    server.start()
    return Hall(server, lesson, session, secret, code, pages)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    opened = open_hall(tmp_path)
    yield opened
    opened.close()


def on(page: Page, step: str) -> None:
    """Wait until a step is in view."""
    expect(page.locator(".projector-steps b")).to_have_text(step, timeout=30_000)


def on_any(page: Page) -> None:
    """Wait until a step is drawn to the end."""
    expect(page.locator(".projector-steps b")).to_have_count(1, timeout=30_000)
    settle(page)


def press(page: Page, key: str) -> None:
    """Press a key once what is drawn has been drawn to the end, and keys are listened to."""
    expect(page.get_by_role("button", name="full screen")).to_be_visible()
    page.wait_for_function(
        "() => document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
    )
    page.keyboard.press(key)


def go_on(page: Page) -> None:
    """Go to the next page of the reveal, and wait until the address names it."""
    before = page.url
    press(page, "ArrowRight")
    page.wait_for_url(lambda url: url != before)


def judge_over_http(hall: Hall, students: list[Student]) -> None:
    """Let students judge side by side, each in their own place."""
    ids = hall.find_ids(students)
    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(one.judge, ids[one.number]) for one in students]:
            done.result()


def see_code(page: Page) -> str:
    """Return what a telephone reads off the screen."""
    codes = zxingcpp.read_barcodes(Image.open(io.BytesIO(page.screenshot())))
    return " ".join(one.text for one in codes)


@long
def test_a_class_from_joining_to_the_summary(browser: Browser, hall: Hall):
    """Eight students, two of them in browsers: nothing fails while the projector follows."""
    screen = hall.enter(browser, "class-mode")
    errors: list[str] = []
    screen.on("pageerror", lambda error: errors.append(str(error)))
    settle(screen)
    screen.get_by_role("button", name="Show on a projector").click()
    on(screen, "Join")
    address = f"{hall.server.address}/join/{hall.code[:4]}-{hall.code[4:]}"
    expect(screen.locator(".projector img")).to_be_visible()
    assert see_code(screen) == address
    screen.get_by_role("button", name="This computer only").click()
    expect(screen.get_by_text("serve --store")).to_be_visible()
    press(screen, "Escape")

    guests = [come_in(browser, address) for _ in range(2)]
    students = [hall.sit_down(number) for number in range(OVER_HTTP)]
    joined = screen.get_by_test_id("joined")
    expect(joined).to_have_text(f"{OVER_HTTP + 2} joined")
    expect(screen.get_by_text("Guest 0", exact=True)).to_be_visible()
    press(screen, "ArrowRight")
    on(screen, "Judge")
    done = screen.get_by_test_id("done")
    expect(done).to_have_text(f"0 of {OVER_HTTP + 2}")
    expect(screen.locator(".level")).to_have_count(0)
    judge_over_http(hall, students)
    expect(done).to_have_text(f"{OVER_HTTP} of {OVER_HTTP + 2}")
    judge_pages(guests[0], dict.fromkeys(hall.pages, 3), ITEMS)
    expect(guests[0].get_by_text("You have judged every page of the class")).to_be_visible()
    judge_pages(guests[1], dict.fromkeys(hall.pages, 0), 4)
    expect_saved(guests[1])
    expect(screen.get_by_role("button", name="End judging and reveal (1 not done)")).to_be_visible()

    press(screen, " ")
    on(screen, "Reveal")
    bars = screen.get_by_test_id("bars")
    expect(bars.get_by_role("listitem")).to_have_count(5)
    counts = [int(one) for one in bars.locator("b").all_inner_texts()]
    assert OVER_HTTP + 1 <= sum(counts) <= OVER_HTTP + 2, "the last has judged four pages only"
    expect(screen.get_by_text("I, 3, say so")).to_be_visible()
    for guest in guests:
        expect(guest.get_by_role("heading", name="You and your class")).to_be_visible()
    expect(guests[0].locator(".level.own")).to_have_count(ITEMS)
    expect(guests[1].locator(".level.own")).to_have_count(4)
    assert "say so" not in guests[0].locator("body").inner_text()

    press(screen, "d")
    expect(screen.get_by_test_id("split")).to_contain_text("Why?")
    expect(screen.frame_locator("iframe").locator("body")).not_to_be_empty()
    shown = screen.locator("iframe").bounding_box()
    assert shown
    assert shown["height"] > PROJECTOR[1] * 0.7
    assert shown["y"] + shown["height"] < PROJECTOR[1]
    assert shown["x"] + shown["width"] < PROJECTOR[0]
    for _ in range(ITEMS):
        go_on(screen)
    on(screen, "Summary")
    expect(screen.get_by_text("Two of you agree on")).to_be_visible()
    expect(screen.get_by_text("Key and Nav count as one level")).to_be_visible()
    press(screen, "Escape")
    expect(screen.get_by_role("button", name="Show on a projector")).to_be_visible()
    assert "projector" not in screen.url
    assert errors == []
    for page in (screen, *guests):
        page.context.close()


@long
def test_who_joins_while_a_step_is_taken_does_not_take_it_back(browser: Browser, hall: Hall):
    """The page looks for what is new by itself, with the address that the browser has so far."""
    held: list[str | bytes] | None = None
    sockets: list[WebSocketRoute] = []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def ask(message: str | bytes) -> None:
            nonlocal held
            if isinstance(message, bytes) and b"projector-next" in message:
                held = []  # all that the server says from here on
            server.send(message)

        socket.on_message(ask)
        server.on_message(lambda one: socket.send(one) if held is None else held.append(one))
        sockets.append(socket)

    screen = hall.enter(browser, "class-mode?projector=1&step=join")
    screen.route_web_socket("**/_stcore/stream*", pass_on)
    screen.reload()
    on(screen, "Join")
    press(screen, "ArrowRight")
    screen.wait_for_timeout(500)
    hall.sit_down(0)
    screen.wait_for_timeout(3_000)
    waiting, held = held, None
    assert waiting, "the page has asked, and was told nothing"
    for message in waiting:
        sockets[-1].send(message)
    on(screen, "Judge")
    expect(screen.get_by_test_id("done")).to_have_text("0 of 1")
    settle(screen)
    on(screen, "Judge")
    press(screen, "ArrowLeft")
    on(screen, "Join")
    screen.context.close()


@long
def test_nothing_stands_around_the_class_and_it_fits(browser: Browser, hall: Hall):
    """Also with forty nicknames on the smallest projector."""
    for number in range(40):
        hall.sit_down(number)
    for size in (PROJECTOR, LAPTOP, PHONE):
        for step in ("join", "judge"):
            screen = hall.enter(browser, f"class-mode?projector=1&step={step}", size)
            on_any(screen)
            expect(screen.get_by_test_id("stHeader")).to_be_hidden()
            expect(screen.locator(".st-key-frame")).to_be_hidden()
            expect(screen.locator(".projector")).to_contain_text("40")
            seen = screen.evaluate(_FIT)
            assert seen["wide"] <= 0, (size, step)
            assert seen["letters"] >= (36 if size == PROJECTOR else 16), (size, step)
            assert size == PHONE or seen["below"] <= 0, (size, step, seen)
            if step == "join":
                screen.mouse.wheel(0, 0 if size != PHONE else 100)
                assert hall.code[:4] in see_code(screen), size
            screen.get_by_role("button", name="Leave", exact=True).click()
            expect(screen.get_by_test_id("stHeader")).to_be_visible()
            screen.context.close()


@long
def test_it_fills_the_screen_and_leaves_it_again(browser: Browser, hall: Hall):
    screen = hall.enter(browser, "class-mode?projector=1&step=judge")
    full = screen.get_by_role("button", name="Full screen")
    expect(full).to_have_attribute("aria-pressed", "false")
    press(screen, "f")
    way_out = screen.get_by_role("button", name="Leave the full screen")
    expect(way_out).to_have_attribute("aria-pressed", "true")
    assert screen.evaluate("document.fullscreenElement === document.documentElement")
    press(screen, "ArrowLeft")
    on(screen, "Join")
    expect(way_out).to_be_visible()
    way_out.click()
    expect(full).to_be_visible()
    screen.wait_for_function("() => document.fullscreenElement === null")
    screen.context.close()


@long
def test_a_timer_runs_and_keys_that_are_typed_move_nothing(browser: Browser, hall: Hall):
    screen = hall.enter(browser, "class-mode?projector=1&step=judge")
    minutes = screen.get_by_role("spinbutton")
    minutes.fill("3")
    minutes.press("ArrowRight")
    minutes.press("Enter")
    on(screen, "Judge")
    screen.get_by_role("button", name="Start a timer").click()
    clock = screen.get_by_role("timer")
    expect(clock).to_have_text(re.compile("^(3:00|2:5[0-9])$"))
    shown = clock.inner_text()
    expect(clock).not_to_have_text(shown)
    screen.reload()
    expect(clock).to_have_text(re.compile("^2:[0-9]{2}$"))
    screen.get_by_role("button", name="Stop the timer").click()
    expect(clock).to_be_hidden()
    screen.context.close()
