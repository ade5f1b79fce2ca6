"""The tour of the demo: five questions in order, each on the page that answers it."""

from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.navigation import PAGES
from pages.shared.tour import STEPS
from tests.short import few, long


def shown(at: AppTest) -> str:
    return " ".join(one.value for one in at.markdown if one.value.startswith("**Tour"))


def links(at: AppTest) -> dict[str, tuple[str, str]]:
    """Return the address and the step that each link of the tour leads to, by its label."""
    found = [one.proto for one in at.get("page_link")]
    return {
        one.label: (one.page, parse_qs(one.query_string)["tour"][0])
        for one in found
        if "tour" in one.query_string
    }


def test_there_are_five_steps_on_pages_that_organisers_have():
    assert len(STEPS) == 5
    for step in STEPS:
        (page,) = [page for page in PAGES if page.path == step.path]
        assert "organiser" in page.roles


def test_it_is_begun_left_and_taken_up_again(live_demo: str, organiser: str, open_page):
    at = open_page("account", organiser)
    assert shown(at) == ""
    assert at.button(key="tour-begin").label == "Take the tour"
    at.button(key="tour-begin").click().run()
    assert shown(at).startswith("**Tour, 1 of 5. When are we done?**")
    assert at.query_params["tour"] == "1"
    at.query_params["tour"] = "3"
    at.run()
    assert shown(at).startswith("**Tour, 3 of 5. Do they agree?**")
    at.button(key="tour-leave").click().run()
    assert shown(at) == ""
    assert "tour" not in at.query_params
    assert at.button(key="tour-begin").label == "Go on with the tour (3 of 5)"
    at.button(key="tour-begin").click().run()
    assert shown(at).startswith("**Tour, 3 of 5.")


def test_it_stays_while_one_looks_elsewhere_and_leads_back(
    live_demo: str, organiser: str, open_page
):
    at = open_page("account", organiser, tour_step=2)
    assert links(at) == {
        "Show me": ("assessors", "2"),
        "Next: Do they agree?": ("agreement", "3"),
    }


@long
def test_on_the_page_of_a_step_there_is_only_the_next(live_demo: str, organiser: str, open_page):
    at = open_page("audit", organiser, tour_step=4)
    assert "Show me" in links(at)
    at = open_page("effectiveness", organiser, tour_step=4)
    assert links(at) == {"Next: What goes out?": ("export", "5")}


@long
def test_after_the_last_step_it_begins_anew(live_demo: str, organiser: str, open_page):
    at = open_page("export", organiser, tour_step=5)
    assert links(at) == {}
    leaving = at.button(key="tour-leave")
    assert leaving.label == "Finish"
    leaving.click().run()
    assert at.button(key="tour-begin").label == "Take the tour"


@pytest.mark.parametrize("number", few(["0", "6", "-1", "two", "²"]))
def test_an_address_without_such_a_step_shows_none(
    live_demo: str, organiser: str, open_page, number: str
):
    at = open_page("account", organiser)
    at.query_params["tour"] = number
    at.run()
    assert shown(at) == ""
    assert not at.exception


@long
def test_outside_the_demo_an_address_shows_none(store, demo: str, organiser: str, open_page):
    at = open_page("account", organiser, demo, tour_step=2)
    assert shown(at) == ""
