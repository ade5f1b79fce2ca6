import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput, TooLittleData
from core.versions.combine import COMBINATIONS
from core.versions.rules import QrelsRule
from core.versions.versions import (
    make_whole,
    qrels_from_labels,
    standard_rules,
)
from core.versions.wording import describe_ties

COLUMNS = ["assessor_id", "topic_id", "document_id", "level", "group"]


def labels_of(rows, **columns):
    frame = pd.DataFrame(rows, columns=COLUMNS).astype({"level": "float64"})
    frame = frame.assign(facet="page", engine="", occasion=0, state="level")
    return frame.assign(sequence=range(1, len(frame) + 1), **columns)


@pytest.fixture
def labels():
    return labels_of(
        [
            ("ann", "t1", "x", 3, "experts"),
            ("ben", "t1", "x", 1, "crowd"),
            ("cleo", "t1", "x", 1, "crowd"),
            ("ben", "t1", "y", 2, "crowd"),
            ("ann", "t1", "y", 0, "experts"),
            ("cleo", "t1", "y", 3, "crowd"),
            ("cleo", "t2", "z", 2, "crowd"),
            ("ann", "t2", "z", 3, "experts"),
            ("ben", "t2", "z", 0, "crowd"),
        ]
    )


def levels(labels, **fields):
    version = qrels_from_labels(labels, QrelsRule("v", **fields))
    return version.frame["level"].tolist()


@pytest.mark.parametrize(
    ("combine", "expected"),
    [
        ("sum", [5, 5, 5]),
        ("mean", [5 / 3] * 3),
        ("median", [1, 2, 2]),
        ("majority", [1, 0, 0]),
        ("majority-highest", [1, 3, 3]),
        ("minimum", [1, 0, 0]),
        ("maximum", [3, 3, 3]),
        ("first", [3, 2, 2]),
        ("udm", [1.6 / 3, 1.5 / 3, 1.5 / 3]),
    ],
)
def test_ways_to_combine(labels, combine, expected):
    weights = {0: 0, 1: 0.3, 2: 0.5, 3: 1} if combine == "udm" else {}
    assert levels(labels, combine=combine, weights=weights) == pytest.approx(expected)


def test_every_way_to_combine_is_tested_above():
    tested = [mark.args[1] for mark in test_ways_to_combine.pytestmark]
    elsewhere = {"adjudicated", "majority-untied"}
    assert {combine for combine, _ in tested[0]} == set(COMBINATIONS) - elsewhere


def test_a_tied_majority_takes_the_lowest_of_the_tied_levels():
    votes = {"a": 3, "b": 1, "c": 1, "d": 3}
    tied = labels_of([(name, "t", "x", level, "") for name, level in votes.items()])
    assert levels(tied, combine="majority") == [1]
    assert levels(tied, combine="majority-highest") == [3]
    with pytest.raises(TooLittleData, match="several levels are equally frequent on every item"):
        levels(tied, combine="majority-untied")


def test_an_item_without_a_majority_is_counted_and_may_be_left_out():
    votes = [("a", "x", 3), ("b", "x", 1), ("a", "y", 2), ("b", "y", 2), ("c", "y", 0)]
    labels = labels_of([(who, "t", document, level, "") for who, document, level in votes])
    lowest = qrels_from_labels(labels, QrelsRule("v", combine="majority"))
    assert (lowest.frame["level"].tolist(), lowest.tied, lowest.undecided) == ([1, 2], 1, 0)
    untied = qrels_from_labels(labels, QrelsRule("v", combine="majority-untied"))
    assert (untied.frame["level"].tolist(), untied.tied, untied.undecided) == ([2], 0, 1)
    assert untied.n_labels == 3
    assert [describe_ties(one) for one in (lowest, untied)] == [
        ["Several levels are equally frequent, and the lowest counts: 1 item."],
        ["Left out because several levels are equally frequent: 1 item."],
    ]


def test_without_ties_there_is_nothing_to_tell(labels):
    assert describe_ties(qrels_from_labels(labels, QrelsRule("v"))) == []


def test_dl19_has_few_majorities(shared_data):
    """Of what two people have judged, more than half has two levels."""
    labels = pd.read_csv(shared_data / "dl19" / "labels.tsv", sep="\t", dtype={"topic": "str"})
    rows = labels[["assessor", "topic", "document", "level"]].astype(
        {"document": "str", "assessor": "str"}
    )
    frame = labels_of([(*row, "") for row in rows.itertuples(index=False, name=None)])
    version = qrels_from_labels(frame, QrelsRule("v", combine="majority"))
    judged = frame.groupby(["topic_id", "document_id"]).size()
    assert (version.tied, int((judged == 2).sum())) == (1581, 2710)


