"""What the device remembers of how the assessor left the screen."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

SETUP = """
const details = document.createElement("details");
details.open = !given;
document.body.append(details);
const toggle = (open) => new Promise((done) => {
  details.addEventListener("toggle", done, {once: true});
  details.open = open;
});
"""


@pytest.mark.parametrize("is_open", [True, False])
def test_details_stay_as_they_were_left(run: Run, is_open: bool):
    script = """await toggle(given); rememberOpen(details, "need", given);
        const first = details.open; await toggle(!given); rememberOpen(details, "need", given);
        return [first, details.open]"""
    said = run("storage/memory.js", script=SETUP + script, given=is_open)
    assert said == [is_open, not is_open]


def test_what_is_remembered_can_be_forgotten(run: Run):
    script = """remember("a", "b"); const kept = recall("a"); remember("a", null);
        return [kept, recall("a"), localStorage.length]"""
    assert run("storage/memory.js", script=script) == ["b", None, 0]
