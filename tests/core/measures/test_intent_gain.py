"""Measures by intent: by hand from the equations, and their laws where there are several."""

from itertools import product
from math import log2

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.each import each

RUN = ["system", "topic_id", "document_id", "rank"]
QRELS = ["topic_id", "iteration", "document_id", "level"]


def compile_one(ranking, judged):
    """One ranking of one topic; ``judged`` holds a pair of intent and document each."""
    runs = [("s", "t", document, rank) for rank, document in enumerate(ranking, start=1)]
    qrels = [("t", intent, document, 1) for intent, document in judged]
    qrels.append(("t", "0", "irrelevant", 0))
    return compile_rankings(
        pd.DataFrame(runs, columns=RUN), put_on_scale(pd.DataFrame(qrels, columns=QRELS))
    )


# Intent 1 at ranks 1 and 2, intent 2 at ranks 2 and 3; so the gains .5 · .5^c are .5 and .25 each.
# Equations 4 to 7 of Ashkan & Clarke (2011) with alpha .5, beta .8 and equal weights, and the
# mean of each intent's AP, precision and coverage; below them ndeval's, for which the best list
# of three documents has gains of 1, .5 and .25 for both intents.
BY_HAND = {
    "ERR-IA(norm='none')": ((0.5 + 0.25 / 2) + (0.5 / 2 + 0.25 / 3)) / 2,
    "ERR-IA(norm='none')@2": ((0.5 + 0.25 / 2) + 0.5 / 2) / 2,
    "NRBP(norm='none')": ((0.5 + 0.25 * 0.8) + (0.5 * 0.8 + 0.25 * 0.64)) / 2,
    "NRBP(norm='none', beta=0.5)": ((0.5 + 0.25 * 0.5) + (0.5 * 0.5 + 0.25 * 0.25)) / 2,
    "alpha-DCG(norm='none')": ((0.5 + 0.25 / log2(3)) + (0.5 / log2(3) + 0.25 / 2)) / 2,
    "ERR-IA(intents='any', norm='none')": 0.5 + 0.25 / 2 + 0.125 / 3,
    "ERR-IA(intents='any', alpha=0.2, norm='none')": 0.2 + 0.16 / 2 + 0.128 / 3,
    "alpha-DCG(intents='any', norm='none')": 0.5 + 0.25 / log2(3) + 0.125 / 2,
    "cRBP": 0.5 + 0.25 * 0.8 + 0.125 * 0.64,
    "cRBP(alpha=0.25, beta=0.5)@2": 0.25 + 0.1875 * 0.5,
    "AP-IA": (1 + (1 / 2 + 2 / 3) / 2) / 2,
    "AP-IA@2": (1 + (1 / 2) / 2) / 2,
    "AP-IA(intents='any')": 1,
    "P-IA": (2 / 3 + 2 / 3) / 2,
    "P-IA@2": (2 / 2 + 1 / 2) / 2,
    "strec@1": 1 / 2,
    "strec": 1,
    "ERR-IA@3": ((1 + 0.5 / 2) + (1 / 2 + 0.5 / 3)) / 2 / (1 + 0.5 / 2 + 0.25 / 3),
    "ERR-IA": ((1 + 0.5 / 2) + (1 / 2 + 0.5 / 3)) / 2 / (2 * np.log(2)),
    "NRBP": (1 - 0.25) * ((1 + 0.5 * 0.5) + (0.5 + 0.5 * 0.25)) / 2,
    "NRBP@1": 1 / 2,
    # Greed puts b, then c by its id, then a.
    "alpha-nDCG": (1 + 1.5 / log2(3) + 0.5 / 2) / (2 + 0.5 / log2(3) + 0.5 / 2),
    "nERR-IA": (1 + 1.5 / 2 + 0.5 / 3) / (2 + 0.5 / 2 + 0.5 / 3),
    "nNRBP": (1 + 1.5 / 2 + 0.5 / 4) / (2 + 0.5 / 2 + 0.5 / 4),
    "nNRBP(beta=1)@2": (1 + 1.5) / (2 + 0.5),
}


