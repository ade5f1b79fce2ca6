"""What a statement of the store writes: which table, and for a change which rows and columns."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_WRITES = re.compile(
    r"\b(?:(?P<insert>INSERT(?P<replace>\s+OR\s+REPLACE)?\s+INTO)|(?P<delete>DELETE\s+FROM))"
    r'\s+"?(?P<table>\w+)"?|\bUPDATE\s+"?(?P<updated>\w+)"?\s+SET\b'
)
_UPSERT = re.compile(r"\bON\s+CONFLICT\b.*\bDO\s+UPDATE\b", re.DOTALL)
_RETURNS = re.compile(r"\bRETURNING\b")
_PARTS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[()]|\b(?:FROM|WHERE)\b")
_NAMED = re.compile(r"\$(\w+)")


@dataclass(frozen=True)
class Statement:
    """A statement that writes: "insert", "put" (by key), "remove" or "update".

    The last three fields are those of an update, as they are written: what stands before it, what
    it sets, and from what and where.
    """

    kind: str
    table: str
    returns: bool
    before: str = ""
    assignments: str = ""
    condition: str = ""

    def sets(self, *columns: str) -> bool:
        """Tell whether a change may set one of some columns."""
        return any(re.search(rf'\b{name}"?\s*=', self.assignments) for name in columns)

    def find_rows(self, values: Any) -> tuple[str, Any]:
        """Return the query for the places of the rows that a change is about, and its values."""
        others, where = _split(self.condition)
        tables = f"{self.table}, {others}" if others else self.table
        sql = f"{self.before} SELECT DISTINCT {self.table}.rowid AS place FROM {tables}"
        sql += f" WHERE {where}" if where else ""
        if isinstance(values, Mapping):
            return sql, {name: values[name] for name in _NAMED.findall(sql)}
        given = list(values or ())
        if "$" in sql:
            return sql, {name: given[int(name) - 1] for name in _NAMED.findall(sql)}
        first, between = self.before.count("?"), self.assignments.count("?")
        return sql, given[:first] + given[first + between :]


@lru_cache(maxsize=1024)
def read_statement(sql: str) -> Statement | None:
    """Return what a statement writes; None for one that only reads, or makes something.

    Examples
    --------
    >>> read_statement("UPDATE slots SET slot = 1 FROM x WHERE x.y = slots.slot").condition
    'FROM x WHERE x.y = slots.slot'
    """
    found = _WRITES.search(sql)
    if found is None:
        return None
    returns = _RETURNS.search(sql) is not None
    if found["updated"]:
        sets, rest = _cut(sql[found.end() :])
        return Statement("update", found["updated"], returns, sql[: found.start()], sets, rest)
    if found["delete"]:
        return Statement("remove", found["table"], returns)
    puts = found["replace"] or _UPSERT.search(sql)
    return Statement("put" if puts else "insert", found["table"], returns)


def _cut(text: str) -> tuple[str, str]:
    """Return what a change sets, and the rest: from its own FROM or WHERE on."""
    for place, _ in _own_words(text):
        return text[:place].strip(), text[place:].strip()
    return text.strip(), ""


def _split(condition: str) -> tuple[str, str]:
    """Return the tables of a condition, and what holds of its rows."""
    if not condition.upper().startswith("FROM"):
        return "", condition[len("WHERE") :].strip()
    for place, word in _own_words(condition):
        if word == "WHERE":
            return condition[len("FROM") : place].strip(), condition[place + 5 :].strip()
    return condition[len("FROM") :].strip(), ""


def _own_words(text: str) -> list[tuple[int, str]]:
    """Return where FROM and WHERE stand that are in no brackets and no quotes."""
    depth, found = 0, []
    for part in _PARTS.finditer(text):
        word = part[0]
        depth += (word == "(") - (word == ")")
        if depth == 0 and word in ("FROM", "WHERE"):
            found.append((part.start(), word))
    return found
