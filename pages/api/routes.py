"""The HTTP routes beside the Streamlit script."""

from collections.abc import Sequence

from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from pages.api import offline
from pages.api.ahead import hand_out
from pages.api.health import show_health, show_ready
from pages.api.join import ask_code, join, offer_seat
from pages.api.labels import take_labels
from pages.api.late_routes import LateRoutes
from pages.api.page import show_page
from pages.api.password import ask_password, sign_in
from pages.api.plain_page import MANIFEST, PARTS, show_part
from pages.api.revealed_levels import reveal_levels
from pages.api.sign_in import accept, enter_demo, offer, sign_out
from pages.api.single_sign_on import ask_provider, come_back
from pages.api.v1.operation import PREFIX
from pages.api.words import take_questions, tell
from pages.server.failures import Failures
from pages.server.gate import Gate
from pages.server.policy import Policy


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
