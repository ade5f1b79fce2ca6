"""Judging in Firefox: what is stored is what was on the screen, whatever happens in between."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from core.assessment.rounds.rounds import Plan
from core.store.content.practice import PracticeItem
from tests.browser.firefox import Firefox, Refused, Tab
from tests.browser.firefox_screen import ANOTHER, IN_FRAME, IN_SIGHT, OVER, Screen, part, sit
from tests.browser.running import Running, wait_until
from tests.browser.study import Study, Wish, page_of, run_study
from tests.browser.test_judging import DOCUMENTS, check_labels, make_store
from tests.browser.test_offline import KEPT
from tests.browser.test_side_by_side import KEYS, Shown, check_stored
from tests.browser.test_side_by_side import make_store as make_pairs
from tests.short import long

pytestmark = pytest.mark.browser

Counts = Callable[[str, object], None]
PAGES = Plan(judges=1, flow="page only", depth=99)
MANY = tuple(page_of(number) for number in range(20))
FRAMED = tuple(
    {"id": f"d{n}", "title": f"Title {n}", "html": f"<p>Framed {n}</p>" * 100} for n in range(8)
)
LONG = {**page_of(1), "text": "\n\n".join(f"Paragraph {n} about cats." for n in range(60))}
WISHES = {
    **dict.fromkeys(("revise", "undo", "later", "cannot", "comment"), Wish()),
    **dict.fromkeys(("keys", "tabs", "double", "left"), Wish()),
    "many": Wish(documents=MANY, plan=PAGES),
    "down": Wish(documents=MANY, plan=PAGES),
    "offline": Wish(documents=MANY, plan=PAGES),
    "frames": Wish(documents=FRAMED[:4], plan=PAGES),
    "renewed": Wish(documents=FRAMED, plan=PAGES),
    "scroll": Wish(documents=(LONG,), plan=PAGES),
    "practice": Wish(
        plan=PAGES, practice=(PracticeItem("t1", "d1", "page", "", 1, "It only names a cat."),)
    ),
}
TITLES = "side => find(`${side} .title`, '').map(one => one.textContent)"
NOTE_BLUR = "() => { window.left = 0; addEventListener('blur', () => window.left += 1); }"
PAUSE = "new Promise(go => setTimeout(go, 500))"
WATCH_RERUNS = """() => {
  const app = document.querySelector('.stApp');
  if (app?.dataset.testScriptState !== 'notRunning') return false;
  window.reruns = 0;
  new MutationObserver(() => { window.reruns += 1; })
    .observe(app, {attributeFilter: ['data-test-script-state']});
  return true;
}"""
FRAME = "iframe:not(.ahead)"
BACK = "() => window.left && document.activeElement === document.body"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("firefox"), WISHES) as running:
        yield running


@long
def test_every_press_has_exactly_one_label_though_the_server_is_killed(
    tab: Tab, tmp_path: Path, run_server: Callable[[Path | None], Running], record_property: Counts
):
    """By link and button, 24 items, kill -9 in between; keys go on after a click into a frame."""
    assessor, token = make_store(tmp_path / "store.duckdb")
    server = run_server(tmp_path / "store.duckdb")
    tab.goto(f"{server.address}/enter/{token}")
    tab.click("button", "Sign in")
    screen = Screen(tab).wait()
    pressed: dict[str, int] = {}
    kept, clicked = 0, 0
    for number in range(DOCUMENTS * 3):
        if number == 9:
            server.kill()
        if number == 15:
            tab.see("[data-waiting]:not([data-waiting='0'])")
            kept = screen.count_kept()
            server.start()
        if screen.step.split("|")[1:3] == ["d3", "page"]:
            tab.see(FRAME)
            click_into_the_frame(tab)
            clicked += 1
        step, level = screen.step, number % 4
        screen.press_when_seen(str(level + 1))
        pressed[step] = level
        tab.wait_for(ANOTHER, step)
    screen.expect_over()
    server.stop()
    record_property("counts", f"{len(pressed)} labels, {kept} of them kept meanwhile")
    assert len(pressed) == DOCUMENTS * 3
    assert kept >= 6
    assert clicked == 1
    check_labels(tmp_path / "store.duckdb", assessor, pressed)


def click_into_the_frame(tab: Tab) -> None:
    """Click into the page that is shown, and wait until the keys are the screen's again."""
    tab.evaluate(NOTE_BLUR)
    tab.click(FRAME)
    tab.wait_for(BACK)


