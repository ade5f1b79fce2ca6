"""Routes that are imported, with all that they need, when the first of them is asked for."""

from collections.abc import Callable, Sequence
from functools import cached_property

from starlette.routing import BaseRoute, Match, Route, Router
from starlette.types import Receive, Scope, Send


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
    def _router(self) -> Router:
        return Router(self._load(), redirect_slashes=False)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Tell how well the best of the routes matches."""
        if scope["type"] != "http" or not scope["path"].startswith(self.path):
            return Match.NONE, {}
        found = [route.matches(scope)[0] for route in self._router.routes]
        return max(found, key=lambda match: match.value), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the route answer that matches."""
        await self._router(scope, receive, send)
