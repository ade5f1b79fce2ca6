"""Rules in words."""

from core.versions.combine import COMBINATIONS, PAIR, PREFERENCE
from core.versions.rules import QrelsRule
from core.versions.wording import COMBINED, describe_rounding, describe_rule
from tests.each import each


def test_every_way_to_combine_has_words():
    assert set(COMBINED) == {*COMBINATIONS, PREFERENCE, PAIR}


@each(
    ("fields", "words"),
    [
        ({}, "The highest level of each page, by all assessors."),
        ({"slots": (1, 2, 4)}, "by the first, second and 4th assessor of each topic."),
        ({"assessors": ("a", "b")}, "by only Ann and b."),
        ({"assessors": ("a",), "groups": ("x",)}, "by only Ann, only group x."),
        ({"facet": "snippet"}, "The best snippet of a document counts."),
        ({"judges": 2}, "At most the first 2 labels of an item."),
        ({"topics": ("t1", "t2")}, "Only 2 topics."),
        ({"aspect": "trust"}, "Levels are those of the aspect trust."),
        ({"discussed": True}, "Labels after discussion."),
        ({"rounds": ("r-1", "r-2")}, "Only labels given in Round 1 and r-2."),
        ({"topics": ("t1",), "topic_set": "high agreement"}, "Only 1 topic, high agreement."),
        ({"combine": "udm", "weights": {0: 0, 1: 1 / 3}}, "Weights 0 → 0, 1 → 0.333."),
        (
            {"combine": "udm", "weights": {1: 1}, "weights_from": "good lists"},
            "Weights 1 → 1, estimated from good lists.",
        ),
        (
            {"combine": "combined", "pair_weights": [(1, 0, 0), (1, 1, 0.25), (2, 1, 1)]},
            "levels (snippet, page) of each result of an engine, by all assessors. "
            "Weights (2, 1) → 1, (1, 1) → 0.25, every other pair listed → 0.",
        ),
    ],
)
def test_rules_are_told_in_words(fields, words):
    assert words in describe_rule(QrelsRule("v", **fields), {"a": "Ann"}, {"r-1": "Round 1"})


def test_without_names_ids_stand():
    assert "only a" in describe_rule(QrelsRule("v", assessors=("a",)))


def test_how_levels_are_made_whole_is_told():
    rule = QrelsRule("v", combine="mean", factor=1000, whole=True)
    assert "Levels are made whole: times 1,000, to the nearest, halves up." in describe_rule(rule)
    assert describe_rounding(QrelsRule("v", rounding="down")) == "down"
