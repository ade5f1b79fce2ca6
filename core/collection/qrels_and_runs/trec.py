"""Runs and qrels as TREC writes them, and the order that a run's scores mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.collection.file_format import Kind, Parsed, anything, file_format
from core.collection.files.checks import CODE, are_whole, count_values, read_numbers, refuse_where
from core.collection.files.likeness import UNLIKE, Likeness, first_words
from core.collection.files.numbers import parse_number, parse_numbers
from core.collection.files.source import Source
from core.collection.files.trec_lines import MORE, SPACE, note_comments, read_columns
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame, Series

RUN = ("system", "topic_id", "document_id", "score", "rank")
_RUN_LINE = {
    "topic_id": "topic",
    "q0": "Q0",
    "document_id": "document",
    "given": "rank",
    "score": "score",
    "system": "tag",
}
_QRELS_LINE = {
    "topic_id": "topic",
    "iteration": "iteration",
    "document_id": "document",
    "level": "level",
}


@dataclass(frozen=True)
class RunOptions:
    """How runs are read.

    Parameters
    ----------
    system_from : {'tag', 'file'}
        Whether a system is called what the last column says or what its file is called.
    duplicates : {'refuse', 'first'}
        Whether a file in which a ranking has a document twice is refused, or the higher line of
        the two is taken.
    """

    system_from: str = "tag"
    duplicates: str = "refuse"

    def __post_init__(self) -> None:
        if self.system_from not in SYSTEM_FROM:
            raise BadInput("a system is called by its 'tag' or by its 'file'", field="system_from")
        if self.duplicates not in DUPLICATES:
            raise BadInput("duplicates are 'refuse' or 'first'", field="duplicates")


SYSTEM_FROM = ("tag", "file")
DUPLICATES = ("refuse", "first")
ITERATIONS = ("highest", "latest", "refuse")


@dataclass(frozen=True)
class QrelsOptions:
    """How qrels are read.

    Parameters
    ----------
    iterations : {'highest', 'latest', 'refuse'}
        What is done where a topic has a document in several iterations. They are kept, and
        measures that know no intents take the highest level; or the last line of a file is taken;
        or the file is refused, as by trec_eval.
    """

    iterations: str = "highest"

    def __post_init__(self) -> None:
        if self.iterations not in ITERATIONS:
            raise BadInput("iterations are 'highest', 'latest' or 'refuse'", field="iterations")


def rank_runs(runs: DataFrame) -> DataFrame:
    """Return runs ranked, ordered by system, topic (each as they first occur) and rank.

    Scores descend, compared as 32-bit floats; equal scores are ordered by document id,
    descending by bytes. Ranks count from 1 within a system and topic.

    Parameters
    ----------
    runs : DataFrame
        Columns system, topic_id, document_id, score and any others, which are kept.

    References
    ----------
    The order is that of trec_eval 9, which ignores the rank column of a run.
    """
    score = _as_float32(runs["score"])
    group = _number_lists(runs)
    order, runs = np.arange(len(runs)), runs.reset_index(drop=True)
    tied, descending = _compare_with_next(group, score)
    if not descending.all():
        order = np.lexsort((-score, group))
        tied, _ = _compare_with_next(group[order], score[order])
    order = _order_ties(runs["document_id"], order, tied)
    if (order[1:] < order[:-1]).any():
        # In a file with one list after the other, only what differs within a list has to move.
        listed = (group[1:] >= group[:-1]).all()
        alike = _LISTED if listed else ()
        moved = {str(name): runs[name].array.take(order) for name in runs if name not in alike}
        runs = runs.assign(**moved)
        group = group if listed else group[order]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    sizes = np.diff(starts, append=len(order))
    rank = np.arange(len(order)) - np.repeat(starts, sizes) + 1
    return runs.assign(rank=rank)


_LISTED = ("system", "topic_id", CODE + "system", CODE + "topic_id")
"""Columns that tell a ranked list from the others."""


def _number_lists(runs: DataFrame) -> NDArray[np.int64]:
    """Number the ranked lists, first by system and then by topic, as each first occurs."""
    from pandas import factorize

    system, topic = (
        runs[CODE + name].to_numpy() if CODE + name in runs else factorize(runs[name])[0]
        for name in ("system", "topic_id")
    )
    lists: NDArray[np.int64] = system.astype(np.int64) * (topic.max(initial=0) + 1) + topic
    return lists


def _as_float32(score: Series[float]) -> NDArray[np.float32]:
    with np.errstate(over="ignore", under="ignore"):  # beyond its range all scores are equal
        return score.to_numpy(np.float64).astype(np.float32)


def _compare_with_next(
    group: NDArray[np.int64], score: NDArray[np.float32]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each row ties with the next, and whether it may stand before it."""
    same = group[1:] == group[:-1]
    tied = same & (score[1:] == score[:-1])
    return tied, (group[1:] > group[:-1]) | (same & (score[1:] <= score[:-1]))


