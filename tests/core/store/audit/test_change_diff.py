"""Alterations in words: only what differs, and nothing that could be taken for another field."""

from core.store.audit.change_diff import describe_change, describe_import


def test_only_what_differs_is_told():
    before = {"level": 2, "why": "Old.", "group": "a"}
    after = {"level": 3, "why": "New.", "group": "a"}
    assert describe_change(before, after) == 'level: 2 → 3; why: "Old." → "New."'
    assert describe_change(before, before) == ""


def test_what_was_not_there_is_none():
    assert describe_change({}, {"closed": True}) == "closed: none → yes"
    assert describe_change({"closed": False}, {}) == "closed: no → none"


def test_a_text_cannot_pass_for_another_field():
    told = describe_change({}, {"why": '1"; level: 0 → 3\n'})
    assert told == 'why: none → "1\\"; level: 0 → 3\\n"'


def test_an_import_says_what_was_read_and_what_was_new():
    added = {"already there": 2, "topics": 3, "runs": 0}
    assert (
        describe_import({"topics": 5}, "mine", added) == 'read 5 topics as "mine"; added 3 topics'
    )
    assert describe_import({"topics": 5}, "", {"topics": 0}) == "read 5 topics; added nothing"
