"""Every vector that Baeza-Yates & Ribeiro-Neto, ch. 4, print for q1 and q2, to the digit."""

import pytest

from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from tests.each import each

# Of q1, of q2 and on average, pp. 46-52. The book averages DCG already rounded and so prints 1.5
# and 2.1 where the mean is 1.4 and 2.0.
VECTORS = {
    "CG": (
        [1, 1, 2, 2, 2, 5, 5, 5, 5, 7, 7, 7, 7, 7, 10],
        [0, 0, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 6],
        [0.5, 0.5, 2, 2, 2, 3.5, 3.5, 4, 4, 5, 5, 5, 5, 5, 8],
    ),
    "DCG(discount='jarvelin')": (
        [1, 1, 1.6, 1.6, 1.6, 2.8, 2.8, 2.8, 2.8, 3.4, 3.4, 3.4, 3.4, 3.4, 4.2],
        [0, 0, 1.3, 1.3, 1.3, 1.3, 1.3, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 2.4],
        [0.5, 0.5, 1.4, 1.4, 1.4, 2.0, 2.0, 2.2, 2.2, 2.5, 2.5, 2.5, 2.5, 2.5, 3.3],
    ),
}


@each("name", VECTORS)
def test_cumulated_gain_at_every_rank(textbook, name):
    measures = [parse_measure(f"{name}@{rank}") for rank in range(1, 16)]
    scores = evaluate(measures, textbook("graded"))
    for topic, expected in zip(("q1", "q2"), VECTORS[name], strict=False):
        value = scores[scores["topic_id"] == topic]["value"]
        assert value.round(1).tolist() == expected
    assert mean_scores(scores)["value"].round(1).tolist() == VECTORS[name][2]


def test_precision_and_what_follows_from_it(textbook):
    printed = {
        "P@5": (0.4, 0.2),
        "P@10": (0.4, 0.2),
        "Rprec": (0.4, 1 / 3),
        "AP": (0.29, 0.26),  # the slide truncates .29 to .28
        "RR": (1, 1 / 3),
        "RR@2": (1, 0),
        "R@15": (0.5, 1),
        "P@1": (1, 0),
        "R@1": (0.1, 0),
        "P@3": (2 / 3, 1 / 3),
        "R@3": (0.2, 1 / 3),
    }
    for text, expected in printed.items():
        scores = evaluate([parse_measure(text)], textbook("binary"))
        assert scores["value"].tolist() == pytest.approx(expected, abs=5e-3), text


@each("rank", [1, 3, 5, 6, 10, 15])
def test_f_and_e_are_what_the_book_makes_of_precision_and_recall(textbook, rank):
    rankings = textbook("binary")
    precision, recall, f, e, e2 = (
        parse_measure(f"{text}@{rank}").score(rankings)[0]
        for text in ("P", "R", "F", "E", "E(b=2)")
    )
    assert f == pytest.approx(2 / (1 / recall + 1 / precision), abs=1e-15)
    assert e == pytest.approx(1 - f, abs=1e-15)
    assert e2 == pytest.approx(1 - 5 / (4 / recall + 1 / precision), abs=1e-15)
