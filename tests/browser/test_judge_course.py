"""The course of an assignment: practice, linked pages, repeats, the next topic, the fallback."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from core.assessment.rounds.rounds import Plan
from core.store.content.practice import PracticeItem
from tests.browser.conftest import begin, press_when_seen
from tests.browser.study import (
    Study,
    Wish,
    change_by,
    expect_saved,
    judge,
    page_of,
    run_study,
    spoil_tokens,
)
from tests.short import long

pytestmark = pytest.mark.browser

PAGES = Plan(judges=1, flow="page only")
PRACTICE = (
    PracticeItem("t1", "d1", "page", "", 1, "It only names a cat."),
    PracticeItem("t1", "d2", "page", "", 3, "All about <b>cats</b>."),
)
WISHES = {
    "practice": Wish(plan=PAGES, practice=PRACTICE),
    "rerun": Wish(plan=PAGES, practice=PRACTICE[:1]),
    "linked": Wish(plan=Plan(judges=1, page_from=2)),
    "repeats": Wish(plan=Plan(judges=1, flow="page only", repeat_share=0.34)),
    "topics": Wish(topics=("cats", "dogs"), documents=(page_of(1),), plan=PAGES),
    "again": Wish(documents=(page_of(1),), plan=PAGES),
    "lost": Wish(topics=("cats", "dogs"), documents=(page_of(1),), plan=PAGES),
    "plain": Wish(plan=PAGES, practice=PRACTICE[:1]),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("course"), WISHES) as running:
        yield running


@long
def test_practice_comes_first_with_feedback_and_only_once(page: Page, study: Study):
    root = study.sit(page, "practice")
    feedback = page.get_by_test_id("feedback")
    expect(page.get_by_test_id("practice")).to_be_visible()
    expect(page.get_by_test_id("progress")).to_have_text("Practice")
    press_when_seen(page, "1")
    expect(feedback).to_contain_text("✗ We would say: Rel. It only names a cat.")
    expect(page.get_by_test_id("announcement")).to_contain_text("It only names a cat.")
    change_by(page, lambda: page.keyboard.press("Enter"))
    expect(feedback).to_be_hidden()
    expect_saved(page)
    page.reload()
    expect(root).to_have_attribute("data-step", re.compile(r"t1\|d2\|page\|\|\w+"))
    press_when_seen(page, "4")
    expect(feedback).to_contain_text("✓ Yes: Key. All about <b>cats</b>.")
    change_by(page, page.get_by_test_id("continue").click)
    expect(page.get_by_test_id("practised")).to_contain_text("Practice: 1 of 1 as the organiser")
    expect(page.get_by_test_id("item")).to_be_hidden()
    judge(page, ["Enter"])
    expect(root).to_have_attribute("data-practice", "false")
    expect(page.get_by_test_id("practice")).to_be_hidden()
    expect(page.get_by_test_id("progress")).to_have_text("1 of 3")
    judge(page, "111")
    expect(page.get_by_text("There is nothing for you to judge now")).to_be_visible()
    assert [row["occasion"] for row in study.labels("practice")] == [-1, -1, 0, 0, 0]


@long
def test_a_rerun_during_feedback_swallows_no_press(page: Page, study: Study):
    root = study.sit(page, "rerun")
    press_when_seen(page, "1")
    expect_saved(page)
    spoil_tokens(page)  # the page is run again to get a new one
    page.keyboard.press("c")
    page.keyboard.type("Why?")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("progress")).to_have_text("1 of 3")
    expect(page.get_by_test_id("feedback")).to_be_hidden()
    expect_saved(page)
    step = root.get_attribute("data-step") or ""
    assert judge(page, "3") == [step]
    expect_saved(page)
    rows = [(row["occasion"], row["level"], row["comment"]) for row in study.labels("rerun")]
    assert rows == [(-1, 0, ""), (-1, 0, "Why?"), (0, 2, "")]


@long
def test_a_page_follows_a_good_snippet_only(page: Page, study: Study):
    root = study.sit(page, "linked")
    expect(page.get_by_test_id("progress")).to_have_text("1 of at most 6")
    good, linked, poor = judge(page, "354")
    page.keyboard.press("x")
    (unsure,) = judge(page, "1")
    assert [one.split("|")[2] for one in (good, linked, poor)] == ["snippet", "page", "snippet"]
    assert linked.split("|")[1] == good.split("|")[1] != poor.split("|")[1]
    assert unsure.split("|")[1:3] == [poor.split("|")[1], "page"]
    judge(page, "2")
    expect(page.get_by_text("There is nothing for you to judge now")).to_be_visible()
    expect(root).to_have_attribute("data-step", "finished")
    rows = [(row["facet"], row["state"]) for row in study.labels("linked")]
    assert rows == [
        ("snippet", "level"),
        ("page", "level"),
        ("snippet", "level"),
        ("page", "cannot judge"),
        ("snippet", "level"),
    ]


@long
def test_a_repeat_does_not_show_itself(page: Page, study: Study):
    root = study.sit(page, "repeats")
    seen = judge(page, "123")
    step = root.get_attribute("data-step") or ""
    assert step not in seen
    assert step.rpartition("|")[0] in {one.rpartition("|")[0] for one in seen}
    expect(page.get_by_test_id("again")).to_be_hidden()
    for button in page.get_by_test_id("levels").get_by_role("button").all():
        expect(button).to_have_attribute("aria-pressed", "false")
    judge(page, "4")
    expect(page.get_by_text("There is nothing for you to judge now")).to_be_visible()
    assert [row["occasion"] for row in study.labels("repeats")] == [0, 0, 0, 1]


@long
def test_a_card_stands_between_topics_and_after_the_work(page: Page, study: Study):
    root = study.sit(page, "topics")
    expect(page.get_by_test_id("query")).to_have_text("cats")
    expect(page.get_by_test_id("topics")).to_have_text("Topic 1 of at most 2")
    (first,) = judge(page, "1")
    card = page.get_by_test_id("finished")
    expect(card).to_contain_text("This topic is done")
    expect(card).to_contain_text("Next: dogs")
    page.wait_for_timeout(500)
    expect(root).to_have_attribute("data-step", "finished")
    judge(page, ["Enter"])
    expect(page.get_by_test_id("query")).to_have_text("dogs")
    expect(page.get_by_test_id("topics")).to_have_text("Topic 2 of 2")
    expect(page.get_by_test_id("today")).to_have_text("1 today")
    expect(page.get_by_text("New query", exact=True)).to_be_visible()
    expect(page.get_by_test_id("announcement")).to_contain_text("New query: dogs.")
    judge(page, ["ArrowLeft"])
    expect(root).to_have_attribute("data-step", first)
    judge(page, "23")
    expect(page.get_by_text("There is nothing for you to judge now")).to_be_visible()
    expect(card).to_contain_text("Finished: thank you")
    page.wait_for_timeout(500)
    expect(card).to_contain_text("1 judgement.")
    expect_saved(page)
    rows = [(row["topic_id"], row["level"], row["stale"]) for row in study.labels("topics")]
    assert rows == [("t1", 0, False), ("t1", 1, False), ("t2", 2, False)]
    card.get_by_role("link", name="History").click()
    expect(page.get_by_text("These are your own labels.")).to_be_visible()


@long
def test_without_work_the_screen_looks_again_by_itself(page: Page, study: Study):
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    study.sit(page, "again")
    judge(page, "1")
    expect(page.get_by_text("There is nothing for you to judge now")).to_be_visible()
    page.wait_for_timeout(500)
    sent.clear()
    page.wait_for_timeout(6_000)
    assert sent
    expect(page.get_by_test_id("finished")).to_contain_text("1 judgement.")


@long
def test_a_lost_message_is_made_good_by_the_button(page: Page, study: Study):
    losing = False

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: None if losing else server.send(message))

    page.route_web_socket("**/_stcore/stream*", pass_on)
    root = study.sit(page, "lost")
    losing = True
    judge(page, "1")
    expect(root).to_have_attribute("data-step", "finished")
    expect(page.get_by_test_id("finished")).to_contain_text("1 judgement.")
    expect_saved(page)
    losing = False
    page.get_by_test_id("next").click()
    expect(page.get_by_test_id("query")).to_have_text("dogs")
    expect(root).not_to_have_attribute("data-step", "finished")


@long
def test_plain_buttons_do_the_same_work(page: Page, study: Study):
    study.sit(page, "plain")
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_text("Plain buttons").click()
    expect(page.get_by_text("Practice, not counted.")).to_be_visible()
    page.get_by_role("button", name="Rel:", exact=False).first.click()
    expect(page.get_by_text("Yes: Rel. It only names a cat.")).to_be_visible()
    expect(page.get_by_text("3 left in this topic.")).to_be_visible()
    page.get_by_role("button", name="Non:", exact=False).click()
    expect(page.get_by_text("2 left in this topic.")).to_be_visible()
    expect(page.get_by_text("Yes: Rel.")).to_have_count(0)
    page.get_by_text("Plain buttons").click()
    begin(page)
    expect(page.get_by_test_id("progress")).to_have_text("2 of 3")
    judge(page, "3")
    expect_saved(page)
    rows = [(row["occasion"], row["level"]) for row in study.labels("plain")]
    assert rows == [(-1, 1), (0, 0), (0, 2)]
