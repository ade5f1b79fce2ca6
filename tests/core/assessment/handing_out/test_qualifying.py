"""The qualifying test: answered before any slot, first answers count, the organiser may let in."""

import pytest

from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.qualifying import (
    TEST,
    Attempt,
    Standing,
    next_test,
    read_standing,
    read_standings,
)
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.errors import BadInput, NotFound
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import close_collection
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.content.scales import get_scales
from core.store.events.adjudications import ADJUDICATION
from core.store.events.frames import read_labels
from core.store.events.labels import PRACTICE
from core.store.people.members import add_member, drop_member
from core.store.people.people import add_person
from core.store.people.qualifying import (
    MOST_ATTEMPTS,
    TestRules,
    admit,
    find_test_author,
    get_test_rules,
    list_admitted,
    occasion_of,
    read_test_answers,
    set_test_rules,
)
from core.store.people.roster import RosterEntry, edit_roster
from core.store.rounds.rounds import PAGE_ONLY, SNIPPET_ONLY, read_slots
from tests.core.assessment.conftest import Small
from tests.core.assessment.intake.test_judging import event_for
from tests.short import long

RIGHT = {"t1d1": 1, "t1d2": 2, "t2d1": 0}


@pytest.fixture
def round_id(small: Small) -> str:
    for document, level in RIGHT.items():
        item = PracticeItem(document[:2], document, "page", "", level, "So it is.")
        add_practice_item(small.store, small.collection_id, item)
    return open_round(small.store, small.collection_id, Plan(judges=2))


def take(small: Small, who: str, levels: dict[str, int | None], *, repeats: bool = False):
    """Answer what is handed out first; None: cannot judge."""
    handed_out = next_test(small.store, small.collection_id, who, repeats=repeats)
    assignment, content = handed_out or next_assignment(small.store, small.collection_id, who)
    known, events = small.store.labels.current(small.collection_id, who), []
    for one in content.practice:
        document = one.step.document_id
        if document in levels and one.step.key(who) not in known:
            level = levels[document]
            given = {"state": "cannot judge"} if level is None else {"level": level}
            events.append(event_for(small, one.step) | given)
    acks = Intake(small.store).accept(grant_of(assignment), events)
    assert [ack["status"] for ack in acks] == ["saved"] * len(events)
    return assignment, content


def standing(small: Small, who: str) -> Standing:
    return read_standing(small.store, small.collection_id, who)


def has_slot(small: Small, who: str) -> bool:
    slots = read_slots(small.store.cursor(), small.collection_id)
    return any(slot.assessor_id == who for slot in slots)


@long
def test_without_a_mark_slots_are_given_at_once(small: Small, round_id: str):
    assert get_test_rules(small.store, small.collection_id) is None
    assignment, content = next_assignment(small.store, small.collection_id, "anna")
    assert assignment.topic_id
    assert content.steps
    assert read_standings(small.store, small.collection_id) == {}
    assert standing(small, "anna").summary == ""


@long
def test_the_test_comes_first_and_takes_no_slot(small: Small, round_id: str):
    set_test_rules(small.store, small.collection_id, TestRules(0.6))
    assignment, content = take(small, "anna", {"t1d1": 1})
    assert (assignment.topic_id, assignment.batch, assignment.slot) == ("", TEST, TEST)
    assert content.steps == ()
    assert len(content.practice) == 3
    assert not has_slot(small, "anna")
    assert standing(small, "anna").summary == "1 of 3 answered"
    take(small, "anna", {"t1d2": 2, "t2d1": 3})
    assert standing(small, "anna").summary == "passed: 2 of 3 right"
    assignment, content = next_assignment(small.store, small.collection_id, "anna")
    assert assignment.topic_id
    assert content.steps
    assert has_slot(small, "anna")
    assert read_labels(small.store, small.collection_id).empty


def test_below_the_mark_nothing_is_handed_out_until_the_organiser_says_so(
    small: Small, round_id: str
):
    set_test_rules(small.store, small.collection_id, TestRules(0.67))
    take(small, "anna", {"t1d1": 1, "t1d2": None, "t2d1": 0})
    known = standing(small, "anna")
    assert (known.needed, known.right, known.is_barred) == (3, 2, True)
    assert known.summary == "below the mark: 2 of 3 right"
    assert next_assignment(small.store, small.collection_id, "anna") is None
    assert not has_slot(small, "anna")
    admit(small.store, small.collection_id, "anna", admitted=True)
    assert standing(small, "anna").summary == "let in: 2 of 3 right"
    assert next_assignment(small.store, small.collection_id, "anna")
    admit(small.store, small.collection_id, "anna", admitted=False)
    assert list_admitted(small.store, small.collection_id) == set()
    assert next_assignment(small.store, small.collection_id, "anna") is None


