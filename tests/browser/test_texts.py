"""What is judged as it was written: code, tables, text below a cookie wall, pictures not stored."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from core.assessment.rounds.rounds import Plan
from tests.browser.conftest import press_when_seen
from tests.browser.study import (
    Study,
    Wish,
    change_by,
    expect_saved,
    judge,
    page_of,
    run_study,
    wait_to_hear,
)
from tests.browser.test_framed_pages import framed
from tests.short import few, long

pytestmark = pytest.mark.browser

TABLE = f"Name{' ' * 60}Age{' ' * 40}Fee\nMog{' ' * 61}  3{' ' * 40} 45"
PROSE = "One paragraph of cats.\n" * 9
WALL = (
    "<p>Feeding cats</p><img src='https://x.example/a.png' alt='A tabby'>"
    "<div style='position:fixed;inset:0;background:#333;color:#fff'>We value your privacy</div>"
)
CODE = f"{PROSE}\ndef feed(cat):\n\tif cat.hungry:\n\t\treturn bowl\n\n{TABLE}"
WIDE = f"<table><tr>{'<td>A cell of a table</td>' * 200}</table>"
PAGES = Plan(judges=1, flow="page only")
WALLED = {"id": "d1", "title": "Walled", "html": WALL}
ONE = Wish(documents=(page_of(1) | {"text": CODE},), plan=PAGES)
LONG = page_of(1) | {"text": f"{CODE}\n\n{'A long line of prose. ' * 1_000}"}
WISHES = {
    **dict.fromkeys(("code", "untranslated", "shaded"), ONE),
    **dict.fromkeys(("long", "shaded, framed"), Wish(documents=(LONG,), plan=PAGES)),
    "walled": Wish(documents=(WALLED,), plan=PAGES),
    "cut off": Wish(documents=(WALLED, WALLED | {"id": "d2"}), plan=PAGES),
    "wide": Wish(documents=({"id": "d1", "title": "Wide", "html": WIDE},), plan=PAGES),
    "marked": Wish(documents=(WALLED,), plan=PAGES),
}
LINES = """node => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size;
}"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("texts"), WISHES) as running:
        yield running


def find_focus(page: Page) -> str:
    """Return the class or the test id of what has the focus."""
    return str(
        page.evaluate(
            "() => { let one = document.activeElement; while (one?.shadowRoot?.activeElement)"
            " one = one.shadowRoot.activeElement; return one.className || one.dataset.testid; }"
        )
    )


def test_code_and_tables_stay_as_they_are_and_scroll_sideways_by_key(page: Page, study: Study):
    root = study.sit(page, "code")
    aligned = page.get_by_test_id("page").locator(".aligned")
    expect(aligned).to_have_text(CODE[len(PROSE) + 1 :], use_inner_text=False)
    assert aligned.evaluate(LINES) == 6, "no line is broken"
    step = root.get_attribute("data-step")
    page.get_by_test_id("width").focus()
    page.keyboard.press("Tab")
    assert find_focus(page) == "aligned"
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("node => node.scrollLeft > 0", arg=aligned.element_handle())
    page.keyboard.press("ArrowLeft")
    assert root.get_attribute("data-step") == step
    aligned.click()  # by hand it is no place for keys: they are the screen's
    assert find_focus(page) != "aligned"
    judge(page, "2")


def test_long_text_in_a_frame_does_so_too(page: Page, study: Study):
    study.sit(page, "long")
    aligned = framed(page).locator("pre")
    expect(aligned).to_contain_text("def feed(cat):")
    assert aligned.evaluate("node => node.scrollWidth > node.clientWidth")
    page.get_by_test_id("width").focus()
    page.keyboard.press("Tab")  # into the frame
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    wait_to_hear(page, lambda: aligned.evaluate("node => node.scrollLeft") > 0)


