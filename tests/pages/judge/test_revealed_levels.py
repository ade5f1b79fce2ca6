"""What a machine said, told by the plain buttons at the end of a topic, and sent no sooner."""

import json
import uuid

import pytest
from streamlit.testing.v1 import AppTest

from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.store.content.collections import get_collection
from core.store.events.labels import Key, LabelEvent
from core.store.machines.machines import Machine, describe_machine
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from pages.judge.assignment import component_data, data_ahead
from tests.core.assessment.chosen_draw import choose_draw
from tests.pages.conftest import OpenPage
from tests.short import long

MACHINE, MODEL, REMARK = "llm", "model-7", "what the machine remarked"


@pytest.fixture
def anna(store: Store, filled: str) -> str:
    """An assessor of a round that shows a machine's levels of every page."""
    describe_machine(store, filled, MACHINE, Machine("LLM", MODEL))
    person_id = add_person(store, "Anna", "assessor")
    add_member(store, filled, person_id, "Anna")
    plan = Plan(judges=1, flow="page only", shows_machine=MACHINE)
    round_id = open_round(store, filled, plan)
    keys = [Key("t1", document, "page", "", person_id, 0) for document in ("d1", "d2")]
    for key in keys:
        said = key._replace(assessor_id=MACHINE)
        event = LabelEvent(str(uuid.uuid4()), None, said, "level", 3, comment=REMARK)
        store.labels.append(filled, [event])
    choose_draw(store, round_id, dict.fromkeys(keys, True))
    return person_id


@long
def test_the_plain_buttons_tell_it_at_the_end_until_somebody_goes_on(
    anna: str, open_page: OpenPage
):
    at = open_page("judge", anna)
    at.sidebar.toggle[0].set_value(True).run()
    assert any("once you have finished the topic" in one.value for one in at.caption)
    left = _judge_first(at)
    while left:
        assert not any(MODEL in one.value for one in at.info)
        left = _judge_first(at)
    assert not at.exception
    told = [one.value for one in at.info]
    assert len(told) == 2
    assert all("you said Non; the machine model\\-7 said Key" in one for one in told)
    at.run()
    assert [one.value for one in at.info] == told
    (next_,) = [one for one in at.button if one.label == "Next"]
    next_.click().run()
    assert not at.exception
    assert not at.info


def _judge_first(at: AppTest) -> bool:
    """Give the lowest level to the item that is shown; tells whether the topic goes on."""
    (words,) = [one.value for one in at.caption if "left in this topic" in one.value]
    at.button[0].click().run()
    return not words.startswith("1 ")


def test_what_is_handed_out_says_that_a_machine_is_shown_and_nothing_of_it(
    store: Store, filled: str, anna: str
):
    assignment = take_assignment(store, filled, anna)
    content = lay_out(store, assignment)
    collection = get_collection(store, filled)
    data = component_data(store, collection, assignment, content, "session")
    assert data["shows_machine"] is True
    sent = json.dumps([data, data_ahead(store, collection, [(assignment, content)], "session")])
    for told in (MACHINE, "LLM", MODEL, REMARK):
        assert f'"{told}"' not in sent
    close_round(store, assignment.rules.round_id, closed=True)
    data = component_data(store, collection, assignment, content, "session")
    assert data["shows_machine"] is False
