"""Pages in their frames: shown when they have come whole, else said why not; as safely as ever."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.browser.running import wait_until
from tests.pages.judge.screen.conftest import Run
from tests.pages.judge.screen.loopback import Loopback
from tests.short import few

pytestmark = pytest.mark.browser

FILES = ("view/kept_pages.js", "view/framed_page.js", "view/page_frames.js")
END = "</x-places>"
"""With this the server ends each page."""

SETUP = """
const kept = new KeptPages();
const holder = document.body.appendChild(document.createElement("div"));
const frames = new PageFrames(holder, kept);
const address = (time) => `/page/content.${time}.signature`;
kept.texts.set(kept.keyOf(address(1)), given);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const shown = async (page) => { while (page.state !== "shown") await pause(10); };
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


def test_what_was_fetched_ahead_is_shown_at_once_and_nothing_is_asked(loopback: Loopback, run: Run):
    script = """const node = want(2), page = pageIn(node); const before = page.state;
        const here = node.srcdoc.includes("Kept"); await loaded(node); await shown(page);
        return [before, here, page.state]"""
    assert run(*FILES, script=SETUP + script, given="<p>Kept</p>") == ["loading", True, "shown"]
    assert not [one for one in loopback.asked if "content" in one]


def test_what_comes_whole_is_shown_and_loads_once(blank: Page, run: Run):
    blank.route("**/whole.1.x", lambda route: route.fulfill(body=f"<p>Cats</p>{END}"))
    script = """let loads = 0; const page = new FramedPage(kept, "/whole.1.x", "T");
        page.frame.addEventListener("load", () => (loads += 1)); holder.append(page.box);
        const before = [page.state, page.frame.isConnected, page.words.textContent];
        await shown(page);
        return [before, loads, page.frame.srcdoc.includes("<p>Cats</p>"), page.ways.hidden]"""
    found = run(*FILES, script=SETUP + script, given="")
    assert found == [["loading", False, "The page is loading …"], 1, True, True]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"status": 500, "body": f"Internal Server Error{END}"}, "answers with an error (500)"),
        ({"status": 404, "body": "Not Found"}, "no longer in the collection"),
        ({"status": 403, "body": "No"}, "sign in again"),
        ({"status": 503, "body": "No"}, "cannot be reached"),
        ({"status": 200, "body": "<form>Sign in</form>"}, "as a whole"),
        ({"status": 200, "body": "<p>Cats" + END[:-4]}, "as a whole"),
        ({"status": 200, "body": f"<p>Cats</p>{END}<!--dissent-text 12"}, "as a whole"),
        (None, "cannot be reached"),
    ],
)
def test_what_does_not_come_is_told_and_can_be_tried_again(
    blank: Page, run: Run, fault: dict[str, Any] | None, words: str
):
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.fulfill(body=f"<p>Cats</p>{END}")
        elif fault:
            route.fulfill(**fault)
        else:
            route.abort("connectionreset")

    blank.route("**/page.1.x", answer)
    script = """const real = window.fetch, caches = [];
        window.fetch = (at, how) => (caches.push(how.cache), real(at, how));
        const page = new FramedPage(kept, "/page.1.x", "T"); holder.append(page.box);
        const at = async (state) => { while (page.state !== state) await pause(10); };
        await at("failed"); const said = [page.words.textContent, page.ways.hidden,
          page.frame.isConnected, page.ways.children.length];
        page.load("reload"); await at("shown");
        window.fetch = real;
        return [...said, page.frame.srcdoc.includes("<p>Cats</p>"), caches]"""
    told, *rest = run(*FILES, script=SETUP + script, given="")
    assert told.startswith("This page could not be loaded. ")
    assert words in told
    caches = ["default", "reload"]  # what a cache has may be what is wrong
    assert rest == [False, False, 2, True, caches]


def test_only_the_last_answer_counts(blank: Page, run: Run):
    held: list[Route] = []

    def answer(route: Route) -> None:
        if held:
            route.fulfill(body=f"<p>Second</p>{END}")
        held.append(route)

    blank.route("**/page.1.x", answer)
    blank.expose_function("release", lambda: held[0].fulfill(body=f"<p>First</p>{END}"))
    script = """const page = new FramedPage(kept, "/page.1.x", "T"); holder.append(page.box);
        page.load(); await shown(page); await release(); await pause(200);
        return [page.state, page.frame.srcdoc.includes("Second")]"""
    assert run(*FILES, script=SETUP + script, given="") == ["shown", True]


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
    assert found == ["body", "head", 3]


def test_a_kept_page_scrolls_by_keys(blank: Page, run: Run):
    places = "".join(f'<p id="dissent-{n}" style="height:40px">{n}</p>' for n in range(200))
    script = """const node = want(1); const done = loaded(node); node.style.height = "300px";
        frames.show("d1"); await done;
        return [scrollFrame(node, 0.85), scrollFrame(node, 0.85)]"""
    assert run(*FILES, script=SETUP + script, given=places) == [True, True]
    blank.frames[-1].wait_for_function("scrollY > 300")


def test_a_page_that_is_opened_for_marks_runs_and_loads_as_little(loopback: Loopback, run: Run):
    script = """const node = want(1); frames.show("d1"); await shown(pageIn(node));
        const html = await frames.open(node);
        do await pause(300); while (!node.contentDocument?.querySelector("p"));
        return [node.getAttribute("sandbox"), window.hurt ?? null, html === given,
          node.contentDocument.querySelector("p").textContent, node.contentWindow.hurt ?? null]"""
    found = run(*FILES, script=SETUP + script, given=HOSTILE)
    assert found == ["allow-same-origin", None, True, "Cats", None]
    assert not [one for one in loopback.asked if "stolen" in one or "elsewhere" in one]
    script = """const node = want(1); frames.show("d1"); await shown(pageIn(node));
        await frames.open(node); pageIn(node).load(); return node.getAttribute("sandbox")"""
    assert run(*FILES, script=SETUP + script, given="<p>Kept</p>") == ""


def test_what_is_not_shown_is_opened_once_it_is_or_never(run: Run):
    """Else it would come to the screen by another way, and nobody would know whether it did."""
    script = """const [node, other] = [want(1), want(2)];
        const before = pageIn(node).state;
        const opening = frames.open(node), failing = frames.open(other);
        pageIn(other).turn += 1; pageIn(other).fail("It is gone.");
        const html = await opening;
        return [before, pageIn(node).state, html.includes("<p>Kept</p>"), await failing,
          other.getAttribute("sandbox")]"""
    found = run(*FILES, script=SETUP + script, given="<p>Kept</p>")
    assert found == ["loading", "shown", True, "", ""]
