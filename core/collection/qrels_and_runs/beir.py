"""Collections as BEIR and the Hugging Face hub have them: queries, corpus and qrels."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

from core.collection.file_format import Detector, Parsed, TableOptions, file_format, is_like
from core.collection.files.checks import LINE, with_columns
from core.collection.files.columns import FileColumn
from core.collection.files.json_values import first_values
from core.collection.files.likeness import UNLIKE, Likeness, object_names, table_header
from core.collection.files.source import Source
from core.collection.files.tables import read_table
from core.collection.qrels_and_runs.trec import with_levels
from core.collection.topics_and_documents.documents import DOCUMENT
from core.collection.topics_and_documents.topics import topic_frames

if TYPE_CHECKING:
    from pandas import DataFrame

_ID, _TEXT = "_id", "text"
_QRELS = ("query-id", "corpus-id", "score")
_QUERY = (
    FileColumn("topic_id", (_ID,), required=True),
    FileColumn("query", (_TEXT,), required=True),
)
_CORPUS = (
    FileColumn("document_id", (_ID,), required=True),
    FileColumn("title"),
    FileColumn("text", required=True, blank=True, exact=True),
    FileColumn("url"),
)
_IR_DATASETS = ("query_id", "doc_id", "relevance")
_JUDGED, _ITERATED = (
    tuple(
        FileColumn(name, (called,), required=True)
        for name, called in zip(("topic_id", "document_id", "level"), names, strict=True)
    )
    for names in (_QRELS, _IR_DATASETS)
)
_LONGEST_QUERY = 200
"""Characters on average: what is longer is rather a document."""


def _names(source: Source) -> tuple[str, ...]:
    return object_names(first_values(source))


def _is_unnamed(source: Source, options: TableOptions) -> bool:
    names = _names(source.sample())
    return _ID in names and _TEXT in names and not options.columns


def _is_corpus(sample: Source, names: tuple[str, ...]) -> bool:
    """Whether texts are rather documents: by the file's name, a title, or their length."""
    called = sample.stem.lower()
    if "corpus" in called or "quer" in called:
        return "corpus" in called
    texts = [str(one.get(_TEXT) or "") for one in first_values(sample)]
    return "title" in names or sum(map(len, texts)) > _LONGEST_QUERY * len(texts)


def _like_texts(item: str, text: str, *, are_corpus: bool) -> Detector:
    """Return a detector of texts with ids, which are documents or queries."""

    def detect(sample: Source) -> Likeness:
        names = _names(sample)
        if _ID not in names or _TEXT not in names or _is_corpus(sample, names) != are_corpus:
            return UNLIKE
        return Likeness(0.95, names, {item: _ID, text: _TEXT})

    return detect


@file_format(
    kind="topics",
    name="BEIR queries",
    layout="JSONL or Parquet with `_id` and `text`",
    example='{"_id": "q1", "text": "cats", "metadata": {}}\n',
    sniff=_is_unnamed,
    detect=_like_texts("topic_id", "query", are_corpus=False),
)
def read_queries(source: Source, _options: TableOptions) -> Parsed:
    """Read queries as BEIR's ``queries.jsonl`` has them, or a Parquet file of the same columns."""
    frame = read_table(source, _QUERY).frame
    sample = source.sample()
    is_doubtful = _is_corpus(sample, _names(sample))
    notes = ("these look like documents rather than queries",) if is_doubtful else ()
    return Parsed(topic_frames(source, frame, []), notes=notes)


@file_format(
    kind="documents",
    name="BEIR corpus",
    layout="JSONL or Parquet with `_id`, `text` and perhaps `title`",
    example='{"_id": "d1", "title": "Cats", "text": "A cat."}\n',
    sniff=_is_unnamed,
    detect=_like_texts("document_id", "text", are_corpus=True),
)
def read_corpus(source: Source, _options: TableOptions) -> Parsed:
    """Read documents as BEIR's ``corpus.jsonl`` has them, or a Parquet file of the same columns."""
    frame = with_columns(read_table(source, _CORPUS).frame, DOCUMENT)
    sample = source.sample()
    is_doubtful = not _is_corpus(sample, _names(sample))
    notes = ("these look like queries rather than documents",) if is_doubtful else ()
    return Parsed({"documents": frame[[*DOCUMENT, LINE]]}, notes=notes)


