"""Topics × people: what the cells say, and slots that are assigned, moved and freed from there."""

import uuid

import pandas as pd
import pytest

from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.rounds import list_rounds, read_slots
from pages.judging.matrix.matrix import MOST_PEOPLE, lay_out_cells, shade_cells
from tests.short import long


@pytest.fixture
def judges(store, filled) -> list[str]:
    ids = []
    for name in ("Anna", "Bob"):
        ids.append(add_person(store, name, "assessor"))
        add_member(store, filled, ids[-1], name)
    return ids


@pytest.fixture
def opened(store, filled, judges) -> str:
    return open_round(store, filled, Plan(judges=1, flow="page only"))


def texts(at) -> str:
    return "\n".join(part.value for part in [*at.markdown, *at.caption, *at.info, *at.success])


def judge_one(store, filled, assessor):
    given = take_assignment(store, filled, assessor)
    step = lay_out(store, given).steps[0]
    event = {"event_id": str(uuid.uuid4()), "topic": step.topic_id, "document": step.document_id,
             "facet": "page", "engine": "", "state": "level", "level": 1}  # fmt: skip
    Intake(store).accept(grant_of(given), [event])
    return given


def click(at, row: int, column: str):
    at.session_state["matrix-cells"] = {"selection": {"cells": [[row, column]]}}
    return at.run()


def pressed(at):
    return next(one for one in at.button if one.label.endswith("this slot"))


def test_cells_say_who_is_how_far(store, filled, organiser, open_page, judges, opened):
    judge_one(store, filled, judges[0])
    at = open_page("matrix", organiser)
    assert not at.exception
    said = texts(at)
    assert "**Round 1**\\: 0 of 2 slots finished, 1 begun, 1 open; 1 of 3 judgements, " in said
    table = at.dataframe[0].value
    assert table.columns.tolist() == ["topic", "open", "Anna", "Bob"]
    assert table["topic"].tolist() == ["t1  jaguar", "t2  עברית"]
    assert table["open"].tolist() == [0, 1]
    assert table["Anna"].tolist() == ["50%", ""]
    slots = at.dataframe[1].value
    assert slots["state"].tolist() == ["taken", "open"]
    assert slots["share"].iloc[0] == 0.5


def test_a_click_on_an_empty_cell_assigns_the_open_slot(
    store, filled, organiser, open_page, judges, opened
):
    at = click(open_page("matrix", organiser), 1, "Bob")
    assert at.selectbox(key="matrix-topic").value == "t2"
    assert at.selectbox(key="matrix-to").value == judges[1]
    assert pressed(at).label == "Assign this slot"
    pressed(at).click().run()
    assert not at.exception
    assert "Bob has the slot of topic t2" in texts(at)
    held = {one.topic_id: one.assessor_id for one in read_slots(store.cursor(), filled)}
    assert held == {"t1": None, "t2": judges[1]}
    assert at.dataframe[0].value["Bob"].tolist() == ["", "reserved"]


@long
def test_a_slot_moves_and_is_freed_and_its_labels_stay(
    store, filled, organiser, open_page, judges, opened
):
    given = judge_one(store, filled, judges[0])
    at = click(open_page("matrix", organiser), 0, "Anna")
    assert pressed(at).label == "Free this slot"
    assert "1 judgement that Anna has given here are kept" in texts(at)
    at.selectbox(key="matrix-to").select(judges[1]).run()
    assert pressed(at).label == "Move this slot"
    pressed(at).click().run()
    assert not at.exception
    assert at.dataframe[0].value["Bob"].tolist() == ["reserved", ""]
    assert store.labels.current(filled, judges[0])
    at.selectbox(key="matrix-topic").select(given.topic_id).run()
    at.selectbox(key="matrix-to").select(None).run()
    pressed(at).click().run()
    assert "open to all again" in texts(at)
    assert [one.assessor_id for one in read_slots(store.cursor(), filled)] == [None, None]


