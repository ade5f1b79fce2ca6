"""Class mode: a fresh collection, seats for students, and the next class."""

import json
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pandas as pd
import pytest

from core.assessment.class_mode import (
    ITEMS,
    choose_documents,
    end_lesson,
    join_lesson,
    list_class_topics,
    restart_lesson,
    split_pages,
    start_lesson,
    start_own_lesson,
    start_topic_lesson,
)
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.intake.judging import Grant, Intake
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.errors import BadInput, NotAllowed
from core.language.translate import speaking
from core.settings import DEMO_DATA
from core.store.content.collections import create_collection, get_collection, list_collections
from core.store.content.documents import get_document
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.frames import count_contents, read_topics
from core.store.file.database import fetch
from core.store.people.members import collections_of, list_members
from core.store.people.people import find_session, list_people
from core.store.rounds.lessons import (
    Lesson,
    add_student,
    current_lesson,
    find_lesson,
    is_joinable,
    lesson_code,
    lesson_of,
    list_lessons,
    reveal,
    set_timer,
    stop_joining,
    suggest_name,
)
from core.store.rounds.rounds import get_round, read_pool
from core.store.store import Store, utc_now
from tests.each import each
from tests.short import few, long

CROWD = 16
"""Twice as many as there are threads."""


@pytest.fixture
def lesson(store: Store) -> Lesson:
    return start_lesson(store, "t01", by="lecturer")


def join(store: Store, lesson: Lesson, nickname: str = "") -> str:
    """Join and return the student's id."""
    person = find_session(store, join_lesson(store, lesson_code(store, lesson), nickname))
    assert person is not None
    return person.person_id


def test_a_class_judges_ten_pages_of_one_query_and_nothing_else(store: Store, lesson: Lesson):
    counts = count_contents(store, lesson.collection_id)
    assert counts["documents"] == ITEMS == len(read_pool(store, lesson.round_id))
    assert (counts["topics"], counts["results"], counts["runs"]) == (1, 0, 0)
    topic = read_topics(store, lesson.collection_id).iloc[0]
    assert topic["query"] == "jaguar"
    assert (topic["description"], topic["narrative"]) == ("", "")


@long
def test_the_record_names_files_and_not_where_they_are(store: Store, lesson: Lesson):
    imports = fetch(store.cursor(), "SELECT subject FROM changes WHERE what = 'import'")
    named = [row["subject"].rpartition(" (")[0] for row in imports]
    assert named == ["topics from topics.jsonl", "documents from documents.jsonl"]


@long
def test_students_may_be_told_what_the_query_means(store: Store):
    told = start_lesson(store, "t07", described=True)
    topic = read_topics(store, told.collection_id).iloc[0]
    assert topic["description"].startswith("The user is looking for")
    assert topic["narrative"] == ""


def test_only_topics_with_several_meanings_are_offered(store: Store):
    assert list_class_topics()["query"].tolist() == ["jaguar", "mercury", "bass", "python"]
    with pytest.raises(BadInput, match="t03"):
        start_lesson(store, "t03")
    assert list_collections(store) == []


def test_the_ten_pages_are_of_all_levels():
    intended = pd.read_csv(DEMO_DATA / "page_levels.tsv", sep="\t", dtype=str)
    levels = intended.set_index("document")["page"]
    for topic_id in list_class_topics()["topic_id"]:
        chosen = choose_documents(intended, topic_id)
        counts = Counter(levels[chosen])
        assert len(set(chosen)) == ITEMS
        assert min(counts[name] for name in ("Non", "Rel", "HRel", "Key")) >= 2


def test_a_student_judges_all_ten_and_is_done(store: Store, lesson: Lesson):
    student = join(store, lesson)
    handed_out = next_assignment(store, lesson.collection_id, student)
    assert handed_out is not None
    _, content = handed_out
    assert [step.facet for step in content.steps] == ["page"] * ITEMS
    judge_all(store, lesson, student)
    assert next_assignment(store, lesson.collection_id, student) is None


@long
def test_each_student_has_a_seat_of_their_own_and_all_judge_everything(
    store: Store, lesson: Lesson
):
    students = [join(store, lesson) for _ in range(3)]
    seen = []
    for student in students:
        handed_out = next_assignment(store, lesson.collection_id, student)
        assert handed_out is not None
        seen.append([step.document_id for step in handed_out[1].steps])
    assert {frozenset(one) for one in seen} == {frozenset(seen[0])}
    assert len({tuple(one) for one in seen}) == 3
    assert get_round(store, lesson.round_id).judges == 3


