"""No format is taken for another without a word, whatever it is said to be."""

import json
import random
import re
from collections.abc import Callable, Iterator

import pytest

from core.collection.file_format import formats_of
from core.collection.files.source import Source
from core.collection.formats import KINDS, read_import
from core.collection.qrels_and_runs.trec import with_unjudged
from core.errors import BadInput
from tests.each import each

SAMPLES = {
    f"{kind}: {entry.name}": (kind, entry.example) for kind in KINDS for entry in formats_of(kind)
}


def shorten(example: str) -> str:
    """Return a near miss of a format: its sample without the last field of each row."""
    try:
        values = [json.loads(line) for line in example.splitlines()]
    except ValueError:
        first = example.partition("\n")[0]
        mark = next((mark for mark in "\t, " if mark in first), "\n")
        return "".join(line.rpartition(mark)[0] + "\n" for line in example.splitlines())
    rows = [value[0] if isinstance(value, list) else value for value in values]
    return "".join(json.dumps(dict(list(row.items())[:-1])) + "\n" for row in rows)


@each("other", KINDS)
def test_a_sample_that_is_read_as_another_kind_is_refused_or_told(other):
    silent = []
    for name, (kind, example) in SAMPLES.items():
        for text in (example, shorten(example)):
            if kind != other:
                try:
                    found = read_import(other, Source("given", text.encode()))
                except BadInput:
                    continue
                if not found.notes:
                    silent.append((name, text))
    assert silent == []


NEAR_MISSES = {
    "a judge behind the level": ("qrels", "1 0 d1 2 7\n1 0 d2 0 7\n"),
    "the level before the document": ("qrels", "1 0 2 d1\n1 0 0 d2\n"),
    "no iteration": ("qrels", "1 d1 2\n1 d2 0\n"),
    "levels with a point": ("qrels", "1 0 d1 0.5\n1 0 d2 1.0\n"),
    "groups of judges": ("qrels", "1 A d1 1\n1 B d1 0\n"),
    "grades that may be groups": ("qrels", "1 A d1 1\n1 B d2 0\n"),
    "preferences of trec_eval": ("qrels", "1 1 A d1 3\n1 1 A d2 2\n"),
    "probabilities that are all one": ("qrels", "1 d1 2 1 1\n1 d2 0 1 1\n"),
    "strata without a document that was left out": ("qrels", "1 0 d1 1 2\n1 0 d2 2 0\n"),
    "no Q0": ("runs", "1 d1 1 2.5 a\n1 d2 2 1.5 a\n"),
    "rank and score changed over": ("runs", "1 Q0 d1 2.5 1 a\n1 Q0 d2 1.5 2 a\n"),
    "an id with a space": ("runs", "1 Q0 d 1 1 2.5 a\n1 Q0 d 2 2 1.5 a\n"),
    "qrels for a run": ("runs", "1 0 d1 2\n"),
    "a run for qrels": ("qrels", "1 Q0 d1 1 2.5 a\n"),
    "a winner of none of the two": ("preferences", "1 d e f\n"),
    "a label that was rejected": (
        "labels",
        '{"topic": 1, "document": "d", "label": "2", "answer": "reject", "_task_hash": 1}\n',
    ),
    "an item of two people who are not named": (
        "labels",
        '{"topic": 1, "document": "d", "label": "2"}\n' * 2,
    ),
    "a table of qrels for topics": ("topics", "query-id\tcorpus-id\tscore\nq1\td1\t1\n"),
    "queries for documents": ("documents", '{"_id": "q1", "text": "cats"}\n'),
    "a page that shows nothing": ("clicks", '{"session": 1, "query": "x", "clicks": ["d"]}\n'),
}


@each("case", list(NEAR_MISSES))
def test_what_nearly_is_a_format_is_refused_or_told(case):
    kind, text = NEAR_MISSES[case]
    found, told = None, None
    try:
        found = read_import(kind, Source("given", text.encode()))
    except BadInput as error:
        told = error
    assert found.notes if found else (told.file, bool(told.line)) == ("given", True)


def split(text: str) -> Iterator[list[str]]:
    """Yield the words of each line between spaces and tabs."""
    for line in text.split("\n"):
        if (words := re.findall(r"[^ \t]+", line)) and not words[0].startswith("#"):
            yield words


def strict_run(text: str) -> set[tuple[str, ...]]:
    """Return system, topic, document and score of each line of six words."""
    return {
        (words[5], words[0], words[2], repr(float(words[4])))
        for words in split(text)
        if len(words) == 6
    }


def strict_qrels(text: str) -> set[tuple[str, ...]]:
    """Return topic, document and level of each line of four words."""
    return {(words[0], words[2], repr(float(words[3]))) for words in split(text) if len(words) == 4}


def strict_labels(text: str) -> set[tuple[str, ...]]:
    """Return who gave which level to what, by the names in the first line."""
    header, *rows = [line.split("\t") for line in text.split("\n") if line.strip(" \t")]
    header = [name.strip().lower() for name in header]
    places = [header.index(name) for name in ("assessor", "topic", "document", "level")]
    return {
        (*(row[place].strip() for place in places[:3]), repr(float(row[places[3]]))) for row in rows
    }


