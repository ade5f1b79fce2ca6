"""What Firefox shows: every width, keys and focus, doors, figures, hostile texts."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from core.assessment.class_mode import list_class_topics, start_lesson
from core.assessment.rounds.rounds import Plan
from core.store.people.people import add_person, begin_session
from core.store.rounds.lessons import lesson_code
from core.store.store import Store
from tests.browser.firefox import Firefox, Refused, Tab
from tests.browser.firefox_screen import IN_FRAME, IN_SIGHT, Screen, part, sit
from tests.browser.running import Running, wait_until
from tests.browser.study import Study, Wish, run_study
from tests.browser.test_doors import PATHS
from tests.browser.test_judge_reading import FOCUSED, SIZES
from tests.browser.test_judge_reading import WISHES as READING
from tests.browser.test_judging import make_store
from tests.faults.payloads import IN_PAGES, Payload, make_payloads
from tests.faults.xss_watch import Bare, Catcher, catch

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
    pytest.mark.usefixtures("only_in_full"),
]

Counts = Callable[[str, object], None]
RunServer = Callable[[Path | None], Running]
FIGURED = (
    *("monitor", "agreement", "assessors", "disagreement", "verification", "qrels"),
    *("effectiveness", "ranking", "comparison", "preferences", "informativeness"),
    *("precision-recall", "one-number", "graded-relevance", "rank-correlation"),
    "disagreeing-users",
    "position-bias",
)
"""The pages with figures, in the demo."""

LISTEN = """(hit) => {
  window.__hit = hit;
  for (const name of ["alert", "confirm", "prompt", "print"]) window[name] = () => hit(name);
}"""
MARKUP = """() => find("[data-step]", "")[0].querySelectorAll(
  "img, script, svg, object, embed, form:not([data-ref]), " +
  "a[href]:not([data-ref]), base, meta, link, style, [onerror], [onload], [onfocus], " +
  "[onclick], [onmouseover], iframe:not([sandbox=''])").length"""
PRESSABLE = """() => [...document.querySelectorAll(
  "a, area, button, summary, input[type=submit], input[type=image], [onclick]")].map((one) => {
    const {x, y, width, height} = one.getBoundingClientRect();
    return [Math.round(x + width / 2), Math.round(y + height / 2)];
  }).filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight)"""
LOADED = (
    "() => innerHeight && document.readyState === 'complete' && location.href !== 'about:blank'"
)
PAUSE = "() => new Promise(go => setTimeout(go, 500))"
PASSWORD = "a cat, a hat and a bat"
PLOT = ".js-plotly-plot"
POINTS = """() => [...find(".js-plotly-plot", "")[0].querySelectorAll(".points path")].map(
  (one) => {
    const {x, y, width, height} = one.getBoundingClientRect();
    return [Math.round(x + width / 2), Math.round(y + height / 2)];
  })"""
ANSWER = ".st-key-answer"
SCRIPT_ERROR = ("javascript", "error")
WHOLE = """(selector) => {
  const [one] = find(selector, "");
  const {top, bottom, left, right} = one.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}"""
TOPS = """() => ["kind", "levels"].map(
  (name) => Math.round(find(`[data-testid=${name}]`, "")[0].getBoundingClientRect().top))"""
TOO_LARGE = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const [root] = find("[data-step]", "");
  return [document.documentElement, main, root].flatMap((one, place) => [
    ...(one.scrollWidth > one.clientWidth ? [`${place} is ${one.scrollWidth} wide`] : []),
    ...(place === 1 && one.scrollHeight > one.clientHeight ? ["more than one screen"] : []),
  ]);
}"""
DRAWN = """() => find(".js-plotly-plot", "").map((one) =>
  [...one.querySelectorAll("path, rect, text")].filter((part) => {
    const {width, height} = part.getBoundingClientRect();
    return width && height;
  }).length)"""
SETTLED = """() => document.querySelector(".stApp")?.dataset.testScriptState === "notRunning"
  && document.querySelector("[data-testid=stMain] [data-testid=stElementContainer]")
  && !document.querySelector("[data-stale=true], [data-testid=stSkeleton]")"""


@pytest.fixture(scope="module")
def catcher() -> Iterator[Catcher]:
    with catch() as opened:
        yield opened


