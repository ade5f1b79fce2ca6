import pandas as pd
import pytest

from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale


def score(text, ranking, levels):
    qrels = pd.DataFrame({"document_id": list(levels), "level": list(levels.values())})
    runs = pd.DataFrame({"document_id": list(ranking), "rank": range(1, len(ranking) + 1)})
    rankings = compile_rankings(
        runs.assign(system="s", topic_id="t"),
        put_on_scale(qrels.assign(topic_id="t", iteration="0")),
    )
    return parse_measure(text).score(rankings)[0]


LEVELS = {"a": 1, "b": 2, "c": 1, "d": 1, "n": 0, "m": 0, "k": 0}


def test_bpref_by_hand():
    """Buckley & Voorhees: R = 4, N = 3; above a stand 0, above b 1 and above c 2 of N."""
    assert score("bpref", "anbmc", LEVELS) == pytest.approx((1 + 2 / 3 + 1 / 3) / 4, abs=1e-15)


def test_unjudged_documents_are_passed_over():
    assert score("bpref", "uavnwbmxc", LEVELS) == score("bpref", "anbmc", LEVELS)
    assert score("AP", "uavnwbmxc", LEVELS) < score("AP", "anbmc", LEVELS)


def test_only_as_many_are_counted_as_are_relevant():
    """With R = 1, one judged not relevant above is as bad as three."""
    levels = {"a": 1, "n": 0, "m": 0, "k": 0}
    assert score("bpref", "nmka", levels) == score("bpref", "na", levels) == 0


def test_without_any_judged_not_relevant_it_is_recall():
    assert score("bpref", "xay", {"a": 1, "b": 1}) == 0.5


def test_levels_below_rel_are_not_relevant():
    assert score("bpref(rel=2)", "ab", LEVELS) == 0
    assert score("bpref(rel=2)", "ba", LEVELS) == 1
    assert pd.isna(score("bpref(rel=3)", "ab", LEVELS))
