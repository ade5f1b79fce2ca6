"""Small files that unpack to very much: each is made when it is asked for."""

import gzip
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from io import BytesIO
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

Made = Callable[[], bytes]

MIB = 2**20


def parquet_of(schema: pa.Schema, tables: Iterator[pa.Table], **options: object) -> bytes:
    """Return a Parquet file of tables, a row group each."""
    out = BytesIO()
    with pq.ParquetWriter(out, schema, **{"compression": "zstd", **options}) as writer:
        for table in tables:
            writer.write_table(table)
    return out.getvalue()


def repeat(value: pa.Array, rows: int, groups: int = 1, **options: object) -> bytes:
    """Return a file whose column ``text`` has one value in every row, stored once."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), value)
    table = pa.table({"id": pa.array([str(n) for n in range(rows)]), "text": column})
    return parquet_of(table.schema, iter([table] * groups), **options)


def long_list(value: pa.Scalar, length: int, rows: int = 1) -> bytes:
    """Return a file with a list of equal values in each row."""
    values = pa.repeat(value, length)
    column = pa.ListArray.from_arrays(pa.array([0, length], pa.int32()), values)
    table = pa.table({"id": pa.array(["a"]), "text": column})
    return parquet_of(table.schema, iter([table] * rows))


def text(size: int) -> pa.Array:
    return pa.array(["a" * size])


def many_columns(columns: int, size: int, rows: int) -> bytes:
    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), text(size))
    table = pa.table({f"c{number}": column for number in range(columns)})
    return parquet_of(table.schema, iter([table]))


def equal_rows(value: object, rows: int) -> bytes:
    table = pa.table({"id": pa.repeat(pa.scalar(value, pa.string()), rows)})
    return parquet_of(table.schema, iter([table]))


def nested(depth: int, length: int) -> bytes:
    values: pa.Array = pa.repeat(pa.scalar(0, pa.int64()), length)
    for _ in range(depth):
        values = pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values)
    table = pa.table({"id": pa.array(["a"]), "text": values})
    return parquet_of(table.schema, iter([table]))


def structs(fields: int, size: int, rows: int) -> bytes:
    flat = pa.array(["a" * size] * rows)
    column = pa.StructArray.from_arrays([flat] * fields, [f"f{n}" for n in range(fields)])
    table = pa.table({"id": pa.array([str(n) for n in range(rows)]), "text": column})
    return parquet_of(table.schema, iter([table]))


PARQUET: dict[str, Made] = {
    "a text of 16 MB in 256 rows": lambda: repeat(text(16 * MIB), 256),
    "a list of 40 million zeros": lambda: long_list(pa.scalar(0, pa.int64()), 40_000_000),
    "a text of 60 MB in 64 rows": lambda: repeat(text(60 * MIB), 64),
    "a text of 1 MB in 4,096 rows": lambda: repeat(text(MIB), 4096),
    "a text of 64 KB in 65,536 rows": lambda: repeat(text(MIB // 16), 65_536),
    "bytes in 256 rows": lambda: repeat(pa.array([b"a" * 16 * MIB]), 256),
    "large strings": lambda: repeat(pa.array(["a" * 16 * MIB], pa.large_string()), 256),
    "ten row groups": lambda: repeat(text(16 * MIB), 64, groups=10),
    "without a dictionary": lambda: repeat(text(MIB), 512, use_dictionary=False),
    "packed with gzip": lambda: repeat(text(16 * MIB), 256, compression="gzip"),
    "packed with snappy": lambda: repeat(text(16 * MIB), 256, compression="snappy"),
    "a list of 100 million truths": lambda: long_list(pa.scalar(True), 100_000_000),
    "a list of 20 million texts": lambda: long_list(pa.scalar("abc"), 20_000_000),
    "lists in lists": lambda: nested(40, 20_000_000),
    "30 million empty rows": lambda: equal_rows(None, 30_000_000),
    "20 million short rows": lambda: equal_rows("a", 20_000_000),
    "2,000 columns": lambda: many_columns(2_000, MIB // 16, 256),
    "structs": lambda: structs(64, MIB // 4, 16),
    "within gzip": lambda: gzip.compress(repeat(text(16 * MIB), 256)),
    "within gzip, a list": lambda: gzip.compress(long_list(pa.scalar(0, pa.int64()), 40_000_000)),
}


def packed(piece: bytes, times: int, end: bytes = b"") -> bytes:
    """Return a gzip file of a piece, many times."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(piece) for _ in range(times)]
    return b"".join((*parts, packer.compress(end), packer.flush()))


