import numpy as np
import pandas as pd
import pytest

from core.agreement import ratings as ratings_module
from core.agreement.ratings import ratings_from_labels
from core.errors import BadInput
from tests.each import each

ROWS = [
    ("t2", "d1", "zoe", 2),
    ("t1", "d2", "ann", 0),
    ("t1", "d2", "zoe", 3),
    ("t1", "d1", "ann", 2),
]


def test_labels_become_codes_sorted_by_item_and_assessor(make_labels):
    ratings = ratings_from_labels(make_labels(ROWS), "page", [0, 1, 2, 3])
    assert ratings.assessors == ("ann", "zoe")
    assert ratings.topics == ("t1", "t2")
    assert ratings.levels == (0, 1, 2, 3)
    assert ratings.items.to_numpy().tolist() == [
        ["t1", "d1", ""],
        ["t1", "d2", ""],
        ["t2", "d1", ""],
    ]
    assert ratings.item.tolist() == [0, 1, 1, 2]
    assert ratings.assessor.tolist() == [0, 0, 1, 1]
    assert ratings.level.tolist() == [2, 0, 3, 2]
    assert ratings.topic.tolist() == [0, 0, 0, 1]


def test_without_a_scale_the_levels_are_those_that_occur(make_labels):
    ratings = ratings_from_labels(make_labels(ROWS), "page")
    assert ratings.levels == (0, 2, 3)
    assert ratings.level.tolist() == [1, 0, 2, 1]


def test_a_level_given_only_in_a_repeat_is_on_the_scale(make_labels):
    again = make_labels([*ROWS, ("t1", "d1", "ann", 1)], occasion=[0, 0, 0, 0, 1])
    ratings = ratings_from_labels(again, "page")
    assert ratings.levels == (0, 1, 2, 3)
    assert ratings.level.tolist() == [2, 0, 3, 2]


def test_order_of_rows_does_not_matter(make_labels):
    one = ratings_from_labels(make_labels(ROWS), "page")
    other = ratings_from_labels(make_labels(ROWS[::-1]), "page")
    for name in ("item", "assessor", "level", "topic"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_many_ids_and_categories_change_nothing(make_labels, monkeypatch):
    labels = make_labels(ROWS, engine="one")
    one = ratings_from_labels(labels, "page")
    ids = ["topic_id", "document_id", "assessor_id", "engine", "facet", "state"]
    coded = ratings_from_labels(labels.astype(dict.fromkeys(ids, "category")), "page")
    monkeypatch.setattr(ratings_module, "_KEYS_AT_ONCE", 0)
    for other in (coded, ratings_from_labels(labels, "page")):
        assert (one.assessors, one.topics) == (other.assessors, other.topics)
        pd.testing.assert_frame_equal(one.items, other.items)
        for name in ("item", "assessor", "level", "topic"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_only_first_levels_of_the_facet_are_taken(make_labels):
    labels = pd.concat(
        [
            make_labels([("t", "d", "a", 1)]),
            make_labels([("t", "d", "a", 0)], occasion=1),
            make_labels([("t", "d", "b", float("nan"))], state="cannot judge"),
            make_labels([("t", "d", "c", float("nan"))], state="later"),
            make_labels([("t", "d", "d", 2)], facet="snippet", engine="e1"),
        ]
    )
    ratings = ratings_from_labels(labels, "page")
    assert ratings.assessors == ("a",)
    assert ratings.level.tolist() == [1]
    assert ratings.levels == (0, 1)


def test_each_engines_snippet_is_its_own_item(make_labels):
    labels = make_labels([("t", "d", "a", 1), ("t", "d", "a", 2)], facet="snippet")
    labels["engine"] = pd.Series(["e1", "e2"], dtype="str")
    items = ratings_from_labels(labels, "snippet").items
    assert items["engine"].tolist() == ["e1", "e2"]


def test_a_missing_engine_is_no_engine(make_labels):
    labels = make_labels(ROWS, engine=pd.Series([None] * 4, dtype="str"))
    assert set(ratings_from_labels(labels, "page").items["engine"]) == {""}


def test_nullable_integer_levels_are_read(make_labels):
    labels = make_labels(ROWS).astype({"level": "Int64"})
    assert ratings_from_labels(labels, "page").levels == (0, 2, 3)


@each("levels", [None, [0, 1]])
def test_nothing_judged_gives_empty_ratings(make_labels, levels):
    ratings = ratings_from_labels(make_labels([]), "page", levels)
    assert len(ratings.item) == len(ratings.items) == 0
    assert ratings.levels == tuple(levels or ())


def test_a_level_off_the_scale_is_refused(make_labels):
    with pytest.raises(BadInput, match=r"3 is not a level of the scale 0, 1, 2"):
        ratings_from_labels(make_labels(ROWS), "page", [0, 1, 2])


@each("level", [float("nan"), 1.5, float("inf")])
def test_a_level_that_is_no_grade_is_refused(make_labels, level):
    with pytest.raises(BadInput, match="is not a level"):
        ratings_from_labels(make_labels([*ROWS, ("t", "d", "a", level)]), "page")
    with pytest.raises(BadInput, match="is not a level"):
        ratings_from_labels(make_labels([*ROWS, ("t", "d", "a", level)]), "page", [0, 1, 2, 3])


def test_a_missing_id_is_refused(make_labels):
    labels = make_labels(ROWS)
    labels.loc[1, "assessor_id"] = None
    with pytest.raises(BadInput, match="assessor_id"):
        ratings_from_labels(labels, "page")


def test_two_labels_of_one_assessor_on_one_item_are_refused(make_labels):
    with pytest.raises(BadInput, match="ann has more than one label on topic t1, document d1"):
        ratings_from_labels(make_labels([*ROWS, ("t1", "d1", "ann", 0)]), "page")


def test_some_items_keep_assessors_topics_and_levels(make_labels):
    ratings = ratings_from_labels(make_labels(ROWS), "page")
    chosen = ratings.select((ratings.items["document_id"] == "d1").to_numpy())
    assert chosen.items.to_numpy().tolist() == [["t1", "d1", ""], ["t2", "d1", ""]]
    assert chosen.items.index.tolist() == chosen.item.tolist() == [0, 1]
    assert [ratings.assessors[code] for code in chosen.assessor] == ["ann", "zoe"]
    assert [ratings.topics[code] for code in chosen.topic] == ["t1", "t2"]
    assert [ratings.levels[code] for code in chosen.level] == [2, 2]
    for name in ("assessors", "topics", "levels"):
        assert getattr(chosen, name) == getattr(ratings, name)
