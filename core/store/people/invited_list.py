"""Inviting a whole list of people to a collection: all of them, or none."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.collection.people_list import Newcomer
from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor, fetch
from core.store.people.members import insert_member
from core.store.people.people import insert_invitation, insert_person, make_person_id
from core.store.store import Store, note_change


@dataclass(frozen=True)
class Invited:
    """Somebody from a list, with the token of their invitation, which is known nowhere else."""

    person_id: str
    token: str
    newcomer: Newcomer


def invite_people(
    store: Store,
    collection_id: str,
    newcomers: Sequence[Newcomer],
    *,
    file: str = "",
    by: str = "",
) -> list[Invited]:
    """Make an assessor of a collection of everybody in a list, and an invitation for each.

    E-mail addresses are not stored.

    Raises
    ------
    BadInput
        A name belongs to somebody already; nobody was invited.
    """
    detail = f"{len(newcomers)} people from a list"
    with store.change(collection_id, "invite", "persons", detail, by) as cursor:
        known = {row["name"] for row in fetch(cursor, "SELECT name FROM people")}
        invited = []
        for one in newcomers:
            if one.name in known:
                reason = f"there is already somebody called '{one.name}'; let them in, or change it"
                raise BadInput(reason, file=file, line=one.line, field="name")
            invited.append(_invite(cursor, collection_id, one, by))
    return invited


def _invite(cursor: Cursor, collection_id: str, one: Newcomer, by: str) -> Invited:
    person_id = make_person_id()
    insert_person(cursor, person_id, one.name, "assessor")
    insert_member(cursor, collection_id, person_id, one.name, one.group, "invited")
    account = describe_change({}, {"name": one.name, "role": "assessor"})
    member = describe_change({}, {"name": one.name, "group": one.group, "origin": "invited"})
    note_change(cursor, "", "add", f"person {person_id}", account, by)
    note_change(cursor, collection_id, "add", f"assessor {person_id}", member, by)
    token = insert_invitation(cursor, person_id)
    note_change(cursor, "", "invite", f"person {person_id}", "", by)
    return Invited(person_id, token, one)
