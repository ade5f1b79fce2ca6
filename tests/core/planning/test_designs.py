"""Designs of a topic set: printed figures, other programs, each other, laws over all of them."""

import numpy as np
import pytest
from scipy.stats import nct, norm, t
from statsmodels.stats.power import FTestAnovaPower, TTestPower

from core.errors import BadInput
from core.planning.designs import (
    DESIGNS,
    MOST_TOPICS,
    Requirement,
    count_topics,
    find_effect,
    find_least,
    parse_design,
)
from core.planning.variance import given_variance
from tests.calibration.planning import Bounded
from tests.each import each
from tests.short import long

EXAMPLES = [text for entry in DESIGNS for text in entry.examples]
TESTS = [text for text in EXAMPLES if parse_design(text).has_power]
ORACLES = {
    "paired-t": "test_cohen_s_tables_of_the_t_test",
    "one-way-anova": "test_anova_against_statsmodels",
    "two-way-anova": "test_two_systems_are_the_paired_t_test",
    "tukey": "test_two_systems_are_the_paired_t_test",
    "interval-width": "test_the_width_is_the_mean_of_many_intervals",
}
NAGATA = {
    (0.01, 0.9): (10.439, 5.213),
    (0.01, 0.8): (7.736, 4.551),
    (0.05, 0.9): (7.049, 4.244),
    (0.05, 0.8): (4.860, 3.584),
}
"""Noncentralities as a + b√(m − 1), which Sakai (2016) takes over from Nagata (2003)."""


def number(topics):
    return np.array([float(topics)])


def test_every_design_has_an_oracle():
    assert ORACLES.keys() == set(DESIGNS.names())
    assert all(name in globals() for name in ORACLES.values())


@each("text", EXAMPLES)
def test_text_round_trip(text):
    design = parse_design(text)
    assert str(design) == text
    assert parse_design(str(design)) == design
    assert design.reference
    assert design.title


def test_an_unknown_design_is_refused():
    with pytest.raises(BadInput, match=r"known are .*paired-t"):
        parse_design("guess")


