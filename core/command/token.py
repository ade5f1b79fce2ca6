"""``dissent token``: personal tokens for programs, made and ended on a store that no server has."""

from argparse import Namespace

from core.command.printing.output import print_json
from core.command.printing.tables import Cell, format_table
from core.command.stores import open_store
from core.errors import BadInput
from core.store.content.collections import find_collection
from core.store.people.people import Person, list_people
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import Token, end_token, list_tokens, make_token
from core.store.store import Store


def run(arguments: Namespace) -> int:
    """Do what is asked for and print it."""
    with open_store(arguments) as store:
        {"make": _make, "list": _list, "end": _end}[arguments.action](store, arguments)
    return 0


def _make(store: Store, arguments: Namespace) -> None:
    person = _find_person(store, arguments.person)
    collection = arguments.collection and find_collection(store, arguments.collection)
    scopes = arguments.scope or SCOPES[person.role]
    token = make_token(
        store,
        person.person_id,
        arguments.name,
        scopes,
        collection_id=collection,
        days=arguments.days,
    )
    if arguments.format == "json":
        print_json({"token": token, "person": person.person_id, "scopes": sorted(scopes)})
    else:
        print(token)


def _list(store: Store, arguments: Namespace) -> None:
    whose = _find_person(store, arguments.person).person_id if arguments.person else ""
    names = {one.person_id: one.name for one in list_people(store)}
    found = list_tokens(store, whose)
    if arguments.format == "json":
        print_json({"tokens": [_tell(one, names) for one in found]})
        return
    rows: list[list[Cell]] = [
        [one.token_id, names[one.person_id], one.name, " ".join(one.scopes),
         one.collection_id or "all", f"{one.expires_at:%Y-%m-%d}"]
        for one in found
    ]  # fmt: skip
    print(format_table(["id", "person", "name", "allows to", "collection", "ends"], rows))


def _tell(one: Token, names: dict[str, str]) -> dict[str, object]:
    return {
        "id": one.token_id,
        "person": names[one.person_id],
        "name": one.name,
        "scopes": list(one.scopes),
        "collection": one.collection_id,
        "expires_at": one.expires_at.isoformat(),
    }


def _end(store: Store, arguments: Namespace) -> None:
    if not arguments.token:
        raise BadInput("say which token to end with --token; 'dissent token list' shows their ids")
    end_token(store, arguments.token)
    if arguments.format == "json":
        print_json({"ended": arguments.token})
    else:
        print(f"{arguments.token} holds no more")


def _find_person(store: Store, name: str) -> Person:
    """Return who has this name or id; raises BadInput."""
    people = [one for one in list_people(store) if one.disabled_at is None]
    for one in people:
        if name in (one.person_id, one.name):
            return one
    listed = ", ".join(one.name for one in people) or "nobody"
    raise BadInput(f"--person is none of: {listed}")
