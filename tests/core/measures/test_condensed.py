"""Condensed lists: the documents without a judgement leave, and all others move up."""

import pandas as pd
import pytest
from hypothesis import given

from core.measures.base import MEASURES, CondensedMeasure
from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.measures.worlds import worlds
from tests.each import each

CONDENSED = [entry.name for entry in MEASURES if issubclass(entry, CondensedMeasure)]

# The ranking x a y b c of which a (level 2), b (0) and c (1) are judged; d (1) is not shown.
BY_HAND = {
    "P(judged_only=True)@2": 1 / 2,
    "P(judged_only=True)": 2 / 3,
    "R(judged_only=True)@1": 1 / 3,
    "AP(judged_only=True)": (1 + 2 / 3) / 3,
    "Rprec(judged_only=True)": 2 / 3,
    "RR(judged_only=True)": 1,
    "Success(judged_only=True)@1": 1,
    "RBP(p=0.5, judged_only=True)": 0.5 * (1 + 0.25),
    "Q(judged_only=True)": ((1 + 2) / (1 + 2) + (2 + 3) / (3 + 4)) / 3,
    "nDCG(judged_only=True)@1": 1,
}


@pytest.fixture(scope="module")
def rankings():
    runs = [("s", "t", document, rank) for rank, document in enumerate("xaybc", start=1)]
    judged = [
        ("t", "0", document, level) for document, level in zip("abcd", (2, 0, 1, 1), strict=True)
    ]
    return compile_rankings(
        pd.DataFrame(runs, columns=["system", "topic_id", "document_id", "rank"]),
        put_on_scale(
            pd.DataFrame(judged, columns=["topic_id", "iteration", "document_id", "level"])
        ),
    )


@each(("text", "expected"), BY_HAND.items())
def test_by_hand(rankings, text, expected):
    assert parse_measure(text).score(rankings).tolist() == [pytest.approx(expected, abs=1e-15)]


def test_every_measure_of_condensed_lists_was_reckoned_by_hand():
    assert {parse_measure(text).name for text in BY_HAND} == set(CONDENSED)


def test_the_residual_of_a_condensed_list_is_beyond_its_end(rankings):
    assert parse_measure("RBP(p=0.5, judged_only=True)").residual(rankings).tolist() == [0.125]


@given(worlds())
def test_a_condensed_list_is_scored_as_a_run_of_what_is_judged(world):
    runs, qrels = world
    rankings = compile_rankings(runs, put_on_scale(qrels))
    kept = runs.merge(qrels[["topic_id", "document_id"]])
    if kept.empty:
        return
    again = compile_rankings(
        kept.assign(rank=kept.groupby(["system", "topic_id"]).cumcount() + 1), put_on_scale(qrels)
    )
    rows = [rankings.systems.index(system) for system in again.systems]
    topics = [rankings.topics.index(topic) for topic in again.topics]
    for name in CONDENSED:
        found = parse_measure(f"{name}(judged_only=True)@4" if name != "Rprec" else name)
        plain = parse_measure(f"{name}@4" if name != "Rprec" else name)
        measured = rankings if name != "Rprec" else rankings.condensed
        shape = len(rankings.systems), len(rankings.topics)
        ours = found.score(measured).reshape(shape)[rows][:, topics].ravel()
        assert ours.tolist() == pytest.approx(plain.score(again).tolist(), nan_ok=True), name
