"""The page of unpooled runs, drawn on a small collection without a browser."""

import pytest

from core.store.people.people import add_person
from tests.short import long

PAGE = "unpooled"


def texts(at) -> str:
    return "\n".join(part.value for part in [*at.markdown, *at.caption, *at.info, *at.warning])


def test_an_assessor_never_sees_it(store, filled, open_page):
    at = open_page(PAGE, add_person(store, "Ann", "assessor"))
    assert not at.dataframe


def test_it_answers_first_and_shows_what_runs_would_lose(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser)
    at.number_input(key="unpooled-depth").set_value(2).run()
    assert not at.exception
    assert [title.value for title in at.title] == ["Unpooled runs"]
    assert "had not contributed to the pool" in texts(at)
    measures, shares = (frame.value for frame in at.dataframe)
    assert measures["measure"].tolist()[:2] == ["nDCG@10", "nDCG(judged_only=True)@10"]
    assert set(shares["team"]) == {"s1", "e1", "e2"}


@long
def test_runs_of_a_team_are_left_out_together(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser)
    at.number_input(key="unpooled-depth").set_value(2)
    at.number_input(key="unpooled-letters").set_value(1).run()
    assert not at.exception
    assert "whose team had not contributed" in texts(at)
    assert set(at.dataframe[1].value["team"]) == {"s", "e"}
    at.text_area(key="unpooled-teams").set_value("e2 other\n").run()
    assert set(at.dataframe[1].value["team"]) == {"s", "e", "other"}


@long
@pytest.mark.parametrize("lines", ["e1", "nobody x"])
def test_teams_that_cannot_be_used_say_why(store, filled, organiser, open_page, lines):
    at = open_page(PAGE, organiser)
    at.number_input(key="unpooled-depth").set_value(2)
    at.text_area(key="unpooled-teams").set_value(lines).run()
    assert not at.exception
    assert not at.dataframe


@long
def test_a_measure_that_is_none_is_named(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **{"unpooled-measure": "GMAP"})
    assert not at.exception
    assert not at.dataframe
