"""The judge and history pages, without a browser."""

import json
from datetime import datetime

import pytest

from core.assessment.handing_out.next_assignment import left_to_judge, practice_left
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round, set_deadline
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import close_collection, get_collection, hide_pace
from core.store.content.documents import get_document
from core.store.content.imports import write_import
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.events.frames import read_labels, read_results
from core.store.events.labels import LabelEvent
from core.store.events.marked import Marked, hash_text
from core.store.people.members import add_member, drop_member
from core.store.people.people import add_person
from core.store.rounds.rounds import list_rounds, read_slots
from core.store.store import Store
from pages.judge.assignment import component_data, data_ahead, data_without_work
from pages.shared.intake import read_assignment, read_grant
from tests.short import few, long


@pytest.fixture
def assessor(store: Store, filled: str) -> str:
    person = add_person(store, "Anna", "assessor")
    add_member(store, filled, person, "Anna")
    open_round(store, filled, Plan(judges=1, page_from=2))
    return person


def test_the_component_is_told_nothing_that_assessors_must_not_know(
    store: Store, filled: str, assessor: str
):
    assignment = take_assignment(store, filled, assessor)
    sheet = lay_out(store, assignment)
    sent = json.dumps(
        component_data(store, get_collection(store, filled), assignment, sheet, "session")
    )
    for engine in ("e1", "e2", "s1"):
        assert f'"{engine}"' not in sent
    for other in ("a1", "a2"):
        assert f'"{other}"' not in sent
    assert '"label": null' in sent


def test_the_component_is_told_which_words_are_those_of_a_query(store: Store, filled: str):
    row = "t1\te7\td2\t1\tA jaguar, Jaguars, Jaguare: no Jaguarundi, no car."
    table = f"topic\tengine\tdocument\trank\tsnippet\n{row}\n".encode()
    write_import(store, filled, read_import("results", Source("more.tsv", table)))
    person = add_person(store, "Bert", "assessor")
    add_member(store, filled, person, "Bert")
    open_round(store, filled, Plan(judges=1))
    assignment = take_assignment(store, filled, person)
    assert assignment.topic_id == "t1"
    sheet = lay_out(store, assignment)
    sent = component_data(store, get_collection(store, filled), assignment, sheet, "session")
    words = ["Jaguare", "Jaguars", "jaguar"]
    assert sent["terms"] == {"t1": {"words": words, "parts": []}}


def test_own_passages_come_with_the_label_and_nobody_elses_at_all(
    store: Store, filled: str, assessor: str
):
    assignment = take_assignment(store, filled, assessor)
    sheet = lay_out(store, assignment)
    steps = [one for one in sheet.steps if one.facet == "snippet"]
    texts = [sheet.snippets[one.topic_id, one.document_id, one.engine] for one in steps]
    marked = [Marked(hash_text(text), ((place, 4),)) for place, text in enumerate(texts)]
    given = zip(steps[:2], (assessor, "a1"), marked[:2], strict=True)
    for number, (step, who, one) in enumerate(given):
        event_id = f"00000000-0000-4000-8000-00000000000{number}"
        event = LabelEvent(event_id, None, step.key(who), "level", 1, marked=one)
        store.labels.append(filled, [event])
    collection = get_collection(store, filled)
    sent = component_data(store, collection, assignment, sheet, "session")
    labels = [step["label"] for step in sent["steps"]]
    (known,) = [label for label in labels if label]
    assert (known["passages"], known["text_hash"]) == ([[0, 4]], marked[0].text_hash)
    hashes = {step["text_hash"] for step in sent["steps"] if step["facet"] == "snippet"}
    assert hashes == {hash_text(text) for text in texts}
    assert json.dumps(sent).count('"passages"') == 1


def test_what_is_read_in_a_frame_has_no_text_to_mark(store: Store, filled: str, assessor: str):
    collection = get_collection(store, filled)
    store.database.run("UPDATE documents SET html = '<p>x' WHERE document_id = 'd1'")
    for _ in range(2):
        assignment = take_assignment(store, filled, assessor)
        sheet = lay_out(store, assignment)
        sent = component_data(store, collection, assignment, sheet, "session")
        for step in sent["steps"]:
            framed = sent["documents"][step["document"]]["frame"] is not None
            is_page = step["facet"] == "page"
            assert (step["text_hash"] is None) == (is_page and framed)