@pytest.fixture(scope="module")
def payloads(catcher: Catcher) -> list[Payload]:
    """What makes a browser do something."""
    return [one for one in make_payloads(catcher.host) if one.family in IN_PAGES]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, payloads: list[Payload]) -> Iterator[Study]:
    documents = tuple(
        {"id": f"d{n}", "title": one.text, "url": one.text, "html": one.text}
        for n, one in enumerate(payloads)
    )
    wishes = {name: READING[name] for name in ("script", "hostile", "widths", "order")}
    wishes["payloads"] = Wish(
        topics=(payloads[0].text,),
        documents=documents,
        plan=Plan(judges=1, flow="page only", depth=999),
        guidelines=payloads[1].text,
    )
    with run_study(tmp_path_factory.mktemp("shown"), wishes) as running:
        yield running


@pytest.fixture
def watched(firefox: Firefox, tab: Tab, catcher: Catcher) -> Tab:
    """A tab in which everything that a text makes happen is noted."""
    channel = {"type": "channel", "value": {"channel": "hit"}}
    firefox.ask(
        "script.addPreloadScript",
        functionDeclaration=LISTEN,
        arguments=[channel],
        userContexts=[tab.visit],
    )
    firefox.events.clear()
    catcher.asked.clear()
    return tab


def count_happenings(tab: Tab, catcher: Catcher) -> dict[str, int]:
    """Return what scripts of a text did since the tab was opened, and who asked the catcher."""
    tab.evaluate(PAUSE)
    happened = [(one["method"], one["params"]) for one in tab.firefox.events]
    opened = [one for name, one in happened if name == "browsingContext.contextCreated"]
    return {
        "executions": sum(
            name in ("script.message", "browsingContext.userPromptOpened") for name, _ in happened
        ),
        "requests": sum(" HTTP/" in line for (line,) in catcher.asked),
        "popups": sum(bool(one["originalOpener"]) for one in opened),
    }


def wait_for_document(tab: Tab) -> Tab:
    """Wait for the document on screen to be loaded, and return its frame."""
    shown: list[Tab] = []

    def has_come() -> bool:
        with suppress(Refused):  # a frame may go while it is asked
            shown[:] = [one for one in tab.frames() if one.evaluate(LOADED)]
        return len(shown) == 1

    wait_until(has_come)
    return shown[0]


def click_at_last(tab: Tab, x: int, y: int) -> None:
    """Click at a place; Firefox refuses now and then while it lays a page out, and then does it."""

    def is_clicked() -> bool:
        with suppress(Refused):
            tab.point(x, y)
            return True
        return False

    wait_until(is_clicked)


def test_hostile_documents_do_nothing_and_keys_go_on(
    watched: Tab, study: Study, payloads: list[Payload], catcher: Catcher, record_property: Counts
):
    """Each is shown and judged; what can be clicked in it is clicked."""
    screen = sit(watched, study, "payloads")
    clicks, seen = 0, set()
    for _ in payloads:
        seen.add(screen.step)
        shown = wait_for_document(watched)
        for x, y in shown.evaluate(PRESSABLE):
            click_at_last(shown, x, y)
            clicks += 1
        watched.wait_for(f"() => !({IN_FRAME})()")
        assert watched.evaluate(MARKUP) == 0
        screen.judge("1")
    happened = count_happenings(watched, catcher)
    record_property("counts", f"{len(seen)} payloads, {clicks} clicks: {happened}")
    screen.expect_over()
    assert len(seen) == len(payloads) == len(study.labels("payloads"))
    assert clicks >= 10
    assert set(happened.values()) == {0}


def test_the_same_documents_attack_where_nothing_guards(
    watched: Tab, payloads: list[Payload], catcher: Catcher, record_property: Counts
):
    """What is counted as 0 above is seen when it happens."""
    bare = Bare([one.text for one in payloads])
    for start in range(0, len(payloads), Bare.FRAMES):
        with suppress(Refused):  # one navigation is overtaken by another
            watched.goto(f"{bare.address}/frames/{start}")
        watched.evaluate(PAUSE)
    watched.goto(f"{bare.address}/none")
    happened = count_happenings(watched, catcher)
    bare.close()
    record_property("counts", f"{len(payloads)} payloads where nothing guards: {happened}")
    assert happened["executions"] >= 20
    assert happened["requests"] >= 20