def test_the_frame_is_qrels_in_order_with_whole_levels_where_all_are_whole(labels):
    version = qrels_from_labels(labels.sample(frac=1, random_state=1), QrelsRule("v"))
    assert version.frame.values.tolist() == [
        ["t1", "0", "x", 3],
        ["t1", "0", "y", 3],
        ["t2", "0", "z", 3],
    ]
    assert list(version.frame) == ["topic_id", "iteration", "document_id", "level"]
    assert version.frame["level"].dtype == np.int64
    assert (version.gmax, version.last_sequence, version.n_labels) == (3, 9, 9)


def test_selections(labels):
    assert levels(labels, assessors=("ben",)) == [1, 2, 0]
    assert levels(labels, groups=("crowd",), combine="maximum") == [1, 3, 2]
    assert levels(labels, topics=("t2",)) == [3]
    assert levels(labels, judges=1) == [3, 2, 2]
    assert levels(labels, judges=2, combine="minimum") == [1, 0, 2]


def test_slots_are_the_assessors_of_each_topic_in_order_of_their_first_label_there(labels):
    assert levels(labels, slots=(1,)) == [3, 0, 2]
    assert levels(labels, slots=(2,)) == [1, 2, 3]
    assert levels(labels, slots=(1,), groups=("crowd",)) == [1, 2, 2]
    assert levels(labels, slots=(1, 3), combine="sum") == [4, 3, 2]


def test_only_opinions_count(labels):
    labels.loc[0, "state"] = "cannot judge"
    labels.loc[0, "level"] = np.nan
    labels.loc[5, "occasion"] = 1
    labels.loc[7, "facet"] = "snippet"
    assert levels(labels) == [1, 2, 2]
    assert levels(labels.drop(columns="occasion")) == [1, 3, 2]


def test_a_version_stops_at_an_event(labels):
    early = qrels_from_labels(labels, QrelsRule("v"), until_sequence=4)
    assert early.frame["level"].tolist() == [3, 2]
    assert early.last_sequence == 4
    assert qrels_from_labels(labels, QrelsRule("v"), until_sequence=100).last_sequence == 100


def test_without_a_sequence_the_order_of_the_rows_stands_in(labels):
    bare = labels.drop(columns=["sequence", "engine", "occasion", "group"])
    version = qrels_from_labels(bare, QrelsRule("v", combine="first"))
    assert version.frame["level"].tolist() == [3, 2, 2]
    assert version.last_sequence == 0
    with pytest.raises(BadInput, match="sequence"):
        qrels_from_labels(bare, QrelsRule("v"), until_sequence=3)
    with pytest.raises(BadInput, match="'group'"):
        qrels_from_labels(bare, QrelsRule("v", groups=("crowd",)))


def test_a_sum_has_a_finer_scale_and_refuses_unequal_numbers_of_labels(labels):
    rule = QrelsRule("sum", combine="sum")
    assert qrels_from_labels(labels, rule, top_level=3).gmax == 9
    assert qrels_from_labels(labels[labels["level"] < 3], QrelsRule("v")).gmax == 2
    with pytest.raises(BadInput, match="1 of 3 items do not have 3 labels"):
        qrels_from_labels(labels.iloc[1:], rule)
    assert levels(labels.iloc[1:], combine="sum", judges=2) == [2, 2, 5]


def test_udm_is_the_mean_weight_on_the_scale_of_the_weights(labels):
    rule = QrelsRule("udm", combine="udm", weights={0: 0, 1: 0.2, 2: 0.4, 3: 0.9})
    assert qrels_from_labels(labels, rule, top_level=3).gmax == 0.9
    with pytest.raises(BadInput, match="no level 0, 2"):
        levels(labels, combine="udm", weights={1: 0.3, 3: 1})


def test_a_document_is_as_good_as_the_best_of_its_snippets():
    rows = [("ann", "t", "x", 0, ""), ("ben", "t", "x", 1, "")] * 2 + [("ann", "t", "x", 3, "")]
    snippets = labels_of(rows, facet="snippet", engine=["e1", "e1", "e2", "e2", "e3"])
    snippets["level"] = [0.0, 1.0, 2.0, 3.0, 2.0]
    assert levels(snippets, facet="snippet", combine="minimum") == [2]
    assert levels(snippets, facet="snippet", combine="mean") == [2.5]
    assert levels(snippets, facet="snippet", judges=1, combine="sum") == [2]