@pytest.mark.usefixtures("only_in_full")
def test_a_frame_keeps_the_keys_only_when_it_was_entered_by_keyboard(tab: Tab, study: Study):
    """Without the first half the second would say nothing: a frame does swallow keys."""
    screen = sit(tab, study, "frames")
    first = screen.step
    tab.see(FRAME)
    tab.evaluate("() => find('[data-testid=width]', '')[0].focus()")
    tab.press("Tab")
    assert tab.evaluate(IN_FRAME)
    tab.press("1", "2", "3")
    (inside,) = [frame for frame in tab.frames() if frame.evaluate("() => document.hasFocus()")]
    inside.press("1", "PageDown")
    inside.wait_for("() => scrollY > 100")
    assert tab.evaluate(IN_FRAME)
    assert screen.step == first
    inside.press("Shift+Tab")
    if tab.evaluate(f"() => {PAUSE}.then({IN_FRAME})"):
        inside.press("Shift+Tab")  # Firefox may stop at the page itself before it leaves
    tab.wait_for(f"() => !({IN_FRAME})()")
    judged = screen.judge("2")
    for key in "34":
        click_into_the_frame(tab)
        judged += screen.judge(key)
    click_into_the_frame(tab)
    screen.press_when_seen("1")
    screen.expect_over()
    rows = study.labels("frames")
    assert [row["document_id"] for row in rows][:3] == [one.split("|")[1] for one in judged]
    assert [row["level"] for row in rows] == [1, 2, 3, 0]


@pytest.mark.usefixtures("only_in_full")
def test_twenty_items_by_keys(tab: Tab, study: Study, record_property: Counts):
    screen = sit(tab, study, "many")
    keys = [str(1 + number % 5) for number in range(19)]
    judged = dict(zip(screen.judge(keys), keys, strict=True))
    judged[screen.step] = "3"
    screen.press_when_seen("3")
    screen.expect_over()
    stored = {row["document_id"]: row["level"] for row in study.labels("many")}
    record_property("counts", f"{len(stored)} labels")
    assert stored == {step.split("|")[1]: int(key) - 1 for step, key in judged.items()}
    assert len(study.labels("many")) == 20


@pytest.mark.usefixtures("only_in_full")
def test_back_and_another_level_replace_the_first(tab: Tab, study: Study):
    screen = sit(tab, study, "revise")
    (first,) = screen.judge("1")
    screen.expect_saved()
    tab.press("ArrowLeft")
    screen.expect_step(first)
    assert tab.attribute(part("level-0"), "aria-pressed") == "true"
    screen.judge("3")
    screen.expect_saved()
    old, new = study.labels("revise")
    assert [old["level"], new["level"]] == [0, 2]
    assert new["supersedes"] == old["event_id"]
    assert not new["stale"]


@pytest.mark.usefixtures("only_in_full")
def test_undo_takes_the_last_judgement_back(tab: Tab, study: Study):
    screen = sit(tab, study, "undo")
    first, second = screen.judge("12")
    tab.press("u")
    screen.expect_step(second)
    tab.press("Control+z")
    screen.expect_step(first)
    tab.press("u")
    screen.expect("notice", "no judgement of this visit")
    screen.judge("4")
    screen.expect_step(second)
    screen.expect_saved()
    one, two = first.split("|")[1], second.split("|")[1]
    states = [(row["document_id"], row["state"], row["level"]) for row in study.labels("undo")]
    assert states == [
        (one, "level", 0),
        (two, "level", 1),
        (two, "unjudged", None),
        (one, "unjudged", None),
        (one, "level", 3),
    ]


