"""Asking the organiser while judging, in real browsers: both sides, and a server that is killed."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.store.content.guidelines import read_in_force
from core.store.events.questions import list_read, read_questions
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, press_when_seen, settle
from tests.browser.study import Study, Wish, change_by, expect_saved, judge, page_of, run_study
from tests.short import long

pytestmark = pytest.mark.browser

WISHES = {
    "ask": Wish(),
    "begun": Wish(),
    "killed": Wish(),
    "told": Wish(),
    "other": Wish(),
    "still": Wish(documents=tuple(page_of(n) for n in range(1, 9)), guidelines="Be kind."),
    "rules": Wish(documents=tuple(page_of(n) for n in range(1, 9)), guidelines="Be kind."),
    "german": Wish(language="de"),
}
SOON = 15_000
"""Milliseconds: what the organiser says is asked for every four seconds."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("questions"), WISHES) as running:
        yield running


@pytest.fixture
def organise(study: Study, browser: Browser) -> Iterator[Callable[[str, str], Page]]:
    """Return a function that opens an organiser's page on the collection of a test."""
    context = browser.new_context()

    def go(name: str, path: str) -> Page:
        page = context.pages[0] if context.pages else context.new_page()
        place = f"{path}{'&' if '?' in path else '?'}collection={study.seats[name].collection_id}"
        study.enter(page, study.organiser, place)
        settle(page)
        return page

    yield go
    context.close()


def look_up(study: Study, find: Callable[[Store], Any]) -> Any:
    """Return what a copy of the store holds."""
    copy = study.path.parent / "looked up"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for part in study.path.parent.glob("store.duckdb*"):
        shutil.copy(part, copy)
    with closing(Store(copy / study.path.name)) as store:
        return find(store)


def asked(study: Study, name: str) -> list[list[str]]:
    """Return document and text of every question of a test."""
    place = study.seats[name].collection_id
    frame = look_up(study, lambda store: read_questions(store, place))
    return frame[["document_id", "text"]].to_numpy().tolist()


def ask(page: Page, text: str) -> None:
    press_when_seen(page, "a")
    expect(page.get_by_test_id("ask-text")).to_be_focused()
    page.keyboard.type(text)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("words")).not_to_be_visible()


def expect_taken(page: Page) -> None:
    """Wait until the server has answered for every question."""
    expect(judge_screen(page)).to_have_attribute("data-asking", "0")


def announce(page: Page, text: str) -> None:
    page.get_by_text("Tell everybody something").click()
    page.get_by_role("textbox", name="Announcement").fill(text)
    page.get_by_role("button", name="Announce", exact=True).click()
    expect(page.get_by_text("Everybody is told.")).to_be_visible()


@long
def test_a_question_is_stored_and_neither_judges_nor_moves_on(page: Page, study: Study):
    root = study.sit(page, "ask")
    step = root.get_attribute("data-step") or ""
    ask(page, "Is a cat c a 1 2?")
    expect(root).to_have_attribute("data-step", step)
    expect(page.get_by_test_id("notice")).to_contain_text("goes to the organiser")
    expect_taken(page)
    assert asked(study, "ask") == [[step.split("|")[1], "Is a cat c a 1 2?"]]
    assert study.labels("ask") == []
    page.keyboard.press("a")
    expect(page.get_by_test_id("notices")).to_contain_text("Not answered yet", timeout=SOON)
    expect(page.get_by_test_id("ask-text")).to_have_value("")
    page.keyboard.press("Escape")
    judge(page, "2")
    expect_saved(page)
    assert [row["level"] for row in study.labels("ask")] == [1]


@long
def test_what_is_begun_is_kept_and_an_empty_question_is_none(page: Page, study: Study):
    study.sit(page, "begun")
    page.get_by_test_id("ask").click()
    page.get_by_test_id("ask-send").click()
    expect(page.get_by_test_id("words")).to_be_visible()
    page.get_by_test_id("ask-text").fill("Half a thought")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("words")).not_to_be_visible()
    page.reload()
    begin(page)
    page.keyboard.press("a")
    expect(page.get_by_test_id("ask-text")).to_have_value("Half a thought")


@long
def test_a_question_outlives_the_server_and_a_reload(page: Page, study: Study):
    root = study.sit(page, "killed")
    study.server.kill()
    ask(page, "Are you there?")
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("notices")).to_contain_text("On its way")
    page.keyboard.press("Escape")
    study.server.start()
    expect_taken(page)
    study.server.kill()
    study.server.start()
    assert [text for _, text in asked(study, "killed")] == ["Are you there?"]
    page.reload()
    expect(root).to_have_attribute("data-ready", "true")
    page.keyboard.press("a")
    expect(page.get_by_test_id("notices").locator("li")).to_have_count(1, timeout=SOON)


