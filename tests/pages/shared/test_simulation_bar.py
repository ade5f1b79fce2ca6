"""The bar of the demo: organisers let simulated assessors judge, see it, and stop them."""

import pytest
from streamlit.testing.v1 import AppTest

import core.assessment.simulated.simulation as module
from core.assessment.simulated.simulation import FAILED, NOBODY_WATCHED, NOTHING_LEFT, Simulation
from core.store.content.collections import create_collection
from core.store.people.members import add_member, add_viewer
from core.store.people.people import add_person
from pages.server.running import server
from tests.browser.running import wait_until
from tests.short import long


def keys(at: AppTest) -> set[str]:
    return {button.key for button in at.button if button.key}


def said(at: AppTest) -> str:
    (text,) = [one.value for one in at.caption if one.value.startswith("Simulated assessors")]
    return text


@pytest.fixture
def simulation(live_demo: str) -> Simulation:
    found = server().simulation
    assert found is not None
    return found


@long
def test_it_is_started_made_faster_and_paused(
    simulation: Simulation, organiser: str, open_page, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "RATES", (12, 6_000))
    at = open_page("account", organiser)
    before = simulation.count_given()
    assert said(at) == f"Simulated assessors are paused; {before:,} labels so far"
    assert at.button(key="simulation-faster").disabled
    at.button(key="simulation-start").click().run()
    assert simulation.is_judging
    assert said(at).startswith("Simulated assessors are judging: 12 labels a minute; ")
    at.button(key="simulation-faster").click().run()
    assert "6,000 labels a minute" in said(at)
    assert at.button(key="simulation-faster").disabled
    wait_until(lambda: simulation.count_given() > before + 3)
    at.button(key="simulation-pause").click().run()
    stands = simulation.count_given()
    assert said(at) == f"Simulated assessors are paused; {stands:,} labels so far"
    assert not simulation.is_judging


def test_what_they_judge_is_in_the_store(simulation: Simulation, store, live_demo: str):
    before = store.labels.sequence(live_demo)
    simulation.start()
    wait_until(lambda: store.labels.sequence(live_demo) > before)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (NOTHING_LEFT, "have judged all"),
        pytest.param(NOBODY_WATCHED, "nobody was watching", marks=long),
        pytest.param(FAILED, "stopped at an error", marks=long),
    ],
)
def test_why_it_ended_is_said(
    simulation: Simulation, organiser: str, open_page, why: str, words: str
):
    simulation.why_paused = why
    at = open_page("account", organiser)
    assert words in said(at)
    assert at.button(key="simulation-start")


def test_an_end_while_it_is_drawn_shows(
    simulation: Simulation, organiser: str, open_page, monkeypatch: pytest.MonkeyPatch
):
    simulation.start()
    monkeypatch.setattr(simulation, "watch", simulation.pause)
    at = open_page("account", organiser)
    assert said(at).startswith("Simulated assessors are paused")


@long
def test_only_organisers_of_its_collection_see_it(
    simulation: Simulation, store, live_demo: str, organiser: str, open_page
):
    viewer, assessor = add_person(store, "Vera", "viewer"), add_person(store, "Adam", "assessor")
    add_viewer(store, live_demo, viewer)
    add_member(store, live_demo, assessor, "Adam")
    for person in (viewer, assessor):
        at = open_page("account", person)
        assert not {"simulation-start", "tour-begin"} & keys(at)
        assert "thrown away" in "".join(one.value for one in at.caption)
    other = create_collection(store, "Another")
    assert "simulation-start" not in keys(open_page("account", organiser, other))
    assert "simulation-start" in keys(open_page("account", organiser, live_demo))


def test_elsewhere_there_is_none(store, demo: str, organiser: str, open_page):
    at = open_page("account", organiser, demo)
    assert server().simulation is None
    assert not {"simulation-start", "tour-begin"} & keys(at)
