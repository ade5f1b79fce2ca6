"""What a machine said, told in a line after one's own label: it waits, and takes nothing away."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.pages.judge.screen.loopback import Answer, Intake
from tests.pages.judge.screen.mounting import LEVELS, Screen, data_for, step
from tests.short import long

pytestmark = pytest.mark.browser

THREE = (step("d1"), step("d2"), step("d3"))
MACHINE = {"called": "model-7", "level": 0}


def tell(events: list[dict[str, Any]]) -> Answer:
    """Answer as the real intake does where every page is drawn."""
    acks = [{"event_id": one["event_id"], "status": "saved", "machine": MACHINE} for one in events]
    return Answer(200, {"acks": acks})


@pytest.fixture
def screen(blank: Page, intake: Intake) -> Screen:
    """Three pages of a round that shows a machine's levels."""
    intake.answer = tell
    return Screen(blank, data_for(*THREE, shows_machine=True))


def test_the_next_item_comes_at_once_and_the_line_tells_of_the_one_before(screen: Screen):
    expect(screen.part("told")).to_have_js_property("hidden", False)
    expect(screen.part("told-keep")).to_be_hidden()
    screen.judge("3")
    line = "On “Title d1” you said Level 2; the machine model-7 said Level 0."
    expect(screen.part("told-words")).to_have_text(line)
    assert screen.step.split("|")[1] == "d2"
    expect(screen.part("told").get_by_role("status")).to_have_attribute("aria-live", "polite")


@long
def test_it_can_be_ignored_and_the_latest_is_told_first(screen: Screen):
    screen.judge("3")
    expect(screen.part("told-words")).to_contain_text("Title d1")
    screen.judge("2")
    expect(screen.part("told-words")).to_contain_text("On “Title d2” you said Level 1")
    expect(screen.part("told-more")).to_have_text("1 more")
    screen.page.keyboard.press("k")
    expect(screen.part("told-words")).to_contain_text("Title d1")
    screen.part("told-keep").click()
    expect(screen.part("told-words")).to_be_empty()
    expect(screen.part("told-keep")).to_be_hidden()


def test_change_goes_back_to_the_item_and_what_is_given_there_replaces_the_label(
    screen: Screen, intake: Intake
):
    screen.judge("3")
    expect(screen.part("told-words")).to_contain_text("Title d1")
    screen.page.keyboard.press("w")
    expect(screen.root).to_have_attribute("data-step", "t1|d1|page||x")
    screen.judge("1")
    assert screen.step.split("|")[1] == "d2"
    expect(screen.part("save-state")).to_have_text("All saved")
    first, second = intake.events
    assert (second["document"], second["level"], second["supersedes"]) == (
        *("d1", 0, first["event_id"]),
    )


@long
def test_of_the_last_item_it_is_told_on_the_card_at_the_end(screen: Screen, intake: Intake):
    screen.judge("3", "3")
    screen.wait()
    screen.page.keyboard.press("x")
    screen.page.keyboard.press("1")
    expect(screen.part("told-words")).to_contain_text("On “Title d3” you said Cannot judge")
    expect(screen.part("told-change")).to_be_visible()
    screen.part("told-change").click()
    expect(screen.root).to_have_attribute("data-step", "t1|d3|page||x")


@long
def test_it_takes_no_key_of_a_level(blank: Page, intake: Intake):
    intake.answer = tell
    scale = [{**one, "key": key} for one, key in zip(LEVELS, "kwj", strict=True)]
    data = data_for(*THREE, shows_machine=True, scales={"page": scale, "snippet": scale})
    screen = Screen(blank, data)
    screen.wait()
    screen.judge("k")
    expect(screen.part("told-words")).to_contain_text("you said Level 0")
    screen.judge("w")
    expect(screen.part("told-words")).to_contain_text("you said Level 1")
    assert [one["level"] for one in intake.events] == [0, 1]


def test_without_such_a_round_there_is_no_line_and_no_key(blank: Page, intake: Intake):
    screen = Screen(blank, data_for(*THREE))
    screen.judge("3")
    screen.page.keyboard.press("w")
    expect(screen.part("told")).to_be_hidden()
    assert screen.step.split("|")[1] == "d2"
    expect(screen.part("comment").locator("kbd")).to_have_text("c")


@long
def test_the_card_before_the_first_item_says_so(blank: Page):
    intro = {"asked_by": "Somebody asks"}
    screen = Screen(blank, data_for(*THREE, shows_machine=True, intro=intro))
    expect(screen.part("start-told")).to_contain_text("once your own label is saved")
