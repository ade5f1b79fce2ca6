"""Figures on a screen without a mouse."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import settle
from tests.browser.running import Running
from tests.short import long

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


@long
def test_numbers_in_cells_are_written_as_the_page_is_in_light_and_in_dark(
    browser: Browser, run_server: Callable[[Path | None], Running]
):
    server, inks = run_server(None), set()
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(server.address)
        page.get_by_role("button", name="Watch as an organiser").click()
        expect(page.locator("[data-testid=stMain] h1")).to_be_visible()
        page.goto(f"{server.address}/agreement")
        cell = page.locator(".js-plotly-plot:has(.heatmaplayer .hm) .textpoint text").first
        expect(cell).to_be_attached()
        ink = page.locator("[data-testid=stMain]").evaluate("one => getComputedStyle(one).color")
        expect(cell).to_have_css("fill", ink)
        inks.add(ink)
        context.close()
    assert len(inks) == 2


@long
def test_a_finger_on_a_figure_scrolls_the_page(
    browser: Browser, run_server: Callable[[Path | None], Running]
):
    server = run_server(None)
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.goto(f"{server.address}/agreement")
    page.get_by_role("button", name="Watch as an organiser").click()
    area = page.locator(".js-plotly-plot .nsewdrag").first
    expect(area).to_be_visible()
    settle(page)
    area.evaluate("area => area.scrollIntoView({block: 'center'})")
    before = page.evaluate(SCROLLED)
    swipe_up(page, area)
    page.wait_for_function(f"() => {SCROLLED} > {before + 50}")
    context.close()


def swipe_up(page: Page, on: Locator) -> None:
    """Draw a finger upwards, as a touch screen tells of it."""
    session = page.context.new_cdp_session(page)
    box = on.bounding_box() or {}
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    points = [[{"x": x, "y": y - 10 * step}] for step in range(20)]
    for kind, at in [("touchStart", points[0]), *(("touchMove", one) for one in points[1:])]:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