def _order_ties(
    documents: Series[str], order: NDArray[Any], tied: NDArray[np.bool_]
) -> NDArray[Any]:
    """Reorder only the rows whose score another row shares: sorting text is slow."""
    from pandas import factorize

    shared = np.append(tied, False) | np.append(False, tied)[: len(order)]
    if not shared.any():
        return order
    rows = order[shared]
    block = np.append(0, np.cumsum(~tied))[shared]
    text, _ = factorize(documents.iloc[rows], sort=True)
    ordered = order.copy()
    ordered[shared] = rows[np.lexsort((-text, block))]
    return ordered


def _leave_out_repeats(parsed: Parsed, options: RunOptions, _source: Source) -> Parsed:
    """Return the lines of a file without those whose document stands higher in the same ranking."""
    runs = parsed.frames["runs"]
    item = ["system", "topic_id", "document_id"]
    if options.duplicates != "first" or not runs.duplicated(item).any():
        return parsed
    kept = runs.sort_values("score", ascending=False, kind="stable").drop_duplicates(item)
    left_out = len(runs) - len(kept)
    note = f"lines with a document that their ranking has further up, left out: {left_out:,}"
    counts = parsed.counts | {"repeated lines left out": left_out}
    return Parsed({"runs": kept.sort_index()}, counts, (*parsed.notes, note))


def _finish_runs(parsed: Parsed) -> Parsed:
    lines = parsed.frames["runs"]
    counts = {
        "systems": count_values(lines, "system"),
        "topics": count_values(lines, "topic_id"),
        "documents": count_values(lines, "document_id"),
        "lines": len(lines),
        **parsed.counts,
    }
    given = parse_numbers(lines["given"])
    runs = rank_runs(lines[[*_LISTED, "document_id", "score"]].assign(given=given))
    return Parsed({"runs": runs[list(RUN)]}, counts, parsed.notes + _order_notes(runs))


def _order_notes(runs: DataFrame) -> tuple[str, ...]:
    """Say where the order is not the one that the file's rank column suggests."""
    first = runs["rank"].to_numpy() == 1
    group = np.cumsum(first)
    ties = int(_compare_with_next(group, _as_float32(runs["score"]))[0].sum())
    given = runs["given"].to_numpy()
    against = int((~first[1:] & (given[1:] <= given[:-1])).sum())
    odd = int((given != np.floor(given)).sum())
    notes = []
    if odd:
        notes.append(
            "lines whose rank is no whole number, so that rank and score may have changed places: "
            f"{odd:,}"
        )
    if ties:
        notes.append(
            f"lines that tie with the one before (scores as 32-bit numbers): {ties:,}; the greater "
            "document id goes first"
        )
    if against:
        notes.append(
            f"the rank column was ignored; lines in which it contradicts the scores: {against:,}"
        )
    return tuple(notes)


RUNS = Kind(
    "runs",
    "What each system returned. Take all files at once.",
    {"runs": (("system", "topic_id", "document_id"),)},
    _finish_runs,
    RunOptions,
    _leave_out_repeats,
    "duplicates=first (--duplicates first) leaves the lower line out",
)


def _detect_run(sample: Source) -> Likeness:
    """Know six words, the fourth and the fifth of them numbers."""
    rows = first_words(sample, len(_RUN_LINE))
    if not rows or not all(
        len(row) >= len(_RUN_LINE) and all(np.isfinite(parse_number(row[n])) for n in (3, 4))
        for row in rows
    ):
        return UNLIKE
    return Likeness(1.0 if all(row[1].upper() == "Q0" for row in rows) else 0.7)