def test_a_student_has_no_other_collection(store: Store, lesson: Lesson):
    other = create_collection(store, "Secret study")
    student = join(store, lesson)
    assert collections_of(store, student) == [lesson.collection_id]
    assert next_assignment(store, other, student) is None
    with pytest.raises(NotAllowed):
        Intake(store).accept(Grant(other, student), [{}])


@long
def test_students_are_numbered_or_have_a_nickname(store: Store, lesson: Lesson):
    assert suggest_name(store, lesson) == "Student 1"
    for nickname in ("", "  Red   fox ", "student 4", ""):
        join(store, lesson, nickname)
    members = list_members(store, lesson.collection_id)
    assert set(members["name"]) == {"Student 1", "Red fox", "student 4", "Student 5"}
    assert set(members["origin"]) == {"class"}
    assert "Red fox (class 1)" in {person.name for person in list_people(store)}


@pytest.mark.parametrize("nickname", few(["RED FOX", "x" * 31, "a\u202eb", "a\x07b"], kept=2))
def test_a_nickname_that_is_taken_or_unfit_is_refused(store: Store, lesson: Lesson, nickname: str):
    join(store, lesson, "Red fox")
    with pytest.raises(BadInput):
        join(store, lesson, nickname)
    assert len(list_members(store, lesson.collection_id)) == 1


def test_many_join_at_once(store: Store, lesson: Lesson):
    with ThreadPoolExecutor(8) as pool:
        students = list(pool.map(lambda _: join(store, lesson), range(CROWD)))
    assert len(set(students)) == CROWD
    assert list_members(store, lesson.collection_id)["name"].nunique() == CROWD
    slots = fetch(store.cursor(), "SELECT DISTINCT slot FROM slots")
    assert len(slots) == CROWD
    assert get_round(store, lesson.round_id).judges == CROWD


@long
def test_a_full_class_takes_nobody(store: Store, lesson: Lesson):
    with store.database.write() as cursor:
        cursor.execute("UPDATE lessons SET most = 2")
    join(store, lesson)
    join(store, lesson)
    with pytest.raises(NotAllowed, match="full"):
        join(store, lesson)


@long
def test_a_class_closes_its_door_and_opens_it_again(store: Store, lesson: Lesson):
    inside = join(store, lesson)
    stop_joining(store, lesson, stopped=True)
    stopped = list_lessons(store)[0]
    assert not is_joinable(stopped)
    with pytest.raises(NotAllowed, match="no more students"):
        join(store, lesson)
    assert next_assignment(store, lesson.collection_id, inside) is not None
    stop_joining(store, lesson, stopped=False)
    join(store, lesson)


def test_the_door_closes_after_the_lesson(store: Store, lesson: Lesson):
    past = utc_now() - timedelta(seconds=1)
    with store.database.write() as cursor:
        cursor.execute("UPDATE lessons SET expires_at = ?", [past])
    with pytest.raises(NotAllowed, match="no more students"):
        join(store, lesson)


def test_a_code_is_read_however_it_is_typed(store: Store, lesson: Lesson):
    code = lesson_code(store, lesson)
    assert len(code) == 8
    for typed in (code.lower(), f"{code[:4]}-{code[4:]}", f" {code[:4]} {code[4:]} "):
        assert find_lesson(store, typed) == lesson
    for wrong in ("", "x", code[:-1], "é" * 8, "A" * 5000):
        with pytest.raises(NotAllowed):
            find_lesson(store, wrong)


def test_no_file_of_the_store_holds_the_code(store: Store, lesson: Lesson):
    code = lesson_code(store, lesson)
    join(store, lesson)
    store.cursor().execute("FORCE CHECKPOINT")
    for file in store.path.parent.iterdir():
        assert code.encode() not in file.read_bytes()


@long
def test_sessions_of_students_end_the_same_day(store: Store, lesson: Lesson):
    join(store, lesson)
    (row,) = fetch(store.cursor(), "SELECT expires_at - created_at AS lasts FROM sessions")
    assert row["lasts"] == timedelta(hours=12)