def sides_with_shade(block: Locator) -> list[str]:
    """Return at which sides of a block a pixel of its edge is not as its lower middle is."""
    picture = Image.open(BytesIO(block.screenshot())).convert("L")
    y = picture.height - 2
    level, *edges = (picture.getpixel((x, y)) for x in (picture.width // 2, 2, picture.width - 3))
    return [name for name, edge in zip(("left", "right"), edges, strict=True) if edge != level]


@pytest.mark.parametrize("name", few(("shaded", "shaded, framed")))
def test_a_shade_says_that_lines_go_on_out_of_sight(page: Page, study: Study, name: str):
    page.set_viewport_size({"width": 390, "height": 844})
    study.sit(page, name)
    block = framed(page).locator("pre") if "framed" in name else page.locator(".page .aligned")
    for place, sides in ((0, ["right"]), (60, ["left", "right"]), (9_999, ["left"])):
        block.evaluate("(node, left) => { node.scrollLeft = left; }", place)
        assert sides_with_shade(block) == sides
    block.evaluate("node => { node.textContent = 'Short.'; }")
    assert sides_with_shade(block) == []


def text_only(page: Page) -> Locator:
    return page.get_by_test_id("text-only")


def test_below_a_cookie_wall_the_text_is_read_and_the_device_remembers_it(page: Page, study: Study):
    study.sit(page, "walled")
    expect(framed(page).get_by_text("We value your privacy")).to_be_visible()
    expect(text_only(page)).to_have_attribute("aria-pressed", "false")
    press_when_seen(page, "v")
    expect(framed(page).get_by_text("Feeding cats")).to_be_visible()
    expect(framed(page).locator("div")).to_have_count(0)
    expect(text_only(page)).to_have_attribute("aria-pressed", "true")
    judge(page, "3")
    expect_saved(page)
    change_by(page, lambda: press_when_seen(page, "ArrowLeft"))
    expect(framed(page).locator("div")).to_have_count(0)
    text_only(page).click()
    expect(framed(page).get_by_text("We value your privacy")).to_be_visible()


def test_a_picture_that_is_not_stored_is_explained(page: Page, study: Study):
    study.sit(page, "marked")
    box = framed(page).get_by_role("img", name="A tabby · Picture not stored")
    expect(box).to_have_css("border-style", "dashed")
    assert "A tabby" in box.evaluate("node => getComputedStyle(node, '::before').content")
    expect(framed(page).locator("img")).to_have_count(0)


@long
def test_passages_are_marked_in_the_text_alone_as_in_the_page(page: Page, study: Study):
    study.sit(page, "marked")
    page.keyboard.press("p")
    expect(page.get_by_text("Now select the passage")).to_be_visible()
    page.keyboard.press(".")
    page.keyboard.press("p")
    marked = framed(page).locator("u")
    expect(marked).to_have_text(["Feeding", "cats"])
    page.keyboard.press("v")
    expect(framed(page).locator("div")).to_have_count(0)
    expect(marked).to_have_text(["Feeding", "cats"])


@long
def test_without_a_server_the_text_that_was_fetched_ahead_is_shown(page: Page, study: Study):
    known: list[str] = []
    page.on("requestfinished", lambda one: known.append(one.url.rsplit(".", 2)[0]))
    study.sit(page, "cut off")
    wait_to_hear(page, lambda: len({one for one in known if "/api/page/" in one}) > 3)
    page.context.set_offline(True)
    judge(page, "3")
    expect(page.get_by_test_id("save-state")).to_contain_text("Offline")
    page.keyboard.press("v")
    expect(framed(page).get_by_text("Feeding cats")).to_be_visible()
    expect(framed(page).locator("div")).to_have_count(0)


def test_no_browser_is_to_translate_what_is_judged(page: Page, study: Study):
    study.sit(page, "untranslated")
    judged = ("query", "description", "narrative", "snippet", "page", "left", "right")
    for name in judged:
        assert page.get_by_test_id(name).get_attribute("translate") == "no"
    assert not page.get_by_test_id("help-text").evaluate("one => one.closest('[translate=no]')")


@long
def test_a_wide_table_in_a_page_scrolls_by_key_for_who_comes_by_tab(page: Page, study: Study):
    root = study.sit(page, "wide")
    step = root.get_attribute("data-step")
    page.get_by_test_id("width").focus()
    page.keyboard.press("Tab")
    body = framed(page).locator("body")
    expect(body).to_be_focused()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    wait_to_hear(page, lambda: body.evaluate("() => scrollX") > 0)
    assert root.get_attribute("data-step") == step
