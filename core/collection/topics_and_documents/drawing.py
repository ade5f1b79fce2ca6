"""Pictures and PDFs drawn as HTML that shows them without a script and without another file.

Files of strangers are decoded in a process of its own, on Linux with a limit on its memory;
`shown_files` starts it, and ends it where it takes too long. What comes out was made here: the
pixels are drawn anew, and nothing else of the file is kept but the text of a PDF.
"""

import base64
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import Any

from core.collection.files.media_types import media_type_of
from core.errors import BadInput

MOST_PAGES = 60
"""Pages of a PDF that are drawn; one with more is refused, so that nobody judges half of it."""

_WIDTH, _HEIGHT = 1000, 4000
"""Pixels that a picture has at most."""

_MOST_PIXELS = 80_000_000
_MEMORY = 3 * 2**30

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


@dataclass(frozen=True)
class Drawn:
    """A file as it is shown: HTML that stands by itself, and the text that it holds."""

    html: str
    text: str


def draw_file(content: bytes, title: str) -> Drawn:
    """Draw one file here, in this process.

    Parameters
    ----------
    content : bytes
        A PDF, PNG, JPEG, GIF or WebP; of what moves, the first picture.
    title : str
        What a screen reader says of a picture.

    Raises
    ------
    BadInput
        It is none of these, is damaged, is locked, or is too large.
    """
    if not (kind := media_type_of(content)):
        raise BadInput("is neither a PDF nor a PNG, JPEG, GIF or WebP image")
    return _draw_pdf(content) if kind == "application/pdf" else _draw_image(content, title)


def _draw_image(content: bytes, title: str) -> Drawn:
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = None  # what is too large is told below, before it is decoded
    try:
        with Image.open(BytesIO(content)) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                size = f"{opened.width:,} × {opened.height:,}"
                raise BadInput(f"has {size} pixels; at most {_MOST_PIXELS:,} can be shown")
            picture = ImageOps.exif_transpose(opened)
            has_holes = "A" in picture.getbands() or "transparency" in picture.info
            picture = picture.convert("RGBA" if has_holes else "RGB")
            picture.thumbnail((2 * _WIDTH, _HEIGHT))
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError) as error:
        raise BadInput("is a damaged image; save it anew") from error
    alt = escape(title or "The image to judge")
    shown = f'<img class="picture" alt="{alt}" src="{_as_address(picture)}">'
    return Drawn(_STYLE + shown, "")


def _draw_pdf(content: bytes) -> Drawn:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        locked = "assword" in str(error)
        reason = "needs a password" if locked else "is a damaged PDF"
        raise BadInput(f"{reason}; save it as a PDF that opens by itself") from error
    if not 0 < len(document) <= MOST_PAGES:
        raise BadInput(f"has {len(document)} pages; 1 to {MOST_PAGES} can be shown")
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
    return Drawn(_STYLE + "".join(sheets), "\n\n".join(texts).strip())


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
    """Draw files as they come in, a JSON object a line; answer each with a line."""
    if sys.platform == "linux":  # macOS refuses this limit, and the process would not start
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            drawn = draw_file(base64.b64decode(asked["content"]), asked["title"])
            answer = {"html": drawn.html, "text": drawn.text}
        except BadInput as error:
            answer = {"refused": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
