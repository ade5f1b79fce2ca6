"""The machines of a collection and their labels, for whoever looks."""

from datetime import UTC, datetime

import pytest

from core.analysis.base.study import Study
from core.analysis.machines.machine_labels import (
    count_states,
    has_machines,
    labels_of_machine,
    machine_rule,
    machines_of,
    was_asked_here,
)
from core.analysis.results.qrels_choices import QrelsChoice, version_of
from core.store.content.collections import create_collection
from core.store.machines.jobs import JobItem, JobRecord, insert_job
from core.store.people.pseudonyms import assessor_codes
from tests.core.analysis.machines.conftest import DOCUMENTS, TOPICS


def test_machines_go_by_marked_names(study):
    assert machines_of(study, "page") == {
        "apart": "apart (machine)", "llm": "llm (machine)", "mute": "mute (machine)",
    }  # fmt: skip
    assert machines_of(study, "snippet") == {}
    assert has_machines(study)


def test_a_collection_without_machines_has_none(held):
    store, _ = held
    empty = create_collection(store, "Nobody judged")
    assert not has_machines(Study(store, empty, is_masked=False))


def test_who_may_not_know_names_sees_codes(masked, study, held):
    codes = assessor_codes(*held, ["llm", "mute", "apart"])
    assert set(machines_of(masked, "page")) == set(codes.values())
    assert count_states(masked, "page", codes["mute"]) == count_states(study, "page", "mute")


def test_every_state_is_counted_and_only_levels_are_labels(study):
    counts = count_states(study, "page", "mute")
    assert counts == {"level": 1, "cannot judge": 1, "invalid answer": 1}
    rows = labels_of_machine(study, "page", "mute")
    assert rows.to_dict("records") == [
        {"topic_id": "t0", "document_id": "d0", "engine": "", "level": 2}
    ]


@pytest.mark.parametrize("seen_by", ["study", "masked"])
def test_the_rule_of_a_machine_takes_its_labels_alone(request, held, seen_by):
    seen = request.getfixturevalue(seen_by)
    machine = assessor_codes(*held, ["llm"])["llm"] if seen.is_masked else "llm"
    rule = machine_rule(seen, "page", machine)
    version = version_of(seen, QrelsChoice(rule.name, rule))
    assert version.assessors == (machine,)
    assert len(version.frame) == len(TOPICS) * len(DOCUMENTS)


def test_whether_a_machine_was_asked_here_is_known(study, masked, held):
    store, collection = held
    assert not was_asked_here(study, "llm")
    job = JobRecord(
        "job-1", collection, "llm", "", datetime(2026, 1, 2, tzinfo=UTC), "http://127.0.0.1/v1",
        "m", "", "{}", "{}", 1,
    )  # fmt: skip
    event = "5a0f8f0e-6c1c-4a53-9d0b-0e9f6f1f8a31"
    insert_job(store, job, [JobItem(1, event, "t0", "d0", "page", "")])
    assert was_asked_here(Study(store, collection, is_masked=False), "llm")
    assert not was_asked_here(Study(store, collection, is_masked=False), "mute")
    assert was_asked_here(masked, assessor_codes(*held, ["llm"])["llm"])
