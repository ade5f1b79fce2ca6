"""Everything that the API can be asked, and the routes that are made from it.

To add something, put it among the ``OPERATIONS`` of a module beside this one, or of a new one.
"""

from importlib import import_module

from starlette.routing import Route

from core.discovery import list_modules
from pages.api.v1.document import document_routes
from pages.api.v1.endpoint import make_route
from pages.api.v1.operation import SUBJECTS, Operation


def _find_operations() -> tuple[Operation, ...]:
    """Return what the modules beside this one can be asked, by subject; new ones come last."""
    modules = [import_module(name) for name in list_modules(__package__) if name != __name__]
    found = [one for module in modules for one in getattr(module, "OPERATIONS", ())]
    places = {subject: place for place, subject in enumerate(SUBJECTS)}
    return tuple(sorted(found, key=lambda one: places.get(one.subject, len(places))))


OPERATIONS = _find_operations()

ROUTES: list[Route] = [*map(make_route, OPERATIONS), *document_routes(OPERATIONS)]
