"""Settings that can find something, and what they say of themselves."""

import pytest

from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput
from tests.each import each


@each(
    ("test", "topics", "systems", "conditions", "samples"),
    [
        (SignificanceTest(), 50, 37, 1, 10_000),
        (SignificanceTest("t"), 50, 37, 1, 10_000),
        (SignificanceTest("randomisation"), 50, 32, 1, 10_000),
        (SignificanceTest("randomisation"), 50, 33, 1, 105_600),
        (SignificanceTest("randomisation", "none"), 50, 37, 1, 10_000),
        (SignificanceTest("max-t", samples=15), 50, 3, 1, 200),
        (SignificanceTest("max-t", over_conditions=True, samples=99), 50, 3, 5, 1_000),
        (SignificanceTest("max-t"), 5, 3, 1, 10_000),
    ],
)
def test_samples_are_raised_until_something_can_be_found(
    test, topics, systems, conditions, samples
):
    raised = test.raise_samples(topics, systems, conditions)
    assert raised.samples == samples
    if topics > 5:
        assert raised.least_p(topics, systems, conditions) < test.alpha


def test_too_many_samples_are_refused_with_their_number():
    with pytest.raises(BadInput, match="100 systems need 9,900,000 permutations") as error:
        SignificanceTest("randomisation", alpha=0.005).raise_samples(50, 100)
    assert error.value.field == "samples"


@each(
    ("test", "systems", "conditions", "says"),
    [
        (
            SignificanceTest(),
            5,
            1,
            "p is corrected for the 10 pairs of systems, by the single-step randomised max-t test "
            "itself; other measures, topics or qrels that were tried are not counted.",
        ),
        (
            SignificanceTest("t", "none"),
            5,
            3,
            "p is not corrected for the 10 pairs of systems: among equal systems some 5% of all "
            "pairs come out significant, not for the 3 conditions: each has its own chance of an "
            "error.",
        ),
        (
            SignificanceTest("bootstrap", "bonferroni", over_conditions=True),
            3,
            2,
            "p is corrected for the 3 pairs of systems, by Bonferroni's method, and for the 2 "
            "conditions, by Bonferroni's.",
        ),
        (
            SignificanceTest(),
            2,
            1,
            "There is one pair of systems, so p needs no correction for pairs; other measures, "
            "topics or qrels that were tried are not counted.",
        ),
    ],
)
def test_one_sentence_says_what_is_corrected_for(test, systems, conditions, says):
    assert test.explain(systems, conditions) == says


@each(
    ("test", "systems", "name"),
    [
        (SignificanceTest(), 5, "max-t"),
        (SignificanceTest("max-t"), 5, ""),
        (SignificanceTest("max-t"), 2, "max-t"),
        (SignificanceTest("tukey"), 5, "tukey"),
        (SignificanceTest("t"), 5, ""),
        (SignificanceTest("t"), 2, "t"),
        (SignificanceTest("t", "bonferroni"), 5, "t-bonferroni"),
        (SignificanceTest("bootstrap", "none"), 5, "bootstrap-t"),
    ],
)
def test_limits_are_called_by_the_test_that_they_turn_round(test, systems, name):
    assert test.name_limits(systems) == name