def _qrels_names(sample: Source) -> tuple[str, ...]:
    return _names(sample) or table_header(sample)


def _like_qrels(names: tuple[str, ...]) -> Detector:
    """Return a detector of tables and JSON objects that have all of these names."""
    return lambda sample: Likeness(1.0) if {*names} <= {*_qrels_names(sample)} else UNLIKE


_like_beir, _like_ir_datasets = _like_qrels(_QRELS), _like_qrels(_IR_DATASETS)


@file_format(
    kind="qrels",
    name="BEIR qrels",
    layout="TSV, JSONL or Parquet with `query-id`, `corpus-id` and `score`",
    example="query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    sniff=is_like(_like_beir),
    detect=_like_beir,
)
def read_qrels(source: Source, _options: Any) -> Parsed:
    """Read judgements as BEIR's ``qrels/test.tsv`` has them; a score is a whole level."""
    return _read_judged(source, _JUDGED)


@file_format(
    kind="qrels",
    name="ir_datasets qrels",
    layout="TSV, JSONL or Parquet with `query_id`, `doc_id`, `relevance` and perhaps `iteration`",
    example="query_id\tdoc_id\trelevance\titeration\nq1\td1\t1\t0\n",
    sniff=is_like(_like_ir_datasets),
    detect=_like_ir_datasets,
)
def read_ir_datasets(source: Source, _options: Any) -> Parsed:
    """Read judgements by the names that ir_datasets has for them."""
    return _read_judged(source, (*_ITERATED, FileColumn("iteration")))


def _read_judged(source: Source, columns: tuple[FileColumn, ...]) -> Parsed:
    frame = with_levels(source, read_table(source, columns).frame, columns[2].aliases[0])
    iteration = frame["iteration"].replace("", "0") if "iteration" in frame else "0"
    return Parsed({"qrels": frame.assign(iteration=iteration)})


_CARD = """---
configs:
- config_name: corpus
  data_files:
  - split: corpus
    path: corpus/corpus-00000-of-00001.parquet
- config_name: queries
  data_files:
  - split: queries
    path: queries/queries-00000-of-00001.parquet
- config_name: qrels
  default: true
  data_files:
  - split: test
    path: qrels/test-00000-of-00001.parquet
---
"""
"""What tells `datasets` where each part is."""

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The moment of every file in the archive, so that the same content has the same bytes."""


def write_beir(
    topics: DataFrame, documents: DataFrame, qrels: DataFrame, version: str = ""
) -> bytes:
    """Return a collection as a ZIP of Parquet files that ``datasets.load_dataset`` reads.

    Parameters
    ----------
    topics : DataFrame
        topic_id, query.
    documents : DataFrame
        document_id, title, text.
    qrels : DataFrame
        topic_id, document_id, level: one level for each pair.
    version : str
        What the qrels are called: told by the card and in the metadata of their file.
    """
    parts = {
        "corpus/corpus": documents[["document_id", "title", "text"]].set_axis(
            [_ID, "title", _TEXT], axis=1
        ),
        "queries/queries": topics[["topic_id", "query"]].set_axis([_ID, _TEXT], axis=1),
        "qrels/test": qrels[["topic_id", "document_id", "level"]]
        .set_axis(list(_QRELS), axis=1)
        .astype({_QRELS[2]: np.int64}),
    }
    if version:
        parts["qrels/test"].attrs["version"] = version
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        note = f"\nQrels version: {version}\n" if version else ""
        _put(archive, "README.md", f"{_CARD}{note}".encode("utf-8", "replace"))
        for name, frame in parts.items():
            packed = io.BytesIO()
            frame.to_parquet(packed, index=False)
            _put(archive, f"{name}-00000-of-00001.parquet", packed.getvalue())
    return out.getvalue()


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
