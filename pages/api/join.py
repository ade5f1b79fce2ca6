"""Joining a class: one link for everybody, a nickname, and a seat for each browser."""

from html import escape
from urllib.parse import parse_qs, quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from core.analysis.learn.outline import outline_of
from core.assessment.class_mode import LONGEST_NICKNAME, join_lesson
from core.errors import BadInput, NotAllowed
from core.store.people.members import is_member
from core.store.people.people import Person, find_session
from core.store.rounds.lessons import STUDENTS_STAY, Lesson, find_lesson, is_joinable, suggest_name
from pages.api.plain_page import DESCRIBED, answer, complain, list_facts
from pages.api.sign_in import let_in
from pages.server.running import server
from pages.shared.session import session_cookie
from pages.shared.throttle import Throttle, address_of

WRONG_CODES = Throttle(300, 60)
"""By address: many students may share one, and typing errors are few."""

JOINS = Throttle(150, 60)
"""By class."""

_LARGEST_FORM = 2_000
_TITLE = "Join a class"
_CODE_FORM = (
    '<form method="get" action="/join"><label>The code on the screen'
    '<input name="code" maxlength="20" autocomplete="off" autocapitalize="characters" autofocus>'
    "</label><button>Continue</button></form>"
)
_SEAT_FORM = (
    '{error}<form method="post"><label>A nickname, if you like'
    '<input name="nickname" maxlength="{longest}" placeholder="{suggested}" autocomplete="off" '
    "autofocus {described}></label><button>Join the class</button></form>"
    "<p><small>Do not give your real name. Without a nickname you are "
    "{suggested}. Your class sees nicknames and, at the end, the comments under them with "
    "their levels; your lecturer sees all labels.</small></p>"
)
_ORGANISER = (
    "<p>You are signed in as an organiser in this browser. To join as a student, open this "
    "address on another device or in a private window.</p>"
)
_BUSY = "<p>Too many people are joining at the moment. Try again in a minute.</p>"


async def ask_code(request: Request) -> Response:
    """Ask for the code of a class, or go on with the one that was typed."""
    code = request.query_params.get("code", "").strip()
    if code:
        return RedirectResponse(f"/join/{quote(code, safe='')}", status_code=303)
    return answer(_CODE_FORM, title=_TITLE)


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
        return answer(
            f"<p>You have joined as <strong>{escape(person.name)}</strong>.</p>"
            '<form method="get" action="/"><button autofocus>Go on judging</button></form>',
            title=_TITLE,
        )
    if person is not None and person.role == "organiser":
        return answer(_ORGANISER, 403, title=_TITLE)
    if not is_joinable(lesson):
        said = "<p>This class takes no more students. Ask your lecturer.</p>"
        return answer(said, 403, title=_TITLE)
    return answer(_invite(lesson, person), title=_TITLE)


def _join(request: Request, nickname: str) -> Response:
    lesson = _look_up(request)
    if isinstance(lesson, Response):
        return lesson
    person = _visitor(request)
    if person is not None and _sits_in(person, lesson):
        return RedirectResponse("/", status_code=303)
    if person is not None and person.role == "organiser":
        return answer(_ORGANISER, 403, title=_TITLE)
    if JOINS.is_full(lesson.collection_id):
        return answer(_BUSY, 429, title=_TITLE)
    try:
        token = join_lesson(server().store, request.path_params["code"], nickname)
    except NotAllowed as error:
        return answer(f"<p>{escape(str(error))}</p>", 403, title=_TITLE)
    except BadInput as error:
        return answer(_invite(lesson, person, error.reason), 422, title=_TITLE)
    JOINS.count(lesson.collection_id)
    return let_in(request, token, STUDENTS_STAY)


def _look_up(request: Request) -> Lesson | Response:
    """Return the class of the address, or the answer to a wrong one."""
    address = address_of(request)
    if WRONG_CODES.is_full(address):
        said = "<p>Too many wrong codes. Try again in a minute.</p>"
        return answer(said, 429, title=_TITLE)
    try:
        return find_lesson(server().store, request.path_params["code"])
    except NotAllowed as error:
        WRONG_CODES.count(address)
        return answer(f"<p>{escape(str(error))}</p>{_CODE_FORM}", 403, title=_TITLE)


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
    invited = f"{by} invites you" if outline.lecturer else "You are invited"
    told = f"<p>{invited} to judge with your class: how well does each page answer a query?</p>"
    facts = list_facts({"Class": outline.name, "How much": outline.tell_size()})
    if person is not None:
        told += f"<p>Joining signs <strong>{escape(person.name)}</strong> out in this browser.</p>"
    form = _SEAT_FORM.format(
        error=complain(error) if error else "",
        longest=LONGEST_NICKNAME,
        suggested=escape(suggest_name(store, lesson)),
        described=DESCRIBED if error else "",
    )
    return told + facts + form


async def _read_nickname(request: Request) -> str:
    """Return the nickname of a form; one too large to be that of ours counts as empty."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_FORM:
            return ""
    return parse_qs(body.decode("utf-8", "replace")).get("nickname", [""])[0]