@long
def test_the_next_class_is_empty_and_the_old_one_stays(store: Store, lesson: Lesson):
    student = join(store, lesson)
    judge_all(store, lesson, student)
    labels = count_contents(store, lesson.collection_id)["label events"]
    following = restart_lesson(store, lesson, by="lecturer")
    assert following.number == 2
    assert following.collection_id != lesson.collection_id
    assert lesson_code(store, following) != lesson_code(store, lesson)
    assert current_lesson(store) == following
    assert count_contents(store, following.collection_id)["label events"] == 0
    assert read_topics(store, following.collection_id)["query"].tolist() == ["jaguar"]
    assert get_collection(store, lesson.collection_id).closed_at is not None
    assert count_contents(store, lesson.collection_id)["label events"] == labels == ITEMS
    with pytest.raises(NotAllowed):
        find_lesson(store, lesson_code(store, lesson))
    with pytest.raises(NotAllowed, match="closed"):
        Intake(store).accept(Grant(lesson.collection_id, student), [{}])


@long
def test_without_a_class_there_is_none(store: Store, lesson: Lesson):
    end_lesson(store, lesson)
    assert current_lesson(store) is None


def test_a_seat_needs_an_open_door_whoever_asks(store: Store, lesson: Lesson):
    stop_joining(store, lesson, stopped=True)
    with pytest.raises(NotAllowed):
        add_student(store, list_lessons(store)[0], "t01")


def judge_all(store: Store, lesson: Lesson, student: str) -> None:
    """Give every page of the class the same level, as the judging screen would."""
    handed_out = next_assignment(store, lesson.collection_id, student)
    assert handed_out is not None
    assignment, content = handed_out
    events = [
        {
            "event_id": f"00000000-0000-4000-8000-{place:012d}",
            "topic": step.topic_id,
            "document": step.document_id,
            "facet": step.facet,
            "engine": "",
            "occasion": 0,
            "state": "level",
            "level": 2,
        }
        for place, step in enumerate(content.steps)
    ]
    grant = Grant(lesson.collection_id, student, assignment.rules.round_id, assignment.topic_id, 0)
    answers = Intake(store).accept(grant, events)
    assert {one["status"] for one in answers} == {"saved"}


def grant_for(store: Store, lesson: Lesson, session: str) -> Grant:
    person = find_session(store, session)
    assert person is not None
    return Grant(lesson.collection_id, person.person_id, lesson.round_id, "t01", 0)


def test_after_the_reveal_nobody_judges_or_joins_until_the_class_judges_on(
    store: Store, lesson: Lesson
):
    session = join_lesson(store, lesson_code(store, lesson))
    grant, intake = grant_for(store, lesson, session), Intake(store)
    page = str(read_pool(store, lesson.round_id)["document_id"].iloc[0])
    event = {"event_id": str(uuid.uuid4()), "topic": "t01", "document": page, "facet": "page",
             "engine": "", "state": "level", "level": 1}  # fmt: skip
    assert intake.accept(grant, [event])[0]["status"] == "saved"
    reveal(store, lesson, revealed=True, by="lecturer")
    with pytest.raises(NotAllowed, match="are shown now"):
        intake.accept(grant, [{**event, "event_id": str(uuid.uuid4())}])
    with pytest.raises(NotAllowed, match="takes no more students"):
        join_lesson(store, lesson_code(store, lesson))
    reveal(store, lesson, revealed=False, by="lecturer")
    assert intake.accept(grant, [{**event, "event_id": str(uuid.uuid4())}])[0]["status"] in (
        "saved",
        "stale",
    )
    join_lesson(store, lesson_code(store, lesson))
    told = fetch(store.cursor(), "SELECT what FROM changes WHERE what IN ('reveal', 'judge on')")
    assert [row["what"] for row in told] == ["reveal", "judge on"]


@long
def test_a_timer_is_set_and_taken_away(store: Store, lesson: Lesson):
    set_timer(store, lesson, timedelta(minutes=5))
    known = lesson_of(store, lesson.collection_id)
    assert timedelta(minutes=4) < known.timer_until - utc_now() <= timedelta(minutes=5)
    set_timer(store, lesson, None)
    assert lesson_of(store, lesson.collection_id).timer_until is None


@long
def test_a_class_judges_the_lecturers_own_pages(store: Store):
    lesson = start_own_lesson(store, " mercury ", ["Planet\nHot.", "", "Metal\nToxic."],
                              description="the element", by="lecturer")  # fmt: skip
    topic = read_topics(store, lesson.collection_id).iloc[0]
    assert (topic["query"], topic["description"]) == ("mercury", "the element")
    pages = list(read_pool(store, lesson.round_id)["document_id"])
    titles = [get_document(store, lesson.collection_id, known)["title"] for known in pages]
    assert titles == ["Planet", "Metal"]
    student = join(store, lesson)
    handed_out = next_assignment(store, lesson.collection_id, student)
    assert handed_out is not None
    assert len(handed_out[1].steps) == 2
    following = restart_lesson(store, lesson)
    assert list(read_pool(store, following.round_id)["document_id"]) == pages
    again = get_document(store, following.collection_id, pages[1])
    assert (again["title"], again["text"]) == ("Metal", "Metal\nToxic.")


