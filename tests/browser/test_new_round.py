"""Whoever has finished sees new work come, when an organiser opens a second round meanwhile."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.rounds import Plan
from tests.browser.conftest import judge_screen, settle
from tests.browser.study import Study, Wish, expect_saved, judge, run_study
from tests.short import long

pytestmark = pytest.mark.browser

FIRST = Plan(judges=1, depth=1, flow="page only")
WISHES = {"waits": Wish(plan=FIRST), "looks": Wish(plan=FIRST)}
SOON = 45_000
"""Milliseconds: whoever waits asks for work every twenty seconds."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("rounds"), WISHES) as running:
        yield running


@pytest.fixture
def open_second(study: Study, browser: Browser) -> Iterator[Callable[[str], None]]:
    """Return a function that opens a second round, as an organiser does, over what has no label."""
    context = browser.new_context()

    def open_round(name: str) -> None:
        desk = context.new_page()
        collection = study.seats[name].collection_id
        study.enter(desk, study.organiser, f"assignments?collection={collection}")
        settle(desk)
        desk.get_by_text("yes: judge what has no label").click()
        settle(desk)
        desk.get_by_role("button", name="Open this round").click()
        expect(desk.get_by_text("Round 2 is open.")).to_be_visible()

    yield open_round
    context.close()


def finish(page: Page, study: Study, name: str) -> str:
    """Judge the one item of the first round; returns it."""
    study.sit(page, name)
    (only,) = judge(page, "2")
    expect_saved(page)
    expect(page.get_by_test_id("over")).to_contain_text("New work appears here by itself.")
    return only


@long
def test_new_work_appears_on_the_finished_card(page: Page, study: Study, open_second):
    only = finish(page, study, "waits")
    page.evaluate("window.stayed = true")
    open_second("waits")
    root = judge_screen(page)
    expect(root).to_have_attribute("data-step", "start", timeout=SOON)
    assert page.evaluate("window.stayed"), "it came without a reload"
    expect(page.get_by_test_id("start")).to_contain_text("Judge 4 items")
    expect(page.get_by_test_id("over")).to_be_hidden()
    (card, *items) = judge(page, ["Enter", *"3232"])
    assert card == "start"
    documents = {item.split("|")[1] for item in items}
    assert documents == {"d1", "d2", "d3"} - {only.split("|")[1]}
    expect_saved(page)
    assert len(study.labels("waits")) == 5
    expect(page.get_by_test_id("over")).to_be_visible(timeout=SOON)


@long
def test_nothing_comes_over_what_is_looked_at_again(page: Page, study: Study, open_second):
    only = finish(page, study, "looks")
    root = judge_screen(page)
    judge(page, ["ArrowLeft"])
    expect(root).to_have_attribute("data-step", only)
    open_second("looks")
    page.wait_for_timeout(25_000)  # longer than the pause between two questions for work
    expect(root).to_have_attribute("data-step", only)
    judge(page, ["ArrowRight"])
    expect(root).to_have_attribute("data-step", "start", timeout=SOON)
