"""The lecturer's screen: starting a class, what moves on it, and the next class."""

import re
import shlex
import uuid
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from core.analysis.base.study import Study
from core.assessment.class_mode import end_lesson, join_lesson, start_lesson
from core.command.main import build_parser
from core.store.content.collections import get_collection
from core.store.content.documents import get_document
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person, find_session
from core.store.rounds.lessons import (
    Lesson,
    current_lesson,
    lesson_code,
    lesson_of,
    list_lessons,
    reveal,
)
from core.store.rounds.rounds import read_pool
from core.store.store import Store, utc_now
from pages.learn import class_screen
from tests.short import few, long


def take_part(
    store: Store,
    lesson: Lesson,
    levels: Sequence[int | None],
    *,
    topic: str = "t01",
    comment: str = "",
) -> str:
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
            comment=comment,
        )
        for document, level in zip(pool["document_id"], levels, strict=False)
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


@long
def test_a_lecturer_chooses_the_language_of_a_class(open_page, organiser, store):
    at = open_page("class-mode", organiser)
    at.selectbox(key="class-language").set_value("de")
    at = press(at, "Start a class")
    assert not at.exception
    made = get_collection(store, current_lesson(store).collection_id)
    assert (made.language, made.name.partition(":")[0]) == ("de", "Kurs 1")
    assert "Beitreten unter" in door(at)
    assert set(metrics(at)) == {"Dabei", "Fertig", "Urteile", "linear gewichtetes κ",
                                "ungewichtetes κ"}  # fmt: skip


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
    assert metrics(at)["linear weighted κ"] == "–"
    assert any("Students see the query alone" in one.value for one in at.text)


@long
def test_students_labels_agreement_and_weights_move(open_page, organiser, store, lesson):
    at = open_page("class-mode", organiser)
    take_part(store, lesson, [3, 3, 2, 2, 1, 1, 0, 0, 3, 0])
    at.run()
    assert metrics(at)["Students"] == "1"
    assert metrics(at)["unweighted κ"] == "–"
    take_part(store, lesson, [3, 3, 2, 2, 1, 1, 0, 0, 3, 0])
    at.run()
    assert metrics(at)["Finished"] == "2"
    assert metrics(at)["Labels"] == "20"
    assert metrics(at)["unweighted κ"] == "1.00"
    assert metrics(at)["linear weighted κ"] == "1.00"
    before = at.metric[4].delta
    take_part(store, lesson, [0, 3, 3, 2, 0, 2, 0, 1, 2, None])
    at.run()
    assert 0 < float(metrics(at)["linear weighted κ"]) < 1
    assert metrics(at)["Finished"] == "3"
    assert metrics(at)["Labels"] == "29"
    assert at.metric[4].delta != before
    assert at.metric[4].delta.startswith("[")


@long
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
    at.button(key="class-reveal").click().run()
    assert not at.exception


def test_before_the_reveal_the_screen_tells_no_level(open_page, organiser, store, lesson):
    take_part(store, lesson, [3] * 10)
    at = open_page("class-mode", organiser)
    assert metrics(at)["Labels"] == "10"
    assert not at.get("plotly_chart")
    assert not at.get("arrow_data_frame")
    names = [level.name for level in get_scales(store, lesson.collection_id)["page"]]
    said = " ".join(one.value for kind in ("markdown", "caption", "text") for one in at.get(kind))
    assert not [name for name in names if re.search(rf"\b{name}\b", said)]
    at.button(key="class-reveal").click().run()
    assert not at.exception
    assert len(at.get("plotly_chart")) == 2
    assert at.metric


@long
def test_the_screen_names_no_page_unless_asked(open_page, organiser, store, lesson):
    take_part(store, lesson, [3] * 10)
    at = open_page("class-mode", organiser)
    at.button(key="class-reveal").click().run()
    figure = next(one for one in at.get("plotly_chart") if "Page A" in one.proto.spec)
    assert "leopard" not in figure.proto.spec
    at.toggle(key="class-named").set_value(True).run()
    assert any("leopard" in one.proto.spec for one in at.get("plotly_chart"))


@long
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


@long
def test_the_door_can_be_shut_and_opened(open_page, organiser, store, lesson):
    at = press(open_page("class-mode", organiser), "Close to new students")
    assert door(at) == ""
    assert "Nobody else can join" in at.info[0].value
    at = press(at, "Reopen to new students")
    assert "/join/" in door(at)


