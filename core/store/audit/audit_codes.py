"""The history with codes in place of people, also where its texts tell of them."""

import ast
import json
import re
from collections.abc import Callable, Iterable

import pandas as pd

from core.store.file.database import fetch
from core.store.people.hidden_names import HiddenNames
from core.store.people.pseudonyms import assessor_codes
from core.store.store import Store

_WHO = """
    SELECT '' AS collection_id, person_id AS id, name FROM people
    UNION ALL SELECT '', person_id, email FROM accounts
    UNION ALL SELECT collection_id, assessor_id, name FROM members
    UNION ALL SELECT DISTINCT '', assessor_id, assessor_id FROM labels
    UNION ALL SELECT DISTINCT '', person_id, person_id FROM changes"""

WRITING = ("people", "assignments", "collections", "practice", "imports", "other")
"""Kinds whose quoted values people wrote or are called by: neither topics, documents nor levels."""

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"' r"|'(?:[^'\\]|\\.)*'", re.DOTALL)
RULE = re.compile(r"(.*?): (\{.*\})", re.DOTALL)
FILE = re.compile(r"(\S+ from )(.*)( \([0-9a-f]+\))", re.DOTALL)
IDENTITY = re.compile(r"(?<=identity: none → ).*", re.DOTALL)


def hide_people(store: Store, entries: pd.DataFrame) -> pd.DataFrame:
    """Return a portion of the history in which nobody's id or name is left.

    An entry of a collection has the codes that everything else has which leaves this
    collection; the others have codes of the store. Whatever people are called, they are
    replaced where an entry tells of them and, as words, in what organisers wrote: names of
    files, of rounds and of versions, guidelines. Label events keep their comments as they are.

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
    """The codes of people in one collection, and what finds them in texts."""

    def __init__(
        self, store: Store, collection_id: str, who: Iterable[tuple[str, str, str]]
    ) -> None:
        self.codes = assessor_codes(store, collection_id, {one for _, one, _ in who})
        # The last one stays: an id before a name, and a name in this collection before others.
        ordered = sorted(who, key=lambda one: one[0] == collection_id)
        called = {name: one for _, one, name in ordered if name} | {one: one for one in self.codes}
        self.hidden = HiddenNames({name: self.codes[one] for name, one in called.items()})


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
    if what == "import" and (found := FILE.fullmatch(subject)):
        return found[1] + people.hidden.in_words(found[2]) + found[3]
    return subject


def _hide_change(kind: str, what: str, change: str, people: _People) -> str:
    hide = people.hidden.in_words
    if what == "link identity":
        return IDENTITY.sub("changed", change)
    if what == "drop" and change.startswith("replaced by "):
        return f"replaced by {people.codes.get(change.removeprefix('replaced by '), '')}"
    if kind == "qrels versions" and (found := RULE.fullmatch(change)):
        return f"{hide(found[1])}: {people.hidden.in_rule(found[2], hide)}"
    if kind in WRITING:
        return QUOTED.sub(lambda quoted: hide_quoted(quoted[0], hide), change)
    return change


def hide_quoted(text: str, hide: Callable[[str], str]) -> str:
    """Return a text in quotation marks, as in JSON or in Python, with what it says hidden."""
    try:
        value = json.loads(text) if text[0] == '"' else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return hide(text)
    hidden = hide(value)
    if hidden == value:
        return text
    return json.dumps(hidden, ensure_ascii=False) if text[0] == '"' else repr(hidden)
