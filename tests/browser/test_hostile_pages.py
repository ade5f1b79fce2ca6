"""Hostile pages wherever assessors meet them: nothing runs or leaves, and labels land rightly.

In a frame that was opened for marks, kept on the device while the server is down, on both sides of
a pair, opened beside a list, and as PDF and picture. Frames that the server fills are tried by
``tests/faults/test_xss.py`` and, in Firefox, by ``test_firefox_pages.py``.
"""

import base64
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from core.assessment.rounds.rounds import Plan
from tests.browser.conftest import begin, judge_screen
from tests.browser.firefox import Firefox, Refused
from tests.browser.firefox_screen import IN_FRAME, Screen, part
from tests.browser.running import Running, wait_until
from tests.browser.study import Study, Wish, expect_saved, judge, page_of, run_study, wait_to_hear
from tests.browser.test_firefox import judge_pairs
from tests.browser.test_firefox_pages import LISTEN, PRESSABLE, count_happenings, wait_for_document
from tests.browser.test_offline import KEPT
from tests.browser.test_side_by_side import KEYS, Shown, check_stored, judge_all
from tests.browser.test_side_by_side import make_store as make_pairs
from tests.faults.payloads import BOMBS, IN_PAGES, STANDSTILLS, Payload, deal, make_payloads
from tests.faults.xss_explore import press_everything
from tests.faults.xss_watch import Catcher, Watch, catch
from tests.made_files import make_pdf, make_picture
from tests.patience import PATIENCE
from tests.short import few, long

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1_200)]

Counts = Callable[[str, object], None]
RunServer = Callable[[Path | None], Running]
SHORT = 24
"""The short form takes one payload of so many."""

DEALT = 60
"""Pages that hold all payloads: fewer than a device keeps."""

PAGES = Plan(judges=1, flow="page only", depth=999)
SNIPPETS = Plan(judges=1, flow="snippet only", depth=999)
FRAME = "iframe:not(.ahead)"
BEGIN = part("begin")
SOON = "setTimeout(() => node.click(), 100);"
CORNER = "() => [mozInnerScreenX, mozInnerScreenY]"
UNCOVERED = """([left, top], points) => points.filter(([x, y]) => {
  const at = [left + x - mozInnerScreenX, top + y - mozInnerScreenY];
  let one = document.elementFromPoint(...at);
  while (one?.shadowRoot) one = one.shadowRoot.elementFromPoint(...at);
  return one?.tagName === "IFRAME";
})"""
"""Which points of a frame can be clicked: on a low screen a part of it lies below the levels."""

STUCK = 12
"""Seconds of a processor after which a window is lost: the judging screen takes a tenth."""

MOST = 60
"""Clicks into one page."""

OPENABLE = "123456"
KEPT_FRAMES = """() => {
  const look = (root) => [...root.querySelectorAll("*")].flatMap((one) => [
    ...(one.matches("iframe:not(.ahead)") ? [one] : []),
    ...(one.shadowRoot ? look(one.shadowRoot) : []),
  ]);
  return look(document).filter((one) => one.srcdoc).length;
}"""
STATE = """() => {
  const look = (root) => [...root.querySelectorAll("*")].flatMap((one) => [
    ...(one.matches("[data-step]") ? [one] : []),
    ...(one.shadowRoot ? look(one.shadowRoot) : []),
  ]);
  const [{ dataset }] = look(document);
  return dataset.ready === "true" ? "ready" : dataset.lack;
}"""
POST = """() => {
  const host = {stCommVersion: 1, appId: "x", hash: "#x", pageScriptHash: "x", queryParams: "a=b",
    authToken: "x", pageName: "history", inputsDisabled: true};
  const kinds = ["RERUN_SCRIPT", "STOP_SCRIPT", "CLEAR_CACHE", "CLOSE_MODAL", "UPDATE_HASH",
    "UPDATE_FROM_QUERY_PARAMS", "REQUEST_PAGE_CHANGE", "SET_AUTH_TOKEN", "SET_INPUTS_DISABLED",
    "TERMINATE_WEBSOCKET_CONNECTION", "RESTART_WEBSOCKET_CONNECTION", "SEND_APP_HEARTBEAT"];
  const values = [{name: "judge", level: 3}, {state: "level", level: 3}, "finished", "1"];
  for (const to of [parent, top]) {
    for (const type of kinds) to.postMessage({...host, type}, "*");
    for (const value of values) {
      to.postMessage(value, "*");
      to.postMessage({isStreamlitMessage: true, type: "streamlit:setComponentValue", value}, "*");
      to.postMessage({type: "ack", event_id: "x", status: "new", ...host, value}, "*");
    }
  }
}"""
HEARD = "() => { window.heard = 0; addEventListener('message', () => { window.heard += 1; }); }"
LOOSE = """(() => {
  const set = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name, value) {
    const loose = `${value} allow-scripts allow-popups allow-forms allow-downloads`;
    if (name !== "csp") set.call(this, name, name === "sandbox" ? loose : value);
  };
})()"""
"""Frames get a sandbox in which nearly everything may be done."""

