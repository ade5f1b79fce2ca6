import json
from dataclasses import replace

import pytest

from core.errors import BadInput
from core.versions.combine import COMBINATIONS
from core.versions.rules import QrelsRule
from tests.each import each

RULES = [
    QrelsRule("all"),
    QrelsRule("snippets", "snippet", "sum", groups=("students", "lancers"), judges=2),
    QrelsRule("a slot", combine="first", slots=(2, 1), topics=("t2", "t1"), assessors=("ö",)),
    QrelsRule("pairs", combine="combined", pair_weights=[(2, 1, 0.4), (1, 2, 1)], factor=1000),
    QrelsRule("rounds", rounds=("r-1", "r-2")),
    QrelsRule("weights", combine="udm", weights={1: 0.28, 0: 0, 3: 1}, factor=100, rounding="up"),
]


@each(
    ("rule", "known"),
    [
        (RULES[0], "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
        (RULES[2], "23a5895813ca6ac12e2d397f4775ff39d1c7b5a0069daca702629591e6938b2d"),
    ],
)
def test_hashes_of_rules_from_before_rounds_were_known_stay(rule, known):
    assert rule.rule_hash == known
    assert "rounds" not in rule.to_json()
    assert replace(rule, rounds=("r-2", "r-1", "r-2")).rounds == ("r-1", "r-2")
    assert replace(rule, rounds=("r-1",)).rule_hash != known


@each("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_comes_back_from_json(rule):
    assert QrelsRule.from_json(rule.to_json()) == rule


def test_json_states_only_what_differs_from_the_default():
    assert json.loads(RULES[0].to_json()) == {"name": "all"}
    assert json.loads(RULES[5].to_json())["weights"] == [[0, 0.0], [1, 0.28], [3, 1.0]]
    assert json.loads(RULES[3].to_json()) == {
        "name": "pairs",
        "combine": "combined",
        "pair_weights": [[1, 2, 1.0], [2, 1, 0.4]],
        "factor": 1000,
    }


def test_the_hash_is_of_what_a_rule_says_not_of_its_name():
    renamed = QrelsRule("another", combine="first", slots=(1, 2, 2), topics=("t1", "t2"))
    same = QrelsRule("one", combine="first", slots=(2, 1), topics=("t2", "t1"))
    assert renamed.rule_hash == same.rule_hash
    assert len({rule.rule_hash for rule in RULES}) == len(RULES)


def test_names_and_origins_are_kept_but_not_hashed():
    plain = QrelsRule("a", combine="udm", weights={1: 1}, topics=("t",))
    told = QrelsRule(
        "a",
        combine="udm",
        weights={1: 1},
        topics=("t",),
        topic_set="one",
        weights_from="good lists",
    )
    assert QrelsRule.from_json(told.to_json()) == told != plain
    assert told.rule_hash == plain.rule_hash


def test_the_hash_is_the_same_in_every_release():
    """SHA-256 of '{}': versions that were stored keep their identity."""
    empty = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert QrelsRule("all").rule_hash == empty


def test_other_weights_of_pairs_are_another_rule():
    first, second = (
        QrelsRule("one", combine="combined", pair_weights=[(1, 1, weight)]) for weight in (1, 0.5)
    )
    assert first.rule_hash != second.rule_hash
    turned = QrelsRule("x", combine="combined", pair_weights=RULES[3].pair_weights[::-1])
    assert replace(turned, factor=1000).rule_hash == RULES[3].rule_hash


@each(
    ("fields", "message"),
    [
        ({"facet": "title"}, "'title' is none of snippet, page"),
        ({"combine": "average"}, "none of " + ", ".join(COMBINATIONS)),
        ({"rounding": "off"}, "none of nearest, down, up"),
        ({"slots": (0,)}, "from 1"),
        ({"judges": 0}, "from 1"),
        ({"factor": 0}, "from 1"),
        ({"combine": "udm"}, "'udm' needs them"),
        ({"weights": {1: 1}}, "weights belong to 'udm'"),
        ({"combine": "combined"}, "'combined' needs them"),
        ({"pair_weights": [(1, 1, 1)]}, "weights of pairs belong to 'combined'"),
        (
            {"combine": "combined", "pair_weights": [(1, 1, 1)], "facet": "snippet"},
            "takes both facets",
        ),
        ({"combine": "combined", "pair_weights": [(1, 1, 1), (1, 1, 0)]}, "two weights"),
        ({"combine": "combined", "pair_weights": [(1, 1, -1)]}, "a number from 0"),
        ({"discussed": 1}, "labels are discussed, true, or not, false"),
        ({"combine": "combined", "pair_weights": [(1, 1, float("nan"))]}, "a number from 0"),
    ],
)
def test_an_unfit_rule_says_why(fields, message):
    with pytest.raises(BadInput, match=message):
        QrelsRule("odd", **fields)


@each(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"name": "x", "colour": "red"}',
        '{"name": "x", "slots": ["one"]}',
        '{"name": "x", "combine": "combined", "pair_weights": [[1, 1]]}',
    ],
)
def test_json_that_is_no_rule_is_refused(text):
    with pytest.raises(BadInput, match="not a qrels rule"):
        QrelsRule.from_json(text)


def test_levels_are_made_whole_or_not():
    with pytest.raises(BadInput, match="made whole, true, or not"):
        QrelsRule("v", whole="yes")
    kept = QrelsRule("v", combine="mean")
    assert "whole" not in kept.to_json()
    assert QrelsRule.from_json(replace(kept, whole=True).to_json()).whole
