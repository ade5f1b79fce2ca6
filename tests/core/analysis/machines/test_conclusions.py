"""What follows from a machine's labels in a collection: the same as from plain tables."""

import dataclasses

import pytest

from core.analysis.machines.conclusions import (
    MachineQuestion,
    conclusions_of,
    estimation_of,
    lineage_of,
    list_people_versions,
    plain_runs,
    qrels_of,
)
from core.errors import BadInput, TooLittleData
from core.machines.mixed_qrels import PEOPLE
from core.measures.catalogue import parse_measure
from core.reports.conclusions import draw_conclusions
from core.store.content.saved_rules import save_rule
from core.versions.rules import QrelsRule
from tests.core.analysis.machines.conftest import BY_PEOPLE, TOPICS, bring
from tests.short import long


@pytest.fixture
def question(study) -> MachineQuestion:
    return MachineQuestion(
        "page", "llm", list_people_versions(study, "page")["all, median"], "nDCG@10"
    )


@long
def test_versions_of_people_are_on_the_scale_and_without_machines(study, held):
    store, collection = held
    for rule in (
        QrelsRule("with llm (machine)", assessors=("ann", "llm")),
        QrelsRule("of ann", assessors=("ann",)),
        QrelsRule("added up", combine="sum"),
    ):
        save_rule(store, collection, rule.name, rule.to_json())
    bring(store, collection, "qrels", ["t0 0 d0 1"], name="elsewhere")
    names = {one.name for one in list_people_versions(study, "page").values()}
    assert {"all, maximum", "all, median", "of ann", "imported: elsewhere"} <= names
    assert not any("llm" in name or "added" in name or "UDM" in name for name in names)


def test_conclusions_are_those_of_the_same_qrels(study, question):
    people, machine = qrels_of(study, question)
    assert set(people.frame["topic_id"]) == set(BY_PEOPLE)
    assert set(machine["topic_id"]) == set(TOPICS)
    measure = parse_measure("nDCG@10")
    plain = draw_conclusions(plain_runs(study), people, {"llm (machine)": machine}, measure)
    found = conclusions_of(study, question)
    assert found.scores.equals(plain.scores)
    assert found.rankings.equals(plain.rankings)
    assert list(found.sources["source"]) == [
        PEOPLE, "llm (machine)", "people, else llm (machine)",
    ]  # fmt: skip


def test_a_lineage_is_compared_over_topics_and_over_runs(study, question):
    by_topic, by_run = lineage_of(study, question, ("good",))
    assert (by_topic.unit, by_topic.members, by_topic.others) == ("topic", 1, 2)
    assert by_topic.units == len(BY_PEOPLE)
    gains = conclusions_of(study, question).gains.set_index("system")
    assert by_topic.value == pytest.approx(gains.loc["good", "relative"])
    assert by_run.reason.startswith("limits over runs need 3")
    with pytest.raises(BadInput, match="not none and not all"):
        lineage_of(study, question, ())


def test_the_estimate_takes_topics_that_only_the_machine_judged(study, question):
    found = estimation_of(study, question, False)
    assert set(found.systems["n_human"]) == {len(BY_PEOPLE)}
    assert set(found.systems["n_machine"]) == {len(TOPICS) - len(BY_PEOPLE)}
    scores = conclusions_of(study, question).scores
    by_people = scores[scores["source"] == PEOPLE].set_index("system")["value"]
    classical = found.systems[found.systems["estimate"] == "classical"].set_index("system")
    assert classical["value"].to_dict() == pytest.approx(by_people.to_dict())
    exact = estimation_of(study, question, True)
    assert exact.systems["low"][exact.systems["estimate"] == "machine_only"].isna().all()


def test_an_estimate_says_why_there_is_none(study, question):
    with pytest.raises(TooLittleData):
        estimation_of(study, dataclasses.replace(question, machine="mute"), False)
