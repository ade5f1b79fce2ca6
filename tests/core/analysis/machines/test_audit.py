"""Machines beside people as pages show them: the same numbers as from plain tables."""

import pytest

from core.analysis.base.study import labels_of, labels_of_all
from core.analysis.frames.machines import MachineAudit
from core.analysis.machines.audit import (
    AlternativeSettings,
    alternative_test_of,
    audit_of,
    compare_machines,
    comparison_of,
)
from core.errors import TooLittleData


def test_it_is_the_audit_of_the_same_labels(study):
    everybody = labels_of_all(study)
    given = everybody[everybody["assessor_id"] == "llm"][["topic_id", "document_id", "level"]]
    plain = MachineAudit(labels_of(study), {"llm": given}, "page", (0, 1, 2, 3))
    found = audit_of(study, "page", "llm")
    columns = ["person", "n", "coefficient", "value", "low", "high"]
    assert found.pairs[columns].equals(plain.pairs[columns])
    assert found.scale == (0, 1, 2, 3)
    assert set(found.pairs["machine"]) == {"llm (machine)"}


def test_the_alternative_test_follows_its_settings(study):
    usual = alternative_test_of(study, "page", "llm", AlternativeSettings())
    plain = audit_of(study, "page", "llm").alternative_tests["llm (machine)"]
    assert usual.defined
    assert (usual.omega, usual.rho) == (plain.omega, plain.rho)
    strict = alternative_test_of(study, "page", "llm", AlternativeSettings(0.0, "rmse", 5))
    assert strict.epsilon == 0
    assert (strict.annotators["p"] > usual.annotators["p"]).all()
    nobody = alternative_test_of(study, "page", "llm", AlternativeSettings(fewest_items=10_000))
    assert not nobody.defined


def test_machines_that_share_items_with_people_are_compared(study):
    rows = compare_machines(study, "page").set_index("name")
    row = comparison_of(study, "page", "llm").iloc[0]
    assert rows.loc["llm (machine) with people", "value"] == row["machine_value"]
    people = rows.loc["people, on items of llm (machine)"]
    assert (people["value"], people["n"]) == (row["people_value"], 180)
    assert not any("apart" in name for name in rows.index)


def test_nothing_in_common_is_said(study):
    with pytest.raises(TooLittleData, match=r"'apart \(machine\)' and people have no item"):
        audit_of(study, "page", "apart")


def test_without_machines_there_is_no_row(study):
    assert compare_machines(study, "snippet").empty
