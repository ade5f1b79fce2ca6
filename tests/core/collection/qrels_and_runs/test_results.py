"""Result lists with snippets."""

import json

import pytest

TSV = """topic\tengine\tdocument\trank\tsnippet\ttitle\tvertical
1\tA\td1\t1\tOne "quoted" snippet\tT\tnews
1\tA\td2\t2\t\tT\tnews
1\tB\td1\t10\tAnother for the same page\tT\t
"""


def test_tsv(read):
    result = read("results", TSV)
    assert result.frames["results"].values.tolist() == [
        ["1", "A", "d1", 1, 'One "quoted" snippet', "news"],
        ["1", "A", "d2", 2, "", "news"],
        ["1", "B", "d1", 10, "Another for the same page", ""],
    ]
    assert result.counts == {
        "results": 3,
        "topics": 1,
        "engines": 2,
        "documents": 2,
        "without snippet": 1,
    }
    assert result.notes == ("not used: the column(s) title",)


def test_every_engine_is_a_system(read):
    runs = read("results", TSV).frames["runs"]
    assert list(runs) == ["system", "topic_id", "document_id", "score", "rank"]
    assert runs.values.tolist() == [
        ["A", "1", "d1", -1.0, 1],
        ["A", "1", "d2", -2.0, 2],
        ["B", "1", "d1", -10.0, 1],
    ]


def test_jsonl(read):
    lines = [
        {"topic": 1, "engine": "A", "document": "d", "rank": 1, "snippet": " s ", "url": "u"},
        {"topic": 1, "engine": "A", "document": "e", "rank": "2", "snippet": None},
    ]
    result = read("results", "\n".join(map(json.dumps, lines)))
    assert result.frames["results"]["snippet"].tolist() == [" s ", ""]
    assert result.frames["results"]["rank"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("row", "match", "field"),
    [
        ("1\tA\td3\t0\ts\tT\t", "'0' is not a rank", "rank"),
        ("1\tA\td3\t1.5\ts\tT\t", "'1.5' is not a rank", "rank"),
        ("1\tA\td3\tfirst\ts\tT\t", "'first' is not a rank", "rank"),
        ("1\tA\td3\t\ts\tT\t", "empty", "rank"),
        ("1\t\td3\t3\ts\tT\t", "empty", "engine"),
        ("1\tA\td3\t2\ts\tT\t", "topic 1, engine A, rank 2 is already there, on line 3", "rank"),
        ("1\tA\td2\t3\ts\tT\t", "document d2 is already there, on line 3", "document_id"),
        ("1\tA\td3\t3\ts", "has 5 cells", ""),
    ],
)
def test_faults_are_named(refuse, row, match, field):
    error = refuse("results", TSV + row + "\n", match)
    assert (error.line, error.field) == (5, field)


def test_faults_in_jsonl_are_named(refuse):
    good = '{"topic": 1, "engine": "A", "document": "d", "rank": 1}\n'
    assert refuse("results", good + '{"topic": 1}', "empty").line == 2
    assert refuse("results", good + "{", "not JSON").line == 2
    assert refuse("results", '{"topic": 1, "rank": 1}', "no column 'engine'").line == 1
