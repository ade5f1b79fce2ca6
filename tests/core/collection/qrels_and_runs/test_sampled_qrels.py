"""Qrels of samples: read, written and read again."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.sampled_qrels import (
    write_prels,
    write_sample_table,
    write_strata,
)
from core.collection.qrels_and_runs.trec import UNJUDGED, with_unjudged
from core.errors import BadInput
from tests.each import each

COLUMNS = ["topic_id", "iteration", "document_id", "level", "stratum", "probability"]
WORDS = st.text("abcXYZ0189.-_é", min_size=1, max_size=6)


@st.composite
def sampled(draw):
    """Return qrels of a sample; whatever was not drawn has level -1."""
    keys = draw(st.lists(st.tuples(WORDS, WORDS), min_size=1, unique=True))
    level = st.integers(-1, 4)
    chance = st.floats(1e-9, 1).filter(lambda value: 0 < value <= 1)
    rows = [(t, "0", f"d{d}", draw(level), draw(WORDS), draw(chance)) for t, d in keys]
    return pd.DataFrame(rows, columns=COLUMNS).sort_values("level", ascending=False, kind="stable")


STRATA = "TREC qrels with strata"


def read(content, name="f", **options):
    return with_unjudged(read_import("qrels", Source(name, content), **options).frames)


def check(found, expected, columns):
    expected = pd.concat([expected[expected["level"] >= 0], expected[expected["level"] < 0]])
    assert found[columns].values.tolist() == expected[columns].values.tolist()


@given(sampled())
def test_strata_come_back(qrels):
    written = write_strata(qrels)
    check(read(written, format_name=STRATA), qrels, COLUMNS[:5])
    if (qrels["level"] < 0).any():
        check(read(written), qrels, COLUMNS[:5])


@given(sampled())
def test_both_come_back(qrels):
    check(read(write_sample_table(qrels)), qrels, COLUMNS)


@given(sampled())
def test_probabilities_come_back(qrels):
    drawn = qrels[qrels["level"] >= 0]
    certain = bool((drawn["probability"] == 1).all())
    if certain:
        return
    check(read(write_prels(qrels)), drawn, ["topic_id", "document_id", "level", "probability"])


def test_a_probability_that_nobody_knows_is_left_empty():
    qrels = pd.DataFrame([("t", "0", "d", 1, "a", None)], columns=COLUMNS)
    content = write_sample_table(qrels)
    assert content.endswith(b"t\t0\td\t1\ta\t\n")
    assert read(content)["probability"].isna().all()
    with pytest.raises(BadInput, match="prels have a probability"):
        write_prels(qrels)


def test_the_iteration_may_be_missing():
    found = read(b"topic\tdocument\tlevel\tstratum\tprobability\nt\td\t1\ta\t0.5\n")
    assert found[COLUMNS].values.tolist() == [["t", "0", "d", 1, "a", 0.5]]


@each(
    ("content", "format_name"),
    [
        (b"101 0 d1 1 1\n101 0 d2 2 -1\n", "TREC qrels with strata"),
        (b"101 0 1 1 1\n101 0 2 2 -1\n", "TREC qrels with strata"),
        (b"101 GX1 1 1 0.25\n101 GX2 0 2 1\n", "TREC prels"),
        (b"101 0 d1 1\n", "TREC qrels"),
    ],
)
def test_formats_are_told_apart(content, format_name):
    found = detect_kind(Source("f", content))
    assert (found.kind, found.format_name) == ("qrels", format_name)


def test_what_was_not_judged_is_apart_and_counted():
    found = read_import("qrels", Source("f", b"1 0 d1 a 1\n1 0 d2 a -1\n"))
    assert found.frames["qrels"]["document_id"].tolist() == ["d1"]
    assert found.frames[UNJUDGED]["document_id"].tolist() == ["d2"]
    assert found.counts["negative"] == 1
    whole = read_import("qrels", Source("f", b"1 0 d1 a 1\n"), format_name=STRATA)
    assert UNJUDGED not in whole.frames


@each("line", [b"1 0 d1 2 7\n", b"1 1 A d1 3\n", b"1 0 LA 0001 1\n", b"1 0 d1 low 1\n"])
def test_five_words_are_no_strata_until_that_is_said_or_shown(line):
    """Not where the fifth is a judge, nor trec_eval's preferences, nor an id with a space."""
    with pytest.raises(
        BadInput, match=r"has 5 words; expected 4.*'TREC qrels with strata'"
    ) as error:
        read(line)
    assert error.value.line == 1
    assert detect_kind(Source("f", line)).kind == "qrels"
    assert read(line, format_name=STRATA)["stratum"].tolist() == [line.split()[3].decode()]
    negative = line + b"1 0 d9 x -1\n"
    assert detect_kind(Source("f", negative)).format_name == STRATA


@each(
    ("content", "says"),
    [
        (b"1 0 d1 a 1\n1 0 d2 a x\n", "is not a level"),
        (b"1 d1 1 1 0.5\n1 d2 1 1 7\n", "words"),
        (b"topic\tdocument\tlevel\tstratum\tprobability\nt\td\tx\ta\t1\n", "is not a whole number"),
        (b"topic\tdocument\tlevel\tstratum\tprobability\nt\td\t1\ta\t2\n", "is not a probability"),
    ],
)
def test_faults_are_named(content, says):
    with pytest.raises(BadInput) as caught:
        read(content)
    assert says in str(caught.value) or caught.value.line


def test_a_tab_in_an_id_cannot_be_written():
    qrels = pd.DataFrame([("t\t1", "0", "d", 1, "a", 1.0)], columns=COLUMNS)
    with pytest.raises(BadInput, match="cannot be written in a TSV file"):
        write_sample_table(qrels)
    assert write_strata(qrels) == b"t%201 0 d a 1\n"


def test_levels_are_whole_when_written():
    qrels = pd.DataFrame([("t", "0", "d", 0.5, "a", 1.0)], columns=COLUMNS)
    with pytest.raises(BadInput, match="whole levels"):
        write_strata(qrels)
