"""What was changed after seeing others, towards whom, and κ before and after."""

import uuid

import numpy as np
import pytest

from core.analysis.agreement.afterwards import (
    AS_FAR,
    FURTHER,
    KEPT,
    NEARER,
    TAKEN_BACK,
    TO_MAJORITY,
    agreement_before_and_after,
    describe_given,
    looking_of,
    reopened_of,
    was_opened,
)
from core.analysis.base.study import Study, labels_of
from core.analysis.results.past_versions import versions_at
from core.analysis.results.qrels_choices import (
    QrelsChoice,
    after_discussion,
    find_choice,
    list_choices,
    version_of,
)
from core.collection.records import numeric_scale
from core.errors import BadInput
from core.reports.user_model import usual_model
from core.store.content.collections import create_collection
from core.store.content.saved_rules import save_rule
from core.store.events.afterwards import Seeing, allow_seeing, note_item_seen, note_topic_seen
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.versions.rules import QrelsRule
from core.versions.wording import describe_rule
from tests.short import long

OTHERS = {"d1": (3, 3, 1), "d2": (0, 2, 4), "d3": (1, 1, 1), "d4": (0, 4, 4), "d5": (1, 3, 3)}
"""The levels of three others; Anna gave 0 to d1, and 1 elsewhere but 2 to d3 and d5."""
GIVEN = {"d1": 0, "d2": 1, "d3": 2, "d4": 1, "d5": 2}
AFTER = {"d1": 3, "d2": 1, "d3": 4, "d4": 3, "d5": None}
OUTCOMES = {"d1": TO_MAJORITY, "d2": KEPT, "d3": FURTHER, "d4": NEARER, "d5": TAKEN_BACK}


def key(document: str, who: str = "anna", topic: str = "t1") -> Key:
    return Key(topic, document, "page", "", who, 0)


@pytest.fixture
def say(store):
    made = create_collection(store, "Seen", scales={"page": numeric_scale(range(5))})

    def one(item: Key, level: int | None) -> None:
        stands = store.labels.current(made, item.assessor_id).get(item)
        before = stands.event_id if stands else None
        state = "unjudged" if level is None else "level"
        event = LabelEvent(str(uuid.uuid4()), before, item, state, level)
        store.labels.append(made, [event])

    one.collection_id = made
    return one


@pytest.fixture
def collection(store, say) -> str:
    """One topic of five pages by four, and a second one on which all agree."""
    made = say.collection_id
    for who in ("anna", "bob", "carla", "dan"):
        add_member(store, made, who, who.title())
    given = []
    for document, levels in OTHERS.items():
        given.append((key(document), GIVEN[document]))
        for who, level in zip(("bob", "carla", "dan"), levels, strict=True):
            given.append((key(document, who), level))
    for number in range(6):
        for who in ("anna", "bob", "carla", "dan"):
            given.append((key(f"d{number}", who, "t2"), number % 5))
    events = [LabelEvent(str(uuid.uuid4()), None, item, "level", level) for item, level in given]
    store.labels.append(made, events)
    allow_seeing(store, made, Seeing(True))
    return made


@pytest.fixture
def discussed(store, say, collection: str) -> Study:
    note_topic_seen(store, collection, "anna", "t1")
    for document, level in AFTER.items():
        note_item_seen(store, collection, key(document))
        if level != GIVEN[document]:
            say(key(document), level)
    return Study(store, collection, is_masked=False)


def test_each_label_that_was_looked_at_again_has_an_outcome(discussed: Study):
    table = reopened_of(discussed, "page").set_index("document_id")
    assert table["outcome"].to_dict() == OUTCOMES
    assert table["given"].to_dict() == GIVEN
    assert table["said"].dropna().to_dict() == {k: v for k, v in AFTER.items() if v is not None}
    assert table["majority"].dropna().to_dict() == {"d1": 3, "d3": 1, "d4": 4, "d5": 3}
    assert table["median"].to_dict() == {"d1": 3, "d2": 2, "d3": 1, "d4": 4, "d5": 3}
    assert set(table["others"]) == {3}
    assert reopened_of(discussed, "snippet").empty


@long
def test_as_far_on_the_other_side_is_neither_nearer_nor_further(store, collection, say):
    note_topic_seen(store, collection, "anna", "t1")
    note_item_seen(store, collection, key("d2"))
    say(key("d2"), 3)
    table = reopened_of(Study(store, collection, is_masked=False), "page")
    assert table["outcome"].tolist() == [AS_FAR]


