"""Nothing judged is lost: reloads, no network, other devices, old tokens, a closed collection."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.rounds import Plan
from tests.browser.conftest import begin, press_when_seen
from tests.browser.study import Study, Wish, expect_saved, judge, page_of, run_study, spoil_tokens
from tests.short import long

pytestmark = pytest.mark.browser

SIX = tuple(page_of(number) for number in range(6))
ONE = Plan(judges=1, flow="page only")
WISHES = {
    "reload": Wish(documents=SIX),
    "offline": Wish(documents=SIX),
    "devices": Wish(),
    "tabs": Wish(),
    "token": Wish(),
    "elsewhere": Wish(topics=("cats", "dogs"), plan=ONE),
    "closed": Wish(documents=SIX),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("connection"), WISHES) as running:
        yield running


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    """A page in another browser, as it were."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@long
def test_a_reload_goes_on_where_it_stopped(page: Page, study: Study):
    root = study.sit(page, "reload")
    done = judge(page, "1234")
    step = root.get_attribute("data-step") or ""
    page.reload()
    expect(root).to_have_attribute("data-step", step)
    expect(page.get_by_test_id("progress")).to_have_text("5 of 6")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("level-3")).to_have_attribute("aria-pressed", "true")
    expect_saved(page)
    stored = [(row["document_id"], row["level"]) for row in study.labels("reload")]
    assert stored == [(one.split("|")[1], level) for level, one in enumerate(done)]


@long
def test_without_a_network_judging_goes_on(page: Page, study: Study):
    root = study.sit(page, "offline")
    judge(page, "1")
    expect_saved(page)
    page.context.set_offline(True)
    judge(page, "234")
    expect(root).to_have_attribute("data-waiting", "3")
    expect(page.get_by_test_id("save-state")).to_contain_text("3 labels wait on this device")
    assert len(study.labels("offline")) == 1
    page.context.set_offline(False)
    expect_saved(page)
    assert [row["level"] for row in study.labels("offline")] == [0, 1, 2, 3]


@long
def test_what_another_device_judged_first_stands(page: Page, other: Page, study: Study):
    root = study.sit(page, "devices")
    study.sit(other, "devices")
    (step,) = judge(other, "1")
    expect_saved(other)
    assert root.get_attribute("data-step") == step
    judge(page, "4")
    expect(page.get_by_test_id("notice")).to_contain_text("already judged elsewhere")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("level-0")).to_have_attribute("aria-pressed", "true")
    first, second = study.labels("devices")
    assert [first["stale"], second["stale"]] == [False, True]
    judge(page, "4")
    expect_saved(page)
    *_, third = study.labels("devices")
    assert (third["level"], third["stale"], third["supersedes"]) == (3, False, first["event_id"])


@long
def test_two_tabs_of_one_browser_know_of_each_other(page: Page, study: Study):
    study.sit(page, "tabs")
    second = page.context.new_page()
    study.sit(second, "tabs")
    judge(second, "2")
    expect_saved(second)
    expect(page.get_by_test_id("again")).to_have_text("✓ Judged before")
    expect(page.get_by_test_id("level-1")).to_have_attribute("aria-pressed", "true")
    judge(page, "3")
    expect_saved(page)
    first, later = study.labels("tabs")
    assert later["supersedes"] == first["event_id"]
    assert not later["stale"]


@long
def test_an_old_token_is_renewed_without_loss(page: Page, study: Study):
    root = study.sit(page, "token")
    tokens = spoil_tokens(page)
    judge(page, "1")
    expect(root).to_have_attribute("data-waiting", "1")
    judge(page, "2")
    expect_saved(page)
    assert len(set(tokens)) == 2
    assert [row["level"] for row in study.labels("token")] == [0, 1]


@long
def test_labels_of_a_topic_that_was_finished_elsewhere_are_kept(
    page: Page, other: Page, study: Study
):
    root = study.sit(page, "elsewhere")
    page.route("**/api/labels", lambda route: route.abort())
    judge(page, "123")
    expect(page.get_by_test_id("finished")).to_contain_text("3 still waiting")
    study.sit(other, "elsewhere")
    judge(other, "111")
    expect(other.get_by_test_id("finished")).to_contain_text("Next: dogs")
    judge(other, ["Enter"])
    expect(other.get_by_test_id("query")).to_have_text("dogs")
    page.unroute("**/api/labels")
    page.reload()
    begin(page)
    expect(page.get_by_test_id("query")).to_have_text("dogs")
    expect_saved(page)
    expect(page.get_by_test_id("refused")).to_be_hidden()
    expect(root).not_to_have_attribute("data-step", "finished")
    stored = [(row["topic_id"], row["stale"]) for row in study.labels("elsewhere")]
    assert stored == [("t1", False)] * 3 + [("t1", True)] * 3


@long
def test_a_collection_closed_meanwhile_takes_no_more(page: Page, other: Page, study: Study):
    root = study.sit(page, "closed")
    judge(page, "1")
    expect_saved(page)
    study.enter(other, study.organiser, "collection")
    choose(other, "closed")
    other.get_by_role("button", name="Close this collection").click()
    expect(other.get_by_role("button", name="Reopen this collection")).to_be_visible()
    judge(page, "2")
    expect(page.get_by_test_id("notice")).to_have_text("This collection is closed.")
    expect(page.get_by_test_id("save-state")).to_contain_text("Judging is stopped, 1 label waits")
    step = root.get_attribute("data-step") or ""
    press_when_seen(page, "3")
    expect(root).to_have_attribute("data-step", step)
    assert len(study.labels("closed")) == 1
    other.get_by_role("button", name="Reopen this collection").click()
    expect_saved(page)
    assert [row["level"] for row in study.labels("closed")] == [0, 1]
    other.get_by_role("button", name="Close this collection").click()
    expect(other.get_by_role("button", name="Reopen this collection")).to_be_visible()
    page.reload()
    expect(page.get_by_text("This collection is closed.")).to_be_visible()


def choose(page: Page, collection: str) -> None:
    """Look at another collection."""
    box = page.get_by_role("combobox", name="Collection")
    box.click()
    box.fill(collection)
    page.get_by_role("option", name=collection, exact=True).click()
    expect(box).to_have_value(collection)
