"""Collections as BEIR and the Hugging Face hub have them, and qrels of NTCIR and CLEF."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.beir import write_beir
from core.collection.qrels_and_runs.ntcir import write_ntcir
from core.collection.qrels_and_runs.trec import write_qrels
from core.errors import BadInput
from tests.each import each
from tests.short import long


def parquet(frame: pd.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.to_parquet(out, index=False)
    return out.getvalue()


def read(kind, content, name="f"):
    source = Source(name, content if isinstance(content, bytes) else content.encode())
    assert detect_kind(source).kind == kind
    return read_import(kind, source).frames[kind]


QUERIES = pd.DataFrame({"_id": ["q1", "q2"], "text": ["cats", "dogs"]})
CORPUS = pd.DataFrame({"_id": ["d1", "d2"], "title": ["", "Dog"], "text": ["A cat.", "=dog"]})
QRELS = pd.DataFrame({"query-id": ["q1", "q2"], "corpus-id": ["d1", "d2"], "score": [1, 0]})
"""The parts and columns of https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset."""


@each("write", [parquet, lambda one: one.to_json(lines=True, orient="records")])
def test_beir_parts_are_known_as_parquet_and_jsonl(write):
    topics = read("topics", write(QUERIES))
    assert topics[["topic_id", "query"]].to_numpy().tolist() == QUERIES.to_numpy().tolist()
    documents = read("documents", write(CORPUS))
    columns = ["document_id", "title", "text"]
    assert documents[columns].to_numpy().tolist() == CORPUS.to_numpy().tolist()
    qrels = read("qrels", write(QRELS))
    columns = ["topic_id", "document_id", "level"]
    assert qrels[columns].to_numpy().tolist() == QRELS.to_numpy().tolist()


def test_beir_qrels_are_tsv_with_a_header():
    found = read("qrels", "query-id\tcorpus-id\tscore\nq1\td 1\t2\n")
    expected = [["q1", "d 1", 2, "0"]]
    assert found[["topic_id", "document_id", "level", "iteration"]].to_numpy().tolist() == expected
    with pytest.raises(BadInput, match=r"'0\.5' is not a whole number") as caught:
        read("qrels", "query-id\tcorpus-id\tscore\nq1\td\t1\nq1\te\t0.5\n")
    assert caught.value.line == 3


def test_a_file_without_titles_is_told_by_its_name():
    texts = parquet(QUERIES)
    assert detect_kind(Source("corpus-00000-of-00001.parquet", texts)).kind == "documents"
    assert detect_kind(Source("queries.parquet", texts)).kind == "topics"
    long = parquet(QUERIES.assign(text="many words " * 50))
    assert detect_kind(Source("f", long)).kind == "documents"


def test_a_written_collection_comes_back():
    topics = pd.DataFrame({"topic_id": ["q1", "q2"], "query": ["cats", "dogs"]})
    documents = CORPUS.rename(columns={"_id": "document_id"})
    qrels = QRELS.set_axis(["topic_id", "document_id", "level"], axis=1)
    content = write_beir(topics, documents, qrels)
    assert content == write_beir(topics, documents, qrels)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name.partition("/")[0]: archive.read(name) for name in archive.namelist()}
    assert read("topics", files["queries"])[["topic_id", "query"]].equals(topics)
    assert read("documents", files["corpus"])[[*documents]].equals(documents)
    assert read("qrels", files["qrels"])[[*qrels]].equals(qrels)
    assert b"config_name: qrels" in files["README.md"]


def test_dissents_own_parquet_of_labels_is_read():
    labels = pd.DataFrame(
        {
            "topic_id": ["t", "t"],
            "document_id": ["d", "e"],
            "facet": "page",
            "engine": "",
            "assessor_id": "a",
            "occasion": 0,
            "level": pd.array([2, None], dtype="Float64"),
            "state": ["level", "cannot judge"],
            "time": pd.to_datetime(["2026-01-01", "2026-01-02"], utc=True),
        }
    )
    found = read("labels", parquet(labels))
    assert found["level"].fillna(-1).tolist() == [2.0, -1.0]
    assert found["state"].tolist() == ["level", "cannot judge"]
    assert found["time"].tolist() == labels["time"].tolist()


@each("content", [b"PAR1", b"PAR1" + b"x" * 99 + b"PAR1", parquet(QRELS)[:-9]])
def test_a_damaged_parquet_file_is_refused(content):
    for look in (detect_kind, lambda source: read_import("qrels", source)):
        with pytest.raises(BadInput, match="begins like a Parquet file") as caught:
            look(Source("f.parquet", content))
        assert caught.value.file == "f.parquet"


def test_a_parquet_file_that_unpacks_to_very_much_is_refused():
    bomb = parquet(pd.DataFrame({"_id": "q", "text": ["x" * 1000] * 40_000}))
    assert len(bomb) < 2**14
    with pytest.raises(BadInput, match="unpacks to more than"):
        read_import("topics", Source("f", bomb))


def test_what_is_no_text_is_refused():
    odd = parquet(pd.DataFrame({"_id": ["a"], "text": [b"\xff\xfe"]}))
    with pytest.raises(BadInput, match="neither a text nor a number") as caught:
        read_import("topics", Source("f", odd))
    assert caught.value.line == 1


@each(
    ("text", "levels"),
    [
        # NTCIREVAL ("How to use NTCIREVAL for ranked retrieval evaluation"): levels are L0, L1 …
        ("0001 d1 L2\n0001 d2 L0\n", [2, 0]),
        ("0001 0 d1 L3\n# more\n0001 0 d2 L1\n", [3, 1]),
        # http://research.nii.ac.jp/ntcir/ntcir-ws2/sample-r-c-en.html
        ("0001\tC\td1\t0 \n0001\tB\td2\t1 \n", [0, 1]),
        ("0001\tS\td1\t1\n0001\tA\td2\t1\n", [3, 2]),
    ],
)
def test_ntcir_qrels_are_read_as_documented(text, levels):
    found = read("qrels", text)
    assert found["level"].tolist() == levels
    assert found["document_id"].tolist() == ["d1", "d2"]
    assert set(found["iteration"]) == {"0"}


def test_ntcir_qrels_come_back():
    qrels = pd.DataFrame({"topic_id": ["1", "2"], "document_id": ["d", "e f"], "level": [4, 0]})
    written = write_ntcir(qrels)
    assert written == b"1 d L4\n2 e%20f L0\n"
    assert read("qrels", written)["level"].tolist() == [4, 0]
    with pytest.raises(BadInput, match="a level is negative"):
        write_ntcir(qrels.assign(level=-1))


def test_a_line_that_is_no_ntcir_qrels_is_named():
    source = Source("f", b"0001 d1 L2\n0001 d2 two\n")
    with pytest.raises(BadInput, match="neither a topic, a document") as caught:
        read_import("qrels", source, format_name="NTCIR qrels")
    assert caught.value.line == 2


def test_clef_qrels_are_trecs():
    """https://clefehealth.imag.fr: topic, 0, document, level; tabs or spaces, comments by #."""
    text = "# CLEF eHealth\n101001 0 b1\t2\n101001\t0\tb2 0\n"
    found = read("qrels", text)
    assert found["level"].tolist() == [2, 0]
    again = read_import("qrels", Source("f", write_qrels(found))).frames["qrels"]
    pd.testing.assert_frame_equal(again, found)


@long
def test_rows_in_one_long_group_are_read(tmp_path: Path):
    """As pandas writes them: a column of all rows, larger than what unpacking may take."""
    rng = np.random.default_rng(5)
    texts = rng.integers(ord("a"), ord("z"), (300, 2**20), dtype=np.uint8)
    frame = pd.DataFrame({"_id": range(300), "text": [one.tobytes().decode() for one in texts]})
    path = tmp_path / "corpus.parquet"
    frame.to_parquet(path, index=False, compression=None)
    assert path.stat().st_size > 300 * 2**20
    assert sum(len(block) for block in Source.at(path).blocks()) > 300 * 2**20