@file_format(
    kind="runs",
    name="TREC run",
    layout="`topic Q0 document rank score tag`",
    example="1 Q0 d1 1 2.5 a\n1 Q0 d2 2 -1e-3 a\n2\tQ0 d1 1 0 b\n",
    sniff=anything,
    detect=_detect_run,
    is_fallback=True,
)
def read_run(source: Source, options: RunOptions) -> Parsed:
    """Read ``topic Q0 document rank score tag``; every tag of a file is a system.

    Words after the tag and lines that begin with # are left out, as by trec_eval 10; notes say of
    how many lines.
    """
    frame = read_columns(
        source,
        _RUN_LINE,
        "score",
        np.isfinite,
        "a finite number",
        may_have_comments=True,
        may_have_more="given",
    )
    if options.system_from == "file":
        frame["system"] = source.stem
    notes = note_comments(source)
    if MORE in frame:
        count = frame.pop(MORE).sum()
        notes += (f"lines with words after the tag, which were left out: {count:,}",)
    return Parsed({"runs": frame.drop(columns="q0")}, notes=notes)


UNJUDGED = "unjudged"
"""The frame of the lines with a negative level: what was pooled and not judged, or is junk."""


_PAIR = ["topic_id", "document_id"]


def _choose_iterations(parsed: Parsed, options: QrelsOptions, source: Source) -> Parsed:
    """Return the lines of a file, of a document in several iterations as was chosen."""
    qrels = parsed.frames["qrels"]
    repeated = qrels.duplicated(_PAIR).to_numpy()
    if options.iterations == "highest" or not repeated.any():
        return parsed
    # The same line twice is a fault of its own.
    repeated = repeated & ~qrels.duplicated([*_PAIR, "iteration"]).to_numpy()
    if options.iterations == "refuse":
        refuse_where(
            qrels,
            repeated,
            lambda row: (
                f"document {row['document_id']} of topic {row['topic_id']} has a level in "
                "another iteration"
            ),
            file=source.name,
            field="iteration",
        )
        return parsed
    whole = qrels.duplicated([*_PAIR, "iteration"], keep=False)
    latest = qrels[whole | ~qrels.duplicated(_PAIR, keep="last")]
    left_out = len(qrels) - len(latest)
    note = f"lines left out, as the level of a later iteration was taken: {left_out:,}"
    return Parsed(parsed.frames | {"qrels": latest}, parsed.counts, (*parsed.notes, note))


def _finish_qrels(parsed: Parsed) -> Parsed:
    qrels = parsed.frames["qrels"]
    judged = qrels["level"] >= 0
    counts = {
        "topics": count_values(qrels, "topic_id"),
        "documents": count_values(qrels, "document_id"),
        "lines": len(qrels),
        "negative": int((~judged).sum()),
    }
    notes: tuple[str, ...] = (
        (f"{counts['negative']:,} lines with a negative level count as unjudged",)
        if counts["negative"]
        else ()
    )
    pairs = qrels[judged].drop_duplicates([*_PAIR, "iteration"]).groupby(_PAIR, sort=False)
    if several := int((pairs.size() > 1).sum()):
        notes += (
            f"pairs of topic and document in several iterations, which measures by intent take for "
            f"subtopics and others at the highest level: {several:,}",
        )
    frames = {"qrels": qrels[judged]}
    if not judged.all():
        frames[UNJUDGED] = qrels[~judged]
    return Parsed(frames, counts, parsed.notes + notes)


QRELS = Kind(
    "qrels",
    "Judgements made elsewhere.",
    {"qrels": (("topic_id", "iteration", "document_id"),)},
    _finish_qrels,
    QrelsOptions,
    _choose_iterations,
)


def with_unjudged(frames: dict[str, DataFrame]) -> DataFrame:
    """Return the judgements that were read and, below them, what was pooled and not judged."""
    from pandas import concat

    return concat([frames[name] for name in ("qrels", UNJUDGED) if name in frames])


is_level = are_whole(least=1 - 2**31)
"""Which numbers may be levels: whole ones that 32 bits hold."""


