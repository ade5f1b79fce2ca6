"""The part of a page that shows what showing a machine's levels did."""

import uuid

import pytest
from streamlit.testing.v1 import AppTest

from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.queue import Assignment
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.rounds.rounds import Plan, open_round
from core.assessment.showing import is_drawn, reveal_levels
from core.store.events.labels import Key, LabelEvent
from core.store.machines.machines import Machine, describe_machine
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.showing import find_showing
from core.store.store import Store
from tests.core.assessment.chosen_draw import choose_draw
from tests.pages.seen_study import make_event
from tests.patience import PATIENCE
from tests.short import long

PAGES = (("t1", "d1"), ("t1", "d2"), ("t2", "d2"))
MACHINE = "llm"


def draw(collection_id: str, person_id: str) -> None:
    from core.store.people.people import list_people
    from pages.agreement.machines.machine_anchoring import show_anchoring
    from pages.server.running import server
    from pages.shared.session import PageContext

    store = server().store
    person = next(one for one in list_people(store) if one.person_id == person_id)
    show_anchoring(PageContext(store, False, person, collection_id))


@pytest.fixture
def round_id(store: Store, filled: str) -> str:
    """A round that shows a machine's levels, before anybody has judged."""
    describe_machine(store, filled, MACHINE, Machine("LLM", "model-7"))
    for topic, document in PAGES:
        key = Key(topic, document, "page", "", MACHINE, 0)
        store.labels.append(filled, [LabelEvent(str(uuid.uuid4()), None, key, "level", 3)])
    return open_round(store, filled, Plan(judges=1, flow="page only", shows_machine=MACHINE))


@pytest.fixture
def anna(store: Store, filled: str, round_id: str) -> str:
    """An assessor of whose pages the first and the last are drawn."""
    person_id = add_person(store, "Anna", "assessor")
    add_member(store, filled, person_id, "Anna")
    keys = [Key(topic, document, "page", "", person_id, 0) for topic, document in PAGES]
    choose_draw(store, round_id, {key: key != keys[1] for key in keys})
    return person_id


def judge_all(store: Store, collection_id: str, person_id: str) -> None:
    """Judge every page as 1, and take over what the machine is told to have said."""
    while given := next_assignment(store, collection_id, person_id):
        assignment: Assignment = given[0]
        intake, grant = Intake(store), grant_of(assignment)
        keys = [step.key(person_id) for step in given[1].steps]
        events = {key: make_event(store, key, 1) for key in keys}
        intake.accept(grant, list(events.values()))
        for one in reveal_levels(store, assignment):
            again = make_event(store, one.key, one.level)
            intake.accept(grant, [again | {"supersedes": events[one.key]["event_id"]}])


def open_part(collection_id: str, person_id: str) -> AppTest:
    at = AppTest.from_function(
        draw, args=(collection_id, person_id), default_timeout=PATIENCE
    ).run()
    assert not at.exception
    return at


@long
def test_without_such_a_round_it_says_how_to_open_one(store: Store, filled: str, organiser: str):
    at = open_part(filled, organiser)
    assert "No round shows a machine's levels" in at.info[0].value


@long
def test_before_anything_is_judged_it_says_so(filled: str, organiser: str, round_id: str):
    at = open_part(filled, organiser)
    assert "was judged yet" in at.info[0].value


def test_it_shows_both_halves_assessors_and_drift(
    store: Store, filled: str, organiser: str, round_id: str, anna: str
):
    judge_all(store, filled, anna)
    at = open_part(filled, organiser)
    showing = find_showing(store, round_id)
    shown = [is_drawn(showing, Key(*page, "page", "", anna, 0)) for page in PAGES]
    assert shown == [True, False, True]
    (answer, *_) = [one.value for one in at.markdown]
    assert "Of 2 labels after which model\\-7's level was to be shown" in answer
    assert "revised **100%**" in answer
    assert "of the 1 label without, **0%**" in answer
    halves, assessors, drift = (one.value for one in at.dataframe)
    assert halves["shown_items"].tolist() == [2] * 5
    assert assessors["assessor"].tolist() == ["Anna"]
    assert "everybody" in drift["assessor"].tolist()
    assert len(at.get("plotly_chart")) == 1
