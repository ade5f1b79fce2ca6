"""Labels as doccano exports them, and from tables with a column a rater."""

import json

import pytest

from core.collection.records import default_scales
from tests.each import each

RATINGS = """query,docid,name,description,agent_1_rating,agent_2_rating,final_rating
big cats,d1,Lion,"Roars, loudly",3,2,3
big cats,d2,Cat,,0,,0
dogs,d1,Lion,,0,1,1
"""


def rows(result):
    columns = ["assessor_id", "topic_id", "document_id", "level"]
    return result.frames["labels"][columns].values.tolist()


def as_jsonl(*records) -> str:
    return "\n".join(map(json.dumps, records))


def test_doccano_export(read):
    ids = {"topic": 1, "document": "d1"}
    result = read(
        "labels",
        as_jsonl(
            {"id": 1, "text": "…", "label": ["2"], "meta": ids | {"assessor": "a"}, "Comments": []},
            {"id": 2, "text": "…", "label": ["3"], "metadata": ids | {"assessor": "b"}},
            {"id": 3, "text": "…", "label": [1], "assessor": "c", **ids, "Comments": ["x", "y"]},
            {"id": 4, "text": "…", "label": [], "assessor": "d", **ids},
        ),
    )
    assert rows(result) == [["a", "1", "d1", 2], ["b", "1", "d1", 3], ["c", "1", "d1", 1]]
    assert result.frames["labels"]["comment"].tolist() == ["", "", "x\ny"]
    assert result.counts["missing"] == 1
    assert result.notes == ()


def test_doccano_level_names(read):
    text = as_jsonl({"label": ["HRel"], "assessor": "a", "topic": "1", "document": "d"})
    assert rows(read("labels", text, scales=default_scales())) == [["a", "1", "d", 2]]


def test_doccano_file_is_called_after_its_annotator(read):
    text = as_jsonl({"label": ["1"], "topic": "1", "document": "d"})
    result = read("labels", text, name="export/maria.jsonl")
    assert rows(result) == [["maria", "1", "d", 1]]
    assert "'maria', was taken" in result.notes[0]


@each("name", ["username", "user_id", "annotator_id", "email", "Annotator", "labeler"])
def test_doccano_people_are_told_apart_by_what_seems_to_name_them(read, name):
    item = {"topic": "q1", "document": "d1"}
    people = [{"label": [level], name: who, **item} for who, level in (("ann", "2"), ("bob", "0"))]
    result = read("labels", as_jsonl(*people))
    assert rows(result) == [["ann", "q1", "d1", 2], ["bob", "q1", "d1", 0]]
    taken = (f"assessors were taken from '{name}'",)
    assert result.notes == (() if name == "Annotator" else taken)


def test_doccano_labels_of_an_item_again_are_refused_where_nobody_is_named(refuse):
    item = {"topic": "q1", "document": "d1", "label": ["1"]}
    told = refuse(
        "labels", as_jsonl(item, item | {"document": "d2"}, item), "comes again.*assessor="
    )
    assert told.line == 3


def test_labels_may_be_an_array(read):
    """As pandas writes it, or Label Studio's short form."""
    text = json.dumps([{"topic": 1, "document": "d", "level": 2, "annotator": 7, "lead_time": 1.5}])
    assert rows(read("labels", text)) == [["7", "1", "d", 2]]


def test_doccano_columns_may_be_called_anything(read):
    text = as_jsonl({"label": "1", "who": "a", "q": "1", "d": "d"})
    names = {"assessor": "who", "topic": "q", "document": "d"}
    assert rows(read("labels", text, columns=names)) == [["a", "1", "d", 1]]


@pytest.mark.parametrize(
    ("record", "match", "field"),
    [
        ({"label": ["1", "2"], "topic": 1, "document": "d"}, "has 2 labels", "label"),
        ({"label": [[0, 4, "1"]], "topic": 1, "document": "d"}, "text or a number", "level"),
        ({"label": ["good"], "topic": 1, "document": "d"}, "names of levels need", "level"),
        ({"label": ["1"], "topic": 1}, "empty", "document_id"),
    ],
)
def test_faults_of_doccano_are_named(refuse, record, match, field):
    good = {"label": ["1"], "topic": 1, "document": "e"}
    error = refuse("labels", as_jsonl(good, record), match)
    assert (error.line, error.field) == (2, field)


def test_doccano_without_labels_is_refused(refuse):
    refuse("labels", as_jsonl({"label": [], "topic": 1, "document": "d"}), "no line has a label")


def test_ratings(read):
    result = read("labels", RATINGS)
    assert rows(result) == [
        ["agent_1", "big cats", "d1", 3],
        ["agent_2", "big cats", "d1", 2],
        ["agent_1", "big cats", "d2", 0],
        ["agent_1", "dogs", "d1", 0],
        ["agent_2", "dogs", "d1", 1],
    ]
    assert result.counts["missing"] == 1
    assert result.notes == ("not used: the column(s) final_rating",)
    assert list(result.frames) == ["labels"]


def test_ratings_with_gold_and_texts(read):
    result = read("labels", RATINGS, gold="final_rating", texts=True)
    assert [row for row in rows(result) if row[0] == "gold"] == [
        ["gold", "big cats", "d1", 3],
        ["gold", "big cats", "d2", 0],
        ["gold", "dogs", "d1", 1],
    ]
    assert result.frames["topics"].values.tolist() == [
        ["big cats", "big cats", "", "", ""],
        ["dogs", "dogs", "", "", ""],
    ]
    assert result.frames["documents"].values.tolist() == [
        ["d1", "Lion", "", "Roars, loudly", ""],
        ["d2", "Cat", "", "", ""],
    ]


def test_raters_may_be_named_by_a_pattern(read):
    text = "topic\tdocument\tR 1\tR 2\tmood\n1\td\t0\t1\t9\n"
    assert rows(read("labels", text, raters="r *")) == [["R 1", "1", "d", 0], ["R 2", "1", "d", 1]]


def test_every_other_column_is_a_rater(read):
    text = "query,docid,Ann,Bob,title\ncats,d,1,2,Lion\n"
    assert rows(read("labels", text)) == [["Ann", "cats", "d", 1], ["Bob", "cats", "d", 2]]


def test_one_rating_and_raters_that_share_a_name(read):
    assert rows(read("labels", "query,docid,rating\ncats,d,1\n")) == [["rating", "cats", "d", 1]]
    shared = read("labels", "query,docid,a_rating,a-rating\ncats,d,1,2\n")
    assert [row[0] for row in rows(shared)] == ["a_rating", "a-rating"]


@pytest.mark.parametrize(
    ("row", "match", "line", "field"),
    [
        ("cats,d3,Cat", "has 3 cells where the header has 7", 5, ""),
        ("cats,,Cat,,1,2,3", "empty", 5, "document_id"),
        ("cats,d3,Cat,,1,good,3", "not a number", 5, "level"),
        ('cats,d3,"Cat,,1,2,3', "quotes", 5, ""),
    ],
)
def test_faults_of_ratings_are_named(refuse, row, match, line, field):
    error = refuse("labels", f"{RATINGS}{row}\n", match)
    assert (error.line, error.field) == (line, field)


def test_ratings_need_raters(refuse):
    text = "query,docid,title\ncats,d,Lion\n"
    assert refuse("labels", text, "no column of ratings was found among: ").line == 1
    assert refuse("labels", RATINGS, "no column of ratings", raters="x*").line == 1