@each(("d", "topics"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_cohen_s_tables_of_the_t_test(d, topics):
    """α = .05, power .80, two-sided, of paired differences: as G*Power and R's pwr print it."""
    assert count_topics(parse_design("paired-t"), 1.0, Requirement(d)) == topics


def test_33_topics_are_one_too_few_for_half_a_standard_deviation():
    """The power of Sakai's worked example (2016, section 3.1), by Nagata's formula n = 33.3."""
    reached = parse_design("paired-t").reach(np.array([33.0, 34.0]), 1.0, Requirement(0.5))
    assert reached.round(3).tolist() == [0.795, 0.808]


@each(
    ("topics", "effect"),
    [(2, 0.1), (2, 1.3), (5, 0.5), (22, 0.1), (22, 0.9), (50, 0.5), (400, 0.1)],
)
def test_the_t_test_against_statsmodels_and_noncentral_t(topics, effect):
    ours = parse_design("paired-t").reach(number(topics), 1.0, Requirement(effect, alpha=0.01))
    assert ours[0] == pytest.approx(TTestPower().power(effect, topics, 0.01), abs=1e-7)
    critical = t.ppf(0.995, topics - 1)
    shift = effect * topics**0.5
    tails = nct.sf(critical, topics - 1, shift) + nct.cdf(-critical, topics - 1, shift)
    assert ours[0] == pytest.approx(tails, abs=1e-7)


@each("systems", [2, 3, 10, 38])
@each("topics", [3, 22, 100])
def test_anova_against_statsmodels(systems, topics):
    """Cohen's f is effect/σ/√(2m) where all means but two lie in the middle."""
    wanted = Requirement(0.4, systems=systems)
    ours = parse_design("one-way-anova").reach(number(topics), 0.7, wanted)
    f = 0.4 / np.sqrt(2 * systems * 0.7)
    other = FTestAnovaPower().power(f, topics * systems, 0.05, k_groups=systems)
    assert ours[0] == pytest.approx(other, abs=1e-6)


def test_cohen_s_medium_effect_of_three_groups():
    """Cohen (1988), table 8.4.4: f = .25, α = .05, power .80: 52 a group; exactly, 53."""
    wanted = Requirement(0.25 * np.sqrt(6), systems=3)
    assert count_topics(parse_design("one-way-anova"), 1.0, wanted) == 53


@each(("alpha", "power"), NAGATA)
@each("d", [0.1, 0.25, 0.5, 1.0])
def test_nagata_s_approximation_of_the_t_test_is_at_most_one_topic_away(alpha, power, d):
    """((z(α/2) + z(β))/d)² + z(α/2)²/2, as Sakai (2016) takes it over."""
    upper, lower = norm.isf(alpha / 2), norm.ppf(power)
    near = np.ceil(((upper + lower) / d) ** 2 + upper**2 / 2)
    exact = count_topics(parse_design("paired-t"), 1.0, Requirement(d, power, alpha))
    assert abs(exact - near) <= 1


@each(("alpha", "power"), NAGATA)
@each("systems", [3, 5, 10, 20, 30, 50, 100])
def test_nagata_s_approximation_is_near(alpha, power, systems):
    """Sakai's spreadsheet starts from it and looks for the exact number nearby."""
    wanted = Requirement(0.2, power, alpha, systems)
    start, slope = NAGATA[alpha, power]
    near = 2 * (start + slope * np.sqrt(systems - 1)) * 0.1 / wanted.effect**2
    exact = count_topics(parse_design("one-way-anova"), 0.1, wanted)
    assert abs(exact - near) <= 1 + 0.02 * near


@each("name", ["two-way-anova", "tukey"])
@each("topics", [3, 10, 70])
def test_two_systems_are_the_paired_t_test(name, topics):
    variance = given_variance(differences=0.03)
    wanted = Requirement(0.08)
    found = [
        design.reach(number(topics), design.choose(variance).value, wanted)[0]
        for design in map(parse_design, (name, "paired-t"))
    ]
    assert found[0] == pytest.approx(found[1], abs=1e-5)


@each(("topics", "systems"), [(12, 4), (40, 10)])
def test_anova_and_tukey_find_as_often_as_they_say(topics, systems):
    """1,500 simulated collections of normal scores; four standard errors of slack."""
    from scipy.stats import f

    from core.comparison.studentised_range import find_range

    rng, studies, effect = np.random.default_rng([topics, systems]), 1500, 0.9
    shift = np.zeros(systems)
    shift[0], shift[-1] = effect / 2, -effect / 2
    values = rng.normal(size=(studies, topics, systems)) + shift
    centred = values - values.mean(axis=1, keepdims=True)
    between = topics * values.mean(axis=1).var(axis=1, ddof=1)
    within = (centred**2).sum(axis=(1, 2)) / (systems * (topics - 1))
    apart = centred - centred.mean(axis=2, keepdims=True)
    freedom = (systems - 1) * (topics - 1)
    residual = (apart**2).sum(axis=(1, 2)) / freedom
    means = values.mean(axis=1)
    distance = np.abs(means[:, 0] - means[:, -1]) / np.sqrt(residual / topics)
    found = {
        "one-way-anova": between / within > f.ppf(0.95, systems - 1, systems * (topics - 1)),
        "two-way-anova": between / residual > f.ppf(0.95, systems - 1, freedom),
        "tukey": distance > find_range(0.05, systems, freedom),
    }
    for name, hits in found.items():
        wanted = Requirement(effect, systems=systems)
        said = parse_design(name).reach(number(topics), 1.0, wanted)[0]
        slack = 4 * np.sqrt(said * (1 - said) / studies)
        assert abs(hits.mean() - said) <= slack, name


@long
@each("effect", [0.05, 0.1])
def test_planned_topics_find_as_often_as_is_wanted_where_scores_are_bounded_and_skewed(effect):
    """4,000 simulated collections as large as planned; normal theory errs by .04 at most."""
    rng, model = np.random.default_rng(1), Bounded()
    many = model.draw(100_000, 2, rng)
    differences = np.var(many[:, 0] - many[:, 1])
    wanted = Requirement(effect)
    topics = int(count_topics(parse_design("paired-t"), float(differences), wanted))
    drawn = np.stack([model.draw(topics, 2, rng) for _ in range(4_000)])
    apart = drawn[:, :, 0] - drawn[:, :, 1] + effect
    statistic = apart.mean(axis=1) / apart.std(axis=1, ddof=1) * topics**0.5
    found = np.abs(statistic) > t.ppf(0.975, topics - 1)
    assert found.mean() == pytest.approx(wanted.power, abs=0.04)


@each("topics", [2, 5, 30])
def test_the_width_is_the_mean_of_many_intervals(topics):
    rng = np.random.default_rng(topics)
    spread = rng.normal(size=(40_000, topics)).std(axis=1, ddof=1)
    widths = 2 * t.ppf(0.975, topics - 1) * spread / np.sqrt(topics)
    said = parse_design("interval-width").reach(number(topics), 1.0, Requirement())[0]
    assert said == pytest.approx(widths.mean(), abs=4 * widths.std() / 200)


@each("text", EXAMPLES)
def test_each_takes_the_variance_of_what_it_says(text):
    design = parse_design(text)
    variance = given_variance(within=0.05, differences=0.06)
    wanted = {
        "differences": 0.06,
        "scores of a system": 0.05,
        "scores of a system, less what the topic does to all": 0.03,
    }
    assert design.choose(variance).value == pytest.approx(wanted[design.varies])


@each("text", EXAMPLES)
def test_the_number_is_the_least_that_suffices(text):
    design, wanted = parse_design(text), Requirement(0.05, systems=5)
    topics = count_topics(design, 0.02, wanted)
    reached = design.reach(np.array([topics - 1, topics]), 0.02, wanted)
    assert design.suffices(reached, wanted).tolist() == [False, True]


@each("text", EXAMPLES)
def test_more_topics_reach_more(text):
    design = parse_design(text)
    reached = design.reach(np.arange(2.0, 60), 0.05, Requirement(0.1, systems=4))
    steps = np.diff(reached) * (1 if design.has_power else -1)
    assert (steps > 0).all()


@each("text", TESTS)
@each("topics", [2, 25])
def test_the_least_effect_has_the_power_that_is_wanted(text, topics):
    design, wanted = parse_design(text), Requirement(systems=6, power=0.9)
    effect = find_effect(design, topics, 0.02, wanted)
    reached = design.reach(number(topics), 0.02, Requirement(effect, 0.9, systems=6))
    assert reached[0] == pytest.approx(0.9, abs=1e-6)
    more = Requirement(effect * (1 + 1e-6), 0.9, systems=6)
    assert count_topics(design, 0.02, more) == topics


def test_what_an_interval_tells_is_half_its_width():
    design = parse_design("interval-width")
    width = design.reach(number(25), 0.02, Requirement())[0]
    assert find_effect(design, 25, 0.02, Requirement()) == pytest.approx(width / 2)
    assert count_topics(design, 0.02, Requirement(effect=width / 2)) == 25
    assert count_topics(design, 0.02, Requirement(width=width)) == 25


@each("text", EXAMPLES)
def test_without_variance_two_topics_do_and_unknown_stays_unknown(text):
    design = parse_design(text)
    assert count_topics(design, 0.0, Requirement()) == 2
    assert find_effect(design, 5, 0.0, Requirement()) == 0
    assert np.isnan(count_topics(design, float("nan"), Requirement()))
    assert np.isnan(find_effect(design, 5, float("nan"), Requirement()))


def test_what_no_collection_has_is_beyond():
    assert count_topics(parse_design("paired-t"), 1.0, Requirement(1e-4)) == np.inf
    edge = find_least(lambda topics: topics >= MOST_TOPICS, 2, MOST_TOPICS)
    assert edge == MOST_TOPICS


@each(
    ("given", "said"),
    [
        ({"effect": 0}, "difference"),
        ({"alpha": 1}, "significance level is"),
        ({"power": 0.04}, "power is above"),
        ({"systems": 1}, "two systems"),
        ({"width": 0}, "width"),
    ],
)
def test_what_makes_no_sense_is_refused(given, said):
    with pytest.raises(BadInput, match=said):
        Requirement(**given)
