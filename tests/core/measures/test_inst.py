"""INST against its definition, rank by rank."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.measures.test_cascade import LEVELS, WEIGHTS, score


def add_up_slowly(gains, wanted, depth):
    """Return the mean gain of the ranks to a depth, each by the chance that it is reached."""
    found, reached, looked_at, total = 0.0, 1.0, 0.0, 0.0
    for rank in range(1, depth + 1):
        gain = gains[rank - 1] if rank <= len(gains) else 0.0
        found += gain
        total += gain * reached
        looked_at += reached
        place = rank + wanted + (wanted - found)
        reached *= ((place - 1) / place) ** 2
    return total / looked_at


@given(LEVELS, st.sampled_from([0.5, 1, 2.5, 7]), st.sampled_from([1, 4, 1000]))
def test_inst_equals_its_definition(levels, wanted, cutoff):
    for text, gain in {
        f"INST(T={wanted})@{cutoff}": lambda level: float(level >= 1),
        f"INST(rel=2, T={wanted})@{cutoff}": lambda level: float(level >= 2),
        f"INST(T={wanted}, gain='linear')@{cutoff}": lambda level: level / 3,
        f"INST(T={wanted}, gain='exp')@{cutoff}": lambda level: (2**level - 1) / 7,
        f"INST(T={wanted}, gain='udm')@{cutoff}": WEIGHTS.get,
    }.items():
        expected = add_up_slowly([gain(level) for level in levels], wanted, cutoff)
        assert score(text, levels, WEIGHTS) == pytest.approx(expected, abs=1e-12)


@given(LEVELS, st.sampled_from([0.5, 1, 2.5, 7]))
def test_without_a_cut_off_the_ranks_go_on_for_ever(levels, wanted):
    """The chance to reach rank n falls as 1 / n², so that what lies beyond it adds about 1 / n."""
    near, far = (score(f"INST(T={wanted})@{depth}", levels) for depth in (10**5, 10**6))
    assert score(f"INST(T={wanted})", levels) == pytest.approx(far + (far - near) / 9, abs=1e-8)


def test_nobody_looks_beyond_a_first_document_that_satisfies():
    """T = .5 and a top document: ((1 + .5 − .5 − 1) / …)² = 0."""
    assert score("INST(T=0.5)", [3, 0, 0]) == 1
    assert score("INST(T=0.5)@2", [0, 3]) == pytest.approx((1 / 4) / (1 + 1 / 4))


def test_who_wants_more_reads_on_after_the_first():
    scores = [score(f"INST(T={wanted})", [3]) for wanted in (0.5, 1, 2, 4)]
    assert scores[0] == 1
    assert np.diff(scores).max() < 0


SEEN = st.lists(st.sampled_from([None, 0, 1, 3]), min_size=1, max_size=12)


def compile_seen(levels):
    """Return one ranking of these levels, None for a document without a judgement."""
    runs = pd.DataFrame({"document_id": [f"d{at}" for at in range(len(levels))]})
    qrels = pd.DataFrame({"document_id": [*runs["document_id"], "top"], "level": [*levels, 3]})
    runs["rank"] = range(1, len(levels) + 1)
    qrels = qrels.dropna().astype({"level": "int64"})
    return compile_rankings(
        runs.assign(system="s", topic_id="t"),
        put_on_scale(qrels.assign(topic_id="t", iteration="0")),
    )


@given(SEEN, st.sampled_from([0.5, 1, 3]), st.sampled_from([1, 4, 200]))
def test_the_residual_of_inst_is_what_top_documents_would_add(levels, wanted, cutoff):
    measure = parse_measure(f"INST(T={wanted}, gain='linear')@{cutoff}")
    seen = [0 if level is None else level / 3 for level in levels]
    best = [1 if level is None else level / 3 for level in levels] + [1] * cutoff
    rankings = compile_seen(levels)
    expected = add_up_slowly(best, wanted, cutoff) - add_up_slowly(seen, wanted, cutoff)
    assert measure.residual(rankings).tolist() == [pytest.approx(max(expected, 0), abs=1e-12)]


@given(SEEN, st.sampled_from([0.5, 1, 3]))
def test_without_a_cut_off_top_documents_go_on_for_ever(levels, wanted):
    measure = parse_measure(f"INST(T={wanted}, gain='linear')")
    rankings = compile_seen(levels)
    best = [1 if level is None else level / 3 for level in levels] + [1] * 3000
    total = measure.score(rankings) + measure.residual(rankings)
    assert total.tolist() == [pytest.approx(add_up_slowly(best, wanted, 3000), abs=1e-9)]


@given(SEEN, st.sampled_from([0.3, 0.95]), st.sampled_from(["", "@4"]))
def test_the_residual_of_rbp_is_the_weight_of_ranks_without_a_judgement(levels, p, cut):
    judged = [rank for rank, level in enumerate(levels) if level is not None]
    expected = 1 - sum((1 - p) * p**rank for rank in judged if not cut or rank < 4)
    for text in (f"RBP(p={p}){cut}", f"RBP(p={p}, gain='exp'){cut}"):
        measure, rankings = parse_measure(text), compile_seen(levels)
        assert measure.residual(rankings).tolist() == [pytest.approx(expected, abs=1e-12)]
        assert (measure.score(rankings) + measure.residual(rankings)).max() <= 1 + 1e-12
