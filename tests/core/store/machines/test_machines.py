"""A machine is a member with a description, which stays what its labels were given under."""

from dataclasses import replace

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, list_label_imports, read_audit
from core.store.check.check_machines import MACHINES
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.frames import read_labels
from core.store.machines.machines import (
    Machine,
    describe_machine,
    find_machine,
    list_machines,
    read_answers,
)
from core.store.people.members import add_member, list_members
from core.store.people.people import add_person
from core.store.people.roster import MACHINE, RosterEntry, edit_roster
from core.store.store import Store
from tests.short import long

pytestmark = pytest.mark.contract

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
"""SHA-256 of "abc": FIPS 180-2, appendix B.1."""

MACHINE_1 = Machine("llm", "model", "1.0", "abc", {"seed": 1, "beams": None}, "2026-01-31")


def test_a_machine_is_described_and_becomes_a_member(store, collection):
    assert describe_machine(store, collection, "m-1", MACHINE_1) == MACHINE_1
    assert list_machines(store, collection) == {"m-1": MACHINE_1}
    assert find_machine(store, collection, "m-1") == MACHINE_1
    assert find_machine(store, collection, "m-2") is None
    (member,) = list_members(store, collection).to_dict("records")
    assert (member["assessor_id"], member["name"], member["kind"]) == ("m-1", "llm", MACHINE)
    ((hashed, parameters),) = store.database.run("SELECT prompt_hash, parameters FROM machines")
    assert (hashed, parameters) == (ABC, '{"beams": null, "seed": 1}')


@long
def test_what_is_not_known_is_empty(store, collection):
    describe_machine(store, collection, "llm", Machine("llm"))
    assert list_machines(store, collection) == {"llm": Machine("llm")}
    assert Machine("llm").prompt_hash == ""
    assert Machine("llm", prompt="abc").prompt_hash == ABC


@long
def test_the_description_is_on_record_with_the_hash_of_its_prompt(store, collection):
    describe_machine(store, collection, "llm", MACHINE_1, by="p-1")
    describe_machine(store, collection, "llm", Machine("llm", version="1.1"), by="p-1")
    told = read_audit(store, AuditFilter(kind="people"), 9)
    assert told[["what", "subject", "person_id"]].drop_duplicates().to_numpy().tolist() == [
        ["describe", "assessor llm", "p-1"]
    ]
    assert told["change"].iloc[0] == 'version: "1.0" → "1.1"'
    assert f'prompt: none → "{ABC}"' in told["change"].iloc[1]


@long
def test_what_a_later_description_leaves_empty_stays(store, collection):
    describe_machine(store, collection, "llm", MACHINE_1)
    after = describe_machine(store, collection, "llm", Machine("LLM", parameters={"map": "3=2"}))
    assert after == replace(
        MACHINE_1, name="LLM", parameters={**MACHINE_1.parameters, "map": "3=2"}
    )
    assert find_machine(store, collection, "llm") == after
    assert list_members(store, collection)["name"].tolist() == ["LLM"]


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"model": "another"}, "another model"),
        pytest.param({"version": "2.0"}, "another version", marks=long),
        pytest.param({"prompt": "Why?"}, "another prompt", marks=long),
        pytest.param({"parameters": {"seed": 2}}, "another parameter 'seed'", marks=long),
    ],
)
def test_labels_stay_with_the_description_they_were_given_under(
    store, collection, give, other, what
):
    describe_machine(store, collection, "llm", replace(MACHINE_1, **other))
    describe_machine(store, collection, "llm", MACHINE_1)  # nothing was judged yet
    give()
    with pytest.raises(BadInput, match=what):
        describe_machine(store, collection, "llm", replace(MACHINE_1, **other))
    assert find_machine(store, collection, "llm") == MACHINE_1


@long
def test_what_was_not_known_can_be_said_of_labels_that_are_there(store, collection, give):
    describe_machine(store, collection, "llm", Machine("llm", "model"))
    give()
    told = replace(MACHINE_1, judged_on="2026-02-01")
    assert describe_machine(store, collection, "llm", told) == told
    later = replace(told, judged_on="2026-02-02")
    assert describe_machine(store, collection, "llm", later) == later


@long
def test_a_person_is_no_machine(store, collection):
    add_member(store, collection, "anna", "Anna")
    signing_in = add_person(store, "Bob", "assessor")
    for who in ("anna", signing_in):
        with pytest.raises(BadInput, match="not a machine here but person"):
            describe_machine(store, collection, who, MACHINE_1)
    assert list_machines(store, collection) == {}
    edit_roster(store, collection, {"anna": RosterEntry("", MACHINE)})
    describe_machine(store, collection, "anna", MACHINE_1)
    assert list(list_machines(store, collection)) == ["anna"]


@long
def test_who_is_described_as_a_machine_stays_one(store, collection):
    describe_machine(store, collection, "llm", MACHINE_1)
    with pytest.raises(BadInput, match="described as a machine"):
        edit_roster(store, collection, {"llm": RosterEntry("", "person")})
    edit_roster(store, collection, {"llm": RosterEntry("models", MACHINE)})
    describe_machine(store, collection, "llm", MACHINE_1)
    assert list_members(store, collection)["group"].tolist() == ["models"]


@long
def test_the_history_marks_what_a_machine_said(store, collection, give):
    describe_machine(store, collection, "llm", MACHINE_1)
    add_member(store, collection, "anna", "Anna")
    for who in ("llm", "anna"):
        give(who=who)
    told = read_audit(store, AuditFilter(kind="labels"), 9)
    assert told["person"].tolist() == ["Anna", "llm (machine)"]


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
