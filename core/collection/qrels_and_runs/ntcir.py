"""NTCIR's qrels: levels written L0, L1 … or as the grades S, A, B and C."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from core.collection.file_format import Parsed, file_format, is_like
from core.collection.files.checks import LINE
from core.collection.files.likeness import UNLIKE, Likeness, first_words
from core.collection.files.source import Source
from core.collection.files.trec_lines import SPACE
from core.collection.qrels_and_runs.trec import write_qrels
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

_LEVEL = re.compile(r"L(\d{1,3})")
_GRADES = {"S": 3, "A": 2, "B": 1, "C": 0}
"""Highly relevant, relevant, partially relevant, not relevant."""


_NOTE = (
    "lines whose second word S, A, B or C was read as level 3, 2, 1 or 0; where it is an iteration "
    "or a group of judges, name the format 'TREC qrels': "
)


def _level_of(words: list[str]) -> int | None:
    """Return the level of a line: its last word, or the grade that stands second; None if none."""
    if len(words) in (3, 4) and (found := _LEVEL.fullmatch(words[-1])):
        return int(found[1])
    if len(words) == 4 and words[1] in _GRADES and words[3] in ("0", "1"):
        return _GRADES[words[1]]
    return None


def _detect(sample: Source) -> Likeness:
    """Know three or four words with a level L…, or four with a grade and a binary level."""
    rows = first_words(sample, 4)
    known = bool(rows) and all(_level_of(row) is not None for row in rows)
    return Likeness(1.0) if known else UNLIKE


@file_format(
    kind="qrels",
    name="NTCIR qrels",
    layout="`topic document L2`, with or without an iteration, or `topic grade document 1` with "
    "the grades S, A, B and C",
    example="0001 d1 L2\n0001 d2 L0\n",
    sniff=is_like(_detect),
    detect=_detect,
)
def read_ntcir(source: Source, _options: Any) -> Parsed:
    """Read qrels of NTCIR tasks; of grades S counts as 3, A as 2, B as 1 and C as 0.

    Lines that begin with # are comments.
    """
    from pandas import DataFrame

    rows, numbers, graded = [], [], 0
    for number, text in source.lines():
        words = SPACE.split(text.strip(" \t\v\f"))
        if words == [""] or words[0].startswith("#"):
            continue
        level = _level_of(words)
        if level is None:
            raise BadInput(
                "is neither a topic, a document and a level L0, L1 … nor a topic, a grade S, A, B "
                "or C, a document and 0 or 1",
                file=source.name,
                line=number,
            )
        is_graded = len(words) == 4 and words[1] in _GRADES and not _LEVEL.fullmatch(words[3])
        graded += is_graded
        iteration = words[1] if len(words) == 4 and not is_graded else "0"
        rows.append((words[0], iteration, words[1 if len(words) == 3 else 2], level))
        numbers.append(number)
    if not rows:
        raise BadInput("no line has a level", file=source.name, line=1)
    frame = DataFrame(rows, columns=["topic_id", "iteration", "document_id", "level"])
    frame = frame.astype({"topic_id": "str", "iteration": "str", "document_id": "str"})
    frame = frame.assign(**{LINE: np.asarray(numbers, dtype=np.int64)})
    return Parsed({"qrels": frame}, notes=(_NOTE + f"{graded:,}",) if graded else ())


def write_ntcir(qrels: DataFrame) -> bytes:
    """Return qrels as NTCIREVAL splits them: ``topic document L2``.

    Raises
    ------
    BadInput
        A level is negative, or as for TREC's qrels.
    """
    if (qrels["level"] < 0).any():
        raise BadInput("NTCIR's levels begin with L0; a level is negative", field="level")
    lines = write_qrels(qrels).decode().splitlines()
    words = (line.split(" ") for line in lines)
    return "".join(f"{topic} {document} L{level}\n" for topic, _, document, level in words).encode()
