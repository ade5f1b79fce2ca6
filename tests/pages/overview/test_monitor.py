"""The overview: the answer, what needs attention, the tables, and who may see them."""

import uuid

import pandas as pd
import pytest

from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.store.content.collections import create_collection
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from pages.overview.monitor import OPENED
from tests.short import long


def texts(at) -> list[str]:
    return [one.value for one in at.markdown]


def answer(at) -> str:
    """Return what stands first, in the place of the answer."""
    said = [text for text in texts(at) if "judgements" in text or "Nothing is assigned" in text]
    return said[0]


def links(at) -> list[str]:
    return [one.proto.page for one in at.get("page_link")]


def judge(store, collection_id, who, document, state="level", level=2, comment="", topic="t1"):
    key = Key(topic, document, "page", "", who, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, state, level, 3000, comment)
    store.labels.append(collection_id, [event])


@pytest.fixture
def anna(store, filled) -> str:
    person = add_person(store, "Anna", "assessor")
    add_member(store, filled, person, "Anna")
    return person


@long
def test_it_is_where_an_organiser_lands(open_page, organiser, filled):
    assert open_page("", organiser).title[0].value == "Progress"


@long
def test_imported_labels_are_a_baseline_and_no_progress(open_page, organiser, filled):
    at = open_page("", organiser)
    assert not at.exception
    assert answer(at) == ("Nothing is assigned\\: no round has been opened; 3 labels imported\\.")
    topics, assessors = (one.value for one in at.dataframe)
    assert topics["labels"].tolist() == topics["imported"].tolist() == [3, 0]
    assert "progress" not in topics
    assert assessors["assessor"].tolist() == ["a1", "a2"]
    assert len(at.get("plotly_chart")) == 1


def test_a_round_counts_its_judgements_from_the_first_on(open_page, organiser, store, filled, anna):
    open_round(store, filled, Plan(judges=2, flow="page only"))
    at = open_page("", organiser)
    assert answer(at).startswith("**Round 1**\\: 0 of 6 judgements, 0 of 3 items fully judged; no")
    assert answer(at).endswith(
        "0 of 1 person active in the last 24 hours; 3 labels imported before\\."
    )
    mine = take_assignment(store, filled, anna)
    step = lay_out(store, mine).steps[0]
    judge(store, filled, anna, step.document_id, topic=step.topic_id)
    at.run()
    assert "1 of 6 judgements" in answer(at)
    assert "1 of 1 person active" in answer(at)
    topics = at.dataframe[0].value.set_index("topic_id")
    assert topics.loc[step.topic_id, "judged"] == 1
    assert topics["progress"].max() == 1 / topics.loc[step.topic_id, "required"]
    assert topics["at_k"].sum() == 0
    assert topics["taken"].sum() == 1
    assessors = at.dataframe[1].value.set_index("assessor")
    assert assessors.loc["Anna", "judged"] == 1
    assert assessors.loc["a1", ["labels", "judged", "left"]].tolist() == [2, 0, 0]
    assert len(at.get("plotly_chart")) == 1


@long
def test_a_round_that_is_done_says_so_and_one_that_is_closed_too(
    open_page, organiser, store, filled, anna
):
    round_id = open_round(store, filled, Plan(judges=1, flow="page only"))
    while mine := take_assignment(store, filled, anna):
        for step in lay_out(store, mine).steps:
            judge(store, filled, anna, step.document_id, topic=step.topic_id)
        finish_assignment(store, mine)
    at = open_page("", organiser)
    assert answer(at).startswith("**Round 1** is done\\: all 3 judgements are in")
    assert at.dataframe[0].value["progress"].tolist() == [1, 1]
    close_round(store, round_id, closed=True)
    assert answer(at.run()).startswith("No round is open; **Round 1** was closed with 3 of 3")


@long
def test_an_earlier_round_that_is_still_open_is_named(open_page, organiser, store, filled):
    open_round(store, filled, Plan(name="Fir*st", judges=1))
    open_round(store, filled, Plan(name="Second", judges=1))
    at = open_page("", organiser)
    assert answer(at).startswith("**Second**\\: 0 of ")
    assert "Also open: Fir\\*st." in [one.value for one in at.caption]


@long
def test_places_that_are_reserved_have_not_been_begun(open_page, organiser, store, filled, anna):
    bob = add_person(store, "Bob", "assessor")
    add_member(store, filled, bob, "Bob")
    open_round(store, filled, Plan(judges=2, assessors=(anna, bob)))
    topics = open_page("", organiser).dataframe[0].value
    assert topics["open"].sum() == 4
    assert topics["taken"].sum() == 0


