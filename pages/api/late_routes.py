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