GUARDS = ("none", "both", "policy", "sandbox")
"""Which guards are left of a page that is opened for marks."""

NAMES = ("chromium", "firefox")


@pytest.fixture(scope="module")
def catcher() -> Iterator[Catcher]:
    with catch() as opened:
        yield opened


@pytest.fixture(scope="module")
def payloads(catcher: Catcher, long_form: bool) -> list[Payload]:
    """What a browser makes something of in a page."""
    every = [one for one in make_payloads(catcher.host) if one.family in IN_PAGES]
    return every[:: 1 if long_form else SHORT]


def page_with(number: int, text: str) -> dict[str, Any]:
    return {"id": f"d{number}", "title": text, "url": text, "html": text}


def draw(texts: list[str]) -> bytes:
    """Return a PDF that says these texts."""
    signs = str.maketrans({"\\": "\\\\", "(": "\\(", ")": "\\)"})
    lines = [one.encode("latin-1", "replace").decode("latin-1").translate(signs) for one in texts]
    return make_pdf([lines[place : place + 25] for place in range(0, len(lines), 25)])


def drawn_pages(texts: list[str]) -> tuple[dict[str, Any], ...]:
    """Return a PDF, pictures and a plain text with hostile texts in them, and as titles."""
    pdf, picture = (base64.b64encode(one).decode() for one in (draw(texts), make_picture()))
    pictures = [
        {"id": f"p{n}", "title": one, "media": picture} for n, one in enumerate(texts[::20])
    ]
    plain = {"id": "plain", "title": texts[0], "text": "\n\n".join(texts)}
    return ({"id": "pdf", "title": texts[-1], "media": pdf}, *pictures, plain)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, payloads: list[Payload]) -> Iterator[Study]:
    texts = [one.text for one in payloads]
    every = tuple(page_with(n, text) for n, text in enumerate(texts))
    dealt, six = (
        tuple(page_with(n, text) for n, text in enumerate(deal(payloads, hands, 0, "\n")))
        for hands in (min(DEALT, len(texts)), 6)
    )
    snippets = tuple({**page_of(n), "snippet": text} for n, text in enumerate(texts))
    wishes = {
        **{f"guards: {left}": Wish(documents=six, plan=PAGES) for left in GUARDS},
    }
    for name in NAMES:
        wishes |= {
            f"marks in {name}": Wish(documents=every, plan=PAGES),
            f"snippets in {name}": Wish((texts[0],), snippets, SNIPPETS),
            f"drawn in {name}": Wish(documents=drawn_pages(texts), plan=PAGES),
            f"kept in {name}": Wish(documents=dealt, plan=PAGES),
            f"messages in {name}": Wish(documents=six[:2], plan=PAGES),
        }
    with run_study(tmp_path_factory.mktemp("hostile"), wishes) as running:
        yield running


