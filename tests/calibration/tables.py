"""The handbook's tables of what limits cover and how often tests err."""

import re
from collections.abc import Mapping
from typing import Any

from tests.calibration.coverage import SIZES
from tests.calibration.registry import FAMILIES, TESTS
from tests.docs import lay_out, put_in, read_table

Found = Mapping[tuple[str, str, int], list[Any]]
"""What came of the studies of each family, model and size."""


def put_in_docs(found: Found) -> None:
    """Renew both tables of the handbook."""
    put_in({"coverage": write_coverage(found), "error rates": write_error_rates(found)})


def write_coverage(found: Found) -> str:
    """Return a row for each family of limits: the lowest coverage and the widest, by size."""
    rows = []
    for family in FAMILIES:
        cells = []
        for size in SIZES:
            ones = [
                one for model in family.models for one in found.get((family.title, model, size), [])
            ]
            cells.append(_write_cover(ones, family.compared) if ones else "")
        rows.append((family.title, family.sampled, *cells))
    return lay_out(("95 % limits of", "sampled", *map(str, SIZES)), rows)


def _write_cover(ones: list[Any], compared: tuple[float, float]) -> str:
    absent = max(one.absent for one in ones)
    if absent == 1:
        return "none"
    lowest = min(one.covered for one in ones if one.absent < 1)
    widest = max(one.width for one in ones if compared[0] < one.truth < compared[1])
    text = f"{lowest:.3f} × {widest:.2f}"
    return f"{text}, {absent:.1%} none" if absent >= 0.0005 else text


def write_error_rates(found: Found) -> str:
    """Return a row for each test: its highest rate under each null, and its power by size."""
    rows = []
    for test in TESTS:
        nulls = [
            f"{model} {_highest(found, test.title, model, test.sizes):.3f}" for model in test.nulls
        ]
        powers = [
            f"{size}: {_mean(found, test.title, tuple(test.others), size):.2f}"
            for size in test.sizes
        ]
        rows.append((test.title, test.sampled, "; ".join(nulls), ", ".join(powers)))
    header = ("test", "sampled", "highest error rate at α = .05", "share found, by size")
    return lay_out(header, rows)


def _highest(found: Found, title: str, model: str, sizes: tuple[int, ...]) -> float:
    return max(one.rate for size in sizes for one in found[title, model, size])


def _mean(found: Found, title: str, models: tuple[str, ...], size: int) -> float:
    shares = [one.found for model in models for one in found[title, model, size]]
    return sum(shares) / len(shares)


def read_rows(name: str) -> dict[str, list[str]]:
    """Return the cells of a table of the handbook by its first column."""
    return part_rows(read_table(name))


def part_rows(table: str) -> dict[str, list[str]]:
    """Return the cells of a table in Markdown by its first column."""
    lines = table.splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[1:] for row in rows}


def read_cell(cell: str) -> tuple[float, float]:
    """Return the lowest coverage and the largest mean width that a cell tells."""
    found = re.match(r"([\d.]+) × ([\d.]+)", cell)
    assert found, f"the table has no numbers in '{cell}'"
    return float(found[1]), float(found[2])


def lay_side_by_side(before: str, name: str) -> str:
    """Return a table of the handbook beside what a page that was had in its place."""
    then = part_rows(before.partition(f"<!-- {name} -->\n")[2].partition("<!-- end -->")[0])
    now = read_rows(name)
    of = now.get(next(iter(now)), [])
    rows = []
    for title in (*now, *(one for one in then if one not in now)):
        there, here = (part.get(title, [""] * len(of)) for part in (then, now))
        cells = [one if one == other else f"{other or '–'} → {one or '–'}"
                 for one, other in zip(here[1:], there[1:], strict=True)]  # fmt: skip
        rows.append((title, *cells))
    header = re.split(r" *\| *", read_table(name).splitlines()[0].strip("| "))
    return lay_out((header[0], *header[2:]), rows)
