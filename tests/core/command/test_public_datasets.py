"""Data sets of ir_datasets by their ids: its own classes where it is installed, else its shapes."""

import sys
from collections import namedtuple
from types import ModuleType, SimpleNamespace

import pytest

import dissent as library
from tests.short import long

Query = namedtuple("TrecQuery", ["query_id", "title", "description", "narrative"])
Doc = namedtuple("CranfieldDoc", ["doc_id", "title", "text", "author", "bib"])
Qrel = namedtuple("TrecQrel", ["query_id", "doc_id", "relevance", "iteration"])
"""The tuples of https://ir-datasets.com/python.html and https://ir-datasets.com/cranfield.html."""

MADE_UP = SimpleNamespace(
    queries_iter=lambda: iter([Query("1", "wings", "Which?", ""), Query("2", "heat", "", "")]),
    docs_iter=lambda: iter(
        [Doc("d1", "On wings", "Slipstream.", "x", ""), Doc("d2", "", "y", "", "")]
    ),
    qrels_iter=lambda: iter([Qrel("1", "d1", 2, "0"), Qrel("1", "d2", -1, "0")]),
)


@pytest.fixture
def package(monkeypatch):
    """The package as ``import ir_datasets`` finds it, with a data set that needs no network."""
    made = ModuleType("ir_datasets")
    made.load = {"made-up": MADE_UP, "made-up/docs": SimpleNamespace()}.__getitem__
    monkeypatch.setitem(sys.modules, "ir_datasets", made)


@pytest.fixture
def place(tmp_path):
    return ("--store", tmp_path / "s.duckdb", "--collection", "C", "--create")


@long
def test_a_data_set_is_imported_by_its_id(dissent, package, place, tmp_path):
    for kind in ("topics", "documents", "qrels"):
        assert dissent("import", kind, "irds:made-up", *place).status == 0
    with library.open_store(tmp_path / "s.duckdb") as opened:
        topics = opened.topics("C")[["topic_id", "query", "description"]]
        assert topics.to_numpy().tolist() == [["1", "wings", "Which?"], ["2", "heat", ""]]
        documents = opened.documents("C")[["document_id", "title", "text"]]
        assert documents.to_numpy().tolist() == [["d1", "On wings", "Slipstream."], ["d2", "", "y"]]
        (version,) = opened.qrels_versions("C")["version"]
        assert opened.qrels(version, "C")["level"].tolist() == [2]


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (("topics", "irds:nothing"), 1, "irds:nothing: is no data set that ir_datasets knows"),
        (("topics", "irds:made-up/docs"), 1, "has no topics"),
        (("labels", "irds:made-up"), 1, "but no labels"),
        (("irds:made-up",), 2, "say what to take of irds:made-up"),
    ],
)
def test_what_a_data_set_has_not_is_said(dissent, package, place, words, status, reason):
    refused = dissent("import", *words, *place)
    assert refused.status == status
    assert reason in refused.err


def test_without_the_package_it_is_named(dissent, place, monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    refused = dissent("import", "topics", "irds:cranfield", *place)
    assert refused.status == 1
    assert "pip install ir_datasets" in refused.err