def test_hostile_texts_are_shown_and_do_nothing(watched: Tab, study: Study, catcher: Catcher):
    screen = sit(watched, study, "hostile")
    screen.expect("query", "<b onmouseover=alert(1)>cats</b>")
    screen.expect("snippet", 'onerror="window.hurt=1">')
    watched.press("g")
    screen.expect("guidelines", "onerror=window.hurt=6")
    watched.press("g")
    screen.judge("4")
    screen.expect("page", "<script>window.hurt=3</script>")
    assert watched.evaluate(MARKUP) == 0
    assert watched.evaluate("() => window.hurt") is None
    assert count_happenings(watched, catcher)["executions"] == 0


def test_text_runs_in_the_direction_of_its_script(tab: Tab, study: Study):
    screen = sit(tab, study, "script")
    assert direction(tab, part("query")) == "rtl"
    assert direction(tab, f"{part('snippet')} .title") == "rtl"
    assert direction(tab, f"{part('snippet')} .url") == "ltr"
    screen.judge("4")
    paragraphs = "() => find('.passage p', '').map(one => getComputedStyle(one).direction)"
    assert tab.wait_for(paragraphs) == ["rtl", "ltr"]


def direction(tab: Tab, selector: str) -> str:
    """Return the direction in which a text is set."""
    tab.see(selector)
    read = "selector => getComputedStyle(find(selector, '')[0]).direction"
    return str(tab.evaluate(read, selector))


@pytest.mark.parametrize("size", SIZES)
def test_query_item_and_levels_are_in_sight_at_every_width(tab: Tab, study: Study, size: str):
    width, height = SIZES[size]
    tab.resize(width, height)
    screen = sit(tab, study, "widths")
    places = set()
    for key in "lll":
        screen.judge(key)
        for name in ("query", "levels"):
            tab.wait_for(WHOLE, part(name))
        assert tab.evaluate(IN_SIGHT, part("item"), "")
        places.add(tuple(tab.evaluate(TOPS)))
    assert len(places) == 1, "items and levels stay where they are"
    too_wide = tab.evaluate(TOO_LARGE)
    assert too_wide == []


def test_tab_goes_through_the_screen_in_the_order_of_the_work(tab: Tab, study: Study):
    screen = sit(tab, study, "order")
    tab.see("[data-ready=true]")
    tab.evaluate("() => find('[data-testid=item]', '')[0].focus()")
    order = []
    for _ in range(15):
        tab.press("Tab")
        order.append(tab.evaluate(FOCUSED))
    levels = [f"level-{level}" for level in range(5)]
    assert order == [
        "smaller",
        "larger",
        "width",
        *levels,
        "back",
        "undo",
        "later",
        "cannot",
        "comment",
        "ask",
        "help",
    ]
    for _ in range(11):
        tab.press("Shift+Tab")
    assert tab.evaluate(FOCUSED) == "level-0"
    screen.change_by(lambda: tab.press("Enter"))
    assert tab.evaluate(FOCUSED) == "level-0", "the next item can be judged the same way"
    tab.press("Shift+Tab")
    assert tab.evaluate(FOCUSED) == "width"
    tab.press("?")
    tab.see("dialog", "Help")
    tab.press("2")
    screen.expect("progress", "2 of 3")
    tab.press("Escape")
    tab.see_none("dialog")
    screen.judge("2")
    screen.expect_saved()


def test_whoever_is_not_signed_in_meets_the_doors(
    firefox: Firefox, tab: Tab, tmp_path: Path, run_server: RunServer
):
    """Every address; a link, which works once; a password; a class; and out again."""
    path = tmp_path / "store.duckdb"
    _, token = make_store(path)
    store = Store(path)
    lesson = start_lesson(store, list_class_topics()["topic_id"].iloc[0])
    code = lesson_code(store, lesson)
    store.close()
    server = run_server(path)
    for place in PATHS:
        tab.goto(f"{server.address}/{place}")
        tab.see("main", "You need an invitation link")
    tab.goto(f"{server.address}/enter/{token}")
    tab.see("main", "You are invited as Assessor")
    tab.click("button", "Sign in")
    Screen(tab).wait()
    name = set_password(tab)
    other = firefox.visit()
    other.goto(f"{server.address}/enter/{token}")
    other.see("main", "used")
    other.goto(server.address)
    other.click("a", "Sign in with a password")
    other.see("input[name=password]")
    other.press(*name, "Tab", *"not the one", "Enter")
    other.see("main", "Name or password is wrong.")
    other.press(*name, "Tab", *PASSWORD, "Enter")
    Screen(other).wait()
    other.click("a", "Account")
    other.click("button", "Sign out")
    other.see("main", "You need an invitation link")
    other.click("a", "Join a class")
    other.fill("input", code)
    other.press("Enter")
    other.click("button", "Join the class")
    Screen(other).wait().judge("1")
    other.leave()


