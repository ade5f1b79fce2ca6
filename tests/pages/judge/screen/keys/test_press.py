"""By what a button was pressed, as its click tells."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser
NONE = {"by": "button"}


def test_a_click_tells_its_pointer_and_where_it_was(run: Run):
    script = """const at = {detail: 1, clientX: innerWidth / 4, clientY: innerHeight + 7};
        const clicks = [{...at, pointerType: "touch"}, {...at, pointerType: "pen"},
          at, {...at, detail: 0, pointerType: ""}, {...at, pointerType: ""},
          {...at, pointerType: "stylus of the future"}];
        return clicks.map((one) => readPress(one, "mouse"))"""
    place = {"x": 250, "y": 1000}
    assert run("keys/key_listener.js", script=script) == [
        {"by": "touch", **place},
        {"by": "pen", **place},
        {"by": "mouse", **place},
        *3 * [NONE],
    ]
