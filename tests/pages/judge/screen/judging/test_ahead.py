"""What was fetched ahead: asked for once the first item is there, and next when nobody answers."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.running import wait_until
from tests.pages.judge.screen.conftest import Run
from tests.pages.judge.screen.loopback import Intake, acknowledge, refuse
from tests.pages.judge.screen.mounting import Screen, data_for, step
from tests.short import long

pytestmark = pytest.mark.browser

FILES = ("judging/ahead.js", "view/kept_pages.js")
SETUP = """
const changes = [];
const ahead = new Ahead("c1:p1", "p1", new KeptPages(), {changed: () => changes.push(ahead.isCut)});
ahead.address("/ahead", "token 1");
"""
FIRST = data_for(step("d1"), step("d2"), ahead="/ahead")
SECOND = data_for(
    step("d3", topic="t2"),
    assignment="assignment 2",
    topics={"t2": {"query": "dogs", "description": "", "narrative": ""}},
    token=None,
)


class Server:
    """Answers what is asked for ahead."""

    def __init__(self, page: Page) -> None:
        self.tokens: list[str] = []
        self.status = 200
        page.route("**/ahead", self.answer)

    def answer(self, route: Route) -> None:
        self.tokens.append(route.request.headers["authorization"])
        body = json.dumps({"assignments": [FIRST, SECOND]})
        route.fulfill(status=self.status, content_type="application/json", body=body)


@pytest.fixture
def server(blank: Page) -> Server:
    return Server(blank)


def ask(run: Run, script: str) -> Any:
    return run(*FILES, script=SETUP + script + "; ahead.close(); return found")


def mount(blank: Page) -> Screen:
    """Return the screen once it has what comes next."""
    with blank.expect_response("**/ahead"):
        return Screen(blank, FIRST)


def test_next_is_what_has_not_been_on_the_screen(run: Run, server: Server):
    script = """await ahead.refresh(); const name = () => ahead.next?.assignment ?? null;
        const found = [name()]; for (const one of ["assignment 1", "assignment 2"])
          { ahead.begin(one); found.push(name()); }"""
    assert ask(run, script) == ["assignment 1", "assignment 2", None]
    assert server.tokens == ["Bearer token 1"]


@pytest.mark.parametrize(("status", "cut"), [(502, True), (503, True), (401, False), (403, False)])
def test_who_says_no_is_there_and_who_says_nothing_is_away(
    run: Run, server: Server, status: int, cut: bool
):
    server.status = status
    script = (
        "await ahead.refresh(); const found = [ahead.isCut, changes.length, ahead.next ?? null]"
    )
    assert ask(run, script) == [cut, int(cut), None]


def test_nothing_is_asked_without_a_token(run: Run, server: Server):
    script = "ahead.address('/ahead', null); await ahead.refresh(); const found = ahead.isCut"
    assert ask(run, script) is False
    assert server.tokens == []


def test_without_a_server_what_was_fetched_comes_next_and_is_sent_under_its_name(
    blank: Page, intake: Intake, server: Server
):
    screen = mount(blank)
    intake.answer = refuse(503)
    screen.judge("1", "2")
    expect(screen.part("next")).to_contain_text("Next: dogs")
    screen.judge("Enter")
    screen.judge("3")
    expect(screen.part("save-state")).to_have_text("Offline, 3 labels wait on this device")
    assert screen.triggers == []
    intake.batches.clear()
    intake.answer = acknowledge
    expect(screen.part("save-state")).to_have_text("All saved")
    sent = [(one["assignment"], one["document"], one["level"]) for one in intake.events]
    assert sent == [("assignment 1", "d1", 0), ("assignment 1", "d2", 1), ("assignment 2", "d3", 2)]
    wait_until(lambda: screen.triggers == [["finished", "assignment 2"]])


@long
def test_with_a_server_it_says_what_comes_next(blank: Page, intake: Intake, server: Server):
    screen = mount(blank)
    intake.answer = refuse(503)
    screen.judge("1", "2")
    expect(screen.part("next")).to_contain_text("Next: dogs")
    intake.answer = acknowledge
    expect(screen.part("next")).not_to_contain_text("dogs")
    wait_until(lambda: screen.triggers == [["finished", "assignment 1"]])


@long
def test_who_waits_for_a_server_that_is_gone_goes_on(blank: Page, intake: Intake, server: Server):
    screen = mount(blank)
    screen.judge("1", "2")
    expect(screen.part("save-state")).to_have_text("All saved")
    server.status = 503
    screen.page.keyboard.press("Enter")
    blank.wait_for_function("document.querySelector('.judge').dataset.step.startsWith('t2|d3')")
