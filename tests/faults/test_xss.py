"""Hostile texts in every field and file, in a real browser: they stay texts."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, Route, expect

from tests.browser.conftest import begin, press_when_seen, see_both, settle
from tests.browser.running import Running
from tests.faults.payloads import SURROGATES, make_payloads
from tests.faults.xss_explore import explore, press_everything
from tests.faults.xss_store import Hostile, make_hostile
from tests.faults.xss_watch import COUNTED, Bare, Catcher, Watch, catch
from tests.short import long

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PARTS = ("agreement?agreement-part=Topics", "effectiveness?closer=Topic+by+topic")
"""Parts of pages in which texts of documents, runs and people stand."""

EXPOSED = (
    *("monitor", "agreement", "effectiveness", "ranking", "comparison", "qrels", "adjudicate"),
    *("collection", "assignments", "matrix", "people", "class-mode"),
)
SHOWN = ("monitor", "agreement", "effectiveness", "adjudicate", "collection")
"""Of these the short form takes one of each kind: lists, figures, names in them, pages, files."""

LESSONS = (
    *("precision-recall", "one-number", "graded-relevance", "rank-correlation"),
    "disagreeing-users",
    "position-bias",
)
REST = ("assessors", "disagreement", "verification", "export", "informativeness", *LESSONS)
REFUSED = re.compile("Nothing was stored|Say what 1 file holds")
"""What is said of a file that is not taken as it is."""

UNGUARDED = "tests.faults.xss_unguarded:app"
STEPS_ASIDE, STEPS_OF_CONTROL = 20, 160
SHORT = 12
"""The short form takes one payload of twelve, which is at least one of each family."""

PRESSABLE = re.compile(r"<(a|area|button|summary)\b|onclick|type=(submit|image)")
NOTHING = dict.fromkeys(COUNTED, 0)


@dataclass
class Site:
    """A running server on a hostile store, and the server that nobody should ask."""

    made: Hostile
    server: Running
    catcher: Catcher
    browser: Browser

    def visit(self, session: str = "") -> Watch:
        """Return a watched browser, signed in where a session is named."""
        self.catcher.asked.clear()
        context = self.browser.new_context(viewport={"width": 1280, "height": 900})
        if session:
            cookie = {"name": self.server.cookie, "value": self.made.sessions[session]}
            context.add_cookies([{**cookie, "url": self.server.address}])
        return Watch(context, self.server.address, self.catcher)

    def has_html(self, step: str) -> bool:
        """Tell whether the document of a step is HTML, in a frame; others are plain text."""
        return _place(step) % 2 == 0

    def can_be_pressed(self, step: str) -> bool:
        """Tell whether there is something to click in the document of a step."""
        payload = self.made.payloads[(_place(step) + 3) % len(self.made.payloads)]
        return self.has_html(step) and bool(PRESSABLE.search(payload.text))

    def goto(self, page: Page, path: str) -> None:
        """Open a page of the app and wait until it is drawn."""
        page.goto(f"{self.server.address}/{path}")
        settle(page)

    def sit(self, page: Page) -> Locator:
        """Open the judging screen and wait until it has an item."""
        self.goto(page, "judge")
        return begin(page)


@pytest.fixture(scope="module")
def site(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, long_form: bool
) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("hostile")
    with catch() as catcher:
        payloads = make_payloads(catcher.host)[:: 1 if long_form else SHORT]
        made = make_hostile(folder / "store.duckdb", payloads)
        server = Running(made.path, folder / "server.log")
        server.start()
        yield Site(made, server, catcher, browser)
        server.kill()


@pytest.fixture
def expect_nothing(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Return what asserts that a watched browser did nothing but show text, and says so."""

    def check(watch: Watch, payloads: int, *, clicked: bool = False) -> None:
        watch.context.pages[-1].wait_for_timeout(300)
        total = watch.total()
        listed = ", ".join(f"{number} {what}" for what, number in total.items())
        record_property("counts", f"{payloads} payloads, {watch.pages} looks: {listed}")
        watch.context.close()
        if clicked:  # a browser connects, and then learns that it may not go there
            total["connections"] = 0
        assert total == NOTHING, "\n".join(watch.seen[:40])

    return check


