"""Small PDFs and pictures, made for tests."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image, ImageDraw


def make_picture(kind: str = "PNG", size: tuple[int, int] = (400, 250)) -> bytes:
    """Return a picture: teal on white."""
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).rectangle((0, 0, size[0] // 2, size[1] // 2), fill="teal")
    packed = BytesIO()
    picture.save(packed, kind)
    return packed.getvalue()


def make_pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """Return a PDF with these lines of text on its pages."""
    objects = [b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    for lines in pages:
        shown = b" ".join(b"(%s) Tj T*" % line.encode("latin-1") for line in lines)
        stream = b"BT /F1 18 Tf 72 720 Td 24 TL %s ET" % shown
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    last = 1 + 2 * len(pages) + 1
    objects += [
        b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
        b"/Resources << /Font << /F1 1 0 R >> >> >>" % (last, 2 + number)
        for number in range(len(pages))
    ]
    kids = b" ".join(b"%d 0 R" % (2 + len(pages) + number) for number in range(len(pages)))
    objects.append(b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)))
    objects.append(b"<< /Type /Catalog /Pages %d 0 R >>" % last)
    return _write(objects)


def _write(objects: Sequence[bytes]) -> bytes:
    file, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        places.append(b"%010d 00000 n \n" % len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    size = len(objects) + 1
    return file + b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root %d 0 R >>\n" % (
        size, b"".join(places), size, len(objects)
    ) + b"startxref\n%d\n%%%%EOF\n" % len(file)  # fmt: skip
