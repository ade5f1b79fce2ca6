"""Files that are not read are told by what they are, at once and by every way in."""

import bz2
import gzip
import io
import lzma
import zipfile

import pytest

from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import KINDS, read_import
from core.errors import BadInput
from tests.each import each

RUN = b"1 Q0 d1 1 2.5 a\n"


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.run", RUN)
    return out.getvalue()


@each("topic", ["ARROW1", "BZh9", "PK", "7z", "sep"])
def test_a_topic_that_is_called_like_one_is_a_topic(topic):
    found = read_import("qrels", Source("f", f"{topic} 0 d1 1\n".encode()))
    assert found.frames["qrels"]["topic_id"].tolist() == [topic]


@each(
    ("content", "says"),
    [
        (zipped(), "is a ZIP archive"),
        (bz2.compress(RUN), "is packed with bzip2"),
        (lzma.compress(RUN), "is packed with xz"),
        (gzip.compress(gzip.compress(RUN)), "is packed with gzip twice"),
        (gzip.compress(zipped()), "is a ZIP archive"),
        (b"sep=;\ntopic;document;level\n", "take that line out"),
        (b"\xef\xbb\xbfsep=,\r\n", "take that line out"),
        (b'{"user_id": "a", "instance_id_to_label_to_value": {"1": []}}', "annotated instances"),
        (b"2 qid:10 1:0.5 2:0.25 # d1\n", "feature vectors"),
    ],
)
def test_each_is_named_with_what_to_do(content, says):
    source = Source("f", content)
    with pytest.raises(BadInput, match=says):
        detect_kind(source)
    for kind in KINDS:
        with pytest.raises(BadInput, match=says):
            read_import(kind, Source("f", content))
