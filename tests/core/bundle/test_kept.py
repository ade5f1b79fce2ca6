"""Bundles of earlier releases, kept as files, are computed anew as they were made.

All are of the study of `tests.core.api.made_up`, made by release 0.9.0: one with everything, one
without its labels, and one whose labels use three levels of a scale of four. That release took the
highest level that occurs for the scale's, and called rounded versions by the name of what they
were rounded from.
"""

from pathlib import Path

import pytest

from core.bundle.reproduction import EQUAL, UNCHECKED, reproduce

KEPT = sorted((Path(__file__).parent / "kept").glob("*.zip"))


def test_three_are_kept():
    assert [one.stem for one in KEPT] == ["open", "unused-top", "without-labels"]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_every_table_and_version_comes_out_as_it_was(path):
    found = reproduce(path)
    assert found.changes == ()
    assert found.is_reproduced
    reasons = {one.entry: one.reason for one in found.parts if one.reason.startswith("not comp")}
    otherwise = {"rank_correlation": "p", "significance": "low, high, reason"}
    if path.stem != "without-labels":
        otherwise |= {"agreement": "low, high", "agreement_pairs": "low, high"}
        otherwise |= {"weights": "low, high, weight_low, weight_high"}
    wanted = {f"tables/{table}.csv": columns for table, columns in otherwise.items()}
    if path.stem != "without-labels":
        wanted["methods.md"] = "limits"
    begun = "not compared, as found otherwise since: "
    assert reasons == {entry: begun + columns for entry, columns in wanted.items()}
    states = {one.entry: one.status for one in found.parts if one.entry.startswith(("tab", "qr"))}
    allowed = {EQUAL, UNCHECKED} if path.stem == "without-labels" else {EQUAL}
    assert set(states.values()) <= allowed
    assert {"tables/means.csv", "tables/significance.csv"} <= {
        entry for entry, state in states.items() if state == EQUAL
    }
