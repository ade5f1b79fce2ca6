"""The judging screen at one item, on its card before and after, and what opens over it."""

from dataclasses import replace

from playwright.sync_api import Page, expect

from core.assessment.rounds.rounds import Plan
from core.collection.aspects import Aspect
from core.collection.records import Level
from core.store.content.practice import PracticeItem
from tests.browser.chair_looks import Act, enter, sit
from tests.browser.conftest import judge_screen, press_when_seen, settle
from tests.browser.study import Study, Wish, change_by, expect_saved, judge, page_of
from tests.browser.test_pictures import packed
from tests.made_files import make_pdf, make_picture

TEXT = (
    "Cats sleep most of the day. They wake at dusk.\n\nA cat that is fed twice a day is quiet. " * 8
)
TRUST = Aspect(
    "trust",
    ("page",),
    "How far would you trust it?",
    tuple(Level(n, name, "", str(n + 1), n) for n, name in enumerate(("Not", "Half", "Fully"))),
)
HEBREW = "חתולים וכלבים. " * 12
PAGES = Plan(judges=1, flow="page only")
TEXTS = Wish(
    topics=("feeding cats", "where dogs sleep"),
    documents=(page_of(1) | {"text": TEXT}, page_of(2) | {"text": TEXT}),
    plan=Plan(judges=1, flow="snippet then page"),
    guidelines="# Guidelines\n\n- Judge for *the person* who asks.\n- What helps is **Rel**.",
)
ONE = replace(TEXTS, topics=("feeding cats",), plan=PAGES)
SITTINGS = {
    "texts": TEXTS,
    "one page": ONE,
    **dict.fromkeys(("finished", "nothing", "history", "undo", "offline", "full"), ONE),
    "practice": replace(ONE, practice=(PracticeItem("t1", "d1", "page", "", 2, "It helps."),)),
    "aspects": replace(ONE, aspects=(TRUST,)),
    "framed": replace(ONE, documents=({"id": "d1", "title": "Framed", "html": f"<p>{TEXT}</p>"},)),
    "pdf": replace(
        ONE,
        documents=(
            {"id": "d1", "title": "A guide", "media": packed(make_pdf([["Feeding cats well"]]))},
        ),
    ),
    "picture": replace(
        ONE, documents=({"id": "d1", "title": "A square", "media": packed(make_picture())},)
    ),
    "right to left": replace(
        ONE,
        topics=("חתולים",),
        documents=(page_of(1) | {"title": "חתולים", "text": HEBREW},),
    ),
    "right to left, framed": replace(
        ONE,
        topics=("חתולים",),
        documents=({"id": "d1", "title": "חתולים", "html": f'<p dir="rtl">{HEBREW}</p>'},),
    ),
    "german": replace(TEXTS, language="de"),
}


def finish(name: str) -> Act:
    """Return what judges a topic to its end, where a card stands."""

    def act(page: Page, study: Study, look: str) -> None:
        sit(name)(page, study, look)
        judge(page, "2" * len(ONE.documents))
        expect_saved(page)
        expect(judge_screen(page)).to_have_attribute("data-step", "finished")

    return act


def find_nothing(page: Page, study: Study, look: str) -> None:
    """Come when nothing is left to judge."""
    finish("nothing")(page, study, look)
    page.reload()
    expect(page.get_by_test_id("over")).to_be_visible()
    settle(page)


def look_back(page: Page, study: Study, look: str) -> None:
    """See what was judged."""
    finish("history")(page, study, look)
    page.goto(f"{study.server.address}/history")
    settle(page)


def take_back(page: Page, study: Study, look: str) -> None:
    """Take a judgement back."""
    sit("undo")(page, study, look)
    judge(page, "2")
    change_by(page, lambda: press_when_seen(page, "u"))


def lose_network(page: Page, study: Study, look: str) -> None:
    """Judge without a network."""
    sit("offline")(page, study, look)
    page.context.set_offline(True)
    judge(page, "2")
    expect(page.get_by_test_id("save-state")).to_contain_text("Offline")


def fill_disk(page: Page, study: Study, look: str) -> None:
    """Judge while the server answers as it does when its disk is full."""
    page.route("**/api/labels", lambda route: route.fulfill(status=507, json={"error": ""}))
    sit("full")(page, study, look)
    judge(page, "2")
    expect(page.get_by_test_id("save-state")).to_contain_text("No room on the server")


STATES: dict[str, Act] = {
    "start": enter("texts"),
    "start-practice": enter("practice"),
    "start-german": enter("german"),
    "snippet": sit("texts"),
    "page": sit("one page"),
    "page-found": sit("one page", "n"),
    "page-sentence": sit("one page", "."),
    "page-passage": sit("one page", ".", "p"),
    "comment": sit("one page", "c"),
    "cannot-judge": sit("one page", "x"),
    "ask": sit("one page", "a"),
    "guidelines": sit("one page", "g"),
    "help": sit("one page", "?"),
    "feedback": sit("practice", "1"),
    "aspect": sit("aspects", "3"),
    "framed": sit("framed"),
    "pdf": sit("pdf"),
    "picture": sit("picture"),
    "right-to-left": sit("right to left"),
    "german": sit("german"),
    "right-to-left-framed": sit("right to left, framed"),
    "undo": take_back,
    "offline": lose_network,
    "disk-full": fill_disk,
    "finished": finish("finished"),
    "nothing-waiting": find_nothing,
    "history": look_back,
}
