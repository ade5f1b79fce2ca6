"""``dissent merge``: two stores in which the same collection was judged apart, as one."""

import csv
import io
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.collection.files.source import Source
from core.command.printing.output import print_json
from core.command.printing.tables import format_counts, format_table
from core.errors import BadInput, NotFound
from core.store.merge.events import Conflict, LastJudgement
from core.store.merge.merge import MergeReport, merge_stores

_KEY = ("collection", "topic", "document", "facet", "engine", "assessor", "occasion")
_COLUMNS = ["second", "first"]


def run(arguments: Namespace) -> int:
    """Merge, or tell what merging would do."""
    for path in (arguments.first, arguments.second):
        if not path.exists():
            raise NotFound(f"There is no store {path}.")
    people = read_mapping(arguments.map) if arguments.map else {}
    report = merge_stores(
        arguments.first,
        arguments.second,
        arguments.into,
        people=people,
        rehearse=arguments.dry_run,
    )
    if arguments.format == "json":
        print_json({"store": str(arguments.into), **describe_merge(report, arguments.dry_run)})
    else:
        print("\n\n".join(_tell(report, arguments)))
    return 1 if report.obstacles else 0


def read_mapping(path: Path) -> dict[str, str]:
    """Return who of the second store is who of the first.

    Raises
    ------
    BadInput
        It is no table with the two columns, or names somebody twice.
    """
    mapping: dict[str, str] = {}
    rows = csv.reader(io.StringIO(_read_text(path), newline=""), delimiter="\t")
    try:
        if next(rows, []) != _COLUMNS:
            raise BadInput("the first line is 'second', a tab, 'first'", file=path.name, line=1)
        for row in rows:
            if len(row) != len(_COLUMNS) or not all(cell.strip() for cell in row):
                raise BadInput("a line has two names", file=path.name, line=rows.line_num)
            second, first = (cell.strip() for cell in row)
            if second in mapping:
                raise BadInput(f"'{second}' stands here twice", file=path.name, line=rows.line_num)
            mapping[second] = first
    except csv.Error as error:
        raise BadInput(f"not a table: {error}", file=path.name, line=rows.line_num) from error
    return mapping


def _read_text(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise BadInput("this is no file", file=path.name)
    return Source(path.name, path).text


def describe_merge(report: MergeReport, rehearsed: bool) -> dict[str, Any]:
    """Return a report as JSON has it."""
    events = report.events
    return {
        "dry_run": rehearsed,
        "obstacles": list(report.obstacles),
        "collections": [asdict(one) for one in report.collections],
        "people": [asdict(one) for one in report.people],
        "differences": [asdict(one) for one in report.differences],
        "events": None
        if events is None
        else {
            "first": events.first,
            "second": events.second,
            "shared": events.shared,
            "merged": events.merged,
        },
        "conflicts": [] if events is None else [_describe(one) for one in events.conflicts],
        "surplus": [asdict(one) for one in report.surplus],
        "settings": [
            {**asdict(one), "first": _say(one.first), "second": _say(one.second)}
            for one in report.settings
        ],
        "left": dict(report.left),
        "written": dict(report.rows),
    }


def _describe(conflict: Conflict) -> dict[str, Any]:
    return {
        **dict(zip(_KEY, conflict.key, strict=True)),
        "first": _describe_judgement(conflict.first),
        "second": _describe_judgement(conflict.second),
        "current": conflict.current,
        "same": conflict.is_same,
    }


def _describe_judgement(judgement: LastJudgement) -> dict[str, Any]:
    return {**asdict(judgement), "time": str(judgement.time)}


def _say(value: Any) -> Any:
    return value if isinstance(value, int | float | str | None) else str(value)


def _tell(report: MergeReport, arguments: Namespace) -> Iterator[str]:
    done = "would hold" if arguments.dry_run else "holds"
    if report.obstacles:
        yield "The stores cannot be merged as they are:\n" + "\n".join(
            f"- {one}" for one in report.obstacles
        )
    yield _table(
        "Collections",
        ["of SECOND", "name", "in OUT", "by"],
        [[one.second, one.name, one.first, one.how] for one in report.collections],
    )
    yield _table(
        "People",
        ["of SECOND", "name", "in OUT", "by"],
        [[one.second, one.name, one.first, one.how] for one in report.people],
    )
    if report.events is not None:
        yield from _tell_events(report, f"{arguments.into} {done}")
    if report.settings:
        yield _table(
            "Settings that differ; those of FIRST hold",
            ["table", "where", "what", "FIRST", "SECOND"],
            [
                [one.table, one.where, one.column, _shorten(one.first), _shorten(one.second)]
                for one in report.settings
            ],
        )
    if any(report.left.values()):
        yield f"Not carried over: {format_counts(_some(report.left))}"


def _tell_events(report: MergeReport, begin: str) -> Iterator[str]:
    events = report.events
    assert events is not None
    yield (
        f"{begin} {events.merged:,} label events: {events.first:,} of FIRST, {events.second:,} of "
        f"SECOND, {events.shared:,} of them in both."
    )
    if events.conflicts:
        yield _table(
            "Two current labels of one person for one item; the later one is current",
            [*_KEY[1:], "FIRST", "SECOND", "same"],
            [
                [
                    *(str(part) for part in one.key[1:]),
                    _level(one.first),
                    _level(one.second),
                    "yes" if one.is_same else "no",
                ]
                for one in events.conflicts
            ],
        )
    if report.surplus:
        yield _table(
            "Batches with more assessors than asked for; all keep their places",
            ["round", "topic", "batch", "asked for", "there"],
            [
                [one.round_id, one.topic_id, one.batch + 1, one.wanted, one.held]
                for one in report.surplus
            ],
        )
    yield f"{begin}: {format_counts(_some(report.rows))}"


def _table(title: str, header: list[str], rows: list[list[Any]]) -> str:
    return f"{title}\n{format_table(header, rows)}"


def _level(judgement: LastJudgement) -> str:
    return judgement.state if judgement.level is None else str(judgement.level)


def _shorten(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _some(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}
