"""What each machine has said is counted as it stands, and what it cost with all answers."""

import pytest

from core.store.machines.machine_answer import MachineAnswer
from core.store.machines.machines import Machine, count_machine_labels, describe_machine
from core.store.people.members import add_member
from core.store.people.roster import MACHINE, RosterEntry, edit_roster
from tests.short import long

pytestmark = pytest.mark.contract


def test_a_machine_has_a_row_with_what_it_said(store, collection, give):
    machine = Machine("Judge", "m", "1", "How?", {"seed": 1}, "2026")
    describe_machine(store, collection, "llm", machine)
    give(answer=MachineAnswer("1", cost=0.5, input_tokens=10, output_tokens=1))
    give(level=2, answer=MachineAnswer("2", cost=0.25, input_tokens=10, output_tokens=1))
    give("d2", "invalid answer", None, MachineAnswer("?"))
    give("d3", "cannot judge", None)
    give(who="anna")
    (row,) = count_machine_labels(store, collection).to_dict("records")
    assert row == {
        **{"assessor_id": "llm", "name": "Judge", "model": "m", "version": "1"},
        **{"prompt": "How?", "prompt_hash": machine.prompt_hash, "parameters": '{"seed": 1}'},
        **{"judged_on": "2026", "labels": 1, "cannot_judge": 1, "invalid_answers": 1},
        **{"cost": 0.75, "input_tokens": 20, "output_tokens": 2},
    }


@long
def test_a_machine_that_is_not_described_has_empty_cells(store, collection, give):
    assert count_machine_labels(store, collection).empty
    add_member(store, collection, "llm", "llm")
    edit_roster(store, collection, {"llm": RosterEntry("", MACHINE)})
    give()
    (row,) = count_machine_labels(store, collection).to_dict("records")
    assert (row["model"], row["prompt_hash"], row["parameters"], row["labels"]) == ("", "", "{}", 1)
    assert row["cost"] is None or row["cost"] != row["cost"]
