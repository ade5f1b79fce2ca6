"""Documents: title, address, and the page as text, HTML, PDF or picture."""

from core.collection.file_format import (
    Kind,
    Parsed,
    TableOptions,
    file_format,
    is_table,
    starts_with,
)
from core.collection.files.checks import LINE, with_columns
from core.collection.files.columns import FileColumn
from core.collection.files.likeness import like_objects, like_table
from core.collection.files.source import Source
from core.collection.files.tables import read_table
from core.collection.topics_and_documents.rendered_files import MEDIA, draw_files

DOCUMENT = ("document_id", "title", "url", "text", "html")

_COLUMNS = (
    FileColumn(
        "document_id",
        ("id", "document", "docid", "doc_id", "docno"),
        required=True,
        hints=("doc", "passage"),
    ),
    FileColumn("title", ("name",)),
    FileColumn("url", ("address", "link")),
    FileColumn("text", ("body", "contents", "passage"), exact=True),
    FileColumn("html", exact=True),
    FileColumn(MEDIA, exact=True),
)
_STRANGERS = (FileColumn("topic", ("topic_id", "qid", "query_id", "query")), FileColumn("engine"))


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
    TableOptions,
)


@file_format(
    kind="documents",
    name="CSV",
    layout="CSV or TSV with a header: the same names",
    example='id,text\nd1,"a\nb"\nd2,c\n',
    sniff=is_table,
    detect=like_table(_COLUMNS, any_of=_COLUMNS[1:], strangers=_STRANGERS),
    is_fallback=True,
    columns=_COLUMNS,
)
@file_format(
    kind="documents",
    name="JSONL",
    layout="a JSON object a line with `id` and any of `title`, `url`, `text`, `html` "
    "or `media` (a PDF or image in base64); or a PDF or image as it is, named by its file",
    example='{"id": "d", "text": "x", "html": null}\n',
    sniff=starts_with("{", "["),
    detect=like_objects(_COLUMNS, any_of=_COLUMNS[1:], strangers=_STRANGERS),
    columns=_COLUMNS,
)
def read_documents(source: Source, options: TableOptions) -> Parsed:
    """Read one JSON object a document, or CSV or TSV with a header."""
    table = read_table(source, _COLUMNS, options.columns)
    frame = draw_files(with_columns(table.frame, DOCUMENT), source)[[*DOCUMENT, LINE]]
    return Parsed({"documents": frame}, notes=table.notes)
