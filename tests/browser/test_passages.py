"""Marking the passages that decided while judging, in real browsers, down to what is on disk."""

import shutil
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, Route, expect

from core.assessment.rounds.rounds import Plan
from core.store.events.passages import read_passages
from core.store.store import Store
from tests.browser.accessibility import find_barriers
from tests.browser.conftest import begin, press_when_seen
from tests.browser.study import Study, Wish, expect_saved, judge, run_study
from tests.short import long

pytestmark = pytest.mark.browser

TEXT = (
    "Seven cats 😀 slept.  Then a cat\nwoke up. Why?\n\n"
    "  <b>Nobody</b> knows & nobody asks.\n \nThe end of cats is near."
)
SENTENCES = [
    "Seven cats 😀 slept.",
    "Then a cat\nwoke up.",
    "Why?",
    "<b>Nobody</b> knows & nobody asks.",
    "The end of cats is near.",
]


def text_page(number: int) -> dict[str, str]:
    return {"id": f"d{number}", "title": f"Title {number}", "text": f"{TEXT}\n\nPage {number}."}


def snippet_of(number: int) -> dict[str, str]:
    return text_page(number) | {"snippet": "A cat 😀 sat. It was <i>fat</i>. 猫がいた。犬も。"}


HOSTILE = (
    "<img name=getSelection><img name=body><form name=documentElement></form><title>No</title>"
    "<script>top.hurt = parent.hurt = 1</script><img src=x onerror='top.hurt = 1'>"
    "<svg onload='top.hurt = 1'></svg><!--dissent-text x-->"
)


ODD = "<table><tr><td>two</td></tr>one</table>"
"""A browser puts the second word first."""


def framed(number: int, html: str = "") -> dict[str, str]:
    text = f"<p>Cats &#128512; <b>&amp; dogs</b> in\n a frame.</p>{HOSTILE}<p id=two>Zwei Worte."
    return {"id": f"d{number}", "title": "Framed", "html": html or text}


TEXTS = Wish(documents=tuple(map(text_page, range(1, 23))))
WISHES = {name: TEXTS for name in ("mouse", "keys", "undone", "unsent", "phone", "killed")} | {
    "snippet": Wish(
        documents=tuple(map(snippet_of, range(1, 4))), plan=Plan(judges=1, flow="snippet only")
    ),
    "framed": Wish(documents=(framed(1), framed(2))),
    "odd": Wish(documents=tuple(framed(n, ODD) for n in (1, 2))),
    "twenty": Wish(
        documents=TEXTS.documents, plan=Plan(judges=1, flow="page only", depth=len(TEXTS.documents))
    ),
    "german": Wish(documents=TEXTS.documents, language="de"),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("passages"), WISHES) as running:
        yield running


def stored(study: Study, name: str) -> list[tuple[str, str]]:
    """Return document and quote of every passage on disk, of labels that stand."""
    copy = study.path.parent / "looked up"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for part in study.path.parent.glob("store.duckdb*"):
        shutil.copy(part, copy)
    with closing(Store(copy / study.path.name)) as store:
        found = read_passages(store, study.seats[name].collection_id)
    return list(zip(found["document_id"], found["quote"], strict=True))


def document(page: Page) -> str:
    return (page.locator("[data-step]").get_attribute("data-step") or "").split("|")[1]


def marked(page: Page) -> list[str]:
    """Return what is shown as marked, passage by passage."""
    return page.evaluate(
        """() => {
          const found = new Map();
          const walk = (node) => {
            for (const one of node.querySelectorAll("u.decided")) {
              const { number } = one.dataset;
              found.set(number, (found.get(number) ?? "") + one.textContent);
            }
            for (const one of node.querySelectorAll("*")) if (one.shadowRoot) walk(one.shadowRoot);
          };
          walk(document);
          return [...found.values()];
        }"""
    )


def select_by_mouse(page: Page, words: str) -> None:
    """Drag over words that stand in one line."""
    expect(page.locator("[data-step]")).to_have_attribute("data-ready", "true")
    item = page.get_by_test_id("item")
    item.evaluate("(node) => Promise.all(node.getAnimations().map((one) => one.finished))")
    box = (
        page.get_by_test_id("page")
        .get_by_text(words)
        .first.evaluate(
            """(node, words) => {
          const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
          const range = document.createRange();
          while (walker.nextNode()) {
            const at = walker.currentNode.data.indexOf(words);
            if (at < 0) continue;
            range.setStart(walker.currentNode, at);
            range.setEnd(walker.currentNode, at + words.length);
            const { left, right, top, bottom } = range.getBoundingClientRect();
            return [left, right, (top + bottom) / 2];
          }
          return null;
        }""",
            words,
        )
    )
    left, right, middle = box
    page.mouse.move(left + 1, middle)
    page.mouse.down()
    page.mouse.move((left + right) / 2, middle)
    page.mouse.move(right - 1, middle)
    page.mouse.up()


