"""Everything that the API can be asked, and the routes that are made from it."""

from starlette.routing import Route

from pages.api.v1 import collections, declarations, judgements, results, rounds, webhooks
from pages.api.v1.document import document_routes
from pages.api.v1.endpoint import make_route

OPERATIONS = (
    *collections.OPERATIONS,
    *rounds.OPERATIONS,
    *judgements.OPERATIONS,
    *declarations.OPERATIONS,
    *results.OPERATIONS,
    *webhooks.OPERATIONS,
)

ROUTES: list[Route] = [*map(make_route, OPERATIONS), *document_routes(OPERATIONS)]
