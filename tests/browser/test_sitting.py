"""A whole sitting of awkward documents: on a laptop by digits, on a phone by touch, and by Tab."""

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from core.assessment.rounds.rounds import Plan
from core.store.events.paradata import read_paradata
from tests.browser.item_views import HEBREW
from tests.browser.study import Study, Wish, change_by, expect_saved, run_study
from tests.browser.test_framed_pages import framed
from tests.browser.test_pictures import packed
from tests.browser.test_texts import CODE, WALL, WIDE, text_only
from tests.faults.page_faults import document_of
from tests.made_files import make_pdf, make_picture
from tests.patience import PATIENCE
from tests.short import long

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

ITEMS, SHORT = 60, 6
LATE = 400
"""Milliseconds by which a page comes late."""
MOST_TABS = 100
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
PHONE: dict[str, Any] = {
    "has_touch": True,
    "is_mobile": True,
    "viewport": {"width": 390, "height": 844},
}
ARABIC = "القطط تنام معظم النهار. "
KINDS: dict[str, dict[str, Any]] = {
    "wall": {"html": WALL},
    "late": {"html": "<p>Cats that come late.</p>" * 40},
    "code": {"text": CODE},
    "hebrew": {"title": "חתולים", "text": HEBREW},
    "plain": {"text": "Cats sleep most of the day."},
    "table": {"html": WIDE},
    "long": {"text": "Cats eat twice a day.\n\n" * 3_000},
    "arabic": {"title": "قطط", "html": f'<p dir="rtl">{ARABIC * 60}</p>'},
    "pdf": {"media": packed(make_pdf([["Feeding cats well"]] * 3))},
    "picture": {"media": packed(make_picture())},
}
DOCUMENTS = tuple(
    {"id": f"{kind}-{number}", "title": f"A {kind}", **KINDS[kind]}
    for number, kind in enumerate(list(KINDS) * (ITEMS // len(KINDS)))
)
WISH = Wish(documents=DOCUMENTS, plan=Plan(judges=1, flow="page only", depth=ITEMS))
WISHES = {
    **dict.fromkeys(("laptop", "phone", "keyboard"), WISH),
    "short": Wish(documents=DOCUMENTS[:SHORT], plan=WISH.plan),
}
WATCH = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shifts += one.value;
}).observe({type: "layout-shift", buffered: true});
addEventListener("keydown", ({key, timeStamp}) => {
  if ("1234".includes(key)) [window.pressedAt, window.hasTurned] = [timeStamp, false];
}, true);
"""
"""Sums layout shifts, and notes when a digit was pressed: before the screen listens for it."""
TIMES = """root => {
  window.times = {turned: [], ready: []};
  window.pressedAt = null;
  new MutationObserver((all) => {
    if (window.pressedAt === null) return;
    const took = performance.now() - window.pressedAt;
    const has = name => all.some(one => one.attributeName === name);
    if (has("data-step")) window.hasTurned ||= window.times.turned.push(took);
    if (!window.hasTurned || !has("data-ready") || root.dataset.ready !== "true") return;
    window.times.ready.push(took);
    window.pressedAt = null;
  }).observe(root, {attributeFilter: ["data-step", "data-ready"]});
}"""
"""Notes the milliseconds from a digit to the next item, and to when that may be answered."""
FOCUS = """() => {
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  return one?.dataset.testid ?? "";
}"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("sitting"), WISHES) as running:
        yield running


def by_digit(page: Page, name: str) -> None:
    page.keyboard.press("v" if name == "text-only" else str(int(name[-1]) + 1))


def by_touch(page: Page, name: str) -> None:
    page.get_by_test_id(name).tap()


