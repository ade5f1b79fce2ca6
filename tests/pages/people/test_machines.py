"""The roster lists machines with what they are, what they said and what it cost."""

import uuid

from core.store.events.labels import Key, LabelEvent
from core.store.machines.machine_answer import MachineAnswer
from core.store.machines.machines import Machine, describe_machine
from tests.short import long

MACHINE = Machine("llm *one*", "a model", "1.0", "How good\nis {document}?", {"seed": 1}, "2026")


def give(store, collection: str, document: str, state: str, level: int | None, cost=None) -> None:
    key = Key("t1", document, "page", "", "llm", 0)
    answer = MachineAnswer("said", cost=cost)
    event = LabelEvent(str(uuid.uuid4()), None, key, state, level, answer=answer)
    store.labels.append(collection, [event])


def test_without_a_machine_nothing_is_said_of_any(open_page, organiser, filled):
    at = open_page("people", organiser)
    assert not at.exception
    assert "Machines" not in [one.value for one in at.header]


def test_a_machine_is_listed_with_its_labels_prompt_and_cost(open_page, store, organiser, filled):
    described = describe_machine(store, filled, "llm", MACHINE)
    for document, state, level in (
        *(("d1", "level", 2), ("d2", "invalid answer", None), ("d3", "cannot judge", None)),
    ):
        give(store, filled, document, state, level, cost=0.25)
    at = open_page("people", organiser)
    assert not at.exception
    assert "Machines" in [one.value for one in at.header]
    table = next(one.value for one in at.dataframe if "prompt_hash" in one.value)
    (row,) = table.to_dict("records")
    counts = (row["labels"], row["cannot_judge"], row["invalid_answers"], row["cost"])
    assert counts == (1, 1, 1, 0.75)
    assert (row["model"], row["version"], row["judged_on"]) == ("a model", "1.0", "2026")
    assert row["prompt_hash"] == described.prompt_hash[:12]
    prompt = next(one for one in at.expander if one.label.startswith("Prompt of"))
    assert prompt.code[0].value == MACHINE.prompt
    assert described.prompt_hash in prompt.caption[0].value
    roster = next(one.value for one in at.dataframe if "kind" in one.value)
    assert roster.set_index("assessor_id").loc["llm", "kind"] == "machine"


@long
def test_a_machine_is_marked_where_a_rule_may_name_it(open_page, store, organiser, filled):
    describe_machine(store, filled, "llm", MACHINE)
    give(store, filled, "d1", "level", 2)
    give(store, filled, "d2", "level", 1)
    at = open_page("qrels", organiser, **{"qrels-part": "Versions of your own"})
    assert not at.exception
    assessors = at.multiselect(key="rule-assessors-page")
    assert assessors.options == ["a1", "a2", "llm *one* (machine)"]
    assessors.select("llm").run()
    at.text_input(key="rule-name").set_value("fast").run()
    at.button(key="rule-save").click().run()
    assert "say so in its name" in at.code[0].value
    at.text_input(key="rule-name").set_value("fast, machine").run()
    at.button(key="rule-save").click().run()
    assert not at.error
    listed = open_page("qrels", organiser).dataframe[0].value.set_index("version")
    assert "fast, machine" in listed.index
    assert "only llm *one* (machine)" in listed.index
    assert listed.loc["fast, machine", "left_out"] == "a1, a2"
    assert listed.loc["all, maximum", "left_out"] == "llm *one* (machine)"
    hashes = listed.loc[["fast, machine", "all, maximum"], "rule_hash"]
    assert hashes.nunique() == 2
