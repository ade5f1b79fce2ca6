"""Choosing pairs: what each method prefers, within a budget, the same under the same seed."""

import numpy as np
import pandas as pd
import pytest

from core.agreement.intervals import Z95
from core.errors import BadInput
from core.preference.bradley_terry import bradley_terry
from core.preference.pair_counts import count_pairs
from core.preference.pairs import METHODS, choose_pairs
from tests.core.preference.simulated import preferences, simulate
from tests.each import each
from tests.short import long


def candidates(topics=3, items=6, **columns):
    rows = [(f"t{topic}", f"d{item}") for topic in range(topics) for item in range(items)]
    return pd.DataFrame(rows, columns=["topic_id", "item"]).assign(**columns)


def choose(frame, method="all", budget=10_000, seed=0, **given):
    return choose_pairs(frame, method, budget, np.random.default_rng(seed), **given)


def graded(topics=3, items=6):
    return candidates(topics, items, level=list(range(items)) * topics)


STRENGTHS = bradley_terry(count_pairs(simulate(400, 6, 3, np.random.default_rng(0)))).frame


def named(frame):
    """Return strengths under the names of the candidates."""
    topic = frame["topic_id"].str.replace("t000", "t")
    return frame.assign(topic_id=topic, item=frame["item"].str.replace("d000", "d"))


@each("method", METHODS)
def test_laws_of_every_method(method):
    frame = graded().sample(frac=1, random_state=1)
    given = {"strengths": named(STRENGTHS)} if method == "adaptive" else {}
    every = choose(frame, method, **given)
    assert list(every) == ["topic_id", "first", "second"]
    assert (every["first"] < every["second"]).all()
    assert not every.duplicated().any()
    pd.testing.assert_frame_equal(every, choose(frame, method, **given))
    pd.testing.assert_frame_equal(every.head(5), choose(frame, method, 5, **given))
    others = [choose(frame, method, seed=seed, **given) for seed in range(1, 6)]
    differ = any(not every.equals(other) for other in others)
    assert differ or method in ("adjacent", "adaptive")
    judged = every.head(3).rename(columns={"first": "second", "second": "first"})
    rest = choose(frame, method, judged=judged, **given)
    kept = every.iloc[3:].sort_values(list(every), ignore_index=True)
    pd.testing.assert_frame_equal(rest.sort_values(list(every), ignore_index=True), kept)


def test_all_pairs_are_all_and_a_budget_is_spread_evenly():
    every = choose(candidates(4, 7))
    assert len(every) == 4 * 21
    some = choose(candidates(4, 7), budget=28)
    assert some.groupby("topic_id").size().tolist() == [7] * 4
    counts = pd.concat([some["first"], some["second"]]).value_counts()
    assert counts.max() - counts.min() <= 4
    for seed in range(5):
        systems = choose(candidates(50, 4), budget=100, seed=seed)
        assert systems.groupby("topic_id").size().tolist() == [2] * 50
        by_pair = systems.groupby(["first", "second"]).size()
        assert len(by_pair) == 6
        assert by_pair.max() - by_pair.min() <= 12


def test_identical_contents_are_never_paired():
    frame = candidates(2, 4, content=["p", "p", "q", None, "r", "s", "r", None])
    chosen = choose(frame)
    pairs = set(chosen.itertuples(index=False, name=None))
    assert ("t0", "d0", "d1") not in pairs
    assert ("t1", "d0", "d2") not in pairs
    assert len(pairs) == 2 * 6 - 2


def test_adjacent_pairs_are_neighbours_from_the_top_of_each_topic():
    chosen = choose(graded(2, 4), "adjacent")
    assert chosen["first"].tolist() == ["d2", "d2", "d1", "d1", "d0", "d0"]
    assert chosen["second"].tolist() == ["d3", "d3", "d2", "d2", "d1", "d1"]
    assert set(chosen["topic_id"][:2]) == {"t0", "t1"}
    alike = candidates(1, 5, level=1)
    seen = {tuple(map(tuple, choose(alike, "adjacent", seed=seed).values)) for seed in range(5)}
    assert len(seen) > 1
    assert all(len(pairs) == 4 for pairs in seen)


