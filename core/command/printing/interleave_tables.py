"""What ``dissent interleave`` prints: JSON for programs, tables for people."""

from typing import Any

import pandas as pd

from core.command.printing.output import print_json, with_reason
from core.command.printing.recording import limit_rows
from core.command.printing.tables import Cell, format_interval, format_table
from core.interleaving.outcomes import BOOTSTRAP, SESSION
from core.interleaving.power import find_enough
from core.numerals import say_p, write_number, write_p
from core.reports.interleaving import TESTED_BY, Interleaving, count_agreement

SHOWN = 20
"""Rows of pairs in a table; JSON has them all."""


def print_interleaving_json(
    found: Interleaving,
    source: str,
    power: pd.DataFrame | None,
    beside: pd.DataFrame | None,
    measure: str,
) -> None:
    """Print everything, unrounded."""
    one = found.comparison
    content: dict[str, Any] = {
        "first": found.first,
        "second": found.second,
        "method": found.method,
        "clicks": source,
        **{name: _tidy(getattr(one, name)) for name in ("first_wins", "second_wins", "ties")},
        "without_clicks": one.without_clicks,
        "impressions": one.impressions,
        "sessions": one.sessions,
        "topics": found.topics,
        "delta": one.delta,
        "low": one.low,
        "high": one.high,
        "interval": {"method": BOOTSTRAP, "unit": SESSION, "n": one.sessions},
        "p": one.p,
        "p_ties_half": one.p_ties_half,
        "p_bootstrap": one.p_bootstrap,
        "delta_of_random_clicks": found.random_clicks,
    }
    content = with_reason(content, one.reason)
    if power is not None:
        content["power"] = power.to_dict("records")
        content["enough"] = find_enough(power).to_dict("records")
    if beside is not None:
        rows = [_describe_pair(row, one.sessions) for row in beside.to_dict("records")]
        content["beside"] = {
            "measure": measure,
            "test": TESTED_BY,
            **count_agreement(beside),
            "rows": rows,
        }
    print_json(content)


def _describe_pair(row: dict[Any, Any], sessions: int) -> dict[str, Any]:
    interval = {"method": BOOTSTRAP, "unit": SESSION, "n": sessions}
    return {**{str(name): value for name, value in row.items()}, "interval": interval}


def print_interleaving(
    found: Interleaving,
    source: str,
    power: pd.DataFrame | None,
    beside: pd.DataFrame | None,
    measure: str,
) -> None:
    """Print who wins, and what else was asked for."""
    one = found.comparison
    print(say_who_wins(found))
    header = ["clicks", "method", "first wins", "second wins", "ties", "Δ [95 %]"]
    header += ["p", "p, ties half", "p, bootstrap"]
    row: list[Cell] = [
        source,
        found.method,
        *map(_write_count, (one.first_wins, one.second_wins, one.ties)),
        format_interval(one.delta, one.low, one.high),
        *map(write_p, (one.p, one.p_ties_half, one.p_bootstrap)),
    ]
    title = f"{found.first} against {found.second}, interleaved"
    print("\n" + format_table(header, [row], title=title))
    print(
        f"{one.impressions:,} lists, {one.without_clicks:,} of them without a click, in "
        f"{one.sessions:,} sessions, for {found.topics:,} topics. 95 % limits over sessions, by "
        "the bootstrap."
    )
    if one.reason:
        print(f"Missing: {one.reason}.")
    if abs(found.random_clicks) >= _BIASED:
        print(say_bias(found))
    if power is not None:
        _print_power(power)
    if beside is not None:
        _print_beside(beside, measure)


_BIASED = 0.0005
"""What is less is 0.000 where it is told."""


def say_who_wins(found: Interleaving) -> str:
    """Return in a sentence which run users prefer."""
    one = found.comparison
    told = f"Δ = {write_number(one.delta, signed=True)}"
    if not one.p < _ALPHA:
        p = "" if one.p != one.p else f", {say_p(one.p)}"
        return f"No preference for {found.first} or {found.second} is shown ({told}{p})."
    wins = (found.first, found.second) if one.delta > 0 else (found.second, found.first)
    return f"Users prefer {wins[0]} to {wins[1]} ({told}, {say_p(one.p)})."


_ALPHA = 0.05


def say_bias(found: Interleaving) -> str:
    """Return in a sentence whom the method favours by itself."""
    favoured = found.first if found.random_clicks > 0 else found.second
    return (
        f"With these two runs {found.method} interleaving favours {favoured} by itself: clicks at "
        f"random would give Δ = {write_number(found.random_clicks, signed=True)}."
    )


def _tidy(number: float) -> int | float:
    """Return a count as a whole number, unless it is only expected."""
    return int(number) if number.is_integer() else number


def _write_count(number: float) -> Cell:
    return int(number) if number.is_integer() else f"{number:,.1f}"


def _print_power(power: pd.DataFrame) -> None:
    tests = power[["test", "measure"]].drop_duplicates().to_numpy().tolist()
    sizes = power["impressions"].drop_duplicates().tolist()
    found = power.set_index(["test", "measure", "impressions"])["found"]
    enough = find_enough(power).set_index(["test", "measure"])["impressions"]
    rows: list[list[Cell]] = [
        [
            f"{test}: {measure}" if measure else test,
            *(float(found[test, measure, size]) for size in sizes),
            None if pd.isna(enough[test, measure]) else int(enough[test, measure]),
        ]
        for test, measure in tests
    ]
    header = ["test", *(f"{size:,}" for size in sizes), "80 % from"]
    number = int(power["simulations"].iloc[0])
    print(f"\nshare of {number:,} simulated studies with p < .05, by how many lists are shown")
    print(format_table(header, rows, digits=2, title="Power by impressions"))


def _print_beside(beside: pd.DataFrame, measure: str) -> None:
    counted = count_agreement(beside)
    print(
        f"\nOf {counted['pairs']:,} pairs of runs {counted['significant']:,} differ significantly "
        f"in mean {measure} ({TESTED_BY}, corrected); in {counted['same_sign']:,} of these Δ has "
        f"the same sign, in {counted['opposed']:,} it is significant with the other."
    )
    rows: list[list[Cell]] = [
        [
            row["first"],
            row["second"],
            row["difference"],
            write_p(row["p"]),
            format_interval(row["delta"], row["low"], row["high"]),
            write_p(row["p_interleaving"]),
        ]
        for row in beside.sort_values("p", kind="stable").to_dict("records")
    ]
    shown = rows[: limit_rows(SHOWN)]
    header = ["first", "second", f"{measure} apart", "p", "Δ [95 %]", "p of Δ"]
    print(format_table(header, shown, title=f"Δ beside {measure}"))
    if len(rows) > len(shown):
        print(f"… and {len(rows) - len(shown):,} more; --format json has all")
