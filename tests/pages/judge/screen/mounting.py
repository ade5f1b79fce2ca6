"""The whole screen on the blank page, given made-up data as the page script gives it."""

from typing import Any

from playwright.sync_api import Locator, Page

from tests.pages.judge.screen.conftest import run_in

LEVELS = [
    {"level": level, "name": f"Level {level}", "meaning": f"Means {level}", "key": ""}
    for level in range(3)
]
_MOUNT = """
document.body.innerHTML = await (await fetch("/screen/screen.html")).text();
const { default: mount } = await import("/screen/main.js");
Object.assign(window, {triggers: [], receive: (data) => mount({data, parentElement: document.body,
  setTriggerValue: (name, value) => triggers.push([name, value])})});
window.unmount = receive(given);
"""


def step(document: str, **more: Any) -> dict[str, Any]:
    """Return one page to be judged."""
    return {
        **{"topic": "t1", "document": document, "facet": "page", "engine": "", "occasion": "x"},
        **{"snippet": None, "needs": None, "label": None, "practice": False},
        **more,
    }


def data_for(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return what the page script hands out for these steps."""
    return {
        "assignment": "assignment 1",
        "collection": "c1",
        "assessor": "p1",
        "token": "token 1",
        "intake": "/intake",
        "guidelines": "Be fair.",
        "scales": {"page": LEVELS, "snippet": LEVELS},
        "topics": {"t1": {"query": "cats", "description": "About cats.", "narrative": ""}},
        "documents": {
            one["document"]: {
                "title": f"Title {one['document']}",
                "url": "",
                "text": "Cats.",
                "frame": None,
            }
            for one in steps
        },
        "steps": list(steps),
        "terms": {"t1": {"words": ["Cats", "cats"], "parts": []}},
        "pace": {"median_seconds": None, "topics": None, "today": 0},
        **more,
    }


class Screen:
    """The mounted screen."""

    def __init__(self, page: Page, data: dict[str, Any]) -> None:
        self.page, self.data = page, data
        run_in(page, script=_MOUNT, given=data)
        self.root = page.locator(".judge")

    def part(self, name: str) -> Locator:
        """Return a part of the screen by its test id."""
        return self.page.get_by_test_id(name)

    def receive(self, **more: Any) -> None:
        """Hand out newer data, as a rerun of the page script does."""
        self.page.evaluate("(data) => { receive(data); }", {**self.data, **more})

    def judge(self, *keys: str) -> list[str]:
        """Press keys, each on the item that the one before led to; returns what was on screen."""
        seen = []
        for key in keys:
            self.wait()
            seen.append(self.step)
            self.page.keyboard.press(key)
            self.page.wait_for_function(
                "(before) => document.querySelector('.judge').dataset.step !== before", arg=seen[-1]
            )
        return seen

    def wait(self) -> None:
        """Wait until what is on the screen could have been seen."""
        self.page.wait_for_function("document.querySelector('.judge').dataset.ready === 'true'")

    @property
    def step(self) -> str:
        """What is being judged."""
        return self.root.get_attribute("data-step") or ""

    @property
    def triggers(self) -> list[list[str]]:
        """What the page script was told."""
        return self.page.evaluate("triggers")
