"""An hour without a network, on a phone: reloads, a killed browser, a killed server; no loss."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, expect

from core.assessment.rounds.rounds import Plan
from core.store.content.collections import list_collections
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.conftest import begin, judge_screen, press_when_seen
from tests.browser.running import wait_until
from tests.browser.study import Study, Wish, expect_saved, judge, page_of, run_study
from tests.browser.test_aspects import BOTH
from tests.browser.test_opened_results import add_lists
from tests.short import few, long

pytestmark = pytest.mark.browser

PHONE: Any = {"width": 390, "height": 800}
HTML = "<!doctype html><title>P</title><p>Page {n} on cats</p><script>parent.gotcha = 1</script>"
ENGINE_NAMED = ": 'engine'"
"""As the one engine there is would be named as the value of anything."""

STRANGER = "somebody-else-0000"


def framed(number: int) -> dict[str, Any]:
    """Return a document that is shown in a frame."""
    return {**page_of(number), "text": None, "html": HTML.format(n=number)}


ITEMS = tuple(framed(n) if n % 2 else page_of(n) for n in range(4))
ONE = Plan(judges=1, flow="page only")
WISHES = {
    "cut": Wish(topics=("cats", "dogs", "birds"), documents=ITEMS),
    "killed": Wish(topics=("cats", "dogs"), documents=ITEMS),
    "two": Wish(topics=("cats", "dogs", "birds", "bees"), documents=ITEMS[:2]),
    "turns": Wish(
        documents=tuple(page_of(n) for n in range(24)),
        plan=Plan(judges=1, flow="page only", depth=24),
    ),
    "blind": Wish(
        topics=("cats", "dogs"),
        documents=ITEMS,
        plan=Plan(judges=2, flow="snippet then page", repeat_share=0.5),
    ),
    "leaving": Wish(topics=("cats", "dogs"), documents=ITEMS),
    "aspects": Wish(topics=("cats", "dogs"), documents=ITEMS[:2], aspects=BOTH),
    "app": Wish(documents=ITEMS),
    "bystander": Wish(documents=ITEMS),
    "hundred": Wish(
        topics=tuple(f"topic {n}" for n in range(6)),
        documents=tuple(page_of(n) for n in range(30)),
        plan=Plan(judges=1, flow="page only", depth=30),
    ),
}

KEPT = """async () => {
  const base = await new Promise((done) => {
    const asked = indexedDB.open("dissent");
    asked.onupgradeneeded = () => asked.transaction.abort();
    asked.onerror = () => done(null);
    asked.onsuccess = () => done(asked.result);
  });
  const found = {assignments: [], labels: [], pages: []};
  if (!base) return found;
  for (const name of Object.keys(found)) {
    const asked = base.transaction(name).objectStore(name).getAll();
    found[name] = await new Promise((done) => (asked.onsuccess = () => done(asked.result)));
  }
  base.close();
  return found;
}"""
UNCOVERED = """(node) => {
  const {left, top, width, height} = node.getBoundingClientRect();
  return node.getRootNode().elementFromPoint(left + width / 2, top + height / 2) === node;
}"""
STORED = """async () => {
  const parts = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const asked of await cache.keys()) parts.push([new URL(asked.url).pathname,
      await (await cache.match(asked)).text()]);
  }
  return parts;
}"""


def fill(store: Store) -> dict[str, str]:
    """Add a second assessor to one collection, and what somebody else judged in another."""
    names = {one.name: one.collection_id for one in list_collections(store)}
    other = add_person(store, "Second", "assessor")
    add_member(store, names["two"], other, "Second")
    add_member(store, names["blind"], STRANGER, "Somebody else")
    for place, topic in enumerate(("t1", "t2")):
        key = Key(topic, "d0", "page", "", STRANGER, 0)
        event = LabelEvent(f"00000000-0000-4000-8000-00000000000{place}", None, key, "level", 3)
        store.labels.append(names["blind"], [event])
    return {"second": begin_session(store, other), "lists": add_lists(store)[1]}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("offline"), WISHES, fill) as running:
        yield running


@pytest.fixture
def running(study: Study) -> Iterator[Study]:
    """The study with its server up, before and after."""
    if not study.server.answers():
        study.server.start()
    yield study
    if not study.server.answers():
        study.server.start()


Open = Callable[[], Page]


@pytest.fixture
def device(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Return what opens the browser of a phone; opened again, the one before is killed."""
    opened: list[BrowserContext] = []

    def again() -> Page:
        for one in opened:
            one.close()
        opened[:] = [open_profile(browser, tmp_path / "profile")]
        opened[0].set_default_timeout(30_000)
        return opened[0].pages[0]

    yield again
    for one in opened:
        one.close()


