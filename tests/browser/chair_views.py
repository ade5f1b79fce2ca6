"""Every state of the judging screen as an assessor sees it.

``python -m tests.browser.chair_views FOLDER`` makes pictures into a folder: light and dark on a
laptop, dark on a phone, and a laptop's window at 200 %.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from core.assessment.rounds import Plan
from core.collection.records import Level
from core.store.content.aspects import Aspect
from core.store.content.practice import PracticeItem
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.conftest import begin, judge_screen, press_when_seen, settle
from tests.browser.study import Study, Wish, change_by, page_of, run_study
from tests.browser.test_pictures import packed
from tests.made_files import make_pdf, make_picture

LOOKS = {
    "light": {"viewport": {"width": 1366, "height": 768}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1366, "height": 768}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
    "zoomed": {"viewport": {"width": 683, "height": 384}, "device_scale_factor": 2},
}

TEXT = (
    "Cats sleep most of the day. They wake at dusk.\n\nA cat that is fed twice a day is quiet. " * 8
)
TRUST = Aspect(
    "trust",
    ("page",),
    "How far would you trust it?",
    tuple(Level(n, name, "", str(n + 1), n) for n, name in enumerate(("Not", "Half", "Fully"))),
)
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
    "finished": ONE,
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
        documents=(page_of(1) | {"title": "חתולים", "text": "חתולים וכלבים"},),
    ),
    "german": replace(TEXTS, language="de"),
}


WISHES = {f"{name}, {look}": wish for name, wish in SITTINGS.items() for look in LOOKS}
"""A sitting of its own for each look: what is judged in one is still to be judged in the next."""

Act = Callable[[Page, Study, str], None]


def enter(name: str) -> Act:
    """Return what comes to the card before the first item."""

    def act(page: Page, study: Study, look: str) -> None:
        study.enter(page, study.seats[f"{name}, {look}"].session)
        expect(judge_screen(page)).to_have_attribute("data-step", "start")

    return act


def sit(name: str, *keys: str) -> Act:
    """Return what comes to the first item, and presses keys there."""

    def act(page: Page, study: Study, look: str) -> None:
        study.enter(page, study.seats[f"{name}, {look}"].session)
        begin(page)
        for key in keys:
            press_when_seen(page, key)

    return act


def finish(page: Page, study: Study, look: str) -> None:
    """Judge a topic to its end, where a card stands."""
    study.enter(page, study.seats[f"finished, {look}"].session)
    begin(page)
    for _ in ONE.documents:
        change_by(page, lambda: press_when_seen(page, "2"))
    expect(judge_screen(page)).to_have_attribute("data-step", "finished")


def look_back(page: Page, study: Study, look: str) -> None:
    """See what was judged."""
    study.enter(page, study.seats[f"finished, {look}"].session, "history")
    settle(page)


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
    "finished": finish,
    "history": look_back,
}


def picture(browser: Browser, study: Study, target: Path) -> Iterator[str]:
    """Make a picture of every state in every look; yields the name of each."""
    for look, options in LOOKS.items():
        for name, act in STATES.items():
            context = browser.new_context(reduced_motion="reduce", **options)  # type: ignore[arg-type]
            page = context.new_page()
            act(page, study, look)
            page.wait_for_timeout(400)
            page.screenshot(path=target / f"{name}-{look}.png")
            context.close()
            yield f"{name}-{look}"


def main() -> None:
    """Make the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    target = parser.parse_args().folder
    target.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        run_study(Path(folder), WISHES) as study,
        sync_playwright() as playwright,
    ):
        path = find_chromium(bare=True)
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for name in picture(browser, study, target):
            print(name, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
