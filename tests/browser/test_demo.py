"""The demo lives: simulated assessors judge while one watches, and a tour leads through."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.running import Running, wait_until
from tests.short import long

pytestmark = pytest.mark.browser


@long
def test_simulated_assessors_judge_while_one_watches(
    page: Page, run_server: Callable[[Path | None], Running]
):
    server = run_server(None)
    page.goto(server.address)
    page.get_by_role("button", name="Watch as an organiser").click()
    bar = page.locator(".st-key-simulation")
    expect(bar).to_contain_text("are paused")
    before = count(page)
    bar.get_by_role("button", name="Start").click()
    expect(bar).to_contain_text("are judging: 12 labels a minute")
    settle(page)
    bar.get_by_role("button", name="Faster").click()
    expect(bar).to_contain_text("are judging: 60 labels a minute")
    wait_until(lambda: count(page) > before + 2)
    bar.get_by_role("button", name="Pause").click()
    expect(bar).to_contain_text("are paused")
    stands = count(page)
    page.reload()
    expect(bar).to_contain_text("are paused")
    settle(page)
    assert count(page) == stands
    walk_the_tour(page)


def count(page: Page) -> int:
    """Return how many labels the bar tells of."""
    text = page.locator(".st-key-simulation").inner_text()
    found = re.search(r"([\d,]+) (labels )?so far", text)
    assert found, text
    return int(found[1].replace(",", ""))


def walk_the_tour(page: Page) -> None:
    """Follow the tour to its end, with a reload on the way."""
    tour = page.locator(".st-key-tour")
    page.get_by_role("button", name="Take the tour").click()
    expect(tour).to_contain_text("Tour, 1 of 5. When are we done?")
    page.get_by_test_id("stTopNavLink").filter(has_text="Account").click()
    tour.get_by_role("link", name="Show me").click()
    page.wait_for_url("**/monitor?**tour=1**")
    for number, place in enumerate(("assessors", "agreement", "effectiveness", "export"), start=2):
        tour.get_by_role("link", name="Next:").click()
        expect(tour).to_contain_text(f"Tour, {number} of 5.")
        page.wait_for_url(f"**/{place}?**tour={number}**")
    page.reload()
    expect(tour).to_contain_text("Tour, 5 of 5. What goes out?")
    tour.get_by_role("button", name="Finish").click()
    expect(tour).to_have_count(0)
