"""The page of clicks: what it answers, its parts, and where there are none."""

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.base.study import Study
from core.analysis.clicks.beside_judges import ClickChoice, clicks_of, list_judgements, logs_of
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.reports.clicks import AGAINST
from core.store.clicks.click_logs import delete_click_log
from core.store.content.imports import write_import
from core.store.store import Store
from tests.pages.conftest import OpenPage, lasting_demo, lasting_organiser
from tests.pages.drawn_figures import said
from tests.pages.parts import PARTS
from tests.short import long

store, organiser = lasting_demo, lasting_organiser

PART, TITLES = PARTS["clicks"]


@pytest.fixture
def seen(store: Store, demo_store: tuple[object, str]) -> Study:
    return Study(store, demo_store[1], is_masked=False)


def draw(open_page: OpenPage, person: str, part: str = TITLES[0]) -> AppTest:
    page = open_page("clicks", person, **{PART: part})
    assert not page.exception
    assert not page.error
    return page


def test_it_answers_with_lift_over_position(open_page, store, organiser, seen):
    words = said(draw(open_page, organiser))
    assert "People prefer what clicks prefer" in words
    assert "more often than by position alone" in words
    assert "800 pages" in words


@long
@pytest.mark.parametrize("part", TITLES)
def test_every_part_is_drawn(open_page, organiser, part):
    page = draw(open_page, organiser, part)
    words = {
        "Models": "the clicks of other sessions",
        "Preferences": "clicks tell more than position",
        "Levels": "Of two results of a query",
        "Contradictions": "judged results",
    }
    assert words[part] in said(page)


def test_clicks_stand_beside_levels_weights_and_preferences(seen):
    (name,) = logs_of(seen)
    assert name == "simulated"
    choice = next(iter(list_judgements(seen, "page").values()))
    found = clicks_of(seen, ClickChoice(name, "page", choice))
    assert set(found.lift["against"]) == set(AGAINST)
    alone = clicks_of(seen, ClickChoice(name, "page", None))
    assert alone.levels is None
    known = found.attractiveness.set_index("level")["value"]
    assert known[0] < known[2]


@long
def test_a_log_of_other_topics_is_told_apart(open_page, store, organiser, seen):
    text = "session\ttopic\trank\tdocument\tclicked\n" + "".join(
        f"s{one}\tz\t1\tz{one}\t{one % 2}\n" for one in range(8)
    )
    imported = read_import("clicks", Source("other.tsv", text.encode()))
    write_import(store, seen.collection_id, imported, name="aside")
    try:
        words = said(draw(open_page, organiser))
        assert "No result of this log has a level" in words
    finally:
        delete_click_log(store, seen.collection_id, "aside")


def test_without_a_log_it_says_what_to_do(open_page, store, organiser, seen):
    delete_click_log(store, seen.collection_id, "simulated")
    assert "There is no click log yet" in said(draw(open_page, organiser))
