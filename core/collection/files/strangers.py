"""Files that are known and not read here: told by what they are, with what to do instead."""

import re

from core.errors import BadInput

_PACKED = {
    b"PK\x03\x04": "a ZIP archive (or a spreadsheet); unpack it, or save the sheet as CSV",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\xfd7zXZ\x00": "packed with xz; unpack it, or pack it with gzip",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive; unpack it",
    b"\x28\xb5\x2f\xfd": "packed with Zstandard; unpack it, or pack it with gzip",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet or document; save the sheet as CSV",
    b"SQLite format 3\x00": "an SQLite database; export its table as CSV",
    b"ARROW1\x00\x00": "an Arrow file; save it as Parquet",
    **{
        b"BZh%d1AY&SY" % size: "packed with bzip2; unpack it, or pack it with gzip"
        for size in range(1, 10)
    },
}
_LINES = {
    re.compile(rb"\s*sep=.\s*$", re.IGNORECASE): "begins with the line 'sep=', which is for a "
    "spreadsheet program only; take that line out",
    re.compile(rb"-?\d+(?:\.\d+)? qid:\S+ \d+:\S"): "holds feature vectors for learning to rank "
    "(svmlight), which name no documents; write qrels: topic iteration document level",
}

_STATE = b'"instance_id_to_label_to_value"'


def refuse_strangers(beginning: bytes, name: str) -> None:
    """Refuse a file by its first bytes or its first line.

    Raises
    ------
    BadInput
        It is packed in another way than with gzip, a spreadsheet, a database, or no such data.
    """
    for magic, what in _PACKED.items():
        if beginning.startswith(magic):
            raise BadInput(f"is {what}", file=name)
    if beginning.lstrip().startswith(b"{") and _STATE in beginning:
        raise BadInput(
            "is the state that Potato keeps of one person; export its annotated instances and take "
            "these",
            file=name,
        )
    first = beginning.removeprefix(b"\xef\xbb\xbf")[:1000].partition(b"\n")[0]
    for pattern, what in _LINES.items():
        if pattern.match(first):
            raise BadInput(what, file=name, line=1)
