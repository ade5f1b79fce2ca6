"""Proofs that a store is whole: what is claimed, how much was looked at, what contradicts it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.store.file.database import Cursor
from core.store.store import Store

MOST_SHOWN = 20
"""How many places of one fault are listed; all are counted."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: how often, and the first places where."""

    what: str
    count: int
    places: tuple[str, ...]


@dataclass(frozen=True)
class CheckResult:
    """What a proof found.

    ``notes`` say what is unusual but no fault. ``unknown`` says why nothing, or not all, could be
    looked at; then what is claimed is neither shown nor contradicted.
    """

    proof: str
    claim: str
    checked: int
    noun: str
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    unknown: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the claim holds; None where that was not looked at."""
        if self.faults:
            return False
        return None if self.unknown else True


@dataclass(frozen=True)
class Proof:
    """A claim about the rows of a store that SQL can contradict.

    ``counted`` counts what the claim is about. ``faults`` gives for each fault the query of the
    rows that show it, as one text each; ``notes`` gives a count for a sentence with ``{n}``.
    """

    name: str
    claim: str
    noun: str
    counted: str
    faults: Mapping[str, str]
    notes: Mapping[str, str] = field(default_factory=dict)

    def check(self, store: Store) -> CheckResult:
        """Look for rows that contradict the claim."""
        cursor = store.cursor()
        found = [find_fault(cursor, what, sql) for what, sql in self.faults.items()]
        counted = {sentence: count_rows(cursor, sql) for sentence, sql in self.notes.items()}
        return CheckResult(
            self.name,
            self.claim,
            count_rows(cursor, self.counted),
            self.noun,
            tuple(fault for fault in found if fault.count),
            tuple(sentence.format(n=f"{n:,}") for sentence, n in counted.items() if n),
        )


Check = Callable[[Store], CheckResult]

Progress = Callable[[float, str], None]
"""Told which share of what is done."""


def tell_nobody(share: float, what: str) -> None:
    """Take no notice of progress."""


def find_fault(cursor: Cursor, what: str, sql: str, values: Sequence[Any] = ()) -> Fault:
    """Return the fault that the rows of a query show, each of them one text."""
    rows = cursor.execute(
        f"SELECT count(*) OVER (), place FROM ({sql}) AS found(place) ORDER BY place "
        f"LIMIT {MOST_SHOWN}",
        list(values),
    ).fetchall()
    return Fault(what, int(rows[0][0]) if rows else 0, tuple(str(place) for _, place in rows))


def make_fault(what: str, places: Sequence[str]) -> tuple[Fault, ...]:
    """Return a fault at some places; none where there is no place."""
    return (Fault(what, len(places), tuple(places[:MOST_SHOWN])),) if places else ()


def count_rows(cursor: Cursor, sql: str) -> int:
    """Return the one number that a query gives."""
    row = cursor.execute(sql).fetchone()
    return int(row[0]) if row and row[0] is not None else 0
