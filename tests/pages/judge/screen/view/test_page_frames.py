"""Pages to be judged in frames: always sandboxed, loaded ahead, none kept for ever."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILES = ("view/page_frames.js", "view/kept_pages.js")
SETUP = """
const holder = document.body.appendChild(document.createElement("div"));
const frames = new PageFrames(holder, new KeptPages());
frames.kept.texts.set("/page", "<p>Cats</p>");
const want = (id) => frames.want(id, {frame: "/page.1." + id, title: "Title " + id});
"""


def test_no_script_of_a_page_runs(run: Run):
    script = """const node = want("d1");
        return [node.getAttribute("sandbox"), node.referrerPolicy, node.title, node.tabIndex]"""
    assert run(*FILES, script=SETUP + script) == ["", "no-referrer", "Page: Title d1", -1]


def test_only_the_page_to_be_judged_can_be_reached(run: Run):
    script = """want("d1"); want("d2"); frames.show("d2");
        const seen = () => [...holder.querySelectorAll("iframe")].map((one) =>
          [one.tabIndex, one.getAttribute("aria-hidden"), one.classList.contains("ahead")]);
        const one = seen(); frames.show(null); return [one, seen()]"""
    hidden, shown = [-1, "true", True], [0, None, False]
    assert run(*FILES, script=SETUP + script) == [[hidden, shown], [hidden, hidden]]


def test_a_page_that_is_wanted_again_is_not_loaded_again(run: Run):
    script = """const first = want("d1"); let loads = 0;
        await new Promise((done) => first.addEventListener("load", done));
        first.addEventListener("load", () => (loads += 1));
        want("d2"); const again = want("d1"); frames.show("d1");
        return [first === again, loads, holder.children.length]"""
    assert run(*FILES, script=SETUP + script) == [True, 0, 2]


def test_six_pages_are_kept_those_wanted_last(run: Run):
    script = """for (let i = 1; i <= 8; i += 1) want("d" + i);
        want("d1"); frames.show("d8"); return [...frames.pages.keys()]"""
    assert run(*FILES, script=SETUP + script) == ["d4", "d5", "d6", "d7", "d8", "d1"]
