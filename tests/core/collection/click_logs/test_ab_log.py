"""Logs of A/B tests: what they say, and what is refused."""

import pytest

from core.collection.click_logs.ab_log import read_ab_log
from core.collection.files.source import Source
from core.errors import BadInput
from tests.each import each

TABLE = "user\tvariant\tclicks\tbefore\nu1\tA\t2\t0.5\nu1\tA\tno\t0.5\nu2\tB\tYes\t\n"
OBJECTS = """{"user": "u1", "arm": "A", "outcome": 2, "before": 0.5}
{"user": "u1", "arm": "A", "outcome": 0, "before": 0.5}
{"user": "u2", "arm": "B", "outcome": 1, "before": null}
"""


def read(text: str):
    return read_ab_log(Source("log", text.encode()))


@each("text", [TABLE, OBJECTS, TABLE.replace("\t", ",")], ids=["TSV", "JSONL", "CSV"])
def test_all_forms_say_the_same(text: str):
    found = read(text)
    assert found.columns.tolist() == ["user", "arm", "outcome", "before"]
    assert found["arm"].tolist() == ["A", "A", "B"]
    assert found["outcome"].tolist() == [2, 0, 1]
    assert found["before"].fillna(-1).tolist() == [0.5, 0.5, -1]


def test_without_a_time_before():
    assert read("user\tarm\toutcome\na\tA\t1\nb\tB\t0\n")["before"].isna().all()


@each(
    ("old", "new", "said"),
    [
        ("u1\tA\t2", "u1\tA\tmany", "log:2: .*'many' is not a number, or yes or no"),
        ("u1\tA\tno\t0.5", "u1\tA\tno\t0.6", "log:3: .*user 'u1' has two outcomes before"),
        ("u2\tB", "u2\tA", "two arms in an A/B test, not 1: A"),
        ("u2\tB", "u2\t", "log:4"),
        ("clicks", "seconds", "outcome"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_line(old: str, new: str, said: str):
    with pytest.raises(BadInput, match=said):
        read(TABLE.replace(old, new))
