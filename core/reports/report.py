"""What a report is: one question about some material, answered once, whoever asks it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

if TYPE_CHECKING:
    import pandas as pd


class Column(NamedTuple):
    """A column of a table as people see it.

    Parameters
    ----------
    head : str
        What it is called.
    meaning : str
        What it says, where the head alone does not.
    digits : int
        Decimals of numbers that are not whole.
    write : callable, optional
        What writes a cell, as text.
    percent : bool
        Whether people see a share in percent; programs get the share.
    names : str
        Whom its texts may name: 'people' anywhere in them, unless something else is known;
        'lists', people as the whole of a text or as part of a list; or 'nobody'.
    """

    head: str
    meaning: str = ""
    digits: int = 3
    write: Callable[[Any], str] | None = None
    percent: bool = False
    names: Literal["people", "lists", "nobody"] = "people"


class Estimated(NamedTuple):
    """A table of a report.

    Parameters
    ----------
    title : str
        What it is called.
    of : str
        What the limits in a row are limits of, without what is sampled: a row says so itself, in
        its ``unit``. '' where rows have no limits.
    columns : mapping of str to Column
        What people see of it, in order; programs get all columns. Limits stand beside what they
        are limits of, and the reason last, without being named. A column of texts is left out
        where all are empty.
    estimate : str
        The column whose 95 % limits ``low`` and ``high`` are. Those of another column, as
        ``share``, are ``share_low`` and ``share_high``.
    across : str
        A column with a few values that stand side by side for people, '' for none.
    spread : tuple of str
        The columns that each of these has.
    """

    title: str
    of: str
    columns: Mapping[str, Column] = MappingProxyType({})
    estimate: str = "value"
    across: str = ""
    spread: tuple[str, ...] = ("value",)

    def select(self, rows: pd.DataFrame) -> dict[str, Column]:
        """Return the columns that people see of some of its rows, in order, without limits."""
        return {
            name: column
            for name, column in self.columns.items()
            if name in rows and (column.write or rows.empty or not rows[name].isin([""]).all())
        }

    def limits(self, name: str, rows: Container[Any]) -> tuple[str, str] | None:
        """Return the columns of rows that have the limits of a column; None if it has none."""
        ends = ("low", "high") if name == self.estimate else (f"{name}_low", f"{name}_high")
        return ends if ends[0] in rows else None

    def side_by_side(self, rows: pd.DataFrame) -> tuple[Estimated, pd.DataFrame]:
        """Return a table in which the values of ``across`` stand side by side, and its rows.

        Each value has the columns of ``spread``, called ``value: column``, with their limits; what
        no row of a value has is left out there. Rows that differ in nothing else are one, with all
        their reasons.
        """
        columns, rows = self.select(rows), rows.reset_index(drop=True)
        keys = [name for name in columns if name not in (self.across, *self.spread)]
        place = rows.groupby(keys, sort=False, dropna=False).ngroup()
        wide = rows[keys].set_axis(place)[~place.duplicated().to_numpy()]
        shown = {name: columns[name] for name in keys}
        write = self.columns[self.across].write or str
        for value in rows[self.across].unique():
            own = rows[rows[self.across] == value]
            own = own.set_axis(place[own.index])
            for name in self.spread:
                if name != self.spread[0] and not own[name].notna().any():
                    continue
                head = write(value) if name == self.spread[0] else self.columns[name].head
                column = self.columns[name]._replace(head=head, names="people")
                shown[f"{value}: {name}"] = column
                kept = _GAPPED.get(own[name].dtype.kind, own[name].dtype)
                wide[f"{value}: {name}"] = own[name].astype(kept)
                for end, limit in zip(("low", "high"), self.limits(name, rows) or (), strict=False):
                    wide[f"{value}: {name}_{end}"] = own[limit]
        if "reason" in rows:
            wide["reason"] = rows["reason"].groupby(place).agg(_join)
        return Estimated(self.title, self.of, shown, ""), wide.reset_index(drop=True)


JUDGED = Column("judged share", "Of what the measure looks at.", percent=True)
"""How much of it people judged."""

_GAPPED = {"i": "Int64", "b": "boolean"}
"""Types of columns that may have gaps."""

SAMPLED = {"both": "topics and assessors", "topic × system": "topics and systems"}
"""What is sampled, where it is more than one thing."""


class Report(ABC):
    """One question about some material.

    ``tables`` names what can be asked for; each is an attribute, computed when first asked for.
    Rows with limits have ``value, low, high, interval, unit, units, reason``: 95 % limits by the
    method ``interval``, in which ``units`` of the ``unit`` are what is sampled; ``reason`` says why
    something is NaN.
    """

    name: ClassVar[str]
    tables: ClassVar[Mapping[str, Estimated]]

    @property
    @abstractmethod
    def answer(self) -> str:
        """The answer in a sentence or two, its key facts marked: see ``core.wording``."""

    @property
    def notes(self) -> Sequence[str]:
        """What the reader should know beside the results."""
        return ()

    def table(self, name: str) -> pd.DataFrame:
        """Return a table by its name; raises BadInput.

        Examples
        --------
        >>> import pandas as pd
        >>> class Lengths(Report):
        ...     name, tables = "lengths", {"all": Estimated("Lengths", "a length")}
        ...     answer = "There is one."
        ...     all = pd.DataFrame({"value": [3]})
        >>> Lengths().table("all")["value"].tolist()
        [3]
        """
        from core.errors import BadInput

        if name not in self.tables:
            known = ", ".join(self.tables)
            raise BadInput(f"'{name}' is no table of {self.name}; known are {known}", field="table")
        found: pd.DataFrame = getattr(self, name)
        return found

    def describe_interval(self, table: str, row: Mapping[Any, Any]) -> dict[str, Any]:
        """Return what the limits of a row rest on: ``method, unit, n``, and ``of`` what they are.

        Parameters
        ----------
        table : str
            The table that the row is of.
        row : mapping
            With ``interval, unit, units``.
        """
        unit = row["unit"]
        of = f"{self.tables[table].of}, over {SAMPLED.get(unit, f'{unit}s')} like these"
        return {"method": row["interval"], "unit": unit, "n": row["units"], "of": of}


def _join(reasons: pd.Series[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, reasons)))


def stack_tables(named: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return tables below each other, with the name of each in a first column ``table``.

    Plain numbers, limits in columns of their own; what a table does not have is missing. Empty
    ones are left out.
    """
    import pandas as pd

    parts = []
    for name, frame in named.items():
        if len(frame):
            own = frame.astype({one: "object" for one in frame.select_dtypes("category")})
            own.insert(0, "table", name)
            parts.append(own)
    if not parts:
        return pd.DataFrame({"table": []})
    # Whole numbers stay so where other tables have none.
    return pd.concat(parts, ignore_index=True).convert_dtypes()
