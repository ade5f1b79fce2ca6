"""How answers came about, as the screen sends it: keys, mouse, touch, and what was in view."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.judge.screen_files import read_styles
from tests.pages.judge.screen.loopback import Intake, Loopback
from tests.pages.judge.screen.mounting import LEVELS, Screen, data_for, step

pytestmark = pytest.mark.browser

THREE = (step("d1"), step("d2"), step("d3"))
SCROLL = """async () => {
    for (const one of document.querySelectorAll(".item, .columns")) one.scrollTop = %s;
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
}"""
LINES = "\n\n".join(f"Line {n}." for n in range(200))


def told(screen: Screen, intake: Intake) -> list[dict[str, Any]]:
    """Return the paradata of all that was sent, once all is saved."""
    expect(screen.part("save-state")).to_have_text("All saved")
    return [one.get("paradata") for one in intake.events]


def style(page: Page) -> None:
    """Give the screen its looks, without which nothing scrolls by itself."""
    page.add_style_tag(content=f"body {{ container-type: inline-size }} {read_styles()}")


def without_time(known: dict[str, Any]) -> dict[str, Any]:
    assert known["shown_ms"] >= 0
    return {name: value for name, value in known.items() if name != "shown_ms"}


def test_a_key_tells_its_place_and_a_mouse_where_it_was(blank: Page, intake: Intake):
    screen = Screen(blank, data_for(*THREE))
    screen.judge("3")
    screen.wait()
    box = screen.part("level-1").bounding_box()
    size = blank.viewport_size
    at = round(box["x"]) + 9, round(box["y"]) + 9
    blank.mouse.click(*at)
    screen.wait()
    blank.get_by_test_id("level-0").focus()
    blank.keyboard.press("Enter")
    key, mouse, button = map(without_time, told(screen, intake))
    assert key == {"given_by": "key", "place": 2, "furthest": 1000}
    assert mouse == {
        **{"given_by": "mouse", "place": 1, "furthest": 1000},
        **{"x": round(1000 * at[0] / size["width"]), "y": round(1000 * at[1] / size["height"])},
    }
    assert button == {"given_by": "button", "place": 0, "furthest": 1000}


def test_the_time_is_that_since_the_item_was_painted(blank: Page, intake: Intake):
    screen = Screen(blank, data_for(*THREE))
    screen.wait()
    before = blank.evaluate("performance.now()")
    blank.wait_for_timeout(400)
    since = blank.evaluate("performance.now()") - before
    screen.judge("1")
    (first,) = told(screen, intake)
    assert first["shown_ms"] >= int(since)
    assert first["shown_ms"] <= intake.events[0]["dwell_ms"] + 1


def test_a_tap_is_a_touch(browser: Browser, loopback: Loopback, blank: Page, intake: Intake):
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(loopback.page)
    style(page)
    screen = Screen(page, data_for(*THREE))
    screen.wait()
    screen.part("level-2").tap()
    (tap,) = map(without_time, told(screen, intake))
    context.close()
    assert (tap["given_by"], tap["place"]) == ("touch", 2)
    assert 500 < tap["x"] <= 1000, "the last button is on the right"
    assert 500 < tap["y"] <= 1000, "the levels are at the foot"


def test_how_far_a_long_text_was_read_is_told(blank: Page, intake: Intake):
    data = data_for(*THREE)
    for document in data["documents"].values():
        document["text"] = LINES
    data["documents"]["d3"] |= {"frame": "/framed/d3.1.x", "text": ""}
    page = {"body": "<p>Cats.</p></x-places>", "content_type": "text/html"}
    blank.route("**/framed/*", lambda route: route.fulfill(**page))
    style(blank)
    screen = Screen(blank, data)
    screen.judge("1")
    screen.wait()
    for place in ("1e6", "0"):
        blank.evaluate(SCROLL % place)
    screen.judge("1")
    screen.wait()
    blank.keyboard.press("1")
    beginning, end, frame = told(screen, intake)
    assert 0 < beginning["furthest"] < 500
    assert end["furthest"] == 1000
    assert "furthest" not in frame


def test_a_preference_has_them_too(blank: Page, intake: Intake):
    sides = [
        [{"title": one, "url": "", "text": LINES, "frame": None, "page": None}] for one in "ab"
    ]
    choices = [LEVELS[0] | {"level": level, "name": str(level)} for level in range(-2, 3)]
    style(blank)
    pairs = [step(one, facet="page pair", sides=sides) for one in ("p1", "p2")]
    screen = Screen(blank, data_for(*pairs, scales={"page": LEVELS, "page pair": choices}))
    screen.wait()
    screen.part("level--1").click()
    (known,) = told(screen, intake)
    assert (known["given_by"], known["place"]) == ("mouse", 1)
    assert 0 < known["furthest"] < 500


def test_a_set_of_aspects_is_one_event_with_the_last_press(blank: Page, intake: Intake):
    aspect = {
        **{"name": "Trust", "question": "Is it so?", "facets": ["page"], "from_level": None},
        **{"may_be_left_out": True, "levels": LEVELS},
    }
    screen = Screen(blank, data_for(*THREE, aspects=[aspect]))
    screen.wait()
    blank.keyboard.press("3")
    screen.wait()
    screen.part("level-1").click()
    (known,) = told(screen, intake)
    assert (known["given_by"], known["place"]) == ("mouse", 1)


def test_a_key_after_a_click_has_no_place_of_a_pointer(blank: Page, intake: Intake):
    screen = Screen(blank, data_for(*THREE))
    screen.wait()
    screen.part("cannot").click()
    screen.judge("1")
    (known,) = map(without_time, told(screen, intake))
    assert known == {"given_by": "key", "furthest": 1000}


CLOCK = """const real = performance.now.bind(performance);
    window.passed = 0;
    performance.now = () => real() / 1000 + passed;
    Object.defineProperty(Event.prototype, "timeStamp", {get: () => performance.now()});"""
"""A clock that hardly moves by itself, however slow the machine is; presses go by it, too."""


def test_only_in_practice_haste_is_remarked_upon(blank: Page, intake: Intake):
    blank.evaluate(CLOCK)
    two = (step(one, practice=True) for one in ("p1", "p2"))
    screen = Screen(blank, data_for(*two, *THREE))

    def answer_after(milliseconds: int) -> None:
        screen.wait()
        blank.evaluate("(time) => { passed += time; }", milliseconds)
        blank.keyboard.press("2")

    answer_after(450)
    expect(screen.part("hasty")).to_have_text(
        "You answered after 0.4 seconds. Take the time to read it."
    )
    screen.judge("Enter")
    answer_after(1000)
    expect(screen.part("feedback")).to_be_visible()
    expect(screen.part("hasty")).to_have_text("")
    screen.judge("Enter", "Enter")
    answer_after(250)
    expect(screen.part("progress")).to_have_text("2 of 3")
    expect(screen.part("feedback")).to_be_hidden()
    assert [one["shown_ms"] // 50 for one in told(screen, intake)] == [9, 20, 5]


def test_what_is_no_answer_has_none(blank: Page, intake: Intake):
    screen = Screen(blank, data_for(*THREE))
    screen.judge("1")
    screen.wait()
    blank.keyboard.press("u")
    expect(screen.part("progress")).to_have_text("1 of 3")
    screen.judge("2")
    answers = told(screen, intake)
    assert [one["state"] for one in intake.events] == ["level", "unjudged", "level"]
    assert [one and one["given_by"] for one in answers] == ["key", None, "key"]
