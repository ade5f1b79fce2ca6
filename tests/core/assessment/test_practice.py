"""Practice that an organiser adds while people judge."""

from core.assessment.intake.judging import Intake
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.practice import PracticeItem, add_practice_item, remove_practice_item
from core.store.events.frames import read_labels
from tests.core.assessment.conftest import Small
from tests.core.assessment.intake.test_judging import assignment_for, event_for


def test_practice_is_taken_in_though_it_was_added_or_removed_meanwhile(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=2))
    intake = Intake(small.store)
    grant, content = assignment_for(small)
    assert intake.accept(grant, [event_for(small, content.steps[0])])[0]["status"] == "saved"
    items = [PracticeItem("t1", f"t1d{n}", "page", "", 1, "So.") for n in (1, 2)]
    for item in items:
        add_practice_item(small.store, small.collection_id, item)
    _, content = assignment_for(small)
    first, second = (one.step for one in content.practice)
    assert intake.accept(grant, [event_for(small, first)])[0]["status"] == "saved"
    for item in items:
        remove_practice_item(small.store, small.collection_id, item)
    assert intake.accept(grant, [event_for(small, second)])[0]["status"] == "saved"
    assert len(read_labels(small.store, small.collection_id)) == 1
