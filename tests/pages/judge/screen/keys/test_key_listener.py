"""From key presses to commands: real presses on a page with fields, buttons and other listeners."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

Listen = Callable[[], Page]
SETUP = """
document.body.innerHTML = `<div id="screen"><button>Button</button><textarea id="own"></textarea>
  <p id="text">Text</p></div><input id="foreign">`;
window.commands = [];
window.heard = [];
const root = document.getElementById("screen");
const map = {"1": {name: "judge", level: 0}, k: {name: "comment"}, " ": {name: "screenDown"},
  enter: {name: "confirm"}, "shift+arrowleft": {name: "judge", level: -2}, escape: {name: "close"}};
const listener = new KeyListener(root, (key) => map[key], (command) => commands.push(command));
listener.watch(new AbortController().signal);
window.addEventListener("keydown", (event) => heard.push(event.key));
window.press = (key, more = {}) => document.getElementById("text").dispatchEvent(
  new KeyboardEvent("keydown", {key, bubbles: true, composed: true, ...more}));
"""


@pytest.fixture
def listening(blank: Page, run: Run) -> Page:
    run("keys/key_listener.js", script=SETUP)
    return blank


def names(page: Page) -> list[str]:
    return page.evaluate("commands.map((one) => one.name)")


def test_a_command_reaches_nobody_else_and_other_keys_do(listening: Page):
    listening.keyboard.press("1")
    listening.keyboard.press("q")
    assert listening.evaluate("[commands, heard]") == [[{"name": "judge", "level": 0}], ["q"]]


@pytest.mark.parametrize(
    ("key", "more", "commands"),
    [
        ("1", {"code": "Numpad1"}, ["judge"]),
        ("л", {"code": "KeyK"}, ["comment"]),
        ("&", {"code": "Digit1"}, ["judge"]),
        ("!", {"code": "Digit1", "shiftKey": True}, []),
        ("ArrowLeft", {"shiftKey": True}, ["judge"]),
        ("ArrowLeft", {}, []),
        ("z", {"ctrlKey": True}, ["undo"]),
        ("z", {"ctrlKey": True, "shiftKey": True}, []),
        ("1", {"ctrlKey": True}, []),
        ("1", {"altKey": True}, []),
        ("1", {"isComposing": True}, []),
        ("1", {"repeat": True}, []),
        (" ", {"repeat": True}, ["screenDown"]),
    ],
)
def test_the_key_as_meant(listening: Page, key: str, more: dict[str, Any], commands: list[str]):
    listening.evaluate("([key, more]) => press(key, more)", [key, more])
    assert names(listening) == commands


def test_typing_elsewhere_is_no_command(listening: Page):
    listening.locator("#foreign").press_sequentially("1k")
    assert listening.evaluate("[commands, heard]") == [[], ["1", "k"]]


def test_in_the_own_field_only_saving_and_closing_are_commands(listening: Page):
    own = listening.locator("#own")
    own.press_sequentially("1k")
    own.press("Enter")
    own.press("Control+Enter")
    own.press("Escape")
    assert own.input_value() == "1k\n"
    assert names(listening) == ["save", "close"]
    assert listening.evaluate("heard") == []


def test_enter_and_space_press_the_button_that_has_the_focus(listening: Page):
    listening.evaluate("document.querySelector('button').onclick = () => heard.push('click')")
    listening.locator("button").press("Enter")
    listening.locator("button").press("1")
    assert names(listening) == ["judge"]
    assert "click" in listening.evaluate("heard")


def test_a_screen_that_is_not_shown_takes_no_keys(listening: Page):
    listening.evaluate("document.getElementById('screen').hidden = true")
    listening.keyboard.press("1")
    assert listening.evaluate("[commands, heard]") == [[], ["1"]]
