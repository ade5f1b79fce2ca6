"""``dissent interleave``: which of two runs users prefer, by clicks on interleaved lists."""

from argparse import Namespace
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from core.collection.click_logs.interleaving_log import read_interleaving_log
from core.command.files.interleave_files import Interleaved, read_interleaved
from core.command.files.reading import open_source
from core.command.printing.output import print_json, print_notes, show_progress, with_reason
from core.command.printing.recording import limit_rows, print_data
from core.command.printing.reports import format_report_table
from core.command.printing.tables import Cell, format_interval, format_table
from core.errors import BadInput
from core.interleaving.base import Method
from core.interleaving.outcomes import BOOTSTRAP, SESSION
from core.interleaving.power import find_enough, simulate_power
from core.measures.catalogue import parse_measure
from core.numerals import write_p
from core.reports.interleaving import (
    TESTED_BY,
    Interleaving,
    compare_with_measure,
    count_agreement,
    make_traffic,
    read_preference,
    simulate_preference,
    tell_agreement,
)
from core.reports.report import stack_tables
from core.wording import count, drop_marks


def run(arguments: Namespace) -> int:
    """Print which run users prefer."""
    if arguments.log is not None:
        _refuse_simulation(arguments)
    given = read_interleaved(arguments)
    power = beside = None
    if arguments.log is None:
        found, power, beside = _simulate(arguments, given)
        source = f"simulated: {arguments.simulate}"
    else:
        found, source = _read(arguments, given), "log"
    found = replace(found, alpha=given.alpha)
    print_notes(found.notes)
    if arguments.format == "csv":
        extra = {"power": power, "beside": beside}
        tables = {name: one for name, one in extra.items() if one is not None}
        print_data(stack_tables({"preference": found.preference, **tables}))
        return 0
    printed = print_interleaving_json if arguments.format == "json" else print_interleaving
    printed(found, source, power, beside, given.measure)
    return 0


def _simulate(
    arguments: Namespace, given: Interleaved
) -> tuple[Interleaving, pd.DataFrame | None, pd.DataFrame | None]:
    """Return what simulated users say, and of what else was asked."""
    assert given.judgements is not None
    assert given.user is not None
    method: Method = arguments.method
    length, seed, impressions = arguments.length, arguments.seed, arguments.impressions
    traffic, left_out = make_traffic(
        given.run(0), given.run(1), given.judgements, given.user, length=length
    )
    found = simulate_preference(
        traffic,
        given.names,
        method,
        impressions=impressions,
        seed=seed,
        left_out=left_out,
        user=str(arguments.simulate),
        log=given.log,
    )
    power = beside = None
    if arguments.power:
        power = simulate_power(
            traffic,
            [method],
            impressions,
            np.random.default_rng(seed),
            alpha=given.alpha,
            progress=lambda share: show_progress(share, "power"),
        )
    if arguments.beside:
        beside = compare_with_measure(
            given.runs,
            given.judgements,
            parse_measure(given.measure),
            method,
            given.user,
            impressions=impressions,
            length=length,
            seed=seed,
            weights=dict(given.weights) or None,
            progress=lambda share: show_progress(share, "pairs"),
        )
    return found, power, beside


def _read(arguments: Namespace, given: Interleaved) -> Interleaving:
    source = open_source(arguments.log)
    return read_preference(
        read_interleaving_log(source),
        given.run(0),
        given.run(1),
        given.names,
        arguments.method,
        seed=arguments.seed,
        file=source.name,
    )


def _refuse_simulation(arguments: Namespace) -> None:
    """Raise BadInput where something is asked for that only a simulation can tell."""
    for name in ("power", "beside"):
        if vars(arguments)[name]:
            reason = f"--{name} needs simulated users: give --simulate in place of --log"
            raise BadInput(reason, field=name)


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
    (row,) = found.preference.to_dict("records")
    content: dict[str, Any] = {
        "answer": drop_marks(found.answer),
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
        "interval": found.describe_interval("preference", row),
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
            **count_agreement(beside, found.alpha),
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
    print(drop_marks(found.answer))
    title = f"{found.first} against {found.second}, interleaved"
    rows = found.preference.assign(user=source)
    print("\n" + format_report_table(found, "preference", rows, title=title))
    print(
        f"{count(one.impressions, 'list')}, {one.without_clicks:,} of them without a click, for "
        f"{count(found.topics, 'topic')}"
    )
    if power is not None:
        _print_power(power, found.alpha)
    if beside is not None:
        _print_beside(beside, measure, found.alpha)


def _tidy(number: float) -> int | float:
    """Return a count as a whole number, unless it is only expected."""
    return int(number) if number.is_integer() else number


def _print_power(power: pd.DataFrame, alpha: float) -> None:
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
    print(
        f"\nshare of {number:,} simulated studies with p < {alpha:g}, by how many lists are shown"
    )
    print(format_table(header, rows, digits=2, title="Power by impressions"))


def _print_beside(beside: pd.DataFrame, measure: str, alpha: float) -> None:
    counted = count_agreement(beside, alpha)
    told = drop_marks(tell_agreement(counted, measure))
    print(f"\n{told} Tested by {TESTED_BY}, corrected for all pairs.")
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
