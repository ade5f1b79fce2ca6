"""Machines beside people as pages show them: the same numbers as from plain tables."""

import pytest

from core.analysis.base.study import Study, labels_of, labels_of_all
from core.analysis.machines.audit import (
    AlternativeSettings,
    alternative_test_of,
    audit_of,
    compare_machines,
    comparison_of,
)
from core.errors import TooLittleData
from core.reports.machines import MachineAudit
from core.store.content.collections import create_collection
from tests.core.analysis.machines.conftest import bring
from tests.short import long


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


def test_machines_that_share_items_with_people_are_compared_the_highest_first(study):
    rows = compare_machines(study, "page")
    assert rows["name"].tolist() == [
        *("llm (machine)", "people, on items of llm (machine)", "mute (machine)"),
    ]
    row = comparison_of(study, "page", "llm").iloc[0]
    assert rows["value"].tolist()[:2] == [row["machine_value"], row["people_value"]]
    assert rows["n"].tolist()[:2] == [180, 180]
    assert rows["counted"].tolist() == [True, True, False]


@long
def test_people_have_one_row_where_all_machines_judged_the_same(held):
    store, _ = held
    made = create_collection(store, "Twice")
    people = [f"{who}\tt{n % 4}\td{n}\t{n % 3}" for who in "ab" for n in range(40)]
    bring(store, made, "labels", ["assessor\ttopic\tdocument\tlevel", *people])
    for name, step in (("poor", 2), ("good", 3)):
        lines = [f"t{n % 4} 0 d{n} {n % step}" for n in range(40)]
        bring(store, made, "labels", lines, machine=name)
    rows = compare_machines(Study(store, made, is_masked=False), "page")
    assert rows["name"].tolist() == [
        "good (machine)", "poor (machine)", "people, on the same items",
    ]  # fmt: skip
    assert rows["value"].iloc[0] == rows["value"].iloc[2] == 1


def test_nothing_in_common_is_said(study):
    with pytest.raises(TooLittleData, match=r"'apart \(machine\)' and people have no item"):
        audit_of(study, "page", "apart")


def test_without_machines_there_is_no_row(study):
    assert compare_machines(study, "snippet").empty
