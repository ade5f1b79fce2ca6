"""The text of an HTML page as passages of it are marked: what is read, without its markup."""

import hashlib
import re
import threading
from collections import OrderedDict
from html.parser import HTMLParser

_UNREAD = frozenset(("script", "style", "title", "textarea", "template"))
"""What stands in these is not read as part of the page; as in frame_text.js."""

_IN_LINE = frozenset(
    (
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn",
        "em", "font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "rp", "rt", "ruby", "s",
        "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
        "wbr",
    )
)  # fmt: skip
_SPACE = re.compile("[\\s\u200b\ufeff]+")
_MOST_KEPT = 20_000_000
"""Characters of texts that are kept, so that a page is not read anew for everybody."""


def read_page_text(html: str) -> str:
    """Return the text of an HTML page: a line for each block, one space where there is any.

    Every sign but space is there that a browser shows as text, in the order of the page; so a
    browser finds each place of it again, whatever it makes of the space.
    """
    name = hashlib.blake2b(html.encode("utf-8", "replace"), digest_size=16).digest()
    known = _KEPT.get(name)
    if known is None:
        known = _read(html)
        _KEPT.put(name, known)
    return known


def _read(html: str) -> str:
    reader = _Reader()
    reader.feed(html.replace("\0", ""))
    reader.close()
    lines = (_SPACE.sub(" ", line).strip() for line in "".join(reader.parts).split("\ue000\n"))
    return "\n".join(line for line in lines if line)


class _Reader(HTMLParser):
    """Takes down what is text, and where a block begins or ends."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._within = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block, or something that is not read."""
        if not self._within and tag in _UNREAD:
            self._within = tag
        self._cut(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take ``<br/>`` for what a browser takes it for: the tag begins, and does not end."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End a block, or what is not read."""
        if tag == self._within:
            self._within = ""
        self._cut(tag)

    def handle_data(self, data: str) -> None:
        """Take down a piece of text."""
        if not self._within:
            self.parts.append(data.replace("\ue000", ""))

    def _cut(self, tag: str) -> None:
        if tag not in _IN_LINE:
            self.parts.append("\ue000\n")


class _TextCache:
    """Texts that were read lately, by what names their page."""

    def __init__(self) -> None:
        self._texts: OrderedDict[bytes, str] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, name: bytes) -> str | None:
        with self._lock:
            if name in self._texts:
                self._texts.move_to_end(name)
            return self._texts.get(name)

    def put(self, name: bytes, text: str) -> None:
        with self._lock:
            self._size += len(text) - len(self._texts.get(name, ""))
            self._texts[name] = text
            while self._size > _MOST_KEPT and len(self._texts) > 1:
                self._size -= len(self._texts.popitem(last=False)[1])


_KEPT = _TextCache()