@each(("text", "expected"), BY_HAND.items())
def test_by_hand(text, expected):
    compiled = compile_one("abc", ["1a", "1b", "2b", "2c"])
    assert parse_measure(text).score(compiled).tolist() == pytest.approx([expected], abs=1e-15)


def test_the_mean_over_all_patterns_of_relevance_is_the_exact_expectation():
    """Two ranks, each relevant with chance ½: the expected ERR is .34375, not .250 or .500."""
    measure = parse_measure("ERR-IA(intents='any', norm='none')@2")
    scores = [
        measure.score(compile_one("ab", ["1z"] + ["1a"] * first + ["1b"] * second))[0]
        for first, second in product([0, 1], repeat=2)
    ]
    assert np.mean(scores) == pytest.approx(0.34375, abs=1e-15)


def test_greed_can_miss_the_best_ranking():
    """The widest document first, then only one new intent: two narrower ones do better."""
    judged = [intent + document for document, intents in COVERS.items() for intent in intents]
    better = parse_measure("alpha-nDCG(alpha=1)@2").score(compile_one("yz", judged))
    assert better.tolist() == pytest.approx([(3 + 3 / log2(3)) / (4 + 1 / log2(3))])
    assert better[0] > 1


COVERS = {"x": "2345", "y": "123", "z": "456"}


@pytest.fixture(scope="module")
def world():
    """Three topics with up to five intents, two systems and an ideal one, by greed."""
    rng = np.random.default_rng(11)
    rows = [
        (topic, intent, f"d{number:02}", int(rng.random() < 0.3))
        for topic, intents in (("t1", "12345"), ("t2", "12"), ("t3", "3"))
        for intent in intents
        for number in range(25)
    ]
    runs = [
        (system, topic, f"d{number:02}", rank)
        for system in ("s1", "s2")
        for topic in ("t1", "t2", "t3")
        for rank, number in enumerate(rng.permutation(30), start=1)
    ]
    qrels = pd.DataFrame(rows, columns=QRELS)
    runs += [("ideal", *row) for topic in ("t1", "t2", "t3") for row in rank_greedily(topic, qrels)]
    return pd.DataFrame(runs, columns=RUN), qrels


def rank_greedily(topic, qrels):
    """Rank a topic's documents, one intent's document halving its gain; the plain way."""
    own = qrels[(qrels["topic_id"] == topic) & (qrels["level"] > 0)]
    intents = own.groupby("document_id")["iteration"].apply(list).to_dict()
    gain = dict.fromkeys(own["iteration"], 1.0)
    for rank in range(1, len(intents) + 1):
        best = max(intents, key=lambda name: (sum(gain[i] for i in intents[name]), name))
        for intent in intents.pop(best):
            gain[intent] /= 2
        yield topic, best, rank


@pytest.fixture(scope="module")
def compiled(world):
    return compile_rankings(world[0], put_on_scale(world[1]))


@pytest.fixture(scope="module")
def shuffled(world):
    runs, qrels = (frame.sample(frac=1, random_state=5) for frame in world)
    return compile_rankings(runs, put_on_scale(qrels))


@pytest.fixture(scope="module")
def single(world):
    """The rankings by each intent alone."""
    runs, qrels = world
    return {
        intent: compile_rankings(runs, put_on_scale(rows))
        for intent, rows in qrels.groupby("iteration")
    }


@each("name", ["alpha-nDCG", "nERR-IA", "nNRBP", "strec"])
@each("cutoff", ["", "@10", "@20"])
def test_the_greedy_ideal_scores_1(compiled, name, cutoff):
    scores = evaluate([parse_measure(name + cutoff)], compiled)
    ideal = scores[scores["system"] == "ideal"]["value"].tolist()
    assert ideal == pytest.approx([1, 1, 1], abs=1e-15)