def test_a_press_never_moves_another_slot(store, filled, organiser, open_page, judges):
    open_round(store, filled, Plan(judges=1, flow="page only", assessors=(judges[0],)))
    given = take_assignment(store, filled, judges[0])
    at = open_page("matrix", organiser)
    at.selectbox(key="matrix-topic").select(given.topic_id).run()
    at.selectbox(key="matrix-to").select(judges[1]).run()
    finish_assignment(store, given)
    pressed(at).click().run()
    assert not at.exception
    held = {one.topic_id: one.assessor_id for one in read_slots(store.cursor(), filled)}
    assert held == {"t1": judges[0], "t2": judges[0]}


@long
def test_a_click_on_a_finished_topic_offers_no_slot_of_another(
    store, filled, organiser, open_page, judges, opened
):
    given = take_assignment(store, filled, judges[0])
    finish_assignment(store, given)
    at = open_page("matrix", organiser)
    row = at.dataframe[0].value["Anna"].tolist().index("✓")
    click(at, row, "Bob")
    assert at.selectbox(key="matrix-topic").value == given.topic_id
    assert "Every slot of this topic is finished" in texts(at)
    assert not [one for one in at.button if one.label.endswith("this slot")]


@long
def test_what_cannot_be_given_says_why(store, filled, organiser, open_page, judges):
    open_round(store, filled, Plan(judges=2, flow="page only", assessors=tuple(judges)))
    at = open_page("matrix", organiser)
    at.selectbox(key="matrix-topic").select("t1").run()
    holder = next(one for one in read_slots(store.cursor(), filled) if one.slot == 0)
    other = next(one for one in judges if one != holder.assessor_id)
    at.selectbox(key="matrix-to").select(other).run()
    pressed(at).click().run()
    assert "not moved" in at.error[0].value
    assert "nobody judges an item twice" in at.code[0].value


@long
def test_the_latest_open_round_comes_first_and_a_closed_one_can_be_seen(
    store, filled, organiser, open_page, judges, opened
):
    second = open_round(store, filled, Plan(name="Second", judges=1, flow="page only"))
    at = open_page("matrix", organiser)
    assert at.selectbox[0].value == second
    close_round(store, second, closed=True)
    at = open_page("matrix", organiser)
    assert at.selectbox[0].value == opened
    at.selectbox[0].select(second).run()
    assert "It is closed." in texts(at)
    assert not [one for one in at.button if one.label.endswith("this slot")]


@long
def test_many_people_are_rows(store, filled, organiser, open_page, opened):
    round_id = list_rounds(store, filled)[0].round_id
    ids = [f"crowd-{number:02}" for number in range(MOST_PEOPLE + 1)]
    for one in ids:
        add_member(store, filled, one, one)
    store.cursor().execute(
        "INSERT INTO slots SELECT ?, 't1', 0, 10 + row_number() OVER (), unnest(?), true, NULL, "
        "NULL",
        [round_id, ids],
    )
    at = open_page("matrix", organiser)
    assert not at.exception
    table = at.dataframe[0].value
    assert len(table) == len(ids)
    assert table["share"].tolist() == [0.0] * len(ids)


def test_without_a_round_it_says_where_to_begin(store, filled, organiser, open_page):
    assert "Plan the first one" in texts(open_page("matrix", organiser))


def test_a_cell_with_batches_is_finished_only_when_all_are():
    held = pd.DataFrame(
        {"topic_id": ["t1", "t1", "t2"], "assessor_id": ["a", "b", "a"], "slots": [2, 1, 1],
         "finished": [1, 1, 0], "judged": [4, 0, 9], "share": [0.5, 1.0, 0.999]}
    )  # fmt: skip
    still_open = pd.Series({"t1": 1, "t2": 0})
    topics = pd.DataFrame({"topic_id": ["t2", "t1"], "query": ["two", "one"]})
    cells = lay_out_cells(held, still_open, topics, ["a", "b", "c"])
    assert cells.topics == ["t2", "t1"]
    assert cells.text[["a", "b", "c"]].to_numpy().tolist() == [["99%", "", ""], ["50%", "✓", ""]]
    assert cells.text["open"].tolist() == [0, 1]
    html = shade_cells(cells.text, cells.shares).to_html()
    assert "rgba(47, 111, 171, 0.75)" in html
