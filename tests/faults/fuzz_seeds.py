"""What the parser fuzz starts from: whole, valid files of every format, small and quick to read."""

import gzip
import re
from dataclasses import dataclass, field
from typing import Any

from core.collection.file_format import formats_of
from core.collection.formats import KINDS
from core.collection.records import default_scales


@dataclass(frozen=True)
class Target:
    """A format with its files, and what a caller may choose when reading them.

    ``words`` are names that mean something in the format: columns, tags, values.
    """

    kind: str
    name: str
    seeds: tuple[bytes, ...]
    words: tuple[str, ...]
    options: tuple[dict[str, Any], ...] = field(default=({},))

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def _lines(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


_TOPIC_WORDS = ("id", "query", "description", "narrative", "type", "subtopics", "title", "qid")
_LABEL_WORDS = (
    *("assessor", "topic", "document", "level", "facet", "engine", "occasion", "state", "group"),
    *("sequence", "time", "dwell_ms", "comment", "gold", "cannot judge", "snippet", "page"),
)
_PREFERENCE_WORDS = (
    *("topic", "left", "right", "choice", "strength", "assessor", "kind", "facet", "occasion"),
    *("first", "second", "state", "tie", "systems", "panel", "clearly", "cannot judge"),
)
_LABEL_OPTIONS = (
    {},
    {"facet": "snippet"},
    {"scales": default_scales()},
    {"missing": ("-2", "")},
    {"gold": "gold", "missing": ("-1",)},
    {"columns": {"level": "label", "assessor": "worker"}},
)

_RICH = (
    Target(
        "topics",
        "JSONL",
        (
            _lines(
                '{"id": "t1", "query": "jaguar", "description": "The animal.", "type": "faceted"}',
                '{"id": "t2", "query": "עברית", "narrative": null, "subtopics": [{"id": 1, '
                '"type": "nav", "text": "a page", "probability": 0.5}]}',
            ),
        ),
        _TOPIC_WORDS,
    ),
    Target(
        "topics",
        "TSV",
        (
            _lines("301\tinternational crime\tWhat is known?", "302\tpoliomyelitis"),
            _lines("id\tquery\tdescription", "t1\tcats\t", "", 't2\t"dogs\tabout'),
        ),
        _TOPIC_WORDS,
    ),
    Target(
        "topics",
        "TREC topics",
        (
            _lines(
                "<top>",
                "<num> Number: 301",
                "<title> crime &amp; more",
                "<desc> Description:",
                "Which?",
                "<narr> Narrative: Any.",
                "</top>",
                "<top><num>302<title>x</title></top>",
            ),
        ),
        ("<top>", "</top>", "<num>", "<title>", "<desc>", "<narr>", "Number:"),
    ),
    Target(
        "topics",
        "TREC XML",
        (
            _lines(
                '<?xml version="1.0"?>',
                "<webtrack2012>",
                '<topic number="151" type="faceted"><query>403b</query>',
                "<description>What is it?</description>",
                '<subtopic number="1" type="inf" probability="0.2">What?</subtopic></topic>',
                '<topic id="152"><title>angular</title></topic>',
                "</webtrack2012>",
            ),
        ),
        ("topic", "query", "number", "subtopic", "<!DOCTYPE a>", "&amp;", "<![CDATA[x]]>"),
    ),
    Target(
        "documents",
        "JSONL",
        (
            _lines(
                '{"id": "d1", "title": "Cats", "url": "http://c.example", "text": "A \\u00e9"}',
                '{"id": "d2", "html": "<p>x</p>"}',
                '{"id": "d3"}',
            ),
        ),
        ("id", "docno", "title", "url", "text", "html", "body"),
    ),
    Target(
        "documents",
        "CSV",
        (
            _lines("id,title,text", 'd1,"Cats, big","A\nline"', "d2,,"),
            _lines("docid;name;html", "d1;Cats;<b>x</b>"),
            _lines("id\turl\ttext", "d1\thttp://c.example\tA cat."),
        ),
        ("id", "docid", "title", "url", "text", "html", '"'),
    ),
    Target(
        "results",
        "JSONL",
        (
            _lines(
                '{"topic": "t1", "engine": "e1", "document": "d1", "rank": 1, "snippet": "Cats"}',
                '{"topic": "t1", "engine": "e1", "document": "d2", "rank": 2, "vertical": "news"}',
            ),
        ),
        ("topic", "engine", "document", "rank", "snippet", "vertical"),
    ),
    Target(
        "results",
        "TSV",
        (
            _lines(
                "topic\tengine\tdocument\trank\tsnippet", "t1\te1\td1\t1\tCats", "t1\te2\td1\t1\t"
            ),
        ),
        ("topic", "engine", "document", "rank", "snippet", "vertical"),
    ),
    Target(
        "runs",
        "TREC run",
        (
            _lines("t1 Q0 d1 1 2.5 s1", "t1 Q0 d2 2 1.5 s1", "t2 Q0 d1 1 -3e2 s1"),
            _lines("t1\tQ0\td1\t0\t9\ts1", "t1\tQ0\td2\t1\t9.0\ts2"),
            _lines("  t1  Q0 d1 1 0.5 s1  ", "", "t1 Q0\u00a0 d2 2 .5 s1"),
        ),
        ("Q0", "t1", "d1", "nan", "inf", "1e39"),
        ({}, {"system_from": "file"}),
    ),
    Target(
        "qrels",
        "TREC qrels",
        (
            _lines("t1 0 d1 2", "t1 0 d2 0", "t2 1 d1 -2"),
            _lines("t1\tQ0\td1\t1", "t1\tQ0\td2\t3.0"),
        ),
        ("0", "Q0", "-1", "2147483648", "1.5"),
    ),
    Target(
        "labels",
        "TSV",
        (
            _lines(
                "assessor\ttopic\tdocument\tlevel\tfacet\tcomment\ttime",
                "a1\tt1\td1\t2\tpage\tgood\t2026-01-31T12:00:00Z",
                "a2\tt1\td1\t0\tsnippet\t\t1700000000",
            ),
            _lines("worker,topic,document,label,gold", "a1,t1,d1,1,2", "a2,t1,d1,,2"),
            _lines(
                "assessor,topic,document,level,occasion,sequence,dwell_ms,state,engine",
                "a1,t1,d1,1,0,1,900,level,",
                "a1,t1,d1,,1,2,0,cannot judge,",
            ),
        ),
        _LABEL_WORDS,
        _LABEL_OPTIONS,
    ),
    Target(
        "labels",
        "doccano JSONL",
        (
            _lines(
                '{"id": 1, "text": "x", "label": ["2"], "meta": {"topic": "t1", "document": "d"}}',
                '{"id": 2, "label": [], "topic": "t1", "document": "d2", "Comments": ["a", "b"]}',
            ),
            _lines('{"assessor": "a1", "topic": "t1", "document": "d1", "level": 1}'),
        ),
        (*_LABEL_WORDS, "meta", "metadata", "label", "labels", "Comments"),
        _LABEL_OPTIONS,
    ),
    Target(
        "labels",
        "ratings CSV",
        (
            _lines(
                "query,docid,title,ann_rating,bob_rating,Final Rating",
                "cats,d1,Cats,2,1,2",
                "cats,d2,,,0,",
            ),
        ),
        ("query", "docid", "rating", "title", "gold"),
        ({}, {"texts": True}, {"raters": "*_rating"}, {"gold": "Final Rating"}),
    ),
    Target(
        "preferences",
        "JSONL",
        (
            _lines(
                '{"topic": "t1", "left": "d1", "right": "d2", "choice": "left", "assessor": "a"}',
                '{"topic": "t1", "left": "d1", "right": "d2", "choice": "tie", "strength": ""}',
            ),
        ),
        _PREFERENCE_WORDS,
        ({}, {"compared": "systems"}, {"facet": "snippet"}),
    ),
    Target(
        "preferences",
        "TSV",
        (
            _lines(
                "topic\tleft\tright\tchoice\tstrength\tassessor\tkind",
                "t1\td1\td2\tright\t2\ta1\t",
                "t1\ts1\ts2\ttie\t\ta2\tsystems",
            ),
            _lines("qid,docA,docB,preferred,left", "t1,d1,d2,d2,d1"),
        ),
        _PREFERENCE_WORDS,
        ({}, {"compared": "documents"}, {"facet": "snippet"}),
    ),
    Target(
        "preferences",
        "lines",
        (_lines("t1 d1 d2 d1", "t1 d2 d3 tie"), _lines("t1\td 1\td2\td 1")),
        ("tie", "left", "right", "t1", "d1"),
        ({}, {"compared": "systems"}),
    ),
)

TARGETS = (
    *_RICH,
    *(
        Target(
            kind, entry.name, (entry.example.encode(),), tuple(re.findall(r"\w+", entry.example))
        )
        for kind in KINDS
        for entry in formats_of(kind)
        if (kind, entry.name) not in {(one.kind, one.name) for one in _RICH}
    ),
)
"""Files of every format: those above, and where there are none the format's own example."""

PACKED = tuple(gzip.compress(seed, mtime=0) for target in TARGETS[:3] for seed in target.seeds)
"""Files as they are uploaded packed; their damage is found before any format is."""
