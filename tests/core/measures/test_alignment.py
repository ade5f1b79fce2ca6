"""Rank-biased alignment against its definition, and values that its authors test for."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.measures.test_cascade import score
from tests.core.measures.worlds import worlds
from tests.each import each

STAIRS = list(range(10, 0, -1))


def align_slowly(shown, level, p):
    """Hand out the weights rank by rank, mean within each group of ties."""
    here = {document: (1 - p) * p**rank for rank, document in enumerate(shown)}
    there, rank = {}, 0
    for one in sorted({*level.values()} - {0}, reverse=True):
        group = [document for document in level if level[document] == one]
        mean = sum((1 - p) * p ** (rank + place) for place in range(len(group))) / len(group)
        there |= dict.fromkeys(group, mean)
        rank += len(group)
    return sum(sqrt(here[document] * there[document]) for document in here.keys() & there.keys())


@given(worlds(), st.sampled_from([0.3, 0.95]), st.sampled_from([2, 60]))
def test_alignment_equals_its_definition(world, p, depth):
    runs, qrels = world
    rankings = compile_rankings(runs, put_on_scale(qrels))
    found = parse_measure(f"RBA(p={p})@{depth}").score(rankings)
    pairs = [(system, topic) for system in rankings.systems for topic in rankings.topics]
    for value, (system, topic) in zip(found, pairs, strict=True):
        own = runs[(runs["system"] == system) & (runs["topic_id"] == topic)]
        judged = qrels[qrels["topic_id"] == topic].set_index("document_id")["level"]
        shown = own.sort_values("rank")["document_id"].tolist()[:depth]
        assert value == pytest.approx(align_slowly(shown, judged.to_dict(), p), abs=1e-12)


@each(
    ("order", "p", "expected"),
    [
        (STAIRS, 0.6, 0.99),
        (STAIRS, 0.7, 0.97),
        (STAIRS, 0.8, 0.89),
        ([9, 10, 7, 8, 5, 6, 3, 4, 1, 2], 0.8, 0.887),
    ],
)
def test_values_of_the_authors(order, p, expected):
    """Ten documents without ties: identical orders, and neighbours swapped."""
    digits = 3 if expected == 0.887 else 2
    assert score(f"RBA(p={p})", order, unseen=()) == pytest.approx(expected, abs=0.6 * 10**-digits)


def test_documents_of_one_level_share_their_ranks_weights():
    both = (0.5 + 0.25) / 2
    assert score("RBA(p=0.5)", [1, 1], unseen=()) == pytest.approx(sqrt(both) * (sqrt(0.5) + 0.5))
