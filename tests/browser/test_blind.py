"""What reaches an assessor's browser, byte by byte: nothing that would tell them what to say."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from core.assessment.rounds.rounds import Plan
from core.store.content.gold import GoldItem, mark_gold
from core.store.content.practice import PracticeItem
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from tests.browser.conftest import press_when_seen, settle
from tests.browser.study import Study, Wish, judge, run_study, wait_to_hear
from tests.browser.test_side_by_side import listen

pytestmark = pytest.mark.browser

WHY = "Because it is the hidden reason."
REMARK = "what the other one said"
WISHES = {
    "blind": Wish(
        plan=Plan(judges=1, flow="page only", repeat_share=0.34),
        practice=(PracticeItem("t1", "d1", "page", "", 3, WHY),),
    )
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("blind"), WISHES) as running:
        _let_another_judge(running)
        yield running


def _let_another_judge(study: Study) -> None:
    """Store the labels of somebody else, gold items among them, before the server goes on."""
    study.server.stop()
    store = Store(study.path)
    collection_id = study.seats["blind"].collection_id
    other = add_person(store, "Wilhelmina", "assessor")
    add_member(store, collection_id, other, "Wilhelmina")
    for number in (1, 2, 3):
        key = Key("t1", f"d{number}", "page", "", other, 0)
        event_id = f"00000000-0000-4000-8000-00000000000{number}"
        event = LabelEvent(event_id, None, key, "level", 3, comment=REMARK)
        store.labels.append(collection_id, [event])
        mark_gold(store, collection_id, GoldItem("t1", f"d{number}", "page", "", 3), other)
    store.close()
    study.server.start()


def test_an_assessor_is_told_nothing_beforehand(page: Page, study: Study):
    received = listen(page)
    root = study.sit(page, "blind")
    expect(page.get_by_test_id("practice")).to_be_visible()
    assert b"Cats 1" in b"".join(received), "what is sent is seen here"
    assert WHY.encode() not in b"".join(received)
    press_when_seen(page, "1")
    expect(page.get_by_test_id("feedback")).to_contain_text(WHY)
    # what the answer holds is read after it has come
    wait_to_hear(page, lambda: WHY.encode() in b"".join(received))
    page.keyboard.press("Enter")
    expect(root).not_to_have_attribute("data-feedback", "true")
    judge(page, ["Enter", *"1234"])
    expect(page.get_by_text("There is nothing for you to judge now")).to_be_visible()
    for path in ("history", "account"):
        page.goto(f"{study.server.address}/{path}")
        settle(page)
    everything = b"".join(received)
    for told in (REMARK, "Wilhelmina"):
        assert told.encode() not in everything, told
    occasions = re.findall(rb'\\?"occasion\\?"\s*:\s*([^,}]+)', everything)
    assert len(occasions) >= 5
    assert all(re.fullmatch(rb'\\?"[0-9a-f]{16}\\?"', one) for one in occasions)
    own = [row["occasion"] for row in study.labels("blind") if row["comment"] != REMARK]
    assert own == [-1, 0, 0, 0, 1]
