"""Raw answers are stored with their label or not at all, word for word."""

import pytest

from core.command.check import CHECKS
from core.errors import BadInput
from core.store.backup.backup import restore_backup, save_backup
from core.store.check.check_machines import MACHINES
from core.store.events.frames import read_labels
from core.store.machines.machine_answer import MachineAnswer
from core.store.machines.machines import Machine, describe_machine, read_answers
from core.store.people.erasure import erase_person
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.roster import MACHINE, RosterEntry, edit_roster
from core.store.store import Store
from tests.each import each
from tests.short import long

pytestmark = pytest.mark.contract

ODD = 'Ψ😀 "3"\n\t=cmd\r\n{"level": 3}'


@pytest.fixture
def machine(store, collection) -> Machine:
    return describe_machine(store, collection, "llm", Machine("llm", "model", "1", "How?"))


def test_an_answer_is_read_with_its_label_and_what_it_cost(store, collection, machine, give):
    give(level=2, answer=MachineAnswer(ODD, "It is long.", 0.25, 812, 3))
    give("d2", "invalid answer", None, MachineAnswer("It depends."))
    give("d3")
    frame = read_answers(store, collection)
    columns = ["document_id", "state", "answer", "reason", "stands", "model", "prompt_hash"]
    assert frame[columns].to_numpy().tolist() == [
        ["d1", "level", ODD, "It is long.", True, "model", machine.prompt_hash],
        ["d2", "invalid answer", "It depends.", "", True, "model", machine.prompt_hash],
    ]
    numbers = frame[["level", "cost", "input_tokens", "output_tokens"]]
    assert numbers.iloc[0].tolist() == [2, 0.25, 812, 3]
    assert numbers.iloc[1].isna().all()
    proved = MACHINES.check(store)
    assert (proved.checked, proved.faults, proved.notes) == (3, (), ())


@long
def test_an_answer_that_was_replaced_is_kept_and_does_not_stand(store, collection, machine, give):
    give(answer=MachineAnswer("1"))
    give(level=2, answer=MachineAnswer("2"))
    frame = read_answers(store, collection)
    assert frame[["answer", "stands"]].to_numpy().tolist() == [["1", False], ["2", True]]


@long
def test_sent_twice_it_is_stored_once(store, collection, machine, give):
    event = give(answer=MachineAnswer("1"))
    store.labels.append(collection, [event])
    assert len(read_answers(store, collection)) == 1


@long
def test_a_label_whose_answer_cannot_be_stored_is_refused_with_it(store, collection, machine, give):
    with pytest.raises(Exception, match=r"(?i)int64|range|overflow|convert"):
        give(answer=MachineAnswer("1", input_tokens=2**63))
    assert read_labels(store, collection).empty
    give(answer=MachineAnswer("1", input_tokens=2**63 - 1))
    assert read_answers(store, collection)["input_tokens"].tolist() == [2**63 - 1]


@long
def test_what_no_store_can_hold_is_replaced_by_a_sign(store, collection, machine, give):
    give(answer=MachineAnswer("a\ud800b\x00c", "\udfff"))
    (row,) = read_answers(store, collection)[["answer", "reason"]].to_numpy().tolist()
    assert row == ["a?b\ufffdc", "?"]


@each(
    "numbers",
    [{"cost": -1.0}, {"cost": float("nan")}, {"input_tokens": -1}, {"output_tokens": -5}],
)
def test_a_cost_is_a_number_from_0(numbers):
    with pytest.raises(BadInput, match="no number from 0"):
        MachineAnswer("1", **numbers)


@long
def test_an_answer_without_a_level_counts_as_none(store, collection, machine, give):
    give(level=0)
    give("d2", "invalid answer", None, MachineAnswer("?"))
    labels = read_labels(store, collection).set_index("document_id")
    assert labels.loc["d1", "level"] == 0
    assert labels["level"].isna().tolist() == [False, True]
    assert labels.loc["d2", "state"] == "invalid answer"


def test_only_machines_give_answers_that_cannot_be_read(store, collection, give):
    add_member(store, collection, "anna", "Anna")
    give(who="anna", state="invalid answer", level=None)
    assert [fault.count for fault in MACHINES.check(store).faults] == [1]
    edit_roster(store, collection, {"anna": RosterEntry("", MACHINE)})
    assert MACHINES.check(store).faults == ()
    assert MACHINES.check in CHECKS


@long
@pytest.mark.file_only
def test_answers_and_descriptions_are_in_a_backup(store, collection, machine, give, tmp_path):
    give(answer=MachineAnswer(ODD, "Why not?", 1.5, 10, 1))
    before = read_answers(store, collection)
    restored = tmp_path / "restored.duckdb"
    save_backup(store, tmp_path / "kept.zip")
    restore_backup(tmp_path / "kept.zip", restored)
    again = Store(restored)
    try:
        assert read_answers(again, collection).equals(before)
        assert MACHINES.check(again).faults == ()
    finally:
        again.close()


@long
def test_a_name_that_is_erased_goes_from_prompts_and_answers(store, collection, machine, give):
    add_person(store, "Olga", "organiser")
    who = add_person(store, "Zebedee", "assessor")
    add_member(store, collection, who, "Zebedee")
    asked = Machine("llm2", prompt="Zebedee asks: how good is it?", parameters={"user": "Zebedee"})
    asked = describe_machine(store, collection, "llm2", asked)
    give(who="llm2", answer=MachineAnswer("Zebedee will not like it.", "Says Zebedee."))
    erase_person(store, who)
    held = store.database.run("SELECT prompt, prompt_hash, parameters FROM machines ORDER BY 1")
    assert (f"{who} asks: how good is it?", asked.prompt_hash, f'{{"user": "{who}"}}') in held
    (row,) = read_answers(store, collection)[["answer", "reason"]].to_numpy().tolist()
    assert row == [f"{who} will not like it.", f"Says {who}."]
    assert MACHINES.check(store).notes == (
        "1 prompts are not word for word what was asked (somebody was erased)",
    )
