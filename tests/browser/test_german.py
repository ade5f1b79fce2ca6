"""A collection in German: nothing of what an assessor reads around the items is English."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.class_mode import join_lesson, start_own_lesson
from core.assessment.rounds.rounds import Plan
from core.language.translate import read_catalogue, speaking
from core.store.content.practice import PracticeItem
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import find_session
from core.store.rounds.lessons import lesson_code
from core.store.rounds.rounds import read_pool
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, press_when_seen, settle
from tests.browser.study import Study, Wish, judge, page_of, run_study
from tests.short import long

pytestmark = pytest.mark.browser

BOTH = Plan(judges=1, flow="snippet then page")
HEBREW = {**page_of(1), "title": "חתולים", "text": "חתולים וכלבים"}
WISHES = {
    "Katzen": Wish(
        topics=("Katzen", "Hunde"),
        documents=(HEBREW, page_of(2)),
        plan=BOTH,
        guidelines="Für alle.",
        practice=(PracticeItem("t1", "d1", "page", "", 2, "Nur ein Beispiel."),),
        language="de",
    ),
    "Cats": Wish(plan=Plan(judges=1, flow="page only")),
    "Hebräisch": Wish(documents=(HEBREW,), plan=Plan(judges=1, flow="page only"), language="de"),
}
GERMAN = read_catalogue("de")
ENGLISH_WORD = re.compile(r"\b(the|of|and|is|are|for|each|which|by|it)\b", re.IGNORECASE)
STREAMLITS = ".katex, [data-testid=stElementToolbar]"
"""Formulas, whose names stay, and Streamlit's own buttons above tables."""

LESSONS = ("precision-recall", "one-number", "graded-relevance", "rank-correlation")
LESSONS += ("disagreeing-users", "position-bias", "glossary")
SEEN = """(root, beside) => {
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  const texts = [];
  for (let node = walk.currentNode; node; node = walk.nextNode()) {
    if (!node.checkVisibility() || (beside && node.closest(beside))) continue;
    for (const name of ['aria-label', 'title', 'placeholder']) {
      if (node.getAttribute(name)) texts.push(node.getAttribute(name));
    }
    for (const one of node.childNodes) {
      if (one.nodeType === Node.TEXT_NODE && one.data.trim()) texts.push(one.data.trim());
    }
  }
  return texts;
}"""


WORDS = (
    *("name", "query", "title", "what", "reason", "collection", "time", "items", "levels"),
    *("first", "second", "strength", "letter", "answer"),
)
"""Facts that may be anything; all others are numbers."""


def pattern_of(text: str) -> re.Pattern[str]:
    """Return what an English text looks like with its facts in it."""
    parts = re.split(r"\{(\w+)\}", text)
    facts = [r".+" if name in WORDS else r"[\d.,%]+" for name in parts[1::2]]
    return re.compile(
        "".join(map("".join, zip(map(re.escape, parts[::2]), [*facts, ""], strict=True)))
    )


FRAME = ".st-key-frame"
"""The collection in view and the tabs: in English for organisers, whatever the page is in."""


def left_english(page: Page, within: str = "[data-step]", beside: str = "") -> list[str]:
    """Return what is seen in English though there is a German text for it."""
    patterns = [
        pattern_of(text)
        for text, german in GERMAN.items()
        if text != german and re.search("[a-z]{2}", re.sub(r"\{\w+\}", "", text))
    ]
    texts = page.locator(within).first.evaluate(
        SEEN, f"{STREAMLITS}, {beside}" if beside else STREAMLITS
    )
    assert texts
    return [one for one in texts if any(each.fullmatch(one) for each in patterns)]


def start_class(store: Store) -> dict[str, str]:
    """Start a class of two who have judged every page, one of them under no nickname."""
    lesson = start_own_lesson(store, "merkur", ["Planet\nHeiß.", "Metall\nGiftig."], language="de")
    pool = read_pool(store, lesson.round_id)
    sessions = {}
    for number, name in enumerate(("Kiebitz", "")):
        with speaking("de"):
            sessions[name] = join_lesson(store, lesson_code(store, lesson), name)
        student = find_session(store, sessions[name])
        assert student is not None
        for place, document in enumerate(sorted(pool["document_id"])):
            key = Key("own", document, "page", "", student.person_id, 0)
            event = LabelEvent(str(uuid4()), None, key, "level", number * place, comment="Darum.")
            store.labels.append(lesson.collection_id, [event])
    return {"class": lesson.collection_id, "student": sessions["Kiebitz"]}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("german"), WISHES, start_class) as running:
        yield running


@long
def test_a_sitting_from_the_card_to_the_end_is_in_german(browser: Browser, study: Study):
    page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
    study.enter(page, study.seats["Katzen"].session)
    root = judge_screen(page)
    expect(root).to_have_attribute("data-step", "start")
    expect(root).to_have_attribute("lang", "de")
    expect(root).to_contain_text("Katzen bittet um Ihr Urteil")
    assert left_english(page) == []
    begin(page)
    assert left_english(page) == []
    press_when_seen(page, "1")
    expect(page.get_by_test_id("feedback")).to_contain_text("Wir würden sagen")
    assert left_english(page) == []
    page.keyboard.press("Enter")
    expect(root).to_have_attribute("data-step", "practised")
    assert left_english(page) == []
    begin_work(page)
    for key in ("?", "g", "x", "c"):
        page.keyboard.press(key)
        assert left_english(page) == [], key
        page.keyboard.press("Escape")
    judge(page, "121")
    expect(page.get_by_test_id("title").or_(root)).to_be_visible()
    assert left_english(page) == []
    page.context.close()


