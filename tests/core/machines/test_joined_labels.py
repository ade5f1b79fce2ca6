"""People and a machine on the same items; what is on no scale, and what one side lacks."""

import numpy as np
import pytest

from core.errors import BadInput, TooLittleData
from core.machines.joined_labels import join_labels
from tests.core.machines.made_up import LEVELS, join, make_machine, make_people
from tests.each import each

PEOPLE = [("t", "d", "a", 0), ("t", "d", "b", 1), ("t", "e", "a", 2), ("u", "f", "b", 3)]


def test_items_are_those_of_both():
    joined = join(PEOPLE, [("t", "d", 1), ("t", "x", 0), ("u", "f", 3), ("v", "d", 2)])
    assert joined.ratings.items["document_id"].tolist() == ["d", "f"]
    assert joined.ratings.assessors == ("a", "b", "m")
    assert (joined.items, joined.people, joined.ratings.levels) == (2, ("a", "b"), LEVELS)
    assert (joined.labels, joined.only_machine, joined.only_people) == (4, 2, 1)


def test_what_is_on_no_scale_is_named_and_never_becomes_a_level():
    machine = [("t", "d", 10), ("t", "e", -1), ("u", "f", 3), ("v", "g", 5)]
    joined = join(PEOPLE, machine)
    assert joined.invalid.to_numpy().tolist() == [
        ["t", "d", 10, 2],
        ["t", "e", -1, 1],
        ["v", "g", 5, 0],
    ]
    assert joined.missed.to_dict() == {"a": 2, "b": 1}
    assert joined.ratings.items["document_id"].tolist() == ["f"]
    assert len(joined.ratings.level) == 2
    # The machine has a label for these items, though none that counts.
    assert (joined.only_machine, joined.only_people) == (1, 0)


def test_only_the_pairs_with_the_machine_have_it():
    people = [*PEOPLE, ("t", "e", "b", 2)]
    joined = join(people, [("t", "d", 1), ("t", "e", 2), ("u", "f", 3)])
    names = np.asarray(joined.ratings.assessors)
    blocks = joined.matrices.select(joined.has_machine)
    assert set(zip(names[blocks.first], names[blocks.second], strict=True)) == {
        ("a", "m"),
        ("b", "m"),
    }


@each("name", ["A", "m", "z"])
def test_a_person_stands_in_rows_whatever_the_machine_is_called(name):
    people = make_people([("t", "d", "k", 0), ("t", "e", "k", 1), ("u", "f", "k", 1)])
    given = make_machine([("t", "d", 2), ("t", "e", 1), ("u", "f", 1)])
    joined = join_labels(people, LEVELS, name, given)
    person, topic, counts = joined.beside_people()
    assert [joined.ratings.assessors[one] for one in person] == ["k", "k"]
    assert [joined.ratings.topics[one] for one in topic] == ["t", "u"]
    assert counts.sum(axis=0)[0, 2] == 1
    assert counts.sum(axis=0)[1, 1] == 2
    assert joined.matrix_of("k").tolist() == counts.sum(axis=0).tolist()


def test_items_of_several_people():
    joined = join(PEOPLE, [("t", "d", 1), ("t", "e", 2), ("u", "f", 3)])
    several = joined.among_several()
    assert several.ratings.items["document_id"].tolist() == ["d"]
    alone = join(PEOPLE[2:], [("t", "e", 2), ("u", "f", 3)])
    assert alone.among_several() is alone


def test_snippets_are_matched_by_engine_where_the_machine_has_one():
    people = make_people([("t", "d", "a", 1), ("t", "e", "a", 1)], facet="snippet", engine="x")
    given = make_machine([("t", "d", 2), ("t", "e", 3)])
    with pytest.raises(TooLittleData, match="no item in common; snippets belong to engines"):
        join_labels(people, LEVELS, "m", given)
    assert join_labels(people, LEVELS, "m", given.assign(engine=["x", "y"])).items == 1


def test_labels_without_a_level_are_left_out():
    given = make_machine([("t", "d", 1), ("t", "e", float("nan"))])
    joined = join_labels(make_people(PEOPLE), LEVELS, "m", given)
    assert (joined.labels, len(joined.invalid), joined.only_people) == (1, 0, 2)


def test_what_cannot_be_compared_is_refused():
    people = make_people(PEOPLE)
    with pytest.raises(BadInput, match="a person is called 'a', too"):
        join_labels(people, LEVELS, "a", make_machine([("t", "d", 1)]))
    with pytest.raises(BadInput, match="'m' has two labels for document d of topic t"):
        join_labels(people, LEVELS, "m", make_machine([("t", "d", 1), ("t", "d", 1)]))
    with pytest.raises(BadInput, match="have no column level"):
        join_labels(people, LEVELS, "m", make_machine([]).drop(columns="level"))
    with pytest.raises(TooLittleData, match="'m' and people have no item in common"):
        join_labels(people, LEVELS, "m", make_machine([("x", "d", 1)]))
    for nothing in (make_machine([]), make_machine([("t", "d", np.nan)])):
        with pytest.raises(TooLittleData, match=r"^'m' gave nothing a level$"):
            join_labels(people, LEVELS, "m", nothing)
    with pytest.raises(TooLittleData, match="gave to the 1 item that people judged is on"):
        join_labels(people, LEVELS, "m", make_machine([("t", "d", 7)]))
    with pytest.raises(TooLittleData, match="none of the labels that 'm' gave to the 2 items"):
        join_labels(people, LEVELS, "m", make_machine([("t", "d", 7), ("t", "e", 9)]))
