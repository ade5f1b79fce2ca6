"""The pages outside the app as a stranger sees them: in the app's type, legible everywhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from core.assessment.class_mode import start_lesson
from core.store.content.collections import create_collection
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session, invite
from core.store.rounds.lessons import lesson_code
from core.store.store import Store
from tests.browser.running import Running
from tests.browser.views import LAPTOP, PHONE
from tests.short import few

pytestmark = pytest.mark.browser

LEAST_CONTRAST = 4.5
_LOOK = """() => {
  const rgb = colour => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = colour => {
    const [r, g, b] = rgb(colour).map(one => one / 255)
      .map(one => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = node => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (rgb(colour).length === 3 || rgb(colour)[3] > 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const texts = [...document.querySelectorAll('body *')].filter(
    node => [...node.childNodes].some(one => one.nodeType === 3 && one.data.trim()));
  const fields = [...document.querySelectorAll('input')];
  return {
    contrast: Math.min(...texts.map(
      node => contrast(getComputedStyle(node).color, ground(node)))),
    shades: fields.map(
      node => contrast(getComputedStyle(node, '::placeholder').color, ground(node))),
    ground: ground(document.body),
    fonts: [...document.fonts].filter(one => one.status === 'loaded').map(one => one.family),
    title: getComputedStyle(document.querySelector('h1')).fontFamily,
    marks: [...document.querySelectorAll('header svg circle')]
      .map(one => one.getAttribute('stroke')),
    landmarks: ['header', 'main', 'h1'].map(one => document.querySelectorAll(one).length),
    unnamed: fields.filter(one => !one.labels.length).length,
    wide: document.documentElement.scrollWidth - innerWidth,
    small: [...document.querySelectorAll('button, input, a.button')]
      .filter(one => one.getBoundingClientRect().height < 40).length,
  };
}"""
_FOCUS = """() => {
  const style = getComputedStyle(document.activeElement);
  return [document.activeElement.tagName, style.outlineStyle, parseFloat(style.outlineWidth)];
}"""


@dataclass
class Entrance:
    """A running server, and the addresses that strangers are given."""

    server: Running
    paths: dict[str, str]


@pytest.fixture(scope="module")
def entrance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Entrance]:
    folder = tmp_path_factory.mktemp("entrance")
    store = Store(folder / "store.duckdb")
    olga = add_person(store, "Olga", "organiser")
    begin_session(store, olga)
    collection_id = create_collection(store, "Cats and cars", by=olga)
    anna = add_person(store, "Anna", "assessor", by=olga)
    add_member(store, collection_id, anna, "Anna", by=olga)
    paths = {
        "welcome": "/",
        "password": "/sign-in",
        "code": "/join",
        "class": f"/join/{lesson_code(store, start_lesson(store, 't01', by=olga))}",
        "wrong code": "/join/AAAA",
        "invitation": f"/enter/{invite(store, anna, by=olga)}",
        "old invitation": "/enter/x",
    }
    store.close()
    server = Running(folder / "store.duckdb", folder / "server.log")
    server.start()
    yield Entrance(server, paths)
    server.kill()


def visit(browser: Browser, entrance: Entrance, name: str, **look: Any) -> tuple[Page, list[str]]:
    """Open a page as a stranger does; returns what the browser complains of besides the status."""
    page = browser.new_context(**look).new_page()
    said: list[str] = []
    page.on("console", lambda one: said.append(one.text) if "status of 403" not in one.text else 0)
    page.on("request", lambda one: said.append(one.url) if entrance.server.address not in one.url
            else None)  # fmt: skip
    page.goto(f"{entrance.server.address}{entrance.paths[name]}")
    page.evaluate("document.fonts.ready.then(() => 1)")
    return page, said


@pytest.mark.parametrize("size", few([LAPTOP, PHONE]), ids=["laptop", "phone"])
@pytest.mark.parametrize("theme", few(["light", "dark"]))
@pytest.mark.parametrize(
    "name",
    ["welcome", "password", "code", "class", "wrong code", "invitation", "old invitation"],
)
def test_a_stranger_can_read_every_page(
    browser: Browser, entrance: Entrance, name: str, theme: Any, size: tuple[int, int]
):
    width, height = size
    page, said = visit(browser, entrance, name, color_scheme=theme,
                       viewport={"width": width, "height": height})  # fmt: skip
    seen = page.evaluate(_LOOK)
    page.context.close()
    assert said == []
    assert seen["contrast"] >= LEAST_CONTRAST
    assert all(one >= LEAST_CONTRAST for one in seen["shades"])
    assert seen["ground"] == ("rgb(255, 255, 255)" if theme == "light" else "rgb(23, 22, 20)")
    assert {one.strip('"') for one in seen["fonts"]} == {"Source Sans", "Source Serif"}
    assert "Source Serif" in seen["title"]
    assert seen["marks"] == ["#2f6fbf", "#c77d0a"]
    assert seen["landmarks"] == [1, 1, 1]
    assert (seen["unnamed"], seen["small"]) == (0, 0)
    assert seen["wide"] <= 0


def test_the_app_is_installed_from_the_entry_already(browser: Browser, entrance: Entrance):
    page, said = visit(browser, entrance, "invitation")
    tools = page.context.new_cdp_session(page)
    wrong = tools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {one["errorId"] for one in wrong} <= {"in-incognito"}, "the window of a test may be that"
    found = tools.send("Page.getAppManifest")
    assert found["errors"] == said == []
    assert '"start_url": "/judge"' in found["data"]
    page.context.close()


@pytest.mark.parametrize("name", few(["welcome", "password", "class", "invitation"]))
def test_what_has_the_focus_is_seen(browser: Browser, entrance: Entrance, name: str):
    page, _ = visit(browser, entrance, name)
    reached = set()
    for _ in range(4):
        page.keyboard.press("Tab")
        tag, style, width = page.evaluate(_FOCUS)
        if tag != "BODY":
            reached.add(tag)
            assert style == "solid"
            assert width >= 2
    page.context.close()
    assert reached & {"A", "BUTTON", "INPUT"}
