"""Judging by what assistive technology is told, and by Tab and Enter alone."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from core.assessment.rounds.rounds import Plan
from tests.browser.conftest import begin, judge_screen
from tests.browser.study import Study, Wish, expect_saved, page_of, run_study
from tests.each import each
from tests.short import long

pytestmark = pytest.mark.browser

ITEMS = 20
WISHES = {
    "heard": Wish(
        topics=("cats", "dogs"),
        documents=tuple(page_of(number) for number in range(1, ITEMS // 2 + 1)),
        plan=Plan(judges=1, flow="snippet then page"),
        guidelines="Judge for *everybody*.",
    ),
    "tabs": Wish(plan=Plan(judges=1, flow="page only"), guidelines="Judge for everybody."),
}
MOST_STOPS = 4

ON_SCREEN = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  const box = node.getBoundingClientRect(), style = getComputedStyle(node);
  const ring = Math.max(0, parseFloat(style.outlineOffset)) + parseFloat(style.outlineWidth);
  let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
  for (let one = node.parentElement; one; one = one.parentElement) {
    if (getComputedStyle(one).overflow === 'visible') continue;
    const around = one.getBoundingClientRect();
    [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
    [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
  }
  return {
    name: node.dataset?.testid ?? node.innerText ?? node.tagName,
    ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
    whole: box.left - ring >= left - 1 && box.top - ring >= top - 1
      && box.right + ring <= right + 1 && box.bottom + ring <= bottom + 1,
  };
}"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("unseen"), WISHES) as running:
        yield running


class Reader:
    """What a screen reader has: the tree of names and roles, and a way to activate a node."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)

    def nodes(self) -> list[dict[str, Any]]:
        tree: list[dict[str, Any]] = self.session.send("Accessibility.getFullAXTree")["nodes"]
        return [node for node in tree if not node["ignored"]]

    def find(self, role: str, name: str = "") -> dict[str, Any] | None:
        for node in self.nodes():
            if role_of(node) == role and name_of(node).startswith(name):
                return node
        return None

    def below(self, node: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what is inside a node, in order."""
        tree = self.session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {one["nodeId"]: one for one in tree}
        found, waiting = [], list(node["childIds"])
        while waiting:
            one = by_id.get(waiting.pop(0))
            if one is not None:
                found.append(one)
                waiting = [*one.get("childIds", ()), *waiting]
        return [one for one in found if not one["ignored"]]

    def press(self, node: dict[str, Any]) -> None:
        """Focus a node and press Enter on it."""
        self.session.send("DOM.focus", {"backendNodeId": node["backendDOMNodeId"]})
        self.page.keyboard.press("Enter")


def role_of(node: dict[str, Any]) -> str:
    return str(node["role"]["value"])


def name_of(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", ""))


@long
def test_twenty_items_are_judged_by_the_accessibility_tree_alone(browser: Browser, study: Study):
    page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
    study.enter(page, study.seats["heard"].session)
    expect(judge_screen(page)).to_have_attribute("data-step", "start")
    reader = Reader(page)
    said: list[str] = []
    for _ in range(ITEMS + 2):
        if judge_screen(page).get_attribute("data-step") in ("start", "finished"):
            expect(page.locator(".pause .first:visible")).to_be_enabled()
            begin = reader.find("button", "Begin") or reader.find("button", "Next: ")
            assert begin, "a card is left by a button"
            leave(page, reader, begin)
        item = reader.find("region", "Item to judge")
        assert item, "the item is a landmark with a name"
        told = " ".join(name_of(one) for one in reader.below(item))
        assert "Title " in told or "Seen in " in told
        (live,) = [
            one for one in reader.nodes()
            if any(has["name"] == "live" for has in one.get("properties", ()))
            and "of" in name_below(reader, one)
            and ("Snippet" in name_below(reader, one) or "Page" in name_below(reader, one))
        ]  # fmt: skip
        said.append(name_below(reader, live))
        assert any(part in said[-1] for part in ("Title ", "Seen in "))
        levels = reader.find("group", "Levels of a ")
        assert levels
        buttons = [one for one in reader.below(levels) if role_of(one) == "button"]
        assert all(name_of(one) for one in buttons)
        wait_until_ready(page)
        before = judge_screen(page).get_attribute("data-step")
        reader.press(buttons[len(said) % len(buttons)])
        expect(judge_screen(page)).not_to_have_attribute("data-step", before or "")
        if len(said) == ITEMS:
            break
    expect_saved(page)
    given = [one for one in study.labels("heard") if one["state"] == "level"]
    assert len(given) == len(said) == ITEMS
    expect_narrowed_history(page, study)
    page.context.close()


def expect_narrowed_history(page: Page, study: Study) -> None:
    """What was judged is listed whole, and by a level once one is chosen."""
    study.enter(page, study.seats["heard"].session, "history")
    rows = page.get_by_test_id("stDataFrame").first.locator("[role=grid]")
    expect(rows).to_have_attribute("aria-rowcount", str(ITEMS + 1))
    page.get_by_role("combobox", name="Label").click()
    option = page.get_by_role("option", name=re.compile(r"^\w+ \(\d+\)$")).first
    (number,) = re.findall(r"\((\d+)\)", option.inner_text())
    option.click()
    assert 0 < int(number) < ITEMS
    expect(rows).to_have_attribute("aria-rowcount", str(int(number) + 1))


def leave(page: Page, reader: Reader, button: dict[str, Any]) -> None:
    """Press the first button of a card, and wait for what comes."""
    before = judge_screen(page).get_attribute("data-step")
    reader.press(button)
    expect(judge_screen(page)).not_to_have_attribute("data-step", before or "")


def name_below(reader: Reader, node: dict[str, Any]) -> str:
    return " ".join(name_of(one) for one in reader.below(node) if role_of(one) == "StaticText")


def wait_until_ready(page: Page) -> None:
    expect(judge_screen(page)).to_have_attribute("data-ready", "true")


@long
@each("size", [(1366, 768), (683, 384), (390, 844), (320, 640)], ids=lambda size: f"{size[0]}")
def test_few_stops_lead_to_the_first_level_and_each_shows_its_ring(
    browser: Browser, study: Study, size: tuple[int, int]
):
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    study.enter(page, study.seats["tabs"].session)
    expect(page.get_by_test_id("begin")).to_be_in_viewport(ratio=1)
    begin(page)
    wait_until_ready(page)
    stops = []
    while True:
        page.keyboard.press("Tab")
        stop = page.evaluate(ON_SCREEN)
        assert stop["ring"], f"{stop['name']} shows no focus"
        assert stop["whole"], f"the ring of {stop['name']} is cut off"
        if stop["name"].startswith("level-"):
            break
        stops.append(stop["name"])
        assert len(stops) <= MOST_STOPS, stops
    for _ in range(8):
        page.keyboard.press("Tab")
        stop = page.evaluate(ON_SCREEN)
        if stop["name"] == "BODY":
            break
        assert stop["whole"], f"the ring of {stop['name']} is cut off"
    page.context.close()