def strict_objects(text: str) -> set[tuple[str, ...]]:
    """Return who gave which level to what, of JSON objects with a list of one label."""
    found = set()
    for line in text.split("\n"):
        if line.strip():
            row = json.loads(line)
            names = [row[name] for name in ("assessor", "topic", "document")]
            if row["label"] not in ([], [""]):  # these say that there is no label
                (level,) = row["label"]
                found.add((*(str(name).strip() for name in names), repr(float(level))))
    return found


def strict_prels(text: str) -> set[tuple[str, ...]]:
    """Return topic, document, level and probability of each line of five words."""
    return {
        (words[0], words[1], repr(float(words[2])), repr(float(words[4])))
        for words in split(text)
        if len(words) == 5
    }


def strict_ntcir(text: str) -> set[tuple[str, ...]]:
    """Return topic, document and level of each line that ends with L and a number."""
    return {
        (words[0], words[-2], repr(float(words[-1].removeprefix("L")))) for words in split(text)
    }


def strict_beir(text: str) -> set[tuple[str, ...]]:
    """Return topic, document and score, by the names in the first line."""
    header, *rows = [line.split("\t") for line in text.split("\n") if line.strip(" \t")]
    places = [[one.strip() for one in header].index(name) for name in BEIR]
    return {
        (row[places[0]].strip(), row[places[1]].strip(), repr(float(row[places[2]])))
        for row in rows
    }


def strict_strata(text: str) -> set[tuple[str, ...]]:
    """Return topic, document and level of each line of five words."""
    return {(words[0], words[2], repr(float(words[4]))) for words in split(text) if len(words) == 5}


BEIR = ("query-id", "corpus-id", "score")
QRELS = ["topic_id", "document_id", "level"]
LABELS = ["assessor_id", *QRELS]
RUN = ["system", "topic_id", "document_id", "score"]
STRICT: dict[str, tuple[list[str], Callable[[str], set[tuple[str, ...]]]]] = {
    "doccano JSONL": (LABELS, strict_objects),
    "TSV": (LABELS, strict_labels),
    "TREC prels": ([*QRELS, "probability"], strict_prels),
    "NTCIR qrels": (QRELS, strict_ntcir),
    "BEIR qrels": (QRELS, strict_beir),
    "TREC qrels with strata": (QRELS, strict_strata),
    "TREC qrels": (QRELS, strict_qrels),
    "TREC run": (RUN, strict_run),
}
"""By the format that a file was read as, what a strict reader of it finds."""

FUZZED = {
    "labels, JSONL": '{"assessor": "a", "topic": 1, "document": "d1", "label": ["2"]}\n'
    '{"assessor": "b", "topic": 1, "document": "d1", "label": ["0"]}\n',
    "labels, TSV": "assessor\ttopic\tdocument\tlevel\na\t1\td1\t2\nb\t1\td1\t0\na\t2\t10\t1\n",
    "qrels, prels": "1 d1 2 1 0.5\n1 d2 0 1 0.25\n2 d1 1 1 1\n",
    "qrels, NTCIR": "1 d1 L2\n1 d2 L0\n2 d1 L1\n",
    "qrels, BEIR": "query-id\tcorpus-id\tscore\n1\td1\t2\n1\td2\t0\n2\td1\t1\n",
    "qrels, TREC": "1 0 d1 2\n1 0 d2 0\n2 0 d1 1\n2 0 10 3\n",
    "runs": "1 Q0 d1 1 9.5 a\n1 Q0 d2 2 8.5 a\n2 Q0 d1 1 7 b\n2 Q0 10 2 6 b\n",
}
PIECES = [" ", "\t", "\n", "1", "0", "d1", "Q0", "-1", "2.5", "#", "a", ";", ",", '"', "L2", "A"]


def mutate(text: str, draw: random.Random) -> str:
    """Return a text with one to three pieces put in, taken out, doubled or changed over."""
    for _ in range(draw.randint(1, 3)):
        place = draw.randrange(len(text))
        end = min(len(text), place + draw.randint(1, 6))
        text = draw.choice(
            [
                text[:place] + draw.choice(PIECES) + text[place:],
                text[:place] + text[end:] or "\n",
                text[:place] + text[place:end] + text[place:],
                text[:place] + draw.choice(PIECES) + text[end:],
            ]
        )
    return text


@pytest.mark.parametrize("kind", FUZZED)
def test_no_mutation_becomes_somebody_elses(kind: str, long_form: bool, record_property):
    """What is read without a word is what a strict reader of the format finds."""
    sample, kind = FUZZED[kind], kind.partition(",")[0]
    draw, read, told, refused = random.Random(38), 0, 0, 0
    for _ in range(10_000 if long_form else 150):
        text = mutate(sample, draw)
        try:
            found = read_import(kind, Source("given", text.encode()))
        except BadInput:
            refused += 1
            continue
        if found.notes:
            told += 1
            continue
        read += 1
        columns, strict = STRICT[found.formats[0]]
        frame = with_unjudged(found.frames) if kind == "qrels" else found.frames[kind]
        rows = {
            tuple(one if isinstance(one, str) else repr(float(one)) for one in row)
            for row in frame[columns].itertuples(index=False)
        }
        assert rows == strict(text), text
    record_property("counts", f"{kind}: read {read}, told {told}, refused {refused}")
    assert min(read, refused) > 0
