"""Counts in words."""

from core.command.printing.tables import format_counts


def test_one_is_singular_and_zeros_are_left_out():
    counts = {
        "collections": 1,
        "label_events": 1,
        "people": 1,
        "entries": 1,
        "topics": 22,
        "runs": 0,
    }
    assert format_counts(counts) == "1 collection, 1 label event, 1 person, 1 entry, 22 topics"
    assert format_counts({"topics": 0}) == "nothing"
