"""Documents that are a PDF or a picture become HTML that stands by itself."""

import base64
import json
import re
from io import BytesIO

import pytest
from PIL import Image

from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.topics_and_documents.drawing import MOST_PAGES, draw_file
from core.collection.topics_and_documents.rendered_files import a_drawer
from core.errors import BadInput
from tests.each import each
from tests.made_files import make_pdf, make_picture

PDF = make_pdf([["Feeding cats well", "A cat eats <twice> a day."], ["Of dogs"]])


def pictures_in(html: str) -> list[Image.Image]:
    found = re.findall(r'src="data:image/webp;base64,([^"]+)"', html)
    return [Image.open(BytesIO(base64.b64decode(one))) for one in found]


def lines_of(*documents: dict[str, str]) -> Source:
    return Source("docs.jsonl", "\n".join(map(json.dumps, documents)).encode())


def packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


def test_a_pdf_is_drawn_page_by_page_with_its_text_where_it_stands():
    frame = read_import("documents", Source("folder/guide.pdf", PDF)).frames["documents"]
    (row,) = frame.to_dict("records")
    assert (row["document_id"], row["title"]) == ("guide", "guide")
    assert row["text"] == "Feeding cats well\nA cat eats <twice> a day.\n\nOf dogs"
    assert [picture.size for picture in pictures_in(row["html"])] == [(1000, 1295)] * 2
    assert 'alt="Page 2 of 2"' in row["html"]
    spans = re.findall(r"<span style='([^']+)'>([^<]+)", row["html"])
    assert [text.strip() for _, text in spans] == [
        "Feeding cats well", "A cat eats &lt;twice&gt; a day.", "Of dogs"
    ]  # fmt: skip
    left, top = (float(one) for one in re.findall(r"(?:left|top):([\d.]+)%", spans[0][0]))
    assert left == pytest.approx(100 * 72 / 612, abs=0.5)
    assert top == pytest.approx(100 * (792 - 720 - 14) / 792, abs=1)


@each("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_picture_is_drawn_anew(kind: str):
    document = {"id": "d", "title": 'A "cat"', "media": packed(make_picture(kind))}
    (html,) = read_import("documents", lines_of(document)).frames["documents"]["html"]
    (picture,) = pictures_in(html)
    assert picture.size == (400, 250)
    red, green, blue = picture.convert("RGB").getpixel((50, 50))
    assert red < 40
    assert green == pytest.approx(128, abs=12)
    assert blue == pytest.approx(128, abs=12)
    assert 'alt="A &quot;cat&quot;"' in html


def test_what_a_camera_notes_is_turned_and_forgotten():
    picture = Image.new("RGB", (300, 200), "teal")
    noted = picture.getexif()
    noted[0x0112], noted[0x010E] = 6, "where somebody lives"
    file = BytesIO()
    picture.save(file, "JPEG", exif=noted)
    drawn = draw_file(file.getvalue(), "")
    (shown,) = pictures_in(drawn.html)
    assert shown.size == (200, 300)
    assert not shown.getexif()


def test_media_stand_beside_texts_in_one_file():
    address = f"data:application/pdf;base64,{packed(PDF)}"
    frame = read_import(
        "documents",
        lines_of(
            {"id": "a", "text": "plain"},
            {"id": "b", "text": "told by its owner", "media": address},
            {"id": "c", "media": packed(make_picture())},
        ),
    ).frames["documents"]
    assert frame["text"].tolist() == ["plain", "told by its owner", ""]
    assert [html.count("<img") for html in frame["html"]] == [0, 2, 1]


def test_files_are_known_by_their_first_bytes():
    for content in (PDF, make_picture(), make_picture("WEBP")):
        assert detect_kind(Source("anything.dat", content)).kind == "documents"


@each(
    ("content", "says"),
    [
        (b"%PDF-1.7 nothing more", "is a damaged PDF"),
        (b"\x89PNG\r\n\x1a\nnothing more", "is a damaged image"),
        (PDF[: len(PDF) // 2], "is a damaged PDF"),
        (make_pdf([["x"]] * (MOST_PAGES + 1)), "has 61 pages; 1 to 60 can be shown"),
        (make_pdf([]), "is a damaged PDF"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_its_name(content: bytes, says: str):
    source = Source("scans/one.pdf", content)
    with pytest.raises(BadInput, match=rf"^scans/one\.pdf: {says}"):
        read_import("documents", source)


@each(
    ("document", "says"),
    [
        ({"media": "no base64!"}, "is not base64"),
        ({"media": packed(b"plain text")}, "is neither a PDF nor a PNG"),
        ({"media": packed(PDF), "html": "<p>x</p>"}, "has HTML, too"),
    ],
)
def test_a_document_that_cannot_be_drawn_is_named_by_its_line(document: dict[str, str], says: str):
    with pytest.raises(BadInput, match=rf"^docs\.jsonl:2: field 'media': {says}"):
        read_import("documents", lines_of({"id": "a", "text": "x"}, {"id": "b", **document}))


def test_a_picture_too_large_for_memory_is_refused():
    header = make_picture("GIF")
    huge = header[:6] + b"\xff\xff\xff\xff" + header[10:]
    with pytest.raises(BadInput, match="has 65,535 × 65,535 pixels"):
        draw_file(huge, "")


def test_a_file_that_takes_too_long_ends_the_drawing_and_not_the_import():
    with a_drawer(seconds=0.0) as drawer, pytest.raises(BadInput, match="takes too long"):
        drawer.draw(PDF, "")


def test_a_drawer_that_has_ended_says_so_and_is_closed():
    with a_drawer(seconds=0.0) as drawer:
        for _ in range(2):
            with pytest.raises(BadInput, match="takes too long"):
                drawer.draw(PDF, "")


def test_one_process_draws_one_file_after_the_other():
    with a_drawer() as drawer:
        with pytest.raises(BadInput, match="damaged"):
            drawer.draw(b"%PDF-1.7", "")
        assert drawer.draw(make_pdf([["Cats"]]), "").text == "Cats"
