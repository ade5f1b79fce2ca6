"""The screen as a whole: what keys do, what is sent when, what a rerun of the page changes."""

import pytest
from playwright.sync_api import Page, expect

from tests.pages.judge.screen.loopback import Answer, Intake, refuse
from tests.pages.judge.screen.mounting import LEVELS, Screen, data_for, step

pytestmark = pytest.mark.browser

THREE = (step("d1"), step("d2"), step("d3"))


@pytest.fixture
def screen(blank: Page, intake: Intake) -> Screen:
    """Three pages to judge."""
    return Screen(blank, data_for(*THREE))


def test_a_level_leads_to_the_next_item_and_is_sent(screen: Screen, intake: Intake):
    screen.judge("1", "3")
    expect(screen.part("progress")).to_have_text("3 of 3")
    expect(screen.part("save-state")).to_have_text("All saved")
    sent = [(one["document"], one["level"]) for one in intake.events]
    assert sent == [("d1", 0), ("d2", 2)]


def test_no_level_is_given_to_an_item_that_was_not_seen(screen: Screen):
    shown = screen.page.evaluate("""async () => {
        const root = document.querySelector(".judge");
        const press = (key) => window.dispatchEvent(new KeyboardEvent("keydown", {key}));
        const steps = [];
        for (const key of ["1", "2"]) { press(key); steps.push(root.dataset.step.split("|")[1]); }
        return steps;
    }""")
    assert shown[0] == shown[1], "the second press waits until its item is on the screen"
    screen.page.wait_for_function("document.querySelector('.judge').dataset.step.includes('d3')")


def test_the_end_is_told_once_and_when_everything_is_saved(screen: Screen, intake: Intake):
    intake.answer = refuse(503)
    screen.judge("1", "1", "1")
    expect(screen.part("finished")).to_contain_text("3 still waiting")
    assert screen.triggers == []
    intake.reset()
    screen.page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(screen.part("finished")).to_contain_text("Everything is saved.")
    screen.page.wait_for_function("triggers.length")
    screen.receive()
    assert screen.triggers == [["finished", "assignment 1"]]


def test_a_rerun_of_the_page_changes_nothing_on_the_screen(screen: Screen, intake: Intake):
    screen.judge("1")
    screen.page.evaluate("document.querySelector('[data-testid=query]').dataset.mine = 'yes'")
    before = screen.step
    screen.receive(token="token 2")
    assert screen.step == before
    expect(screen.part("query")).to_have_attribute("data-mine", "yes")
    screen.judge("2")
    expect(screen.part("save-state")).to_have_text("All saved")
    assert [one["level"] for one in intake.events] == [0, 1], "each press counts once"
    assert intake.tokens[-1] == "Bearer token 2"


def test_a_new_token_is_asked_for_once(screen: Screen, intake: Intake):
    intake.answer = refuse(401)
    screen.judge("1", "2")
    expect(screen.part("save-state")).to_have_text("Sign in again, 2 waiting, kept on this device")
    with screen.page.expect_event("requestfinished"):
        screen.receive(token="token 2")
    screen.page.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert intake.tokens[-1] == "Bearer token 2"
    assert screen.triggers == [["refresh", "token"]]


def test_judging_stops_where_it_is_not_allowed(screen: Screen, intake: Intake):
    intake.answer = refuse(403, "This collection is closed.")
    screen.judge("1")
    expect(screen.part("notice")).to_have_text("This collection is closed.")
    before = screen.step
    screen.page.keyboard.press("2")
    assert screen.step == before
    assert len(intake.batches[0]) == 1


def test_undo_goes_back_and_says_when_there_is_nothing(screen: Screen):
    first, _ = screen.judge("1", "u")
    assert screen.step == first
    screen.page.keyboard.press("u")
    expect(screen.part("notice")).to_contain_text("no judgement of this visit")