@pytest.mark.usefixtures("only_in_full")
def test_what_is_put_off_comes_again_at_the_end(tab: Tab, study: Study):
    screen = sit(tab, study, "later")
    first, *others = screen.judge("l11")
    screen.expect_step(first)
    assert first not in others
    screen.press_when_seen("l")
    screen.expect("finished", "1 left for later")
    tab.click(part("reopen"))
    screen.expect_step(first)
    screen.press_when_seen("2")
    screen.expect_over()
    states = [row["state"] for row in study.labels("later")]
    assert states == ["later", "level", "level", "later", "level"]


@pytest.mark.usefixtures("only_in_full")
def test_cannot_judge_with_a_reason(tab: Tab, study: Study):
    screen = sit(tab, study, "cannot")
    tab.press("x")
    screen.expect("reasons", "wrong language")
    (step,) = screen.judge("2")
    screen.expect_saved()
    rows = [(row["document_id"], row["state"], row["comment"]) for row in study.labels("cannot")]
    assert rows == [(step.split("|")[1], "cannot judge", "wrong language")]


@pytest.mark.usefixtures("only_in_full")
def test_a_comment_goes_with_the_judgement(tab: Tab, study: Study):
    screen = sit(tab, study, "comment")
    step = screen.step
    tab.press("c")
    tab.type("1 cat, <b>bold</b> & rare\n")
    screen.expect_step(step)
    tab.press("Control+Enter")
    tab.see_none(part("comment-form"))
    screen.judge("3")
    screen.expect_saved()
    tab.press("ArrowLeft")
    screen.expect_step(step)
    tab.press("c")
    written = "() => find('[data-testid=comment-text]', '')[0]?.value"
    assert tab.wait_for(written) == "1 cat, <b>bold</b> & rare"
    tab.press("Control+a")
    tab.type("another")
    tab.press("Control+Enter")
    screen.expect("notice", "Comment noted.")
    screen.expect_saved()
    rows = [(row["level"], row["comment"]) for row in study.labels("comment")]
    assert rows == [(2, "1 cat, <b>bold</b> & rare"), (2, "another")]


@pytest.mark.usefixtures("only_in_full")
def test_letters_mean_nothing_to_streamlit_here(tab: Tab, study: Study):
    """C and R are Streamlit's keys elsewhere: as the last lines show."""
    screen = sit(tab, study, "keys")
    step = screen.step
    tab.wait_for(WATCH_RERUNS)
    tab.press("r", "c")
    tab.type("rc")
    assert tab.wait_for("() => find('[data-testid=comment-text]', '')[0]?.value") == "rc"
    tab.press("Escape")
    tab.click(part("comment-discard"))
    tab.press("r")
    screen.expect_step(step)
    assert tab.count("[role=dialog]") == 0
    assert tab.evaluate(f"() => {PAUSE}.then(() => window.reruns)") == 0
    assert study.labels("keys") == []
    tab.goto(f"{study.server.address}/history")
    tab.wait_for(WATCH_RERUNS)
    tab.press("r")
    tab.wait_for("() => window.reruns")


@pytest.mark.usefixtures("only_in_full")
def test_the_item_scrolls_by_keyboard_and_its_query_stays(tab: Tab, study: Study):
    screen = sit(tab, study, "scroll")
    step, last = screen.step, "Paragraph 59"
    assert not is_in_sight(tab, ".passage p", last)
    tab.press("Space", "ArrowDown", *["PageDown"] * 14)
    tab.wait_for(IN_SIGHT, ".passage p", last)
    assert is_in_sight(tab, part("query"))
    assert is_in_sight(tab, part("level-3"))
    assert screen.step == step


