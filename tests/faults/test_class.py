"""A class under attack, by strangers, by its own students, and by nicknames."""

import json
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event

import httpx2
import pandas as pd
import pytest
from itsdangerous import URLSafeTimedSerializer
from playwright.sync_api import Browser, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment import class_mode
from core.assessment.class_mode import (
    ITEMS,
    LONGEST_NICKNAME,
    MOST_STUDENTS,
    choose_documents,
    end_lesson,
    join_lesson,
    start_lesson,
)
from core.assessment.intake import judging as intake
from core.assessment.intake.judging import MOST_OF_SEAT, Grant, Intake
from core.errors import DissentError, NotAllowed
from core.settings import DEMO_DATA
from core.store.events.frames import count_contents
from core.store.people.members import list_members
from core.store.people.people import Person, add_person, begin_session, find_session, hash_token
from core.store.rounds import lessons
from core.store.rounds.lessons import Lesson, add_student, lesson_code, stop_joining
from core.store.rounds.rounds import read_pool
from core.store.store import Store
from pages.api import granted, join, judging
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.shared.intake import name_assignment, read_assignment, sign_grant
from pages.shared.page import Page
from pages.shared.session import session_cookie
from pages.shared.throttle import Throttle
from tests.browser.running import Running
from tests.browser.test_class import come_in, judge_pages, metric
from tests.pages.conftest import OpenPage
from tests.short import few, long

pytestmark = pytest.mark.timeout(900)

UNLIMITED = Throttle(10**9, 60)
ENOUGH = MOST_OF_SEAT
NETWORK = "2001:db8:1:2:"


@dataclass
class Scene:
    """A class that Olga has started and Ann judges in; Bob has a seat, too, and attacks."""

    store: Store
    lesson: Lesson
    olga: str
    open_page: OpenPage
    is_long: bool

    def __post_init__(self) -> None:
        self.code = lesson_code(self.store, self.lesson)
        self.ann, self.bob = (join_lesson(self.store, self.code, name) for name in ("Ann", "Bob"))

    def browser(self, address: str = "192.0.2.1", session: str = "") -> TestClient:
        """Return a browser of its own, signed in or not."""
        app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
        client = TestClient(app, follow_redirects=False, client=(address, 1))
        if session:
            client.cookies.set(session_cookie(self.store.secret), session)
        return client

    def person(self, session: str) -> Person:
        """Return whose session this is."""
        person = find_session(self.store, session)
        assert person is not None
        return person

    def names(self) -> list[str]:
        """Return the nicknames of all students."""
        return sorted(list_members(self.store, self.lesson.collection_id)["name"])

    def judge(self, session: str, events: int, **fields: object) -> int:
        """Judge the first page again and again, as a student; returns the status of the answer."""
        person = self.person(session).person_id
        topic, document = read_pool(self.store, self.lesson.round_id).iloc[0][
            ["topic_id", "document_id"]
        ]
        grant = Grant(self.lesson.collection_id, person, self.lesson.round_id, topic, 0)
        token = sign_grant(grant, hash_token(session))
        event = {"topic": topic, "document": document, "facet": "page", "engine": "",
                 "state": "level", "level": 1, **fields}  # fmt: skip
        body = {"events": [{**event, "event_id": str(uuid.uuid4())} for _ in range(events)]}
        headers = {"Authorization": f"Bearer {token}"}
        sent = json.dumps(body)
        return self.browser().post("/api/labels", content=sent, headers=headers).status_code

    def stored(self) -> int:
        """Return how many label events the class has."""
        return count_contents(self.store, self.lesson.collection_id)["label events"]


@pytest.fixture
def scene(
    store: Store, open_page: OpenPage, long_form: bool, monkeypatch: pytest.MonkeyPatch
) -> Scene:
    monkeypatch.setattr(join, "WRONG_CODES", Throttle(300, 60))
    monkeypatch.setattr(join, "JOINS", Throttle(150, 60))
    olga = add_person(store, "Olga", "organiser")
    return Scene(store, start_lesson(store, "t01", by=olga), olga, open_page, long_form)


@dataclass(frozen=True)
class Attack:
    """What is tried, and what would let it through."""

    succeeds: Callable[[Scene], bool]
    remove: Callable[[pytest.MonkeyPatch], None]


