"""What surrounds a judgement in Firefox: passages, framed pages, aspects, opened results."""

from collections.abc import Iterator

import pytest

from tests.browser.firefox import Tab
from tests.browser.firefox_screen import Screen, enter, part, sit
from tests.browser.study import Study, Wish, run_study
from tests.browser.test_aspects import TRUST
from tests.browser.test_framed_pages import FRAMED, PLAN
from tests.browser.test_opened_results import make_lists
from tests.browser.test_passages import SENTENCES, stored, text_page

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("only_in_full")]

WISHES = {
    "passages": Wish(documents=tuple(map(text_page, range(1, 4))), plan=PLAN),
    "framed": Wish(documents=(FRAMED,), plan=PLAN),
    "aspects": Wish(plan=PLAN, aspects=(TRUST,)),
}
SESSIONS: dict[str, str] = {}
WORDS = """words => {
  const [text] = find("[data-testid=page] .passage", "");
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(words);
    if (at < 0) continue;
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + words.length);
    const {left, right, top, bottom} = range.getBoundingClientRect();
    const middle = Math.round((top + bottom) / 2);
    return [[Math.ceil(left), middle], [Math.ceil(right), middle]];
  }
  return null;
}"""
STILL = """() => Promise.all(
  find("[data-testid=item]", "")[0].getAnimations().map(one => one.finished)).then(() => true)"""
MARKED = "() => find('u.decided', '').map(one => one.textContent).join('')"
FOUND = """() => {
  const {top, bottom} = document.querySelector("mark:target")?.getBoundingClientRect() ?? {};
  return top >= 0 && bottom <= innerHeight;
}"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    folder = tmp_path_factory.mktemp("firefox chair")
    _, SESSIONS["lists"] = make_lists(folder / "store.duckdb")
    with run_study(folder, WISHES) as running:
        yield running


def document(screen: Screen) -> str:
    return screen.step.split("|")[1]


def test_passages_are_marked_by_mouse_and_by_keyboard(tab: Tab, study: Study):
    """Where a selection within the screen's own tree is not that of the page."""
    screen = sit(tab, study, "passages")
    first = document(screen)
    tab.see("[data-ready=true]")
    tab.evaluate(STILL)
    tab.drag(*tab.wait_for(WORDS, "knows & nobody"))
    tab.click(part("mark-passage"), "Mark passage")
    assert tab.wait_for(MARKED) == "knows & nobody"
    screen.expect("passages", "1 passage marked")
    screen.judge("2")
    second = document(screen)
    screen.press_when_seen(".")
    tab.press("p")
    assert tab.wait_for(MARKED) == SENTENCES[0]
    screen.judge("3")
    screen.expect_saved()
    assert sorted(stored(study, "passages")) == sorted(
        [(first, "knows & nobody"), (second, SENTENCES[0])]
    )


def test_words_are_found_in_a_framed_page_of_another_size(tab: Tab, study: Study):
    screen = sit(tab, study, "framed")
    tab.see("[data-ready=true]")
    for number in (1, 2, 3):
        tab.press("n")
        screen.expect("notice", f"Word of the query: {number} of 3.")
        (frame,) = tab.frames()
        frame.wait_for(FOUND)
    width = frame.evaluate("() => innerWidth")
    tab.press("+", "+", "+")
    assert frame.wait_for(f"() => innerWidth < {width} && innerWidth") == pytest.approx(
        width / 1.5, abs=3
    )
    tab.press("n")
    frame.wait_for(FOUND)
    before = frame.evaluate("() => scrollY")
    tab.press("PageDown")
    frame.wait_for(f"() => scrollY !== {before}")


def test_aspects_are_asked_after_the_level(tab: Tab, study: Study):
    screen = sit(tab, study, "aspects")
    step = screen.step
    screen.press_when_seen("3")
    tab.see("[data-aspect=trust]")
    screen.expect("question", "How far would you trust it?")
    tab.press("ArrowLeft")
    tab.see("[data-aspect='']")
    screen.press_when_seen("4")
    tab.see("[data-aspect=trust]")
    assert screen.judge("2") == [step]
    screen.expect_saved()
    assert [row["level"] for row in study.labels("aspects")] == [3]


def test_a_listed_result_is_opened_and_closed(tab: Tab, study: Study):
    enter(tab, study, SESSIONS["lists"])
    screen = Screen(tab).wait()
    step = screen.step
    screen.press_when_seen("o")
    screen.expect("opened-where", "result 1 of 3")
    tab.press("2")
    screen.expect("opened-where", "result 2 of 3")
    tab.press("Escape")
    tab.see_none("dialog")
    screen.expect_step(step)
    tab.click(f"{part('right')} [data-open]")
    screen.expect("opened-where", "Right, result 1 of 3")
    tab.click(part("opened-close"))
    tab.see_none("dialog")
    assert screen.judge(["ArrowLeft"]) == [step]
    screen.expect_over()