def open_profile(browser: Browser, folder: Path) -> BrowserContext:
    """Open a browser that keeps what it has in a folder."""
    return browser.browser_type.launch_persistent_context(
        str(folder), executable_path=find_chromium(bare=True), args=ARGUMENTS, viewport=PHONE
    )


def sit(page: Page, study: Study, session: str) -> Locator:
    """Sign in for longer than the browser is open, and wait until everything is kept."""
    enter(page, study, session)
    root = begin(page)
    wait_until(lambda: page.evaluate("navigator.serviceWorker.controller !== null"))
    wait_until(lambda: len(page.evaluate(KEPT)["assignments"]) > 0)
    frames = {
        frame
        for kept in page.evaluate(KEPT)["assignments"]
        for one in kept["assignments"]
        for document in one["documents"].values()
        for frame in (document["frame"], document.get("text_frame"))
        if frame
    }
    wait_until(lambda: len(page.evaluate(KEPT)["pages"]) >= len(frames))
    return root


def enter(page: Page, study: Study, session: str) -> None:
    cookie: Any = {"name": study.server.cookie, "value": session, "domain": "127.0.0.1",
                   "path": "/", "expires": time.time() + 9_999}  # fmt: skip
    page.context.add_cookies([cookie])
    page.goto(f"{study.server.address}/judge")


def judge_all(page: Page) -> list[str]:
    """Judge until nothing that the device has is left; returns the items, in order."""
    done: list[str] = []
    while True:
        step = judge_screen(page).get_attribute("data-step") or ""
        if step == "finished":
            if not page.get_by_test_id("next").inner_text().startswith("Next:"):
                return done
            judge(page, ["Enter"])
        else:
            done += judge(page, str(1 + len(done) % 4))


def read_items(study: Study, name: str) -> list[str]:
    """Return what was judged in a collection, in order, as topic and document."""
    return [f"{row['topic_id']}|{row['document_id']}" for row in study.labels(name)]


def short(steps: list[str]) -> list[str]:
    return ["|".join(step.split("|")[:2]) for step in steps]


def test_the_network_is_cut_and_everything_fetched_is_judged(
    device: Open, running: Study, record_property: Callable[[str, object], None]
):
    page = device()
    sit(page, running, running.seats["cut"].session)
    steps = judge(page, "1")
    expect_saved(page)
    page.context.set_offline(True)
    steps += judge_all(page)
    expect(page.get_by_test_id("save-state")).to_have_text("Offline, 11 labels wait on this device")
    expect(page.get_by_test_id("progress")).to_have_css("white-space", "nowrap")
    assert len(running.labels("cut")) == 1
    page.context.set_offline(False)
    expect_saved(page)
    stored = read_items(running, "cut")
    record_property("counts", f"{len(steps)} judged, {len(stored)} stored, in order")
    assert stored == short(steps)
    assert len(set(stored)) == len(stored) == 12
    assert not any(row["stale"] for row in running.labels("cut"))


