"""What a report is: one question about some material, answered once, whoever asks it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

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
    """

    head: str
    meaning: str = ""
    digits: int = 3
    write: Callable[[Any], str] | None = None


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
        are limits of, and the reason last, without being named.
    estimate : str
        The column whose 95 % limits ``low`` and ``high`` are.
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
