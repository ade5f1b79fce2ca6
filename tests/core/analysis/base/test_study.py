"""What is kept of a study: once for each state, choices by place, masked apart."""

import uuid

import pytest

from core.analysis.base.study import Study, follows_labels, stands_apart_from_labels
from core.store.content.collections import create_collection
from core.store.events.labels import Key, LabelEvent

COMPUTED: list[tuple[str, str]] = []


@follows_labels
def moving(study: Study, choice: str) -> str:
    COMPUTED.append(("moving", choice))
    return choice


@stands_apart_from_labels
def standing(study: Study, choice: str) -> str:
    COMPUTED.append(("standing", choice))
    return choice


def test_labels_move_what_follows_them_only(store):
    collection_id = create_collection(store, "Small")
    COMPUTED.clear()
    for _ in range(2):
        study = Study(store, collection_id, is_masked=False)
        assert (moving(study, "a"), standing(study, "a")) == ("a", "a")
    key = Key("t", "d", "page", "", "anna", 0)
    store.labels.append(collection_id, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    later = Study(store, collection_id, is_masked=False)
    assert (moving(later, "a"), standing(later, "a")) == ("a", "a")
    assert COMPUTED == [("moving", "a"), ("standing", "a"), ("moving", "a")]


def test_who_may_not_see_names_gets_nothing_kept_for_others(store):
    collection_id = create_collection(store, "Small")
    COMPUTED.clear()
    for is_masked in (False, True, False):
        moving(Study(store, collection_id, is_masked=is_masked), "a")
    assert len(COMPUTED) == 2


def test_choices_are_given_by_place(store):
    study = Study(store, create_collection(store, "Small"), is_masked=False)
    with pytest.raises(TypeError, match="choice"):
        moving(study, choice="a")
    with pytest.raises(TypeError, match="is_masked"):
        Study(store, "c")
