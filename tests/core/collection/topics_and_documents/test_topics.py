"""Topics from TSV and JSONL."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collection.files.source import Source
from core.collection.formats import read_import

TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp", "Zs"]), min_size=1
)


def test_tsv_without_header(read):
    result = read("topics", '1\tcats\n\n2\t"big dogs"\tLarge ones.\n')
    assert result.frames["topics"].values.tolist() == [
        ["1", "cats", "", "", ""],
        ["2", '"big dogs"', "Large ones.", "", ""],
    ]
    assert list(result.frames["topics"]) == [
        "topic_id",
        "query",
        "description",
        "narrative",
        "type",
    ]
    assert result.frames["subtopics"].empty
    assert result.counts == {"topics": 2, "subtopics": 0}


@pytest.mark.parametrize("mark", ["\t", ",", ";"])
def test_table_with_header(read, mark):
    rows = [["Query", "topic_id", "type", "author"], ["cats", "7", "faceted", "me"]]
    text = "\n".join(mark.join(row) for row in rows)
    result = read("topics", text)
    assert result.frames["topics"].values.tolist() == [["7", "cats", "", "", "faceted"]]
    assert result.notes == ("not used: the column(s) author",)


def test_jsonl_with_subtopics(read):
    subtopics = [
        {"id": 1, "type": "inf", "text": "wild cats", "probability": 0.75},
        {"id": "b", "text": "cat videos"},
    ]
    topics = [
        {
            "id": 7,
            "query": "cats",
            "description": None,
            "narrative": "All.",
            "subtopics": subtopics,
        },
        {"id": "8", "query": "dogs"},
    ]
    result = read("topics", "\n\n".join(map(json.dumps, topics)))
    assert result.frames["topics"].values.tolist() == [
        ["7", "cats", "", "All.", ""],
        ["8", "dogs", "", "", ""],
    ]
    parts = result.frames["subtopics"]
    assert parts.iloc[:, :4].values.tolist() == [
        ["7", "1", "inf", "wild cats"],
        ["7", "b", "", "cat videos"],
    ]
    assert parts["probability"].tolist() == [0.75, pytest.approx(float("nan"), nan_ok=True)]


def test_a_query_is_preferred_to_a_title(read):
    frame = read("topics", "title\tquery\tid\nCats!\tcats\t1\n").frames["topics"]
    assert frame["query"].tolist() == ["cats"]


@pytest.mark.parametrize(
    ("text", "match", "line", "field"),
    [
        ("1\tcats\n2\n", "is not an id, a tab and a query", 2, ""),
        ("1\tcats\n2\tdogs\tx\ty\n", "is not an id, a tab and a query", 2, ""),
        ("1 cats, dogs\n", "is not an id, a tab and a query", 1, ""),
        ("1\tcats\n\tdogs\n", "empty", 2, "topic_id"),
        ("1\tcats\n2\t \n", "empty", 2, "query"),
        ("1\tcats\n2\tdogs\n1\tbirds\n", "topic 1 is already there, on line 1", 3, "topic_id"),
        ("id\tquery\n", "no rows", 1, ""),
        ('id,query\n1,"cats\n', "quotes", 2, ""),
        ('id,query\n1,"cats"x\n', "quotes", 2, ""),
        ("id,query\n1,cats,tabby\n", "has 3 cells where the header has 2", 2, ""),
        ("id\tquery\tquery\n1\tcats\tdogs\n", "two columns", 1, ""),
        ('{"id": 1, "query": "cats"}\n{"id": 2,\n', "not JSON", 2, ""),
        ("[1]", "not a JSON object", 1, ""),
        ('[{"id": 1}]', "no column 'query'", 1, "query"),
        ('{"id": 1}', "no column 'query'", 1, "query"),
        ('{"id": 1, "query": ["cats"]}', "a text or a number", 1, "query"),
        ('{"id": true, "query": "cats"}', "a text or a number", 1, "topic_id"),
        ('{"id": 1, "query": "c\\u0000"}', "NUL", 1, "query"),
        ('{"id": 1, "query": "c\\ud800"}', "surrogate", 1, "query"),
        ('{"id": 1, "query": "c", "subtopics": "s"}', "list of objects", 1, "subtopics"),
        ('{"id": 1, "query": "c", "subtopics": [{"id": [1]}]}', "texts or", 1, "subtopics"),
        ('{"id": 1, "query": "c", "subtopics": [{"id": 1}]}', "an id and a text", 1, "text"),
        (
            '{"id": 1, "query": "c", "subtopics": [{"id": 1, "text": "t", "probability": 2}]}',
            "'2' is not a probability",
            1,
            "probability",
        ),
        (
            '{"id": 1, "query": "c", "subtopics": [{"id":1,"text":"t"},{"id":1,"text":"u"}]}',
            "already there",
            1,
            "subtopic_id",
        ),
    ],
)
def test_faults_are_named(refuse, text, match, line, field):
    error = refuse("topics", text, match)
    assert (error.line, error.field) == (line, field)


def test_deep_json_is_refused(refuse):
    assert refuse("topics", '{"id":' + "[" * 100_000, "not JSON").line == 1


@settings(deadline=None)
@given(st.dictionaries(TEXT, st.tuples(TEXT, TEXT), min_size=1))
def test_jsonl_round_trip(topics):
    lines = [
        json.dumps({"id": key, "query": query, "narrative": more}, ensure_ascii=len(key) % 2 == 0)
        for key, (query, more) in topics.items()
    ]
    frame = read_import("topics", Source("t.jsonl", "\n".join(lines).encode())).frames["topics"]
    found = zip(frame["topic_id"], frame["query"], frame["narrative"], strict=True)
    assert list(found) == [(key, *texts) for key, texts in topics.items()]


@settings(deadline=None)
@given(st.dictionaries(TEXT, TEXT, min_size=1))
def test_tsv_round_trip(topics):
    text = "id\tquery\n" + "".join(f"{key}\t{query}\n" for key, query in topics.items())
    frame = read_import("topics", Source("t.tsv", text.encode())).frames["topics"]
    assert dict(zip(frame["topic_id"], frame["query"], strict=True)) == topics
