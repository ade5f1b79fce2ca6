"""``dissent machines`` for people: tables of what was found."""

import pandas as pd

from core.command.printing.reports import format_report_table
from core.reports.machines import MachineAudit

SHOWN = 20
"""Rows in the tables; JSON has them all."""

_COEFFICIENTS = ("kappa", "kappa(linear)", "kappa(quadratic)", "raw", "alpha(ordinal)")
"""What a line for each pair has room for, in the order of the tables."""

_TABLES = ("pairs", "people", "shifts", "distributions", "near", "alternative", "invalid")


def print_audit(found: MachineAudit) -> None:
    """Print what was found of all machines."""
    print("\n".join(found.verdicts.values()) + "\n")
    for name in _TABLES:
        if name == "alternative":
            print("\n".join(one.describe() for one in found.alternative_tests.values()) + "\n")
        rows = _choose(found.table(name))
        if table := format_report_table(found, name, rows, most=SHOWN):
            print(f"{table}\n")


def _choose(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of those coefficients that there is room for."""
    return table[table["coefficient"].isin(_COEFFICIENTS)] if "coefficient" in table else table