@long
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


@long
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


@long
def test_a_lecturer_brings_a_query_and_pages(open_page, organiser, store):
    at = open_page("class-mode", organiser)
    at.segmented_control(key="class-source").set_value("My own pages").run()
    at.text_input(key="class-query").set_value("mercury")
    at.text_area(key="class-pages").set_value("The planet\nIt is hot.\n---\nThe metal\n\nToxic.")
    press(at, "Start a class")
    assert not at.exception
    lesson = current_lesson(store)
    assert get_collection(store, lesson.collection_id).name == "Class 1: mercury"
    pages = [
        get_document(store, lesson.collection_id, known)
        for known in read_pool(store, lesson.round_id)["document_id"]
    ]
    assert [(one["title"], one["text"]) for one in pages] == [
        ("The planet", "The planet\nIt is hot."),
        ("The metal", "The metal\n\nToxic."),
    ]
    take_part(store, lesson, [3, 2], topic="own")
    at.run()
    assert metrics(at)["Finished"] == "1"
    assert at.metric[2].delta == "of 2"


def test_what_is_missing_is_said_and_nothing_is_made(open_page, organiser, store):
    at = open_page("class-mode", organiser)
    at.segmented_control(key="class-source").set_value("My own pages").run()
    at.text_input(key="class-query").set_value("mercury")
    press(at, "Start a class")
    assert "a class needs pages to judge" in at.error[0].value
    assert current_lesson(store) is None


@long
def test_a_topic_of_a_collection_is_judged_by_a_class(open_page, organiser, store, filled):
    at = open_page("class-mode", organiser)
    at.segmented_control(key="class-source").set_value("A topic of a collection").run()
    press(at, "Start a class")
    assert not at.exception
    lesson = current_lesson(store)
    assert sorted(read_pool(store, lesson.round_id)["document_id"]) == ["d1", "d2"]
    assert get_collection(store, filled).closed_at is None


def shown(at) -> str:
    return " ".join(str(one.value) for one in at.get("html"))


def project(open_page, organiser, **address):
    """Open the projector at a step."""
    return open_page("class-mode", organiser, address={"projector": "1", **address})


@long
def test_the_way_in_is_shown_with_who_has_come(open_page, organiser, store, lesson):
    join_lesson(store, lesson_code(store, lesson), "Blue <b>heron")
    at = project(open_page, organiser, step="join")
    code = lesson_code(store, lesson)
    assert f"{code[:4]}-{code[4:]}" in shown(at)
    assert "1 joined" in shown(at)
    assert "Blue &lt;b&gt;heron" in shown(at)
    assert not at.metric


@long
def test_the_command_for_other_machines_is_the_one_that_serves(
    open_page, organiser, store, lesson, monkeypatch
):
    monkeypatch.setattr(class_screen, "server_address", lambda: "http://127.0.0.1:8601")
    monkeypatch.setattr(class_screen, "network_host", lambda: "192.0.2.7")
    monkeypatch.setattr(class_screen, "_find_socket", lambda: ("127.0.0.1", 8601))
    at = project(open_page, organiser, step="join")
    words = shlex.split(at.code[0].value)
    assert Path(words[0]).name == "dissent"
    parsed = build_parser(words[1:]).parse_args(words[1:])
    assert (parsed.address, parsed.port) == ("0.0.0.0", 8601)
    assert parsed.store == store.path
    assert any("`http://192.0.2.7:8601`" in one.value for one in at.caption)
    monkeypatch.setattr(class_screen, "_find_socket", lambda: ("0.0.0.0", 8601))
    at = project(open_page, organiser, step="join")
    assert not at.code
    assert any("Open this page at `http://192.0.2.7:8601`" in one.value for one in at.caption)
    monkeypatch.setattr(class_screen, "server_address", lambda: "https://judge.example.org")
    at = project(open_page, organiser, step="join")
    assert not any("this computer only" in one.value for one in at.caption)


def test_while_they_judge_only_counts_are_shown(open_page, organiser, store, lesson):
    take_part(store, lesson, [3] * 10)
    take_part(store, lesson, [0] * 3)
    at = project(open_page, organiser, step="judge")
    assert "1 of 2" in shown(at)
    assert "13 of 20 labels" in shown(at)
    assert 'class="level"' not in shown(at)
    assert next(one for one in at.button if one.key == "projector-next").label == (
        "End judging and reveal (1 not done)"
    )


