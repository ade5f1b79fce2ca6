"""Pages kept for the time without a server: shown from here only then, and as safely."""

import pytest
from playwright.sync_api import Page

from tests.browser.running import wait_until
from tests.pages.judge.screen.conftest import Run
from tests.pages.judge.screen.loopback import Loopback
from tests.short import few

pytestmark = pytest.mark.browser

FILES = ("view/kept_pages.js", "view/page_frames.js")
SETUP = """
const pages = new KeptPages();
let away = true;
pages.isAway = () => away;
const holder = document.body.appendChild(document.createElement("div"));
const frames = new PageFrames(holder, pages);
const address = (time) => `/page/content.${time}.signature`;
pages.texts.set(pages.keyOf(address(1)), given);
const want = (time) => frames.want(`d${time}`, {frame: address(time), title: "T"});
const loaded = (node) => new Promise((done) => node.addEventListener("load", done, {once: true}));
"""
HOSTILE = """<!doctype html SYSTEM "><script>parent.hurt = 1</script>"><title>T</title>
<base href="/elsewhere/"><meta http-equiv="refresh" content="0;url=/stolen">
<link rel="stylesheet" href="/stolen.css"><img src="/stolen.png">
<style>@import "/stolen.css";</style>
<iframe src="/stolen"></iframe><iframe srcdoc="<script>top.hurt = 1</script>"></iframe>
<svg onload="parent.hurt = 1"></svg><script src="/stolen.js"></script><p>Cats</p>"""

NO_SPACE = few(["\u00a0", "\v", "\ufeff", "\u3000", "\u2028", "x"])
"""Space for the screen's language, but text for a browser: the body of a page begins with it."""


def test_a_page_comes_from_here_only_while_the_server_is_away(run: Run):
    script = """const kept = want(2); const first = kept.srcdoc.includes("Kept");
        away = false; const fresh = want(3);
        return [first, kept.hasAttribute("src"), fresh.srcdoc, fresh.getAttribute("src")]"""
    assert run(*FILES, script=SETUP + script, given="<p>Kept</p>") == [
        True,
        False,
        "",
        "/page/content.3.signature",
    ]


def test_what_was_asked_for_in_vain_is_shown_from_here(run: Run):
    script = """away = false; const node = want(1); const before = node.srcdoc; away = true;
        frames.fallBack(0); const then = node.srcdoc.includes("Kept"); away = false;
        frames.renew(0); return [before, then, node.srcdoc.includes("Kept")]"""
    assert run(*FILES, script=SETUP + script, given="<p>Kept</p>") == ["", True, True]


@pytest.mark.parametrize("start", ["", *NO_SPACE])
@pytest.mark.parametrize("page", [HOSTILE, HOSTILE.partition(">")[2], "<!-- " + HOSTILE])
def test_a_kept_page_runs_loads_and_leads_nowhere(
    loopback: Loopback, run: Run, page: str, start: str
):
    script = """const node = want(1); const done = loaded(node);
        frames.show("d1"); await done; await new Promise((then) => setTimeout(then, 200));
        return [node.getAttribute("sandbox"), window.hurt ?? null]"""
    assert run(*FILES, script=SETUP + script, given=start + page) == ["", None]
    assert not [one for one in loopback.asked if "stolen" in one or "elsewhere" in one]


def test_without_its_policy_such_a_page_loads_what_it_names(loopback: Loopback, run: Run):
    script = """const node = document.createElement("iframe"); node.setAttribute("sandbox", "");
        node.srcdoc = given; document.body.append(node);"""
    run(*FILES, script=script, given=HOSTILE)
    wait_until(lambda: "/stolen.png" in loopback.asked)


def test_its_policy_stands_where_a_browser_heeds_it(blank: Page, run: Run):
    """Behind a sign that is no space to a browser it would be a part of the body."""
    script = """const made = (html) => new DOMParser().parseFromString(html, "text/html");
        const where = (html) => made(html).querySelector("meta").parentNode.localName;
        const late = where(given + "<meta name=x>");
        const node = want(1);
        return [late, where(node.srcdoc), made(node.srcdoc).querySelectorAll("meta").length]"""
    found = run(*FILES, script=SETUP + script, given="\u00a0<!doctype html>")
    assert found == ["body", "head", 2]


def test_a_kept_page_scrolls_by_keys(blank: Page, run: Run):
    places = "".join(f'<p id="dissent-{n}" style="height:40px">{n}</p>' for n in range(200))
    script = """const node = want(1); const done = loaded(node); node.style.height = "300px";
        frames.show("d1"); await done;
        return [scrollFrame(node, 0.85), scrollFrame(node, 0.85)]"""
    assert run(*FILES, script=SETUP + script, given=places) == [True, True]
    blank.frames[-1].wait_for_function("scrollY > 300")


def test_a_page_that_is_opened_for_marks_runs_and_loads_as_little(loopback: Loopback, run: Run):
    script = """const node = want(1); frames.show("d1"); const html = await frames.open(node);
        const pause = () => new Promise((done) => setTimeout(done, 300));
        do await pause(); while (!node.contentDocument?.querySelector("p"));
        return [node.getAttribute("sandbox"), window.hurt ?? null, html === given,
          node.contentDocument.querySelector("p").textContent, node.contentWindow.hurt ?? null]"""
    found = run(*FILES, script=SETUP + script, given=HOSTILE)
    assert found == ["allow-same-origin", None, True, "Cats", None]
    assert not [one for one in loopback.asked if "stolen" in one or "elsewhere" in one]
    script = """const node = want(1); frames.show("d1"); await frames.open(node); away = false;
        frames.renew(0); frames.load(node, address(2));
        return [node.getAttribute("sandbox"), node.srcdoc]"""
    assert run(*FILES, script=SETUP + script, given="<p>Kept</p>") == ["", ""]
