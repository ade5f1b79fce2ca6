"""``dissent preferences`` for people: tables of what was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.agreement.base import name_coefficient
from core.command.printing.recording import limit_rows
from core.command.printing.tables import Cell, format_interval, format_table, name_units
from core.numerals import write_p
from core.preference.bradley_terry import Strengths
from core.preference.transitivity import Transitivity

SHOWN = 20
"""Rows of a table; JSON has them all."""


@dataclass(frozen=True, eq=False)
class Part:
    """What was found of one kind and facet.

    ``agreement`` is empty where nobody shares a pair, ``reasons`` where none were given.
    """

    kind: str
    facet: str
    pairs: pd.DataFrame
    strengths: Strengths
    cycles: Transitivity
    agreement: pd.DataFrame
    reasons: pd.DataFrame


def print_tables(parts: Sequence[Part], sides: pd.DataFrame, repeats: pd.DataFrame) -> None:
    """Print the results by kind and facet, and the assessors' side bias."""
    for part in parts:
        _print_part(part)
    print(_sides_table(sides))
    if repeats["n"].iloc[0]:
        print("\nthe same pair again with sides swapped")
        print(_repeats_table(repeats))


def _print_part(part: Part) -> None:
    total = int(part.pairs.loc[part.pairs["topic_id"] == "", "n"].sum()) or part.pairs["n"].sum()
    print(f"{part.kind} ({part.facet}): {total:,} preferences, {len(part.pairs):,} pairs\n")
    print(_pairs_table(part.pairs) + "\n")
    print(_strengths_table(part.strengths) + "\n")
    cycles = part.cycles
    print(f"intransitive: {cycles.intransitive:,} of {cycles.triples:,} triples")
    for row in cycles.examples.head(3).to_dict("records"):
        about = f"topic {row['topic_id']}: " if row["topic_id"] else ""
        print(f"  {about}{row['first']} > {row['second']} > {row['third']} > {row['first']}")
    if len(part.agreement):
        print("\n" + _agreement_table(part.agreement))
    if len(part.reasons):
        print("\n" + _reasons_table(part.reasons))
    print()


def _pairs_table(pairs: pd.DataFrame) -> str:
    shown = pairs.sort_values("n", ascending=False, kind="stable")
    rows = [
        [
            *(row[name] for name in ("topic_id", "first", "second", "wins", "losses", "ties")),
            _interval(row, "share"),
            write_p(row["p"]),
        ]
        for row in shown.head(limit_rows(SHOWN)).to_dict("records")
    ]
    header = ["topic", "first", "second", "wins", "losses", "ties", "share [95 %]", "p"]
    return _table(header, rows, len(pairs), "Outcomes of pairs") + f"\nshares: {name_units(pairs)}"


def _reasons_table(reasons: pd.DataFrame) -> str:
    rows: list[list[Cell]] = [
        [
            *(row[name] for name in ("winner", "reason", "n")),
            *("" if pd.isna(row[side]) else int(row[side]) for side in ("left", "right")),
            row["of"],
            f"{row['share']:.3f}",
        ]
        for row in reasons.head(limit_rows(SHOWN)).to_dict("records")
    ]
    header = ["winner", "reason", "n", "left", "right", "of", "share"]
    return _table(header, rows, len(reasons), "Reasons of preferences")


def _strengths_table(strengths: Strengths) -> str:
    frame = strengths.frame
    several = frame.groupby("topic_id")["group"].transform("max") > 1
    shown = frame.assign(group=frame["group"].where(several, 0)).sort_values(
        ["topic_id", "group", "strength"], ascending=[True, True, False], kind="stable"
    )
    rows: list[list[Cell]] = [
        [
            row["topic_id"],
            row["item"],
            row["n"],
            _interval(row, "strength"),
            str(row["group"] or ""),
            "*" if row["note"] else "",
        ]
        for row in shown.head(limit_rows(SHOWN)).to_dict("records")
    ]
    header = ["topic", "item", "comparisons", "strength [95 %]", "group", ""]
    notes = "".join(f"\n* {note}" for note in frame["note"].unique() if note)
    notes += "".join(f"\nlimits: {why}" for why in frame["reason"].unique() if why)
    notes += f"\nstrengths: {name_units(frame)}"
    tie = "" if strengths.model != "davidson" else f"\ntie parameter {strengths.tie_parameter:.3f}"
    return _table(header, rows, len(frame), "Bradley–Terry strengths") + notes + tie


def _agreement_table(agreement: pd.DataFrame) -> str:
    rows = [
        [name_coefficient(row["coefficient"]), row["n"], _interval(row, "value"), row["reason"]]
        for row in agreement.to_dict("records")
    ]
    header = ["agreement", "common pairs", "value [95 %]", ""]
    table = format_table(header, rows, title="Agreement of preferences")
    return f"{table}\n{name_units(agreement)}"


def _sides_table(sides: pd.DataFrame) -> str:
    rows: list[list[Cell]] = [
        [
            row["assessor_id"] or "(all)",
            row["left"],
            row["n"],
            _interval(row, "share"),
            write_p(row["p"]),
            row["reason"],
        ]
        for row in sides.head(limit_rows(SHOWN + 1)).to_dict("records")
    ]
    header = ["side bias", "left", "of", "share [95 %]", "p", ""]
    return _table(header, rows, len(sides), "Side bias", SHOWN + 1) + f"\n{name_units(sides)}"


def _repeats_table(repeats: pd.DataFrame) -> str:
    columns = ["n", "same", "left", "right", "changed"]
    rows = [
        [row["assessor_id"] or "(all)", *(row[name] for name in columns), _interval(row, "share")]
        for row in repeats.head(limit_rows(SHOWN + 1)).to_dict("records")
    ]
    header = ["assessor", "repeats", "same", "left", "right", "changed", "same [95 %]"]
    title = "The same pair again with sides swapped"
    return _table(header, rows, len(repeats), title, SHOWN + 1) + f"\n{name_units(repeats)}"


def _table(
    header: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    count: int,
    title: str,
    most: int = SHOWN,
) -> str:
    most = limit_rows(most)
    more = f"\n… and {count - most:,} more; --format json has all" if count > most else ""
    return format_table(header, rows, title=title) + more


def _interval(row: dict[Any, Any], name: str) -> str:
    return format_interval(row[name], row["low"], row["high"])
