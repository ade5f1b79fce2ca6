"""Machine members and gold stay out of κ and versions, everywhere, and only from now on."""

import uuid

import pytest

from core.agreement.coefficients import Kappa
from core.agreement.confusion import confusion_matrices
from core.agreement.pooled import overall_agreement
from core.analysis.agreement.preferences import preferences_of
from core.analysis.base.labels import describe_left_out, names_of, people_of, ratings_of
from core.analysis.base.study import (
    Study,
    coded_labels_of,
    labels_of,
    labels_of_all,
    scales_of,
)
from core.analysis.judging.progress import ask_progress
from core.analysis.results.past_versions import versions_at
from core.analysis.results.qrels_choices import find_choice, version_of
from core.analysis.results.version_scores import judges_of
from core.api.calls.agreement import agreement
from core.api.calls.store_frames import open_store
from core.collection.records import counted_levels
from core.reports.user_model import usual_model
from core.store.content.collections import create_collection
from core.store.content.saved_rules import save_rule
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.pseudonyms import assessor_codes
from core.store.people.roster import RosterEntry, edit_roster
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.short import few, long

GIVEN = {"ann": (0, 1, 2, 3), "bob": (0, 2, 2, 1), "llm": (3, 3, 3, 3)}
MACHINE = {"llm": RosterEntry("", "machine")}


def judge(store: Store, collection: str, who: str, document: str, level: int) -> None:
    key = Key("t1", document, "page", "", who, 0)
    store.labels.append(collection, [LabelEvent(str(uuid.uuid4()), None, key, "level", level)])


@pytest.fixture
def collection(store):
    made = create_collection(store, "Small")
    for who, levels in GIVEN.items():
        add_member(store, made, who, who.capitalize(), origin="imported")
        for place, level in enumerate(levels):
            judge(store, made, who, f"d{place}", level)
    return made


def study(store, collection, *, is_masked=False) -> Study:
    return Study(store, collection, is_masked=is_masked)


def kappa(seen: Study) -> float:
    matrices = confusion_matrices(ratings_of(seen, "page"))
    return float(overall_agreement(matrices, [Kappa()])["value"].iloc[0])


def model(seen: Study):
    return usual_model(counted_levels(scales_of(seen)["page"]))


def test_until_somebody_is_marked_everybody_counts(store, collection):
    seen = study(store, collection)
    assert set(labels_of(seen)["assessor_id"]) == set(GIVEN)
    assert coded_labels_of(seen) is store.current_labels.get(collection, seen.sequence)
    assert describe_left_out(seen) == ""


@pytest.mark.parametrize("is_masked", few([False, True]))
def test_a_machine_is_left_out_of_agreement_progress_and_versions(store, collection, is_masked):
    alone = kappa(study(store, collection, is_masked=is_masked))
    edit_roster(store, collection, MACHINE)
    seen = study(store, collection, is_masked=is_masked)
    codes = assessor_codes(store, collection, GIVEN) if is_masked else {one: one for one in GIVEN}
    persons = {codes["ann"], codes["bob"]}
    assert kappa(seen) != alone
    assert set(ratings_of(seen, "page").assessors) == persons
    assert set(people_of(seen)["assessor_id"]) == persons
    assert set(ask_progress(seen).people["assessor_id"]) == persons
    assert set(coded_labels_of(seen)["assessor_id"]) == persons
    topics = coded_labels_of(seen)["topic_id"]
    assert topics.cat.categories.tolist() == ["t1"]
    assert set(labels_of_all(seen)["assessor_id"]) == set(codes.values())
    assert set(names_of(seen)) == set(codes.values())
    version = version_of(seen, find_choice(seen, "all, maximum", "page"))
    assert set(version.assessors) == persons
    assert version.frame["level"].tolist() == [0, 2, 2, 3]
    assert describe_left_out(seen) == "1 machine member left out"


