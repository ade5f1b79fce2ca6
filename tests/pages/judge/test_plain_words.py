"""A question to the organiser with plain buttons, and what comes back."""

import pytest

from core.assessment.rounds.rounds import Plan, open_round
from core.store.events.questions import answer_question, list_read, read_questions
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from tests.short import long


@pytest.fixture
def assessor(store: Store, filled: str) -> str:
    person = add_person(store, "Anna", "assessor")
    add_member(store, filled, person, "Anna")
    open_round(store, filled, Plan(judges=1, flow="page only"))
    return person


def expander(at) -> str:
    return next(one.label for one in at.expander if "Questions" in one.label)


def texts(at) -> str:
    return "\n".join(one.value for one in (*at.text, *at.markdown, *at.info)).replace("\\", "")


def test_a_question_is_asked_and_its_answer_read_where_one_judges(
    open_page, store, filled, assessor
):
    at = open_page("judge", assessor)
    at.sidebar.toggle[0].set_value(True).run()
    assert expander(at) == "Questions and notices"
    at.text_area[0].set_value("  ").run()
    send = next(one for one in at.button if one.label == "Send")
    send.click().run()
    assert read_questions(store, filled).empty
    at.text_area[0].set_value("Is <b>this</b> *it*?")
    next(one for one in at.button if one.label == "Send").click().run()
    assert not at.exception
    (asked,) = read_questions(store, filled).to_dict("records")
    assert (asked["assessor_id"], asked["text"]) == (assessor, "Is <b>this</b> *it*?")
    assert at.text_area[0].value == ""
    assert "Your question goes to the organiser." in texts(at)
    assert "Not answered yet" in texts(at)
    assert "> Is <b>this</b> *it*?" in texts(at)
    assert store.labels.current(filled, assessor) == {}
    answer_question(store, filled, asked["question_id"], "It *is*.", to_all=False)
    at.run()
    assert expander(at) == "Questions and notices (1 new)"
    assert "Answer to you · New" in texts(at)
    assert "It *is*." in texts(at)
    assert len(list_read(store, filled, assessor)) == 1
    at.run()
    assert expander(at) == "Questions and notices"


@long
def test_a_question_that_is_not_accepted_keeps_its_text(
    open_page, store, filled, assessor, monkeypatch
):
    monkeypatch.setattr("core.assessment.intake.questions.MOST_OPEN", 0)
    at = open_page("judge", assessor)
    at.sidebar.toggle[0].set_value(True).run()
    at.text_area[0].set_value("Why?")
    next(one for one in at.button if one.label == "Send").click().run()
    assert "Your question was not accepted: 0 of your questions wait" in texts(at)
    assert at.text_area[0].value == "Why?"
    assert read_questions(store, filled).empty
