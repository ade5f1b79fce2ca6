"""Every command that a key or a button gives is carried out somewhere."""

import re

import pytest

from tests.pages.judge.screen.conftest import Run
from tests.pages.judge.screen.loopback import SCREEN

pytestmark = pytest.mark.browser


def test_every_key_and_every_button_has_a_command(run: Run):
    script = """const keys = ["arrowleft", "arrowright", "enter", "escape", "arrowdown", "arrowup",
          "pagedown", "pageup", " ", ...Object.values(commandKeys({}))];
        const names = keys.map((key) => findCommand(key, [], commandKeys({})).name);
        return [names, Object.keys(commandsOf({view: {}})), [...AT_END]]"""
    names, commands, at_end = run("commands.js", "keys/key_map.js", script=script)
    buttons = re.findall(r'data-command="(\w+)"', (SCREEN / "screen.html").read_text("utf-8"))
    assert buttons
    assert {*names, *buttons, *at_end, "judge", "save"} <= set(commands)
    while_chips_are_open = {"giveReason", "nothing"}
    while_lists_are_compared = {"browse", "chip"}
    where_a_page_failed = {"tryAgain"}
    others = while_chips_are_open | while_lists_are_compared | where_a_page_failed
    assert set(commands) <= {*names, *buttons, "judge", *others}
