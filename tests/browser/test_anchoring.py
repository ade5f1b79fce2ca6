"""A machine's levels in a real browser: nothing before one's own label, and then in one line."""

import re
import uuid
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.store.events.labels import Key, LabelEvent
from core.store.machines.machine_answer import MachineAnswer
from core.store.machines.machines import Machine, describe_machine
from core.store.rounds.rounds import list_rounds
from core.store.store import Store
from tests.browser.accessibility import find_barriers
from tests.browser.conftest import settle
from tests.browser.study import Study, Wish, expect_saved, judge, run_study, wait_to_hear
from tests.browser.test_side_by_side import listen
from tests.core.assessment.chosen_draw import choose_draw
from tests.short import long

pytestmark = pytest.mark.browser

MACHINE, NAME, MODEL = "machine-of-the-round", "Machine Zanzibar", "Model Timbuktu 7"
REMARK, ANSWER = "what the machine remarked", "what the machine answered"
HIDDEN = (MACHINE, NAME, REMARK, ANSWER)
"""What no browser is ever sent; the model is, with the level, after one's own label."""

SHOWN = {"d1": True, "d2": False, "d3": True}
PLAN = Plan(judges=1, flow="page only", shows_machine=MACHINE)
WISHES = {
    **{name: Wish(plan=Plan(judges=1, flow="page only")) for name in ("blind", "phone", "dark")},
    "german": Wish(plan=Plan(judges=1, flow="page only"), language="de"),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("anchoring"), WISHES) as running:
        running.server.stop()
        with closing(Store(running.path)) as store:
            for seat in running.seats.values():
                _show_machine(store, seat.collection_id, seat.assessor_id)
        running.server.start()
        yield running


def _show_machine(store: Store, collection_id: str, assessor_id: str) -> None:
    """Have a machine judge all pages, and open a round that shows its levels of two."""
    describe_machine(store, collection_id, MACHINE, Machine(NAME, MODEL))
    for number in (1, 2, 3):
        key = Key("t1", f"d{number}", "page", "", MACHINE, 0)
        answer = MachineAnswer(ANSWER)
        event = LabelEvent(str(uuid.uuid4()), None, key, "level", 3, comment=REMARK, answer=answer)
        store.labels.append(collection_id, [event])
    (plain,) = list_rounds(store, collection_id)
    close_round(store, plain.round_id, closed=True)
    round_id = open_round(store, collection_id, PLAN)
    keys = {Key("t1", one, "page", "", assessor_id, 0): is_in for one, is_in in SHOWN.items()}
    choose_draw(store, round_id, keys)


def document_on(page: Page) -> str:
    """Return the document on the screen."""
    return (page.get_by_test_id("judge").get_attribute("data-step") or "").split("|")[1]


def told(page: Page) -> str:
    return page.get_by_test_id("told-words").inner_text()


@long
def test_no_byte_of_the_machine_comes_before_ones_own_label(page: Page, study: Study):
    received = listen(page)
    study.sit(page, "blind")
    expected = 0
    for _ in range(3):
        everything = b"".join(received)
        assert everything.count(MODEL.encode()) == expected
        assert len(re.findall(rb'"machine":\s*\{', everything)) == expected
        expected += SHOWN[document_on(page)]
        judge(page, "2")
        expect_saved(page)
        _await_answers(page, received, expected)
    assert expected == 2
    expect(page.get_by_test_id("over")).to_be_visible()
    for path in ("history", "account", "judge"):
        page.goto(f"{study.server.address}/{path}")
        settle(page)
    everything = b"".join(received)
    assert b"Cats 1" in everything, "what is sent is seen here"
    assert everything.count(MODEL.encode()) == 2
    for hidden in HIDDEN:
        assert hidden.encode() not in everything, hidden


def _await_answers(page: Page, received: list[bytes], expected: int) -> None:
    """Wait until what the answers hold is recorded: a body is read after it has come."""
    wait_to_hear(page, lambda: b"".join(received).count(MODEL.encode()) >= expected)


@long
def test_by_keyboard_on_a_phone_a_label_is_kept_and_another_changed(browser: Browser, study: Study):
    context = browser.new_context(viewport={"width": 390, "height": 780})
    page = context.new_page()
    study.sit(page, "phone")
    levels = page.get_by_test_id("levels")
    before = levels.bounding_box()
    changed = ""
    for _ in range(3):
        document = document_on(page)
        judge(page, "2")
        expect_saved(page)
        if SHOWN[document]:
            expect(page.get_by_test_id("told-words")).to_contain_text(MODEL)
            changed = changed or document
            if page.get_by_test_id("item").is_visible():
                assert levels.bounding_box() == before, "the line has its room from the beginning"
    assert re.search(
        r"On “Title \d” you said Rel; the machine Model Timbuktu 7 said Key\.", told(page)
    )
    expect(page.get_by_test_id("told-more")).to_have_text("1 more")
    assert find_barriers(page) == []
    page.keyboard.press("k")
    expect(page.get_by_test_id("told-more")).to_be_empty()
    page.keyboard.press("w")
    expect(page.get_by_test_id("judge")).to_have_attribute("data-step", re.compile(changed))
    judge(page, "4")
    expect_saved(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    given = [row for row in study.labels("phone") if row["comment"] != REMARK]
    assert [(row["document_id"], row["level"]) for row in given[3:]] == [(changed, 3)]
    context.close()


@long
def test_in_the_dark_it_lies_over_nothing_and_can_be_read(browser: Browser, study: Study):
    context = browser.new_context(color_scheme="dark", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    study.sit(page, "dark")
    while not SHOWN[document_on(page)]:
        judge(page, "2")
    judge(page, "2")
    line, item, levels = (
        page.get_by_test_id(one).bounding_box() for one in ("told", "item", "levels")
    )
    expect(page.get_by_test_id("told-words")).to_contain_text(MODEL)
    assert line["y"] >= item["y"] + item["height"] - 1
    assert line["y"] + line["height"] <= levels["y"] + 1
    assert find_barriers(page) == []
    context.close()


@long
def test_in_german(page: Page, study: Study):
    study.sit(page, "german")
    while not SHOWN[document_on(page)]:
        judge(page, "2")
    judge(page, "2")
    expect(page.get_by_test_id("told-words")).to_contain_text(f"die Maschine {MODEL} sagte:")
    expect(page.get_by_role("button", name="Behalten")).to_be_visible()
