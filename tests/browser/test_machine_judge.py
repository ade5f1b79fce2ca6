"""A model judges while an organiser watches in a real browser, and goes on after a power cut."""

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.prompting.endpoint import ADDRESS_VARIABLE, KEY_VARIABLE
from core.store.store import Store
from tests.browser.conftest import settle
from tests.browser.running import wait_until
from tests.browser.study import Study
from tests.core.prompting.chat_server import Asked, ChatServer, Told, judge
from tests.core.prompting.collection import fill_store
from tests.short import long

pytestmark = pytest.mark.browser

SECRET = "sk-very-secret-key"
UNJUDGED = {f"t{t}d{n:04d}" for t in (1, 2) for n in range(1, 11)} - {"t1d0001", "t1d0002"}
SOON = 30_000


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with closing(ChatServer(lambda _: judge(1))) as opened:
        yield opened


@pytest.fixture
def study(tmp_path: Path, chat: ChatServer) -> Iterator[Study]:
    """Ten documents for each of two topics, two of them judged, on a server with a model."""

    def fill(store: Store) -> dict[str, str]:
        return {"cats": fill_store(store, documents=10)}

    made = Study(tmp_path, {}, fill)
    made.server.environment = {ADDRESS_VARIABLE: chat.url, KEY_VARIABLE: SECRET}
    made.server.start()
    yield made
    made.server.kill()


def judged(study: Study) -> dict[str, int | None]:
    """Return the levels that the machine gave, by document, as they are on disk."""
    with study.copied() as store:
        held = store.labels.current(study.collections["cats"], "judge-1")
        return {key.document_id: one.level for key, one in held.items()}


def confirm(page: Page) -> None:
    settle(page)
    begin = page.get_by_role("button", name="Begin", exact=True)
    expect(begin).to_be_disabled()
    page.get_by_text("I have read this, and it may be sent.").click()
    expect(begin).to_be_enabled()
    begin.click()


@long
def test_a_job_is_planned_confirmed_watched_and_survives_a_power_cut(
    page: Page, study: Study, chat: ChatServer
):
    def behave(asked: Asked) -> Told:
        return replace(judge(int(asked.item[-1]) % 4), stall=0.3)

    chat.behave = behave
    study.enter(page, study.organiser, "machine-judge")
    answer = page.locator(".st-key-answer")
    expect(answer).to_have_text("No machine has judged here by a job yet.")
    page.get_by_role("textbox", name="Model").fill("judge-1")
    page.get_by_role("button", name="Show what would be sent").click()
    expect(page.get_by_text("18 items of 2 topics go to 127.0.0.1")).to_be_visible()
    expect(page.get_by_text("ITEM t1d0003 is a text.")).to_be_visible()
    assert SECRET not in page.content()
    assert chat.asked == []
    confirm(page)
    expect(answer).to_have_text("judge-1 is judging 18 items.")
    expect(page.get_by_text("of 18 items done")).to_be_visible()
    wait_until(lambda: len(chat.asked) >= 8)
    study.server.kill()
    under_way = len(chat.asked)
    study.server.start()
    study.enter(page, study.organiser, "machine-judge")
    expect(answer).to_contain_text("ended early")
    expect(page.get_by_text("still open: it was stopped, or the server was.")).to_be_visible()
    assert len(chat.asked) == under_way, "nothing goes on by itself"
    page.get_by_role("button", name="Go on with this job").click()
    confirm(page)
    expect(answer).to_have_text(
        "The latest job, of judge-1, is finished: 18 of 18 items have a level.", timeout=SOON
    )
    assert judged(study) == {one: int(one[-1]) % 4 for one in UNJUDGED}
    assert max(chat.counts.values()) <= 2
    assert sum(chat.counts.values()) <= 18 + 4, "what was under way was asked once more"
    assert SECRET not in study.server.log.read_text() + page.content()


@long
def test_a_server_that_is_stopped_does_not_wait_for_a_model_that_is_silent(
    page: Page, study: Study, chat: ChatServer
):
    held = threading.Event()

    def behave(_: Asked) -> Told:
        held.wait(60)
        return judge(1)

    chat.behave = behave
    study.enter(page, study.organiser, "machine-judge")
    page.get_by_role("textbox", name="Model").fill("judge-1")
    page.get_by_role("button", name="Show what would be sent").click()
    confirm(page)
    expect(page.get_by_text("0 of 18 items done")).to_be_visible()
    wait_until(lambda: len(chat.asked) == 4)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("answers that are under way are waited for")).to_be_visible()
    study.server.stop()
    held.set()
    assert "uncaught" not in study.server.log.read_text()
    assert judged(study) == {}
    chat.behave = lambda _: judge(2)
    study.server.start()
    study.enter(page, study.organiser, "machine-judge")
    page.get_by_role("button", name="Go on with this job").click()
    confirm(page)
    expect(page.locator(".st-key-answer")).to_contain_text("is finished: 18 of 18", timeout=SOON)
    assert judged(study) == dict.fromkeys(UNJUDGED, 2)