def by_tab(page: Page, name: str) -> None:
    """Go by Tab to what has a test id, and press Enter."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUS) == name:
            return page.keyboard.press("Enter")
    raise AssertionError(f"{name} is not reached by Tab")


Counts = Callable[[str, object], None]
Chair = tuple[dict[str, Any], Callable[[Page, str], None], str]
CHAIRS: dict[str, Chair] = {
    "laptop": (LAPTOP, by_digit, "key"),
    "phone": (PHONE, by_touch, "touch"),
    "keyboard": (LAPTOP, by_tab, "button"),
}


def comes_late(address: str) -> bool:
    """Tell whether an address is that of a page that is to come late, from what is signed in it."""
    return document_of(urlsplit(address).path).startswith("late")


def come_late(page: Page, route: Route) -> None:
    """Hold a page back for a while; others come meanwhile."""
    page.wait_for_timeout(LATE)
    route.continue_()


def expect_ready(root: Locator) -> None:
    expect(root).to_have_attribute("data-ready", "true")


def kind_of(step: str) -> str:
    """Return what kind of document a step of the screen is about."""
    return next(kind for kind in KINDS if f"{kind}-" in step)


def sit_through(page: Page, study: Study, name: str, press: Callable[[Page, str], None]) -> float:
    """Judge all items of a test, those below a wall as text only; returns the layout shift."""
    page.add_init_script(WATCH)
    root = study.sit(page, name)
    root.evaluate(TIMES)
    expect_ready(root)
    page.evaluate("window.shifts = 0")  # what moved before the first item
    for place in range(len(WISHES[name].documents)):
        expect_ready(root)
        if kind_of(root.get_attribute("data-step") or "") == "wall":
            press(page, "text-only")
            expect(text_only(page)).to_have_attribute("aria-pressed", "true")
            expect(framed(page).get_by_text("Feeding cats")).to_be_visible()
            expect(framed(page).locator("div")).to_have_count(0)
            expect_ready(root)
        change_by(page, lambda level=f"level-{place % 4}": press(page, level))
    expect_saved(page)
    return float(page.evaluate("window.shifts"))


def check(study: Study, name: str, given_by: str) -> None:
    """Every label is stored with how it came about, and only walls were judged as text only."""
    count = len(WISHES[name].documents)
    labels = study.labels(name)
    assert len(labels) == len({one["document_id"] for one in labels}) == count
    with study.copied() as store:
        rows = read_paradata(store, study.seats[name].collection_id)
    assert len(rows) == count
    assert rows["shown_ms"].notna().all()
    assert set(rows["given_by"]) == {given_by}
    alone = rows["text_only"].astype(object).where(rows["text_only"].notna(), None)
    told = dict(zip(rows["document_id"], alone, strict=True))
    assert told == {one: True if one.startswith("wall") else None for one in told}
    assert list(rows["level"]) == [place % 4 for place in range(count)]


def take_chair(
    browser: Browser, study: Study, name: str, chair: str, record_property: Counts
) -> None:
    """Sit through a test in a chair, and look at what is stored of it."""
    look, press, given_by = CHAIRS[chair]
    context = browser.new_context(**look)
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    late: list[str] = []

    def hold(route: Route) -> None:
        late.append(route.request.url)
        come_late(page, route)

    page.route(comes_late, hold)
    shift = sit_through(page, study, name, press)
    told = f"layout shift {shift:.3f} over {len(WISHES[name].documents)} items"
    if chair == "laptop":
        times = page.evaluate("window.times")
        turned, ready = (median(times[one]) for one in ("turned", "ready"))
        told += f"; {len(times['turned'])} timed: median {turned:.1f} ms from key to next item"
        told += f", {ready:.1f} to when it may be answered"
    record_property("counts", f"{told}; {len(late)} requests held back {LATE} ms")
    page.unroute_all(behavior="wait")
    context.close()
    check(study, name, given_by)
    assert late
    assert shift < 3


@long
@pytest.mark.parametrize("chair", list(CHAIRS))
def test_a_sitting_of_sixty_awkward_documents(
    browser: Browser, study: Study, chair: str, record_property: Counts
):
    take_chair(browser, study, chair, chair, record_property)


def test_a_short_sitting_of_awkward_documents(
    browser: Browser, study: Study, record_property: Counts
):
    take_chair(browser, study, "short", "laptop", record_property)