@pytest.mark.usefixtures("only_in_full")
def test_practice_has_its_feedback(tab: Tab, study: Study):
    screen = sit(tab, study, "practice")
    screen.expect("practice", "Practice, not counted")
    screen.press_when_seen("1")
    screen.expect("feedback", "✗ We would say: Rel. It only names a cat.")
    screen.change_by(lambda: tab.press("Enter"))
    tab.see_none(part("feedback"))
    screen.expect("practised", "Practice: 0 of 1 as the organiser set it.")
    screen.change_by(lambda: tab.press("Enter"))
    screen.judge("11")
    screen.press_when_seen("1")
    screen.expect_over()
    assert [row["occasion"] for row in study.labels("practice")] == [-1, 0, 0, 0]


@pytest.mark.usefixtures("only_in_full")
def test_two_tabs_of_one_browser_know_of_each_other(firefox: Firefox, tab: Tab, study: Study):
    screen = sit(tab, study, "tabs")
    second = sit(firefox.open(tab.visit), study, "tabs")
    second.judge("2")
    second.expect_saved()
    screen.expect("again", "✓ Judged before")
    assert tab.attribute(part("level-1"), "aria-pressed") == "true"
    screen.judge("3")
    screen.expect_saved()
    first, later = study.labels("tabs")
    assert later["supersedes"] == first["event_id"]
    assert not later["stale"]


@pytest.mark.usefixtures("only_in_full")
def test_labels_wait_while_the_server_is_down_and_a_tab_is_closed(
    firefox: Firefox, tab: Tab, study: Study, record_property: Counts
):
    """Killed three times; in between the tab is closed, and another shows what the device kept."""
    screen = sit(tab, study, "down")
    tab.wait_for(f"async () => ({KEPT.strip()})().then(kept => kept.assignments.length)")
    judged, kept = screen.judge("123"), []
    screen.expect_saved()
    for turn in range(3):
        study.server.kill()
        judged += screen.judge("4512")
        kept.append(screen.count_kept())
        another = firefox.open(tab.visit)
        with suppress(Refused):  # Firefox may tell of what its service worker met with
            another.goto(f"{study.server.address}/judge")
        another.see(part("alone"), "Offline. You judge what this device has")
        if turn:
            tab.close()
        study.server.start()
        if turn:
            tab = another
            tab.goto(f"{study.server.address}/judge")
            screen = Screen(tab).wait()
        else:
            another.close()
        screen.expect_saved()
        assert screen.count_kept() == 0
    rows = study.labels("down")
    record_property("counts", f"{len(rows)} labels, 3 kills; kept meanwhile: {kept}")
    assert kept == [4, 4, 4]
    levels = [0, 1, 2, *[3, 4, 0, 1] * 3]
    wanted = [(step.split("|")[1], level) for step, level in zip(judged, levels, strict=True)]
    assert sorted((row["document_id"], row["level"]) for row in rows) == sorted(wanted)
    assert not any(row["stale"] for row in rows)


@pytest.mark.usefixtures("only_in_full")
def test_pages_that_could_not_come_come_when_the_server_is_back(tab: Tab, study: Study):
    """Firefox puts a page of its own in their place, and keys go on over it."""
    screen = sit(tab, study, "renewed")
    tab.see(FRAME)
    study.server.kill()
    screen.judge("12341")
    tab.see(".stApp[data-test-connection-state='PINGING_SERVER']")
    screen.judge("2")
    number = screen.step.split("|")[1].removeprefix("d")
    assert f"Framed {number}" not in framed_texts(tab)
    study.server.start()
    screen.expect_saved()
    wait_until(lambda: f"Framed {number}" in framed_texts(tab))
    assert len(study.labels("renewed")) == 6


