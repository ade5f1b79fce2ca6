"""Qrels of samples: with the stratum of each document, or how likely it was to be drawn.

A level below 0 stands for a document that was pooled and not drawn. TREC's two formats tell one of
the two; a table with a header tells both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.collection.export.delimited import write_tsv
from core.collection.file_format import Parsed, file_format, is_like
from core.collection.files.checks import read_numbers
from core.collection.files.columns import FileColumn
from core.collection.files.likeness import UNLIKE, Likeness, lines_of_words, table_header
from core.collection.files.numbers import parse_number
from core.collection.files.source import Source
from core.collection.files.tables import read_table
from core.collection.files.trec_lines import read_columns
from core.collection.qrels_and_runs.trec import are_levels, is_level, to_words, with_levels
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

_STRATA_LINE = {
    "topic_id": "topic",
    "iteration": "iteration",
    "document_id": "document",
    "stratum": "stratum",
    "level": "level",
}
_PRELS_LINE = {
    "topic_id": "topic",
    "document_id": "document",
    "level": "level",
    "method": "method",
    "probability": "probability",
}
_METHODS = ("0", "1", "2")
"""Who nominated a document in the Million Query tracks: MTC, statAP, or both."""

_STAT_AP = "1"

_NEGATIVE = re.compile(rb"[ \t]-\d+[ \t]*$", re.MULTILINE)
"""A level below 0 at the end of a line: only qrels of samples have one after five words."""

_TABLE = (
    FileColumn("topic_id", ("topic",), required=True),
    FileColumn("iteration"),
    FileColumn("document_id", ("document",), required=True),
    FileColumn("level", required=True),
    FileColumn("stratum", required=True),
    FileColumn("probability", required=True, blank=True),
)


_PROBABILITY = "a probability above 0 and at most 1"


def _is_probability(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = (numbers > 0) & (numbers <= 1)
    return inside


def _are_prels(rows: list[list[str]]) -> bool:
    """Whether lines of five words end with probabilities, of which one is below 1."""
    shares = np.array([parse_number(row[4]) for row in rows])
    known = are_levels(row[2] for row in rows) and all(row[3] in _METHODS for row in rows)
    return known and bool(_is_probability(shares).all() and (shares < 1).any())


def _detect_prels(sample: Source) -> Likeness:
    rows = lines_of_words(sample, len(_PRELS_LINE))
    return Likeness(1.0) if rows and _are_prels(rows) else UNLIKE


def _detect_strata(sample: Source) -> Likeness:
    """Know five words, the last of them a level that is somewhere below 0.

    Without one the fourth may be a level and the fifth who gave it: then the format is to be named.
    """
    rows = lines_of_words(sample, len(_STRATA_LINE))
    is_sample = rows and _NEGATIVE.search(sample.data) is not None
    return Likeness(0.95) if is_sample and are_levels(row[4] for row in rows) else UNLIKE


def _sniff_strata(source: Source, _options: Any) -> bool:
    return _NEGATIVE.search(source.data) is not None and _detect_strata(source).share > 0


@file_format(
    kind="qrels",
    name="TREC qrels with strata",
    layout="`topic iteration document stratum level`, level -1 for what was pooled and not drawn",
    example="1 0 d1 1 2\n1 0 d2 2 -1\n1 0 d3 2 0\n",
    sniff=_sniff_strata,
    detect=_detect_strata,
)
def read_strata(source: Source, _options: Any) -> Parsed:
    """Read qrels as NIST's ``sample_eval`` takes them, for xinfAP and infNDCG."""
    frame = read_columns(
        source, _STRATA_LINE, "level", is_level, "a whole number", may_have_comments=True
    )
    return Parsed({"qrels": frame.assign(level=frame["level"].astype(np.int64))})


@file_format(
    kind="qrels",
    name="TREC prels",
    layout="`topic document level method probability`, method 0, 1 or 2",
    example="1 d1 2 1 0.5\n1 d2 0 1 0.25\n",
    sniff=is_like(_detect_prels),
    detect=_detect_prels,
)
def read_prels(source: Source, _options: Any) -> Parsed:
    """Read qrels with probabilities as the Million Query tracks have them, for statAP.

    The method is left out: it says who nominated the document, MTC (0), statAP (1) or both (2).
    """
    frame = read_columns(
        source,
        _PRELS_LINE,
        "probability",
        _is_probability,
        _PROBABILITY,
        may_have_comments=True,
    )
    frame = with_levels(source, frame, "level")
    return Parsed({"qrels": frame.drop(columns="method").assign(iteration="0")})