def _guess_from_one_network(scene: Scene) -> bool:
    """Whether somebody who has typed too many wrong codes is still told which are wrong."""
    browser = scene.browser()
    for number in range(310):
        browser._transport.client = (f"{NETWORK}:{number:x}", 1)
        browser.get("/join/AAAA2222")
    browser._transport.client = (f"{NETWORK}:ffff", 1)
    assert browser.get(f"/join/{scene.code}").status_code == 200, "the right one keeps nobody out"
    return browser.get("/join/BBBB2222").status_code != 429


def _count_every_address(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(join, "address_of", lambda request: request.client.host)


def _take_all_seats(scene: Scene) -> bool:
    attempts, most = (10_000, MOST_STUDENTS) if scene.is_long else (40, 20)
    with scene.store.database.write() as cursor:
        cursor.execute("UPDATE lessons SET most = ?", [most])
    join.JOINS = UNLIMITED
    answers: Counter[int] = Counter()
    for number in range(attempts):
        answers[_sit_down(scene)] += 1
        if number % 40 == 39 and len(scene.names()) > most:
            return True
    assert answers == {303: most - 2, 403: attempts - most + 2}
    return False


def _sit_down(scene: Scene) -> int:
    return scene.browser().post(f"/join/{scene.code}").status_code


def _add_seats(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lessons, "_names", lambda cursor, lesson: [])


def _join_all_at_once(scene: Scene) -> bool:
    join.JOINS = Throttle(30, 60)
    for _ in range(40):
        _sit_down(scene)
    return len(scene.names()) == 42


def _let_all_in_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Throttle, "is_full", lambda *_: False)


def _join_while_it_stops(scene: Scene) -> bool:
    """The code was looked up just before, and the seat is taken just after."""
    stop_joining(scene.store, scene.lesson, stopped=True, by=scene.olga)
    return _is_seated(scene)


def _join_while_it_ends(scene: Scene) -> bool:
    end_lesson(scene.store, scene.lesson, by=scene.olga)
    return _is_seated(scene)


def _is_seated(scene: Scene) -> bool:
    try:
        add_student(scene.store, scene.lesson, "t01")
    except NotAllowed:
        return False
    return True


def _believe_what_was_looked_up(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lessons, "_check_open", lambda *_: None)


def _judge_when_it_is_over(scene: Scene) -> bool:
    end_lesson(scene.store, scene.lesson, by=scene.olga)
    scene.judge(scene.bob, 1)
    return scene.stored() > 0


def _bar_nobody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Intake, "_bar", lambda *_: "")


def _judge_without_end(scene: Scene) -> bool:
    for _ in range(12):
        scene.judge(scene.bob, 50)
    assert scene.judge(scene.ann, 1) == 200
    return scene.stored() > ENOUGH + 1


