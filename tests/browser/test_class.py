"""A class in real browsers: the lecturer's screen moves as two students judge."""

from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sklearn.metrics import cohen_kappa_score

from core.assessment.class_mode import choose_documents
from core.settings import DEMO_DATA
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, press_when_seen
from tests.browser.running import Running
from tests.short import long

pytestmark = pytest.mark.browser

LEVELS = ((3, 3, 2, 2, 1, 1, 0, 0, 3, 0), (3, 2, 2, 2, 0, 1, 0, 1, 3, 0))
"""What the two students give the pages, in the order of their ids; each meets them in another."""


def metric(page: Page, label: str) -> Locator:
    named = page.get_by_text(label, exact=True)
    return page.get_by_test_id("stMetric").filter(has=named)


def drawn_weights(page: Page) -> Locator:
    """Return the bars of the figure of weights; their text is the weights."""
    return page.locator(".st-key-class-weights g.barlayer").last


def come_in(browser: Browser, address: str) -> Page:
    """Join as a student in a browser of one's own."""
    page = browser.new_context().new_page()
    page.goto(address)
    page.get_by_role("button", name="Join the class").click()
    begin(page)
    return page


def judge_pages(page: Page, level_of: dict[str, int], count: int) -> None:
    """Judge the next pages, each by its id."""
    root = judge_screen(page)
    for _ in range(count):
        step = root.get_attribute("data-step") or ""
        press_when_seen(page, str(level_of[step.split("|")[1]] + 1))
        expect(root).not_to_have_attribute("data-step", step)


@long
def test_a_class_from_start_to_the_next(browser: Browser, tmp_path: Path):
    path = tmp_path / "store.duckdb"
    store = Store(path)
    session = begin_session(store, add_person(store, "Lecturer", "organiser"))
    store.close()
    intended = pd.read_csv(DEMO_DATA / "page_levels.tsv", sep="\t", dtype=str)
    pages = choose_documents(intended, "t01")
    server = Running(path, tmp_path / "server.log")
    server.start()
    contexts = []
    try:
        screen = browser.new_context().new_page()
        contexts.append(screen.context)
        cookie = {"name": server.cookie, "value": session, "url": server.address}
        screen.context.add_cookies([cookie])
        screen.goto(f"{server.address}/class-mode")
        screen.get_by_role("button", name="Start a class").click()
        door = screen.get_by_test_id("class-address").get_by_role("link")
        expect(door).to_be_visible()
        address = door.get_attribute("href") or ""
        assert address.startswith(f"{server.address}/join/")

        students = [come_in(browser, address) for _ in LEVELS]
        contexts += [student.context for student in students]
        expect(metric(screen, "Students")).to_contain_text("2")
        kappa = metric(screen, "linear weighted κ")
        expect(kappa).to_contain_text("–")
        expect(drawn_weights(screen)).to_have_count(0)
        levels = [dict(zip(pages, given, strict=True)) for given in LEVELS]
        judge_pages(students[0], levels[0], 10)
        expect(metric(screen, "Labels")).to_contain_text("10")
        judge_pages(students[1], levels[1], 5)
        expect(metric(screen, "Labels")).to_contain_text("15")
        judge_pages(students[1], levels[1], 5)
        expect(metric(screen, "Finished")).to_contain_text("of 2")
        expect(metric(screen, "Labels")).to_contain_text("20")
        expected = cohen_kappa_score(*LEVELS, weights="linear")
        expect(kappa).to_contain_text(f"{expected:.2f}")
        expect(kappa).to_contain_text("[")
        expect(students[0].get_by_text("You have judged every page of the class")).to_be_visible()

        expect(drawn_weights(screen)).to_have_count(0)
        screen.get_by_role("button", name="Reveal the labels").click()
        expect(drawn_weights(screen)).not_to_contain_text("?")

        screen.get_by_role("button", name="Reset for the next class").click()
        screen.get_by_role("button", name="End it and begin anew").click()
        expect(metric(screen, "Labels")).to_contain_text("of 0")
        expect(door).not_to_have_attribute("href", address)
        students[0].goto(address)
        expect(students[0].get_by_text("No class is open under this code")).to_be_visible()
        students[0].goto(door.get_attribute("href") or "")
        students[0].get_by_role("button", name="Join the class").click()
        expect(judge_screen(students[0])).to_be_visible()
        expect(metric(screen, "Students")).to_contain_text("1")
    finally:
        for context in contexts:
            context.close()
        server.kill()