def are_levels(words: Iterable[str]) -> bool:
    """Whether all of these words are levels."""
    return bool(is_level(np.array([parse_number(word) for word in words])).all())


def with_levels(source: Source, frame: DataFrame, field: str) -> DataFrame:
    """Return rows with whole levels; refuse others, by what the file calls the column."""
    level = read_numbers(frame, "level", is_level, "a whole number", file=source.name, field=field)
    return frame.assign(level=level.astype(np.int64))


def detect_qrels(sample: Source) -> Likeness:
    """Know four words, the last of them a level; what is like a preference counts less.

    Five words with a level are most likely qrels with something more, which are refused in words.
    """
    rows = first_words(sample, len(_QRELS_LINE))
    if rows and all(len(row) == len(_QRELS_LINE) + 1 for row in rows):
        return Likeness(0.7 if are_levels(row[4] for row in rows) else 0.0)
    if not rows or any(len(row) != len(_QRELS_LINE) for row in rows):
        return UNLIKE
    if not are_levels(row[3] for row in rows):
        return UNLIKE
    return Likeness(0.7 if all(row[3] in row[1:3] for row in rows) else 0.9)


_FIVE = (
    "where the fourth is the stratum of a sample, name the format 'TREC qrels with strata'; else "
    "take what is not needed out (an assessor belongs into a file of labels)"
)


@file_format(
    kind="qrels",
    name="TREC qrels",
    layout="`topic iteration document level`",
    example="1 0 d1 2\n1 0 d2 -1\n",
    sniff=anything,
    detect=detect_qrels,
    is_fallback=True,
)
def read_qrels(source: Source, _options: Any) -> Parsed:
    """Read ``topic iteration document level``.

    The iteration ``Q0``, which some files have, is 0. Negative levels are TREC's junk and
    not-judged marks; trec_eval takes them for neither relevant nor judged, so they are left out.
    So are lines that begin with #, which trec_eval 10 takes for comments.
    """
    frame = read_columns(
        source,
        _QRELS_LINE,
        "level",
        is_level,
        "a whole number",
        may_have_comments=True,
        remedy=_FIVE,
    )
    frame["level"] = frame["level"].astype(np.int64)
    frame["iteration"] = frame["iteration"].replace("Q0", "0")
    return Parsed({"qrels": frame}, notes=note_comments(source))


def write_qrels(qrels: DataFrame) -> bytes:
    """Return qrels as TREC writes them.

    White space in an id is written ``%20``, for the format has no way to write it.

    Raises
    ------
    BadInput
        A level is not a whole number, or an id is empty.
    """
    level = qrels["level"].to_numpy(np.float64)
    if not is_level(level).all():
        raise BadInput("TREC qrels have whole levels; round them by a rule first", field="level")
    iteration = qrels["iteration"] if "iteration" in qrels else ["0"] * len(qrels)
    rows = zip(
        to_words(qrels["topic_id"], "topic_id"),
        to_words(iteration, "iteration"),
        to_words(qrels["document_id"], "document_id"),
        level.astype(np.int64),
        strict=True,
    )
    return "".join("{} {} {} {}\n".format(*row) for row in rows).encode()


def write_run(runs: DataFrame) -> bytes:
    """Return ranked runs as TREC writes them; several systems become several tags.

    White space in an id is written ``%20``, for the format has no way to write it.

    Raises
    ------
    BadInput
        An id is empty.
    """
    columns = [to_words(runs[name], name) for name in ("topic_id", "document_id", "system")]
    topic, document, system = columns
    score = (repr(float(value)) for value in runs["score"])
    rows = zip(topic, document, runs["rank"], score, system, strict=True)
    return "".join("{} Q0 {} {} {} {}\n".format(*row) for row in rows).encode()


def to_words(texts: Any, field: str) -> list[str]:
    """Return ids with the white space that separates columns escaped."""
    words = [SPACE.sub("%20", str(text)) for text in texts]
    if "" in words:
        raise BadInput("an empty id cannot be written in a TREC file", field=field)
    if field == "topic_id" and any(word.startswith("#") for word in words):
        raise BadInput("a topic's id that begins with # would be a comment there", field=field)
    return words