TEXTS = [
    *["P-IA@5", "AP-IA", "strec@2", "ERR-IA@10", "ERR-IA", "nERR-IA@10", "alpha-DCG"],
    *["alpha-nDCG@10", "NRBP", "NRBP(norm='none')", "nNRBP", "cRBP", "alpha-nDCG(intents='any')"],
]


@each("text", TEXTS)
def test_scores_stay_within_bounds_and_are_the_mean_of_single_intents(compiled, single, text):
    measure = parse_measure(text)
    scores = evaluate([measure], compiled).set_index(["system", "topic_id"])
    assert scores["value"].between(0, 1).all()
    assert scores["value"].nunique() > 3
    if text in ("P-IA@5", "AP-IA", "strec@2", "ERR-IA@10", "alpha-DCG", "NRBP(norm='none')"):
        found = [evaluate([measure], own).assign(intent=intent) for intent, own in single.items()]
        mean = pd.concat(found).groupby(["system", "topic_id"])["value"].mean()
        assert scores["value"].to_dict() == pytest.approx(mean.to_dict(), abs=1e-15)


@each("text", TEXTS)
def test_the_order_of_rows_plays_no_part(compiled, shuffled, text):
    measure = parse_measure(text)
    before = evaluate([measure], compiled)
    after = evaluate([measure], shuffled)
    key = ["system", "topic_id"]
    pd.testing.assert_frame_equal(
        before.sort_values(key, ignore_index=True), after.sort_values(key, ignore_index=True)
    )


def test_cascade_rbp_is_nrbp_of_one_intent(compiled):
    with_one = parse_measure("NRBP(intents='any', norm='none')").score(compiled)
    assert parse_measure("cRBP").score(compiled).tolist() == with_one.tolist()


@each(
    ("text", "shortest"),
    [
        ("alpha-nDCG(alpha=0.5)@10", "alpha-nDCG@10"),
        ("α-nDCG@10", "alpha-nDCG@10"),
        ("alpha_nDCG@10", "alpha-nDCG@10"),
        ("ERR_IA(alpha=1)", "ERR-IA(alpha=1.0)"),
        ("NRBP(beta=0.5)", "NRBP"),
        ("NRBP(beta=0.8)", "NRBP(beta=0.8)"),
        ("NRBP(norm='none', beta=0.8)", "NRBP(norm='none')"),
        ("NRBP(norm='none', beta=1)", "NRBP(norm='none', beta=1.0)"),
        ("cRBP(beta=1)@5", "cRBP(beta=1.0)@5"),
        ("P-IA(rel=2, intents='any')@5", "P-IA(rel=2, intents='any')@5"),
    ],
)
def test_equal_measures_have_one_text(text, shortest):
    measure = parse_measure(text)
    assert str(measure) == shortest
    assert parse_measure(shortest) == measure


@each(
    ("text", "reason"),
    [
        ("alpha-nDCG(alpha=1.5)", "alpha is a probability from 0 to 1"),
        ("ERR-IA(alpha=-0.1)", "alpha is a probability"),
        ("ERR-IA(norm='ideal')", "norm is independent or none"),
        ("AP-IA(intents='some')", "intents is each or any"),
        ("NRBP(beta=0)", "beta is a probability above 0"),
        ("nNRBP(beta=1.1)", "beta is a probability above 0"),
        ("cRBP(beta=2)", "beta is a probability above 0"),
        ("ERR-IA(alpha=0)", "so small an alpha needs a cut-off or norm='none'"),
        ("NRBP(alpha=0, beta=1)", "so small an alpha"),
        ("β-nDCG", "is not a measure"),
    ],
)
def test_an_unfit_parameter_says_what_is_wrong(text, reason):
    with pytest.raises(BadInput, match=reason):
        parse_measure(text)
