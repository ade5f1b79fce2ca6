"""What measures do with input that is wrong: a clear error, or a rule that is stated."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.each import each

RUN = "1 Q0 a 1 3 s\n1 Q0 b 2 2 s\n1 Q0 c 3 1 s\n"
QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n"
NAMES = ("P@3", "R@3", "F@3", "AP", "GAP", "Rprec", "RR", "CG@3", "DCG@3", "nCG@3", "nDCG@3", "Q@3",
         "ERR@3", "nERR@3", "RBP", "bpref")  # fmt: skip


def read(kind, text):
    return read_import(kind, Source(f"some.{kind}", text.encode())).frames[kind]


@cache
def compile_texts(run, qrels):
    return compile_rankings(read("runs", run), put_on_scale(read("qrels", qrels)))


@cache
def measure(run, qrels, names=NAMES):
    rankings = compile_texts(run, qrels)
    scores = evaluate(map(parse_measure, names), rankings)
    return scores.set_index("measure")["value"]


@each("score", ["nan", "inf", "-inf", "high"])
def test_a_score_that_is_no_finite_number_is_refused(score):
    with pytest.raises(BadInput, match=r"some.runs:4: field 'score': .* is not a finite number"):
        measure(f"{RUN}1 Q0 d 4 {score} s\n", QRELS)


def test_a_document_twice_is_refused():
    with pytest.raises(BadInput, match=r"some.runs:4: .*document a is already there, on line 1"):
        measure(f"{RUN}1 Q0 a 4 0 s\n", QRELS)
    with pytest.raises(BadInput, match=r"some.qrels:4: .*document a is already there, on line 1"):
        measure(RUN, f"{QRELS}1 0 a 2\n")


@each("name", NAMES)
def test_a_negative_level_is_no_judgement(name):
    """For bpref that means passed over, for all others level 0."""
    junk = QRELS.replace("b 0", "b -2")
    expected = measure(RUN, QRELS.replace("1 0 b 0\n", ""))
    assert measure(RUN, junk)[name] == expected[name]
    assert (measure(RUN, junk)[name] == measure(RUN, QRELS)[name]) == (name != "bpref")


@each("name", NAMES)
def test_topics_without_judgements_are_left_out_and_named(name):
    rankings = compile_texts(f"{RUN}7 Q0 a 1 1 s\n", QRELS)
    assert rankings.unknown_topics == ("7",)
    assert evaluate([parse_measure(name)], rankings)["topic_id"].tolist() == ["1"]
    assert measure(f"{RUN}7 Q0 a 1 1 s\n", QRELS)[name] == measure(RUN, QRELS)[name]


def test_qrels_of_other_topics_are_refused():
    with pytest.raises(BadInput, match="do the runs belong to these qrels"):
        measure(RUN, QRELS.replace("1 0", "9 0"))


@each("name", NAMES)
def test_qrels_of_other_documents_score_0_and_say_that_nothing_is_judged(name):
    rankings = compile_texts(RUN, QRELS.replace(" 0 ", " 0 x"))
    means = mean_scores(evaluate([parse_measure(name)], rankings))
    assert means[["value", "judged"]].values.tolist() == [[0, 0]]
    e = mean_scores(evaluate([parse_measure("E@3")], rankings))
    assert e[["value", "judged"]].values.tolist() == [[1, 0]]


@each("name", NAMES)
def test_nothing_relevant_leaves_no_score_unless_asked(name):
    rankings = compile_texts(RUN, "1 0 a 0\n1 0 b 0\n")
    assert evaluate([parse_measure(name)], rankings).empty
    kept = evaluate([parse_measure(name)], rankings, empty_topics=True)
    assert kept["value"].tolist() == [0]


def test_levels_that_are_no_number_and_no_judgement_at_all_are_refused():
    with pytest.raises(BadInput, match=r"some.qrels:1: field 'level': 'x' is not a whole number"):
        measure(RUN, "1 0 a x\n")
    with pytest.raises(TooLittleData, match="nothing is judged"):
        measure(RUN, "1 0 a -1\n")
    frame = pd.DataFrame({"topic_id": ["1"], "iteration": "0", "document_id": "a"})
    with pytest.raises(BadInput, match="field 'level'"):
        compile_rankings(read("runs", RUN), put_on_scale(frame.assign(level=np.nan)))


EXPONENTIAL = ("CG", "nCG", "DCG", "nDCG", "Q", "GAP", "ERR", "nERR", "RBP")


@each("name", EXPONENTIAL)
def test_an_exponential_gain_too_large_to_reckon_with_is_refused(name):
    """It came out as infinite, or as undefined because the topic had nothing to find."""
    with pytest.raises(BadInput, match=r"gain 'exp' of level 2000 is 2\^2000, .* up to 500"):
        measure(RUN, QRELS.replace("c 2", "c 2000"), (f"{name}(gain='exp')@3",))
    steepest = measure(RUN, QRELS.replace("c 2", "c 500"), (f"{name}(gain='exp')@3",))
    assert 0 < np.square(steepest.item()) < np.inf


def test_a_gain_of_a_table_is_finite_with_its_square():
    for gain in ("1e999", "1e200", "-1"):
        with pytest.raises(BadInput, match="a gain is a number from 0 to"):
            parse_measure(f"nDCG(gain={{1: {gain}}})")
