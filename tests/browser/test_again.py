"""From the history to the judging screen at one item, by keyboard, and back or on."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from core.assessment.rounds.rounds import Plan
from tests.browser.conftest import begin, judge_screen, press_when_seen, settle
from tests.browser.study import Study, Wish, change_by, expect_saved, judge, run_study
from tests.short import long

pytestmark = pytest.mark.browser

PAGES = Plan(judges=1, flow="page only")
WISHES = {
    "back": Wish(topics=("cats", "dogs"), plan=PAGES),
    "on": Wish(topics=("cats", "dogs"), plan=PAGES),
    "german": Wish(plan=PAGES, language="de"),
    "hasty": Wish(topics=("cats", "dogs"), plan=PAGES),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("again"), WISHES) as running:
        yield running


def choose(page: Page, study: Study, name: str, row: int) -> None:
    """Choose a row of one's own labels by keyboard, and follow its link by keyboard."""
    collection = study.seats[name].collection_id
    study.enter(page, study.seats[name].session, f"history?collection={collection}")
    settle(page)
    table = page.get_by_test_id("stDataFrame").first
    table.locator("canvas").first.focus()
    for key in ["ArrowDown"] * row + ["Shift+Space"]:
        page.keyboard.press(key)
    link = page.get_by_test_id("stPageLink").get_by_role("link")
    expect(link).to_be_visible()
    link.focus()
    page.keyboard.press("Enter")
    expect(judge_screen(page)).to_have_attribute("data-ready", "true")


@long
def test_an_item_of_the_history_is_judged_again_and_one_comes_back(page: Page, study: Study):
    study.sit(page, "back")
    first, second = judge(page, "23")
    expect_saved(page)
    choose(page, study, "back", 1)
    root = judge_screen(page)
    expect(root).to_have_attribute("data-step", first)
    expect(page.get_by_test_id("query")).to_be_visible()
    expect(page.get_by_test_id("level-1")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("progress")).to_be_hidden()
    expect(page.get_by_test_id("to-history")).to_be_visible()
    press_when_seen(page, "l")
    expect(page.get_by_test_id("notice")).to_contain_text("give another level")
    press_when_seen(page, "u")
    expect(root).to_have_attribute("data-step", first)
    assert judge(page, "4") == [first]
    expect(page.get_by_test_id("finished")).to_contain_text("Your new judgement counts")
    expect_saved(page)
    page.keyboard.press("Escape")
    expect(page).to_have_url(f"{study.server.address}/history?collection={_id(study, 'back')}")
    rows = study.labels("back")
    assert [(row["document_id"], row["level"], row["stale"]) for row in rows] == [
        (first.split("|")[1], 1, False),
        (second.split("|")[1], 2, False),
        (first.split("|")[1], 3, False),
    ]
    assert rows[2]["supersedes"] == rows[0]["event_id"]


@long
def test_after_it_judging_goes_on_with_what_is_next(page: Page, study: Study):
    study.sit(page, "on")
    (first,) = judge(page, "1")
    expect_saved(page)
    choose(page, study, "on", 0)
    page.reload()
    root = begin(page)
    expect(root).to_have_attribute("data-step", first)
    assert judge(page, "1") == [first], "the same level again is an answer, too"
    expect(page.get_by_test_id("next")).to_contain_text("Next: ")
    judge(page, ["ArrowLeft"])
    expect(root).to_have_attribute("data-step", first)
    judge(page, ["ArrowRight"])
    change_by(page, lambda: page.keyboard.press("Enter"))
    if root.get_attribute("data-step") == "start":
        judge(page, ["Enter"])
    expect(root).not_to_have_attribute("data-step", first)
    expect(page.get_by_test_id("progress")).to_have_text("2 of 3")
    expect(page.get_by_test_id("to-history")).to_be_hidden()
    judge(page, "2")
    expect_saved(page)
    assert [row["level"] for row in study.labels("on")] == [0, 0, 1]
    assert "again=" not in page.url


@long
def test_a_label_left_as_it_is_stays(page: Page, study: Study):
    study.sit(page, "german")
    (first,) = judge(page, "2")
    expect(page.get_by_test_id("save-state")).to_have_text("Alles gespeichert")
    choose(page, study, "german", 0)
    expect(judge_screen(page)).to_have_attribute("data-step", first)
    judge(page, ["ArrowRight"])
    expect(page.get_by_test_id("finished")).to_contain_text("Ihr Urteil bleibt, wie es war")
    page.get_by_test_id("next").click()
    expect(page.get_by_test_id("progress")).to_contain_text("2 ")
    assert len(study.labels("german")) == 1


@long
def test_what_is_next_is_asked_for_before_the_server_has_answered(page: Page, study: Study):
    """What the page script drew before it heard that the item was left does not undo the wish."""
    held: list[str | bytes] | None = None
    sockets: list[WebSocketRoute] = []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda one: server.send(one) if held is None else held.append(one))
        sockets.append(server)

    page.route_web_socket("**/_stcore/stream*", pass_on)
    study.sit(page, "hasty")
    judge(page, "2")
    expect_saved(page)
    choose(page, study, "hasty", 0)
    page.wait_for_timeout(1_100)  # tokens are dated by the second: what is drawn anew is new
    held = []
    judge(page, ["ArrowRight"])
    press_when_seen(page, "Enter")
    expect(page.get_by_test_id("next")).to_be_disabled()
    page.wait_for_timeout(500)
    waiting, held = held, None
    assert waiting
    for message in waiting:
        sockets[-1].send(message)
    expect(page.get_by_test_id("progress")).to_contain_text("2 ", timeout=20_000)


def _id(study: Study, name: str) -> str:
    return study.seats[name].collection_id
