"""Levels that labels use, beside those that scales define."""

import pytest
from pandas import DataFrame

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.labels.level_use import (
    compare_levels,
    is_as_defined,
    levels_beyond,
    list_facets,
    plain_scale,
)
from core.collection.records import default_scales, numeric_scale
from core.errors import BadInput
from tests.each import each


def use_of(*levels: str) -> DataFrame:
    rows = [f"a\t1\td{n}\t{level}" for n, level in enumerate(levels)]
    text = "\n".join(["assessor\ttopic\tdocument\tlevel", *rows])
    options = {"scales": default_scales(), "beyond": True}
    labels = read_import("labels", Source("f", text.encode()), **options).frames["labels"]
    return compare_levels(labels, default_scales())


def test_levels_defined_and_used_stand_together():
    use = use_of("0", "Rel", "1", "Nav", "7", "cannot judge")
    assert list(use.columns) == ["facet", "level", "name", "labels"]
    assert use.fillna("–").to_numpy().tolist() == [
        ["page", 0.0, "Non", 1],
        ["page", 1.0, "Rel", 2],
        ["page", 2.0, "HRel", 0],
        ["page", 3.0, "Key", 0],
        ["page", 4.0, "Nav", 1],
        ["page", 7.0, "–", 1],
    ]
    assert levels_beyond(use) == [7.0]
    assert not is_as_defined(use)
    assert [level.level for level in plain_scale(use)] == [0, 1, 4, 7]
    assert list(list_facets(use)) == ["page"]


def test_exactly_the_levels_of_the_scale_are_as_defined():
    assert is_as_defined(use_of("0", "1", "2", "3", "4"))
    assert not is_as_defined(use_of("0", "1", "2", "3"))
    assert plain_scale(use_of("0", "1", "2", "3")) == numeric_scale(range(4))


@each(("levels", "why"), [(("1.5", "2"), "whole numbers"), (("1", "1"), "2 to 33 levels, not 1")])
def test_some_levels_make_no_scale(levels, why):
    with pytest.raises(BadInput, match=why):
        plain_scale(use_of(*levels))


def test_without_labels_there_is_nothing_to_compare():
    empty = DataFrame({"facet": [], "level": [], "state": []})
    assert len(compare_levels(empty, default_scales())) == 0


def test_numbers_beyond_a_scale_are_taken_only_when_asked_for():
    source = Source("f", b"assessor\ttopic\tdocument\tlevel\na\t1\td\t7\n")
    with pytest.raises(BadInput, match="'7' is not on the scale"):
        read_import("labels", source, scales=default_scales())
    negative = Source("f", b"assessor\ttopic\tdocument\tlevel\na\t1\td\t-7\n")
    with pytest.raises(BadInput, match="'-7' is not on the scale"):
        read_import("labels", negative, scales=default_scales(), beyond=True)
