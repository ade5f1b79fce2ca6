"""What a machine said, told on the card at the end of an assignment: no sooner, nowhere else."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.judge.screen_files import read_styles
from tests.pages.judge.screen.loopback import Answer, Intake, refuse
from tests.pages.judge.screen.mounting import Screen, data_for, step
from tests.short import long

pytestmark = pytest.mark.browser

THREE = (step("d1"), step("d2"), step("d3"))


def tell(*documents: str) -> Answer:
    """Answer as the server does where these pages are drawn."""
    item = {"topic": "t1", "facet": "page", "engine": "", "occasion": "x", "called": "model-7"}
    return Answer(200, {"told": [{**item, "document": one, "level": 0} for one in documents]})


@pytest.fixture
def screen(blank: Page, intake: Intake) -> Screen:
    """Three pages of a round that shows a machine's levels, of two of them."""
    intake.told = lambda: tell("d1", "d3")
    return Screen(blank, round_of(*THREE))


def round_of(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return data_for(*steps, shows_machine=True, told="/told", **more)


def line_of(screen: Screen, document: str) -> Any:
    return screen.part("revealed-list").locator("li").filter(has_text=f"Title {document}")


def test_nothing_is_asked_for_before_the_end_and_all_is_told_there(screen: Screen, intake: Intake):
    screen.judge("3", "2")
    expect(screen.part("save-state")).to_have_text("All saved")
    assert intake.asked == []
    assert "model-7" not in screen.page.content()
    screen.judge("1")
    lines = screen.part("revealed-list").locator("p")
    expect(lines).to_have_text(
        [
            "On “Title d1” you said Level 2; the machine model-7 said Level 0.",
            "On “Title d3” you said Level 0; the machine model-7 said Level 0.",
        ]
    )
    assert intake.asked == [{"assignment": "assignment 1"}]
    expect(screen.part("revealed-state")).to_contain_text("Of 2 pages.")
    screen.page.keyboard.press("ArrowLeft")
    expect(screen.root).to_have_attribute("data-step", "t1|d3|page||x")
    assert "model-7" not in screen.page.content()


def test_lines_have_their_room_in_a_low_window(screen: Screen):
    usual = screen.page.viewport_size
    screen.page.add_style_tag(content=read_styles())
    screen.page.set_viewport_size({"width": 320, "height": 300})
    try:
        screen.judge("3", "2", "1")
        lines = screen.part("revealed-list").locator("p")
        expect(lines).to_have_count(2)
        heights = lines.evaluate_all(
            "nodes => nodes.map(one => [one.scrollHeight, one.clientHeight])"
        )
        assert all(whole > 30 for whole, _ in heights), "each of them goes over several lines"
        assert all(whole <= shown + 1 for whole, shown in heights)
    finally:
        screen.page.set_viewport_size(usual or {"width": 1280, "height": 720})


def test_a_label_is_kept_or_changed_where_it_was_given(screen: Screen, intake: Intake):
    screen.judge("3", "2", "1")
    line_of(screen, "d3").get_by_role("button", name="Keep").click()
    expect(screen.part("revealed-list").locator("li")).to_have_count(1)
    line_of(screen, "d1").get_by_role("button", name="Change").press("Enter")
    expect(screen.root).to_have_attribute("data-step", "t1|d1|page||x")
    screen.judge("1")
    expect(screen.part("revealed-state")).to_have_text("There is nothing more to tell.")
    expect(screen.part("save-state")).to_have_text("All saved")
    first, *_, last = intake.events
    assert (last["document"], last["level"], last["supersedes"]) == ("d1", 0, first["event_id"])


@long
def test_what_is_put_off_is_waited_for(screen: Screen, intake: Intake):
    screen.judge("3", "l", "2", "l")
    expect(screen.part("reopen")).to_be_visible()
    expect(screen.part("save-state")).to_have_text("All saved")
    assert intake.asked == []
    expect(screen.part("revealed-levels")).to_be_hidden()
    screen.part("reopen").click()
    screen.judge("1")
    expect(screen.part("revealed-list").locator("li")).to_have_count(2)


@long
def test_what_is_not_saved_is_waited_for(screen: Screen, intake: Intake):
    intake.answer = refuse(503)
    screen.judge("3", "2", "1")
    expect(screen.part("revealed-state")).to_have_text("It is told once everything is saved.")
    assert intake.asked == []
    intake.reset()
    intake.told = lambda: tell("d2")
    expect(screen.part("revealed-list").locator("li")).to_have_count(1, timeout=20_000)
    assert len(intake.asked) == 1


@long
def test_a_server_that_does_not_answer_is_asked_again(screen: Screen, intake: Intake):
    intake.told = lambda: Answer(503, {"error": ""})
    screen.judge("3", "2", "1")
    expect(screen.part("revealed-state")).to_have_text("It is told once everything is saved.")
    intake.told = lambda: tell("d2")
    expect(screen.part("revealed-list").locator("li")).to_have_count(1, timeout=20_000)


def test_of_what_comes_next_nothing_is_told_before_its_own_end(screen: Screen, intake: Intake):
    screen.judge("3", "2", "1")
    expect(screen.part("revealed-list").locator("li")).to_have_count(2)
    other = round_of(step("d4"), assignment="assignment 2")
    screen.receive(**other)
    screen.page.keyboard.press("Enter")
    expect(screen.root).to_have_attribute("data-step", "t1|d4|page||x")
    assert "model-7" not in screen.page.content()
    assert len(intake.asked) == 1


def test_without_such_a_round_nothing_is_asked_for(blank: Page, intake: Intake):
    screen = Screen(blank, data_for(*THREE))
    screen.judge("3", "2", "1")
    expect(screen.part("save-state")).to_have_text("All saved")
    expect(screen.part("revealed-levels")).to_be_hidden()
    assert intake.asked == []


@long
def test_the_card_before_the_first_item_says_so(blank: Page):
    screen = Screen(blank, round_of(*THREE, intro={"asked_by": "Somebody asks"}))
    expect(screen.part("start-revealed")).to_contain_text("once you have finished the topic")
