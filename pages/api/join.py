"""Joining a class: one link for everybody, a nickname, and a seat for each browser."""

from html import escape
from urllib.parse import parse_qs, quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from core.analysis.judging.waiting import outline_of
from core.assessment.class_mode import LONGEST_NICKNAME, join_lesson
from core.errors import BadInput, NotAllowed
from core.language.translate import speak, t
from core.store.content.collections import get_collection
from core.store.people.members import is_member
from core.store.people.people import Person, find_session
from core.store.rounds.lessons import STUDENTS_STAY, Lesson, find_lesson, is_joinable, suggest_name
from pages.api.asked_language import speak_as_asked
from pages.api.plain_page import DESCRIBED, answer, complain, list_facts
from pages.api.sign_in import let_in
from pages.server.running import server
from pages.shared.session import session_cookie
from pages.shared.throttle import Throttle, address_of

WRONG_CODES = Throttle(300, 60)
"""By address: many students may share one, so the right code works whatever others typed."""

JOINS = Throttle(150, 60)
"""By class."""

_LARGEST_FORM = 2_000
_CODE_FORM = (
    '<form method="get" action="/join"><label>{code}'
    '<input name="code" maxlength="20" autocomplete="off" autocapitalize="characters" autofocus>'
    "</label><button>{go_on}</button></form>"
)
_SEAT_FORM = (
    '{error}<form method="post"><label>{nickname}'
    '<input name="nickname" maxlength="{longest}" placeholder="{suggested}" autocomplete="off" '
    "autofocus {described}></label><button>{join}</button></form><p><small>{told}</small></p>"
)


async def ask_code(request: Request) -> Response:
    """Ask for the code of a class, or go on with the one that was typed."""
    code = request.query_params.get("code", "").strip()
    if code:
        return RedirectResponse(f"/join/{quote(code, safe='')}", status_code=303)
    speak_as_asked(request)
    return _answer(_code_form())


async def offer_seat(request: Request) -> Response:
    """Ask a student for a nickname; one who is in already goes on."""
    return await run_in_threadpool(_offer, request)


async def join(request: Request) -> Response:
    """Give a student a seat and a session, once for each browser."""
    nickname = await _read_nickname(request)
    return await run_in_threadpool(_join, request, nickname)


def _offer(request: Request) -> Response:
    lesson = _look_up(request)
    if isinstance(lesson, Response):
        return lesson
    person = _visitor(request)
    if person is not None and _sits_in(person, lesson):
        name = f"<strong>{escape(person.name)}</strong>"
        return _answer(
            f"<p>{t('You have joined as {name}.', name=name)}</p>"
            f'<form method="get" action="/"><button autofocus>{t("Go on judging")}</button></form>'
        )
    if person is not None and person.role == "organiser":
        return _answer(_tell_organiser(), 403)
    if not is_joinable(lesson):
        return _answer(_say(t("This class takes no more students. Ask your lecturer.")), 403)
    return _answer(_invite(lesson, person))


def _join(request: Request, nickname: str) -> Response:
    lesson = _look_up(request)
    if isinstance(lesson, Response):
        return lesson
    person = _visitor(request)
    if person is not None and _sits_in(person, lesson):
        return RedirectResponse("/", status_code=303)
    if person is not None and person.role == "organiser":
        return _answer(_tell_organiser(), 403)
    if JOINS.is_full(lesson.collection_id):
        reason = t("Too many people are joining at the moment. Try again in a minute.")
        return _answer(_say(reason), 429)
    try:
        token = join_lesson(server().store, request.path_params["code"], nickname)
    except NotAllowed as error:
        return _answer(_say(t(str(error))), 403)
    except BadInput as error:
        return _answer(_invite(lesson, person, t(error.reason)), 422)
    JOINS.count(lesson.collection_id)
    return let_in(request, token, STUDENTS_STAY)


def _look_up(request: Request) -> Lesson | Response:
    """Return the class of the address, or the answer to a wrong one."""
    speak_as_asked(request)
    try:
        lesson = find_lesson(server().store, request.path_params["code"])
    except NotAllowed as error:
        address = address_of(request)
        if WRONG_CODES.is_full(address):
            return _answer(_say(t("Too many wrong codes. Try again in a minute.")), 429)
        WRONG_CODES.count(address)
        return _answer(_say(t(str(error))) + _code_form(), 403)
    speak(get_collection(server().store, lesson.collection_id).language)
    return lesson


def _visitor(request: Request) -> Person | None:
    token = request.cookies.get(session_cookie(server().store.secret))
    return find_session(server().store, token) if token else None


def _sits_in(person: Person, lesson: Lesson) -> bool:
    return is_member(server().store, lesson.collection_id, person.person_id)


def _invite(lesson: Lesson, person: Person | None, error: str = "") -> str:
    """Return what one is invited to and the form for a nickname, with what was wrong before."""
    store = server().store
    outline = outline_of(store, lesson)
    by = f"<strong>{escape(outline.lecturer)}</strong>"
    invited = (
        t("{name} invites you to judge with your class:", name=by)
        if outline.lecturer
        else t("You are invited to judge with your class:")
    )
    question = _say_html(f"{invited} {t('how well does each page answer a query?')}")
    facts = list_facts({t("Class"): outline.name, t("How much"): outline.tell_size()})
    if person is not None:
        name = f"<strong>{escape(person.name)}</strong>"
        question += _say_html(t("Joining signs {name} out in this browser.", name=name))
    suggested = escape(suggest_name(store, lesson))
    form = _SEAT_FORM.format(
        error=complain(error) if error else "",
        nickname=t("A nickname, if you like"),
        longest=LONGEST_NICKNAME,
        suggested=suggested,
        described=DESCRIBED if error else "",
        join=t("Join the class"),
        told=t(
            "Do not give your real name. Without a nickname you are {name}. Your class sees "
            "nicknames and, at the end, the comments under them with their levels; your lecturer "
            "sees all labels.",
            name=suggested,
        ),
    )
    return question + facts + form


def _answer(body: str, status: int = 200) -> Response:
    return answer(body, status, title=t("Join a class"))


def _say(text: str) -> str:
    return _say_html(escape(text))


def _say_html(text: str) -> str:
    return f"<p>{text}</p>"


def _code_form() -> str:
    return _CODE_FORM.format(code=t("The code on the screen"), go_on=t("Continue"))


def _tell_organiser() -> str:
    return _say(
        t(
            "You are signed in as an organiser in this browser. To join as a student, open this "
            "address on another device or in a private window."
        )
    )


async def _read_nickname(request: Request) -> str:
    """Return the nickname of a form; one too large to be that of ours counts as empty."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_FORM:
            return ""
    return parse_qs(body.decode("utf-8", "replace")).get("nickname", [""])[0]
