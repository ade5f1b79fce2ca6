"""Erasing a person: name, group, comments and ways in go for good, levels stay under a code.

History is never rewritten, with this one exception: events keep their number, time and level, but
their comments are blanked, as are the questions, and whoever has no code yet, such as an imported
assessor whose id is a name, gets one in place of the id.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from core.errors import BadInput, NotFound
from core.store.audit.audit import CHANGE_KIND
from core.store.audit.audit_codes import FILE, IDENTITY, QUOTED, RULE, WRITING, hide_quoted
from core.store.file.database import Cursor, fetch
from core.store.file.fresh_file import ask_to_write_afresh
from core.store.people.hidden_names import HiddenNames
from core.store.people.members import drop_member
from core.store.people.people import list_people
from core.store.people.roster import PERSON
from core.store.store import Store, utc_now

ERASED = "erased"
"""The origin of a member who was erased."""

_SHORTEST = 3
"""Shorter names, and those without a letter, are not looked for in what people wrote."""

_VALUE = r'(?:none|"(?:[^"\\]|\\.)*")'
_GROUP = re.compile(rf"group: {_VALUE} → {_VALUE}", re.DOTALL)

_OWN_ROWS = (
    "accounts", "passwords", "sessions", "invitations", "viewers", "consents",
    "notices_read", "tokens",
)  # fmt: skip
_ALSO_NAMED = (
    "labels", "slots", "questions", "notices", "topics_seen", "items_seen", "machine_shown",
)  # fmt: skip
"""Tables that go on naming somebody, by the code that they get."""

_TEXTS = (
    ("collections", "description"),
    ("collections", "guidelines"),
    ("rounds", "name"),
    ("practice", "why"),
    ("labels", "comment"),
    ("questions", "text"),
    ("reason_choices", "reason"),
    ("preference_reasons", "reason"),
    ("notices", "text"),
    ("guidelines_versions", "note"),
    ("guidelines_versions", "text"),
    ("aspects", "question"),
    ("webhooks", "address"),
    ("machines", "prompt"),
    ("machines", "parameters"),
    ("machine_answers", "answer"),
    ("machine_answers", "reason"),
    ("machine_jobs", "parameters"),
    ("machine_replies", "reason"),
)
"""What people write besides rules and the record of changes, by table and column."""


@dataclass(frozen=True)
class Trace:
    """What there is of somebody: events, own words, and texts by others that name them.

    ``code`` stands for the person afterwards; ``collections`` are those in which they are members.
    """

    person_id: str
    code: str
    names: tuple[str, ...]
    collections: tuple[str, ...]
    events: int
    comments: int
    questions: int
    mentions: int


def trace_person(store: Store, person_id: str) -> Trace:
    """Return what there is of a person, an account's or an imported assessor's.

    Raises
    ------
    NotFound
        There is nobody of this id.
    BadInput
        It is a machine, gold, or somebody who was erased already.
    """
    cursor = store.cursor()
    accounts = [one for one in list_people(store) if one.person_id == person_id]
    members = fetch(cursor, "FROM members WHERE assessor_id = ?", [person_id])
    if not accounts and not members:
        raise NotFound(f"There is nobody with the id {person_id}.")
    if any(one.erased_at for one in accounts) or any(one["origin"] == ERASED for one in members):
        raise BadInput("they were erased already", field="person")
    if any(one["kind"] != PERSON for one in members):
        raise BadInput("only persons are erased, no machines and no gold", field="person")
    names = {one.name for one in accounts} | {one["name"] for one in members}
    code = person_id if accounts else f"p-{secrets.token_hex(4)}"
    counted = fetch(
        cursor,
        "SELECT count(*) AS events, count(*) FILTER (WHERE comment <> '') AS comments, "
        "(SELECT count(*) FROM questions WHERE assessor_id = $1) AS questions "
        "FROM labels WHERE assessor_id = $1",
        [person_id],
    )[0]
    collections = tuple(sorted(one["collection_id"] for one in members))
    known = tuple(sorted(names - {code}))
    words = _Words(person_id, code, known)
    mentions = sum(1 for _ in _find_texts(cursor, words))
    return Trace(person_id, code, known, collections, **counted, mentions=mentions)


def erase_person(store: Store, person_id: str, by: str = "") -> Trace:
    """Erase a person for good, and have the store's file written anew when it is next opened.

    Sessions, invitations, password and address are gone at once; unfinished slots go back to the
    open queue; the name is replaced by the code, as a word, in what people wrote. The record of
    changes says that somebody was erased, not who. Backups that were made before are not changed.

    Returns
    -------
    Trace
        What there was.

    Raises
    ------
    NotFound, BadInput
        As for ``trace_person``; or nobody would be left to organise.
    """
    trace = trace_person(store, person_id)
    for collection_id in trace.collections:
        drop_member(store, collection_id, person_id, by=by)
    what = "name, group, comments, questions, sessions and invitations"
    with store.labels.pause(), store.change("", "erase", "somebody", what, by) as cursor:
        _erase_texts(cursor, _Words(person_id, trace.code, trace.names))
        _erase_rows(cursor, trace)
        if not fetch(cursor, "FROM people WHERE role = 'organiser' AND disabled_at IS NULL"):
            raise BadInput("this store needs at least one organiser", field="person")
        ask_to_write_afresh(cursor)
    store.forget()
    store.database.purge()
    return trace


def _erase_rows(cursor: Cursor, trace: Trace) -> None:
    for table in _OWN_ROWS:
        cursor.execute(f"DELETE FROM {table} WHERE person_id = ?", [trace.person_id])
    now = utc_now()
    cursor.execute(
        "UPDATE people SET name = person_id, erased_at = $1, "
        "disabled_at = coalesce(disabled_at, $1) WHERE person_id = $2",
        [now, trace.person_id],
    )
    cursor.execute(
        "UPDATE members SET name = $1, assessor_id = $1, \"group\" = '', origin = $2 "
        "WHERE assessor_id = $3",
        [trace.code, ERASED, trace.person_id],
    )
    cursor.execute(
        "UPDATE labels SET comment = '' WHERE assessor_id = ? AND comment <> ''", [trace.person_id]
    )
    cursor.execute("UPDATE questions SET text = '' WHERE assessor_id = ?", [trace.person_id])
    if trace.code != trace.person_id:
        for table in _ALSO_NAMED:
            cursor.execute(
                f"UPDATE {table} SET assessor_id = ? WHERE assessor_id = ?",
                [trace.code, trace.person_id],
            )


class _Words:
    """Finds a person's names in texts, and puts the code in their place."""

    def __init__(self, person_id: str, code: str, names: tuple[str, ...]) -> None:
        self.person_id, self.code = person_id, code
        self.exact = {*names, person_id} - {code, ""}
        self._words = HiddenNames({one: code for one in self.exact if _is_searchable(one)})
        self._rules = HiddenNames(dict.fromkeys(self.exact, code))

    @property
    def entries(self) -> tuple[str, str, str]:
        """What entries of the record that are about the person say: two subjects, one detail."""
        one = self.person_id
        return f"person {one}", f"assessor {one}", f"replaced by {one}"

    @cached_property
    def variants(self) -> list[str]:
        """The names as texts, JSON and Python write them."""
        written = {json.dumps(one, ensure_ascii=False)[1:-1] for one in self.exact}
        return sorted(self.exact | written | {repr(one)[1:-1] for one in self.exact})

    def in_text(self, text: str) -> str:
        """Return a text with the code wherever a name is a word, or the whole."""
        return self.code if text in self.exact else self._words.in_words(text)

    def in_rule(self, text: str) -> str:
        """Return a qrels rule that names its assessors by codes."""
        return self._rules.in_rule(text, self.in_text)

    def in_subject(self, what: str, subject: str) -> str:
        """Return whom or what an entry of the record is about."""
        holder, _, person_id = subject.partition(" ")
        if holder in ("person", "assessor", "viewer") and person_id == self.person_id:
            return f"{holder} {self.code}"
        if what == "import" and (found := FILE.fullmatch(subject)):
            return found[1] + self.in_text(found[2]) + found[3]
        return subject

    def in_change(self, kind: str, what: str, subject: str, change: str) -> str:
        """Return what an entry of the record tells."""
        if what == "link identity" and subject == f"person {self.person_id}":
            return IDENTITY.sub(ERASED, change)
        if what == "drop" and change == f"replaced by {self.person_id}":
            return f"replaced by {self.code}"
        if subject == f"assessor {self.person_id}":
            change = _GROUP.sub(f"group: {ERASED}", change)
        if kind == "qrels versions" and (found := RULE.fullmatch(change)):
            return f"{self.in_text(found[1])}: {self.in_rule(found[2])}"
        if kind in WRITING:
            return QUOTED.sub(lambda quoted: hide_quoted(quoted[0], self.in_text), change)
        return change


