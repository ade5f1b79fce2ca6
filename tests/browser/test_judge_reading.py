"""What an assessor sees and hears: other scripts, hostile texts, every width, keys and labels."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from core.assessment.rounds.rounds import Plan
from tests.browser.conftest import judge_screen
from tests.browser.study import Study, Wish, judge, run_study
from tests.short import few, long

pytestmark = pytest.mark.browser

PAGES = Plan(judges=1, flow="page only")
ARABIC = {
    "id": "d1",
    "title": "زراعة النعناع",
    "url": "https://mint.example/a",
    "text": "يزرع النعناع في المنزل.\n\nA second paragraph.",
    "snippet": "النعناع في أصيص.",
}
HOSTILE = {
    "id": "d1",
    "title": '<img src="/x-title" onerror="window.hurt=1">',
    "url": "javascript:window.hurt=2",
    "text": "</p><script>window.hurt=3</script><svg onload=window.hurt=4>",
    "snippet": "<iframe srcdoc='<script>parent.hurt=5</script>'></iframe><b>cats</b>",
}
LONG = "Donaudampfschifffahrt" * 20
WIDE = {
    "id": "d1",
    "title": LONG,
    "url": f"https://{'long.' * 30}example/{LONG}",
    "text": f"{LONG}\n\n" + "\n\n".join(f"Paragraph {n}" for n in range(50)),
    "snippet": LONG,
}
FRAMED = {"id": "d2", "title": "Framed", "html": "<p>Framed page</p>" * 200}
RULES = "\n\n".join(f"Rule {n}: judge with care, and take your time." for n in range(40))
LINKED = Plan(judges=1)
WISHES = {
    "script": Wish(topics=("زراعة النعناع",), documents=(ARABIC,), plan=LINKED),
    "hostile": Wish(
        topics=("<b onmouseover=alert(1)>cats</b>",),
        documents=(HOSTILE,),
        plan=LINKED,
        guidelines="<img src=/x-rules onerror=window.hurt=6>",
    ),
    "widths": Wish(
        topics=("cats", f"dogs {LONG[:60]}"),
        documents=(WIDE, FRAMED),
        plan=LINKED,
        guidelines=RULES,
    ),
    "names": Wish(plan=PAGES, guidelines="Judge with care."),
    "order": Wish(plan=PAGES, guidelines="Judge with care."),
}
SIZES = {"phone": (390, 800), "tablet": (820, 1100), "desk": (1280, 860), "wide": (1700, 1000)}
LINK = "a[href]:not([data-ref])"
FOCUSED = """() => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node.dataset.testid ?? node.textContent.trim();
}"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("reading"), WISHES) as running:
        yield running


@long
def test_text_runs_in_the_direction_of_its_script(page: Page, study: Study):
    study.sit(page, "script")
    snippet = page.get_by_test_id("snippet")
    expect(page.get_by_test_id("query")).to_have_css("direction", "rtl")
    for part in ("النعناع في أصيص.", "زراعة النعناع"):
        expect(snippet.get_by_text(part)).to_have_css("direction", "rtl")
    expect(snippet.get_by_text("mint.example")).to_have_css("direction", "ltr")
    expect(snippet.locator("mark").first).to_have_text("زراعة")
    judge(page, "4")
    paragraphs = page.get_by_test_id("page").locator(".passage p")
    expect(paragraphs.nth(0)).to_have_css("direction", "rtl")
    expect(paragraphs.nth(1)).to_have_css("direction", "ltr")
    expect(page.get_by_test_id("level-1")).to_have_css("direction", "ltr")