@pytest.mark.parametrize("step", few(["reveal", "summary"]))
def test_an_address_reveals_nothing(open_page, organiser, store, lesson, step: str):
    take_part(store, lesson, [3] * 10)
    at = project(open_page, organiser, step=step, page="2")
    assert "1 of 1" in shown(at)
    assert 'data-testid="bars"' not in shown(at)
    assert lesson_of(store, lesson.collection_id).revealed_at is None


def test_going_on_reveals_and_ends_the_judging(open_page, organiser, store, lesson):
    take_part(store, lesson, [3] * 10, comment="A <i>cat")
    take_part(store, lesson, [0] * 10)
    at = project(open_page, organiser, step="judge")
    at.button(key="projector-next").click().run()
    assert not at.exception
    assert lesson_of(store, lesson.collection_id).revealed_at is not None
    assert 'data-testid="bars"' in shown(at)
    assert "A &lt;i&gt;cat" in shown(at)
    at.button(key="projector-discuss").click().run()
    assert "1 said Key, 1 said Non. Why?" in shown(at)
    for _ in range(10):
        at.button(key="projector-next").click().run()
    assert "Two of you agree on 0% of the pages." in shown(at)
    assert "Key and Nav count as one level" in shown(at)
    at.button(key="projector-leave").click().run()
    assert at.metric


@long
def test_judging_can_go_on_after_all(open_page, organiser, store, lesson):
    reveal(store, lesson, revealed=True)
    at = project(open_page, organiser, step="judge")
    press(at, "Judge on")
    assert lesson_of(store, lesson.collection_id).revealed_at is None


@long
def test_a_timer_is_kept_by_the_store(open_page, organiser, store, lesson):
    at = project(open_page, organiser, step="judge")
    at.number_input(key="projector-minutes").set_value(7)
    press(at, "Start a timer (minutes)")
    left = lesson_of(store, lesson.collection_id).timer_until - utc_now()
    assert timedelta(minutes=6) < left <= timedelta(minutes=7)
    press(at, "Stop the timer")
    assert lesson_of(store, lesson.collection_id).timer_until is None


@long
def test_a_student_waits_and_then_sees_their_own_levels_beside_the_class(
    open_page, organiser, store, lesson
):
    ann = take_part(store, lesson, [3, 3, 2, 2, 1, 1, 0, 0, 3, 0], comment="Ann's reason")
    for _ in range(2):
        take_part(store, lesson, [4, 0, 2, 0, 1, 0, 0, 3, 3, 3])
    at = open_page("judge", ann)
    assert "You have judged every page of the class" in at.success[0].value
    reveal(store, lesson, revealed=True)
    at.run()
    assert at.title[0].value == "You and your class"
    assert "On **50%** of the pages" in at.markdown[0].value
    page = shown(at)
    assert page.count("<em>you</em>") == 10
    # Nav counts as Key.
    assert "You said <b>Key</b>; 2 of 2 others agree." in page
    assert "You said <b>Key</b>; 0 of 2 others agree." in page
    assert "Ann's reason" not in page


@long
def test_a_student_who_joined_and_did_nothing_sees_the_class(open_page, store, lesson):
    idle = take_part(store, lesson, [])
    take_part(store, lesson, [3] * 10)
    reveal(store, lesson, revealed=True)
    at = open_page("judge", idle)
    assert "You gave no page a level" in at.markdown[0].value
    assert "<em>you</em>" not in shown(at)


def test_other_assessors_are_told_that_nothing_waits(open_page, store, filled):
    anna = add_person(store, "Anna", "assessor")
    add_member(store, filled, anna, "Anna")
    at = open_page("judge", anna)
    at.sidebar.toggle[0].set_value(True).run()
    assert "There is nothing for you to judge now" in at.success[0].value


def test_what_a_class_lacks_is_said_as_the_browser_asks(open_page, organiser, store, monkeypatch):
    for asked, said in (("en", "a class needs a query"), ("de", "ein Kurs braucht eine Anfrage")):
        monkeypatch.setattr("pages.learn.class_mode.asked_language", lambda asked=asked: asked)
        at = open_page("class-mode", organiser, **{"class-source": "My own pages"})
        at = press(at, "Start a class")
        assert not at.exception
        assert [one.value for one in at.error] == [said]
