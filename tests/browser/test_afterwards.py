"""Where others differ, seen afterwards in real browsers: allowed, opened, changed, and exported."""

import csv
import io
import re
import uuid
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.rounds import Plan
from core.collection.records import PAGE
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.browser.conftest import settle
from tests.browser.running import wait_until
from tests.browser.study import Study, Wish, judge, page_of, run_study
from tests.browser.test_side_by_side import listen
from tests.short import long

pytestmark = pytest.mark.browser

REMARK = "what the other one said"
OTHER = "Wilhelmina"
PAGES = tuple(page_of(number) for number in range(1, 4))
TWO = Plan(judges=2, flow="page only")
WISHES = {name: Wish(documents=PAGES, plan=TWO) for name in ("two", "strict", "phone")} | {
    "german": Wish(documents=PAGES, plan=TWO, language="de"),
}
APART = {"d1": 3, "d2": 0}
"""What the other one gave, where Anna gives 1; both give 1 to d3."""

SESSIONS: dict[str, str] = {}
"""The session of the other one."""

LINK = "where others differ from you"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("afterwards"), WISHES) as running:
        running.server.stop()
        with closing(Store(running.path)) as store:
            other = add_person(store, OTHER, "assessor")
            SESSIONS[OTHER] = begin_session(store, other)
            for seat in running.seats.values():
                _judge_all(store, seat.collection_id, other)
        running.server.start()
        yield running


def _judge_all(store: Store, collection_id: str, other: str) -> None:
    """Store the labels of somebody else."""
    add_member(store, collection_id, other, OTHER)
    for number in (1, 2, 3):
        key = Key("t1", f"d{number}", PAGE, "", other, 0)
        level = APART.get(f"d{number}", 1)
        event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, comment=REMARK)
        store.labels.append(collection_id, [event])


def organise(study: Study, browser: Browser, name: str, path: str) -> Page:
    """Open an organiser's page on the collection of a test."""
    page = browser.new_context().new_page()
    study.enter(page, study.organiser, f"{path}?collection={study.seats[name].collection_id}")
    settle(page)
    return page


def allow(study: Study, browser: Browser, name: str, *, comments: bool = False) -> None:
    """Let the organiser allow it on the page of rounds."""
    desk = organise(study, browser, name, "assignments")
    desk.get_by_text("What assessors see of each other afterwards").click()
    desk.get_by_text("Who has finished a topic may see where others differ").click()
    if comments:
        toggle = desk.get_by_text("Also what others commented there")
        expect(desk.get_by_role("switch").nth(1)).to_be_enabled()
        toggle.click()
    desk.get_by_role("button", name="Set this").click()
    expect(desk.get_by_text("may see there where others differ", exact=False).first).to_be_visible()
    expect(desk.get_by_test_id("stAlert").first).to_contain_text("where others differ")
    desk.context.close()


def finish(page: Page, study: Study, name: str) -> None:
    """Judge everything as level 1."""
    study.sit(page, name)
    judge(page, "222")
    expect(page.get_by_test_id("over")).to_be_visible()


def levels(study: Study, name: str) -> list[tuple[str, Any]]:
    """Return document and level of Anna's events, in order."""
    return [
        (row["document_id"], row["level"]) for row in study.labels(name) if row["comment"] != REMARK
    ]


@long
def test_without_leave_nothing_of_others_reaches_a_browser(page: Page, study: Study):
    received = listen(page)
    finish(page, study, "strict")
    expect(page.get_by_test_id("done-others")).to_be_hidden()
    here = study.seats["strict"].collection_id
    page.goto(f"{study.server.address}/history?collection={here}&shown=others")
    settle(page)
    expect(page.get_by_text("These are your own labels.")).to_be_visible()
    everything = b"".join(received)
    for told in (REMARK, OTHER, "Assessor A", "Where others differ"):
        assert told.encode() not in everything, told