def test_digits_choose_a_reason_while_one_has_the_focus(screen: Screen, intake: Intake):
    """The next item is on the screen by then: it must not get a level."""
    screen.judge("x")
    second = screen.part("reasons").get_by_role("button").nth(1).get_attribute("data-reason")
    screen.page.keyboard.press("r")
    screen.page.keyboard.press("9")
    assert screen.step.split("|")[1] == "d2"
    screen.page.keyboard.press("2")
    expect(screen.part("notice")).to_contain_text("Reason noted: ")
    expect(screen.part("save-state")).to_have_text("All saved")
    said = [(one["document"], one["state"], one["comment"]) for one in intake.events]
    assert said == [("d1", "cannot judge", ""), ("d1", "cannot judge", second)]
    screen.judge("3")
    expect(screen.part("save-state")).to_have_text("All saved")
    assert intake.events[-1]["document"] == "d2"


def test_a_reason_and_a_comment_follow_the_judgement(screen: Screen, intake: Intake):
    screen.judge("x")
    screen.part("reasons").get_by_text("wrong language").click()
    expect(screen.part("notice")).to_have_text("Reason noted: wrong language.")
    screen.page.keyboard.press("c")
    screen.part("comment-text").fill("odd")
    screen.page.keyboard.press("Control+Enter")
    expect(screen.part("notice")).to_have_text("The comment goes with your judgement.")
    screen.judge("1")
    expect(screen.part("save-state")).to_have_text("All saved")
    said = [(one["document"], one["state"], one["comment"]) for one in intake.events]
    assert said == [
        ("d1", "cannot judge", ""),
        ("d1", "cannot judge", "wrong language"),
        ("d2", "level", "odd"),
    ]


def test_practice_shows_what_is_right_before_it_goes_on(blank: Page, intake: Intake):
    intake.answer = lambda events: Answer(
        200,
        {
            "acks": [
                {"event_id": one["event_id"], "status": "new",
                 "practice": {"level": 2, "why": "<b>It</b> fits."}}
                for one in events
            ]
        },
    )  # fmt: skip
    screen = Screen(blank, data_for(step("p1", practice=True), *THREE))
    first = screen.step
    screen.page.keyboard.press("1")
    expect(screen.part("feedback")).to_contain_text("We would say: Level 2. <b>It</b> fits.")
    assert screen.step == first
    screen.judge("Enter")
    expect(screen.part("progress")).to_have_text("1 of 3")


def test_help_is_open_for_nothing_but_reading(screen: Screen):
    before = screen.step
    screen.page.keyboard.press("?")
    expect(screen.part("help-text")).to_be_visible()
    screen.page.keyboard.press("1")
    assert screen.step == before
    screen.page.keyboard.press("Escape")
    expect(screen.part("help-text")).to_be_hidden()
    screen.judge("1")


def test_a_screen_that_was_taken_away_takes_no_keys(screen: Screen, intake: Intake):
    screen.page.evaluate("unmount()")
    before = screen.step
    screen.page.keyboard.press("1")
    assert (screen.step, intake.batches) == (before, [])


def test_everything_that_strangers_wrote_is_shown_as_text(blank: Page, intake: Intake):
    hostile = '<img src=x onerror="window.hurt = 1"><b data-hurt>cats</b>'
    document = {"title": hostile, "url": hostile, "text": hostile, "frame": None}
    snippet = step("d1", facet="snippet", snippet=hostile)
    levels = [{**one, "name": hostile, "meaning": hostile} for one in LEVELS]
    screen = Screen(
        blank,
        data_for(
            snippet,
            step("d1"),
            guidelines=hostile,
            documents={"d1": document},
            topics={"t1": {"query": hostile, "description": hostile, "narrative": hostile}},
            scales={"page": levels, "snippet": levels},
        ),
    )
    expect(screen.part("snippet")).to_contain_text(hostile)
    screen.judge("x")
    for part in (
        "page",
        "query",
        "description",
        "narrative",
        "guidelines",
        "level-0",
        "reasons",
        "announcement",
    ):
        expect(screen.part(part)).to_contain_text(hostile[:30])
    assert blank.locator("img, [data-hurt]").count() == 0
    assert blank.evaluate("window.hurt === undefined")