def _is_searchable(name: str) -> bool:
    return len(name) >= _SHORTEST and any(map(str.isalpha, name))


@dataclass(frozen=True)
class _Change:
    """A text to be written: where it is, and what it becomes."""

    table: str
    column: str
    rowid: int
    text: str


def _erase_texts(cursor: Cursor, words: _Words) -> None:
    for one in [*_find_texts(cursor, words), *_find_records(cursor, words)]:
        cursor.execute(
            f"UPDATE {one.table} SET {one.column} = ? WHERE rowid = ?", [one.text, one.rowid]
        )


def _find_texts(cursor: Cursor, words: _Words) -> Iterator[_Change]:
    """Find a name in what other people wrote; comments of the person's own go anyway."""
    for table, column in _TEXTS:
        own = "AND assessor_id <> $2" if table in ("labels", "questions") else "AND $2 <> ''"
        sql = f"SELECT rowid, {column} AS text FROM {table} WHERE {_holds(column)} {own}"
        yield from _compare(cursor, words, sql, table, column, words.in_text)
    # The name last: it is in an index, and a row whose index changes is another row afterwards.
    for column, tell in (("rule", words.in_rule), ("name", words.in_text)):
        sql = f"SELECT rowid, {column} AS text FROM qrels_rules WHERE {_holds(column)} AND $2 <> ''"
        yield from _compare(cursor, words, sql, "qrels_rules", column, tell)


