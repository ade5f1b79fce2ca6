"""The lecturer's screen: starting a class, what moves on it, and the next class."""

import uuid
from collections.abc import Sequence

import pytest

from core.analysis.base.study import Study
from core.assessment.class_mode import end_lesson, join_lesson, start_lesson
from core.store.content.collections import get_collection
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person, find_session
from core.store.rounds.lessons import Lesson, current_lesson, lesson_code, list_lessons
from core.store.rounds.rounds import read_pool
from core.store.store import Store


def take_part(store: Store, lesson: Lesson, levels: Sequence[int | None]) -> str:
    """Join and give the pages these levels, in the order of their ids; None: cannot judge."""
    session = join_lesson(store, lesson_code(store, lesson))
    student = find_session(store, session)
    assert student is not None
    pool = read_pool(store, lesson.round_id).sort_values("document_id")
    events = [
        LabelEvent(
            str(uuid.uuid4()),
            None,
            Key(topic, document, "page", "", student.person_id, 0),
            "cannot judge" if level is None else "level",
            level,
        )
        for topic, document, level in zip(
            pool["topic_id"], pool["document_id"], levels, strict=False
        )
    ]
    store.labels.append(lesson.collection_id, events)
    return student.person_id


@pytest.fixture
def lesson(store: Store) -> Lesson:
    return start_lesson(store, "t01")


def metrics(at) -> dict[str, str]:
    return {one.label: one.value for one in at.metric}


def door(at) -> str:
    return " ".join(one.value for one in at.get("html") if "class-address" in str(one.value))


def press(at, label: str):
    next(one for one in at.button if one.label == label).click()
    return at.run()


def test_a_lecturer_starts_a_class_on_an_empty_store(open_page, organiser, store):
    at = open_page("class-mode", organiser)
    assert at.title[0].value == "Class"
    at.selectbox[0].select("t07")
    press(at, "Start a class")
    assert not at.exception
    lesson = current_lesson(store)
    assert get_collection(store, lesson.collection_id).name == "Class 1: bass"
    code = lesson_code(store, lesson)
    assert f"/join/{code[:4]}-{code[4:]}" in door(at)
    assert metrics(at)["Students"] == "0"
    assert metrics(at)["κ, linear weights"] == "–"
    assert any("Students see the query alone" in one.value for one in at.text)


def test_students_labels_agreement_and_weights_move(open_page, organiser, store, lesson):
    at = open_page("class-mode", organiser)
    take_part(store, lesson, [3, 3, 2, 2, 1, 1, 0, 0, 3, 0])
    at.run()
    assert metrics(at)["Students"] == "1"
    assert metrics(at)["κ, unweighted"] == "–"
    take_part(store, lesson, [3, 3, 2, 2, 1, 1, 0, 0, 3, 0])
    at.run()
    assert metrics(at)["Finished"] == "2"
    assert metrics(at)["Labels"] == "20"
    assert metrics(at)["κ, unweighted"] == "1.00"
    assert metrics(at)["κ, linear weights"] == "1.00"
    before = at.metric[4].delta
    take_part(store, lesson, [0, 3, 3, 2, 0, 2, 0, 1, 2, None])
    at.run()
    assert 0 < float(metrics(at)["κ, linear weights"]) < 1
    assert metrics(at)["Finished"] == "3"
    assert metrics(at)["Labels"] == "29"
    assert at.metric[4].delta != before
    assert at.metric[4].delta.startswith("[")


def test_the_weights_are_those_of_the_model(open_page, organiser, store, lesson):
    from core.analysis.learn.lesson import weights_of

    take_part(store, lesson, [3, 3, 2, 2])
    take_part(store, lesson, [3, 2, 2, 3])
    room = Study(store, lesson.collection_id, is_masked=True)
    rows = weights_of(room, 3, 1).set_index("name")
    # Of the labels HRel (page 2, page 3 twice, page 4), the other student says Key twice.
    assert rows.loc["HRel", "p"] == pytest.approx(2 / 4)
    assert rows.loc["HRel", "weight"] == pytest.approx(1 - 0.5**2)
    assert rows.loc["Key or Nav", "weight"] == 1
    assert rows.loc["Rel", "written"] == "?"
    assert rows.loc["HRel", "low"] < rows.loc["HRel", "high"]
    at = open_page("class-mode", organiser)
    assert not at.exception


def test_the_screen_names_no_page_unless_asked(open_page, organiser, store, lesson):
    take_part(store, lesson, [3] * 10)
    at = open_page("class-mode", organiser)
    figure = next(one for one in at.get("plotly_chart") if "Page A" in one.proto.spec)
    assert "leopard" not in figure.proto.spec
    at.toggle(key="class-named").set_value(True).run()
    assert any("leopard" in one.proto.spec for one in at.get("plotly_chart"))


def test_labels_per_page_are_counted(store, lesson):
    from core.analysis.learn.lesson import labels_by_item

    take_part(store, lesson, [3, 4])
    take_part(store, lesson, [3, 0])
    rows = labels_by_item(Study(store, lesson.collection_id, is_masked=True))
    counts = rows.set_index(["item", "level"])["labels"]
    assert counts["Page A", "Key"] == 2
    assert (counts["Page B", "Nav"], counts["Page B", "Non"]) == (1, 1)
    assert counts.sum() == 4
    assert rows["item"].nunique() == 10


def test_the_door_can_be_shut_and_opened(open_page, organiser, store, lesson):
    at = press(open_page("class-mode", organiser), "Close to new students")
    assert door(at) == ""
    assert "Nobody else can join" in at.info[0].value
    at = press(at, "Reopen to new students")
    assert "/join/" in door(at)


def test_reset_makes_the_next_class(open_page, organiser, store, lesson):
    take_part(store, lesson, [3] * 10)
    take_part(store, lesson, [2] * 10)
    at = press(open_page("class-mode", organiser), "End it and begin anew")
    assert not at.exception
    following = current_lesson(store)
    assert following.number == 2
    assert metrics(at)["Labels"] == "0"
    assert get_collection(store, lesson.collection_id).closed_at is not None
    past = next(one.value for one in at.dataframe if "class" in one.value.columns)
    assert past["class"].tolist() == [1]
    assert past["labels"].tolist() == [20]


def test_a_class_ends(open_page, organiser, store, lesson):
    at = press(open_page("class-mode", organiser), "End it")
    assert current_lesson(store) is None
    assert at.title[0].value == "Class"
    assert len(list_lessons(store)) == 1


def test_students_judge_and_meet_no_lecturers_page(open_page, store, lesson):
    student = take_part(store, lesson, [])
    assert not open_page("", student).exception
    for address in ("class-mode", "monitor", "collection"):
        assert not open_page(address, student).metric


def test_a_student_of_an_ended_class_is_told_so(open_page, store, lesson):
    student = take_part(store, lesson, [])
    end_lesson(store, lesson)
    at = open_page("", student)
    assert any("closed" in one.value for one in at.info)


def test_assessors_cannot_start_a_class(open_page, store):
    at = open_page("class-mode", add_person(store, "Anna", "assessor"))
    assert not any(one.label == "Start a class" for one in at.button)
