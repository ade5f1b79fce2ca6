"""Changing one's mind on the judging screen: back, undo, later, cannot judge, comments."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import judge_screen, press_when_seen
from tests.browser.study import Study, Wish, change_by, expect_saved, judge, page_of, run_study
from tests.short import long

pytestmark = pytest.mark.browser

LONG = {**page_of(1), "text": "\n\n".join(f"Paragraph {n} about cats." for n in range(60))}
WISHES = {
    **dict.fromkeys(
        ("revise", "undo", "later", "cannot", "notice", "comment", "keys", "double"), Wish()
    ),
    "scroll": Wish(documents=(LONG,)),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("changes"), WISHES) as running:
        yield running


@long
def test_back_and_another_level_replace_the_first(page: Page, study: Study):
    root = study.sit(page, "revise")
    (first,) = judge(page, "1")
    page.keyboard.press("ArrowLeft")
    expect(root).to_have_attribute("data-step", first)
    expect(page.get_by_test_id("level-0")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("again")).to_have_text("✓ Judged before")
    press_when_seen(page, "3")
    expect(root).not_to_have_attribute("data-step", first)
    expect_saved(page)
    old, new = study.labels("revise")
    assert [old["level"], new["level"]] == [0, 2]
    assert new["supersedes"] == old["event_id"]
    assert not new["stale"]


@long
def test_undo_takes_the_last_judgement_back(page: Page, study: Study):
    root = study.sit(page, "undo")
    first, second = judge(page, "12")
    page.keyboard.press("u")
    expect(root).to_have_attribute("data-step", second)
    page.keyboard.press("Control+z")
    expect(root).to_have_attribute("data-step", first)
    page.keyboard.press("u")
    expect(page.get_by_test_id("notice")).to_contain_text("no judgement of this visit")
    judge(page, "4")
    expect(root).to_have_attribute("data-step", second)
    expect_saved(page)
    states = [(row["document_id"], row["state"], row["level"]) for row in study.labels("undo")]
    one, two = first.split("|")[1], second.split("|")[1]
    assert states == [
        (one, "level", 0),
        (two, "level", 1),
        (two, "unjudged", None),
        (one, "unjudged", None),
        (one, "level", 3),
    ]


@long
def test_what_is_put_off_comes_again_at_the_end(page: Page, study: Study):
    root = study.sit(page, "later")
    first, *others = judge(page, "l11")
    expect(root).to_have_attribute("data-step", first)
    assert first not in others
    expect(page.get_by_test_id("again")).to_contain_text("Put off before")
    press_when_seen(page, "l")
    expect(page.get_by_test_id("finished")).to_contain_text("1 left for later")
    expect(page.get_by_test_id("next")).to_be_hidden()
    page.get_by_test_id("reopen").click()
    expect(root).to_have_attribute("data-step", first)
    press_when_seen(page, "2")
    expect(page.get_by_text("There is nothing for you to judge now")).to_be_visible()
    states = [row["state"] for row in study.labels("later")]
    assert states == ["later", "level", "level", "later", "level"]


@long
def test_why_an_item_cannot_be_judged_is_asked_over_it_and_moves_nothing(page: Page, study: Study):
    root = study.sit(page, "cannot")
    step = root.get_attribute("data-step") or ""
    before = places(page)
    page.keyboard.press("x")
    reasons = page.get_by_test_id("reasons")
    expect(reasons).to_be_visible()
    assert [one.inner_text().split()[0] for one in reasons.locator("[data-reason]").all()] == [
        *"1234"
    ]
    assert places(page) == before
    assert page.evaluate(OVERLAP), "the question stands over the item"
    page.keyboard.press("Escape")
    expect(reasons).to_be_hidden()
    expect(root).to_have_attribute("data-step", step)
    page.keyboard.press("x")
    assert judge(page, "2") == [step]
    assert places(page) == before
    expect_saved(page)
    rows = study.labels("cannot")
    assert [(row["state"], row["comment"], row["document_id"]) for row in rows] == [
        ("cannot judge", "wrong language", step.split("|")[1])
    ]


OVERLAP = """() => {
  const trees = [...document.querySelectorAll('*')].map(one => one.shadowRoot);
  const tree = trees.find(one => one?.querySelector('.judge')) ?? document;
  const [over, item] = ['reasons', 'item'].map(
    name => tree.querySelector(`[data-testid=${name}]`).getBoundingClientRect());
  return over.top > item.top && over.bottom <= item.bottom + 1;
}"""


def places(page: Page) -> list[tuple[float, float]]:
    """Return where what stands on the screen begins and how high it is."""
    boxes = [
        page.get_by_test_id(name).bounding_box()
        for name in ("query", "kind", "item", "levels", "back", "progress")
    ]
    return [(box["y"], box["height"]) for box in boxes if box]


@long
def test_a_notice_moves_nothing(page: Page, study: Study):
    study.sit(page, "notice")
    before = places(page)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("notice")).to_contain_text("This is the first item.")
    assert places(page) == before


@long
def test_a_comment_goes_with_the_judgement(page: Page, study: Study):
    root = study.sit(page, "comment")
    step = root.get_attribute("data-step") or ""
    page.keyboard.press("c")
    page.keyboard.type("1 cat, <b>bold</b> & rare\n")
    expect(root).to_have_attribute("data-step", step)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("comment-form")).to_be_hidden()
    judge(page, "3")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("c")
    expect(page.get_by_test_id("comment-text")).to_have_value("1 cat, <b>bold</b> & rare")
    page.get_by_test_id("comment-text").fill("another")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("notice")).to_have_text("Comment noted.")
    expect_saved(page)
    rows = [(row["level"], row["comment"]) for row in study.labels("comment")]
    assert rows == [(2, "1 cat, <b>bold</b> & rare"), (2, "another")]


@long
def test_letters_mean_nothing_to_streamlit_here(page: Page, study: Study):
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    root = study.sit(page, "keys")
    step = root.get_attribute("data-step") or ""
    assert sent, "the page talks to the server at first"
    sent.clear()
    page.keyboard.press("r")
    page.keyboard.press("c")
    page.keyboard.type("rc")
    expect(page.get_by_test_id("comment-text")).to_have_value("rc")
    page.keyboard.press("Escape")
    page.get_by_test_id("comment-discard").click()
    page.keyboard.press("r")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(root).to_have_attribute("data-step", step)
    assert not sent, "no rerun was asked for"


@long
def test_a_double_click_judges_one_item(page: Page, study: Study):
    root = study.sit(page, "double")
    expect(root).to_have_attribute("data-ready", "true")
    change_by(page, page.get_by_test_id("level-1").dblclick)
    expect_saved(page)
    expect(page.get_by_test_id("progress")).to_have_text("2 of 3")
    page.keyboard.press("Space")  # scrolls; the level that was clicked is not pressed again
    expect(page.get_by_test_id("progress")).to_have_text("2 of 3")
    assert len(study.labels("double")) == 1


@long
def test_the_item_scrolls_by_keyboard_and_its_query_stays(page: Page, study: Study):
    study.sit(page, "scroll")
    last = page.get_by_text("Paragraph 59")
    expect(last).not_to_be_in_viewport()
    for key in ("Space", "PageDown", "ArrowDown"):
        page.keyboard.press(key)
    for _ in range(12):
        page.keyboard.press("PageDown")
    expect(last).to_be_in_viewport()
    expect(page.get_by_test_id("query")).to_be_in_viewport()
    expect(page.get_by_test_id("level-3")).to_be_in_viewport()
    expect(judge_screen(page)).not_to_have_attribute("data-step", "finished")