def test_the_screen_is_told_which_topic_this_is_and_what_was_judged_today(
    store: Store, filled: str, assessor: str
):
    assignment = take_assignment(store, filled, assessor)
    sheet = lay_out(store, assignment)
    key = sheet.steps[0].key(assessor)
    event = LabelEvent("00000000-0000-4000-8000-000000000001", None, key, "level", 1)
    store.labels.append(filled, [event])
    collection = get_collection(store, filled)
    sent = component_data(store, collection, assignment, sheet, "session")
    topics = len({slot.topic_id for slot in read_slots(store.cursor(), filled)})
    told = {"what": "topic", "number": 1, "total": topics, "at_most": topics > 1}
    assert sent["pace"]["topics"] == told
    assert collection.name in sent["intro"]["asked_by"]
    assert sent["guidelines"] == collection.guidelines
    for offset in (-720, 0, 720):
        sent = component_data(store, collection, assignment, sheet, "session", offset)
        assert sent["pace"]["today"] == 1, "a minute ago is today everywhere"


def test_the_screen_is_told_where_the_pace_is_not_to_be_shown(
    store: Store, filled: str, assessor: str
):
    assignment = take_assignment(store, filled, assessor)
    handed_out = [(assignment, lay_out(store, assignment))]
    for hidden in (False, True):
        hide_pace(store, filled, hidden=hidden)
        collection = get_collection(store, filled)
        for sent in (
            component_data(store, collection, *handed_out[0], "session"),
            *data_ahead(store, collection, handed_out, "session"),
            data_without_work(store, collection, assessor, "session"),
        ):
            assert sent["pace"].get("hidden", False) is hidden


def test_without_work_the_screen_gets_no_items_but_can_still_send(
    store: Store, filled: str, assessor: str
):
    sent = data_without_work(store, get_collection(store, filled), assessor, "session")
    assert (sent["over"], sent["steps"], sent["documents"], sent["topics"]) == (True, [], {}, {})
    grant, session = read_grant(sent["token"])
    assert (grant, session) == (Grant(filled, assessor), "session")
    assert read_assignment(sent["assignment"]) == grant


@long
def test_plain_buttons_judge_to_the_end(store: Store, filled: str, assessor: str, open_page):
    at = open_page("judge", assessor)
    assert not at.exception
    at.sidebar.toggle[0].set_value(True).run()
    presses = 0
    while not at.success and presses < 12:
        at.button[0].click().run()
        assert not at.exception
        presses += 1
    assert "There is nothing for you to judge now" in at.success[0].value
    labels = read_labels(store, filled)
    mine = labels[labels["assessor_id"] == assessor]
    assert len(mine) == presses == 4
    assert set(mine["facet"]) == {"snippet"}, "low snippets lead to no page"


@long
def test_a_good_snippet_leads_to_its_page(store: Store, filled: str, assessor: str, open_page):
    at = open_page("judge", assessor)
    at.sidebar.toggle[0].set_value(True).run()
    presses = 0
    while not at.success and presses < 12:
        levels = [button for button in at.button if ": " in button.label]
        levels[-1].click().run()
        presses += 1
    labels = read_labels(store, filled)
    mine = labels[labels["assessor_id"] == assessor]
    assert mine["facet"].value_counts().to_dict() == {"snippet": 4, "page": 3}


def test_cannot_judge_with_a_comment(store: Store, filled: str, assessor: str, open_page):
    at = open_page("judge", assessor)
    at.sidebar.toggle[0].set_value(True).run()
    at.text_input[0].set_value("the page is gone")
    next(button for button in at.button if button.label == "Cannot judge").click().run()
    labels = read_labels(store, filled)
    mine = labels[labels["assessor_id"] == assessor]
    assert mine[["state", "comment"]].values.tolist() == [["cannot judge", "the page is gone"]]


def test_history_shows_and_revises_ones_own_labels_only(
    store: Store, filled: str, assessor: str, open_page
):
    at = open_page("history", assessor)
    assert "not judged anything" in at.info[0].value
    judge = open_page("judge", assessor)
    judge.sidebar.toggle[0].set_value(True).run()
    judge.button[0].click().run()
    at = open_page("history", assessor)
    assert len(at.dataframe[0].value) == 1
    assert at.dataframe[0].value["Label"].tolist() == ["No"]


@long
@pytest.mark.parametrize("facet", few(["snippet", "page"]))
def test_history_shows_the_item_again_beside_its_new_label(
    store: Store, filled: str, assessor: str, open_page, facet: str
):
    judge = open_page("judge", assessor)
    judge.sidebar.toggle[0].set_value(True).run()
    while facet not in set(read_labels(store, filled, assessor_id=assessor)["facet"]):
        [button for button in judge.button if ": " in button.label][-1].click().run()
    at = open_page("history", assessor, history={"selection": {"rows": [0], "columns": []}})
    assert not at.exception
    row = at.dataframe[0].value.iloc[0]
    assert row["Judged"] == facet
    document = get_document(store, filled, row["Document"])
    shown = [one.value for one in at.text]
    assert any(document["title"] in one for one in shown)
    if facet == "page":
        assert document["text"] in shown
    else:
        assert set(shown) & set(read_results(store, filled)["snippet"])
    press = next(button for button in at.button if button.label == "Save")
    at.radio[0].set_value(0)
    press.click().run()
    labels = read_labels(store, filled, assessor_id=assessor)
    assert labels.loc[labels["facet"] == facet, "level"].tolist() == [0]