@long
def test_two_differ_one_sees_it_and_changes_a_label(page: Page, study: Study, browser: Browser):
    allow(study, browser, "two")
    received = listen(page)
    finish(page, study, "two")
    expect(page.get_by_role("link", name=LINK)).to_be_visible()
    for told in (REMARK, OTHER, "Assessor A"):
        assert told.encode() not in b"".join(received), told
    page.get_by_role("link", name=LINK).click()
    page.get_by_role("button", name="See what others said").click()
    expect(page.get_by_text(re.compile("Item 1 of 2 on which"))).to_be_visible()
    settle(page)
    shown = page.get_by_text("Assessor A:")
    expect(shown).to_be_visible()
    first = page.get_by_test_id("stMain").inner_text()
    document = "d1" if "Title 1" in first else "d2"
    page.keyboard.press({"d1": "4", "d2": "1"}[document])
    expect(page.get_by_text(re.compile("Item 2 of 2 on which"))).to_be_visible()
    settle(page)
    page.keyboard.press("2")
    expect(page.get_by_text("You changed 1 label.")).to_be_visible()
    everything = b"".join(received)
    for told in (REMARK, OTHER):
        assert told.encode() not in everything, told
    given = [(f"d{number}", 1) for number in (1, 2, 3)]
    said = levels(study, "two")
    assert sorted(said[:3]) == given
    assert said[3:] == [(document, APART[document])]
    _expect_the_given_level(study, browser)
    _expect_both_exports(study, browser, document)


def _expect_the_given_level(study: Study, browser: Browser) -> None:
    """The other one, who is done, sees what Anna gave, not what she changed."""
    there = browser.new_context().new_page()
    here = f"collection={study.seats['two'].collection_id}"
    study.enter(there, SESSIONS[OTHER], f"judge?{here}")
    expect(there.get_by_test_id("over")).to_be_visible()
    there.get_by_role("link", name=LINK).click()
    there.get_by_role("button", name="See what others said").click()
    expect(there.get_by_text(re.compile("Item 1 of 2 on which"))).to_be_visible()
    expect(there.get_by_text("Assessor A: Rel", exact=True)).to_be_visible()
    there.context.close()


def _expect_both_exports(study: Study, browser: Browser, document: str) -> None:
    """Both files are there for the organiser to take, and the report says what was changed."""
    desk = organise(study, browser, "two", "export")
    heading = desk.get_by_role("heading", name="Labels", exact=True)
    expect(heading).to_be_visible()
    anna = study.seats["two"].assessor_id
    desk.get_by_text("With ids and names").first.click()
    for choice, level in (("as given", 1), ("after discussion", APART[document])):
        radio = desk.get_by_role("radiogroup", name="Labels of who saw others' afterwards").nth(1)
        radio.get_by_text(choice).click()
        wait_until(lambda level=level: _take_labels(desk, anna).get(document) == str(level))
        assert len(_take_labels(desk, anna)) == 3
    here = study.seats["two"].collection_id
    part = f"agreement?collection={here}&agreement-part=Seen+afterwards"
    desk.goto(f"{study.server.address}/{part}")
    settle(desk)
    expect(desk.get_by_text("1 was changed: 1 to the majority's level.")).to_be_visible()
    desk.context.close()


def _take_labels(desk: Page, assessor_id: str) -> dict[str, str]:
    """Download the labels; returns the level of each document of one assessor."""
    settle(desk)
    with desk.expect_download() as taken:
        desk.get_by_role("button", name="CSV", exact=True).first.click()
    rows = csv.DictReader(io.StringIO(taken.value.path().read_text(encoding="utf-8")))
    return {row["document"]: row["level"] for row in rows if row["assessor"] == assessor_id}


@long
def test_by_keyboard_on_a_phone_with_comments(browser: Browser, study: Study):
    allow(study, browser, "phone", comments=True)
    context = browser.new_context(viewport={"width": 390, "height": 780})
    page = context.new_page()
    finish(page, study, "phone")
    page.get_by_role("link", name=LINK).focus()
    page.keyboard.press("Enter")
    button = page.get_by_role("button", name="See what others said")
    expect(button).to_be_visible()
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text(REMARK)).to_be_visible()
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("2")
    expect(page.get_by_text(re.compile("Item 2 of 2 on which"))).to_be_visible()
    settle(page)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text(re.compile("Item 1 of 2 on which"))).to_be_visible()
    assert len(levels(study, "phone")) == 3
    context.close()


@long
def test_in_german(page: Page, study: Study, browser: Browser):
    allow(study, browser, "german")
    study.sit(page, "german")
    judge(page, "222")
    page.get_by_role("link", name="wo andere von Ihnen abweichen").click()
    page.get_by_role("button", name="Sehen, was andere gesagt haben").click()
    expect(page.get_by_text(re.compile("Dokument 1 von 2, bei denen"))).to_be_visible()
    expect(page.get_by_text("Person A:")).to_be_visible()
