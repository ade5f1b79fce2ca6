"""An item of the history on the screen: what stands where, and what Esc does when."""

import pytest
from playwright.sync_api import Page, expect

from tests.pages.judge.screen.loopback import Intake
from tests.pages.judge.screen.mounting import Screen, data_for, step
from tests.short import long

pytestmark = pytest.mark.browser

LABEL = {"event_id": "e1", "state": "level", "level": 1, "comment": ""}


@pytest.fixture
def screen(blank: Page, intake: Intake) -> Screen:
    return Screen(blank, data_for(step("d1", label=LABEL), again=True))


def test_it_stands_at_the_item_with_its_level(screen: Screen):
    screen.wait()
    assert screen.step.split("|")[1] == "d1"
    expect(screen.part("level-1")).to_have_attribute("aria-pressed", "true")
    expect(screen.part("to-history")).to_be_visible()
    expect(screen.part("progress")).to_be_hidden()
    stops = screen.page.evaluate("""() => {
        const stops = [...document.querySelectorAll("button, summary, [tabindex='0'], textarea")]
            .filter((one) => one.checkVisibility() && one.tabIndex >= 0);
        return stops.findIndex((one) => one.dataset.testid === "level-0");
    }""")
    before = screen.page.evaluate("""() => {
        document.querySelector("[data-testid=to-history]").remove();
        const stops = [...document.querySelectorAll("button, summary, [tabindex='0'], textarea")]
            .filter((one) => one.checkVisibility() && one.tabIndex >= 0);
        return stops.findIndex((one) => one.dataset.testid === "level-0");
    }""")
    assert stops == before + 1, "only here is there another stop before the levels"


@long
def test_esc_closes_what_is_open_before_it_goes_back(screen: Screen):
    screen.wait()
    screen.page.keyboard.press("c")
    screen.page.keyboard.press("Escape")
    expect(screen.part("comment-form")).to_be_hidden()
    assert screen.step.split("|")[1] == "d1"
    screen.page.keyboard.press("Escape")
    screen.page.wait_for_url("**/history?collection=c1")


@long
def test_the_card_says_whether_the_label_is_another(screen: Screen, intake: Intake):
    screen.judge("ArrowRight")
    expect(screen.part("finished")).to_contain_text("Your judgement stays as it was")
    screen.judge("ArrowLeft", "3")
    expect(screen.part("finished")).to_contain_text("Your new judgement counts")
    expect(screen.part("save-state")).to_have_text("All saved")
    assert [(one["supersedes"], one["level"]) for one in intake.events] == [("e1", 2)]


def test_other_work_shows_nothing_of_it(blank: Page, intake: Intake):
    screen = Screen(blank, data_for(step("d1", label=LABEL), step("d2")))
    screen.wait()
    assert screen.step.split("|")[1] == "d2"
    expect(screen.part("to-history")).to_be_hidden()
    screen.page.keyboard.press("Escape")
    screen.judge("1")
    expect(screen.part("done-history")).to_be_hidden()
    expect(screen.part("review")).to_be_visible()