@long
def test_the_page_is_loaded_and_the_browser_killed_while_there_is_no_server(
    device: Open, running: Study, record_property: Callable[[str, object], None]
):
    page = device()
    sit(page, running, running.seats["killed"].session)
    steps = judge(page, "12")
    expect_saved(page)
    running.server.kill()
    steps += judge(page, "3")
    page.reload()
    expect(page.get_by_test_id("alone")).to_contain_text("Offline. You judge what this device has")
    begin(page)
    steps += judge(page, "4")
    page = device()
    page.goto(f"{running.server.address}/")
    begin(page)
    expect(page.get_by_test_id("save-state")).to_have_text("Offline, 2 labels wait on this device")
    steps += judge_all(page)
    press_when_seen(page, "ArrowLeft")
    page.get_by_test_id("comment").click()
    page.get_by_test_id("comment-text").fill("Not yet sent")
    running.server.start()
    back = page.get_by_test_id("go-back")
    expect(back).to_be_visible()
    expect(page.get_by_test_id("alone")).to_have_text("The server is back.")
    page.get_by_test_id("comment-save").click()
    page.wait_for_url("**/*collection=*")
    expect(page.locator(".stApp")).to_be_visible()
    expect_saved(page)
    stored, rows = read_items(running, "killed"), running.labels("killed")
    record_property("counts", f"{len(steps)} judged, {len(set(stored))} stored")
    assert stored[:8] == short(steps)
    assert stored[8:] == stored[7:8]
    assert [row["comment"] for row in rows[7:]] == ["", "Not yet sent"]
    assert not any(row["stale"] for row in rows)


@long
def test_two_who_are_cut_at_once_never_judge_the_same(
    device: Open, browser: Browser, running: Study, record_property: Callable[[str, object], None]
):
    page = device()
    sit(page, running, running.seats["two"].session)
    with second_device(browser) as other:
        sit(other, running, running.collections["second"])
        running.server.kill()
        done = [judge_all(page), judge_all(other)]
        running.server.start()
        expect_saved(page)
        expect_saved(other)
    stored = Counter(read_items(running, "two"))
    record_property("counts", f"{len(done[0])} and {len(done[1])} judged, {len(stored)} stored")
    assert [len(one) for one in done] == [4, 4]
    assert stored == Counter(short(done[0] + done[1]))
    assert set(stored.values()) == {1}


@long
def test_aspects_are_judged_through_a_cut_with_reload_back_and_undo(device: Open, running: Study):
    page = device()
    root = sit(page, running, running.seats["aspects"].session)
    press_when_seen(page, "4")
    press_when_seen(page, "3")
    steps = judge(page, "2")
    expect_saved(page)
    running.server.kill()
    for key in ("4", "ArrowLeft", "3", "2"):
        press_when_seen(page, key)
    expect(root).to_have_attribute("data-aspect", "freshness")
    page.reload()
    expect(page.get_by_test_id("alone")).to_contain_text("Offline.")
    begin(page)
    expect(root).to_have_attribute("data-aspect", "freshness")
    expect(page.get_by_test_id("so-far")).to_have_text("Relevance: ✓ HReltrust: ✓ Half")
    steps += judge(page, ["s", "Enter"])[:1]
    press_when_seen(page, "1")
    steps += judge(page, "2")
    judge(page, "u")  # the whole set is taken back
    expect(page.get_by_test_id("so-far")).to_be_hidden()
    judge(page, ["ArrowLeft"])  # to the batch before, where the set is as it was given
    expect(page.get_by_test_id("so-far")).to_contain_text("freshness: ✓ left out")
    press_when_seen(page, "c")
    page.get_by_test_id("comment-text").fill("Signed.")
    page.keyboard.press("Control+Enter")
    judge(page, ["ArrowRight"])
    page.reload()
    begin(page)
    expect(root).to_have_attribute("data-step", steps[-1])
    press_when_seen(page, "1")
    judge(page, "1")
    press_when_seen(page, "x")
    judge(page, "1")
    running.server.start()
    page.wait_for_selector(".stApp")
    expect_saved(page)
    documents = [step.split("|")[1] for step in steps]
    said = [
        (documents[0], "trust", 2),
        (documents[0], "freshness", 1),
        (documents[1], "trust", 1),
        (documents[1], "freshness", None),
        (documents[2], "freshness", 0),
    ]
    assert Counter(map(tuple, running.said("aspects"))) == Counter(said)
    assert {row["state"] for row in running.labels("aspects")} == {
        *("level", "unjudged", "cannot judge")
    }


