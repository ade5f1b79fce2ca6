"""Reading a page in its frame: from one marked word to the next, and in a larger type."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from core.assessment.rounds.rounds import Plan
from tests.browser.study import Study, Wish, run_study
from tests.short import long

pytestmark = pytest.mark.browser

LONG = "<p>Something else.</p>" * 60
FRAMED = {
    "id": "d1",
    "title": "Framed",
    "html": f"<p>First of cats</p>{LONG}<p>A cat again</p>{LONG}<p>The last cats</p>{LONG}",
}
PLAN = Plan(judges=1, flow="page only")
WISHES = {
    "words": Wish(documents=(FRAMED,), plan=PLAN),
    "no words": Wish(topics=("dogs",), documents=(FRAMED,), plan=PLAN),
    "size": Wish(documents=(FRAMED,), plan=PLAN),
    "low": Wish(documents=(FRAMED,), plan=PLAN),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("framed"), WISHES) as running:
        yield running


def framed(page: Page) -> FrameLocator:
    return page.frame_locator("iframe:not(.ahead)")


def test_a_key_leads_from_word_to_word_of_the_query(page: Page, study: Study):
    study.sit(page, "words")
    words = framed(page).locator("mark")
    expect(words).to_have_text(["cats", "cat", "cats"])
    expect(words.last).not_to_be_in_viewport()
    for place in (0, 1, 2, 0):
        page.keyboard.press("n")
        expect(page.get_by_text(f"Word of the query: {place + 1} of 3.")).to_be_visible()
        expect(words.nth(place)).to_be_in_viewport()
        expect(words.nth(place)).to_have_css("outline-style", "solid")
    page.keyboard.press("n")  # to the second; from there on it is scrolled
    expect(words.nth(1)).to_be_in_viewport()
    top = words.nth(1).evaluate("(node) => node.getBoundingClientRect().top")
    page.keyboard.press("ArrowDown")
    expect(words.nth(1)).not_to_be_in_viewport()
    down = words.nth(1).evaluate("(node) => node.getBoundingClientRect().top")
    assert -400 < down < top
    page.keyboard.press("ArrowUp")
    expect(words.nth(1)).to_be_in_viewport()


@long
def test_it_says_so_where_there_is_none(page: Page, study: Study):
    study.sit(page, "no words")
    page.keyboard.press("n")
    expect(page.get_by_text("No word of the query is in this text.")).to_be_visible()


@long
def test_the_size_of_the_type_is_that_of_the_page_too(page: Page, study: Study):
    study.sit(page, "size")
    line, frame = framed(page).get_by_text("First of cats"), page.locator("iframe:not(.ahead)")
    expect(line).to_be_visible()
    width = frame.evaluate("one => one.clientWidth")
    assert line.evaluate("() => innerWidth") == width, "as the page has it, until it is changed"
    for _ in range(3):
        page.get_by_text("A+", exact=True).click()
    box = frame.bounding_box()
    assert box
    assert box["width"] == pytest.approx(width, abs=3)
    assert line.evaluate("() => innerWidth") == pytest.approx(width / 1.5, abs=3)


@long
def test_the_item_is_in_sight_where_a_window_is_low(browser: Browser, study: Study):
    page = browser.new_context(viewport={"width": 683, "height": 384}).new_page()
    study.sit(page, "low")
    expect(framed(page).get_by_text("First of cats")).to_be_in_viewport()
    page.get_by_text("What is wanted").click()
    expect(page.get_by_text("About cats.")).to_be_in_viewport()
    page.context.close()
