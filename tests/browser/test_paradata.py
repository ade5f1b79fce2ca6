"""How answers came about, in the whole app: by mouse, keys and touch, and who never looks."""

import csv
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.rounds import Plan
from core.store.events.paradata import read_paradata
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.people.pseudonyms import assessor_codes
from core.store.store import Store
from tests.browser.conftest import judge_screen, settle
from tests.browser.study import Study, Wish, change_by, expect_saved, judge, page_of, run_study
from tests.short import long

pytestmark = pytest.mark.browser

PHONE = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}
PAGES = tuple(map(page_of, range(1, 13)))
WISHES = {
    "one of each": Wish(plan=Plan(judges=1, flow="page only")),
    "random": Wish(documents=PAGES, plan=Plan(judges=1, flow="page only", depth=len(PAGES))),
    "crowd": Wish(documents=PAGES, plan=Plan(judges=2, flow="page only", depth=len(PAGES))),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    """The seat called "crowd" is the careful one's; "blind" judges the same pages."""

    def add_blind(store: Store) -> dict[str, str]:
        (collection_id,) = store.cursor().execute(
            "SELECT collection_id FROM collections WHERE name = 'crowd'"
        ).fetchone() or ("",)
        blind = add_person(store, "blind", "assessor")
        add_member(store, collection_id, blind, "blind")
        return {"blind": blind, "session": begin_session(store, blind)}

    with run_study(tmp_path_factory.mktemp("paradata"), WISHES, add_blind) as running:
        yield running


def stored(study: Study, name: str) -> list[dict[str, Any]]:
    """Return what is on disk of how each label came about, in the order of judging."""
    with study.copied() as store:
        rows = read_paradata(store, study.seats[name].collection_id)
    told = rows.astype(object).where(rows.notna(), None).to_dict("records")
    assert all(row["shown_ms"] >= 0 and row["furthest"] == 1000 for row in told)
    return told


def click(page: Page, level: int) -> tuple[int, int]:
    """Press the middle of a level's button; returns where that is, of 1000."""
    expect(judge_screen(page)).to_have_attribute("data-ready", "true")
    box = page.get_by_test_id(f"level-{level}").bounding_box()
    size = page.viewport_size
    assert box
    assert size
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    change_by(page, lambda: page.mouse.click(x, y))
    return round(1000 * x / size["width"]), round(1000 * y / size["height"])


def test_a_click_and_a_key_are_stored_with_their_labels(page: Page, study: Study):
    study.sit(page, "one of each")
    x, y = click(page, 2)
    judge(page, "1")
    expect_saved(page)
    by_mouse, by_key = stored(study, "one of each")
    assert [by_mouse[name] for name in ("given_by", "level", "place")] == ["mouse", 2, 2]
    assert abs(by_mouse["x"] - x) <= 1
    assert abs(by_mouse["y"] - y) <= 1
    assert [by_key[name] for name in ("given_by", "level", "place", "x")] == ["key", 0, 0, None]


@long
def test_random_answers_by_mouse_keys_and_touch_are_stored_as_they_were(
    browser: Browser, study: Study
):
    draw = random.Random(39)
    context = browser.new_context(**PHONE)
    page = context.new_page()
    study.sit(page, "random")
    given = []
    for by in draw.sample([*4 * ["key"], *4 * ["mouse"], *4 * ["touch"]], len(PAGES)):
        level = draw.randrange(4)
        given.append((by, level, level))
        if by == "key":
            judge(page, str(level + 1))
        elif by == "mouse":
            click(page, level)
        else:
            expect(judge_screen(page)).to_have_attribute("data-ready", "true")
            change_by(page, page.get_by_test_id(f"level-{level}").tap)
    expect_saved(page)
    context.close()
    rows = stored(study, "random")
    assert [(row["given_by"], row["level"], row["place"]) for row in rows] == given
    assert all((row["x"] is None) == (row["given_by"] == "key") for row in rows)


@long
def test_who_clicks_without_looking_stands_out_in_the_organisers_table(
    browser: Browser, page: Page, study: Study
):
    draw = random.Random(5)
    study.sit(page, "crowd")
    for _ in PAGES:
        expect(judge_screen(page)).to_have_attribute("data-ready", "true")
        page.wait_for_timeout(1_050)  # nobody who reads answers within a second
        click(page, draw.randrange(4))
    expect_saved(page)
    context = browser.new_context()
    other = context.new_page()
    study.enter(other, study.collections["session"])
    box = None
    for _ in PAGES:
        expect(judge_screen(other)).to_have_attribute("data-ready", "true")
        if judge_screen(other).get_attribute("data-step") == "start":
            change_by(other, lambda: other.keyboard.press("Enter"))
            expect(judge_screen(other)).to_have_attribute("data-ready", "true")
        box = box or other.get_by_test_id("level-3").bounding_box()
        assert box
        change_by(other, lambda at=box: other.mouse.click(at["x"] + 20, at["y"] + 20))
    expect_saved(other)
    context.close()
    rows = {row["assessor"]: row for row in read_table(browser, study)}
    crowd = study.seats["crowd"]
    people = crowd.assessor_id, study.collections["blind"]
    with study.copied() as store:
        codes = assessor_codes(store, crowd.collection_id, people)
    careful, blind = (rows[codes[one]] for one in people)
    assert (blind["longest_run"], float(blind["same_spot"])) == ("12", 1)
    assert float(careful["fast"]) == 0 < float(blind["fast"])
    assert int(careful["longest_run"]) <= 4
    assert float(careful["same_spot"]) <= 0.5


def read_table(browser: Browser, study: Study) -> list[dict[str, str]]:
    """Return the data of the organiser's table of assessors."""
    context = browser.new_context()
    page = context.new_page()
    place = f"?collection={study.seats['crowd'].collection_id}"
    study.enter(page, study.organiser, f"assessors{place}")
    settle(page)
    button = page.get_by_role("button", name="Data").last
    expect(button).to_be_visible()
    with page.expect_download() as taken:
        button.click()
    text = Path(taken.value.path()).read_text("utf-8-sig")
    context.close()
    return list(csv.DictReader(text.splitlines()))