@long
def test_listed_results_are_opened_without_a_network(device: Open, running: Study):
    page = device()
    sit(page, running, running.collections["lists"])
    wait_until(lambda: len(page.evaluate(KEPT)["pages"]) == 5)
    running.server.kill()
    for is_alone in (False, True):
        if is_alone:
            page.reload()
            expect(page.get_by_test_id("alone")).to_contain_text("Offline.")
            begin(page)
        press_when_seen(page, "o")
        shown = page.get_by_test_id("opened")
        for side in ("ArrowLeft", "ArrowRight"):
            page.keyboard.press(side)
            for number in "123":
                page.keyboard.press(number)
                expect(page.get_by_test_id("opened-where")).to_contain_text(f"result {number}")
                if page.get_by_test_id("opened-title").inner_text() == "Title 1":
                    expect(shown).to_contain_text("No content of this page is stored.")
                    continue
                body = shown.locator("iframe").content_frame.locator("body")
                expect(body).to_contain_text(re.compile("Long text of|Framed"))
        assert page.evaluate("window.hurt") is None
        page.keyboard.press("Escape")


@long
def test_reloads_kills_and_cuts_in_turn(
    device: Open, running: Study, record_property: Callable[[str, object], None]
):
    page = device()
    sit(page, running, running.seats["turns"].session)
    steps: list[str] = []
    for turn in range(4):
        steps += judge(page, "12")
        if turn % 2:
            running.server.kill()
        else:
            page.context.set_offline(True)
        steps += judge(page, "34")
        if turn % 2:
            page.reload()
            begin(page)
        steps += judge(page, "1")
        if turn == 3:
            page = device()
            page.goto(f"{running.server.address}/judge")
            begin(page)
        if turn % 2:
            running.server.start()
            page.wait_for_selector(".stApp")
            begin(page)
        page.context.set_offline(False)
        expect_saved(page)
    stored = read_items(running, "turns")
    record_property("counts", f"{len(steps)} judged, {len(stored)} stored, in order")
    assert stored == short(steps)
    assert len(set(stored)) == len(stored) == 20
    assert not any(row["stale"] for row in running.labels("turns"))


@contextmanager
def second_device(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE)
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def test_what_a_device_keeps_tells_nothing_of_others(device: Open, running: Study):
    page = device()
    sit(page, running, running.seats["blind"].session)
    judge(page, "12")
    expect_saved(page)
    kept = page.evaluate(KEPT)
    steps = [step for one in kept["assignments"][0]["assignments"] for step in one["steps"]]
    assert len(steps) == 2 * (4 + 2) * 2
    texts = f"{kept} {page.evaluate('({...localStorage, ...sessionStorage})')}"
    texts = texts.replace("background-repeat:no-repeat", "")  # how a shade is drawn
    for secret in (ENGINE_NAMED, STRANGER, "Somebody else", "gold", "repeat"):
        assert secret not in texts
    assert running.seats["blind"].session not in texts
    labels = [step["label"] for step in steps if step["label"]]
    assert len(labels) == 0
    assert {type(step["occasion"]) for step in steps} == {str}
    assert all(row["key"][0].endswith(running.seats["blind"].assessor_id) for row in kept["labels"])
    assert "token" not in {
        name
        for one in kept["assignments"][0]["assignments"]
        for name, value in one.items()
        if value
    }