def test_what_needs_attention_has_its_amount_and_its_link(
    open_page, organiser, store, filled, anna
):
    open_round(store, filled, Plan(judges=2, flow="page only"))
    judge(store, filled, anna, "d2", state="cannot judge", level=None)
    at = open_page("", organiser)
    found = [text for text in texts(at) if text.startswith(":material/")]
    assert "**Topics below k**: 2 topics cannot reach k = 2: 1 person can judge here" in found[0]
    assert any("**Cannot judge**: 1 item could not be judged" in text for text in found)
    assert any("**Disagreements**: 1 page with different labels not decided" in one
               for one in found)  # fmt: skip
    assert {"people", "collection", "adjudicate"} <= set(links(at))


@long
def test_where_all_is_well_nothing_needs_attention(open_page, organiser, store, filled):
    quiet = create_collection(store, "Quiet")
    add_member(store, quiet, add_person(store, "Anna", "assessor"), "Anna")
    judge(store, quiet, "a1", "d1")
    at = open_page("monitor", organiser, collection_id=quiet)
    assert "Nothing needs attention." in texts(at)


@long
def test_it_lists_comments_and_what_cannot_be_judged(open_page, organiser, store, filled):
    judge(store, filled, "a2", "d2", state="cannot judge", level=None)
    judge(store, filled, "a3", "d2", comment="A *fine* page")
    remarks = open_page("", organiser).dataframe[2].value
    assert remarks["comment"].tolist() == ["A *fine* page", ""]
    assert remarks["label"].tolist() == ["HRel", "cannot judge"]
    assert remarks["query"].tolist() == ["jaguar", "jaguar"]


def test_until_the_first_label_the_steps_lead(open_page, organiser, store, filled):
    empty = create_collection(store, "Empty *one*")
    at = open_page("monitor", organiser, collection_id=empty)
    assert not at.exception
    assert answer(at) == (
        "Nothing is assigned: 1 of 5 steps are done. "
        "Next: Import topics, documents and runs or results."
    )
    assert ":material/check_box: Make a collection (Empty \\*one\\*)" in texts(at)
    assert ":material/check_box_outline_blank: Open a round" in texts(at)
    assert {"collection", "people", "assignments"} <= set(links(at))
    assert not at.dataframe


@long
def test_a_round_without_labels_has_both_the_steps_and_its_progress(
    open_page, organiser, demo, store
):
    store.cursor().execute("DELETE FROM labels WHERE collection_id = ?", [demo])
    store.labels._recall()
    store.labels._sequences.clear()
    at = open_page("monitor", organiser)
    assert ":material/check_box: Open a round (1 round)" in texts(at)
    assert answer(at).startswith("**Visitors**\\: 0 of ")


def test_without_a_collection_the_first_step_is_to_make_one(open_page, organiser):
    at = open_page("monitor", organiser)
    assert "Next: Make a collection." in answer(at)


@long
def test_the_ranking_is_compared_when_asked(open_page, organiser, demo):
    at = open_page("monitor", organiser)
    charts = len(at.get("plotly_chart"))
    assert not any("τ" in text for text in texts(at))
    at = open_page("monitor", organiser, **{OPENED: True})
    assert not at.exception
    assert any("τ with today" in text for text in texts(at))
    assert len(at.get("plotly_chart")) == charts + 1


@long
def test_the_demo_has_a_forecast_once_visitors_judge(open_page, organiser, store, demo):
    visitor = add_person(store, "Vera", "assessor")
    add_member(store, demo, visitor, "Vera")
    mine = take_assignment(store, demo, visitor)
    steps = [step for step in lay_out(store, mine).steps if step.occasion == 0]
    for step in steps:
        event = LabelEvent(str(uuid.uuid4()), None, step.key(visitor), "level", 1)
        store.labels.append(demo, [event])
    store.cursor().execute("UPDATE rounds SET created_at = created_at - INTERVAL 1 HOUR")
    store.cursor().execute(
        "UPDATE labels SET time = time - to_minutes((sequence % 20)::BIGINT) WHERE assessor_id = ?",
        [visitor],
    )
    at = open_page("monitor", organiser)
    assert "at today's pace done" in answer(at)
    (chart,) = [one for one in at.get("plotly_chart") if "forecast" in one.proto.spec]
    assert "required" in chart.proto.spec


def test_assessors_do_not_see_it(open_page, store, filled, anna):
    at = open_page("monitor", anna)
    assert not at.exception
    assert "Progress" not in [one.value for one in at.title]


def test_a_viewer_sees_codes_and_no_way_to_pages_for_organisers(
    open_page, store, filled, anna, organiser
):
    from core.store.people.members import add_viewer

    viewer = add_person(store, "Vic", "viewer")
    add_viewer(store, filled, viewer)
    open_round(store, filled, Plan(judges=2, flow="page only"))
    at = open_page("monitor", viewer)
    assert not at.exception
    assert "**Round 1**" in answer(at)
    assert not {"people", "assignments", "adjudicate", "collection"} & set(links(at))
    assert not any("Anna" in str(frame.value) for frame in at.dataframe)
    assert isinstance(at.dataframe[0].value, pd.DataFrame)