def set_password(tab: Tab) -> str:
    """Set a password on one's account; returns the name that goes with it."""
    tab.click("a", "Account")
    tab.see("[data-testid=stMain] input[type=password]")
    for label in ("A new password", "Repeat the new password"):
        tab.fill(f"input[aria-label='{label}']", PASSWORD)
    tab.click("[data-testid=stMain] button", "Set")
    tab.see("[data-testid=stMain]", "Your password is set")
    told = tab.see("[data-testid=stText]", "You can sign in with the name")
    return told.split("name ")[1].split(" and your")[0]


def test_an_organisers_page_shows_a_new_label_without_a_reload(
    firefox: Firefox, tab: Tab, tmp_path: Path, run_server: RunServer
):
    path = tmp_path / "store.duckdb"
    _, token = make_store(path)
    store = Store(path)
    session = begin_session(store, add_person(store, "Watcher", "organiser"))
    store.close()
    server = run_server(path)
    tab.set_cookie(server.cookie, session)
    tab.goto(server.address)
    tab.see(ANSWER, ": 0 of ")
    other = firefox.visit()
    other.goto(f"{server.address}/enter/{token}")
    other.click("button", "Sign in")
    Screen(other).wait().judge("2")
    tab.see(ANSWER, ": 1 of ")
    other.leave()


def watch_as_an_organiser(tab: Tab, run_server: RunServer) -> Running:
    """Run the demo and enter it by its door."""
    server = run_server(None)
    tab.goto(server.address)
    tab.click("button", "Watch as an organiser")
    tab.see("[data-testid=stTopNavLink]")
    tab.wait_for(SETTLED)
    return server


def test_every_figure_of_the_demo_is_drawn(
    tab: Tab, run_server: RunServer, record_property: Counts
):
    server = watch_as_an_organiser(tab, run_server)
    tab.firefox.events.clear()
    drawn: dict[str, list[int]] = {}
    for place in FIGURED:
        tab.goto(f"{server.address}/{place}")
        tab.wait_for(SETTLED)
        assert tab.count("[data-testid=stException]") == 0
        drawn[place] = tab.wait_for(DRAWN)
        assert len(drawn[place]) == tab.count("[data-testid=stPlotlyChart]")
        tab.evaluate(f"() => find('{PLOT}', '')[0].scrollIntoView({{block: 'center'}})")
        assert len(colours(tab)) > 20, place
    figures = sum(map(len, drawn.values()))
    record_property("counts", f"{figures} figures on {len(drawn)} pages")
    assert figures >= 2 * len(FIGURED)
    assert all(min(parts) >= 10 for parts in drawn.values()), drawn
    logged = [one["params"] for one in tab.firefox.events if one["method"] == "log.entryAdded"]
    errors = [one["text"] for one in logged if (one["type"], one["level"]) == SCRIPT_ERROR]
    assert [text for text in errors if not text.startswith("Content-Security-Policy")] == []


def colours(tab: Tab) -> list[tuple[int, object]]:
    """Return the colours that are to be seen."""
    picture = Image.open(BytesIO(tab.shoot())).convert("RGB")
    return picture.getcolors(picture.width * picture.height) or []


def test_a_figure_says_what_is_under_the_pointer(tab: Tab, run_server: RunServer):
    server = watch_as_an_organiser(tab, run_server)
    tab.goto(f"{server.address}/effectiveness")
    tab.wait_for(SETTLED)
    tab.hover(f"{PLOT} .nsewdrag")
    for x, y in tab.wait_for(POINTS):
        tab.point(x, y, 0)
        tab.evaluate(PAUSE)
        if tab.count(f"{PLOT} .hoverlayer text"):
            return
    pytest.fail("no point of the figure said anything")


def test_firefox_would_be_seen_asking_another_machine(tab: Tab, outside: Catcher):
    """What every test here expects not to happen."""
    assert outside.asked == []
    tab.goto("http://elsewhere.example/page")
    tab.evaluate("() => fetch('https://elsewhere.example/').catch(() => 0)")
    asked = [line for (line,) in outside.asked]
    outside.asked.clear()
    assert "GET http://elsewhere.example/page HTTP/1.1" in asked
    assert "CONNECT elsewhere.example:443 HTTP/1.1" in asked