def test_the_first_answer_counts_as_the_scale_counts_it(small: Small, round_id: str):
    set_test_rules(small.store, small.collection_id, TestRules(1))
    assignment, content = take(small, "anna", {"t1d1": 3})
    (step,) = (one.step for one in content.practice if one.step.document_id == "t1d1")
    intake = Intake(small.store)
    key = step.key("anna")
    before = small.store.labels.current(small.collection_id, "anna")[key].event_id
    event = event_for(small, step) | {"level": 1, "supersedes": before}
    assert intake.accept(grant_of(assignment), [event])[0]["status"] == "saved"
    (row,) = read_test_answers(small.store, small.collection_id, ["page"], "anna").to_dict(
        "records"
    )
    said = {name: row[name] for name in ("attempt", "level", "expected", "why", "right")}
    assert said == {"attempt": 1, "level": 3, "expected": 1, "why": "So it is.", "right": False}
    assert read_test_answers(small.store, small.collection_id, ["snippet"]).empty
    scale = {
        one.level: one.counts_as for one in get_scales(small.store, small.collection_id)["page"]
    }
    assert scale[4] == 3
    item = PracticeItem("t1", "t1d1", "page", "", 4, "It counts as the same.")
    add_practice_item(small.store, small.collection_id, item)
    (row,) = read_test_answers(small.store, small.collection_id, ["page"]).to_dict("records")
    assert row["right"]


WRONG = dict.fromkeys(RIGHT, 0) | {"t2d1": 3}
"""Every answer two levels off or more, but for the first, which is one off."""


@long
def test_it_can_be_repeated_as_often_as_it_says(small: Small, round_id: str):
    store, here = small.store, small.collection_id
    set_test_rules(store, here, TestRules(1, attempts=3))
    assert next_test(store, here, "anna", repeats=True)[0].batch == -1
    first, _ = take(small, "anna", WRONG)
    known = standing(small, "anna")
    assert (known.is_barred, known.left) == (True, 2)
    assert known.summary == "below the mark: 0 of 3 right, attempt 1 of 3"
    assert next_assignment(store, here, "anna") is None, "nobody is asked again without wanting it"
    second, again = take(small, "anna", {"t1d1": 1}, repeats=True)
    assert (first.batch, second.batch) == (-1, -3)
    assert {one.step.occasion for one in again.practice} == {-3}
    assert {one.step.document_id for one in again.practice} == set(RIGHT)
    assert standing(small, "anna").summary == "1 of 3 answered, attempt 2 of 3"
    assert standing(small, "anna").left == 0, "one is going on"
    resumed, _ = next_assignment(store, here, "anna")
    assert resumed.batch == -3
    take(small, "anna", WRONG)
    assert standing(small, "anna").left == 1
    take(small, "anna", RIGHT, repeats=True)
    known = standing(small, "anna")
    assert known.summary == "passed: 3 of 3 right, attempt 3 of 3"
    assert [(one.number, one.right) for one in known.tried] == [(1, 0), (2, 1), (3, 3)]
    assert next_assignment(store, here, "anna")[1].practice == ()
    assert next_test(store, here, "anna", repeats=True) is None
    assert read_labels(store, here).empty
    (events,) = store.cursor().execute("SELECT count(*) FROM labels").fetchone()
    assert events == 9, "what was answered before stays on record"


def test_attempts_keep_away_from_adjudications():
    occasions = [occasion_of(number) for number in range(1, MOST_ATTEMPTS + 1)]
    assert len(set(occasions)) == MOST_ATTEMPTS
    assert max(occasions) == PRACTICE
    assert ADJUDICATION not in occasions


@long
def test_after_the_last_attempt_there_is_none(small: Small, round_id: str):
    set_test_rules(small.store, small.collection_id, TestRules(1))
    take(small, "anna", WRONG)
    assert standing(small, "anna").left == 0
    assert next_test(small.store, small.collection_id, "anna", repeats=True) is None
    set_test_rules(small.store, small.collection_id, TestRules(1, attempts=2))
    assert standing(small, "anna").left == 1


@long
def test_an_attempt_that_was_not_handed_out_takes_no_answers(small: Small, round_id: str):
    set_test_rules(small.store, small.collection_id, TestRules(1, attempts=2))
    assignment, content = take(small, "anna", {})
    for occasion in (-2, -3, -4, -99):
        event = event_for(small, content.practice[0].step) | {"occasion": occasion}
        (ack,) = Intake(small.store).accept(grant_of(assignment), [event])
        assert ack["status"] == "refused"
    take(small, "anna", WRONG)
    second, content = next_test(small.store, small.collection_id, "anna", repeats=True)
    event = event_for(small, content.practice[0].step)
    (ack,) = Intake(small.store).accept(grant_of(second), [event])
    assert ack["status"] == "saved"
    assert ack["practice"]["why"] == "So it is."