def test_the_judging_screen_shows_every_payload_as_text(site: Site, long_form, expect_nothing):
    watch = site.visit("judge")
    page = watch.open()
    documents: dict[str, str] = {}  # what names a document in an address, and the address
    page.on("request", lambda one: _note_document(one.url, documents))
    root = site.sit(page)
    seen, pressed = set(), 0
    while (step := root.get_attribute("data-step")) != "finished":
        assert step not in seen
        seen.add(step)
        expect(root).to_have_attribute("data-ready", "true")
        if site.can_be_pressed(step):
            pressed += press_everything(page, page.frame_locator("iframe:not(.ahead)"))
        press_when_seen(page, "1")
        expect(root).not_to_have_attribute("data-step", step)
        if len(seen) % 20 == 0:
            watch.scan(page)
    assert len(seen) == len(site.made.payloads)
    assert pressed
    assert len(documents) == 2 * ((len(seen) + 1) // 2)  # each page, and its text alone
    for address in list(documents.values())[:: 1 if long_form else 8]:
        page.goto(address)  # as a person might, in a tab of its own
        watch.pages += 1
    expect_nothing(watch, len(seen), clicked=True)


def _place(step: str) -> int:
    return int(re.findall(r"#(\d+)\|", step)[-1])


def _note_document(address: str, documents: dict[str, str]) -> None:
    if "/api/page/" in address:
        documents[address.rsplit(".", 2)[0]] = address


@long
def test_side_by_side_shows_every_payload_as_text(site: Site, expect_nothing):
    watch = site.visit("pairs")
    page = watch.open()
    root = site.sit(page)
    for _ in range(STEPS_ASIDE):
        step = root.get_attribute("data-step")
        if step == "finished":
            break
        watch.scan(page)
        see_both(page)
        press_when_seen(page, "=")
        expect(root).not_to_have_attribute("data-step", step)
    site.goto(page, "history")
    _choose_first_row(page, watch)
    expect_nothing(watch, len(site.made.payloads))


@pytest.mark.usefixtures("only_in_full")
def test_plain_buttons_and_the_history_show_every_payload_as_text(site: Site, expect_nothing):
    watch = site.visit("plain")
    page = watch.open()
    site.goto(page, "judge")
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_text("Plain buttons").click()
    for _ in range(6):
        settle(page)
        watch.scan(page)
        page.get_by_label("Comment").fill("<img src=x onerror=__hit(1)> $x^2$ :material/skull:")
        page.get_by_label("Comment").press("Enter")
        settle(page)
        page.locator("[data-testid=stMain] [data-testid=stButton] button").first.click()
        page.wait_for_timeout(300)
    site.goto(page, "history")
    _choose_first_row(page, watch)
    expect_nothing(watch, len(site.made.payloads))


@long
def test_pages_of_organisers_show_every_payload_as_text(site: Site, long_form, expect_nothing):
    watch = site.visit("organiser")
    page = watch.open()
    for path in (*(EXPOSED if long_form else SHOWN), *PARTS):
        site.goto(page, path)
        watch.scan(page)
        assert page.get_by_test_id("stException").count() == 0
    site.goto(page, "preferences")
    _look_at_pairs(page)
    watch.scan(page)
    expect_nothing(watch, len(site.made.payloads))


@pytest.mark.usefixtures("only_in_full")
@pytest.mark.parametrize("path", [*EXPOSED, *REST, "preferences"])
def test_everything_on_a_page_can_be_opened(site: Site, path: str, expect_nothing, record_property):
    """Each expander, tab, list, choice and point of a figure, one after the other."""
    watch = site.visit("organiser")
    watch.own_formulas = path in LESSONS
    page = watch.open()
    site.goto(page, path)
    if path == "preferences":
        _look_at_pairs(page)
    opened = explore(page, watch)
    record_property("counts", f"{path}: {opened} parts opened or pointed at")
    expect_nothing(watch, len(site.made.payloads))


@pytest.mark.usefixtures("only_in_full")
def test_without_plain_texts_the_same_pages_are_found_out(
    site: Site, tmp_path: Path, record_property
):
    """The app with its escaping taken out: what is counted as 0 above is then seen."""
    made = make_hostile(
        tmp_path / "store.duckdb",
        [one for one in site.made.payloads if one.family != "huge"],  # they only take time
    )
    # Afresh: a process that has the app's modules already has them with the escaping.
    server = Running(made.path, tmp_path / "server.log", afresh=True)
    server.app = UNGUARDED
    context = site.browser.new_context()
    try:
        server.start()
        cookie = {"name": server.cookie, "value": made.sessions["organiser"], "url": server.address}
        context.add_cookies([cookie])
        watch = Watch(context, server.address, site.catcher)
        page = watch.open()
        markup = []
        for path in ("monitor", "effectiveness", "agreement"):
            page.goto(f"{server.address}/{path}")
            settle(page)
            watch.scan(page)
            markup.append(watch.counts["markup"])
    finally:
        context.close()
        server.kill()
    record_property("counts", f"without escaping: {watch.counts['markup']} pieces of markup")
    assert markup[0] >= 5
    assert markup[1] >= markup[0] + 5
    assert markup[2] >= markup[1] + 5
    assert any("xlink" in seen for seen in watch.seen), "names in figures are markup, too"


@long
def test_tables_have_no_download_of_their_own(site: Site):
    """Streamlit's own would hand formulas out as they are."""
    watch = site.visit("organiser")
    page = watch.open()
    site.goto(page, "people")
    page.get_by_test_id("stDataFrame").first.hover()
    expect(page.get_by_label("Show/hide columns").first).to_be_visible()
    for button in page.get_by_label("Download as CSV").all():
        expect(button).to_be_hidden()
    watch.context.close()


@pytest.mark.usefixtures("only_in_full")
def test_refused_files_are_quoted_as_text(site: Site, expect_nothing):
    watch = site.visit("organiser")
    page = watch.open()
    site.goto(page, "collection")
    page.get_by_test_id("stTab").filter(has_text="Import").click()
    settle(page)
    quoted = [f'{{"id": {text}, "query": "x"}}' for text in SURROGATES]
    quoted += [json.dumps({text: text, "id": 1}) for text in site.made.deal(3)]
    quoted += [f"{text}\tb\tc\td\te" for text in site.made.deal(3, 1)]
    files = site.made.deal(len(quoted), 5)
    for name, text in zip(files, quoted, strict=True):
        name = name.replace("/", "\u2215").replace("\0", "")[:200]
        content = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([content])
        expect(page.get_by_text(REFUSED)).to_be_visible()
        settle(page)
        watch.scan(page)
        page.get_by_test_id("stFileChipDeleteBtn").first.click()
        expect(page.get_by_text(REFUSED)).to_be_hidden()
    expect_nothing(watch, len(site.made.payloads))


@pytest.mark.usefixtures("only_in_full")
def test_doors_show_every_payload_as_text(site: Site, expect_nothing):
    watch = site.visit()
    page = watch.open()
    for place, one in enumerate(site.made.payloads):
        if place % 10 == 0:
            code = quote(one.text[:500], safe="")
            page.goto(f"{site.server.address}/{('enter', 'join?code=', 'join')[place % 3]}/{code}")
            watch.scan(page)
    page.goto(f"{site.server.address}/enter/{site.made.invitation}")
    watch.scan(page)
    page.goto(f"{site.server.address}/join/{site.made.code}")
    page.get_by_label("A nickname").fill("<img src=x onerror=__hit()>")
    page.get_by_role("button", name="Join the class").click()
    page.goto(f"{site.server.address}/join/{site.made.code}")
    watch.scan(page)
    expect_nothing(watch, len(site.made.payloads))


@pytest.mark.usefixtures("only_in_full")
def test_without_the_sandbox_the_same_documents_attack(site: Site):
    watch = site.visit("control")
    page = watch.open()
    addresses: set[str] = set()
    page.on("request", lambda request: addresses.add(request.url))
    root = site.sit(page)
    for _ in range(STEPS_OF_CONTROL):
        step = root.get_attribute("data-step")
        press_when_seen(page, "1")
        expect(root).not_to_have_attribute("data-step", step)

    def bare(route: Route) -> None:
        answer = route.fetch()
        kept = {k: v for k, v in answer.headers.items() if k != "content-security-policy"}
        route.fulfill(response=answer, headers=kept)

    page.route("**/api/page/**", bare)

    def attacks() -> bool:
        total = watch.total()
        return total["executions"] >= 1 and total["executions"] + total["requests"] >= 4

    for address in [one for one in addresses if "/api/page/" in one]:
        with suppress(Error):
            page.goto(address)
        if attacks():
            break
    end = time.monotonic() + 60
    while not attacks() and time.monotonic() < end:
        page.wait_for_timeout(100)  # what a document does it does after it has come
    watch.context.close()
    assert attacks()


@pytest.mark.usefixtures("only_in_full")
def test_the_corpus_bites_where_nothing_guards(site: Site, record_property):
    """Every way that is counted as 0 elsewhere is shown to be seen when it happens."""
    texts = [one.text for one in site.made.payloads]
    bare = Bare(texts)
    watch = Watch(site.browser.new_context(), bare.address, site.catcher)
    page = watch.open()
    alone = [place for place, text in enumerate(texts) if re.search(r"top|open\(|refresh", text)]
    for path in (
        *(f"frames/{batch}" for batch in range(0, len(texts), Bare.FRAMES)),
        *(f"raw/{place}" for place in alone),
    ):
        with suppress(Error):  # one navigation is overtaken by another
            page.goto(f"{bare.address}/{path}", timeout=4_000)
        page.wait_for_timeout(100)
    page = watch.open()
    page.goto(bare.address)
    still = [text for text in texts if "refresh" not in text.lower()]
    page.evaluate("texts => { document.body.innerHTML = texts.join(' '); }", still)
    watch.scan(page)
    total = watch.total()
    watch.context.close()
    bare.close()
    record_property("counts", f"{len(texts)} payloads where nothing guards: {total}")
    assert total["executions"] >= 40
    assert total["requests"] >= 40
    assert total["navigations"] >= 5
    assert total["popups"] >= 1
    assert total["markup"] >= 100


def _choose_first_row(page: Page, watch: Watch) -> None:
    """Choose the first row of a table, which shows what was judged again."""
    settle(page)
    box = page.get_by_test_id("stDataFrame").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 15, box["y"] + 50)
    expect(page.get_by_text("New label")).to_be_visible()
    settle(page)
    watch.scan(page)


def _look_at_pairs(page: Page) -> None:
    """Change to the collection that is judged side by side."""
    box = page.get_by_role("combobox", name="Collection")
    option = page.get_by_role("option").nth(1)
    for _ in range(5):
        box.click()
        with suppress(Error):
            option.click(timeout=3_000)
            break
        settle(page)
    settle(page)
    expect(page.get_by_role("heading", name="Preferences")).to_be_visible()