def members(piece: bytes, times: int) -> bytes:
    return gzip.compress(piece) * times


GZIP: dict[str, Made] = {
    "zeros": lambda: packed(bytes(MIB), 1024),
    "empty lines": lambda: packed(b"\n" * MIB, 1024),
    "lines of a run": lambda: packed(b"q1 Q0 d 1 2.0 s\n" * (MIB // 16), 1024),
    "one line": lambda: packed(b"a" * MIB, 1024),
    "spaces": lambda: packed(b" " * MIB, 1024),
    "tabs": lambda: packed(b"\t" * MIB, 1024),
    "carriage returns": lambda: packed(b"\r" * MIB, 1024),
    "digits": lambda: packed(b"1" * MIB, 1024),
    "brackets": lambda: packed(b"[" * MIB, 1024),
    "braces": lambda: packed(b'{"a":' * (MIB // 5), 1024),
    "a string of JSON": lambda: packed(b"a" * MIB, 512, b'"}'),
    "quotes": lambda: packed(b'"' * MIB, 1024),
    "commas": lambda: packed(b"," * MIB, 1024),
    "no UTF-8": lambda: packed(b"\xff" * MIB, 1024),
    "byte order marks": lambda: packed(b"\xef\xbb\xbf" * (MIB // 3), 1024),
    "UTF-16": lambda: packed(b"a\0" * (MIB // 2), 1024),
    "emoji": lambda: packed("🐈".encode() * (MIB // 4), 1024),
    "many members": lambda: members(b"q1 Q0 d 1 2.0 s\n" * 65_536, 1024),
    "gzip in gzip": lambda: gzip.compress(packed(b"a" * MIB, 1024)),
    "objects of JSON": lambda: packed(b'{"id":"a","text":"b"}\n' * (MIB // 22), 1024),
}


def beside(lines: bytes, size: int = 200 * MIB) -> bytes:
    """Return many equal lines within gzip, beside so much noise that they seem to pack little."""
    whole = b'{"id":"a","text":"' + noise() + b'"}\n' + lines * (size // len(lines))
    return gzip.compress(whole, 6)


def noise() -> bytes:
    """Return 4 MB of text that packs by a quarter only."""
    return b64encode(Random(0).randbytes(3 * MIB))


def record(value: bytes) -> bytes:
    return gzip.compress(b'{"id":"a","text":%s}\n' % value)


def names(form: bytes, number: int) -> bytes:
    return b"".join(form % one for one in range(number))


JSON: dict[str, Made] = {
    "objects without a field": lambda: beside(b"{}\n"),
    "objects of one field": lambda: beside(b'{"id":"a"}\n'),
    "objects within one object": lambda: beside(b'{"text":[%s0]}\n' % (b"{}," * MIB)),
    "lists within one object": lambda: beside(b'{"text":[%s0]}\n' % (b"[]," * MIB)),
    "numbers within one object": lambda: beside(b'{"text":[%s0]}\n' % (b"0.1," * MIB)),
    "lists, 900 deep": lambda: beside(b'{"text":%s%s}\n' % (b"[" * 900, b"]" * 900)),
    "an array of objects": lambda: gzip.compress(b"[%s{}]" % (b"{}," * (5 * MIB))),
    "an array of arrays": lambda: gzip.compress(b"[%s{}]" % (b"[]," * (5 * MIB))),
    "an array of documents": lambda: gzip.compress(b"[%s{}]" % (b'{"id":"a","text":"b"},' * MIB)),
    "an array that never ends": lambda: gzip.compress(b'[{"id":"a","text":"' + b"a" * 15 * MIB),
    "8 million lists, each in another": lambda: record(b"[" * (8 * MIB) + b"]" * (8 * MIB)),
    "a million objects, each in another": lambda: record(b'{"a":' * MIB + b"0" + b"}" * MIB),
    "lists that are not closed": lambda: record(b"[" * (15 * MIB)),
    "four million texts": lambda: record(b'[%s""]' % (b'"ab",' * (4 * MIB))),
    "a number of four million digits": lambda: record(b"1" * (4 * MIB)),
    "escapes": lambda: record(b'"%s"' % (b"\\u0041" * (2 * MIB))),
    "fields of one object": lambda: gzip.compress(b"{%s}" % names(b'"%x":0,', MIB)[:-1]),
    "another field in each object": lambda: gzip.compress(names(b'{"%x":0}\n', MIB)),
    "the cells of one line": lambda: gzip.compress(names(b"%x\t", 2 * MIB) + b"\n"),
    "lines of two cells": lambda: beside(b"a\t\n"),
}


def write_objects(objects: list[bytes]) -> bytes:
    """Return a PDF of objects, whose last one is the catalogue."""
    file, places = b"%PDF-1.7\n", []
    for number, one in enumerate(objects, start=1):
        places.append(b"%010d 00000 n \n" % len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, b"".join(places))
    tail = b"trailer << /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        *(len(objects) + 1, len(objects), len(file)),
    )
    return file + head + tail


def stream(content: bytes, head: bytes = b"", times: int = 1) -> bytes:
    """Return a stream object, packed once for each of the times."""
    for _ in range(times):
        content = zlib.compress(content, 9)
    filters = b"/Filter [%s]" % (b" /FlateDecode" * times) if times else b""
    return b"<< %s %s /Length %d >>\nstream\n%s\nendstream" % (
        *(head, filters, len(content), content),
    )


def pdf_of(
    content: bytes, *, pages: int = 1, box: bytes = b"0 0 612 792", others: tuple[bytes, ...] = ()
) -> bytes:
    """Return a PDF with a content on each of its pages; the first of the others is ``/X``."""
    first = 2 + len(others)
    tree = first + pages
    page = b"<< /Type /Page /Parent %d 0 R /MediaBox [%s] /Contents 1 0 R /Resources %s >>" % (
        *(tree, box, b"<< /XObject << /X 2 0 R >> >>" if others else b"<< >>"),
    )
    kids = b" ".join(b"%d 0 R" % (first + number) for number in range(pages))
    return write_objects(
        [
            stream(content),
            *others,
            *[page] * pages,
            b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, pages),
            b"<< /Type /Catalog /Pages %d 0 R >>" % tree,
        ]
    )


def picture_in_pdf(
    side: int, space: bytes = b"/DeviceGray", bits: int = 1, times: int = 2
) -> bytes:
    """Return a page with one picture of equal pixels."""
    head = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s" % (
        *(side, side, space),
    )
    colours = 1 if space == b"/DeviceGray" else 3
    pixels = bytes((side * bits * colours + 7) // 8 * side)
    image = stream(pixels, head + b" /BitsPerComponent %d" % bits, times)
    return pdf_of(b"q 600 0 0 700 0 0 cm /X Do Q", others=(image,))


def forms(depth: int, width: int, times: int = 1) -> bytes:
    """Return forms each of which draws the next one several times."""
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 600 700]"
    inner = [
        stream(b"/X Do " * width, head + b" /Resources << /XObject << /X %d 0 R >> >>" % (3 + n))
        for n in range(depth)
    ]
    return pdf_of(b"/X Do " * times, others=(*inner, stream(b"0 0 600 700 re f", head)))


PDF: dict[str, Made] = {
    "a picture of 900 million pixels": lambda: picture_in_pdf(30_000),
    "forms within forms": lambda: forms(12, 10),
    "a picture in colour": lambda: picture_in_pdf(12_000, b"/DeviceRGB", 8),
    "a picture in grey": lambda: picture_in_pdf(20_000, bits=8),
    "a picture packed three times": lambda: picture_in_pdf(30_000, times=3),
    "a content of 1 GB": lambda: pdf_of(b"0 0 1 1 re f\n" * (2**30 // 13)),
    "a path of 20 million points": lambda: pdf_of(b"0 0 m " + b"9 9 l 1 1 l " * 10_000_000 + b"S"),
    "ten million fills": lambda: pdf_of(b"0 0 600 700 re f " * 10_000_000),
    "ten million clips": lambda: pdf_of(b"0 0 600 700 re W n " * 10_000_000),
    "states saved 50 million times": lambda: pdf_of(b"q " * 50_000_000),
    "a page of a kilometre": lambda: pdf_of(b"0 0 9 9 re f", box=b"0 0 3000000 3000000"),
    "a page like a thread": lambda: pdf_of(b"0 0 9 9 re f", box=b"0 0 1 14400"),
    "a page like a ribbon": lambda: pdf_of(b"0 0 9 9 re f", box=b"0 0 14400 1"),
    "100,000 pages": lambda: pdf_of(b"0 0 9 9 re f", pages=100_000),
    "sixty heavy pages": lambda: pdf_of(b"0 0 600 700 re f " * 1_000_000, pages=60),
    "forms, wide": lambda: forms(3, 1000),
    "forms, deep": lambda: forms(20_000, 1),
    "forms, drawn often": lambda: forms(6, 30, times=1000),
    "dashes": lambda: pdf_of(b"[0.0001] 0 d 0 0 m 600 700 l S " * 1000),
    "a text of 20 million letters": lambda: pdf_of(b"BT (" + b"a" * 20_000_000 + b") Tj ET"),
}


def picture(kind: str, size: tuple[int, int], mode: str = "1", **options: object) -> bytes:
    out = BytesIO()
    Image.new(mode, size).save(out, kind, **options)
    return out.getvalue()


def frames(kind: str, size: tuple[int, int], number: int) -> bytes:
    out = BytesIO()
    first, *others = (Image.new("P", size, colour % 200) for colour in range(number))
    first.save(out, kind, save_all=True, append_images=others)
    return out.getvalue()


def png_text(size: int) -> bytes:
    """Return a small PNG with a packed text that is long."""
    plain = picture("PNG", (9, 9), "RGB")
    chunk = b"zTXt" + b"Comment\0\0" + zlib.compress(bytes(size), 9)
    whole = (len(chunk) - 4).to_bytes(4) + chunk + zlib.crc32(chunk).to_bytes(4)
    return plain[:33] + whole + plain[33:]


PICTURES: dict[str, Made] = {
    "a PNG of 900 million pixels": lambda: picture("PNG", (30_000, 30_000)),
    "a PNG of 50 million pixels": lambda: picture("PNG", (7_000, 7_000), "RGBA"),
    "a PNG in grey": lambda: picture("PNG", (7_000, 7_000), "L"),
    "a PNG of 16 bits": lambda: picture("PNG", (7_000, 7_000), "I;16"),
    "a PNG with a palette": lambda: picture("PNG", (7_000, 7_000), "P"),
    "a PNG like a thread": lambda: picture("PNG", (1, 40_000_000), "L"),
    "a PNG like a ribbon": lambda: picture("PNG", (40_000_000, 1), "L"),
    "a PNG with a long text": lambda: png_text(2**30),
    "a JPEG of 900 million pixels": lambda: picture("JPEG", (30_000, 30_000), "L", quality=1),
    "a JPEG of 50 million pixels": lambda: picture("JPEG", (7_000, 7_000), "RGB", quality=1),
    "a progressive JPEG": lambda: picture(
        "JPEG", (7_000, 7_000), "RGB", quality=1, progressive=True
    ),
    "a JPEG for print": lambda: picture("JPEG", (7_000, 7_000), "CMYK", quality=1),
    "a GIF of 50 million pixels": lambda: picture("GIF", (7_000, 7_000), "P"),
    "a GIF of 400 million pixels": lambda: picture("GIF", (20_000, 20_000), "P"),
    "a GIF of 500 frames": lambda: frames("GIF", (1_000, 1_000), 500),
    "a PNG of 200 frames": lambda: frames("PNG", (1_000, 1_000), 200),
    "a WebP of 110 million pixels": lambda: picture("WEBP", (11_000, 10_000), "RGB", method=0),
    "a WebP of 49 million pixels": lambda: picture("WEBP", (7_000, 7_000), "RGB", method=0),
    "a WebP without loss": lambda: picture("WEBP", (7_000, 7_000), "RGBA", lossless=True, method=0),
    "a WebP of 100 frames": lambda: frames("WEBP", (1_000, 1_000), 100),
}
