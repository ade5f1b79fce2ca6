"""Documents: title, address, and the page as text or HTML."""

from typing import Any

from core.collection.checks import LINE, with_columns
from core.collection.columns import Column
from core.collection.file_format import Kind, Parsed, file_format, is_table, starts_with
from core.collection.source import Source
from core.collection.tables import read_table

DOCUMENT = ("document_id", "title", "url", "text", "html")

_COLUMNS = (
    Column("document_id", ("id", "document", "docid", "doc_id", "docno"), required=True),
    Column("title", ("name",)),
    Column("url", ("address", "link")),
    Column("text", ("body", "contents", "passage"), exact=True),
    Column("html", exact=True),
)


def _finish(parsed: Parsed) -> Parsed:
    frame = parsed.frames["documents"]
    bare = ((frame["text"] == "") & (frame["html"] == "")).sum()
    counts = {"documents": len(frame), "without text": int(bare)}
    notes = ("documents without text can be ranked but not judged",) if bare else ()
    return Parsed(parsed.frames, counts, parsed.notes + notes)


DOCUMENTS = Kind(
    "documents",
    "What is judged. A document without text is kept, but nobody can judge its page.",
    {"documents": (("document_id",),)},
    _finish,
)


def _read(source: Source) -> Parsed:
    table = read_table(source, _COLUMNS)
    frame = with_columns(table.frame, DOCUMENT)[[*DOCUMENT, LINE]]
    return Parsed({"documents": frame}, notes=table.notes)


@file_format(
    kind="documents",
    name="JSONL",
    layout="a JSON object a line with `id` and any of `title`, `url`, `text`, `html`",
    example='{"id": "d", "text": "x", "html": null}\n',
    sniff=starts_with("{", "["),
)
def read_documents_jsonl(source: Source, _options: Any) -> Parsed:
    """Read one JSON object a document."""
    return _read(source)


@file_format(
    kind="documents",
    name="CSV",
    layout="CSV or TSV with a header: the same names",
    example='id,text\nd1,"a\nb"\nd2,c\n',
    sniff=is_table,
    is_fallback=True,
)
def read_documents_csv(source: Source, _options: Any) -> Parsed:
    """Read CSV or TSV with a header."""
    return _read(source)