@long
def test_another_attempt_draws_others_and_another_order(small: Small, round_id: str):
    store, here = small.store, small.collection_id
    levels = dict(RIGHT)
    for document in ("t1d3", "t2d2", "t3d1"):
        levels[document] = 1
        item = PracticeItem(document[:2], document, "page", "", 1, "So it is.")
        add_practice_item(store, here, item)
    set_test_rules(store, here, TestRules(1, attempts=9, drawn=3))
    asked = []
    for number in range(1, 5):
        wrong = {document: (level + 2) % 4 for document, level in levels.items()}
        _, content = take(small, "anna", wrong, repeats=number > 1)
        asked.append([one.step.document_id for one in content.practice])
        assert standing(small, "anna").tried[-1] == Attempt(number, 3, 3, 0)
    assert {len(one) for one in asked} == {3}
    assert {*asked[0], *asked[1]} == set(levels), "nothing comes twice while something is new"
    assert {*asked[2], *asked[3]} == set(levels)
    set_test_rules(store, here, TestRules(1, attempts=9))
    orders = []
    for _ in range(4):
        _, content = take(small, "anna", wrong, repeats=True)
        orders.append(tuple(one.step.document_id for one in content.practice))
    assert {frozenset(one) for one in orders} == {frozenset(levels)}
    assert len(set(orders)) > 1
    for order in orders:
        topics = [document[:2] for document in order]
        assert sorted(topics.index(one) for one in topics) == [topics.index(one) for one in topics]


@long
def test_what_is_begun_stays_when_items_come_and_go(small: Small, round_id: str):
    store, here = small.store, small.collection_id
    set_test_rules(store, here, TestRules(1, drawn=2))
    _, content = take(small, "anna", {})
    first, _ = (one.step.document_id for one in content.practice)
    take(small, "anna", {first: RIGHT[first]})
    add_practice_item(store, here, PracticeItem("t3", "t3d1", "page", "", 1, "So it is."))
    _, content = take(small, "anna", {})
    assert first in {one.step.document_id for one in content.practice}
    assert len(content.practice) == 2
    take(small, "anna", RIGHT | {"t3d1": 1})
    assert standing(small, "anna").is_qualified


@pytest.mark.parametrize(("within", "right"), [(1, 1), pytest.param(0, 0, marks=long)])
def test_one_level_off_counts_where_the_rules_say_so(
    small: Small, round_id: str, within: int, right: int
):
    set_test_rules(small.store, small.collection_id, TestRules(0.3, within=within))
    take(small, "anna", WRONG | {"t1d2": None})
    assert standing(small, "anna").right == right
    assert standing(small, "anna").is_qualified is (right > 0)


@long
def test_only_rounds_that_show_the_items_ask_for_them(small: Small, round_id: str):
    set_test_rules(small.store, small.collection_id, TestRules(1))
    close_round(small.store, round_id, closed=True)
    assert standing(small, "anna").is_qualified
    open_round(small.store, small.collection_id, Plan(judges=1, flow=SNIPPET_ONLY))
    assert standing(small, "anna").is_qualified
    open_round(small.store, small.collection_id, Plan(judges=1, flow=PAGE_ONLY))
    assert not standing(small, "anna").is_qualified
    assignment, _ = next_assignment(small.store, small.collection_id, "anna")
    assert assignment.rules.flow == PAGE_ONLY


@long
def test_members_who_judge_here_are_listed(small: Small, round_id: str):
    store, here = small.store, small.collection_id
    set_test_rules(store, here, TestRules(0.5))
    add_member(store, here, "u1", "u1", origin="imported")
    edit_roster(store, here, {"bob": RosterEntry("", "machine")})
    drop_member(store, here, "carla")
    assert set(read_standings(store, here)) == {"anna", "dan"}
    assert next_assignment(store, here, "carla") is None
    close_collection(store, here, closed=True)
    assert next_assignment(store, here, "anna") is None


def test_the_mark_is_a_share_and_on_record(small: Small, round_id: str):
    store, here = small.store, small.collection_id
    for mark in (0, 1.01, float("nan")):
        with pytest.raises(BadInput, match="pass mark"):
            set_test_rules(store, here, TestRules(mark))
    for rules in (TestRules(1, within=2), TestRules(1, attempts=0), TestRules(1, drawn=0)):
        with pytest.raises(BadInput):
            set_test_rules(store, here, rules)
    set_test_rules(store, here, TestRules(0.8), by="olga")
    assert find_test_author(store, here) == ""
    set_test_rules(store, here, None, by="olga")
    assert get_test_rules(store, here) is None
    told = read_audit(store, AuditFilter(kind="practice", person_id="olga"), 9)
    assert sorted(told["change"]) == ["pass mark: 0.8 → none", "pass mark: none → 0.8"]
    olga = add_person(store, "Olga", "organiser")
    set_test_rules(store, here, TestRules(0.5, 1, 2, 3), by=olga)
    assert get_test_rules(store, here) == TestRules(0.5, 1, 2, 3)
    assert find_test_author(store, here) == "Olga"
    (change,) = read_audit(store, AuditFilter(kind="practice", person_id=olga), 9)["change"]
    assert (
        change
        == "pass mark: none → 0.5; levels off: none → 1; attempts: none → 2; items drawn: none → 3"
    )
    with pytest.raises(NotFound):
        admit(store, here, "nobody", admitted=True)
