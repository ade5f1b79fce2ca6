"""Who in one store is who in the other: by what was made once, by name, or as somebody says."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import BadInput
from core.store.file.database import Cursor, fetch
from core.store.rounds.lessons import ORIGIN as OF_CLASS

NEW = "new"
"""In a mapping: somebody whom the first store does not know."""


@dataclass(frozen=True)
class Match:
    """Whom or what of the second store stands for what of the first, and how that is known.

    ``first`` is the id in the merged store; ``how`` is one of id, name, file, new, unclear.
    """

    second: str
    name: str
    first: str
    how: str
    why: str = ""


@dataclass(frozen=True)
class _Somebody:
    name: str
    role: str
    made: Any = None
    is_erased: bool = False
    is_student: bool = False


@dataclass(frozen=True)
class _Two:
    first: Mapping[str, _Somebody]
    second: Mapping[str, _Somebody]
    given: Mapping[str, str]
    is_related: bool = field(default=False)


def match_collections(first: Cursor, second: Cursor) -> list[Match]:
    """Match the collections of two stores; those that only the second has are new.

    Raises
    ------
    BadInput
        None is in both.
    """
    here, there = _read_collections(first), _read_collections(second)
    names = {name: one for one, (name, _) in here.items() if one not in there}
    found = []
    for one, (name, made) in there.items():
        if one in here:
            same = here[one][1] == made
            why = "" if same else "the same id, made at another time"
            found.append(Match(one, name, one, "id" if same else "unclear", why))
        elif name in names and _is_single(name, here, there):
            found.append(Match(one, name, names[name], "name"))
        else:
            found.append(Match(one, name, one, NEW))
    if all(one.how == NEW for one in found):
        raise BadInput(
            "the two stores have no collection in common, neither by id nor by name; a merge is "
            "for one collection that was judged at two sites"
        )
    return found


def _is_single(name: str, *stores: Mapping[str, tuple[str, Any]]) -> bool:
    return all(sum(name == known for known, _ in store.values()) == 1 for store in stores)


def _read_collections(cursor: Cursor) -> dict[str, tuple[str, Any]]:
    rows = fetch(cursor, "SELECT collection_id, name, created_at FROM collections ORDER BY ALL")
    return {row["collection_id"]: (row["name"], row["created_at"]) for row in rows}


def match_people(first: Cursor, second: Cursor, given: Mapping[str, str]) -> list[Match]:
    """Match everybody who is known in the second store; nobody is guessed.

    Parameters
    ----------
    given : mapping
        Ids or names in the second store to those in the first, or to ``new``.

    Raises
    ------
    BadInput
        Somebody in the mapping is not known, or two would become one.
    """
    here, there = _read_people(first), _read_people(second)
    named = {
        _find(one, there, "the second store"): other
        if other == NEW
        else _find(other, here, "the first store")
        for one, other in given.items()
    }
    related = any(
        who.made is not None and one in here and here[one].made == who.made
        for one, who in there.items()
    )
    two = _Two(here, there, named, related)
    found = [_match(one, who, two) for one, who in there.items()]
    taken: dict[str, str] = {}
    for one in found:
        if one.how != "unclear" and taken.setdefault(one.first, one.second) != one.second:
            raise BadInput(
                f"{one.second} and {taken[one.first]} of the second store would both become "
                f"{one.first}; say in the mapping who is who"
            )
    return found


def _match(one: str, who: _Somebody, two: _Two) -> Match:
    if one in two.given:
        other = two.given[one]
        return Match(one, who.name, _free(one, who, two) if other == NEW else other, "file")
    known = two.first.get(one)
    if known is not None:
        if (known.made, known.role) == (who.made, who.role):
            if known.is_erased != who.is_erased:
                return Match(one, who.name, one, "unclear", "erased in one of the stores only")
            return Match(one, who.name, one, "id")
        return Match(one, who.name, one, "unclear", "the same id, of somebody made at another time")
    if who.is_erased or who.is_student:
        return Match(one, who.name, one, NEW)
    alike = [
        other
        for other, known in two.first.items()
        if known.name == who.name and not known.is_erased and not known.is_student
    ]
    if not alike:
        return Match(one, who.name, one, NEW)
    if two.is_related or len(alike) > 1 or two.first[alike[0]].role != who.role:
        return Match(one, who.name, alike[0], "unclear", "the same name, added at both sites")
    return Match(one, who.name, alike[0], "name")


def _free(one: str, who: _Somebody, two: _Two) -> str:
    """Return an id of nobody else; always the same for the same person."""
    taken, tried = {*two.first, *(two.second.keys() - {one})}, one
    while tried in taken:
        tried = "p-" + hashlib.sha256(f"{tried} {who.made}".encode()).hexdigest()[:8]
    return tried


def _find(text: str, people: Mapping[str, _Somebody], where: str) -> str:
    """Return the id of somebody who is called by id or by name."""
    found = [text] if text in people else [one for one in people if people[one].name == text]
    if len(found) != 1:
        known = "nobody" if not found else "more than one person"
        raise BadInput(f"the mapping names '{text}', who is {known} in {where}; use the id")
    return found[0]


def _read_people(cursor: Cursor) -> dict[str, _Somebody]:
    """Return everybody by id: people who sign in, and assessors whom only files name."""
    people = fetch(
        cursor,
        "SELECT person_id, name, role, created_at, erased_at IS NOT NULL AS erased, "
        "person_id IN (SELECT assessor_id FROM members WHERE origin = $1) AS student "
        "FROM people ORDER BY person_id",
        [OF_CLASS],
    )
    members = fetch(
        cursor,
        "SELECT assessor_id, any_value(name) AS name, min(origin) AS origin FROM members "
        "WHERE assessor_id NOT IN (SELECT person_id FROM people) GROUP BY ALL ORDER BY ALL",
    )
    return {
        row["person_id"]: _Somebody(
            row["name"], row["role"], row["created_at"], row["erased"], row["student"]
        )
        for row in people
    } | {row["assessor_id"]: _Somebody(row["name"], row["origin"]) for row in members}
