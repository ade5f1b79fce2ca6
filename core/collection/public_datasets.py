"""Topics, documents and qrels of ``ir_datasets``, where that package is installed, by their ids."""

import json
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from core.collection.files.source import LARGEST, Source
from core.errors import BadInput

PREFIX = "irds:"
"""Begins what stands for a data set in place of a file: ``irds:cranfield``."""

_ITERATORS = {"topics": "queries_iter", "documents": "docs_iter", "qrels": "qrels_iter"}
_QUERY = ("text", "title", "query")
_TEXT = ("text", "body", "contents", "default_text")


def load_dataset(kind: str, name: str) -> Source:
    """Return one kind of a data set as a file, to be read as any other.

    The package is asked for by its id and downloads what it needs by itself.

    Parameters
    ----------
    kind : str
        topics, documents or qrels.
    name : str
        The id, with `PREFIX`.

    Raises
    ------
    BadInput
        The package is not installed, does not know the id, has nothing of this kind there, or the
        documents are more than a file may hold.
    """
    if kind not in _ITERATORS:
        raise BadInput(f"data sets have {', '.join(_ITERATORS)}, but no {kind}", file=name)
    dataset = _load(_package(name), name)
    lines = bytearray()
    for row in _rows(dataset, kind, name):
        lines += (
            json.dumps(_WRITE[kind](row), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        )
        if len(lines) > LARGEST:
            reason = f"has more than {LARGEST // 2**20} MiB of {kind}; import those in question"
            raise BadInput(reason, file=name)
    return Source(f"{name} {kind}", bytes(lines))


def _package(name: str) -> ModuleType:
    try:
        import ir_datasets
    except ImportError as error:
        reason = "needs the package ir_datasets: pip install ir_datasets"
        raise BadInput(reason, file=name) from error
    found: ModuleType = ir_datasets
    return found


def _load(package: ModuleType, name: str) -> Any:
    try:
        return package.load(name.removeprefix(PREFIX))
    except KeyError as error:
        raise BadInput("is no data set that ir_datasets knows", file=name) from error


def _rows(dataset: Any, kind: str, name: str) -> Iterator[Mapping[str, Any]]:
    rows = getattr(dataset, _ITERATORS[kind], None)
    if rows is None:
        raise BadInput(f"has no {kind}", file=name)
    for row in rows():
        yield row._asdict()


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((str(row[name]) for name in names if row.get(name)), "")


def _write_topic(row: Mapping[str, Any]) -> dict[str, str]:
    topic = {"id": str(row["query_id"]), "query": _first(row, _QUERY)}
    return topic | {name: str(row[name]) for name in ("description", "narrative") if row.get(name)}


def _write_document(row: Mapping[str, Any]) -> dict[str, str]:
    document = {"id": str(row["doc_id"]), "text": _first(row, _TEXT)}
    return document | {name: str(row[name]) for name in ("title", "url") if row.get(name)}


def _write_judgement(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "query-id": str(row["query_id"]),
        "corpus-id": str(row["doc_id"]),
        "score": int(row["relevance"]),
    }


_WRITE = {"topics": _write_topic, "documents": _write_document, "qrels": _write_judgement}
