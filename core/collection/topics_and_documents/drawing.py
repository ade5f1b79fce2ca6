"""Pictures and PDFs drawn as HTML that shows them without a script and without another file.

Files of strangers are decoded in a process of its own, on Linux with a limit on its memory;
`rendered_files` starts it, and ends it where it takes too long. What comes out was made here: the
pixels are drawn anew, and nothing else of the file is kept but the text of a PDF.
"""

import base64
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import Any

from core.collection.files.source import media_type_of
from core.errors import BadInput
from core.processes import limit_memory, limit_time

MOST_PAGES = 60
"""Pages of a PDF that are drawn; one with more is refused, so that nobody judges half of it."""

_WIDTH, _HEIGHT = 1000, 4000
"""Pixels that a picture has at most."""

_MOST_PIXELS = 50_000_000

_SCALED = ("RGB", "RGBA", "L", "CMYK", "YCbCr")
"""Kinds of pixels that are made smaller as they are."""

_MEMORY = 340 * 2**20
"""Bytes that drawing may take beside what is imported for it. A page in print takes half of it."""

_SECONDS = 10
"""Seconds of processor time for a file, and one more for each page: real ones take a tenth."""

_STYLE = """<style>
body{margin:1rem auto;max-width:62rem;padding:0 1rem;background:#fff;color:#1a1a1a;
font:16px/1.6 system-ui,sans-serif}
.sheet{position:relative;container-type:inline-size;margin:0 auto 1rem;
box-shadow:0 0 0 1px #c8c8c8}
.sheet img{display:block;width:100%;height:100%}
.sheet span{position:absolute;white-space:pre;line-height:1;color:transparent;
font-family:Arial,sans-serif}
.sheet mark{background:rgb(255 200 40/.4);color:transparent}
.picture{display:block;margin:auto;max-width:100%;height:auto}
</style>"""


def _allow_all(_pages: int) -> None:
    """Let a file take what it takes."""


@dataclass(frozen=True)
class RenderedFile:
    """A file as it is shown: HTML that stands by itself, and the text that it holds."""

    html: str
    text: str


def draw_file(
    content: bytes, title: str, allow: Callable[[int], None] = _allow_all
) -> RenderedFile:
    """Draw one file here, in this process.

    Parameters
    ----------
    content : bytes
        A PDF, PNG, JPEG, GIF or WebP; of what moves, the first picture.
    title : str
        What a screen reader says of a picture.
    allow : callable, optional
        Is told how many pages there are once that is known, and none before.

    Raises
    ------
    BadInput
        It is none of these, is damaged, is locked, or is too large.
    """
    allow(0)
    if not (kind := media_type_of(content)):
        raise BadInput("is neither a PDF nor a PNG, JPEG, GIF or WebP image")
    return _draw_pdf(content, allow) if kind == "application/pdf" else _draw_image(content, title)


def _draw_image(content: bytes, title: str) -> RenderedFile:
    from PIL import ExifTags, Image, ImageOps

    Image.MAX_IMAGE_PIXELS = None  # what is too large is told below, before it is decoded
    try:
        with Image.open(BytesIO(content)) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                size = f"{opened.width:,} × {opened.height:,}"
                raise BadInput(f"has {size} pixels; at most {_MOST_PIXELS:,} can be shown")
            has_holes = "A" in opened.getbands() or "transparency" in opened.info
            mode = "RGBA" if has_holes else "RGB"
            is_scaled = opened.mode in _SCALED and (not has_holes or opened.mode == mode)
            picture: Image.Image = opened if is_scaled else opened.convert(mode)
            is_turned = picture.getexif().get(ExifTags.Base.Orientation, 1) > 4
            # Made smaller before it is turned: a JPEG is then not decoded at its full size.
            picture.thumbnail((_HEIGHT, 2 * _WIDTH) if is_turned else (2 * _WIDTH, _HEIGHT))
            picture = ImageOps.exif_transpose(picture).convert(mode)
    except MemoryError as error:
        raise BadInput("takes too much memory to be drawn; make it smaller") from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise BadInput("is a damaged image; save it anew") from error
    alt = escape(title or "The image to judge")
    shown = f'<img class="picture" alt="{alt}" src="{_as_address(picture)}">'
    return RenderedFile(_STYLE + shown, "")


def _draw_pdf(content: bytes, allow: Callable[[int], None]) -> RenderedFile:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        locked = "assword" in str(error)
        reason = "needs a password" if locked else "is a damaged PDF"
        raise BadInput(f"{reason}; save it as a PDF that opens by itself") from error
    if not 0 < len(document) <= MOST_PAGES:
        raise BadInput(f"has {len(document)} pages; 1 to {MOST_PAGES} can be shown")
    allow(len(document))
    sheets, texts = [], []
    for number in range(len(document)):
        try:
            page = document[number]
            sheet, text = _draw_sheet(page, f"Page {number + 1} of {len(document)}")
        except (pypdfium2.PdfiumError, ValueError, MemoryError) as error:
            raise BadInput(f"is damaged on page {number + 1}; save it anew") from error
        sheets.append(sheet)
        texts.append(text)
        page.close()
    document.close()
    return RenderedFile(_STYLE + "".join(sheets), "\n\n".join(texts).strip())


def _draw_sheet(page: Any, name: str) -> tuple[str, str]:
    width, height = page.get_size()
    if not (width > 0 and height > 0):
        raise ValueError("it has no size")
    scale = min(_WIDTH / width, _HEIGHT / height)
    picture = page.render(scale=scale).to_pil().convert("RGB")
    lines = list(_lines(page.get_textpage(), width, height))
    texts = "".join(f"<span style='{place}'>{escape(text)}\n</span>" for place, text in lines)
    image = f'<img alt="{name}" src="{_as_address(picture)}">'
    shown = f'<div class="sheet" style="aspect-ratio:{width:.0f}/{height:.0f}">{image}{texts}</div>'
    return shown, "\n".join(text for _, text in lines)


def _lines(written: Any, width: float, height: float) -> Iterator[tuple[str, str]]:
    """Yield where each stretch of text stands, as shares of its sheet, and the text."""
    for number in range(written.count_rects()):
        left, bottom, right, top = written.get_rect(number)
        text = _clean(written.get_text_bounded(left, bottom, right, top))
        if text and top > bottom:
            place = f"left:{100 * left / width:.2f}%;top:{100 * (height - top) / height:.2f}%"
            yield f"{place};font-size:{100 * (top - bottom) / width:.2f}cqw", text


def _clean(text: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def _as_address(picture: Any) -> str:
    packed = BytesIO()
    picture.save(packed, "WEBP", quality=70, method=2)
    return f"data:image/webp;base64,{base64.b64encode(packed.getvalue()).decode()}"


def main() -> None:
    """Draw files as they come in: of each a JSON object in a line, then its bytes.

    Each is answered with a line.
    """
    import PIL.WebPImagePlugin  # noqa: F401 -- what is imported before the limit is not counted
    import pypdfium2  # noqa: F401

    given = sys.stdin.buffer
    while line := given.readline():
        asked = json.loads(line)
        limit_memory(asked["size"] + _MEMORY)
        content = given.read(asked["size"])
        limit_memory(_MEMORY)
        try:
            drawn = draw_file(content, asked["title"], lambda pages: limit_time(_SECONDS + pages))
            answer = {"html": drawn.html, "text": drawn.text}
        except BadInput as error:
            answer = {"refused": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
