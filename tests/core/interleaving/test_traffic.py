"""Simulated impressions: whom users prefer, and how many it takes until that shows."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_ind

from core.interleaving.base import METHODS, parse_method
from core.interleaving.outcomes import compare_rankings
from core.interleaving.pairs import pair_documents
from core.interleaving.power import compare_arms, find_enough, list_sizes, simulate_power
from core.interleaving.traffic import (
    ABANDONED,
    CLICKS,
    FIRST_CLICK,
    Traffic,
    simulate_interleaving,
    simulate_visits,
)
from core.interleaving.users import USERS, parse_user
from tests.each import each
from tests.short import long

every_method = pytest.mark.parametrize("text", METHODS.suggested())


def make_traffic(
    rng: np.random.Generator, *, noise: tuple[float, float], user: str, topics: int = 12
) -> Traffic:
    """Return topics of 30 documents, ranked by relevance with so much noise."""
    pairs, relevance = [], []
    for topic in range(topics):
        useful = rng.integers(0, 5, size=30) / 4
        names = [f"d{at}" for at in range(30)]
        rankings = [
            [names[at] for at in np.argsort(-(useful + scale * rng.normal(size=30)))]
            for scale in noise
        ]
        pair = pair_documents(f"t{topic}", *rankings)
        pairs.append(pair)
        relevance.append(np.array([useful[names.index(one)] for one in pair.documents]))
    return Traffic(tuple(pairs), tuple(relevance), parse_user(user))


def make_identical(rng: np.random.Generator, user: str) -> Traffic:
    traffic = make_traffic(rng, noise=(1, 1), user=user)
    pairs = tuple(
        pair_documents(one.topic, ids, ids)
        for one in traffic.pairs
        for ids in [[one.documents[at] for at in one.first]]
    )
    return Traffic(pairs, traffic.relevance, traffic.user)


@every_method
@pytest.mark.parametrize("user", USERS.names())
def test_users_prefer_the_better_of_two_runs(text: str, user: str):
    rng = np.random.default_rng(8)
    traffic = make_traffic(rng, noise=(0.2, 3.0), user=user)
    found = compare_rankings(simulate_interleaving(traffic, parse_method(text), 1_500, rng), rng)
    assert found.low > 0
    assert found.p < 0.001


@long
@pytest.mark.timeout(600)
@every_method
def test_identical_rankers_are_told_apart_in_five_of_a_hundred_studies_at_most(
    text: str, long_form: bool, record_property
):
    """1,000 studies of 200 lists; sign tests, that with ties as half, and the bootstrap."""
    studies, size = 1_000, 200
    rates = {}
    for user in USERS.names() if long_form else ("informational",):
        rng = np.random.default_rng(11)
        traffic, method = make_identical(rng, user), parse_method(text)
        whole = simulate_interleaving(traffic, method, studies * size, rng)
        p = np.full((studies, 3), np.nan)
        for study in range(studies):
            rows = slice(study * size, (study + 1) * size)
            part = type(whole)(whole.session[rows], whole.won[rows], whole.clicked[rows])
            found = compare_rankings(part, rng)
            p[study] = found.p, found.p_ties_half, found.p_bootstrap
        rates[user] = (p < 0.05).mean(axis=0)
    record_property("counts", f"{text}: {rates}")
    slack = 2 * np.sqrt(0.05 * 0.95 / studies)
    assert max(one[:2].max() for one in rates.values()) <= 0.05
    assert max(one[2] for one in rates.values()) <= 0.05 + slack


def test_a_study_needs_topics_and_relevance_for_each():
    with pytest.raises(ValueError, match="needs topics"):
        Traffic((), (), parse_user("perfect"))


def test_impressions_that_nobody_clicked_are_ties():
    traffic = make_traffic(np.random.default_rng(0), noise=(1, 1), user="perfect")
    nothing = Traffic(traffic.pairs, tuple(0 * one for one in traffic.relevance), traffic.user)
    found = simulate_interleaving(nothing, parse_method("team-draft"), 5, np.random.default_rng(1))
    assert not found.clicked.any()
    assert not found.won.any()


def test_an_ab_test_measures_clicks_abandonment_and_the_first_click():
    pair = pair_documents("t", list("ab"), list("cba"))
    relevance = np.array([0.0 if one == "a" else 1.0 for one in pair.documents])
    traffic = Traffic((pair,), (relevance,), parse_user("perfect"), length=4)
    visits = simulate_visits(traffic, 200, np.random.default_rng(2))
    expected = {CLICKS: (1, 2), ABANDONED: (1, 1), FIRST_CLICK: (0.5, 1)}
    assert 70 < visits.arm.sum() < 130
    for name, (first, second) in expected.items():
        assert (visits.measured[name] == np.where(visits.arm == 0, first, second)).all()


def test_arms_are_compared_by_welchs_t():
    rng = np.random.default_rng(3)
    arm = rng.integers(2, size=(2, 60))
    values = rng.normal(size=(2, 60)) * (1 + arm) + 0.5 * arm
    p, difference = compare_arms(values, arm, np.array([20, 60]))
    for study, (at, size) in product(range(2), enumerate((20, 60))):
        one, other = (values[study, :size][arm[study, :size] == side] for side in (0, 1))
        assert p[study, at] == pytest.approx(ttest_ind(one, other, equal_var=False).pvalue)
        assert difference[study, at] == pytest.approx(one.mean() - other.mean())


def test_where_nothing_varies_or_an_arm_is_empty_there_is_no_p():
    arm = np.array([[0, 0, 0, 0], [0, 1, 0, 1]])
    values = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0]])
    p, _ = compare_arms(values, arm, np.array([1, 4]))
    assert np.isnan(p).all()


@each(
    ("impressions", "sizes"),
    [(5, (5,)), (10, (10,)), (70, (10, 20, 50, 70)), (100, (10, 20, 50, 100))],
)
def test_sizes_rise_to_what_was_asked_for(impressions: int, sizes: tuple[int, ...]):
    assert list_sizes(impressions) == sizes


def test_power_rises_with_impressions_and_interleaving_beats_counting_clicks():
    traffic = make_traffic(np.random.default_rng(5), noise=(0.3, 1.0), user="informational")
    told: list[float] = []
    methods = [parse_method(text) for text in METHODS.suggested()]
    power = simulate_power(
        traffic, methods, 1_500, np.random.default_rng(1), simulations=150, progress=told.append
    )
    assert told[-1] == 1
    assert told == sorted(told)
    assert set(power["simulations"]) == {150}
    found = power.pivot_table(index="impressions", columns=["test", "measure"], values="found")
    assert (found.iloc[-1] + 0.1 >= found.iloc[0]).all()
    assert found.loc[1_500, ("team-draft", "")] > found.loc[1_500, ("A/B", CLICKS)]
    assert (power["for_first"] <= power["found"]).all()
    enough = find_enough(power).set_index(["test", "measure"])["impressions"]
    assert enough["team-draft", ""] <= 1_500


def test_alike_runs_are_told_apart_by_chance_alone_whatever_the_test():
    rng = np.random.default_rng(21)
    traffic = make_identical(rng, "navigational")
    power = simulate_power(traffic, [parse_method("team-draft")], 200, rng, simulations=600)
    last = power[power["impressions"] == 200]
    assert len(last) == 4
    assert (last["found"] < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)).all()


def test_where_no_size_is_enough_it_is_not_known():
    power = pd.DataFrame(
        {
            "test": ["A/B", "A/B"],
            "measure": ["clicks", "clicks"],
            "impressions": [10, 20],
            "found": [0.1, 0.79],
        }
    )
    assert find_enough(power)["impressions"].isna().all()


def test_what_no_study_can_test_is_not_known_to_find_nothing():
    """All visits of an arm are alike, and the arms are not: there is no t, and no power of 0."""
    pair = pair_documents("t", ["good", "x"], ["poor", "y"])
    relevance = np.array([float(one == "good") for one in pair.documents])
    traffic = Traffic((pair,), (relevance,), parse_user("perfect"), 1)
    power = simulate_power(
        traffic, [parse_method("team-draft")], 20, np.random.default_rng(1), simulations=50
    )
    own = power.set_index(["test", "measure", "impressions"])["found"]
    assert np.isnan(own["A/B", CLICKS, 20])
    assert own["team-draft", "", 20] == 1
    assert find_enough(power).set_index("measure")["impressions"].isna()[CLICKS]


def test_many_impressions_make_fewer_studies(monkeypatch):
    monkeypatch.setattr("core.interleaving.power.MOST_IMPRESSIONS", 6_000)
    traffic = make_identical(np.random.default_rng(2), "perfect")
    power = simulate_power(
        traffic, [parse_method("balanced")], 200, np.random.default_rng(1), simulations=200
    )
    assert set(power["simulations"]) == {30}
