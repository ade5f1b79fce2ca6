"""How the judging screen looks and reads: what stands where, what a press shows."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.assessment.rounds.rounds import Plan
from tests.browser.study import Study, Wish, judge, page_of, run_study
from tests.short import long

pytestmark = pytest.mark.browser

LONG = {**page_of(1), "text": "\n\n".join(f"Paragraph {n} about cats." for n in range(80))}
FRAMED = {"id": "d1", "title": "Framed", "html": "<p>Of cats</p>" * 200 + "<p>The end</p>"}
TEXTS = {"id": "d1", "title": "Long", "text": "\n\n".join(f"Line {n}" for n in range(4000))}
PAGES = Plan(judges=1, flow="page only")
WISHES = {
    **dict.fromkeys(("places", "marks", "looks", "touch", "moves", "still"), Wish(plan=PAGES)),
    **dict.fromkeys(("hits", "size"), Wish(documents=(LONG, page_of(2)), plan=PAGES)),
    **dict.fromkeys(("frame", "tab"), Wish(documents=(FRAMED,), plan=PAGES)),
    "long text": Wish(documents=(TEXTS,), plan=PAGES),
}
LOOK = """node => {
  const {backgroundColor, color, outlineStyle, outlineColor} = getComputedStyle(node);
  return [backgroundColor, color, outlineStyle === "none" ? "" : outlineColor].join();
}"""
MOVING = """node => {
  window.dispatchEvent(new KeyboardEvent("keydown", {key: "2"}));
  return [...node.querySelectorAll(".levels button, .item")]
    .flatMap(one => one.getAnimations()).length;
}"""


CONTRAST = """node => {
  const light = text => {
    const parts = text.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const scale = text.startsWith("rgb") ? 255 : 1;
    const [r, g, b] = parts.map(one => one / scale).map(
      one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const {color, backgroundColor} = getComputedStyle(node);
  const [low, high] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("looks"), WISHES) as running:
        yield running


def box(node: Locator) -> dict[str, float]:
    """Return where something is."""
    found = node.bounding_box()
    assert found is not None
    return dict(found)


@long
def test_the_query_is_above_the_item_and_meanings_are_beside_it(page: Page, study: Study):
    page.set_viewport_size({"width": 1366, "height": 768})
    study.sit(page, "places")
    query, item = page.get_by_test_id("query"), page.get_by_test_id("item")
    meanings = page.get_by_test_id("meanings")
    assert box(query)["y"] + box(query)["height"] <= box(item)["y"]
    assert box(meanings)["x"] >= box(item)["x"] + box(item)["width"]
    expect(meanings).to_contain_text("The page is of no use")
    size = query.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size >= 28
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).not_to_be_in_viewport()


@long
def test_pointed_at_focused_and_chosen_look_different(page: Page, study: Study):
    root = study.sit(page, "looks")
    level = page.get_by_test_id("level-1")
    page.mouse.move(5, 5)
    plain = level.evaluate(LOOK)
    level.hover()
    hovered = level.evaluate(LOOK)
    page.mouse.move(5, 5)
    page.get_by_test_id("width").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    focused = level.evaluate(LOOK)
    page.evaluate("document.activeElement.shadowRoot?.activeElement?.blur()")
    step = root.get_attribute("data-step") or ""
    judge(page, "2")
    page.keyboard.press("ArrowLeft")
    expect(root).to_have_attribute("data-step", step)
    chosen = level.evaluate(LOOK)
    assert len({plain, hovered, focused, chosen}) == 4
    level.hover()
    assert level.evaluate(LOOK) != chosen
    assert level.evaluate(CONTRAST) >= 4.5, "the pointer that chose it does not hide its name"


@long
def test_a_tap_leaves_no_mark_on_a_level_of_the_next_item(browser: Browser, study: Study):
    context = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800}
    )
    page = context.new_page()
    root = study.sit(page, "touch")
    expect(root).to_have_attribute("data-ready", "true")
    step = root.get_attribute("data-step") or ""
    page.get_by_test_id("level-2").tap()
    expect(root).not_to_have_attribute("data-step", step)
    expect(root).to_have_attribute("data-ready", "true")
    page.wait_for_timeout(400)
    page.get_by_test_id("level-2").hover()  # a finger leaves the pointer where it was
    assert page.get_by_test_id("level-2").evaluate("node => node.matches(':hover')")
    looks = {page.get_by_test_id(f"level-{n}").evaluate(LOOK) for n in range(5)}
    context.close()
    assert len(looks) == 1