def begin_work(page: Page) -> None:
    page.keyboard.press("Enter")
    expect(judge_screen(page)).not_to_have_attribute("data-step", "practised")


_RIGHT_ENDS = """async node => {
  const root = node.getRootNode();
  await Promise.allSettled(root.getAnimations().map(one => one.finished));
  return [node, root.querySelector('[data-testid=width]')].map(
    one => one.getBoundingClientRect().right);
}"""
"""Both at one moment, and not while the item slides in."""


@long
def test_texts_that_run_from_right_to_left_still_do(browser: Browser, study: Study):
    page = browser.new_context().new_page()
    study.sit(page, "Hebräisch")
    expect(page.get_by_test_id("page")).to_have_attribute("dir", "rtl")
    expect(page.get_by_test_id("page").get_by_text("חתולים וכלבים")).to_have_css("direction", "rtl")
    expect(page.get_by_test_id("page").locator(".url")).to_have_css("text-align", "right")
    expect(judge_screen(page)).to_have_attribute("data-ready", "true")
    ends = page.get_by_test_id("page").evaluate(_RIGHT_ENDS)
    assert abs(ends[0] - ends[1]) < 2, "it begins at the right edge of the item"
    page.context.close()


@long
def test_pages_around_it_are_in_german(browser: Browser, study: Study):
    english = browser.new_page(locale="en-GB")
    english.goto(study.server.address)
    assert "Join a class" in left_english(english, "body")
    english.close()
    page = browser.new_context(locale="de-DE").new_page()
    page.goto(f"{study.server.address}/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert left_english(page, "body") == []
    for path in ("sign-in", "join"):
        page.goto(f"{study.server.address}/{path}")
        assert left_english(page, "body") == [], path
    for path in ("history", "account"):
        study.enter(page, study.seats["Katzen"].session, path)
        settle(page)
        assert left_english(page, "[data-testid=stMain]") == [], path
        assert left_english(page, "[data-testid=stHeader]") == [], path
    page.get_by_role("textbox", name="Ein neues Passwort").fill("abcabcabcabcabcabc")
    page.get_by_role("textbox", name="Das neue Passwort noch einmal").fill("abcabcabcabcabcabc")
    page.get_by_role("button", name="Setzen").click()
    expect(page.get_by_text("mindestens fünf verschiedene Zeichen")).to_be_visible()
    page.context.close()


def lessons(browser: Browser, study: Study, name: str, locale: str) -> Iterator[tuple[str, Page]]:
    """Yield each page that explains something, drawn to the end."""
    page = browser.new_context(locale=locale, viewport={"width": 1366, "height": 768}).new_page()
    for path in LESSONS:
        study.enter(page, study.seats[name].session, path)
        expect(page.locator("[data-testid=stMain] h1")).to_be_visible()
        settle(page)
        yield path, page
    page.context.close()


@long
def test_lessons_are_in_the_language_of_the_collection(browser: Browser, study: Study):
    for path, page in lessons(browser, study, "Katzen", "en-GB"):
        assert left_english(page, "[data-testid=stMain]") == [], path
        texts = page.locator("[data-testid=stMain]").first.evaluate(SEEN, STREAMLITS)
        texts = [one for one in texts if not one.startswith("Help for ")]  # Streamlit's
        assert [one for one in texts if ENGLISH_WORD.search(one)] == [], path


@long
def test_lessons_are_else_in_the_language_that_the_browser_asks_for(browser: Browser, study: Study):
    for locale, is_german in (("de-AT", True), ("en-GB", False)):
        for path, page in lessons(browser, study, "Cats", locale):
            left = left_english(page, "[data-testid=stMain]", FRAME)
            assert bool(left) is not is_german, (path, left)


@long
def test_usual_levels_are_in_german(browser: Browser, study: Study):
    page = browser.new_context().new_page()
    study.sit(page, "Hebräisch")
    for name in ("Nicht", "Etwas", "Gut", "Bestens", "Ziel"):
        expect(page.locator("[data-level]").get_by_text(name, exact=True).first).to_be_visible()
    page.context.close()


@long
def test_a_class_is_in_its_language_for_students_and_on_the_projector(
    browser: Browser, study: Study
):
    page = browser.new_context(locale="en-GB", viewport={"width": 1366, "height": 768}).new_page()
    study.enter(page, study.organiser, "class-mode")
    expect(page.get_by_role("heading", name="Wer was sagte")).to_be_visible()
    settle(page)
    assert left_english(page, "[data-testid=stMain]", FRAME) == []
    page.get_by_role("button", name="Auf der Leinwand zeigen").click()
    for step in ("Beitreten", "Urteilen", "Aufdecken"):
        expect(page.locator(".projector-steps b")).to_have_text(step)
        settle(page)
        assert left_english(page, "[data-testid=stMain]", FRAME) == [], step
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Seite B, 2 von 2")).to_be_visible()
    settle(page)
    page.keyboard.press("d")
    expect(page.get_by_test_id("split")).to_contain_text("Warum?")
    assert left_english(page, "[data-testid=stMain]", FRAME) == []
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Wie weit sind Sie sich einig?")).to_be_visible()
    settle(page)
    assert left_english(page, "[data-testid=stMain]", FRAME) == []
    page.context.close()
    page = browser.new_context(locale="en-GB").new_page()
    study.enter(page, study.collections["student"])
    expect(page.get_by_role("heading", name="Sie und Ihr Kurs")).to_be_visible()
    settle(page)
    assert left_english(page, "[data-testid=stMain]") == []
    page.context.close()