def test_a_closed_collection_says_so(store: Store, filled: str, assessor: str, open_page):
    close_collection(store, filled, closed=True)
    at = open_page("judge", assessor)
    assert "closed" in at.info[0].value


def test_later_ones_come_last(store: Store, filled: str, assessor: str):
    sheet = lay_out(store, take_assignment(store, filled, assessor))
    first = sheet.steps[0]
    key = first.key(assessor)
    event = LabelEvent("00000000-0000-4000-8000-000000000001", None, key, "later", None)
    store.labels.append(filled, [event])
    left = left_to_judge(sheet, store.labels.current(filled, assessor), assessor)
    assert left[-1] == first
    assert left[0] != first


def test_the_deadline_of_the_round_is_told_and_blocks_nothing(
    store: Store, filled: str, assessor: str, open_page
):
    (rules,) = list_rounds(store, filled)
    set_deadline(store, rules.round_id, datetime(2020, 1, 2, 23, 59))
    at = open_page("judge", assessor)
    assert "This was due by 2 January 2020, 23:59 UTC. You can still judge" in at.caption[0].value
    at.sidebar.toggle[0].set_value(True).run()
    assert not at.exception
    assert [one.label for one in at.button if one.label == "Cannot judge"]


def test_without_a_collection_the_page_says_so(store: Store, filled: str, assessor: str, open_page):
    drop_member(store, filled, assessor)
    at = open_page("judge", assessor)
    assert not at.exception
    assert "not an assessor of any collection now" in at.info[0].value


@pytest.fixture
def practice(store: Store, filled: str, assessor: str) -> None:
    add_practice_item(store, filled, PracticeItem("t2", "d2", "snippet", "e1", 0, "Only *cars*."))


@pytest.mark.usefixtures("practice")
def test_plain_buttons_begin_with_practice(store: Store, filled: str, assessor: str, open_page):
    at = open_page("judge", assessor)
    at.sidebar.toggle[0].set_value(True).run()
    assert "Practice" in at.main.caption[-1].value
    next(button for button in at.button if button.label == "Cannot judge").click().run()
    assert at.info[0].value == "✗ We would say: No. Only \\*cars\\*\\."
    assert "left in this topic" in at.main.caption[-1].value
    at.button[0].click().run()
    assert not at.info
    labels = read_labels(store, filled)
    assert len(labels[labels["assessor_id"] == assessor]) == 1, "practice is not counted"


@pytest.mark.usefixtures("practice")
def test_practice_is_handed_out_until_it_is_answered(store: Store, filled: str, assessor: str):
    assignment = take_assignment(store, filled, assessor)
    sheet = lay_out(store, assignment)
    step = sheet.practice[0].step
    sent = component_data(store, get_collection(store, filled), assignment, sheet, "session")
    assert [one["practice"] for one in sent["steps"]].count(False) == len(sheet.steps)
    assert sent["steps"][0]["practice"] is True
    assert "Only *cars*" not in json.dumps(sent)
    for number, (state, left) in enumerate((("later", 1), ("unjudged", 1), ("level", 0))):
        current = store.labels.current(filled, assessor).get(step.key(assessor))
        before = current.event_id if current else None
        event = LabelEvent(
            f"00000000-0000-4000-8000-00000000000{number}",
            before,
            step.key(assessor),
            state,
            1 if state == "level" else None,
        )
        store.labels.append(filled, [event])
        found = practice_left(sheet, store.labels.current(filled, assessor), assessor)
        assert len(found) == left


def test_only_what_is_judged_is_sent_and_the_name_of_the_work_stays(
    store: Store, filled: str, assessor: str
):
    assignment = take_assignment(store, filled, assessor)
    sheet = lay_out(store, assignment)
    sent = component_data(store, get_collection(store, filled), assignment, sheet, "session")
    assert set(sent["documents"]) == {step.document_id for step in sheet.steps}
    other = take_assignment(store, filled, assessor)
    again = component_data(store, get_collection(store, filled), other, sheet, "session")
    assert again["assignment"] == sent["assignment"]
