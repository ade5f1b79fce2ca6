"""The qualifying test: answered before any slot, first answers count, the organiser may let in."""

import pytest

from core.assessment.judging import Intake, grant_of
from core.assessment.next_assignment import next_assignment
from core.assessment.qualifying import TEST, Standing, read_standing, read_standings
from core.assessment.rounds import Plan, close_round, open_round
from core.errors import BadInput, NotFound
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import close_collection
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.content.scales import get_scales
from core.store.events.frames import read_labels
from core.store.people.members import add_member, drop_member
from core.store.people.qualifying import (
    admit,
    get_pass_mark,
    list_admitted,
    read_test_answers,
    set_pass_mark,
)
from core.store.people.roster import RosterEntry, edit_roster
from core.store.rounds.rounds import PAGE_ONLY, SNIPPET_ONLY, read_slots
from tests.core.assessment.conftest import Small
from tests.core.assessment.test_judging import event_for

RIGHT = {"t1d1": 1, "t1d2": 2, "t2d1": 0}


@pytest.fixture
def round_id(small: Small) -> str:
    for document, level in RIGHT.items():
        item = PracticeItem(document[:2], document, "page", "", level, "So it is.")
        add_practice_item(small.store, small.collection_id, item)
    return open_round(small.store, small.collection_id, Plan(judges=2))


def take(small: Small, who: str, levels: dict[str, int | None]):
    """Answer what is handed out first; None: cannot judge."""
    assignment, content = next_assignment(small.store, small.collection_id, who)
    for one in content.practice:
        document = one.step.document_id
        if document in levels:
            level = levels[document]
            given = {"state": "cannot judge"} if level is None else {"level": level}
            event = event_for(small, one.step) | given
            (ack,) = Intake(small.store).accept(grant_of(assignment), [event])
            assert ack["status"] == "saved"
    return assignment, content


def standing(small: Small, who: str) -> Standing:
    return read_standing(small.store, small.collection_id, who)


def has_slot(small: Small, who: str) -> bool:
    slots = read_slots(small.store.cursor(), small.collection_id)
    return any(slot.assessor_id == who for slot in slots)


def test_without_a_mark_slots_are_given_at_once(small: Small, round_id: str):
    assert get_pass_mark(small.store, small.collection_id) is None
    assignment, content = next_assignment(small.store, small.collection_id, "anna")
    assert assignment.topic_id
    assert content.steps
    assert read_standings(small.store, small.collection_id) == {}
    assert standing(small, "anna").told == ""


def test_the_test_comes_first_and_takes_no_slot(small: Small, round_id: str):
    set_pass_mark(small.store, small.collection_id, 0.6)
    assignment, content = take(small, "anna", {"t1d1": 1})
    assert (assignment.topic_id, assignment.batch, assignment.slot) == ("", TEST, TEST)
    assert content.steps == ()
    assert len(content.practice) == 3
    assert not has_slot(small, "anna")
    assert standing(small, "anna").told == "1 of 3 answered"
    take(small, "anna", {"t1d2": 2, "t2d1": 3})
    assert standing(small, "anna").told == "passed: 2 of 3 right"
    assignment, content = next_assignment(small.store, small.collection_id, "anna")
    assert assignment.topic_id
    assert content.steps
    assert has_slot(small, "anna")
    assert read_labels(small.store, small.collection_id).empty


def test_below_the_mark_nothing_is_handed_out_until_the_organiser_says_so(
    small: Small, round_id: str
):
    set_pass_mark(small.store, small.collection_id, 0.67)
    take(small, "anna", {"t1d1": 1, "t1d2": None, "t2d1": 0})
    known = standing(small, "anna")
    assert (known.needed, known.right, known.is_barred) == (3, 2, True)
    assert known.told == "below the mark: 2 of 3 right"
    assert next_assignment(small.store, small.collection_id, "anna") is None
    assert not has_slot(small, "anna")
    admit(small.store, small.collection_id, "anna", admitted=True)
    assert standing(small, "anna").told == "let in: 2 of 3 right"
    assert next_assignment(small.store, small.collection_id, "anna")
    admit(small.store, small.collection_id, "anna", admitted=False)
    assert list_admitted(small.store, small.collection_id) == set()
    assert next_assignment(small.store, small.collection_id, "anna") is None


def test_the_first_answer_counts_as_the_scale_counts_it(small: Small, round_id: str):
    set_pass_mark(small.store, small.collection_id, 1)
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
    assert row == {"assessor_id": "anna", "answered": 1, "right": 0}
    assert read_test_answers(small.store, small.collection_id, ["snippet"]).empty
    scale = {
        one.level: one.counts_as for one in get_scales(small.store, small.collection_id)["page"]
    }
    assert scale[4] == 3
    item = PracticeItem("t1", "t1d1", "page", "", 4, "It counts as the same.")
    add_practice_item(small.store, small.collection_id, item)
    (row,) = read_test_answers(small.store, small.collection_id, ["page"]).to_dict("records")
    assert row["right"] == 1


def test_only_rounds_that_show_the_items_ask_for_them(small: Small, round_id: str):
    set_pass_mark(small.store, small.collection_id, 1)
    close_round(small.store, round_id, closed=True)
    assert standing(small, "anna").is_qualified
    open_round(small.store, small.collection_id, Plan(judges=1, flow=SNIPPET_ONLY))
    assert standing(small, "anna").is_qualified
    open_round(small.store, small.collection_id, Plan(judges=1, flow=PAGE_ONLY))
    assert not standing(small, "anna").is_qualified
    assignment, _ = next_assignment(small.store, small.collection_id, "anna")
    assert assignment.rules.flow == PAGE_ONLY


def test_members_who_judge_here_are_listed(small: Small, round_id: str):
    store, here = small.store, small.collection_id
    set_pass_mark(store, here, 0.5)
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
            set_pass_mark(store, here, mark)
    set_pass_mark(store, here, 0.8, by="olga")
    set_pass_mark(store, here, None, by="olga")
    assert get_pass_mark(store, here) is None
    told = read_audit(store, AuditFilter(kind="practice", person_id="olga"), 9)
    assert sorted(told["change"]) == ["pass mark: 0.8 → none", "pass mark: none → 0.8"]
    with pytest.raises(NotFound):
        admit(store, here, "nobody", admitted=True)
