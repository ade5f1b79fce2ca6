"""A machine's labels are imported with its description and answers, whole or not at all."""

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, list_label_imports, read_audit
from core.store.check.check_machines import MACHINES
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.frames import read_labels
from core.store.machines.machines import Machine, find_machine, list_machines, read_answers
from core.store.people.members import add_member, list_members
from core.store.store import Store
from tests.short import long

pytestmark = pytest.mark.contract

ROWS = "topic\tdocument\tlevel\tstate\tanswer\tcost\tinput_tokens\n"
ANSWERED = ROWS + "1\td1\t2\t\t2!\t0.5\t80\n1\td2\t\tinvalid answer\tHm\t\t\n1\td3\t0\t\t\t\t\n"
TOLD = {"model": "m", "version": "1", "prompt": "How?", "parameters": "seed=1", "date": "2026"}


def bring(store: Store, collection: str, text: str, name: str = "f.tsv", **options):
    options = {"machine": "llm", **options}
    scales = get_scales(store, collection)
    source = Source(name, text.encode())
    imported = read_import("labels", source, scales=scales, **options)
    return write_import(store, collection, imported, by="p-1")


def test_labels_description_and_answers_are_stored(store, collection):
    counts = bring(store, collection, ANSWERED, description=TOLD)
    assert counts == {"already there": 0, "labels": 3, "machine_answers": 2}
    machine = Machine("llm", "m", "1", "How?", {"seed": 1}, "2026")
    assert list_machines(store, collection) == {"llm": machine}
    (member,) = list_members(store, collection).to_dict("records")
    assert (member["assessor_id"], member["kind"]) == ("llm", "machine")
    assert read_labels(store, collection)["state"].tolist() == ["level", "invalid answer", "level"]
    answers = read_answers(store, collection)
    assert answers[["document_id", "answer", "state"]].to_numpy().tolist() == [
        ["d1", "2!", "level"],
        ["d2", "Hm", "invalid answer"],
    ]
    assert answers["cost"].tolist()[0] == 0.5
    assert answers["input_tokens"].tolist()[0] == 80
    assert MACHINES.check(store).faults == ()


@long
def test_the_same_again_adds_nothing(store, collection):
    bring(store, collection, ANSWERED, description=TOLD)
    counts = bring(store, collection, ANSWERED)
    assert counts == {"already there": 3, "labels": 0}
    assert len(read_answers(store, collection)) == 2
    told = read_audit(store, AuditFilter(text="describe"), 9)
    assert len(told) == 1


@long
def test_the_rule_of_strays_is_in_the_record_and_with_the_machine(store, collection):
    bring(store, collection, "1 0 d1 7\n1 0 d2 3\n", mapped={"7": "invalid"})
    found = find_machine(store, collection, "llm")
    assert found is not None
    assert found.parameters == {"levels mapped": "7=invalid"}
    (told,) = read_audit(store, AuditFilter(kind="imports"), 9)["change"]
    assert told.startswith("levels mapped: 7=invalid; read 1 labels")
    (brought,) = list_label_imports(store, collection)
    assert brought.labels == 2


@long
def test_more_labels_come_under_the_same_description_only(store, collection):
    bring(store, collection, "1 0 d1 1\n", description=TOLD)
    bring(store, collection, "1 0 d2 1\n")
    with pytest.raises(BadInput, match="another model"):
        bring(store, collection, "1 0 d3 1\n", description={"model": "n"})
    assert len(read_labels(store, collection)) == 2
    assert bring(store, collection, "1 0 d3 1\n", machine="other")["labels"] == 1


def test_nobody_becomes_a_machine_by_a_file(store, collection):
    add_member(store, collection, "anna", "Anna")
    with pytest.raises(BadInput, match="not a machine here but person"):
        bring(store, collection, "1 0 d1 1\n", machine="anna")
    assert read_labels(store, collection).empty


@long
def test_kinds_that_a_file_tells_are_those_of_newcomers(store, collection):
    head = "assessor\ttopic\tdocument\tlevel\tstate\tkind\n"
    add_member(store, collection, "anna", "Anna")
    rows = "bot\t1\td1\t\tinvalid answer\tmachine\nbob\t1\td1\t1\t\tperson\n"
    bring(store, collection, head + rows, machine="")
    kinds = list_members(store, collection).set_index("assessor_id")["kind"].to_dict()
    assert kinds == {"anna": "person", "bot": "machine", "bob": "person"}
    with pytest.raises(BadInput, match="only a machine gives an 'invalid answer'; anna is none"):
        bring(store, collection, f"{head}anna\t1\td1\t\tinvalid answer\tmachine\n", machine="")
    assert len(read_labels(store, collection)) == 2


@long
def test_who_prefers_is_a_person_whatever_kind_of_pair_it_is(store, collection):
    text = b"topic\tleft\tright\tchoice\tassessor\tkind\nt1\td1\td2\tleft\tanna\tdocuments\n"
    imported = read_import("preferences", Source("p.tsv", text))
    write_import(store, collection, imported)
    assert list_members(store, collection)["kind"].tolist() == ["person"]
