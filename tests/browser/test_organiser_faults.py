"""What organisers once read and saw wrong, each looked for where they would see it again."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import BytesIO
from itertools import pairwise, product
from urllib.parse import urlencode

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, FilePayload, Locator, Page, expect

from core.assessment.rounds.rounds import Plan, open_round
from core.demo import load_live_demo
from core.store.content.collections import create_collection
from core.store.store import Store
from pages.shared.page import DESTINATIONS
from tests.browser.colours import reds
from tests.browser.conftest import settle
from tests.browser.filled import documents, fill, invite_to, labels, runs, say, topics
from tests.browser.study import Study, Wish, run_study
from tests.browser.views import LAPTOP, walk
from tests.short import long

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

GUIDELINES = """# Rules

Judge for **the person**, not for yourself.

- A page that *helps* is `Rel`.
- Read [the topic](https://topic.example) first.
"""
WISHES = {"guided": Wish(guidelines=GUIDELINES)}

THREE = {"first": [1, 2, 3], "second": [2, 1, 3], "third": [3, 2, 1]}
TIED = {f"system{n:02}": [1, 2, 3] for n in range(1, 13)} | {"worse": [3, 2, 1]}
FOUR = {"a": [1, 2, 3, 4], "b": [2, 1, 3, 4], "c": [3, 1, 4, 2], "d": [4, 3, 2, 1]}
BEGAN = datetime(2026, 3, 2, 12, 4)


def fill_store(store: Store) -> dict[str, str]:
    """Give every test a collection of its own; return their ids by name."""
    made = {"fresh": create_collection(store, "Fresh")}
    some = {"topics": topics(1), "documents": documents(3)}
    for name in ("refused", "settled"):
        made[name] = fill(store, name, **some)
    made["first"] = fill(store, "First", **some, runs=runs(THREE, 1))
    made["second"] = fill(store, "Second", **some, runs=runs(THREE, 1))
    made["one label"] = fill(store, "One label", **some, runs=runs(THREE, 1))
    say(store, made["one label"], invite_to(store, made["one label"], "Ann"), 1, 1, 2)
    made["qrels"] = fill(
        store, "Qrels", **some, runs=runs(THREE, 1), qrels="t1 0 d1 2\nt1 0 d2 0\n"
    )
    made["no topics"] = fill(store, "No topics", documents=documents(4), runs=runs(FOUR, 2))
    made["tied"] = fill(
        store, "Tied", topics=topics(3), documents=documents(3), runs=runs(TIED, 3),
        labels=labels(
            (who, topic, document, level)
            for who, given in {"ann": (3, 1, 0), "ben": (2, 2, 0)}.items()
            for topic, (document, level) in product((1, 2, 3), enumerate(given, start=1))
        ),
    )  # fmt: skip
    made["orders"] = fill(
        store, "Orders", topics=topics(4), documents=documents(4), runs=runs(FOUR, 4),
        labels=labels(
            (who, topic, document, level)
            for shift, who in enumerate(("ann", "ben", "cay"))
            for topic in (1, 2, 3, 4)
            for document, level in enumerate((3, (2 + shift + topic) % 4, 1, shift % 2), start=1)
        ),
    )  # fmt: skip
    made["two labels"] = fill(
        store, "Two labels", topics=topics(3), documents=documents(10),
        labels=labels(
            (who, topic, document, (document * topic + (who == "ben" and document % 3 == 0)) % 4)
            for who, topic, document in product(("ann", "ben"), (1, 2, 3), range(1, 11))
        ),
    )  # fmt: skip
    made["crowd"] = fill(
        store, "Crowd", topics=topics(6), documents=documents(10),
        labels=labels(
            (f"w{who:02}", 1 + item % 60 // 10, 1 + item % 10, (who * 7 + n * n) % 4)
            for who, n in product(range(45), range(12))
            for item in [12 * who + n]
        ),
    )  # fmt: skip
    made["outlier"] = fill(
        store, "Outlier", topics=topics(6), documents=documents(10),
        labels=labels(
            (who, topic, document, (document + topic) % 2 + 2 * (who == "out"))
            for who, topic, document in product(("ann", "ben", "cay", "out"), _to(6), _to(10))
        ),
    )  # fmt: skip
    made |= _take_turns(store) | {"baseline": _judge_a_third(store), "demo": load_live_demo(store)}
    return made


def _take_turns(store: Store) -> dict[str, str]:
    """Label two collections in turns, a minute apart: five events of one, three of the other."""
    some = {"topics": topics(1), "documents": documents(5), "runs": runs({"a": [1, 2]}, 1)}
    made = {name: fill(store, name, **some) for name in ("counted", "besides")}
    for minute, name in enumerate(["counted", "besides"] * 3 + ["counted"] * 2):
        time = BEGAN + timedelta(minutes=minute)
        say(store, made[name], f"of {name}", 1, minute // 2 + 1 + (minute == 7), 2, time)
    return made


def _judge_a_third(store: Store) -> str:
    """Import twenty labels, open a round of six judgements, and give two of them."""
    twenty = (("before", topic, n, n % 4) for topic, n in product((1, 2), _to(10)))
    files = {"topics": topics(2), "documents": documents(10), "labels": labels(twenty)}
    made = fill(store, "Baseline", **files, runs=runs({"a": [1, 2, 3]}, 2))
    eva = invite_to(store, made, "Eva")
    open_round(store, made, Plan(judges=1, depth=3, flow="page only", assessors=(eva,)))
    for document in (1, 2):
        say(store, made, eva, 1, document, 2)
    return made


def _to(number: int) -> range:
    return range(1, number + 1)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with run_study(tmp_path_factory.mktemp("faults"), WISHES, fill_store) as running:
        yield running


@pytest.fixture(scope="module")
def office(browser: Browser, study: Study) -> Iterator[BrowserContext]:
    """A browser in which the organiser is signed in: its pages share what they have loaded."""
    context = open_office(browser, study)
    yield context
    context.close()


@pytest.fixture
def page(office: BrowserContext) -> Iterator[Page]:
    opened = office.new_page()
    yield opened
    opened.close()


def open_office(browser: Browser, study: Study, **more: str) -> BrowserContext:
    width, height = LAPTOP
    context = browser.new_context(viewport={"width": width, "height": height}, **more)  # type: ignore[arg-type]
    context.set_default_timeout(60_000)
    cookie = {"name": study.server.cookie, "value": study.organiser, "url": study.server.address}
    context.add_cookies([cookie])  # type: ignore[list-item]
    return context


def see(page: Page, study: Study, path: str, name: str, **choices: str) -> None:
    """Open a page of a collection, with choices as the address names them."""
    chosen = urlencode({"collection": study.collections[name]} | choices)
    page.goto(f"{study.server.address}/{path}?{chosen}")
    settle(page)


def main(page: Page) -> Locator:
    return page.get_by_test_id("stMain")


def answer(page: Page) -> Locator:
    return page.locator(".st-key-answer")


def tab(page: Page, title: str) -> None:
    """Open a part of a page."""
    page.get_by_role("tab", name=title, exact=True).click()
    expect(page.get_by_role("tab", name=title, exact=True)).to_have_attribute(
        "aria-selected", "true"
    )
    settle(page)


PLACES = [one for one in DESTINATIONS if one not in ("Judge", "History", "Learn")]
"""Where an organiser sees a collection; what there is to learn is looked at with the demo."""


@long
@pytest.mark.parametrize(
    ("name", "visited"),
    [("fresh", PLACES), ("one label", [one for one in PLACES if one != "Results"])],
)
def test_nothing_is_red_before_anything_was_done(
    page: Page, study: Study, name: str, visited: list[str]
):
    see(page, study, "monitor", name)
    for path in walk(page, *visited):
        assert reds(page) == [], path
        assert study.collections[name] in page.url
        expect(page.get_by_test_id("stException")).to_have_count(0)
    assert path == "account"


@long
@pytest.mark.parametrize(("name", "says"), [("one label", ""), ("qrels", "No version comes of")])
def test_a_rule_that_gives_nothing_yet_is_told_without_red(
    page: Page, study: Study, name: str, says: str
):
    see(page, study, "qrels", name, **{"qrels-part": "Versions of your own"})
    expect(page.get_by_role("button", name="Save this rule")).to_be_visible()
    expect(page.get_by_role("tabpanel")).to_contain_text(says)
    assert reds(page) == []


CLAIMS = (
    *("exactly the same", "in the same order", "under every condition", "runs alike"),
    *("shown to be worse", "differ significantly", "tells most", "tells least", "already"),
)


@long
def test_one_label_gives_no_verdict_and_nothing_red(page: Page, study: Study):
    see(page, study, "effectiveness", "one label")
    for path in walk(page, "Results"):
        if path in ("comparison", "ranking"):
            expect(answer(page)).to_contain_text("Too little is scored to say whether the order")
        assert reds(page) == [], path
        said = " ".join(sentences(page))
        assert said
        assert [claim for claim in CLAIMS if claim in said] == [], path
    see(page, study, "monitor", "one label")
    page.get_by_text("Is the ranking stable?").click()
    expect(main(page)).to_contain_text("No earlier state gives a ranking to compare with.")


def sentences(page: Page) -> list[str]:
    """Return the prose of a page, a sentence each."""
    texts = main(page).get_by_test_id("stMarkdownContainer").all_inner_texts()
    return [one for text in texts for one in re.split(r"(?<=[.;:])\s|\n", text) if one]


@long
def test_many_that_share_the_first_rank_are_counted(page: Page, study: Study):
    see(page, study, "effectiveness", "tied")
    for path in walk(page, "Results"):
        if path not in ("effectiveness", "comparison", "ranking"):
            continue
        expect(main(page)).to_contain_text("12 systems share the first rank")
        expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
        cells = [cell for table in tables(page) for row in table for cell in row]
        named = [len(re.findall(r"\bsystem\d\d\b", one)) for one in [*sentences(page), *cells]]
        assert 0 < max(named) < 12, path


# The cells of tables are painted; for screen readers they stand within the canvas.
TABLES = """[...document.querySelectorAll('[data-testid=stDataFrame]')]
    .filter(one => one.checkVisibility())
    .map(one => [...one.querySelectorAll('table tr')]
        .map(row => [...row.querySelectorAll('th, td')].map(cell => cell.textContent)))"""
WITH = "rows => wanted.every(heading => rows[0]?.includes(heading))"


def tables(page: Page) -> list[list[list[str]]]:
    """Return the cells of every table that is seen, row by row, the headings first."""
    page.wait_for_function(f"() => {TABLES}.every(rows => rows.length > 1)")
    return list(page.evaluate(TABLES))


def rows_of(page: Page, *wanted: str) -> list[dict[str, str]]:
    """Return the rows of the first table that has all of these headings, once it is there."""
    found = page.wait_for_function(f"wanted => {TABLES}.find({WITH})", arg=[*wanted]).json_value()
    head, *rows = found
    return [dict(zip(head, row, strict=True)) for row in rows]


HEAD = "assessor\ttopic\tdocument\tlevel\na\tt1\td1\t1\n"
REFUSED = {
    "off the scale": (
        *("labels.tsv", f"{HEAD}a\tt1\td2\tGood\n", "labels.tsv:3"),
        "'Good' is not on the scale: 0 Non, 1 Rel, 2 HRel, 3 Key, 4 Nav",
    ),
    "nobody's": ("labels.tsv", f"{HEAD}\tt1\td2\t1\n", "labels.tsv:3", "'assessor': is empty"),
    "twice": (
        *("bad.run", "t1 Q0 d1 1 2.5 s\nt1 Q0 d1 2 1.5 s\n", "bad.run:2"),
        "document d1 is already there, on line 1",
    ),
    "too short": ("bad.run", "t1 Q0 d1 1 2.5 s\nt1 Q0 d2 2 s\n", "bad.run:2", "has 5 words"),
}


@long
def test_a_refusal_names_file_and_line_and_no_inner_names(page: Page, study: Study):
    see(page, study, "collection", "refused", **{"collection-part": "Import"})
    said = page.get_by_test_id("stCode")
    for fault, (file, text, place, says) in REFUSED.items():
        drop(page, file, text)
        if fault == "too short":
            page.get_by_role("combobox", name="what does it hold?").click()
            page.get_by_role("option", name="runs").click()
        expect(said).to_contain_text(says)
        expect(said).to_contain_text(place)
        told = [said.inner_text(), *sentences(page)]
        assert "Nothing was stored." in told
        assert [one for one in told if re.search("[a-z]_[a-z]", one)] == []
        assert reds(page), "a refusal is red"
        page.get_by_role("button", name=f"Remove {file}").click()
        expect(answer(page)).to_contain_text("Drop files")


def drop(page: Page, name: str, text: str) -> None:
    """Give the page a file to import."""
    file = FilePayload(name=name, mimeType="text/plain", buffer=text.encode())
    page.locator("input[type=file]").set_input_files(file)


LIMITS = ("from", "to")


@long
def test_no_tau_and_no_limit_of_it_exceeds_one(page: Page, study: Study):
    see(page, study, "effectiveness", "orders")
    for path in walk(page, "Results"):
        if path not in ("comparison", "ranking"):
            continue
        rows = rows_of(page, "from", "to", "τ shown below")
        cells = [row[name] for row in rows for name in row if "τ" in name or name in LIMITS]
        figures = page.locator(".js-plotly-plot:has(.heatmaplayer .hm) .textpoint")
        told = [one for one in sentences(page) if "τ" in one]
        texts = [*cells, *figures.all_text_contents(), *told]
        numbers = [
            float(one)
            for text in texts
            for one in re.findall(r"-?\d+\.\d+|\b1\b", text.replace("−", "-"))
        ]
        assert len(cells) > 6, path
        assert min(numbers) >= -1, path
        assert max(numbers) == 1, path


@long
def test_one_other_label_has_one_tick(page: Page, study: Study):
    see(page, study, "verification", "two labels")
    ticks = page.locator(".st-key-chances-by-labels .xtick text")
    expect(ticks).to_have_text(["1"])


@long
def test_guidelines_are_read_without_their_marks(browser: Browser, study: Study):
    page = browser.new_context().new_page()
    study.sit(page, "guided")
    shown = page.get_by_test_id("guidelines")
    if shown.get_attribute("open") is None:
        page.keyboard.press("g")
    expect(shown.get_by_text("Rules", exact=True)).to_be_visible()
    expect(shown).to_contain_text("Judge for the person, not for yourself.")
    expect(shown).to_contain_text("A page that helps is Rel.")
    expect(shown).to_contain_text("the topic (https://topic.example)")
    assert not set("*#`[]").intersection(shown.inner_text())
    page.context.close()


@long
@pytest.mark.parametrize(
    ("name", "number", "moment"),
    [("counted", 5, "2 Mar 2026, 12:06 UTC"), ("besides", 3, "2 Mar 2026, 12:07 UTC")],
)
def test_events_are_counted_in_their_own_collection_and_dated(
    page: Page, study: Study, name: str, number: int, moment: str
):
    see(page, study, "qrels", name, **{"qrels-part": "Take away"})
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text(f"{number} judged pairs")
    page.get_by_role("button", name="Options").click()
    box = page.get_by_role("spinbutton", name=f"As of label event (of {number})")
    box.fill("2")
    box.press("Enter")
    expect(panel).to_contain_text("2 judged pairs")
    expect(panel).to_contain_text(f"As it was on {moment} (label event 2).")


@long
def test_missing_topics_are_named_as_what_is_missing(page: Page, study: Study):
    see(page, study, "assignments", "no topics")
    expect(main(page)).to_contain_text("Nothing can be judged")
    expect(main(page)).to_contain_text("import these topics")
    said = main(page).inner_text()
    assert "import the documents" not in said
    assert "import runs" not in said
    expect(page.get_by_role("button", name="Open this round")).to_have_count(0)


@long
def test_after_a_full_load_people_and_rounds_come_to_the_collection_in_view(
    page: Page, study: Study
):
    second = f"collection={study.collections['second']}"
    see(page, study, "people", "second")
    page.reload()
    settle(page)
    assert second in page.url
    page.get_by_role("textbox", name="Name or pseudonym").fill("Sam")
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(main(page)).to_contain_text("/enter/")
    expect(answer(page)).to_contain_text("1 person judges here")
    see(page, study, "assignments", "second")
    page.reload()
    page.get_by_role("button", name="Open this round").click()
    expect(page.locator(".st-key-frame-place")).to_contain_text("latest round: Round 1")
    assert second in page.url
    see(page, study, "people", "first")
    expect(answer(page)).to_contain_text("There are no assessors yet")
    expect(page.locator(".st-key-frame-place")).to_contain_text("no round yet")


@long
def test_imported_labels_are_a_baseline_and_no_progress(page: Page, study: Study):
    see(page, study, "monitor", "baseline")
    expect(answer(page)).to_contain_text("Round 1: 2 of 6 judgements")
    expect(answer(page)).to_contain_text("20 labels imported before")
    topic = {row["topic"]: row for row in rows_of(page, "topic", "progress", "judged")}
    done = {name: (float(row["progress"]), row["judged"]) for name, row in topic.items()}
    assert done == {"t1": (pytest.approx(2 / 3), "2"), "t2": (0, "0")}
    assert {row["required"] for row in topic.values()} == {"3"}
    people = {row["assessor"]: row for row in rows_of(page, "assessor", "judged", "left")}
    assert [people[name]["judged"] for name in ("Eva", "before")] == ["2", "0"]


MOST_CELLS, MOST_SCREENS = 40, 6


@long
def test_a_crowd_fits_on_the_page(page: Page, study: Study):
    see(page, study, "agreement", "crowd")
    expect(answer(page)).to_contain_text("pairs")
    for title in page.get_by_role("tab").all_inner_texts():
        tab(page, title)
        maps = page.locator(".js-plotly-plot:has(.heatmaplayer .hm)").all()
        names = [one.locator(f".{axis}tick").count() for one in maps for axis in "xy"]
        assert max(names, default=0) <= MOST_CELLS, title
        height = main(page).evaluate("node => node.scrollHeight")
        assert height < MOST_SCREENS * LAPTOP[1], title


INTERVALS = """plot => {
  const middle = box => (box.left + box.right) / 2;
  const boxes = chosen => [...plot.querySelectorAll(chosen)].map(n => n.getBoundingClientRect());
  const [area] = boxes('.nsewdrag');
  return {
    left: area.left, right: area.right,
    points: boxes('.scatterlayer .point').map(middle),
    bars: boxes('.errorbars .xerror').map(box => [box.left, box.right]),
  };
}"""


@long
def test_outliers_are_on_the_axis_and_intervals_that_leave_it_are_counted(page: Page, study: Study):
    see(page, study, "assessors", "outlier")
    expect(answer(page)).to_contain_text("out (+2.000)")
    plot = page.locator(".st-key-assessors-leniency .js-plotly-plot")
    expect(plot.locator(".ytick")).to_have_count(4)
    seen = plot.evaluate(INTERVALS)
    left, right = seen["left"], seen["right"]
    assert len(seen["points"]) == len(seen["bars"]) == 4
    assert all(left < point < right for point in seen["points"]), seen
    gone = sum(low < left - 1 or high > right + 1 for low, high in seen["bars"])
    assert gone, "the collection is made so"
    expect(plot).to_contain_text(f"{gone} intervals go beyond the axis")


@long
def test_the_round_of_the_demo_is_under_way(page: Page, study: Study):
    see(page, study, "monitor", "demo")
    found = re.search(r"([\d,]+) of ([\d,]+) judgements", answer(page).inner_text())
    assert found
    judged, required = (int(number.replace(",", "")) for number in found.groups())
    assert 0 < judged < required


@long
def test_levels_are_asked_for_before_anything_is_stored(page: Page, study: Study):
    levels = [("ann", 1, n, n) for n in (1, 2, 3)] + [("ben", 1, 1, 0)]
    see(page, study, "collection", "settled", **{"collection-part": "Import"})
    drop(page, "labels.tsv", labels(levels))
    expect(main(page)).to_contain_text("Levels of a page")
    expect(main(page)).to_contain_text("on the scale but in no label: Nav")
    used = rows_of(page, "level", "name on the scale", "labels")
    assert [(row["name on the scale"], row["labels"]) for row in used] == [
        *((name, "1") for name in ("Non", "Rel", "HRel", "Key")),
        ("Nav", "0"),
    ]
    expect(answer(page)).to_contain_text("Say what the levels of the labels mean")
    confirm = page.get_by_role("button", name="Import", exact=True)
    expect(confirm).to_have_count(0)
    page.get_by_text("Those of the scale: 0 is Non, 1 is Rel").click()
    expect(answer(page)).to_contain_text("Nothing is stored yet.")
    assert "label" not in stored(page.context, study)
    confirm.click()
    expect(main(page)).to_contain_text("Imported: 4 labels")
    assert "4 label events" in stored(page.context, study)


def stored(context: BrowserContext, study: Study) -> str:
    """Return what a second window says that the collection of the levels holds."""
    page = context.new_page()
    see(page, study, "collection", "settled")
    told = answer(page).inner_text()
    page.close()
    return told


@long
def test_more_is_farther_from_the_page_in_the_dark(browser: Browser, study: Study):
    context = open_office(browser, study, color_scheme="dark")
    page = context.new_page()
    see(page, study, "agreement", "demo")
    matrix = page.locator(".js-plotly-plot:has(.heatmaplayer .hm)")
    expect(matrix).to_be_visible()
    matrix.scroll_into_view_if_needed()
    cells = matrix.locator(".textpoint").all()
    boxes = [(float(cell.text_content() or ""), cell.bounding_box() or {}) for cell in cells]
    rows = sorted({round(box["y"] + box["height"] / 2) for _, box in boxes})
    step = min(below - above for above, below in pairwise(rows) if below - above > 5)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    ground = picture.getpixel((2, picture.height - 2))
    assert max(ground) < 80, "the page is dark"  # type: ignore[type-var, arg-type]
    shades = {
        value: sum(
            abs(one - other) for one, other in zip(picture.getpixel(
                (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 0.38 * step)
            ), ground, strict=True)
        )
        for value, box in boxes
    }  # fmt: skip
    assert len(shades) > 3
    rising = [shades[value] for value in sorted(shades)]
    assert all(after > before - 4 for before, after in pairwise(rising)), shades
    assert rising[-1] > rising[0] + 60
    context.close()
