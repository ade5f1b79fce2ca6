"""Looking at a pool, opening a round over it, and following it."""

import uuid
from datetime import date, datetime

import pytest
from streamlit.testing.v1 import AppTest

from core.assessment.handing_out.queue import take_assignment
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.imports import write_import
from core.store.events.frames import count_contents
from core.store.events.labels import Key, LabelEvent
from core.store.machines.machines import Machine, describe_machine
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.rounds import list_rounds, read_pool, read_slots
from core.store.rounds.showing import list_showings
from core.store.rounds.withdrawn_runs import list_withdrawn, withdraw_run
from tests.short import long


@pytest.fixture
def judges(store, filled) -> list[str]:
    ids = []
    for name in ("Anna", "Bob", "Cleo"):
        ids.append(add_person(store, name, "assessor"))
        add_member(store, filled, ids[-1], name)
    return ids


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click()
    return at.run()


def field(elements, label: str):
    return next(one for one in elements if one.label == label)


def said(at: AppTest) -> str:
    return "\n".join(one.value for one in [*at.markdown, *at.caption, *at.warning])


@long
def test_a_new_round_ends_in_a_sentence(open_page, organiser, filled):
    at = open_page("assignments", organiser)
    assert "3 documents of 2 topics can be judged" in said(at)
    assert "1 more have no text" in said(at)
    # Four snippets and three pages, by two assessors each; no label has a time.
    assert "14 judgements, about 4 minutes (assumed 15 s each), of 3 documents in 2" in said(at)
    assert "2 already labelled" in said(at)
    field(at.number_input, "Depth").set_value(1).run()
    assert "2 documents of 2 topics can be judged" in said(at)
    assert "10 judgements, about 2 minutes" in said(at)