@long
def test_a_class_and_the_ones_after_it_have_a_language(store: Store):
    lesson = start_own_lesson(store, "merkur", ["Planet", "Metall"], language="de")
    following = restart_lesson(store, lesson)
    for one in (lesson, following):
        made = get_collection(store, one.collection_id)
        assert (made.language, made.name) == ("de", f"Kurs {one.number}: merkur")
        assert made.guidelines.startswith("Wie gut beantwortet jede Seite die Anfrage?")
        assert get_scales(store, one.collection_id)["page"][0].name == "Nicht"
    source = create_collection(store, "Quelle", language="de")
    files = {"topics": "id\tquery\nq1\tkatzen\n", "runs": "q1 Q0 d1 1 1 s\n"}
    files["documents"] = '{"id": "d1", "text": "Eine Katze."}\n'
    for kind, text in files.items():
        write_import(store, source, read_import(kind, Source(f"{kind}.txt", text.encode())))
    on_topic = start_topic_lesson(store, source, "q1")
    assert get_collection(store, on_topic.collection_id).language == "de"
    assert get_collection(store, start_lesson(store, "t01").collection_id).language == "en"
    with pytest.raises(BadInput, match="no language"):
        start_lesson(store, "t01", language="xx")
    with speaking("de"):
        session = join_lesson(store, lesson_code(store, following))
    student = find_session(store, session)
    assert student is not None
    assert student.name.startswith("Person 1")


@pytest.mark.parametrize(
    ("query", "pages", "why"),
    [
        ("", ["a"], "needs a query"),
        ("q", [], "needs pages"),
        ("q", ["  "], "needs pages"),
        ("q", [str(number) for number in range(11)], "11 pages; a class judges 10 at most"),
        ("q", ["a", " a "], "two of the pages are the same"),
        ("q", ["x" * 20_001], "20,000 is the most"),
    ],
)
def test_a_class_that_cannot_be_is_refused_whole(store: Store, query: str, pages: list, why: str):
    with pytest.raises(BadInput, match=why):
        start_own_lesson(store, query, pages)
    assert list_collections(store) == []


@each(
    ("text", "pages"),
    [
        ("One\ntext\n---\nTwo\n\nmore", ["One\ntext", "Two\n\nmore"]),
        ("One\ntext\n\nTwo", ["One\ntext", "Two"]),
        ("One\r\n\r\nTwo", ["One", "Two"]),
        ("---\nOne\n -----  \n\n---\nTwo\n", ["One", "Two"]),
        ("a --- b", ["a --- b"]),
        ("", []),
    ],
)
def test_pages_are_told_apart_by_dashes_or_else_by_empty_lines(text: str, pages: list[str]):
    assert split_pages(text) == pages


@long
def test_a_class_judges_copies_of_the_pages_that_rank_highest(store: Store):
    source = create_collection(store, "Source", scales={"page": numeric_scale([0, 1, 2])})
    texts = {"topics": "id\tquery\tdescription\nq1\tcats\tbig ones\n"}
    texts["documents"] = (
        "".join(
            json.dumps({"id": f"d{number:02d}", "title": f"T{number}", "text": f"text {number}"})
            + "\n"
            for number in range(12)
        )
        + '{"id": "empty"}\n'
    )
    texts["runs"] = "q1 Q0 empty 1 99 s\n" + "".join(
        f"q1 Q0 d{11 - place:02d} {place + 2} {50 - place} s\n" for place in range(12)
    )
    for kind, text in texts.items():
        write_import(store, source, read_import(kind, Source(f"{kind}.txt", text.encode())))
    lesson = start_topic_lesson(store, source, "q1", described=True)
    assert list(read_pool(store, lesson.round_id)["document_id"]) == [
        f"d{number:02d}" for number in range(2, 12)
    ]
    assert read_topics(store, lesson.collection_id)["description"].tolist() == ["big ones"]
    assert [one.level for one in get_scales(store, lesson.collection_id)["page"]] == [0, 1, 2]
    assert count_contents(store, source)["label events"] == 0
    with pytest.raises(BadInput, match="no topic 'q2'"):
        start_topic_lesson(store, source, "q2")