class Chromium:
    """An assessor at a watched Chromium."""

    def __init__(self, browser: Browser, server: Running, catcher: Catcher, **wishes: Any) -> None:
        catcher.asked.clear()
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **wishes)
        context.set_default_timeout(1000 * PATIENCE)
        self.watch = Watch(context, server.address, catcher)
        self.page = self.watch.open()
        self.server, self.pressed = server, 0

    def enter(self, session: str) -> None:
        """Open the judging screen in a session."""
        self.go(session)
        begin(self.page)

    def begin_soon(self, session: str) -> None:
        """Open the judging screen and begin, whatever comes of it."""
        self.go(session)
        self.page.get_by_test_id("begin").evaluate(f"(node) => {{ {SOON} }}")

    def go(self, session: str) -> None:
        cookie = {"name": self.server.cookie, "value": session, "url": self.server.address}
        self.page.context.add_cookies([cookie])
        self.page.goto(self.server.address)

    def open_anew(self) -> None:
        """Open another tab, as whoever has lost one."""
        self.page = self.watch.open()

    @property
    def step(self) -> str:
        return judge_screen(self.page).get_attribute("data-step") or ""

    def ask(self, script: str) -> Any:
        return self.page.evaluate(script)

    def run_in_the_page(self, script: str) -> None:
        """Run a script as if the sandbox let the page do so."""
        frame = self.page.locator(FRAME).element_handle().content_frame()
        assert frame is not None
        frame.wait_for_load_state()
        frame.evaluate(script)

    def attack(self) -> None:
        """Click on everything in the pages that are shown."""
        for frame in self.page.locator(FRAME).all():
            if frame.is_visible():
                self.pressed += press_everything(self.page, frame.content_frame)

    def open_for_marks(self) -> None:
        """Let passages be marked in the page, which is then shown anew."""
        expect(judge_screen(self.page)).to_have_attribute("data-ready", "true")
        self.page.keyboard.press("p")
        expect(self.page.locator(FRAME)).to_have_attribute("sandbox", re.compile("^allow-same"))
        self.page.frame_locator(FRAME).locator("html").first.wait_for(state="attached")

    def open_results(self) -> None:
        """Open each result of two lists and click on everything in it; close it."""
        self.attack()
        opened = self.page.get_by_test_id("opened")
        if not self.page.get_by_test_id("open-hint").is_visible():
            return
        self.page.keyboard.press("o")
        expect(opened).to_be_visible()
        for key in OPENABLE:
            self.page.keyboard.press(key)
            expect(self.page.get_by_test_id("opened-where")).to_contain_text(f"result {key} of")
            self.pressed += press_everything(self.page, opened.frame_locator("iframe"))
        self.page.keyboard.press("Escape")
        expect(opened).to_be_hidden()

    def judge(self, key: str) -> None:
        judge(self.page, [key])

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def judge_pairs(self) -> list[Shown]:
        """Look at all pairs and judge them."""
        return judge_all(self.page, list(KEYS), look=self.open_results)

    def wait_for_labels(self) -> None:
        expect_saved(self.page)

    def happened(self) -> dict[str, int]:
        """Return what happened, and end the visit."""
        self.watch.scan(self.page)
        self.page.wait_for_timeout(300)
        total = self.watch.total()
        self.watch.context.close()
        return total


