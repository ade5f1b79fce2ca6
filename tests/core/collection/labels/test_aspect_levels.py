"""Reading what was said of aspects: rows with an aspect, or a file of one."""

import numpy as np
import pytest

from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.errors import BadInput
from tests.core.judged_aspects import AGE, TRUST
from tests.each import each

HEAD = "assessor,topic,document,aspect,level,state\n"
SCALES = {"trust": TRUST.levels, "age": AGE.levels}


def read(text: str, **options: object):
    return read_import("aspects", Source("aspects.csv", text.encode()), **options)


def test_a_row_has_a_level_or_was_left_out():
    found = read(HEAD + "a,1,d,trust,2,\na,1,d,age,,unjudged\nb,1,d,age,,\n")
    rows = found.frames["aspects"]
    assert rows["state"].tolist() == ["level", "unjudged", "unjudged"]
    assert rows["level"].tolist() == pytest.approx([2, np.nan, np.nan], nan_ok=True)
    assert rows["relevance"].isna().all()
    assert rows["occasion"].tolist() == [0, 0, 0]
    assert found.counts["levels of aspects"] == 1
    assert (found.counts["left out"], found.counts["aspects"], found.counts["assessors"]) == (
        2,
    ) * 3


def test_names_of_levels_are_read_by_the_scale_of_their_aspect():
    rows = read(HEAD + "a,1,d,trust,half,\na,1,d,age,1,\n", scales=SCALES).frames["aspects"]
    assert rows["level"].tolist() == [1, 1]


def test_a_file_of_one_aspect_needs_no_such_column():
    text = "assessor\ttopic\tdocument\ttrust\nx\t1\td\t2\nx\t1\te\t-2\n"
    rows = read(text, aspect="trust", columns={"level": "trust"}, missing=("-2",)).frames["aspects"]
    assert rows["aspect"].tolist() == ["trust", "trust"]
    assert rows["state"].tolist() == ["level", "unjudged"]


def test_one_aspect_of_several_can_be_read():
    text = HEAD + "a,1,d,trust,2,\na,1,d,age,0,\n"
    assert read(text, aspect="age").frames["aspects"]["aspect"].tolist() == ["age"]
    with pytest.raises(BadInput, match="no row is of the aspect 'truth'; there are age, trust"):
        read(text, aspect="truth")


@each(
    ("row", "options", "reason"),
    [
        ("a,1,e,truth,1,", {"scales": SCALES}, "no aspect 'truth'; there are trust, age"),
        ("a,1,e,trust,1,", {"scales": {}}, "no aspect 'trust'; there is none yet"),
        ("a,1,e,trust,7,", {"scales": SCALES}, "'7' is not on the scale: 0 No, 1 Half, 2 Wholly"),
        ("a,1,e,trust,7,later", {}, "with the state 'later'"),
        ("a,1,e,trust,1,unjudged", {}, "no level of an aspect"),
        ("a,1,e,trust,good,", {}, "'good' is not a number"),
        ("a,1,e,,1,", {}, "is empty"),
    ],
)
def test_faults_are_named_with_their_line(row, options, reason):
    with pytest.raises(BadInput, match=reason) as caught:
        read(f"{HEAD}{row}\n", **options)
    assert (caught.value.file, caught.value.line) == ("aspects.csv", 2)


def test_levels_beyond_the_scale_are_taken_where_somebody_looks_at_them():
    rows = read(HEAD + "a,1,d,trust,7,\n", scales=SCALES, beyond=True).frames["aspects"]
    assert rows["level"].tolist() == [7]


def test_the_same_level_twice_is_a_further_occasion_unless_the_file_numbers_them():
    text = HEAD + "a,1,d,trust,1,\na,1,d,trust,2,\na,1,d,age,1,\n"
    assert read(text).frames["aspects"]["occasion"].tolist() == [0, 1, 0]
    numbered = "assessor,topic,document,aspect,level,occasion\na,1,d,trust,1,0\na,1,d,trust,2,0\n"
    with pytest.raises(BadInput, match="already there, on line 2"):
        read(numbered)


def test_a_file_with_aspects_is_no_file_of_labels():
    text = HEAD + "a,1,d,trust,1,level\n"
    assert detect_kind(Source("f", text.encode())).kind == "aspects"
    assert detect_kind(Source("f", text.replace(",aspect", ",mood").encode())).kind == "labels"
    assert numeric_scale(range(2)) == AGE.levels


def test_a_file_that_names_no_aspect_is_refused():
    with pytest.raises(BadInput, match="there is no column 'aspect'"):
        read(HEAD.replace("aspect,", "") + "a,1,d,2,\n")