@long
def test_what_is_marked_by_mouse_is_stored_with_the_label(page: Page, study: Study):
    study.sit(page, "mouse")
    button = page.get_by_test_id("mark-passage")
    first = document(page)
    expect(button).to_be_hidden()
    select_by_mouse(page, "knows & nobody")
    expect(button).to_be_visible()
    expect(button).to_contain_text("Mark passage")
    button.click()
    expect(button).to_be_hidden()
    assert marked(page) == ["knows & nobody"]
    expect(page.get_by_test_id("passages")).to_have_text("1 passage marked")
    assert study.labels("mouse") == []
    judge(page, "2")
    assert marked(page) == []
    expect_saved(page)
    assert stored(study, "mouse") == [(first, "knows & nobody")]
    # Back on it: a click on the mark offers to take it away, which is stored at once.
    press_when_seen(page, "ArrowLeft")
    page.locator("u.decided").first.click()
    expect(button).to_contain_text("Remove mark")
    button.click()
    assert marked(page) == []
    expect_saved(page)
    assert stored(study, "mouse") == []
    events = study.labels("mouse")
    assert [(one["state"], one["level"]) for one in events] == [("level", 1), ("level", 1)]


@long
def test_by_keyboard_alone_sentence_by_sentence(page: Page, study: Study):
    study.sit(page, "keys")
    first = document(page)
    live = page.get_by_test_id("announcement")
    press_when_seen(page, ".")
    expect(live).to_contain_text("Sentence 1 of 6: Seven cats 😀 slept.")
    page.keyboard.press(".")
    expect(live).to_contain_text("Sentence 2 of 6")
    page.keyboard.press("p")
    expect(live).to_contain_text("Marked. 1 passage marked")
    page.keyboard.press(".")
    page.keyboard.press(".")
    page.keyboard.press("p")
    page.keyboard.press(".")
    page.keyboard.press("p")
    assert marked(page) == [SENTENCES[1], SENTENCES[3], SENTENCES[4]]
    page.keyboard.press(",")
    expect(live).to_contain_text("Marked. Sentence 4 of 6")
    assert find_barriers(page) == []
    page.keyboard.press("p")
    expect(live).to_contain_text("Mark removed. 2 passages marked")
    for _ in range(4):
        page.keyboard.press(",")
    expect(page.get_by_test_id("notice")).to_contain_text("first sentence")
    judge(page, "3")
    expect_saved(page)
    assert stored(study, "keys") == [(first, SENTENCES[1]), (first, SENTENCES[4])]


@long
def test_what_is_taken_back_keeps_its_passages_for_the_next_label(page: Page, study: Study):
    study.sit(page, "undone")
    first = document(page)
    press_when_seen(page, ".")
    page.keyboard.press("p")
    judge(page, "1")
    judge(page, "u")
    assert marked(page) == SENTENCES[:1]
    expect_saved(page)
    assert stored(study, "undone") == []
    page.keyboard.press(".")
    page.keyboard.press(".")
    page.keyboard.press("p")
    judge(page, "2")
    expect_saved(page)
    assert stored(study, "undone") == [(first, one) for one in SENTENCES[:2]]


@long
def test_marks_outlive_a_reload_before_and_after_the_label(page: Page, study: Study):
    study.sit(page, "unsent")
    first = document(page)
    press_when_seen(page, ".")
    page.keyboard.press("p")
    page.reload()
    begin(page)
    assert document(page) == first
    assert marked(page) == SENTENCES[:1]

    def stop(route: Route) -> None:
        route.abort()

    page.route("**/api/labels", stop)
    judge(page, "2")
    press_when_seen(page, ".")
    page.keyboard.press("p")
    second = document(page)
    judge(page, "2")
    expect(page.get_by_test_id("save-state")).to_contain_text("2")
    page.unroute_all()
    page.reload()
    begin(page)
    expect_saved(page)
    assert sorted(stored(study, "unsent")) == sorted((one, SENTENCES[0]) for one in (first, second))


@long
def test_a_snippet_is_marked_in_any_script(page: Page, study: Study):
    study.sit(page, "snippet")
    first = document(page)
    quotes = ["A cat 😀 sat.", "It was <i>fat</i>.", "猫がいた。", "犬も。"]
    for _ in quotes:
        press_when_seen(page, ".")
        page.keyboard.press("p")
    assert marked(page) == quotes
    judge(page, "2")
    expect_saved(page)
    assert stored(study, "snippet") == [(first, one) for one in quotes]


def frame_of(page: Page) -> FrameLocator:
    return page.frame_locator("iframe:not(.ahead)")


