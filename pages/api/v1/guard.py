"""Who asks, and whether they may: each question a function of its own, asked for every operation.

Only a token in the header counts. Cookies are not looked at, so that no other site can have a
browser ask for anything; nor is the address, which is logged on its way.
"""

from collections.abc import Mapping

from starlette.requests import Request

from core.errors import NotAllowed, NotFound
from core.store.people.people import Person
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import PREFIX, Token, find_token
from core.store.store import Store
from pages.api.v1.operation import Operation
from pages.api.v1.problem import NoToken
from pages.shared.session import list_open


def read_bearer(request: Request) -> str:
    """Return the token of a request; raises NoToken."""
    sent = request.headers.getlist("authorization")
    scheme, _, token = (sent[0] if len(sent) == 1 else "").partition(" ")
    if scheme.lower() != "bearer" or not token.startswith(PREFIX):
        raise NoToken("There is no token in the header.")
    return token


def find_asker(store: Store, token: str) -> tuple[Token, Person]:
    """Return what a token allows and whose it is; raises NoToken."""
    found = find_token(store, token)
    if found is None:
        raise NoToken("The token is unknown, has expired or was ended.")
    return found


def require_role(operation: Operation, person: Person) -> None:
    """Raise NotAllowed unless this is for the person's role, as it is now."""
    if person.role not in operation.allowed:
        listed = " or ".join(operation.allowed)
        raise NotAllowed(f"This is for tokens of: {listed}.")


def require_scope(operation: Operation, token: Token, person: Person) -> None:
    """Raise NotAllowed unless the token allows this, and the person's role still does."""
    if operation.scope and operation.scope not in set(token.scopes) & set(SCOPES[person.role]):
        raise NotAllowed(f"The token does not allow to {operation.scope}.")


def refuse_names(asks_for_names: bool, person: Person) -> None:
    """Raise NotAllowed where somebody asks for names who sees codes only on pages, too."""
    if asks_for_names and person.role != "organiser":
        raise NotAllowed("Names of assessors are for organisers.")


def list_reached(store: Store, person: Person, token: Token) -> Mapping[str, str]:
    """Return the names of the collections that are open to a person by a token, by id."""
    opened = list_open(store, person)
    if not token.collection_id:
        return opened
    return {one: name for one, name in opened.items() if one == token.collection_id}


def find_reached(store: Store, person: Person, token: Token, name: str) -> str:
    """Return the id of a collection; raises NotFound also for one that is not open to who asks."""
    reached = list_reached(store, person, token)
    if name in reached:
        return name
    found = [one for one, called in reached.items() if called == name]
    if not found:
        raise NotFound("There is no such collection, or it is not open to this token.")
    return found[0]
