"""Joining a class over HTTP: one link, a seat for each browser."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.class_mode import end_lesson, join_lesson, restart_lesson, start_lesson
from core.store.content.collections import get_collection
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member, collections_of, list_members
from core.store.people.people import add_person, begin_session, find_session
from core.store.rounds import lessons
from core.store.rounds.lessons import Lesson, lesson_code, stop_joining
from core.store.rounds.rounds import read_pool
from core.store.store import Store
from pages.api import join as join_module
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.shared.session import session_cookie
from pages.shared.throttle import Throttle
from tests.each import each
from tests.short import long


@pytest.fixture
def lesson(store: Store) -> Lesson:
    return start_lesson(store, "t01")


def browser() -> TestClient:
    """Return a client with a cookie jar of its own."""
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


def address(store: Store, lesson: Lesson) -> str:
    return f"/join/{lesson_code(store, lesson)}"


def names(store: Store, lesson: Lesson) -> list[str]:
    return sorted(list_members(store, lesson.collection_id)["name"])


def test_many_browsers_join_by_one_link_as_students_of_their_own(store: Store, lesson: Lesson):
    def come(place: int) -> str:
        client = browser()
        assert client.get(address(store, lesson)).status_code == 200
        nickname = {"nickname": "Blue heron"} if place == 0 else {}
        answer = client.post(address(store, lesson), data=nickname)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        return client.cookies[session_cookie(store.secret)]

    with ThreadPoolExecutor(4) as pool:
        sessions = list(pool.map(come, range(12)))
    people = [find_session(store, session) for session in sessions]
    assert len({person.person_id for person in people}) == 12
    assert {person.role for person in people} == {"assessor"}
    assert all(collections_of(store, one.person_id) == [lesson.collection_id] for one in people)
    assert "Blue heron" in names(store, lesson)
    assert len(names(store, lesson)) == 12


@long
def test_the_link_says_whose_class_it_is_and_how_long_it_takes(store: Store):
    lesson = start_lesson(store, "t01", by=add_person(store, "Dr <b>Lecturer", "organiser"))
    text = browser().get(address(store, lesson)).text
    assert "<strong>Dr &lt;b&gt;Lecturer</strong> invites you" in text
    assert f"<dd>{get_collection(store, lesson.collection_id).name}</dd>" in text
    assert "<dd>10 pages, about 5 minutes (half a minute each)</dd>" in text
    student = find_session(store, join_lesson(store, lesson_code(store, lesson)))
    pool = read_pool(store, lesson.round_id)
    key = Key("t01", str(pool["document_id"].iloc[0]), "page", "", student.person_id, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, dwell_ms=12_000)
    store.labels.append(lesson.collection_id, [event])
    text = browser().get(address(store, lesson)).text
    assert "<dd>10 pages, about 2 minutes (at the median time so far)</dd>" in text


@long
def test_what_is_wrong_with_a_nickname_is_told_of_its_field(store: Store, lesson: Lesson):
    text = browser().post(address(store, lesson), data={"nickname": "x" * 31}).text
    assert '<p role="alert" id="problem">' in text
    assert 'aria-invalid="true" aria-describedby="problem"' in text


def test_looking_at_the_link_seats_nobody(store: Store, lesson: Lesson):
    client = browser()
    for _ in range(3):
        answer = client.get(address(store, lesson))
        assert "Student 1" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert names(store, lesson) == []


def test_the_same_browser_comes_back_as_the_same_student(store: Store, lesson: Lesson):
    client = browser()
    client.post(address(store, lesson))
    session = client.cookies[session_cookie(store.secret)]
    assert "You have joined as <strong>Student 1" in client.get(address(store, lesson)).text
    assert client.post(address(store, lesson)).status_code == 303
    assert client.cookies[session_cookie(store.secret)] == session
    assert names(store, lesson) == ["Student 1"]


def test_the_cookie_is_for_this_server_alone_and_for_a_day_at_most(store: Store, lesson: Lesson):
    cookie = browser().post(address(store, lesson)).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Max-Age=43200" in cookie


@long
def test_a_lecturer_stays_a_lecturer(store: Store, lesson: Lesson):
    client = browser()
    client.cookies[session_cookie(store.secret)] = begin_session(
        store, add_person(store, "Olga", "organiser")
    )
    for answer in (client.get(address(store, lesson)), client.post(address(store, lesson))):
        assert answer.status_code == 403
        assert "signed in as an organiser" in answer.text
    assert names(store, lesson) == []


@long
def test_a_student_of_the_last_class_joins_the_next(store: Store, lesson: Lesson):
    client = browser()
    client.post(address(store, lesson), data={"nickname": "<b>Fox</b>"})
    following = restart_lesson(store, lesson)
    assert client.get(address(store, lesson)).status_code == 403
    offer = client.get(address(store, following)).text
    assert "&lt;b&gt;Fox&lt;/b&gt; (class 1)</strong> out" in offer
    assert "<b>Fox" not in offer
    client.post(address(store, following), data={"nickname": "<b>Fox</b>"})
    assert names(store, following) == ["<b>Fox</b>"]
    assert names(store, lesson) == ["<b>Fox</b>"]


@long
def test_somebody_of_another_study_is_warned_and_loses_nothing_there(
    store: Store, lesson: Lesson, filled: str
):
    anna = add_person(store, "Anna", "assessor")
    add_member(store, filled, anna, "Anna")
    client = browser()
    client.cookies[session_cookie(store.secret)] = begin_session(store, anna)
    assert "signs <strong>Anna</strong> out" in client.get(address(store, lesson)).text
    client.post(address(store, lesson))
    assert collections_of(store, anna) == [filled]


@long
def test_a_nickname_that_is_taken_can_be_mended(store: Store, lesson: Lesson):
    browser().post(address(store, lesson), data={"nickname": "Fox"})
    client = browser()
    answer = client.post(address(store, lesson), data={"nickname": "fox"})
    assert answer.status_code == 422
    assert "Somebody in this class has this nickname" in answer.text
    assert session_cookie(store.secret) not in client.cookies


@each("code", ["AAAAAAAA", "x", "'; DROP TABLE lessons; --", "%00", "é"])
def test_made_up_codes_do_not_work(store: Store, lesson: Lesson, code: str):
    for answer in (browser().get(f"/join/{code}"), browser().post(f"/join/{code}")):
        assert answer.status_code == 403
        assert "No class is open under this code" in answer.text


def test_whoever_knows_the_code_only_can_type_it(store: Store, lesson: Lesson):
    assert 'name="code"' in browser().get("/join").text
    code = lesson_code(store, lesson).lower()
    answer = browser().get("/join", params={"code": f" {code} "})
    assert answer.headers["location"] == f"/join/{code}"
    odd = browser().get("/join", params={"code": "//else.example/x"})
    assert odd.headers["location"] == "/join/%2F%2Felse.example%2Fx"


def test_a_closed_door_says_so(store: Store, lesson: Lesson):
    stop_joining(store, lesson, stopped=True)
    for answer in (
        browser().get(address(store, lesson)),
        browser().post(address(store, lesson)),
    ):
        assert answer.status_code == 403
        assert "takes no more students" in answer.text


def test_nobody_joins_a_class_that_has_ended(store: Store, lesson: Lesson):
    end_lesson(store, lesson)
    assert browser().post(address(store, lesson)).status_code == 403


def test_no_other_site_can_seat_a_visitor(store: Store, lesson: Lesson):
    answer = browser().post(address(store, lesson), headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403
    assert names(store, lesson) == []


@long
def test_too_large_a_form_counts_as_empty(store: Store, lesson: Lesson):
    answer = browser().post(address(store, lesson), data={"nickname": "x" * 100_000})
    assert answer.status_code == 303
    assert names(store, lesson) == ["Student 1"]


def test_who_guesses_codes_is_slowed_down(
    store: Store, lesson: Lesson, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(join_module, "WRONG_CODES", Throttle(3, 60))
    statuses = [browser().get(f"/join/AAAA{place}").status_code for place in range(5)]
    assert statuses == [403, 403, 403, 429, 429]
    assert browser().get(address(store, lesson)).status_code == 200, "the right one is let in"


def fill_class(store: Store, lesson: Lesson, most: int) -> list[str]:
    """Let a class have no more students, and seat them; returns their sessions."""
    with store.database.write() as cursor:
        cursor.execute("UPDATE lessons SET most = ?", [most])
    clients = [browser() for _ in range(most)]
    for client in clients:
        assert client.post(address(store, lesson)).status_code == 303
    assert browser().post(address(store, lesson)).status_code == 403
    return [client.cookies[session_cookie(store.secret)] for client in clients]


def test_a_seat_that_nobody_came_to_is_given_to_the_next(
    store: Store, lesson: Lesson, monkeypatch: pytest.MonkeyPatch
):
    first, second = fill_class(store, lesson, 2)
    assert find_session(store, second), "who has come keeps the seat"
    monkeypatch.setattr(lessons, "NEVER_ENTERED", timedelta(0))
    assert browser().post(address(store, lesson)).status_code == 303
    assert find_session(store, first) is None
    assert find_session(store, second)


def test_a_seat_in_which_nobody_judges_is_given_to_the_next(
    store: Store, lesson: Lesson, monkeypatch: pytest.MonkeyPatch
):
    sessions = fill_class(store, lesson, 2)
    first, second = (find_session(store, one).person_id for one in sessions)
    topic, document = read_pool(store, lesson.round_id).iloc[0][["topic_id", "document_id"]]
    event = LabelEvent(str(uuid.uuid4()), None, Key(topic, document, "page", "", first, 0),
                       "level", 1)  # fmt: skip
    store.labels.append(lesson.collection_id, [event])
    monkeypatch.setattr(lessons, "NEVER_JUDGED", timedelta(0))
    assert browser().post(address(store, lesson)).status_code == 303
    assert find_session(store, sessions[0]), "who has judged keeps the seat"
    assert find_session(store, sessions[1]) is None
    assert not collections_of(store, second)


@long
def test_a_flood_of_students_is_slowed_down(
    store: Store, lesson: Lesson, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(join_module, "JOINS", Throttle(3, 60))
    statuses = [browser().post(address(store, lesson)).status_code for _ in range(5)]
    assert statuses == [303, 303, 303, 429, 429]
    assert len(names(store, lesson)) == 3