class AtFirefox:
    """An assessor at a watched Firefox."""

    def __init__(self, firefox: Firefox, server: Running, catcher: Catcher) -> None:
        self.tab = firefox.visit()
        firefox.ask(
            "script.addPreloadScript",
            functionDeclaration=LISTEN,
            arguments=[{"type": "channel", "value": {"channel": "hit"}}],
            userContexts=[self.tab.visit],
        )
        firefox.events.clear()
        catcher.asked.clear()
        self.screen = Screen(self.tab)
        self.server, self.catcher, self.pressed = server, catcher, 0

    def enter(self, session: str) -> None:
        """Open the judging screen in a session."""
        self.go(session)
        self.screen.wait()

    def begin_soon(self, session: str) -> None:
        """Open the judging screen and begin, whatever comes of it."""
        self.go(session)
        self.tab.see(BEGIN)
        self.tab.evaluate(f"selector => {{ const [node] = find(selector, ''); {SOON} }}", BEGIN)

    def go(self, session: str) -> None:
        self.tab.set_cookie(self.server.cookie, session)
        self.tab.goto(self.server.address)

    def open_anew(self) -> None:
        """Open another tab, as whoever has lost one."""
        self.tab = self.tab.firefox.open(self.tab.visit)
        self.screen = Screen(self.tab)

    @property
    def step(self) -> str:
        return self.screen.step

    def ask(self, script: str) -> Any:
        return self.tab.evaluate(script)

    def run_in_the_page(self, script: str) -> None:
        """Run a script as if the sandbox let the page do so."""
        wait_for_document(self.tab).evaluate(script)

    def attack(self) -> None:
        """Click on everything in the pages that are shown."""
        for frame in self.tab.frames():
            with suppress(Refused):  # it is hidden, or leads elsewhere
                points = frame.evaluate(PRESSABLE)[:MOST]
                in_sight = self.tab.evaluate(UNCOVERED, frame.evaluate(CORNER), points)
                for x, y in in_sight:
                    frame.point(x, y)
                    self.pressed += 1
        self.tab.wait_for(f"() => !({IN_FRAME})()")

    def open_for_marks(self) -> None:
        """Let passages be marked in the page, which is then shown anew."""
        self.screen.press_when_seen("p")
        self.tab.see(f"{FRAME}[sandbox=allow-same-origin]")
        wait_for_document(self.tab)

    def open_results(self) -> None:
        """Open each result of two lists and click on everything in it; close it."""
        self.attack()
        if not self.tab.count(part("open-hint")):
            return
        self.tab.press("o")
        for key in OPENABLE:
            self.tab.press(key)
            self.screen.expect("opened-where", f"result {key} of")
            self.attack()
        self.tab.press("Escape")
        self.tab.see_none(part("opened"))

    def judge(self, key: str) -> None:
        self.screen.judge([key])

    def press(self, key: str) -> None:
        self.tab.press(key)

    def judge_pairs(self) -> list[Shown]:
        """Look at all pairs and judge them."""
        return judge_pairs(self.screen, lambda: None, self.open_results)

    def wait_for_labels(self) -> None:
        self.screen.expect_saved()

    def happened(self) -> dict[str, int]:
        """Return what happened, and end the visit."""
        happened = count_happenings(self.tab, self.catcher)
        self.tab.leave()
        return happened


Assessor = Chromium | AtFirefox
Hire = Callable[[Running], Assessor]


@pytest.fixture(params=[NAMES[0], pytest.param(NAMES[1], marks=long)])
def hire(request: pytest.FixtureRequest, catcher: Catcher) -> Hire:
    """Return what puts an assessor before a watched browser."""
    if request.param == "firefox":
        return lambda server: AtFirefox(request.getfixturevalue("firefox"), server, catcher)
    return lambda server: Chromium(request.getfixturevalue("browser"), server, catcher)


def sit(hire: Hire, study: Study, place: str) -> tuple[Assessor, str]:
    """Have somebody at the judging screen who judges what is in one place; returns the seat."""
    assessor = hire(study.server)
    name = f"{place} in {NAMES[isinstance(assessor, AtFirefox)]}"
    assessor.enter(study.seats[name].session)
    return assessor, name


def give_levels(assessor: Assessor, look: Callable[[], None]) -> list[tuple[str, int]]:
    """Look at each item and judge it; returns its document and level."""
    given = []
    while (step := assessor.step) != "finished":
        look()
        assert assessor.step == step, "nothing but a key leads on"
        level = len(given) % 4
        assessor.judge(str(level + 1))
        given.append((step.split("|")[1], level))
    return given


def check_labels(
    assessor: Assessor, study: Study, name: str, given: Sequence[tuple[str, int | None]]
) -> None:
    """Every label stands where it was given."""
    assessor.wait_for_labels()
    rows = study.labels(name)
    assert [(row["document_id"], row["level"]) for row in rows] == given


def expect_nothing(assessor: Assessor, record: Counts, items: int) -> None:
    """Nothing but texts was shown; who clicks on a link may connect, and learns that it is shut."""
    pressed, happened = assessor.pressed, assessor.happened()
    record("counts", f"{items} items, {pressed} clicks: {happened}")
    happened.pop("connections", None)
    assert set(happened.values()) == {0}


