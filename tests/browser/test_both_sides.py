"""Two things side by side: chosen between once both have been in view, at any size of window."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.browser.accessibility import find_barriers
from tests.browser.conftest import begin, judge_screen, press_when_seen
from tests.browser.study import Study, expect_saved, judge, run_study
from tests.browser.test_side_by_side import look_at_both
from tests.short import long

pytestmark = pytest.mark.browser

PAIRS = 6
PLACES = ("phone", "wide", "low", "stays", "short")


def fill(store: Store) -> dict[str, str]:
    """Add a collection of pairs for each test: every other one of framed pages."""
    return {name: add_pairs(store, name) for name in PLACES}


def add_pairs(store: Store, name: str) -> str:
    """Add one collection; returns the session of who compares."""
    place = create_collection(store, name)
    long_text = "Cats eat twice a day. " * 60
    documents = [
        {"id": f"d{n}", "title": f"Title {n}"}
        | ({"html": f"<p>{long_text}</p>"} if n % 4 < 2 else {"text": long_text})
        for n in range(2 * PAIRS)
    ]
    lines = "".join(json.dumps(one) + "\n" for one in documents)
    topics = read_import("topics", Source("t.tsv", b"t1\tcats\tThe user looks for cats.\n"))
    write_import(store, place, topics)
    write_import(store, place, read_import("documents", Source("d.jsonl", lines.encode())))
    person = add_person(store, name, "assessor")
    add_member(store, place, person, name)
    chosen = [("t1", "documents", f"d{2 * n}", f"d{2 * n + 1}") for n in range(PAIRS)]
    frame = pd.DataFrame(chosen, columns=["topic_id", "kind", "first", "second"])
    open_pair_round(store, place, Plan(judges=1, flow="pages side by side"), frame)
    return begin_session(store, person)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("sides"), {}, fill) as running:
        yield running


def sit(browser: Browser, study: Study, name: str, **window: Any) -> tuple[Page, list[Any]]:
    """Sign in; returns the page and the events that it sends."""
    page = browser.new_context(**window).new_page()
    sent: list[Any] = []
    page.on(
        "request",
        lambda one: one.url.endswith("/api/labels") and sent.extend(one.post_data_json["events"]),
    )
    study.enter(page, study.collections[name])
    begin(page)
    return page, sent


PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def press_in_vain(page: Page) -> None:
    """Press a choice by key and by finger; it is said which side is missing."""
    root = judge_screen(page)
    expect(root).to_have_attribute("data-lack", re.compile("left|right"))
    unseen = root.get_attribute("data-lack")
    before = root.get_attribute("data-step") or ""
    expect(root).to_have_attribute("data-ready", "true")
    for press in (lambda: page.keyboard.press("="), lambda: page.get_by_test_id("level-0").tap()):
        press()
        words = f"Look at both sides first: the {unseen} one has not been in view."
        expect(page.get_by_test_id("notice")).to_contain_text(words)
    expect(root).to_have_attribute("data-step", before)


def test_on_a_phone_a_choice_opens_when_both_sides_were_in_view(browser: Browser, study: Study):
    page, sent = sit(browser, study, "short", **PHONE)
    press_in_vain(page)
    assert sent == []
    first = look_at_both(page)
    judge(page, ["="])
    expect_saved(page)
    (event,) = sent
    assert event["state"] == "level"
    assert event["paradata"]["first_side"] == first
    assert event["paradata"]["both_sides"] is True
    page.context.close()


@long
def test_each_of_many_pairs_is_looked_at_from_the_side_that_was_drawn(
    browser: Browser, study: Study
):
    page, sent = sit(browser, study, "phone", **PHONE)
    firsts = []
    for _ in range(PAIRS):
        press_in_vain(page)
        assert find_barriers(page) == []
        firsts.append(look_at_both(page))
        judge(page, ["="])
    expect_saved(page)
    assert [one["paradata"]["first_side"] for one in sent] == firsts
    assert all(one["paradata"]["both_sides"] for one in sent)
    page.context.close()


@long
def test_which_side_comes_first_stays_over_a_reload(browser: Browser, study: Study):
    page, _ = sit(browser, study, "stays", **PHONE)
    root = judge_screen(page)
    for _ in range(3):
        expect(root).to_have_attribute("data-lack", re.compile("left|right"))
        before = root.get_attribute("data-lack")
        page.reload()
        begin(page)
        expect(root).to_have_attribute("data-lack", before or "never empty")
        look_at_both(page)
        judge(page, ["="])
        judge(page, ["Backspace"])
        expect(root).to_have_attribute("data-lack", before or "never empty")
        look_at_both(page)
        judge(page, ["Enter"])
    page.context.close()


@long
def test_on_a_wide_screen_both_are_in_view_at_once(browser: Browser, study: Study):
    page, sent = sit(browser, study, "wide", viewport={"width": 1366, "height": 768})
    judge(page, ["="] * PAIRS)
    expect_saved(page)
    assert Counter(one["state"] for one in sent) == {"level": PAIRS}
    assert all(one["paradata"]["both_sides"] for one in sent)
    assert not any("first_side" in one["paradata"] for one in sent)
    page.context.close()


@long
def test_where_both_begin_below_the_edge_they_have_to_be_scrolled_to(
    browser: Browser, study: Study
):
    page, sent = sit(browser, study, "low", viewport={"width": 900, "height": 400})
    root = judge_screen(page)
    expect(root).to_have_attribute("data-ready", "true")
    page.locator(".item").evaluate("node => { node.style.paddingTop = '90vh'; }")
    page.keyboard.press("=")  # this one was in view before
    expect(root).to_have_attribute("data-lack", "left")
    press_when_seen(page, "=")
    expect(page.get_by_test_id("notice")).to_contain_text("Look at both sides first")
    for _ in range(20):
        page.keyboard.press("ArrowDown")
    expect(root).to_have_attribute("data-lack", "")
    judge(page, ["="])
    expect_saved(page)
    assert len(sent) == 2
    page.context.close()
