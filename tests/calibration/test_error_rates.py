"""Tests at α = .05 find a difference where none is in no more than 7 of 100 studies."""

import pytest

from core.comparison.choices import DEFAULT, TESTS
from tests.calibration.error_rates import TEST_FAMILIES, TestFamily, compare_all
from tests.calibration.score_models import EQUAL
from tests.short import few, long

MOST, LEAST = 0.07, 0.03

DEFAULTS = [family for family in TEST_FAMILIES if family.is_default]
TRIED = {
    *("A topic is of high agreement", "A side is favoured", "Users prefer a run: A/B test"),
    "A machine is no worse: over topics",
}
"""Families of the short form: the quick ones; the registry calls all of them there."""

CASES = [
    pytest.param(
        family,
        model,
        size,
        id=f"{family.title}, {model}, {size}",
        marks=() if family.title in TRIED and (at, size) == (0, family.sizes[1]) else long,
    )
    for family in DEFAULTS
    for at, model in enumerate(family.nulls)
    for size in family.sizes
]


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(("family", "model", "size"), CASES)
def test_chance_alone_is_rarely_taken_for_a_difference(
    family: TestFamily, model: str, size: int, long_form: bool, record_property
):
    found = family.nulls[model](size, 2_000 if long_form else 100)
    record_property("counts", "; ".join(f"{one.what}: {one.rate:.3f}" for one in found))
    slack = 2 if long_form else 3
    assert [one for one in found if one.rate - slack * one.error > MOST] == []


@long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("topics", [10, 21, 50])
def test_where_systems_are_alike_the_default_uses_what_it_may(topics):
    (family,) = (one for one in DEFAULTS if DEFAULT in one.title)
    found = family.nulls[EQUAL[0].name](topics, 2_000)
    assert [one for one in found if one.rate + 2 * one.error < LEAST] == []


@pytest.mark.parametrize(
    "family",
    [pytest.param(one, id=one.title, marks=() if one.title in TRIED else long) for one in DEFAULTS],
)
def test_what_is_there_is_found_more_often_with_more(family: TestFamily):
    for simulate in family.others.values():
        few, many = (simulate(family.sizes[at], 30) for at in (0, -1))
        assert all(more.found >= less.found for less, more in zip(few, many, strict=True))
        assert all(more.found > 0 for more in many)


def test_what_is_tried_in_the_short_form_is_there():
    assert {family.title for family in DEFAULTS} >= TRIED


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("at", few(range(len(EQUAL))), ids=[model.name for model in EQUAL])
@pytest.mark.parametrize("test", few(TESTS))
def test_the_rates_beside_a_result_are_those_simulated(test: str, at: int, long_form: bool):
    """Ten equal systems on twenty topics, as the sentence beside the result says."""
    studies = 2_000 if long_form else 60
    one = compare_all(test, EQUAL[at], 20, 10, studies)
    told = TESTS[test].rates[at]
    assert abs(one.rate - told) <= 0.01 + 3 * max(one.error, (told * (1 - told) / studies) ** 0.5)
