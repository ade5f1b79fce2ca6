"""The monitor: counts, topics, assessors and remarks, and who may see them."""

import uuid

from core.assessment.queue import finish_assignment, take_assignment
from core.assessment.rounds import Plan, open_round
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person


def metrics(at) -> dict[str, str]:
    return {one.label: one.value for one in at.metric}


def judge(store, collection_id, who, document, state="level", level=2, comment=""):
    key = Key("t1", document, "page", "", who, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, state, level, 3000, comment)
    store.labels.append(collection_id, [event])


def test_it_is_where_an_organiser_lands(open_page, organiser, filled):
    assert open_page("", organiser).title[0].value == "Progress"


def test_it_counts_imported_labels_before_any_round(open_page, organiser, filled):
    at = open_page("", organiser)
    assert not at.exception
    assert metrics(at) == {
        "Labels": "3",
        "Items": "2",
        "Items at k = 2": "1",
        "Slots finished": "no slots",
        "Assessors": "2 of 2",
        "Cannot judge": "0",
    }
    assert any("Open a round on the page" in one.value for one in at.caption)
    topics, assessors = (one.value for one in at.dataframe)
    assert topics["labels"].tolist() == [3, 0]
    assert assessors["assessor"].tolist() == ["a1", "a2"]
    assert len(at.get("plotly_chart")) == 2


def test_it_follows_slots_and_a_label_that_comes_in_between(open_page, organiser, store, filled):
    anna = add_person(store, "Anna", "assessor")
    add_member(store, filled, anna, "Anna")
    open_round(store, filled, Plan(judges=3))
    finish_assignment(store, take_assignment(store, filled, anna))
    at = open_page("", organiser)
    assert metrics(at)["Slots finished"] == "1 of 6"
    assert metrics(at)["Items at k = 3"] == "0"
    judge(store, filled, anna, "d1")
    at.run()
    assert metrics(at)["Labels"] == "4"
    assert metrics(at)["Items at k = 3"] == "1"
    assert metrics(at)["Assessors"] == "3 of 3"


def test_slots_that_are_reserved_have_not_been_begun(open_page, organiser, store, filled):
    names = []
    for name in ("Anna", "Bob"):
        names.append(add_person(store, name, "assessor"))
        add_member(store, filled, names[-1], name)
    open_round(store, filled, Plan(judges=2, assessors=tuple(names)))
    topics = open_page("", organiser).dataframe[0].value
    assert topics["open"].sum() == 4
    assert topics["taken"].sum() == 0


def test_it_lists_comments_and_what_cannot_be_judged(open_page, organiser, store, filled):
    judge(store, filled, "a2", "d2", state="cannot judge", level=None)
    judge(store, filled, "a3", "d2", comment="A *fine* page")
    at = open_page("", organiser)
    remarks = at.dataframe[2].value
    assert remarks["comment"].tolist() == ["A *fine* page", ""]
    assert remarks["label"].tolist() == ["HRel", "cannot judge"]
    assert remarks["query"].tolist() == ["jaguar", "jaguar"]
    assert metrics(at)["Cannot judge"] == "1"


def test_an_empty_collection_says_that_nothing_came_yet(open_page, organiser, store, filled):
    from core.store.content.collections import create_collection

    empty = create_collection(store, "Empty")
    at = open_page("", organiser, collection_id=empty)
    assert not at.exception
    assert metrics(at)["Labels"] == "0"
    assert "No label has been given yet" in at.info[0].value


def test_without_a_collection_it_says_where_to_begin(open_page, organiser):
    at = open_page("monitor", organiser)
    assert "There is no collection yet" in at.info[0].value


def test_assessors_do_not_see_it(open_page, store, filled):
    anna = add_person(store, "Anna", "assessor")
    add_member(store, filled, anna, "Anna")
    assert open_page("monitor", anna).title[0].value != "Progress"
