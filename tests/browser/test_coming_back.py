"""Who comes back goes on with the topic that they had begun, by whatever way they come."""

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.rounds import Plan
from core.store.people.people import begin_session
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, settle
from tests.browser.study import Study, Wish, expect_saved, judge, page_of, run_study
from tests.short import long

pytestmark = pytest.mark.browser

SIZES = (34, 10, 10, 30, 30, 30)
"""Of so many items each: once some are judged, fewer topics are fetched ahead than before."""

UNEVEN = Wish(
    topics=tuple(f"query {number}" for number in range(1, len(SIZES) + 1)),
    documents=tuple(page_of(number) for number in range(1, max(SIZES) + 1)),
    sizes=SIZES,
    plan=Plan(judges=1, flow="page only", depth=max(SIZES)),
)
WISHES = {"back": UNEVEN, "device": UNEVEN}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("back"), WISHES) as running:
        yield running


def judge_some(page: Page, keys: str) -> str:
    """Judge some items once what comes after them was fetched; returns their topic."""
    (topic,) = {step.split("|")[0] for step in judge(page, keys)}
    expect_saved(page)
    return topic


def look_ahead(page: Page) -> None:
    """Come to the screen anew, and wait until it has asked for what comes next."""
    with page.expect_response("**/api/ahead") as answer:
        page.reload()
    answer.value.finished()
    begin(page)


def expect_begun(page: Page, topic: str, judged: int) -> None:
    begin(page)
    expect(judge_screen(page)).to_have_attribute("data-step", re.compile(rf"^{topic}\|"))
    bar = page.locator("progress.bar")
    expect(bar).to_have_attribute("max", str(SIZES[0]))
    expect(bar).to_have_attribute("value", str(judged))


@long
def test_back_and_a_link_lead_to_the_topic_that_was_begun(page: Page, study: Study):
    study.enter(page, study.seats["back"].session, "history")
    settle(page)
    with page.expect_response("**/api/ahead"):
        page.get_by_role("link", name="Judge").first.click()
        begin(page)
    topic = judge_some(page, "12")
    look_ahead(page)
    page.go_back()
    settle(page)
    page.get_by_role("link", name="Judge").first.click()
    expect_begun(page, topic, 2)
    look_ahead(page)
    page.goto(f"{study.server.address}/judge")
    expect_begun(page, topic, 2)


@long
def test_so_do_another_device_and_signing_in_again(page: Page, browser: Browser, study: Study):
    study.server.stop()
    seat = study.seats["device"]
    with closing(Store(study.path)) as store:
        others = [begin_session(store, seat.assessor_id) for _ in range(2)]
    study.server.start()
    study.sit(page, "device")
    look_ahead(page)
    topic = judge_some(page, "12")
    look_ahead(page)
    with browser.new_context() as context:
        other = context.new_page()
        study.enter(other, others[0])
        expect_begun(other, topic, 2)
        look_ahead(other)
        judge_some(other, "3")
        look_ahead(other)
    page.get_by_role("link", name="Account").first.click()
    settle(page)
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_text("You need an invitation link")).to_be_visible()
    study.enter(page, others[1])
    expect_begun(page, topic, 3)