def _compare(
    cursor: Cursor,
    words: _Words,
    sql: str,
    table: str,
    column: str,
    tell: Callable[[str], str],
) -> Iterator[_Change]:
    for row in fetch(cursor, sql, [words.variants, words.person_id]):
        if (sentence := tell(row["text"])) != row["text"]:
            yield _Change(table, column, row["rowid"], sentence)


def _find_records(cursor: Cursor, words: _Words) -> Iterator[_Change]:
    """Find a person in the record of changes, which goes on saying what was done."""
    about = "concat_ws(' ', subject, detail)"
    rows = fetch(
        cursor,
        f"SELECT rowid, {CHANGE_KIND} AS kind, what, subject, detail FROM changes "
        f"WHERE {_holds(about)} OR subject IN ($2, $3) OR detail = $4",
        [words.variants, *words.entries],
    )
    for row in rows:
        subject = words.in_subject(row["what"], row["subject"])
        if subject != row["subject"]:
            yield _Change("changes", "subject", row["rowid"], subject)
        subject = words.in_change(row["kind"], row["what"], row["subject"], row["detail"])
        if subject != row["detail"]:
            yield _Change("changes", "detail", row["rowid"], subject)


def _holds(column: str) -> str:
    """Return the SQL that tells whether a text holds one of the names that are the first value."""
    return f"len(list_filter($1::VARCHAR[], lambda one: contains({column}, one))) > 0"
