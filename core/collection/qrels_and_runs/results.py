"""Result lists of engines with their snippets; each engine is a system that can be scored."""

from __future__ import annotations

import numpy as np

from core.collection.file_format import (
    Kind,
    Parsed,
    TableOptions,
    file_format,
    is_table,
    starts_with,
)
from core.collection.files.checks import LINE, are_whole, count_values, read_numbers, with_columns
from core.collection.files.columns import FileColumn
from core.collection.files.likeness import like_objects, like_table
from core.collection.files.source import Source
from core.collection.files.tables import read_table
from core.collection.qrels_and_runs.trec import rank_runs

RESULT = ("topic_id", "engine", "document_id", "rank", "snippet", "vertical")

_COLUMNS = (
    FileColumn("topic_id", ("topic", "qid", "query_id"), required=True),
    FileColumn("engine", ("system",), required=True),
    FileColumn("document_id", ("document", "docid", "doc_id", "docno"), required=True),
    FileColumn("rank", ("position",), required=True),
    FileColumn("snippet", ("summary",), exact=True),
    FileColumn("vertical", ("category",)),
)


def _finish(parsed: Parsed) -> Parsed:
    results = parsed.frames["results"]
    runs = results.rename(columns={"engine": "system"})
    runs = rank_runs(runs.assign(score=-runs["rank"].astype(np.float64)).drop(columns="rank"))
    columns = ["system", "topic_id", "document_id", "score", "rank"]
    counts = {
        "results": len(results),
        "topics": count_values(results, "topic_id"),
        "engines": count_values(results, "engine"),
        "documents": count_values(results, "document_id"),
        "without snippet": int((results["snippet"] == "").sum()),
    }
    return Parsed({"results": results, "runs": runs[columns]}, counts, parsed.notes)


RESULTS = Kind(
    "results",
    "What each engine showed.",
    {"results": (("topic_id", "engine", "document_id"), ("topic_id", "engine", "rank"))},
    _finish,
    TableOptions,
)


@file_format(
    kind="results",
    name="TSV",
    layout="TSV or CSV with a header: the same names",
    example="topic\tengine\tdocument\trank\tsnippet\n1\tA\td\t1\tx\n1\tA\te\t2\ty\n",
    sniff=is_table,
    detect=like_table(_COLUMNS),
    is_fallback=True,
    columns=_COLUMNS,
)
@file_format(
    kind="results",
    name="JSONL",
    layout="a JSON object a line with `topic`, `engine`, `document`, `rank`, and perhaps "
    "`snippet`, `vertical`",
    example='{"topic": 1, "engine": "A", "document": "d1", "rank": 1, "snippet": "x"}\n',
    sniff=starts_with("{", "["),
    detect=like_objects(_COLUMNS),
    columns=_COLUMNS,
)
def read_results(source: Source, options: TableOptions) -> Parsed:
    """Read one JSON object a result, or TSV or CSV with a header."""
    table = read_table(source, _COLUMNS, options.columns)
    frame = with_columns(table.frame, RESULT)[[*RESULT, LINE]]
    what = "a rank; ranks are 1, 2, 3 …"
    rank = read_numbers(frame, "rank", are_whole(least=1), what, file=source.name)
    return Parsed({"results": frame.assign(rank=rank.astype(np.int64))}, notes=table.notes)
