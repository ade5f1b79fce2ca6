"""The room that is left for the screen."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser


def test_the_room_above_is_known_and_followed(run: Run):
    script = """document.body.style.margin = "0";
        document.body.innerHTML = `<main data-testid="stMain"><div>
          <p style="height: 40px; margin: 0"></p><div id="root"></div></div></main>`;
        const root = document.getElementById("root"); const tops = [];
        let told;
        const changed = new Promise((done) => (told = () => tops.length > 1 && done()));
        fillHeight(root, () => { tops.push(root.style.getPropertyValue("--top")); told(); },
          new AbortController().signal);
        document.querySelector("p").style.height = "70px"; await changed;
        return [tops[0], tops.at(-1)]"""
    assert run("window/window.js", script=script) == ["40px", "70px"]
