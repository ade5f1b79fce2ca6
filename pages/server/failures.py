"""What a visitor is told when the server cannot do what was asked, in their language."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import DissentError, StoreFull, StoreUnreachable
from core.language.translate import t
from pages.api.asked_language import speak_as_asked
from pages.api.plain_page import answer, complain
from pages.server.log import log_error

_FULL = (
    "The server has no room left, so that nothing of this was saved. What was saved before is "
    "safe. Try again later, or tell the organiser."
)
_FAILED = "Something went wrong on the server, and was noted there. Try again in a moment."


class Failures:
    """Answers with a page, or JSON, where an error would end a request without a word.

    What has begun to be answered is left as it is; the server ends it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does, or say what failed."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except DissentError as error:
            if begun:
                raise
            log_error("request failed", error)
            await _tell(Request(scope), error)(scope, receive, send)
        except Exception as error:
            if not begun:
                await _tell(Request(scope), error)(scope, receive, send)
            raise  # the server notes where it came up


def _tell(request: Request, error: Exception) -> Response:
    """Return what a visitor is told; the words of an error nobody expected are not among it."""
    speak_as_asked(request)
    if isinstance(error, StoreFull):
        status, said = 507, t(_FULL)
    elif isinstance(error, StoreUnreachable):
        status, said = 503, str(error)
    elif isinstance(error, DissentError):
        status, said = 422, str(error)
    else:
        status, said = 500, t(_FAILED)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": said}, status_code=status)
    return answer(complain(said.removesuffix(".")), status)