def _detect_table(sample: Source) -> Likeness:
    header = table_header(sample)
    known = all(column.find_in(header) for column in _TABLE if column.required)
    return Likeness(1.0, header) if known else UNLIKE


@file_format(
    kind="qrels",
    name="sampled qrels TSV",
    layout="TSV with `topic`, `document`, `level`, `stratum` and `probability`, and perhaps "
    "`iteration`; level -1 for what was pooled and not drawn",
    example="topic\tdocument\tlevel\tstratum\tprobability\n1\td1\t2\ttop\t0.5\n1\td2\t-1\ttop\t\n",
    sniff=is_like(_detect_table),
    detect=_detect_table,
)
def read_sample_table(source: Source, _options: Any) -> Parsed:
    """Read qrels that tell both; a probability may be left empty where nobody knows it."""
    frame = with_levels(source, read_table(source, _TABLE).frame, "level")
    probability = read_numbers(
        frame, "probability", _is_probability, _PROBABILITY, file=source.name, empty=np.nan
    )
    if "iteration" not in frame:
        frame["iteration"] = "0"
    frame["iteration"] = frame["iteration"].replace("", "0")
    return Parsed({"qrels": frame.assign(probability=probability)})


def write_strata(qrels: DataFrame) -> bytes:
    """Return ``topic iteration document stratum level``, which ``sample_eval`` reads.

    White space in an id is written ``%20``, for the format has no way to write it.

    Raises
    ------
    BadInput
        A level is not a whole number, an id or a stratum is empty.
    """
    return _write_lines(qrels, _STRATA_LINE)


def write_prels(qrels: DataFrame) -> bytes:
    """Return ``topic document level method probability`` of what was drawn; the method is 1.

    What was pooled and not drawn has no place in this format.

    Raises
    ------
    BadInput
        A level is not a whole number, an id is empty, or a probability is not known.
    """
    drawn = qrels[qrels["level"] >= 0]
    if not _is_probability(drawn["probability"].to_numpy(np.float64)).all():
        raise BadInput(
            "prels have a probability above 0 and at most 1 for every document that was drawn",
            field="probability",
        )
    return _write_lines(drawn.assign(method=_STAT_AP), _PRELS_LINE)


def write_sample_table(qrels: DataFrame) -> bytes:
    """Return a TSV with a header that tells strata and probabilities.

    Raises
    ------
    BadInput
        A level is not a whole number, an id or a stratum is empty or holds a tab or the end of a
        line.
    """
    known = qrels["probability"].notna()
    probability = _numbers(qrels["probability"].fillna(0.0))
    names = ["topic_id", "iteration", "document_id", "level", "stratum"]
    table = qrels[names].assign(level=_columns(qrels, names)[3])
    table["probability"] = [
        one if there else "" for one, there in zip(probability, known, strict=True)
    ]
    return write_tsv(table.rename(columns={"topic_id": "topic", "document_id": "document"}))


def _write_lines(qrels: DataFrame, names: Iterable[str]) -> bytes:
    rows = zip(*_columns(qrels, names), strict=True)
    return "".join(" ".join(row) + "\n" for row in rows).encode()


def _columns(qrels: DataFrame, names: Iterable[str]) -> list[list[str]]:
    """Return these columns as words."""
    if not is_level(qrels["level"].to_numpy(np.float64)).all():
        raise BadInput("TREC qrels have whole levels; round them by a rule first", field="level")
    written = []
    for name in names:
        if name == "probability":
            written.append(_numbers(qrels[name]))
        elif name == "level":
            written.append([str(int(level)) for level in qrels[name]])
        else:
            written.append(to_words(qrels[name], name))
    return written


def _numbers(values: Iterable[float]) -> list[str]:
    return [repr(float(value)) for value in values]