@long
def test_the_browsers_cache_holds_the_same_files_for_everybody(device: Open, running: Study):
    page = device()
    sit(page, running, running.seats["app"].session)
    shell = page.evaluate(STORED)
    assert {path.rpartition("/")[0] for path, _ in shell} == {"/api/offline", "/api/plain"}
    assert len(shell) > 5
    for _, text in shell:
        assert "Title 1" not in text
        assert running.seats["app"].collection_id not in text


def test_who_signs_out_leaves_nothing_on_the_device(device: Open, running: Study):
    page = device()
    sit(page, running, running.seats["leaving"].session)
    judge(page, "1")
    expect_saved(page)
    page.evaluate(
        """() => { const form = document.createElement("form");
        Object.assign(form, {method: "post", action: "/leave"});
        document.body.append(form); form.submit(); }"""
    )
    expect(page.get_by_text("You need an invitation link")).to_be_visible()
    assert page.evaluate(KEPT) == {"assignments": [], "labels": [], "pages": []}
    running.server.kill()
    with pytest.raises(Error, match="ERR_FAILED"):
        page.goto(f"{running.server.address}/judge")


@long
def test_who_comes_next_on_a_device_sees_nothing_of_who_was_there(device: Open, running: Study):
    page = device()
    sit(page, running, running.seats["app"].session)
    enter(page, running, running.seats["bystander"].session)
    begin(page)
    owner = running.seats["bystander"].assessor_id
    wait_until(lambda: owner in str(page.evaluate(KEPT)["assignments"]))
    assert running.seats["app"].assessor_id not in str(page.evaluate(KEPT))


@long
@pytest.mark.parametrize("path", few(["history", "sign-in", "account"]))
def test_no_other_page_is_answered_for(device: Open, running: Study, path: str):
    page = device()
    sit(page, running, running.seats["app"].session)
    running.server.kill()
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        page.goto(f"{running.server.address}/{path}")


@long
def test_it_can_be_installed(device: Open, running: Study):
    page = device()
    sit(page, running, running.seats["app"].session)
    tools = page.context.new_cdp_session(page)
    assert tools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    found = tools.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"].endswith("/manifest.webmanifest")
    assert '"start_url": "/judge"' in found["data"]


@long
def test_a_hundred_items_are_fetched_after_the_first_is_shown(device: Open, running: Study):
    page = device()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    enter(page, running, running.seats["hundred"].session)
    root = begin(page)
    expect(root).to_have_attribute("data-ready", "true")
    assert not any(one.endswith("/api/ahead") for one in asked)
    wait_until(lambda: len(page.evaluate(KEPT)["assignments"]) > 0)
    (kept,) = page.evaluate(KEPT)["assignments"]
    assert [len(one["steps"]) for one in kept["assignments"]] == [30, 30, 30, 30]


@long
def test_on_a_phone_levels_stand_in_one_row_and_the_need_can_be_pulled_down(
    device: Open, running: Study
):
    page = device()
    sit(page, running, running.seats["app"].session)
    boxes = [page.get_by_test_id(f"level-{n}").bounding_box() for n in range(5)]
    assert len({box["y"] for box in boxes if box}) == 1
    assert all(box and box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    need = page.locator("details.need")
    expect(page.get_by_test_id("description")).to_be_visible()
    expect(page.get_by_test_id("meanings")).to_be_visible()
    judge(page, "12")
    assert page.get_by_test_id("kind").evaluate(UNCOVERED), "what is wanted lies over the item"
    need.locator("summary").evaluate("(node) => node.click()")
    expect(page.get_by_test_id("description")).to_be_hidden()
    expect(page.get_by_test_id("meanings")).to_be_hidden()


@long
def test_no_script_of_a_kept_page_runs(device: Open, running: Study):
    page = device()
    sit(page, running, running.seats["bystander"].session)
    running.server.kill()
    page.reload()
    begin(page)
    while "Page" not in "".join(one.locator("body").inner_text() for one in page.frames[1:]):
        judge(page, "1")
    assert page.evaluate("window.gotcha") is None
    assert all(one.url == "about:srcdoc" for one in page.frames[1:])
