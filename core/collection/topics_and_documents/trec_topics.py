"""Topics as TREC writes them: XML since the Web tracks, tags without ends before."""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import DefusedXMLParser  # type: ignore[import-untyped]

from core.collection.file_format import Parsed, file_format
from core.collection.files.checks import LINE
from core.collection.files.likeness import UNLIKE, Likeness
from core.collection.files.source import Source
from core.collection.topics_and_documents.topics import TOPIC, topic_frames
from core.errors import BadInput

_NAMES = {
    "query": ("query", "title"),
    "description": ("description", "desc"),
    "narrative": ("narrative", "narr"),
}
_TAGS = "num|title|desc|narr|dom|smry|con|fac|def|head|nat"
_BLOCK = re.compile(r"<top>(.*?)(</top>|(?=<top>)|\Z)", re.IGNORECASE | re.DOTALL)
_FIELD = re.compile(rf"<({_TAGS})\b[^<>]*>(.*?)(?=</?(?:{_TAGS})\b|\Z)", re.I | re.S)
_PREFIX = re.compile(r"\s*(number|topic|title|description|narrative)\s*:", re.IGNORECASE)
_OTHER = re.compile(r"<[^<>]*>")
_LINE_END = re.compile("\n")
_TOPIC = re.compile(r"<topic\b")


def _is_classic(source: Source, _options: Any) -> bool:
    return _is_xml(source, _options) and "<top>" in source.text.lower()


def _is_xml(source: Source, _options: Any) -> bool:
    return source.text.lstrip().startswith("<")


def _detect_classic(sample: Source) -> Likeness:
    return Likeness(1.0) if _is_classic(sample, None) else UNLIKE


def _detect_xml(sample: Source) -> Likeness:
    is_known = _is_xml(sample, None) and _TOPIC.search(sample.text) is not None
    return Likeness(0.9) if is_known and not _is_classic(sample, None) else UNLIKE


@file_format(
    kind="topics",
    name="TREC topics",
    layout="`<top> … </top>`, as the classic tracks have it",
    example="<top>\n<num> Number: 1\n<title> x\n<desc> Description: y\n</top>\n",
    sniff=_is_classic,
    detect=_detect_classic,
)
def read_topics_classic(source: Source, _options: Any) -> Parsed:
    """Read ``<top> <num> Number: 301 <title> … <desc> … <narr> … </top>``."""
    from pandas import DataFrame

    _refuse_outside(source)
    starts = [0, *(end.end() for end in _LINE_END.finditer(source.text))]
    rows = [
        _read_block(source, block, bisect_right(starts, block.start()))
        for block in _BLOCK.finditer(source.text)
    ]
    frame = DataFrame(rows, columns=[*TOPIC, LINE]).astype(dict.fromkeys(TOPIC, "str"))
    return Parsed(topic_frames(source, frame, []))


def _refuse_outside(source: Source) -> None:
    """Refuse text that belongs to no topic: a ``<top>`` may be missing before it."""
    end = 0
    for block in [*_BLOCK.finditer(source.text), None]:
        between = source.text[end : block.start() if block else None]
        stray = _OTHER.sub(lambda tag: " " * len(tag[0]), between)
        orphan = between.lower().find("</top>")
        if orphan >= 0 or stray.strip():
            position = end + (orphan if orphan >= 0 else len(stray) - len(stray.lstrip()))
            raise BadInput(
                "this stands outside <top> … </top>", file=source.name, line=_line(source, position)
            )
        end = block.end() if block else end


def _read_block(source: Source, block: re.Match[str], line: int) -> tuple[Any, ...]:
    if not block[2]:
        raise BadInput("this <top> has no </top>", file=source.name, line=line)
    fields = {
        match[1].lower(): _squeeze(html.unescape(_PREFIX.sub("", match[2], count=1)))
        for match in reversed(list(_FIELD.finditer(block[1])))
    }
    for tag, what in (("num", "number"), ("title", "title")):
        if not fields.get(tag):
            raise BadInput(f"this topic has no {what}", file=source.name, line=line, field=tag)
    texts = (fields[tag] for tag in ("num", "title"))
    return (*texts, fields.get("desc", ""), fields.get("narr", ""), "", line)


def _line(source: Source, position: int) -> int:
    return source.text.count("\n", 0, position) + 1


def _squeeze(text: str) -> str:
    return " ".join(text.split())


@file_format(
    kind="topics",
    name="TREC XML",
    layout="`<topic number=…>` with query, description and subtopics, as the Web tracks have it",
    example='<t><topic number="1"><query>x</query><subtopic number="1">y</subtopic></topic></t>',
    sniff=_is_xml,
    detect=_detect_xml,
)
def read_topics_xml(source: Source, _options: Any) -> Parsed:
    """Read ``<topic number= type=>`` elements with their query, description and subtopics."""
    from pandas import DataFrame

    topics, subtopics = [], []
    for topic, lines in _iterate_topics(source):
        number = _attribute(topic, "number", "id")
        texts = {name: _child_text(topic, tags) for name, tags in _NAMES.items()}
        line = lines[topic]
        for value, field in ((number, "number"), (texts["query"], "query")):
            if not value:
                raise BadInput("this topic has none", file=source.name, line=line, field=field)
        topics.append((number, *texts.values(), topic.get("type", ""), line))
        subtopics += [
            (
                number,
                _attribute(part, "number", "id"),
                part.get("type", ""),
                _squeeze("".join(part.itertext())),
                part.get("probability", ""),
                lines[part],
            )
            for part in topic.iter("subtopic")
        ]
    frame = DataFrame(topics, columns=[*TOPIC, LINE]).astype(dict.fromkeys(TOPIC, "str"))
    return Parsed(topic_frames(source, frame, subtopics))


def _iterate_topics(source: Source) -> Iterator[tuple[Element, dict[Element, int]]]:
    lines: dict[Element, int] = {}
    root = _parse_xml(source, lines)
    found = list(root.iter("topic"))
    if not found:
        raise BadInput("contains no <topic> element", file=source.name, line=lines[root])
    for topic in found:
        yield topic, lines


def _parse_xml(source: Source, lines: dict[Element, int]) -> Element:
    """Return the root and fill in the line of every element.

    A document type is welcome, for its default attributes; entities are not: they can blow
    a short file up without end or reach for other files.
    """

    def make(tag: str, attributes: dict[str, str]) -> Element:
        element = Element(tag, attributes)
        lines[element] = parser.parser.CurrentLineNumber
        return element

    parser = DefusedXMLParser(target=TreeBuilder(element_factory=make))
    try:
        parser.feed(source.text)
        root: Element = parser.close()
    except ParseError as error:
        reason = f"is not well-formed XML ({error})"
        raise BadInput(reason, file=source.name, line=error.position[0]) from error
    except DefusedXmlException as error:
        raise BadInput(
            "declares or uses an entity, which is not read for safety; write the text out",
            file=source.name,
            line=parser.parser.CurrentLineNumber,
        ) from error
    return root


def _attribute(element: Element, *names: str) -> str:
    return next((element.get(name, "").strip() for name in names if name in element.attrib), "")


def _child_text(topic: Element, tags: tuple[str, ...]) -> str:
    child = next((found for tag in tags if (found := topic.find(tag)) is not None), None)
    return "" if child is None else _squeeze("".join(child.itertext()))
