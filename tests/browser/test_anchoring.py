"""A machine's levels in a real browser: nothing before the end of a topic, then all on its card."""

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
"""What no browser is ever sent; the model is, with the level, once the topic is judged."""

SHOWN = {"d1": True, "d2": False, "d3": True}
PLAN = Plan(judges=1, flow="page only", shows_machine=MACHINE)
NAMES = ("blind", "offline", "tabs", "phone", "dark")
WISHES = {
    **{name: Wish(plan=Plan(judges=1, flow="page only")) for name in NAMES},
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


@long
def test_no_byte_of_the_machine_comes_before_the_end_of_the_topic(page: Page, study: Study):
    received = listen(page)
    study.sit(page, "blind")
    judge(page, "2")
    page.keyboard.press("ArrowLeft")
    judge(page, "32")
    expect_saved(page)
    page.goto(f"{study.server.address}/history")
    settle(page)
    study.sit(page, "blind")
    expect(page.locator("progress.bar")).to_have_attribute("value", "2")
    everything = b"".join(received)
    assert b"Cats 1" in everything, "what is sent is seen here"
    for hidden in (*HIDDEN, MODEL):
        assert hidden.encode() not in everything, hidden
        assert hidden not in page.content(), hidden
    judge(page, "2")
    expect_saved(page)
    expect(page.get_by_test_id("revealed-list").locator("li")).to_have_count(2)
    wait_to_hear(page, lambda: b"".join(received).count(MODEL.encode()) == 2)
    assert study.after_seeing("blind") == []
    changed = change(page, 0)
    expect(page.get_by_test_id("over")).to_be_visible()
    expect(page.get_by_test_id("revealed-list").locator("li")).to_have_count(1)
    assert SHOWN[changed]
    assert study.after_seeing("blind") == [(changed, 3)], "and what was revised before is not"
    for hidden in HIDDEN:
        assert hidden.encode() not in b"".join(received), hidden


def change(page: Page, place: int) -> str:
    """Change the label of a page that is told of; returns its document."""
    page.get_by_test_id("revealed-list").get_by_role("button", name="Change").nth(place).click()
    root = page.get_by_test_id("judge")
    expect(root).to_have_attribute("data-step", re.compile(r"\|d\d\|"))
    assert MODEL not in page.content(), "nor is it in sight while that page is judged anew"
    document = document_on(page)
    judge(page, "4")
    expect_saved(page)
    return document


@long
def test_what_waits_is_told_once_it_is_saved_and_after_a_reload_it_is_not(page: Page, study: Study):
    study.sit(page, "offline")
    judge(page, "22")
    expect_saved(page)
    page.context.set_offline(True)
    judge(page, "2")
    state = page.get_by_test_id("revealed-state")
    expect(state).to_have_text("It is told once everything is saved.")
    assert MODEL not in page.content()
    page.context.set_offline(False)
    expect(page.get_by_test_id("revealed-list").locator("li")).to_have_count(2)
    page.reload()
    expect(page.get_by_test_id("over")).to_be_visible()
    assert MODEL not in page.content()


@long
def test_a_second_tab_tells_nothing_either_while_it_judges(page: Page, study: Study):
    study.sit(page, "tabs")
    other = page.context.new_page()
    study.sit(other, "tabs")
    judge(page, "222")
    expect_saved(page)
    expect(page.get_by_test_id("revealed-list").locator("li")).to_have_count(2)
    assert MODEL not in other.content()


@long
@pytest.mark.parametrize("name", ["phone", "dark"])
def test_the_list_can_be_read_and_used_on_a_phone_and_in_the_dark(
    browser: Browser, study: Study, name: str
):
    looks = {
        "phone": {"viewport": {"width": 390, "height": 780}},
        "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 800}},
    }
    context = browser.new_context(**looks[name])
    page = context.new_page()
    study.sit(page, name)
    judge(page, "22")
    judge(page, "2")
    lines = page.get_by_test_id("revealed-list").locator("li")
    expect(lines).to_have_count(2)
    boxes = [page.get_by_test_id(one).bounding_box() for one in ("done-words", "revealed-levels")]
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"], "what comes moves nothing above it"
    expect(lines.first).to_contain_text(
        re.compile(r"On “Title \d” you said Rel; the machine Model Timbuktu 7 said Key\.")
    )
    assert find_barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    lines.first.get_by_role("button", name="Keep").press("Enter")
    expect(lines).to_have_count(1)
    change(page, 0)
    context.close()


@long
def test_in_german(page: Page, study: Study):
    study.sit(page, "german")
    judge(page, "222")
    expect(page.get_by_test_id("revealed-list")).to_contain_text(f"die Maschine {MODEL} sagte:")
    expect(page.get_by_role("button", name="Behalten").first).to_be_visible()