def _count_no_judgement(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(intake, "MOST_OF_SEAT", 10**9)


def _judge_without_end_in_spite_of_restarts(scene: Scene) -> bool:
    for _ in range(12):
        scene.judge(scene.bob, 50)
        judging.server().__dict__.pop("intake")
    return scene.stored() > ENOUGH


def _judge_in_the_place_of_another(scene: Scene) -> bool:
    own, theirs = scene.person(scene.bob).person_id, scene.person(scene.ann).person_id
    lent = Grant(scene.lesson.collection_id, theirs, scene.lesson.round_id, "t01", 0)
    assert own != theirs
    scene.judge(scene.bob, 1, assignment=name_assignment(lent), assessor_id=theirs)
    held = scene.store.labels.current(scene.lesson.collection_id, theirs)
    return bool(held)


def _take_every_assignment(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(granted, "grant_of", lambda raw, _: read_assignment(raw["assignment"]))


def _see_the_lecturers_screen(scene: Scene) -> bool:
    scene.judge(scene.ann, 1)
    at = scene.open_page("class-mode", scene.person(scene.bob).person_id)
    return any(one.label == "Labels" for one in at.metric)


def _see_who_judged(scene: Scene) -> bool:
    scene.judge(scene.ann, 1)
    at = scene.open_page("monitor", scene.person(scene.bob).person_id)
    return any("Ann" in frame.value.to_string() for frame in at.dataframe)


def _open_every_page(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Page, "open_to", lambda *_: True)


def _turn_a_lecturer_into_a_student(scene: Scene) -> bool:
    session = begin_session(scene.store, scene.olga)
    browser = scene.browser(session=session)
    browser.post(f"/join/{scene.code}")
    return find_session(scene.store, session) is None


def _ask_nobody_who_they_are(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(join, "_visitor", lambda _request: None)


def _be_called(name: str) -> Callable[[Scene], bool]:
    def succeeds(scene: Scene) -> bool:
        answer = scene.browser().post(f"/join/{scene.code}", data={"nickname": name})
        return answer.status_code == 303

    return succeeds


def _take_every_nickname(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(class_mode, "_check_nickname", lambda nickname: nickname)


def _compare_to_the_letter(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lessons, "likeness", str)


ATTACKS = {
    "guessing from one network": Attack(_guess_from_one_network, _count_every_address),
    "taking all seats": Attack(_take_all_seats, _add_seats),
    "joining all at once": Attack(_join_all_at_once, _let_all_in_at_once),
    "joining while it stops": Attack(_join_while_it_stops, _believe_what_was_looked_up),
    "joining while it ends": Attack(_join_while_it_ends, _believe_what_was_looked_up),
    "judging when it is over": Attack(_judge_when_it_is_over, _bar_nobody),
    "judging without end": Attack(_judge_without_end, _count_no_judgement),
    "judging on after a restart": Attack(
        _judge_without_end_in_spite_of_restarts, _count_no_judgement
    ),
    "judging in another's place": Attack(_judge_in_the_place_of_another, _take_every_assignment),
    "the lecturer's screen": Attack(_see_the_lecturers_screen, _open_every_page),
    "who judged what": Attack(_see_who_judged, _open_every_page),
    "a lecturer made a student": Attack(_turn_a_lecturer_into_a_student, _ask_nobody_who_they_are),
    "a nickname: nothing to see": Attack(_be_called("\u3164"), _take_every_nickname),
    "a nickname: blank letters": Attack(_be_called("Ann\u115f"), _take_every_nickname),
    "a nickname: a hidden mark": Attack(_be_called("Ann\u034f"), _take_every_nickname),
    "a nickname: a tower of marks": Attack(_be_called("A" + "\u0301" * 20), _take_every_nickname),
    "a nickname: backwards": Attack(_be_called("Ann\u202egalO"), _take_every_nickname),
    "a nickname: a control": Attack(_be_called("Ann\x1b[31m"), _take_every_nickname),
    "a nickname: no width": Attack(_be_called("A\u200bnn"), _take_every_nickname),
    "a nickname: too long": Attack(_be_called("A" * 31), _take_every_nickname),
    "the same: other case": Attack(_be_called("ANN"), _compare_to_the_letter),
    "the same: wide letters": Attack(_be_called("Ａｎｎ"), _compare_to_the_letter),
    "the same: a variant": Attack(_be_called("Ann\ufe0f"), _compare_to_the_letter),
    "the same: mathematics": Attack(_be_called("𝐀𝐧𝐧"), _compare_to_the_letter),
}


@pytest.mark.parametrize("name", few(ATTACKS, 2))
def test_the_attack_fails(scene: Scene, name: str):
    assert not ATTACKS[name].succeeds(scene)


@long
@pytest.mark.parametrize("name", few(ATTACKS, 2))
def test_without_its_guard_the_attack_succeeds(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch
):
    """Only then does the test above prove anything."""
    with monkeypatch.context() as patch:
        ATTACKS[name].remove(patch)
        assert ATTACKS[name].succeeds(scene)


NICKNAMES = (
    "Olga",
    "Olga, organiser",
    "Student 7",
    "<img src=x onerror=hurt()>",
    "</script><script>hurt()",
    "[x](javascript:hurt())",
    "$x^2$ :material/bug: *b*",
    "=1+1",
    "'; DROP TABLE people; --",
    "null",
    "🐍🦊❤️",
    "李明",
    "שלום",
    "Zoe\u0308",
    "%s {0} %00",
    "x" * LONGEST_NICKNAME,
)


@long
def test_odd_nicknames_are_shown_and_do_nothing(scene: Scene):
    """Bytes that are no text come as the sign for that."""
    for name in NICKNAMES:
        answer = scene.browser().post(f"/join/{scene.code}", data={"nickname": name})
        assert answer.status_code == 303, name
    raw = b"nickname=%ED%A0%80%FF"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = scene.browser().post(f"/join/{scene.code}", content=raw, headers=form)
    assert answer.status_code == 303
    assert "Zoë" in scene.names()
    assert "\ufffd" * 4 in scene.names()
    assert len(scene.names()) == 2 + len(NICKNAMES) + 1
    for session in (scene.ann, scene.bob):
        assert scene.judge(session, 1) == 200
    for page in ("class-mode", "monitor", "people", "assessors", "audit"):
        at = scene.open_page(page, scene.olga, collection_id=scene.lesson.collection_id)
        assert not at.exception, page
        assert not any("hurt" in str(one.value) for one in at.get("html")), page


@long
def test_a_comment_that_is_no_text_is_answered(scene: Scene):
    assert scene.judge(scene.bob, 1, comment="\ud800") == 200
    assert scene.judge(scene.bob, 1, comment="\x00\u202e<script>") == 200
    assert scene.judge(scene.ann, 1) == 200
    at = scene.open_page("class-mode", scene.olga)
    assert not at.exception


@pytest.mark.parametrize("is_guarded", few([True, False]), ids=["guarded", "without its guard"])
def test_once_a_class_has_stopped_nobody_gets_in(
    scene: Scene, is_guarded: bool, monkeypatch: pytest.MonkeyPatch
):
    """Many join without pause while the lecturer stops it."""
    if not is_guarded:
        monkeypatch.setattr(lessons, "_check_open", lambda *_: None)
    enough = Event()

    def sit_down() -> None:
        while not enough.is_set() and len(scene.names()) < 150:
            try:
                add_student(scene.store, scene.lesson, "t01")
            except DissentError:
                return

    with ThreadPoolExecutor(4) as threads:
        waiting = [threads.submit(sit_down) for _ in range(4)]
        while len(scene.names()) < 10:
            pass
        stop_joining(scene.store, scene.lesson, stopped=True, by=scene.olga)
        seated = len(scene.names())
        if not is_guarded:
            while len(scene.names()) < seated + 5:
                pass
            enough.set()
        for one in waiting:
            one.result()
    assert (len(scene.names()) == seated) == is_guarded


@long
def test_guesses_from_everywhere_find_nothing(
    scene: Scene, record_property: Callable[[str, object], None]
):
    """No limit by address holds against many; the code's length does."""
    guesses = 20_000 if scene.is_long else 300
    assert len(lessons._ALPHABET) ** lessons._LENGTH > 5e11
    browser = scene.browser()
    found = Counter()
    for number in range(guesses):
        browser._transport.client = (f"2001:db8:{number:x}::1", 1)
        code = "".join(lessons._ALPHABET[number // 30**place % 30] for place in range(8))
        found[browser.get(f"/join/{code}").status_code] += 1
    record_property("counts", f"{guesses:,} guesses from as many networks: {dict(found)}")
    assert found == {403: guesses}
    assert _sit_down(scene) == 303


@long
def test_the_screen_is_drawn_however_full_the_class_is(
    scene: Scene, record_property: Callable[[str, object], None]
):
    """All seats taken, all pages judged by all, and one student goes on for ever."""
    students = MOST_STUDENTS if scene.is_long else 30
    pool = read_pool(scene.store, scene.lesson.round_id)
    intake = Intake(scene.store)
    for number in range(students - 2):
        session = join_lesson(scene.store, scene.code, f"{number} <b>&amp;*_`$\\")
        person = scene.person(session).person_id
        grant = Grant(scene.lesson.collection_id, person, scene.lesson.round_id, "t01", 0)
        events = [
            {"event_id": str(uuid.uuid4()), "topic": "t01", "document": document, "facet": "page",
             "engine": "", "state": "level", "level": (number + place) % 5}
            for place, document in enumerate(pool["document_id"])
        ]  # fmt: skip
        answers = intake.accept(grant, events)
        assert {one["status"] for one in answers} == {"saved"}, asdict(grant)
    for _ in range(12):
        scene.judge(scene.bob, 50)
    at = scene.open_page("class-mode", scene.olga)
    assert not at.exception
    shown = {one.label: one.value for one in at.metric}
    assert shown["Students"] == str(students)
    assert shown["Labels"] == str((students - 2) * ITEMS + 1)
    assert float(shown["linear weighted κ"].replace("−", "-")) < 1
    record_property("counts", f"{students} students, {scene.stored():,} judgements: drawn")


@long
@pytest.mark.browser
def test_a_lesson_goes_on_while_it_is_attacked(
    browser: Browser,
    tmp_path: Path,
    long_form: bool,
    record_property: Callable[[str, object], None],
):
    """A real server: codes are guessed, seats taken and labels sent as fast as it goes."""
    if not long_form:
        pytest.skip("runs with --long: it keeps the machine busy for a while")
    store = Store(tmp_path / "store.duckdb")
    olga = add_person(store, "Olga", "organiser")
    session = begin_session(store, olga)
    lesson = start_lesson(store, "t01", by=olga)
    code, secret = lesson_code(store, lesson), store.secret
    bob_session = join_lesson(store, code, "Bob")
    bob = find_session(store, bob_session)
    assert bob is not None
    document = str(read_pool(store, lesson.round_id)["document_id"].iloc[0])
    store.close()
    grant = Grant(lesson.collection_id, bob.person_id, lesson.round_id, "t01", 0)
    signer = URLSafeTimedSerializer(secret, salt="judge in a session")
    bearer = f"Bearer {signer.dumps([asdict(grant), hash_token(bob_session)])}"
    event = {"topic": "t01", "document": document, "facet": "page", "engine": "",
             "state": "level", "level": 1}  # fmt: skip
    server = Running(tmp_path / "store.duckdb", tmp_path / "server.log")
    server.start()
    enough, seen = Event(), Counter[str]()

    def attack(what: str, number: int) -> None:
        with httpx2.Client(base_url=server.address, timeout=60) as client:
            while not enough.is_set():
                client.headers["X-Forwarded-For"] = f"192.0.2.{number % 250}"
                client.cookies.clear()
                if what == "guess":
                    answer = client.get(f"/join/AAAA{number % 10}")
                elif what == "join":
                    answer = client.post(f"/join/{code}")
                else:
                    events = [{**event, "event_id": str(uuid.uuid4())} for _ in range(50)]
                    headers = {"Authorization": bearer}
                    answer = client.post("/api/labels", json={"events": events}, headers=headers)
                seen[f"{what}: {answer.status_code}"] += 1
                number += 1

    screen = browser.new_context().new_page()
    contexts = [screen.context]
    try:
        screen.context.add_cookies(
            [{"name": server.cookie, "value": session, "url": server.address}]
        )
        screen.goto(f"{server.address}/class-mode")
        expect(metric(screen, "Students")).to_contain_text("1")
        with ThreadPoolExecutor(6) as threads:
            under_way = [
                threads.submit(attack, what, 1_000 * place)
                for place, what in enumerate(("guess", "guess", "guess", "join", "label", "label"))
            ]
            try:
                student = come_in(browser, f"{server.address}/join/{code}")
                contexts.append(student.context)
                judge_pages(student, dict.fromkeys(_pages_of_class(), 2), ITEMS)
                expect(
                    student.get_by_text("You have judged every page of the class")
                ).to_be_visible()
                expect(metric(screen, "Finished")).to_contain_text("1")
            finally:
                enough.set()
            for one in under_way:
                one.result()
        expect(metric(screen, "Labels")).to_contain_text("11")
    finally:
        for context in contexts:
            context.close()
        server.kill()
    record_property("counts", f"beside a student who judged all pages: {dict(seen)}")
    assert seen["guess: 403"] > 0
    assert seen["join: 303"] > 0
    assert seen["label: 403"] > 0
    assert not [answer for answer in seen if ": 5" in answer]


def _pages_of_class() -> list[str]:
    intended = pd.read_csv(DEMO_DATA / "page_levels.tsv", sep="\t", dtype=str)
    return choose_documents(intended, "t01")