def test_pages_opened_for_marks_do_nothing(
    hire: Hire, study: Study, payloads: list[Payload], record_property: Counts
):
    assessor, name = sit(hire, study, "marks")

    def look() -> None:
        assessor.open_for_marks()
        assessor.attack()

    given = give_levels(assessor, look)
    assert len(given) == len(payloads)
    check_labels(assessor, study, name, given)
    expect_nothing(assessor, record_property, len(given))


@long
@pytest.mark.parametrize("place", ["snippets", "drawn"])
def test_snippets_pdfs_and_pictures_do_nothing(
    hire: Hire, study: Study, place: str, record_property: Counts
):
    assessor, name = sit(hire, study, place)
    given = give_levels(assessor, assessor.attack)
    check_labels(assessor, study, name, given)
    expect_nothing(assessor, record_property, len(given))


@long
def test_pages_kept_while_the_server_is_down_do_nothing(
    hire: Hire, study: Study, payloads: list[Payload], record_property: Counts
):
    assessor, name = sit(hire, study, "kept")
    hands = min(DEALT, len(payloads))
    wait_until(lambda: len(assessor.ask(KEPT)["pages"]) == hands)
    kept = []

    def look() -> None:
        assessor.attack()
        kept.append(assessor.ask(KEPT_FRAMES))

    study.server.kill()
    try:
        given = give_levels(assessor, look)
    finally:
        study.server.start()
    check_labels(assessor, study, name, given)
    assert sum(kept) >= hands - 4, "but for those that had come before the server went"
    expect_nothing(assessor, record_property, hands)


def test_messages_of_a_page_give_no_label_and_lead_nowhere(
    hire: Hire, study: Study, record_property: Counts
):
    """Nothing runs in a page; were it otherwise, nobody would listen to what it says."""
    assessor, name = sit(hire, study, "messages")
    address = assessor.ask("() => location.href")
    assessor.ask(HEARD)
    heard = []

    def look() -> None:
        before = assessor.ask("() => window.heard")
        assessor.run_in_the_page(POST)
        wait_until(lambda: assessor.ask("() => window.heard") >= before + 40)
        heard.append(assessor.ask("() => window.heard") - before)
        assert assessor.ask("() => location.href") == address

    given = give_levels(assessor, look)
    check_labels(assessor, study, name, given)
    record_property("counts", f"{sum(heard)} messages were heard")
    expect_nothing(assessor, record_property, len(given))


@pytest.mark.parametrize("left", few(GUARDS))
def test_each_guard_alone_holds_what_it_is_for(
    browser: Browser, study: Study, catcher: Catcher, left: str, record_property: Counts
):
    """Without the policy a page loads what it names; without the sandbox, too, its scripts run."""
    assessor = Chromium(browser, study.server, catcher, bypass_csp=left in ("sandbox", "none"))
    if left in ("policy", "none"):
        assessor.page.add_init_script(LOOSE)
    name = f"guards: {left}"
    assessor.enter(study.seats[name].session)
    if left != "none":

        def look() -> None:
            assessor.open_for_marks()
            assessor.page.wait_for_timeout(500)  # without the sandbox a field may take the focus

        check_labels(assessor, study, name, give_levels(assessor, look))
    else:
        for _ in range(5):  # half of the six do nothing by themselves, and any may come first
            expect(judge_screen(assessor.page)).to_have_attribute("data-ready", "true")
            assessor.page.get_by_test_id("later").click()
        wait_to_hear(assessor.page, lambda: assessor.watch.counts["executions"] > 0)
        wait_to_hear(assessor.page, lambda: len(catcher.asked) > 0)
    happened = assessor.happened()
    record_property("counts", f"guards left: {left}: {happened}")
    assert bool(happened["executions"]) == (left == "none")
    assert bool(happened["requests"]) == (left in ("sandbox", "none"))