@long
def test_what_is_labelled_can_be_left_out(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    (left_out,) = at.radio
    assert left_out.label == "2 of 3 documents are already labelled: leave out?"
    left_out.set_value(1).run()
    assert "4 judgements, about 1 minute (assumed 15 s each), of 1 document in 1" in said(at)
    at.radio[0].set_value(2).run()  # d1 has two labels, d2 one of a topic, and one has none
    assert "2 documents in 2 topics" in said(at)
    press(at, "Open this round")
    assert not at.exception
    (rules,) = list_rounds(store, filled)
    assert rules.lacking == 2
    left = "what lacked 2 labels, 1 document without text left out"
    assert at.dataframe[0].value["judged"].tolist() == [f"snippet then page, {left}"]
    assert len(read_slots(store.cursor(), filled)) == 3


@long
def test_a_round_can_show_a_machines_levels(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    assert not [one for one in at.selectbox if one.label == "Show a machine's levels"]
    describe_machine(store, filled, "llm", Machine("LLM", "model-7"))
    at = open_page("assignments", organiser)
    chosen = field(at.selectbox, "Show a machine's levels")
    assert chosen.options == ["nobody's", "LLM"]
    chosen.select("llm")
    press(at, "Open this round")
    assert not at.exception
    (showing,) = list_showings(store, filled)
    assert (showing.machine_id, showing.called) == ("llm", "model-7")
    told = at.dataframe[0].value["judged"].tolist()
    left = "1 document without text left out"
    assert told == [f"snippet then page, levels of model-7 shown, {left}"]


@long
def test_a_second_round_over_the_same_pool_asks_first(open_page, store, organiser, filled, judges):
    at = press(open_page("assignments", organiser), "Open this round")
    assert "in other rounds, too: 3 in *Round 1*" in said(at)
    assert next(one for one in at.button if one.label == "Open this round").disabled
    at.checkbox[0].check().run()
    press(at, "Open this round")
    assert [one.name for one in list_rounds(store, filled)] == ["Round 1", "Round 2"]


@long
def test_a_deadline_is_told_changed_and_taken_away(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    field(at.date_input, "To be finished by (UTC)").set_value(date(2020, 1, 2))
    press(at, "Open this round")
    assert "It is late: it was due by 2 January 2020, 23:59 UTC, and 4 slots are not" in said(at)
    at.date_input[0].set_value(date(2029, 1, 2)).run()
    press(at, "Set the deadline")
    assert "due by 2 January 2029" in at.success[0].value
    assert list_rounds(store, filled)[0].due_at == datetime(2029, 1, 2, 23, 59)
    at.date_input[0].set_value(None).run()
    press(at, "Set the deadline")
    assert "has no deadline" in at.success[0].value
    assert list_rounds(store, filled)[0].due_at is None


@long
def test_every_topic_gets_more_assessors(open_page, store, organiser, filled, judges):
    at = press(open_page("assignments", organiser), "Open this round")
    press(at, "Add the slots")
    assert "2 open slots added" in at.success[0].value
    assert at.dataframe[0].value["assessors"].tolist() == [3]
    assert at.dataframe[0].value["open"].tolist() == [6]


@long
def test_a_run_is_withdrawn_replaced_and_counts_again(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    at.selectbox(key="withdraw-run").select("e1").run()
    field(at.selectbox, "Replaced by").select("s1")
    at.text_input(key="withdraw-reason").set_value("Was *broken*.")
    press(at, "Withdraw this run")
    assert not at.exception
    assert "The run of e1 is withdrawn" in at.success[0].value
    table = at.dataframe[0].value
    assert table[["system", "replaced_by", "reason", "withdrawn_by"]].values.tolist() == [
        ["e1", "s1", "Was *broken*.", "Olga"]
    ]
    assert "e1" not in at.selectbox(key="withdraw-run").options
    assert "2 documents of 2 topics can be judged" in said(at)
    press(at, "Let it count again")
    assert "counts again" in at.success[0].value
    assert "e1" in at.selectbox(key="withdraw-run").options


@long
def test_opens_a_round_of_an_open_queue(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    field(at.text_input, "Name").set_value("First")
    field(at.number_input, "Documents handed out together").set_value(1)
    field(at.slider, "Hidden repeats, %").set_value(10)
    field(at.selectbox, "The page is judged").select(2)
    press(at, "Open this round")
    assert not at.exception
    (rules,) = list_rounds(store, filled)
    assert (rules.name, rules.judges, rules.depth, rules.batch_size) == ("First", 2, 10, 1)
    assert (rules.page_from, rules.repeat_share, rules.flow) == (2, 0.1, "snippet then page")
    assert at.dataframe[0].value["open"].tolist() == [6]


@long
def test_nothing_left_to_judge_is_said(open_page, store, organiser, filled, judges):
    for document in ("d2", "d1"):
        key = Key("t2", document, "page", "", "a1", 0)
        store.labels.append(filled, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    at = open_page("assignments", organiser)
    at.radio[0].set_value(1).run()
    assert any("Nothing is left to judge" in one.value for one in at.info)
    assert next(one for one in at.button if one.label == "Open this round").disabled


@long
def test_documents_of_topics_without_a_description_are_told(
    open_page, store, organiser, filled, judges
):
    run = Source("new.run", b"t9 Q0 d1 1 9.5 s2\n")
    write_import(store, filled, read_import("runs", run))
    assert "1 more belong to topics without a description" in said(
        open_page("assignments", organiser)
    )


def test_a_press_never_withdraws_another_run(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    at.selectbox(key="withdraw-run").select("e1").run()
    withdraw_run(store, filled, "e1")
    press(at, "Withdraw this run")
    assert not at.exception
    assert list_withdrawn(store, filled)["system"].tolist() == ["e1"]
    for system in ("e2", "s1"):
        withdraw_run(store, filled, system)
    at = open_page("assignments", organiser)
    assert any("There is no run that counts" in one.value for one in at.info)


def test_opens_a_round_by_name(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    names = field(at.multiselect, "Assessors by name")
    assert names.options == ["Anna", "Bob", "Cleo"]
    names.set_value(judges[:2])
    press(at, "Open this round")
    take_assignment(store, filled, judges[0])
    at.run()
    summary = at.dataframe[0].value
    assert summary[["finished", "taken", "reserved", "open"]].values.tolist() == [[0, 1, 3, 0]]


@long
def test_too_few_names_are_refused(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    field(at.multiselect, "Assessors by name").set_value(judges[:1])
    press(at, "Open this round")
    assert not at.error
    assert any("2 different assessors" in one.value for one in at.info)
    assert list_rounds(store, filled) == []


@long
def test_a_new_run_tops_the_round_up(open_page, store, organiser, filled, judges):
    at = press(open_page("assignments", organiser), "Open this round")
    press(at, "Top up the pool")
    assert "nothing to add" in at.success[0].value
    run = Source("new.run", b"t2 Q0 d1 1 9.5 s2\n")
    write_import(store, filled, read_import("runs", run))
    press(at, "Top up the pool")
    assert "1 pair added" in at.success[0].value
    assert len(read_pool(store, list_rounds(store, filled)[0].round_id)) == 4


def test_closes_and_reopens_a_round(open_page, store, organiser, filled, judges):
    at = press(open_page("assignments", organiser), "Open this round")
    press(at, "Close this round")
    assert read_slots(store.cursor(), filled) == []
    assert at.dataframe[0].value["round is"].tolist() == ["closed"]
    press(at, "Reopen this round")
    assert len(read_slots(store.cursor(), filled)) == 4


@long
def test_real_data_have_the_known_pool(open_page, store, organiser, filled, shared_data):
    folder = shared_data / "dl19"
    for kind, files in {
        "topics": [folder / "topics.tsv"],
        "documents": [folder / "documents.jsonl.gz"],
        "runs": sorted((folder / "runs").iterdir()),
        "labels": [folder / "labels.tsv"],
    }.items():
        sources = [Source.at(file) for file in files]
        # The runs of the small collection stay beside these; its topics are left out below.
        write_import(store, filled, read_import(kind, sources))
    assert count_contents(store, filled)["runs"] == 37 + 1 + 2
    at = open_page("assignments", organiser)
    assert f"{1348 + 4 - 592:,} documents of" in said(at)
    assert f"; {591 + 1} more have no text" in said(at)
    # Of 743 labelled documents each has a page that can be judged; two are of the small one.
    assert f"{743 + 2:,} of {1348 + 4 - 592:,} documents are already labelled" in at.radio[0].label


@long
def test_opens_a_round_of_pairs(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    at.segmented_control(key="round-way").set_value("two").run()
    assert not at.exception
    assert any("1 pair in 1 topic chosen" in one.value for one in at.caption)
    at.selectbox(key="pair-flow").set_value("systems side by side").run()
    systems = next(one.value for one in at.caption if "chosen, of" in one.value)
    assert "3 pairs in 1 topic chosen, of 4 possible between 5 candidates" in systems
    pressed = next(one for one in at.button if one.label == "Open this round")
    pressed.click().run()
    assert not at.exception
    (rules,) = list_rounds(store, filled)
    assert rules.pair_facets == ("panel pair",)
    pool = store.cursor().execute("SELECT count(*) FROM pool").fetchone()
    assert pool == (3,)
    at.selectbox(key="pair-flow").set_value("systems side by side").run()
    assert any("nothing left to compare" in one.value for one in at.info)


@long
def test_pairs_that_cannot_be_chosen_say_why(open_page, organiser, filled):
    at = open_page("assignments", organiser)
    at.segmented_control(key="round-way").set_value("two").run()
    at.selectbox(key="pair-method").set_value("adaptive").run()
    assert not at.exception
    assert not at.error
    assert any(one.value.startswith("No pairs can be chosen in this way: ") for one in at.info)


@long
def test_a_round_can_have_an_order(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    first = field(at.selectbox, "Which first?")
    assert first.options[0] == "everything at once"
    first.select("depth-first").run()
    assert not at.exception
    assert not at.radio  # what has labels cannot be left out
    field(at.number_input, "Documents at most").set_value(2).run()
    assert "of 2 documents in 2 topics" in said(at)
    press(at, "Open this round")
    assert not at.exception
    (rules,) = list_rounds(store, filled)
    assert (rules.order, rules.budget, rules.relevant_from) == ("depth-first", 2, 1)
    told = at.dataframe[0].value["judged"].tolist()
    assert told == ["snippet then page, depth-first, 0 of 2 documents chosen, batches of 5"]
    assert "0 of 2 slots finished" in said(at)
    take_assignment(store, filled, judges[0])
    at = open_page("assignments", organiser)
    assert "2 of 2 documents chosen" in at.dataframe[0].value["judged"][0]


@long
def test_the_budget_and_the_order_of_a_round_can_be_changed(
    open_page, store, organiser, filled, judges
):
    plan = Plan(judges=1, flow="page only", order="depth-first", budget=1)
    open_round(store, filled, plan)
    take_assignment(store, filled, judges[0])
    at = open_page("assignments", organiser)
    field(at.selectbox, "What chooses from now on").select("max-mean")
    field(at.number_input, "Documents at most, in all").set_value(3).run()
    press(at, "Set the order")
    assert "goes on by max\\-mean, 3 documents at most" in at.success[0].value
    (rules,) = list_rounds(store, filled)
    assert (rules.order, rules.budget) == ("max-mean", 3)


@long
def test_named_assessors_and_an_order_do_not_go_together(
    open_page, store, organiser, filled, judges
):
    at = open_page("assignments", organiser)
    field(at.selectbox, "Which first?").select("max-mean")
    field(at.multiselect, "Assessors by name").set_value(judges[:2]).run()
    assert "name no assessors" in "\n".join(one.value for one in [*at.warning, *at.info, *at.error])
    assert not [one for one in at.button if one.label == "Open this round"]