@long
def test_a_page_in_a_frame_is_marked_by_hand_and_by_sentence(page: Page, study: Study):
    study.sit(page, "framed")
    first = document(page)
    expect(page.locator("[data-step]")).to_have_attribute("data-ready", "true")
    frame = page.locator("iframe:not(.ahead)")
    expect(frame).to_have_attribute("sandbox", "")
    page.get_by_test_id("open-marks").click()
    expect(page.get_by_test_id("notice")).to_contain_text("Now select the passage")
    expect(frame).to_have_attribute("sandbox", "allow-same-origin")
    assert page.evaluate("window.hurt") is None
    frame_of(page).locator("#two").dblclick(position={"x": 12, "y": 8})
    expect(page.get_by_test_id("mark-passage")).to_be_visible()
    page.get_by_test_id("mark-passage").click()
    expect(frame_of(page).locator("u")).to_have_text("Zwei")
    expect(page.get_by_test_id("mark-passage")).to_be_hidden()
    page.keyboard.press(",")
    expect(page.get_by_test_id("announcement")).to_contain_text("in a frame")
    page.keyboard.press("p")
    quotes = ["Cats 😀 & dogs in a frame.", "Zwei"]
    shown = ["Cats", "😀", "& dogs", "in a frame.", "Zwei"]  # a word of the query is a piece
    expect(frame_of(page).locator("u")).to_have_text(shown)
    page.reload()
    begin(page)
    expect(frame_of(page).locator("u")).to_have_text(shown)
    judge(page, "2")
    expect_saved(page)
    assert stored(study, "framed") == [(first, one) for one in quotes]
    judge(page, ["ArrowLeft"])
    expect(frame_of(page).locator("u")).to_have_text(shown)
    page.keyboard.press(".")
    page.keyboard.press("p")  # the mark goes
    expect(frame_of(page).locator("u")).to_have_text("Zwei")
    expect_saved(page)
    assert stored(study, "framed") == [(first, "Zwei")]
    assert page.evaluate("window.hurt") is None


@long
def test_a_page_whose_text_is_another_in_the_browser_says_why(page: Page, study: Study):
    study.sit(page, "odd")
    press_when_seen(page, "p")
    expect(page.get_by_test_id("notice")).to_contain_text("its text is not what stands in its file")
    expect(page.get_by_test_id("open-marks")).to_be_hidden()
    judge(page, "2")
    expect_saved(page)
    assert stored(study, "odd") == []


@long
def test_at_a_phone_the_button_moves_and_covers_nothing_of_the_item(browser: Browser, study: Study):
    context = browser.new_context(
        viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    study.sit(page, "phone")
    first = document(page)
    item, button = page.get_by_test_id("item"), page.get_by_test_id("mark-passage")
    levels = page.get_by_test_id("levels")
    expect(page.locator("[data-step]")).to_have_attribute("data-ready", "true")
    item.evaluate("(node) => Promise.all(node.getAnimations().map((one) => one.finished))")
    before = item.bounding_box(), levels.bounding_box()
    press_when_seen(page, ".")
    expect(button).to_be_visible()
    assert (item.bounding_box(), levels.bounding_box()) == before
    box, above = button.bounding_box(), levels.bounding_box()
    assert box["y"] >= above["y"] + above["height"]
    assert box["height"] >= 44
    assert find_barriers(page) == []
    button.tap()
    expect(page.locator("u.decided").first).to_be_visible()
    assert marked(page) == SENTENCES[:1]
    assert (item.bounding_box(), levels.bounding_box()) == before
    page.get_by_test_id("level-1").tap()
    expect_saved(page)
    assert stored(study, "phone") == [(first, SENTENCES[0])]
    context.close()


@long
def test_twenty_items_by_keyboard_each_with_its_passage(page: Page, study: Study):
    study.sit(page, "twenty")
    seen = []
    for _ in range(20):
        seen.append(document(page))
        press_when_seen(page, ".")
        page.keyboard.press(".")
        page.keyboard.press("p")
        judge(page, "2")
    expect_saved(page)
    assert sorted(stored(study, "twenty")) == sorted((one, SENTENCES[1]) for one in seen)


@long
def test_in_german(page: Page, study: Study):
    study.sit(page, "german")
    press_when_seen(page, "p")
    expect(page.get_by_test_id("notice")).to_contain_text("entscheidende Stelle")
    page.keyboard.press(".")
    expect(page.get_by_test_id("mark-passage")).to_contain_text("Stelle markieren")
    page.keyboard.press("p")
    expect(page.get_by_test_id("passages")).to_have_text("1 Stelle markiert")


@long
def test_what_was_acknowledged_outlives_the_server(page: Page, study: Study):
    """The last of these tests: it kills the server that the others use."""
    study.sit(page, "killed")
    first = document(page)
    press_when_seen(page, ".")
    page.keyboard.press("p")
    judge(page, "2")
    expect_saved(page)
    study.server.kill()
    press_when_seen(page, ".")
    page.keyboard.press("p")
    second = document(page)
    judge(page, "1")
    study.server.start()
    expect_saved(page)
    assert stored(study, "killed") == sorted([(first, SENTENCES[0]), (second, SENTENCES[0])])
