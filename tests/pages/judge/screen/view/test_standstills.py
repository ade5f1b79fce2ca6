"""Pages at which a browser came to a standstill: noted before they are drawn, then left out."""

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILES = ("view/standstills.js", "view/kept_pages.js", "view/framed_page.js")
SETUP = """
const NOTES = "dissent:drawing:";
let clock = 10_000;
const notes = () => Object.keys(localStorage).filter((one) => one.startsWith(NOTES)).sort();
const start = () => { const pages = new KeptPages();
  pages.standstills = new Standstills(() => clock); return pages; };
const pages = start();
pages.texts.set("/page/a", "<p>A</p>");
pages.texts.set("/page/b", "<p>B</p>");
const show = (name, kept = pages) => {
  const page = new FramedPage(kept, `/page/${name}.1.x`, name);
  document.body.append(page.box);
  return page.frame;
};
const loaded = (node) => new Promise((done) => node.addEventListener("load", done, {once: true}));
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
"""


def test_a_page_is_noted_until_the_window_has_drawn_it(blank: Page, run: Run):
    script = """const node = show("a"); const before = notes(); await loaded(node);
        const then = notes();
        for (let i = 0; i < 600 && notes().length; i += 1) await pause(100);
        pageIn(node).draw(); const again = notes();
        window.dispatchEvent(new Event("pagehide"));
        return [before, then, again, notes()]"""
    note = ["dissent:drawing:/page/a"]
    assert run(*FILES, script=SETUP + script) == [note, note, note, []]


def test_what_was_never_drawn_is_not_shown_until_it_is_tried_again_or_the_window_after_next(
    blank: Page, run: Run
):
    script = """show("a"); clock += 6_000; const next = start(); next.texts = pages.texts;
        const left = notes(); const node = show("a", next), other = show("b", next);
        const page = pageIn(node), html = await page.open(); const {state} = page;
        const said = page.words.textContent, empty = node.srcdoc === "";
        page.load(); const still = page.state;
        page.load("reload"); const again = node.srcdoc;
        next.standstills.endAll(); clock += 6_000;
        const after = start(); after.texts = pages.texts;
        return [left, said.includes("came to a standstill"), empty, html, state, still,
          again.includes("<p>A</p>"), other.srcdoc.includes("<p>B</p>"),
          show("a", after).srcdoc.includes("<p>A</p>")]"""
    found = run(*FILES, script=SETUP + script)
    assert found == [[], True, True, "", "failed", "failed", True, True, True]


def test_what_another_window_draws_just_now_is_no_standstill(blank: Page, run: Run):
    script = """show("a"); clock += 1_000; const next = start(); next.texts = pages.texts;
        return [notes().length, show("a", next).srcdoc.includes("<p>A</p>")]"""
    assert run(*FILES, script=SETUP + script) == [1, True]
