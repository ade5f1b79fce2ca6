"""How far assessors marked the same passages: the report of passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from core.agreement.base import name_coefficient
from core.agreement.passages import (
    ALPHA,
    F1,
    ITEM,
    MarkedTexts,
    code_passages,
    counted_passages,
    passage_agreement,
)
from core.numerals import write_limits, write_number
from core.reports.report import Column, Estimated, Report
from core.wording import count, mark_fact

if TYPE_CHECKING:
    import pandas as pd


def _name(coefficient: str) -> str:
    return "F1" if coefficient == F1 else name_coefficient(coefficient)


@dataclass(frozen=True, eq=False)
class PassageAgreement(Report):
    """How far assessors marked the same; ``dissent.passage_agreement`` makes it.

    ``overall`` and ``items`` are computed when first asked for; ``answer`` is a sentence.

    Parameters
    ----------
    passages : DataFrame
        As ``code_passages`` takes them, with ``sequence``, if it is known.
    facet : str
        'snippet' or 'page'.
    """

    passages: pd.DataFrame
    facet: str

    name: ClassVar[str] = "passages"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "overall": Estimated(
            "Agreement on passages",
            "agreement of all assessors on what they marked",
            {"coefficient": Column("coefficient", write=_name), "n": Column("items"),
             "value": Column("value")},
        ),
        "items": Estimated(
            "Item by item, the lowest F1 first",
            "",
            {"topic_id": Column("topic"), "document_id": Column("document"),
             "query": Column("query", names="nobody"), "title": Column("title", names="nobody"),
             "engine": Column("engine", names="nobody"), "assessors": Column("assessors"),
             "characters": Column("characters"), F1: Column("F1")},
        ),
    }  # fmt: skip

    @cached_property
    def texts(self) -> MarkedTexts:
        """The items that two assessors marked, in pieces of text."""
        return code_passages(self.passages, self.facet)

    @cached_property
    def unlike(self) -> int:
        """How many labels have passages in another version of their text."""
        rows = counted_passages(self.passages, self.facet)
        who = "sequence" if "sequence" in rows else [*ITEM, "assessor_id"]
        return len(rows[rows["characters"] == 0].drop_duplicates(who))

    @property
    def notes(self) -> Sequence[str]:
        """What is left out because it is of another version of the text."""
        if not self.unlike:
            return ()
        return (f"labels with passages in another version of the text, left out: {self.unlike:,}",)

    @cached_property
    def overall(self) -> pd.DataFrame:
        """F1 and α: the columns of ``passage_agreement``."""
        return passage_agreement(self.texts)

    @cached_property
    def items(self) -> pd.DataFrame:
        """``topic_id, document_id, engine, assessors, characters, f1``; the lowest F1 first."""
        return self.texts.items.sort_values(F1, kind="stable", ignore_index=True)

    @cached_property
    def answer(self) -> str:
        """How far two assessors marked the same, and how far beyond chance."""
        rows = self.overall.set_index("coefficient").to_dict("index")
        f1, alpha = rows[F1], rows[ALPHA]
        if f1["value"] != f1["value"]:
            return f"There is nothing to compare: {f1['reason']}."
        sentence = (
            f"Two assessors agree on {mark_fact(write_number(f1['value']))} {_limits(f1)} of what "
            f"they marked (F1), over {count(int(f1['units']), 'topic')} and "
            f"{count(int(f1['n']), 'item')}"
        )
        if alpha["value"] != alpha["value"]:
            return f"{sentence}. α is not defined: {alpha['reason']}."
        return f"{sentence}; beyond chance, α is {write_number(alpha['value'])} {_limits(alpha)}."


def _limits(row: Mapping[Any, Any]) -> str:
    if row["reason"]:
        return f"(no interval: {row['reason']})"
    return write_limits(row["low"], row["high"])