def test_a_page_is_shared_by_its_engines(labels):
    assert levels(labels.assign(engine=list("abcabcabc")), combine="sum") == [5, 5, 5]


def test_nothing_to_combine_is_too_little_data(labels):
    with pytest.raises(TooLittleData, match="'nobody' finds no label"):
        qrels_from_labels(labels, QrelsRule("nobody", assessors=("dora",)))


def test_levels_are_made_whole_as_another_version(labels):
    def rounded(**fields):
        made = qrels_from_labels(labels, QrelsRule("v", **fields))
        whole = make_whole(made)
        assert whole.rule.name == ("v" if made.is_whole else "v, in whole levels")
        assert whole.gmax == (made.gmax if made.is_whole else round(made.gmax * whole.rule.factor))
        assert whole.frame["level"].max() <= whole.gmax
        assert (whole.content_hash == made.content_hash) == whole.frame.equals(made.frame)
        again = qrels_from_labels(labels, whole.rule)
        assert again.frame.equals(whole.frame)
        assert again.is_whole
        assert make_whole(again) is again
        frame = whole.frame
        assert frame["level"].dtype == np.int64
        return frame["level"].tolist()

    assert rounded(combine="mean") == [2, 2, 2]
    assert rounded(combine="mean", rounding="down") == [1, 1, 1]
    assert rounded(combine="mean", rounding="up") == [2, 2, 2]
    assert rounded(combine="mean", factor=10) == [17, 17, 17]
    halves = {"combine": "median", "slots": (1, 2)}
    assert rounded(**halves) == [2, 1, 3]
    assert rounded(**halves, rounding="down") == [2, 1, 2]
    tenths = {"combine": "udm", "weights": {0: 0.1, 1: 0.1, 2: 0.1, 3: 0.1}}
    assert rounded(**tenths, factor=30, rounding="up") == [3, 3, 3]


def test_the_content_hash_is_of_the_judgements(labels):
    def content(frame, **fields):
        return qrels_from_labels(frame, QrelsRule("v", **fields)).content_hash

    assert content(labels) == content(labels.sample(frac=1, random_state=2), judges=3)
    assert content(labels) != content(labels, combine="minimum")
    assert content(labels) != content(labels.replace("x", "w"))
    assert len(content(labels)) == 64


def test_standard_rules_offer_the_slots_that_every_topic_has(labels):
    names = [rule.name for rule in standard_rules(labels)]
    assert names[3:] == ["slot 1", "slot 2", "slot 3"]
    short = labels.drop(index=8)
    assert [rule.slots for rule in standard_rules(short)][3:] == [(1,), (2,)]
    assert len(standard_rules(labels[labels["assessor_id"] == "ann"])) == 3
    assert len(standard_rules(labels, "snippet")) == 3
    crowd = pd.concat([labels.assign(assessor_id=f"w{number}") for number in range(8)])
    assert [rule.slots for rule in standard_rules(crowd)][3:] == [(n,) for n in range(1, 6)]
    assert all(len(qrels_from_labels(labels, rule).frame) for rule in standard_rules(labels))


def test_dl19_has_a_first_and_a_second_slot(shared_data):
    labels = pd.read_csv(shared_data / "dl19" / "labels.tsv", sep="\t", dtype="str")
    labels.columns = pd.Index(["assessor_id", "topic_id", "document_id", "level"])
    labels = labels.astype({"level": "float64"}).assign(facet="page", state="level")
    rules = standard_rules(labels)
    assert [rule.slots for rule in rules][3:] == [(1,), (2,)]
    versions = [qrels_from_labels(labels, rule, top_level=3) for rule in rules]
    everything = labels.drop_duplicates(["topic_id", "document_id"])
    assert [len(version.frame) for version in versions[:3]] == [len(everything)] * 3
    expected = labels.groupby(["topic_id", "document_id"])["level"].max()
    assert versions[0].frame["level"].tolist() == expected.tolist()


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_combined_levels_lie_between_the_lowest_and_the_highest(given_levels):
    rows = [(f"a{number}", "t", "x", level, "") for number, level in enumerate(given_levels)]
    labels = labels_of(rows)
    for combine in ("mean", "median", "majority", "minimum", "maximum", "first"):
        (level,) = levels(labels, combine=combine)
        assert min(given_levels) <= level <= max(given_levels)
        assert combine != "majority" or given_levels.count(level) == max(
            map(given_levels.count, given_levels)
        )
