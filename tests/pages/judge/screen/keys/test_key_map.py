"""Which key gives which command."""

from typing import Any

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILE = "keys/key_map.js"


def test_the_organisers_keys_come_before_the_commands(run: Run):
    script = """return commandKeys({page: [{level: 0, key: "u"}, {level: 1, key: "L"},
        {level: 2, key: ""}]})"""
    keys = run(FILE, script=script)
    assert (keys["undo"], keys["later"], keys["comment"]) == ("z", "s", "c")
    assert len(set(keys.values())) == len(keys)


def test_a_command_without_a_free_key_has_none(run: Run):
    script = """const levels = ["u", "z", "o"].map((key, level) => ({level, key}));
        const commands = commandKeys({page: levels});
        return [commands.undo, findCommand("", levels, {undo: "u"})?.name ?? null]"""
    assert run(FILE, script=script) == ["", None]


@pytest.mark.parametrize(
    ("key", "command"),
    [
        ("1", {"name": "judge", "level": 0}),
        ("n", {"name": "judge", "level": 1}),
        ("2", None),
        ("u", {"name": "undo"}),
        ("arrowleft", {"name": "back"}),
        ("=", None),
        ("enter", {"name": "confirm"}),
        (" ", {"name": "screenDown"}),
        ("q", None),
    ],
)
def test_levels_fixed_keys_and_commands(run: Run, key: str, command: Any):
    script = """const levels = [{level: 0, key: ""}, {level: 1, key: "N"}];
        return findCommand(given, levels, commandKeys({page: levels})) ?? null"""
    assert run(FILE, script=script, given=key) == command


@pytest.mark.parametrize(
    ("key", "command"),
    [
        ("shift+arrowleft", {"name": "judge", "level": -2}),
        ("arrowright", {"name": "judge", "level": 1}),
        ("=", {"name": "judge", "level": 0}),
        ("backspace", {"name": "back"}),
        ("enter", {"name": "forward"}),
    ],
)
def test_side_by_side_the_arrows_judge(run: Run, key: str, command: Any):
    script = "return findCommand(given, [], {}, true)"
    assert run(FILE, script=script, given=key) == command
