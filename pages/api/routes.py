"""The HTTP routes beside the Streamlit script.

Routes that are imported, with all that they need, when the first of them is asked for.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Match, Route, Router
from starlette.types import Receive, Scope, Send

from pages.api import offline
from pages.api.health import show_health, show_ready
from pages.api.join import ask_code, join, offer_seat
from pages.api.judging import hand_out, reveal_levels, take_labels, take_questions, tell
from pages.api.page import show_page
from pages.api.password import ask_password, sign_in
from pages.api.plain_page import MANIFEST, PARTS, show_part
from pages.api.sign_in import accept, enter_demo, offer, sign_out
from pages.api.single_sign_on import ask_provider, come_back
from pages.api.v1.operation import PREFIX
from pages.server.gate import Gate
from pages.server.middleware import Failures, Policy


class LateRoutes(BaseRoute):
    """The routes below a path, as one: each matches as it would by itself.

    Parameters
    ----------
    path : str
        What their paths begin with.
    load : callable
        Imports them and returns them.
    """

    def __init__(self, path: str, load: Callable[[], Sequence[Route]]) -> None:
        self.path, self._load = path, load

    @cached_property
    def routes(self) -> Sequence[Route]:
        """The routes themselves."""
        return self._load()

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Tell how well the best of the routes matches."""
        if scope["type"] != "http" or not scope["path"].startswith(self.path):
            return Match.NONE, {}
        found = [route.matches(scope)[0] for route in self.routes]
        return max(found, key=lambda match: match.value), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the route answer that matches."""
        await Router(self.routes, redirect_slashes=False)(scope, receive, send)


def _load_public_results() -> Sequence[Route]:
    from pages.api.public_results import ROUTES

    return ROUTES


def _load_api() -> Sequence[Route]:
    from pages.api.v1.table import ROUTES

    return ROUTES


ROUTES: list[BaseRoute] = [
    Route("/api/labels", take_labels, methods=["POST"]),
    Route("/api/questions", take_questions, methods=["POST"]),
    Route("/api/notices", tell, methods=["POST"]),
    Route("/api/told", reveal_levels, methods=["POST"]),
    Route("/api/ahead", hand_out, methods=["GET"]),
    Route("/api/page/{token}", show_page),
    Route("/api/health", show_health),
    Route("/api/ready", show_ready),
    Route(f"{PARTS}{{name}}", show_part, methods=["GET"]),
    Route(f"{offline.PARTS}{{name}}", offline.show_part, methods=["GET"]),
    Route(offline.WORKER, offline.show_worker, methods=["GET"]),
    Route(MANIFEST, offline.show_manifest, methods=["GET"]),
    Route("/enter/{token}", offer, methods=["GET"]),
    Route("/enter/{token}", accept, methods=["POST"]),
    Route("/sign-in", ask_password, methods=["GET"]),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/sign-in/provider", ask_provider, methods=["GET"]),
    Route("/oauth2callback", come_back, methods=["GET"]),
    Route("/join", ask_code, methods=["GET"]),
    Route("/join/{code}", offer_seat, methods=["GET"]),
    Route("/join/{code}", join, methods=["POST"]),
    LateRoutes("/public/", _load_public_results),
    Route("/demo/{role}", enter_demo, methods=["POST"]),
    Route("/leave", sign_out, methods=["POST"]),
    LateRoutes(f"{PREFIX}/", _load_api),
]

MIDDLEWARE = [Middleware(Policy), Middleware(Failures), Middleware(Gate, doors=ROUTES)]
"""What every request passes, in this order."""