@long
@pytest.mark.parametrize(("name", "motion"), [("moves", "no-preference"), ("still", "reduce")])
def test_a_press_is_seen_and_the_next_item_slides_in_unless_one_wants_no_motion(
    page: Page, study: Study, name: str, motion: str
):
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    root = study.sit(page, name)
    expect(root).to_have_attribute("data-ready", "true")
    moving = root.evaluate(MOVING)
    assert moving >= 2 if motion == "no-preference" else moving == 0


@long
@pytest.mark.parametrize(("name", "last"), [("frame", "The end"), ("long text", "Line 3999")])
def test_a_framed_page_scrolls_by_keys_that_stay_with_the_screen(
    page: Page, study: Study, name: str, last: str
):
    root = study.sit(page, name)
    frame = page.frame_locator("iframe:visible")
    end = frame.get_by_text(last)
    if name == "long text":
        beginning = frame.get_by_text("Line 0 ").or_(frame.locator("div")).first
        expect(beginning).to_be_visible()
    else:
        beginning = frame.locator("p").first
        expect(beginning).to_be_in_viewport()
    expect(root).to_have_attribute("data-ready", "true")
    for key in ("Space", "ArrowDown", "PageDown"):
        page.keyboard.press(key)
    if name == "frame":
        expect(beginning).not_to_be_in_viewport()
        for _ in range(40):
            page.keyboard.press("PageDown")
        expect(end).to_be_in_viewport()
        for _ in range(60):
            page.keyboard.press("PageUp")
        expect(beginning).to_be_in_viewport()
    else:
        moved = page.frames[-1].evaluate("() => scrollY")
        assert moved > 200
    judge(page, "2")


@long
def test_tab_leads_into_a_page_without_links_and_out_again(page: Page, study: Study):
    study.sit(page, "tab")
    frame = page.frame_locator("iframe:visible")
    expect(frame.locator("p").first).to_be_visible()
    page.get_by_test_id("width").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("PageDown")
    expect(frame.locator("p").first).not_to_be_in_viewport()
    page.keyboard.press("Tab")
    focused = "() => { let one = document.activeElement; while (one?.shadowRoot?.activeElement)"
    focused += " one = one.shadowRoot.activeElement; return one.dataset.testid ?? one.tagName; }"
    assert page.evaluate(focused) == "level-0"
    judge(page, "2")


@long
def test_words_of_the_query_are_found_one_after_the_other(page: Page, study: Study):
    study.sit(page, "hits")
    while "Title 1" not in page.get_by_test_id("page").inner_text():
        judge(page, "l")
    ticks = page.get_by_test_id("ticks").locator("i")
    expect(ticks.first).to_be_visible()
    for number in (1, 2):
        page.keyboard.press("n")
        expect(page.get_by_test_id("notice")).to_have_text(f"Word of the query: {number} of 80.")
    for _ in range(58):
        page.keyboard.press("n")
    expect(page.get_by_text("Paragraph 59")).to_be_in_viewport()


@long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marked_words_can_be_read(page: Page, study: Study, scheme: str):
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    study.sit(page, "marks")
    mark = page.get_by_test_id("description").locator("mark").first
    assert mark.evaluate(CONTRAST) >= 4.5


@long
def test_text_size_and_width_of_lines_stay_on_the_device(page: Page, study: Study):
    root = study.sit(page, "size")
    paragraph = page.get_by_test_id("page").locator(".passage p").first
    before = sizes(paragraph)
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.get_by_test_id("width").click()
    after = sizes(paragraph)
    assert after[0] > before[0]
    assert after[1] != before[1]
    page.reload()
    expect(root).to_have_attribute("data-step", re.compile("."))
    page.keyboard.press("Enter")
    expect(paragraph).to_be_visible()
    assert sizes(paragraph) == after
    page.keyboard.press("-")
    assert sizes(paragraph)[0] < after[0]


@long
def test_the_theme_changes_over_the_item_that_is_judged(page: Page, study: Study):
    study.sit(page, "size")
    paragraph = page.get_by_test_id("page").locator(".passage p").first
    read, light = paragraph.text_content(), colour(paragraph)
    page.get_by_test_id("stMainMenu").click()
    page.get_by_test_id("stMainMenuPopover").get_by_text("Dark").last.click()
    expect(paragraph).not_to_have_css("color", light)
    assert paragraph.text_content() == read


def colour(node: Locator) -> str:
    """Return the colour of letters as CSS tells it."""
    return str(node.evaluate("node => getComputedStyle(node).color"))


def sizes(paragraph: Locator) -> tuple[float, float]:
    """Return the size of the letters and the longest line of a paragraph."""
    size, width = paragraph.evaluate(
        "node => [parseFloat(getComputedStyle(node).fontSize), "
        "parseFloat(getComputedStyle(node.parentElement).maxWidth) || 0]"
    )
    return size, width
