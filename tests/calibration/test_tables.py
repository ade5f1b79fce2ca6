"""The tables of coverage and error rates: complete, within what is promised, and true."""

import re

import pytest

from tests.calibration.coverage import SIZES, Family
from tests.calibration.error_rates import TestFamily
from tests.calibration.registry import FAMILIES, TESTS
from tests.calibration.tables import lay_side_by_side, read_cell, read_rows
from tests.calibration.test_error_rates import MOST
from tests.calibration.test_limits import BELOW, LEAST, TOO_WIDE, WIDEST


def test_every_family_has_its_row():
    rows = read_rows("coverage")
    assert list(rows) == [family.title for family in FAMILIES]
    for family in FAMILIES:
        sampled, *cells = rows[family.title]
        assert sampled == family.sampled
        told = [size for size, cell in zip(SIZES, cells, strict=True) if cell]
        assert told == [size for size in SIZES if size in family.sizes]
    assert list(read_rows("error rates")) == [test.title for test in TESTS]


ERROR = (LEAST * (1 - LEAST) / 4_000) ** 0.5
"""The standard error where less was found: of four times as many studies."""


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.title)
def test_no_default_covers_less_than_promised_or_is_too_wide(family: Family):
    if not family.is_default:
        pytest.skip("asked for by name")
    for size, cell in zip(SIZES, read_rows("coverage")[family.title][1:], strict=True):
        if size in family.sizes:
            covered, width = read_cell(cell)
            row = (family.title, size)
            assert (covered < LEAST) == (row in BELOW)
            assert covered >= LEAST - 2 * ERROR
            assert (width > WIDEST[size]) == (row in TOO_WIDE)


@pytest.mark.parametrize("test", TESTS, ids=lambda one: one.title)
def test_no_default_errs_more_often_than_promised(test: TestFamily):
    if not test.is_default:
        pytest.skip("asked for by name")
    rates = [
        float(rate) for rate in re.findall(r" (\d\.\d{3})", read_rows("error rates")[test.title][1])
    ]
    assert len(rates) == len(test.nulls)
    assert max(rates) <= MOST


def test_what_was_stands_beside_what_is():
    (first, cells), (second, others) = [*read_rows("coverage").items()][:2]
    then = "<!-- coverage -->\n| a |\n| - |\n" + "".join(
        f"| {' | '.join(row)} |\n"
        for row in ((first, cells[0], "0.800 × 1.00", *cells[2:]), ("Gone", *cells))
    )
    lines = lay_side_by_side(f"{then}<!-- end -->\n", "coverage").splitlines()
    assert lines[2] == f"| {first} | 0.800 × 1.00 → {cells[1]} | {' | '.join(cells[2:])} |"
    assert lines[3].startswith(f"| {second} | – → {others[1]} | ")
    assert lines[-1].startswith(f"| Gone | {cells[1]} → – | ")