@long
def test_an_answer_comes_while_judging_and_to_nobody_else(
    page: Page, study: Study, browser: Browser, organise
):
    root = study.sit(page, "told")
    step = root.get_attribute("data-step") or ""
    ask(page, "Is <b>this</b> old?")
    expect_taken(page)
    desk = organise("told", "questions")
    expect(desk.get_by_text("1 of 1 question waits for an answer.")).to_be_visible()
    expect(desk.get_by_text("Is <b>this</b> old?").first).to_be_visible()
    number = step.split("|")[1][1:]
    expect(desk.get_by_text(f"Cats {number}")).to_be_visible()
    desk.get_by_role("textbox", name="Answer").fill("Yes, <i>old</i>.")
    desk.get_by_role("button", name="Answer", exact=True).click()
    expect(desk.get_by_text("The one question is answered.")).to_be_visible()
    expect(page.get_by_test_id("unread")).to_have_text("1", timeout=SOON)
    expect(page.get_by_test_id("notice")).to_contain_text("The organiser wrote to you")
    expect(root).to_have_attribute("data-step", step)
    assert page.locator("p.notice").get_attribute("aria-live") == "polite"
    page.keyboard.press("a")
    said = page.get_by_test_id("notices")
    expect(said).to_contain_text("Yes, <i>old</i>.")
    expect(said).to_contain_text("Is <b>this</b> old?")
    expect(said.locator("li.fresh")).to_have_count(1)
    expect(page.get_by_test_id("unread")).to_be_hidden()
    page.keyboard.press("Escape")
    page.reload()
    expect(root).to_have_attribute("data-ready", "true")
    page.keyboard.press("a")
    expect(said.locator("li")).to_have_count(1, timeout=SOON)
    expect(said.locator("li.fresh")).to_have_count(0)
    elsewhere = browser.new_context().new_page()
    study.sit(elsewhere, "other")
    elsewhere.keyboard.press("a")
    expect(elsewhere.get_by_text("There are no answers and no announcements yet.")).to_be_visible()
    elsewhere.context.close()


def boxes(page: Page) -> list[Any]:
    """Return where everything is that must not move."""
    parts = ("item", "levels", "ask", "help", "progress", "save-state")
    return [page.get_by_test_id(name).bounding_box() for name in parts]


@long
@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_an_announcement_covers_and_moves_nothing(page: Page, study: Study, organise, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.emulate_media(reduced_motion="reduce")  # an item that still slides in is on its way
    root = study.sit(page, "still")
    step = root.get_attribute("data-step") or ""
    expect(root).to_have_attribute("data-ready", "true")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    before = boxes(page)
    announce(organise("still", "questions"), f"Lunch at {size[0]}.")
    expect(page.get_by_test_id("unread")).to_be_visible(timeout=SOON)
    expect(page.get_by_test_id("notice")).to_contain_text("wrote to you")
    assert boxes(page) == before
    expect(root).to_have_attribute("data-step", step)
    change_by(page, lambda: press_when_seen(page, "1"))
    expect(page.get_by_test_id("notice")).to_contain_text("wrote to you")
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("notices").locator("li.fresh")).to_have_count(1)
    expect(page.get_by_test_id("notices")).to_contain_text(f"Lunch at {size[0]}.")
    page.get_by_test_id("words-close").click()
    expect(page.get_by_test_id("unread")).to_be_hidden()


@long
def test_who_judged_under_older_guidelines_is_told_once(page: Page, study: Study, organise):
    seat = study.seats["rules"]
    study.sit(page, "rules")
    judge(page, "1")
    expect_saved(page)
    desk = organise("rules", "collection?collection-part=Texts")
    desk.get_by_role("textbox", name="Guidelines", exact=True).fill("Be fair.")
    desk.get_by_role("textbox", name="What changed in the guidelines").fill("Fair, not kind.")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.get_by_text("The texts are saved.")).to_be_visible()
    expect(page.get_by_test_id("notice")).to_contain_text("The guidelines changed on", timeout=SOON)
    page.keyboard.press("a")
    expect(page.get_by_test_id("notices")).to_contain_text("Fair, not kind.")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("unread")).to_have_text("1")
    page.keyboard.press("g")
    guidelines = page.get_by_test_id("guidelines")
    expect(guidelines).to_contain_text("Be fair.")
    expect(page.get_by_test_id("guidelines-changed")).to_contain_text(": Fair, not kind.")
    expect(page.get_by_test_id("unread")).to_be_hidden()
    page.keyboard.press("g")
    expect(guidelines).not_to_be_visible()
    change_by(page, lambda: press_when_seen(page, "2"))
    expect_saved(page)
    page.reload()
    expect(judge_screen(page)).to_have_attribute("data-ready", "true")
    with page.expect_response("**/api/notices", timeout=SOON):
        pass
    expect(page.get_by_test_id("unread")).to_be_hidden()
    place = seat.collection_id
    assert look_up(study, lambda store: list_read(store, place, seat.assessor_id)) == {
        "guidelines 2"
    }
    assert look_up(study, lambda store: read_in_force(store, place))["number"].tolist() == [1, 2]


@long
def test_what_is_new_is_said_in_the_language_of_the_screen(page: Page, study: Study, organise):
    study.sit(page, "german")
    announce(organise("german", "questions"), "Mittagessen.")
    expect(page.get_by_test_id("notice")).to_contain_text("Die Leitung hat", timeout=SOON)
    page.keyboard.press("a")
    expect(page.get_by_test_id("notices")).to_contain_text("An alle")