@long
def test_hostile_texts_are_shown_and_do_nothing(page: Page, study: Study):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    root = study.sit(page, "hostile")
    expect(page.get_by_test_id("query")).to_have_text("<b onmouseover=alert(1)>cats</b>")
    expect(page.get_by_test_id("snippet")).to_contain_text('onerror="window.hurt=1">')
    expect(page.get_by_test_id("snippet")).to_contain_text("parent.hurt=5")
    expect(page.get_by_test_id("guidelines")).to_contain_text("onerror=window.hurt=6")
    judge(page, "4")
    expect(page.get_by_test_id("page")).to_contain_text("<script>window.hurt=3</script>")
    assert root.locator(f"img, script, svg, iframe, {LINK}, [onerror], [onmouseover]").count() == 0
    assert page.evaluate("window.hurt") is None
    assert not [url for url in asked if "x-title" in url or "x-rules" in url]


@long
@pytest.mark.parametrize("size", few(SIZES))
def test_query_item_and_levels_are_in_sight_at_every_width(page: Page, study: Study, size: str):
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    root = study.sit(page, "widths")
    places = set()
    for key in "lll":
        judge(page, key)
        expect(page.get_by_test_id("query")).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("levels")).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("item")).to_be_in_viewport()
        places.add((top(page.get_by_test_id("kind")), top(page.get_by_test_id("levels"))))
    assert len(places) == 1, "items and levels stay where they are"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    main = page.get_by_test_id("stMain")
    assert main.evaluate("node => node.scrollHeight <= node.clientHeight"), "one screen"
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert root.evaluate("node => node.scrollWidth <= node.clientWidth")


@long
def test_levels_have_names_and_items_are_announced(page: Page, study: Study):
    study.sit(page, "names")
    levels = page.get_by_role("group", name="Levels of a page")
    expect(levels.get_by_role("button")).to_have_count(5)
    names = [button.inner_text().split() for button in levels.get_by_role("button").all()]
    assert [name[:2] for name in names] == [
        ["1", "Non"],
        ["2", "Rel"],
        ["3", "HRel"],
        ["4", "Key"],
        ["5", "Nav"],
    ]
    first = levels.get_by_role("button", name="1 Non The page is of no use")
    expect(first).to_have_attribute("aria-keyshortcuts", "1")
    expect(page.get_by_role("progressbar", name="Judged so far")).to_be_visible()
    expect(page.get_by_role("region", name="Item to judge")).to_be_visible()
    said = page.get_by_test_id("announcement")
    expect(said).to_have_attribute("aria-live", "polite")
    expect(said).to_contain_text("New query: cats. Page 1 of 3. Title")
    judge(page, "2")
    expect(said).to_contain_text("Page 2 of 3. Title")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("Page 1 of 3. Judged before: Rel.")
    expect(page.get_by_role("status")).to_have_text("All saved")


@long
def test_tab_goes_through_the_screen_in_the_order_of_the_work(page: Page, study: Study):
    root = study.sit(page, "order")
    expect(root).to_have_attribute("data-ready", "true")
    page.get_by_test_id("item").evaluate("node => node.focus()")
    order = []
    for _ in range(15):
        page.keyboard.press("Tab")
        order.append(page.evaluate(FOCUSED))
    levels = [f"level-{level}" for level in range(5)]
    assert order == [
        "smaller",
        "larger",
        "width",
        *levels,
        "back",
        "undo",
        "later",
        "cannot",
        "comment",
        "ask",
        "help",
    ]
    for _ in range(11):
        page.keyboard.press("Shift+Tab")
    assert page.evaluate(FOCUSED) == "level-0"
    step = root.get_attribute("data-step") or ""
    page.keyboard.press("Enter")
    expect(root).not_to_have_attribute("data-step", step)
    assert page.evaluate(FOCUSED) == "level-0", "the next item can be judged the same way"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(FOCUSED) == "width"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_test_id("progress")).to_have_text("2 of 3")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    judge(page, "2")
    expect(judge_screen(page)).to_have_attribute("data-waiting", "0")


def top(node: Locator) -> int:
    """Return how far from the top of the window something begins."""
    box = node.bounding_box()
    assert box is not None
    return round(box["y"])
