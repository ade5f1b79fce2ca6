"""The history with codes in place of people, also where its texts tell of them."""

import json
import re
from collections.abc import Iterable

import pandas as pd

from core.store.database import fetch
from core.store.pseudonyms import any_of, assessor_codes, words_of
from core.store.store import Store

_WHO = """
    SELECT '' AS collection_id, person_id AS id, name FROM people
    UNION ALL SELECT '', person_id, email FROM accounts
    UNION ALL SELECT collection_id, assessor_id, name FROM members
    UNION ALL SELECT DISTINCT '', assessor_id, assessor_id FROM labels
    UNION ALL SELECT DISTINCT '', person_id, person_id FROM changes"""

_TELLING = ("people", "assignments")
"""Kinds whose quoted values may be people, and are neither topics nor documents."""

_ASSESSORS = re.compile(r'"assessors": \[(?:"(?:[^"\\]|\\.)*"(?:, )?)*\]|the assessor \'.*\'')
_IDENTITY = re.compile(r"(?<=identity: none → ).*", re.DOTALL)


def hide_people(store: Store, entries: pd.DataFrame) -> pd.DataFrame:
    """Return a portion of the history in which nobody's id or name is left.

    An entry of a collection has the codes that everything else has which leaves this
    collection; the others have codes of the store. Where an entry tells of people they are
    replaced whatever they are called. In what organisers wrote, say the name of a file, they
    are where they are whole words of three characters or more with a letter: others may mean
    anything there. Label events keep their comments as they are.

    Parameters
    ----------
    entries : DataFrame
        As ``read_audit`` returns them.
    """
    rows = fetch(store.cursor(), _WHO)
    who = [(row["collection_id"], row["id"], row["name"]) for row in rows if row["id"]]
    parts = [
        _hide(part, _People(store, str(collection_id), who))
        for collection_id, part in entries.groupby("collection_id")
    ]
    return pd.concat(parts).reindex(entries.index) if parts else entries


class _People:
    """The codes of people in one collection, by everything that they are called."""

    def __init__(
        self, store: Store, collection_id: str, who: Iterable[tuple[str, str, str]]
    ) -> None:
        self.codes = assessor_codes(store, collection_id, {one for _, one, _ in who})
        # The last one stays: an id before a name, and a name in this collection before others.
        ordered = sorted(who, key=lambda one: one[0] == collection_id)
        called = {name: one for _, one, name in ordered if name} | {one: one for one in self.codes}
        coded = {form: self.codes[one] for name, one in called.items() for form in _forms(name)}
        self._coded = coded
        self._quoted = any_of(coded, r"(?<=[\"'])", r"(?=[\"'])")
        self._word = words_of(coded)

    def replace_quoted(self, text: str) -> str:
        """Return a text without people who are a quoted value of it."""
        return self._quoted.sub(self._code, text)

    def replace_words(self, text: str) -> str:
        """Return a text without people who are words of it."""
        return self._word.sub(self._code, text)

    def _code(self, found: re.Match[str]) -> str:
        return self._coded[found[0]]


def _hide(part: pd.DataFrame, people: _People) -> pd.DataFrame:
    codes = [people.codes.get(one, "") for one in part["person_id"]]
    rows = zip(part["kind"], part["what"], part["subject"], part["change"], strict=True)
    is_label = part["sequence"].notna()
    texts = [
        (subject, change)
        if label
        else (_hide_subject(what, subject, people), _hide_change(kind, what, change, people))
        for label, (kind, what, subject, change) in zip(is_label, rows, strict=True)
    ]
    return part.assign(
        person=[code or "command line" for code in codes],
        person_id=codes,
        subject=[subject for subject, _ in texts],
        change=[change for _, change in texts],
    )


def _hide_subject(what: str, subject: str, people: _People) -> str:
    """Return whom or what an entry is about; only names of files are anybody's own words."""
    holder, _, person_id = subject.partition(" ")
    if holder in ("person", "assessor", "viewer"):
        return f"{holder} {people.codes.get(person_id, '')}".strip()
    return people.replace_words(subject) if what == "import" else subject


def _hide_change(kind: str, what: str, change: str, people: _People) -> str:
    if what == "link identity":
        return _IDENTITY.sub("changed", change)
    if what == "drop" and change.startswith("replaced by "):
        return f"replaced by {people.codes.get(change.removeprefix('replaced by '), '')}"
    if kind in _TELLING:
        change = people.replace_quoted(change)
    told = _ASSESSORS.sub(lambda found: people.replace_quoted(found[0]), change)
    return people.replace_words(told)


def _forms(name: str) -> set[str]:
    """Return how a name may stand in a text: as it is, or written as JSON or as in Python."""
    return {name, json.dumps(name, ensure_ascii=False)[1:-1], repr(name)[1:-1]}