@long
def test_both_sides_and_what_is_opened_beside_a_list_do_nothing(
    hire: Hire,
    tmp_path: Path,
    run_server: RunServer,
    payloads: list[Payload],
    record_property: Counts,
):
    """Two assessors; what is stored is what each saw and pressed."""
    made = make_pairs(tmp_path / "store.duckdb", deal(payloads, 8, 0, "\n"))
    server = run_server(made.path)
    seen: dict[str, list[Shown]] = {}
    clicks, happened = 0, Counter[str]()
    for person, session in made.sessions.items():
        assessor = hire(server)
        assessor.enter(session)
        seen[person] = assessor.judge_pairs()
        clicks += assessor.pressed
        happened.update(assessor.happened())
    server.stop()
    check_stored(made, seen)
    record_property("counts", f"{sum(map(len, seen.values()))} pairs, {clicks} clicks: {happened}")
    del happened["connections"]
    assert happened.total() == 0


@long
def test_pages_that_take_long_to_draw_can_be_judged_or_left(
    hire: Hire, tmp_path: Path, record_property: Counts
):
    wishes = {
        what: Wish(documents=({"id": "bomb", "title": what, "html": text}, page_of(1)), plan=PAGES)
        for what, text in BOMBS.items()
    }
    taken, left = {}, []
    with run_study(tmp_path, wishes) as study:
        for what in wishes:
            assessor = hire(study.server)
            assessor.enter(study.seats[what].session)
            begun = time.monotonic()
            given = [judge_or_leave(assessor) for _ in range(2)]
            assert assessor.step == "finished"
            taken[what] = round(time.monotonic() - begun, 1)
            check_labels(assessor, study, what, given)
            left += [what for _, level in given if level is None]
            assert set(assessor.happened().values()) == {0}
    record_property("counts", f"seconds for a page and the next: {taken}; left: {left}")


def judge_or_leave(assessor: Assessor) -> tuple[str, int | None]:
    """Judge what is shown, or say that it cannot be judged if it takes too long to draw."""
    step = assessor.step
    wait_until(lambda: assessor.ask(STATE) in ("ready", "failed"))
    level = 0 if assessor.ask(STATE) == "ready" else None

    def goes_on() -> bool:
        if assessor.step == step and level is None:  # what is pressed too soon is not taken
            assessor.press("x")
            assessor.press("1")
        return assessor.step != step

    if level == 0:
        assessor.press("1")
    wait_until(goes_on)
    return step.split("|")[1], level


@long
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_a_page_at_which_the_browser_stands_still_is_not_shown_and_not_judged_afterwards(
    hire: Hire, tmp_path: Path, record_property: Counts
):
    """The window is lost once; whoever opens another is told, and says that it cannot be judged."""
    text = STANDSTILLS["a drawing of itself"]
    pages = ({"id": "still", "title": "Still", "html": text}, page_of(1))
    with run_study(tmp_path, {"still": Wish(documents=pages, plan=PAGES)}) as study:
        session = study.seats["still"].session
        assessor = hire(study.server)
        assessor.begin_soon(session)
        before = read_times(os.getpid())
        busy: list[int] = []

        def stands_still() -> bool:
            now = read_times(os.getpid())
            busy[:] = [pid for pid, took in now.items() if took > before.get(pid, 0) + STUCK]
            return bool(busy)

        wait_until(stands_still)
        for pid in busy:
            os.kill(pid, signal.SIGKILL)
        assessor.open_anew()
        assessor.enter(session)
        given = []
        for _ in range(2):
            if "|still|" in assessor.step:
                wait_until(lambda: assessor.ask(STATE) == "failed")
                assessor.press("1")
                assert "|still|" in assessor.step
            given.append(judge_or_leave(assessor))
        check_labels(assessor, study, "still", given)
        assessor.happened()
    record_property("counts", f"{len(busy)} processes stood still")
    assert [what for what, level in given if level is None] == ["still"]


def read_times(root: int) -> dict[int, float]:
    """Return how many seconds of a processor each renderer took that this process has begun."""
    parents, times = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
            if b"--type=renderer" in (line := (folder / "cmdline").read_bytes()) or (
                b"-contentproc" in line and line.rstrip(b"\0").endswith(b"tab")
            ):
                times[int(folder.name)] = int(fields[11]) / os.sysconf("SC_CLK_TCK")

    def is_ours(pid: int) -> bool:
        return pid == root or (pid in parents and is_ours(parents[pid]))

    return {pid: took for pid, took in times.items() if is_ours(pid)}