@long
def test_a_rule_that_names_its_assessors_keeps_them(store, collection):
    rule = QrelsRule("mine", "page", "maximum", assessors=("ann", "llm"))
    save_rule(store, collection, "mine", rule.to_json())
    before = version_of(study(store, collection), find_choice(study(store, collection), "mine"))
    edit_roster(store, collection, MACHINE)
    seen = study(store, collection)
    mine = find_choice(seen, "mine")
    assert version_of(seen, mine).content_hash == before.content_hash
    assert judges_of(seen, mine) == {"t1": ["ann", "llm"]}
    only = version_of(seen, find_choice(seen, "only Llm", "page"))
    assert only.frame["level"].tolist() == [3, 3, 3, 3]


def test_a_version_as_of_an_event_before_the_mark_has_its_hash_still(store, collection):
    seen, last = study(store, collection), store.labels.sequence(collection)
    before = versions_at(seen, "page", model(seen))["all, maximum"].version.content_hash
    edit_roster(store, collection, MACHINE)
    judge(store, collection, "ann", "d9", 1)
    now = study(store, collection)
    then = versions_at(now, "page", model(now), last)
    assert then["all, maximum"].version.content_hash == before
    assert then["only Llm"].version.frame["level"].tolist() == [3, 3, 3, 3]
    judge(store, collection, "bob", "d9", 1)
    later = study(store, collection)
    made = versions_at(later, "page", model(later), last + 1)["all, maximum"].version
    assert set(made.assessors) == {"ann", "bob"}
    assert "only Llm" in versions_at(later, "page", model(later), last + 1)


@long
def test_preferences_of_machines_are_left_out_too(store, collection):
    with store.database.write() as cursor:
        cursor.execute(
            "INSERT INTO pairs VALUES (?, 't1', 'p', 'documents', 'd0', 'd1')", [collection]
        )
    for who in ("ann", "llm"):
        key = Key("t1", "p", "page pair", "first", who, 0)
        store.labels.append(collection, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    assert set(preferences_of(study(store, collection))["assessor_id"]) == {"ann", "llm"}
    edit_roster(store, collection, MACHINE)
    assert set(preferences_of(study(store, collection))["assessor_id"]) == {"ann"}


@long
def test_only_machines_have_judged(store, collection):
    edit_roster(store, collection, {one: RosterEntry("", "machine") for one in GIVEN})
    seen = study(store, collection)
    assert labels_of(seen).empty
    assert describe_left_out(seen) == "3 machine members left out"
    assert set(versions_at(seen, "page", model(seen))) == {
        f"only {one.capitalize()}" for one in GIVEN
    }
    edit_roster(store, collection, {"bob": RosterEntry("", "gold"), "ann": RosterEntry("")})
    assert describe_left_out(study(store, collection)) == "1 machine member and gold left out"


def test_pages_commands_and_the_api_agree(store, collection, tmp_path):
    edit_roster(store, collection, MACHINE)
    seen = study(store, collection)
    version = version_of(seen, find_choice(seen, "all, maximum", "page"))
    store.close()
    with open_store(tmp_path / "store.duckdb") as read:
        assert read.qrels("all, maximum").equals(version.frame)
        assert sorted(read.assessors()["kind"]) == ["machine", "person", "person"]


@long
def test_the_api_gives_the_labels_that_count_unless_everybodys_are_wanted(
    store, collection, tmp_path
):
    on_the_page = [kappa(study(store, collection))]
    edit_roster(store, collection, MACHINE)
    on_the_page.append(kappa(study(store, collection)))
    store.close()
    with open_store(tmp_path / "store.duckdb", names=True) as read:
        assert set(read.labels()["assessor_id"]) == {"ann", "bob"}
        assert set(read.labels(everybody=True)["assessor_id"]) == set(GIVEN)
        said = read.preferences(everybody=True).drop(columns="assessor_kind")
        assert read.preferences().equals(said)
        found = [
            agreement(read.labels(everybody=everybody), ["kappa"]).overall["value"].iloc[0]
            for everybody in (True, False)
        ]
    assert found == on_the_page
