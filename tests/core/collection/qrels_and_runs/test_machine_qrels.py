"""Labels of a machine: every whole number is read, and nothing twice."""

import pytest

from core.collection.files.source import Source
from core.collection.qrels_and_runs.machine_qrels import read_machine_labels
from core.errors import BadInput
from tests.each import each


def read(text: str):
    return read_machine_labels(Source("m.qrels", text.encode()))


def test_levels_on_no_scale_stay():
    rows = read("t1 0 d1 2\nt1 0 d2 -1\nt2 Q0 d1 10\n")
    assert rows.to_numpy().tolist() == [["t1", "d1", 2], ["t1", "d2", -1], ["t2", "d1", 10]]
    assert rows["level"].dtype == "int64"
    assert list(rows) == ["topic_id", "document_id", "level"]


def test_other_formats_of_qrels_are_read():
    assert read("query-id\tcorpus-id\tscore\nt1\td1\t2\n").to_numpy().tolist() == [["t1", "d1", 2]]


def test_a_document_twice_is_refused_by_line():
    with pytest.raises(BadInput, match=r"m\.qrels:3: .*topic t1, document d1 is already there, on"):
        read("t1 0 d1 2\nt1 0 d2 0\nt1 1 d1 2\n")


@each("line", ["t1 0 d1 high", "t1 0 d1 1.5", "t1 0 d1"])
def test_what_is_no_label_is_refused_by_line(line):
    with pytest.raises(BadInput, match=r"m\.qrels:2"):
        read(f"t1 0 d0 1\n{line}\n")