def test_others_levels_are_those_they_gave(store, discussed: Study, say):
    """Bob sees, too, and joins Anna's first level: what Anna had seen of him stays."""
    note_topic_seen(store, discussed.collection_id, "bob", "t1")
    say(key("d1", "bob"), 0)
    later = Study(store, discussed.collection_id, is_masked=False)
    table = reopened_of(later, "page").set_index("document_id")
    assert table.loc["d1", "outcome"] == TO_MAJORITY


@long
def test_how_much_was_looked_at(store, collection, discussed: Study):
    looking = looking_of(discussed)
    assert (looking.people, looking.topics, looking.marked) == (1, 1, 4)
    assert was_opened(discussed)
    assert describe_given(discussed) == (
        "labels as given; 4 judgements that assessors made after seeing others' labels are left out"
    )


@long
def test_before_anybody_looks_nothing_is_said(store, collection):
    study = Study(store, collection, is_masked=False)
    assert not was_opened(study)
    assert describe_given(study) == ""
    assert reopened_of(study, "page").empty


def test_agreement_is_of_labels_as_given_and_beside_it_of_those_after(discussed: Study):
    rows = agreement_before_and_after(discussed, "page").set_index("labels")
    assert list(rows.index) == ["as given", "after discussion"]
    fresh = agreement_before_and_after(
        Study(discussed.store, discussed.collection_id, is_masked=True), "page"
    )
    assert rows["value"].tolist() == pytest.approx(fresh["value"].tolist())
    assert rows.loc["as given", "n"] == 66
    assert rows.loc["after discussion", "n"] == 63
    assert not np.isclose(*rows["value"])


@long
def test_a_viewer_sees_codes(discussed: Study):
    masked = Study(discussed.store, discussed.collection_id, is_masked=True)
    table = reopened_of(masked, "page")
    assert "anna" not in set(table["assessor_id"])
    assert table.set_index("document_id")["outcome"].to_dict() == OUTCOMES


def levels(study: Study, choice: QrelsChoice) -> dict[str, int]:
    frame = version_of(study, choice).frame
    return dict(frame.loc[frame["topic_id"] == "t1", ["document_id", "level"]].itertuples(False))


def test_versions_are_as_given_unless_their_rule_says_after_discussion(discussed: Study):
    only = QrelsRule("only Anna", combine="first", assessors=("anna",))
    choice = QrelsChoice(only.name, only)
    assert levels(discussed, choice) == GIVEN
    after = after_discussion(choice)
    assert levels(discussed, after) == {k: v for k, v in AFTER.items() if v is not None}
    assert after.rule.rule_hash != only.rule_hash
    assert QrelsRule.from_json(after.rule.to_json()) == after.rule
    assert "discussed" not in only.to_json()
    assert "Labels after discussion." in describe_rule(after.rule)


@long
def test_a_version_of_an_earlier_event_is_as_it_was_in_both_forms(store, discussed: Study):
    rule = QrelsRule("talked over", combine="first", assessors=("anna",), discussed=True)
    save_rule(store, discussed.collection_id, rule.name, rule.to_json())
    last = discussed.sequence
    model = usual_model({one: str(one) for one in range(5)})
    for until, expected in ((last - 4, GIVEN), (last - 3, GIVEN | {"d1": 3})):
        made = versions_at(discussed, "page", model, until)[rule.name].version
        frame = made.frame[made.frame["topic_id"] == "t1"]
        assert dict(frame[["document_id", "level"]].itertuples(index=False)) == expected
    maximum = versions_at(discussed, "page", model, last - 1)["all, maximum"].version
    assert maximum.n_labels == 44


def test_imported_qrels_have_no_discussion():
    with pytest.raises(BadInput, match="not made from labels"):
        after_discussion(QrelsChoice("imported: q", None))


@long
def test_the_labels_of_a_study_are_as_given(discussed: Study):
    labels = labels_of(discussed)
    own = labels[(labels["assessor_id"] == "anna") & (labels["topic_id"] == "t1")]
    assert dict(own[["document_id", "given_level"]].itertuples(index=False)) == GIVEN


@long
def test_the_usual_versions_do_without_what_was_said_afterwards(discussed: Study):
    before = levels(discussed, find_choice(discussed, "all, minimum"))
    assert before["d1"] == 0
    after = after_discussion(find_choice(discussed, "all, minimum"))
    assert levels(discussed, after)["d1"] == 1
    assert "all, minimum" in list_choices(discussed, "page", usual_model({0: "a", 4: "b"}))