def test_sampling_favours_the_top():
    frame = candidates(600, 20, rank=list(range(1, 21)) * 600)
    drawn = choose(frame, "top", 10**6).drop_duplicates("topic_id")
    weight = {(a, b): 1 / (a * b) for a in range(1, 21) for b in range(a + 1, 21)}
    for pair in ((1, 2), (1, 3), (2, 3), (1, 20)):
        expected = weight[pair] / sum(weight.values())
        names = sorted(f"d{rank - 1}" for rank in pair)
        share = (drawn[["first", "second"]] == names).all(axis=1).mean()
        assert share == pytest.approx(expected, abs=4 * np.sqrt(expected / 600))
    by_grade = choose(graded(1, 20), "top", 40)
    top = {f"d{item}" for item in range(10, 20)}
    assert by_grade[["first", "second"]].isin(top).all(axis=1).mean() > 0.4
    with pytest.raises(BadInput, match="a rank is missing or below 1"):
        choose(candidates(1, 3, rank=[1, 0, 2]), "top")


def interval(item, low, high, group=1, topic="t0"):
    return (topic, item, (low + high) / 2, (high - low) / 2 / Z95, group)


def table(*rows):
    return pd.DataFrame(rows, columns=["topic_id", "item", "strength", "error", "group"])


def test_adaptive_pairs_overlap_and_the_most_uncertain_come_first():
    known = table(
        interval("d0", 0, 1), interval("d1", 0.5, 2), interval("d2", 1.5, 4), interval("d3", 5, 6)
    )
    chosen = choose(candidates(1, 4), "adaptive", strengths=known)
    assert set(chosen.itertuples(index=False, name=None)) == {
        ("t0", "d0", "d1"),
        ("t0", "d1", "d2"),
    }
    apart = table(interval("d0", 0, 1), interval("d1", 2, 3))
    assert choose(candidates(1, 2), "adaptive", strengths=apart).empty


def test_adaptive_pairs_join_what_was_not_compared_first():
    known = table(
        *(interval("d0", 0, 1), interval("d1", 0, 1)),
        *(interval("d2", 7, 8, 2), interval("d3", 7, 8, 2)),
    )
    first = choose(candidates(1, 5), "adaptive", 2, strengths=known)
    group = {"d0": 1, "d1": 1, "d2": 2, "d3": 2, "d4": 3}
    assert (first["first"].map(group) != first["second"].map(group)).all()
    assert len(choose(candidates(1, 5), "adaptive", strengths=known)) == 10


def test_strengths_over_topics_hold_in_every_topic():
    known = table(interval("d0", 0, 1, topic=""), interval("d1", 0, 2, topic=""))
    chosen = choose(candidates(3, 2), "adaptive", strengths=known)
    assert sorted(chosen["topic_id"]) == ["t0", "t1", "t2"]


@long
def test_adaptive_choice_settles_an_order():
    """Ten rounds of 15 adaptive pairs leave fewer pairs undecided than 150 pairs at random."""
    undecided = {"adaptive": 0, "all": 0}
    for seed in range(6):
        for method in undecided:
            rng = np.random.default_rng(seed)
            worth = dict(zip([f"d{at}" for at in range(8)], np.linspace(-4, 4, 8), strict=True))
            rows, known = [], None
            for _ in range(10):
                kind = method if known is not None else "all"
                pairs = choose_pairs(candidates(1, 8), kind, 15, rng, strengths=known)
                for topic, first, second in pairs.itertuples(index=False):
                    is_first = rng.random() < 1 / (1 + np.exp(worth[second] - worth[first]))
                    choice = "first" if is_first else "second"
                    rows.append((topic, first, second, choice, f"x{len(rows)}"))
                known = bradley_terry(count_pairs(preferences(*rows))).frame
            undecided[method] += len(
                choose_pairs(candidates(1, 8), "adaptive", 100, rng, strengths=known)
            )
    assert undecided["adaptive"] < undecided["all"]


def test_what_does_not_fit_is_refused():
    with pytest.raises(BadInput, match="'best' is not a method; known are all, adjacent"):
        choose(candidates(), "best")
    with pytest.raises(BadInput, match="at least one pair"):
        choose(candidates(), budget=0)
    with pytest.raises(BadInput, match="twice"):
        choose(pd.concat([candidates(), candidates()]))
    for method in ("adjacent", "top"):
        with pytest.raises(BadInput, match="needs a level of every candidate"):
            choose(candidates(1, 2, level=[1, None]), method)
    with pytest.raises(BadInput, match="needs strengths to start from"):
        choose(candidates(), "adaptive")


def test_nothing_to_pair_is_no_error():
    assert choose(candidates(3, 1)).empty
    assert choose(candidates(0, 0)).empty
