"""A version with a machine's labels says so in a bundle and in a paper pack."""

import json

import pytest

from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import find_choice
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.bundle.reproduction import reproduce
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.paper.tables import tabulate_versions
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales
from core.store.people.roster import MACHINE, RosterEntry, edit_roster
from core.versions.rules import QrelsRule
from tests.core.bundle.conftest import TEST
from tests.short import long

PEOPLE = "assessor\ttopic\tdocument\tlevel\n" + "".join(
    f"{who}\tt1\td{n}\t{(n + place) % 3}\n" for place, who in enumerate("ab") for n in range(4)
)


@pytest.fixture
def study(store):
    here = create_collection(store, "Judged")
    options = {"scales": get_scales(store, here)}
    imported = read_import("labels", Source("f.tsv", PEOPLE.encode()), **options)
    write_import(store, here, imported)
    qrels = "".join(f"t1 0 d{n} 3\n" for n in range(4)).encode()
    machine = read_import("labels", Source("m.qrels", qrels), machine="llm", **options)
    write_import(store, here, machine)
    rule = QrelsRule("with a machine", combine="mean", assessors=("a", "llm"))
    save_rule(store, here, rule.name, rule.to_json())
    return Study(store, here, is_masked=False)


@long
def test_a_bundle_names_it_and_does_not_blame_the_labels(study):
    chosen = Choices(
        versions=["all, maximum", "with a machine"], labels=True, imported_labels=True, test=TEST
    )
    made = make_bundle(study, chosen)
    entries = read_archive(made.content, "b.zip")
    assert "qrels/02-with-a-machine-in-whole-levels.qrels" in entries
    told = json.loads(entries["study.json"])
    assert [one["name"] for one in told["versions"]] == [
        "all, maximum",
        "with a machine, in whole levels",
    ]
    assert "with a machine" in entries["README.md"].decode()
    assert "llm" not in entries["study.json"].decode()
    labels = entries["labels/labels.csv"].decode()
    assert len(labels.splitlines()) == 1 + 2 * 4
    found = reproduce(made.content, name="b.zip")
    assert found.is_reproduced
    parts = {one.entry: (one.status, one.reason) for one in found.parts}
    assert parts["qrels/01-all-maximum.qrels"] == ("equal", "")
    assert parts["qrels/02-with-a-machine-in-whole-levels.qrels"] == (
        "not checked",
        "it takes labels of a machine, which no bundle holds",
    )


@long
def test_a_rule_saved_before_its_member_was_a_machine_is_marked_all_the_same(study):
    rule = QrelsRule("mine", assessors=("a", "b"))
    save_rule(study.store, study.collection_id, rule.name, rule.to_json())
    edit_roster(study.store, study.collection_id, {"b": RosterEntry("", MACHINE)})
    seen = Study(study.store, study.collection_id, is_masked=False)
    choice = find_choice(seen, "mine")
    assert choice.name == "mine (machine)"
    assert find_choice(seen, "mine (machine)") == choice
    (table,) = tabulate_versions(seen, [choice])
    assert "mine (machine)" in str(table)
    assert "a and b (machine)" in str(table)
    masked = find_choice(Study(study.store, study.collection_id, is_masked=True), "mine")
    assert masked.name == "mine (machine)"
