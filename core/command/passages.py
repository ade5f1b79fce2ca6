"""``dissent passages``: how far assessors marked the same passages."""

from argparse import Namespace
from typing import Any

import pandas as pd

from core.analysis.agreement.passages import agreement_on_passages, count_unlike, passages_by_item
from core.analysis.base.study import Study
from core.collection.records import FACETS
from core.command.printing.output import describe_interval, print_json, print_notes, with_reason
from core.command.printing.tables import Cell, format_interval, format_table, name_units
from core.command.stores import open_collection

_OF_ITEM = ("engine", "assessors", "characters", "f1")


def run(arguments: Namespace) -> int:
    """Print the agreement on passages of each facet."""
    facets = [arguments.facet] if arguments.facet else FACETS
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=True)
        found = {facet: agreement_on_passages(study, facet) for facet in facets}
        items = {facet: passages_by_item(study, facet) for facet in facets}
        unlike = {facet: count_unlike(study, facet) for facet in facets}
    print_notes(
        f"{facet}: labels with passages in another version of the text, left out: {number:,}"
        for facet, number in unlike.items()
        if number
    )
    if arguments.format == "json":
        print_json(_make_content(found, items))
    else:
        print(_write_tables(found))
    return 0


def _make_content(
    found: dict[str, pd.DataFrame], items: dict[str, pd.DataFrame]
) -> dict[str, list[dict[str, Any]]]:
    titles = {"topic_id": "topic", "document_id": "document"}
    named = {
        facet: one[[*titles, *_OF_ITEM]].rename(columns=titles) for facet, one in items.items()
    }
    return {
        "overall": [
            _entry(facet, row) for facet, table in found.items() for row in table.to_dict("records")
        ],
        "items": [
            {"facet": facet, **{str(name): value for name, value in row.items()}}
            for facet, table in named.items()
            for row in table.to_dict("records")
        ],
    }


def _entry(facet: str, row: dict[Any, Any]) -> dict[str, Any]:
    numbers = {name: row[name] for name in ("n", "value", "low", "high")}
    entry = {"facet": facet, "name": row["coefficient"], **numbers}
    return with_reason(entry | {"interval": describe_interval(row)}, row["reason"])


def _write_tables(found: dict[str, pd.DataFrame]) -> str:
    rows: list[list[Cell]] = [
        [
            facet,
            row["coefficient"],
            row["n"],
            format_interval(row["value"], row["low"], row["high"]),
            row["reason"],
        ]
        for facet, table in found.items()
        for row in table.to_dict("records")
    ]
    table = format_table(
        ["passages of a", "coefficient", "items", "value [95 %]", ""],
        rows,
        title="Agreement on passages",
    )
    return f"{table}\n{name_units(pd.concat(found.values()))}"
