"""PDFs and pictures are judged as pages are: in the sandbox, by keyboard, and nothing leaves."""

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import press_when_seen
from tests.browser.study import Study, Wish, change_by, expect_saved, page_of, run_study
from tests.made_files import make_pdf, make_picture
from tests.short import long

pytestmark = pytest.mark.browser

PDF = make_pdf([["Feeding cats well", "A cat eats twice a day."], *([["More of it"]] * 4)])


def packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


WISHES = {
    "drawn": Wish(
        documents=(
            {"id": "d1", "title": "A guide", "media": packed(PDF)},
            {"id": "d2", "title": "A teal square", "media": packed(make_picture())},
            page_of(3),
        )
    )
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("drawn"), WISHES) as running:
        yield running


@long
def test_they_are_shown_scrolled_and_judged_like_pages(page: Page, study: Study):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    root = study.sit(page, "drawn")
    seen = set()
    for _ in range(3):
        step = root.get_attribute("data-step") or ""
        frame = page.frame_locator("iframe:not(.ahead)")
        if "|d1|" in step:
            sheets = frame.get_by_role("img")
            expect(sheets).to_have_count(5)
            expect(sheets.first).to_have_accessible_name("Page 1 of 5")
            expect(frame.locator("mark").first).to_have_text("cats")
            assert is_drawn(page)
            page.keyboard.press("Space")
            expect(sheets.first).not_to_be_in_viewport(ratio=0.9)
        if "|d2|" in step:
            expect(frame.get_by_role("img", name="A teal square")).to_be_in_viewport()
            assert is_drawn(page)
        seen.add(step)
        if len(seen) < len(WISHES["drawn"].documents):
            change_by(page, lambda: press_when_seen(page, "2"))
    press_when_seen(page, "2")
    expect_saved(page)
    assert len({one["document_id"] for one in study.labels("drawn")}) == 3
    here = tuple(f"{kind}{study.server.address}" for kind in ("", "blob:"))
    assert [one for one in asked if not one.startswith((*here, "data:"))] == []


def is_drawn(page: Page) -> bool:
    """Whether each picture of the page in view has been decoded."""
    pictures = page.frame_locator("iframe:not(.ahead)").locator("img")
    expect(pictures.first).to_be_visible()
    sizes = pictures.evaluate_all("all => all.map(one => one.complete && one.naturalWidth)")
    return all(sizes)