@pytest.mark.usefixtures("only_in_full")
def test_without_a_network_judging_goes_on_and_a_reload_loses_nothing(tab: Tab, study: Study):
    screen = sit(tab, study, "offline")
    screen.judge("1")
    screen.expect_saved()
    tab.set_offline(True)
    screen.judge("234")
    tab.see("[data-waiting='3']")
    screen.expect("save-state", "3 labels wait on this device")
    assert tab.evaluate("() => navigator.onLine") is False
    assert len(study.labels("offline")) == 1
    tab.set_offline(False)
    screen.expect_saved()
    tab.set_offline(True)
    judged = screen.judge("512")
    with suppress(Refused):  # a service worker may still reach the server
        tab.reload()
    assert len(study.labels("offline")) == 4
    tab.set_offline(False)
    tab.goto(f"{study.server.address}/judge")
    screen.wait().expect_saved()
    screen.expect("progress", "8 of 20")
    tab.press("ArrowLeft")
    screen.expect_step(judged[-1])
    assert tab.attribute(part("level-1"), "aria-pressed") == "true"
    assert [row["level"] for row in study.labels("offline")] == [0, 1, 2, 3, 4, 0, 1]


@pytest.mark.usefixtures("only_in_full")
def test_the_browsers_own_way_back_leads_to_a_screen_that_works(tab: Tab, study: Study):
    screen = sit(tab, study, "left")
    (first,) = screen.judge("1")
    second = screen.step
    tab.goto("about:blank")
    tab.go_back()
    screen.wait().expect_step(second)
    assert screen.judge("2") == [second]
    screen.expect_saved()
    rows = [(row["document_id"], row["level"]) for row in study.labels("left")]
    assert rows == [(first.split("|")[1], 0), (second.split("|")[1], 1)]


@pytest.mark.usefixtures("only_in_full")
def test_a_double_click_judges_one_item(tab: Tab, study: Study):
    screen = sit(tab, study, "double")
    tab.see("[data-ready=true]")
    screen.change_by(lambda: tab.click(part("level-1"), times=2))
    screen.expect_saved()
    screen.expect("progress", "2 of 3")
    tab.press("Space")
    screen.expect("progress", "2 of 3")
    assert len(study.labels("double")) == 1


@pytest.mark.usefixtures("only_in_full")
def test_two_assessors_judge_pairs_and_lists(
    firefox: Firefox, tmp_path: Path, run_server: Callable[[Path | None], Running]
):
    made = make_pairs(tmp_path / "store.duckdb")
    server = run_server(made.path)
    seen: dict[str, list[Shown]] = {}

    def crash() -> None:
        server.kill()
        server.start()

    for person, session in made.sessions.items():
        tab = firefox.visit()
        tab.set_cookie(server.cookie, session)
        tab.goto(server.address)
        seen[person] = judge_pairs(Screen(tab).wait(), crash)
        assert tab.evaluate("() => window.hurt") is None
        tab.leave()
    server.stop()
    check_stored(made, seen)


def judge_pairs(
    screen: Screen, halfway: Callable[[], None], look: Callable[[], None] = lambda: None
) -> list[Shown]:
    """Look at everything that is handed out, and answer it, in turn by all keys."""
    seen: list[Shown] = []
    keys, tab = list(KEYS), screen.tab
    while True:
        tab.see(f"[data-waiting='0']:not([data-step=finished]), {OVER}, {part('next')}")
        if tab.count(OVER):
            return seen
        if screen.step == "finished":
            tab.press("Enter")
            tab.see(f"[data-step]:not([data-step=finished]), {OVER}")
            continue
        screen.wait()
        look()
        key = keys[len(seen) % len(keys)]
        left, right = (tuple(tab.evaluate(TITLES, part(side))) for side in ("left", "right"))
        (step,) = screen.judge([key])
        seen.append((step, key, left, right))
        if len(seen) == 3:
            halfway()


def framed_texts(tab: Tab) -> list[str]:
    """Return how the page that is shown begins, as long as it has come."""
    begins = "() => innerHeight && document.querySelector('p')?.textContent || ''"
    with suppress(Refused):  # a frame may go while it is asked
        return [frame.evaluate(begins) for frame in tab.frames()]
    return []


def is_in_sight(tab: Tab, selector: str, text: str = "") -> bool:
    """Tell whether something is on the screen, and not only on the page."""
    return bool(tab.evaluate(IN_SIGHT, selector, text))
