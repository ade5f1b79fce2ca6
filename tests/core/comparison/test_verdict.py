"""Sentences: each kind of outcome is told, with the right numbers in it."""

import re
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, rankdata, ttest_rel
from statsmodels.stats.multitest import multipletests

from core.comparison.conditions import Comparison, compare_conditions, examine_condition
from core.comparison.significance_test import SignificanceTest
from core.comparison.verdict import describe_orders, reach_verdict
from tests.each import each


def scores(order: str, step: float = 0.1, topics: int = 10) -> pd.DataFrame:
    """Scores by which the systems stand in this order, on every topic by about the same step."""
    return pd.DataFrame(
        [
            {
                "system": name,
                "topic_id": f"t{topic}",
                "value": 1 - step * place + 0.001 * ((topic * (place + 2)) % 7),
                "judged": 1.0,
            }
            for topic in range(topics)
            for place, name in enumerate(order)
        ]
    )


def compare(trial: SignificanceTest | None = None, **named: pd.DataFrame) -> Comparison:
    trial = trial or SignificanceTest("t")
    conditions = [examine_condition(name, frame, trial) for name, frame in named.items()]
    return compare_conditions(conditions, trial)


def test_two_conditions_that_say_the_same():
    assert reach_verdict(compare(x=scores("abcd"), y=scores("abcd"))) == (
        "The order of systems stays exactly the same. Every significant difference is so under "
        "every condition.",
        "The best system is a under every condition.",
        "6 pairs of systems are significant with both conditions, none with one alone.",
        "At α = 0.05, of 6 pairs of systems 6 differ significantly with 'x' and 6 with 'y'.",
    )


def test_its_figures_are_those_of_scipy_and_statsmodels():
    """Eight systems on 25 made-up topics under two conditions: τ, Holm's t tests, places."""
    rng, systems = np.random.default_rng(5), list("abcdefgh")
    skill = np.linspace(0.3, 0.6, 8)[:, np.newaxis]
    tables = {name: skill + rng.normal(0, 0.12, (8, 25)) for name in "xy"}
    verdict = reach_verdict(compare(**{name: lay_out(table) for name, table in tables.items()}))
    means = {name: table.mean(axis=1) for name, table in tables.items()}
    assert f"τ = {kendalltau(means['x'], means['y']).statistic:.3f} [" in verdict[1]
    places = {name: rankdata(-values) for name, values in means.items()}
    moved = int((np.abs(places["x"] - places["y"]) > 2).sum())
    assert verdict[1].startswith(f"{moved} of 8 systems")
    best = [systems[int(np.argmax(means[name]))] for name in "xy"]
    told = f"the best system is {best[0]} with 'x', but {best[1]} with 'y'"
    assert (told if best[0] != best[1] else f"{best[0]} with both") in verdict[1]
    found = {name: significant(table) for name, table in tables.items()}
    both = len(found["x"] & found["y"])
    alone = [len(found[one] - found[other]) for one, other in ("xy", "yx")]
    assert both
    assert all(alone)
    assert verdict[2] == (
        f"{both} pairs of systems are significant with both conditions; {alone[0]} only with 'x' "
        f"and {alone[1]} only with 'y'."
    )


def lay_out(table: np.ndarray) -> pd.DataFrame:
    rows = [
        {"system": name, "topic_id": f"t{topic}", "value": value, "judged": 1.0}
        for name, own in zip("abcdefgh", table, strict=True)
        for topic, value in enumerate(own)
    ]
    return pd.DataFrame(rows)


def significant(table: np.ndarray) -> set[tuple[int, int]]:
    """Return the pairs of systems, the better one first, that scipy and statsmodels tell apart."""
    pairs = list(combinations(range(len(table)), 2))
    p = [ttest_rel(table[first], table[second]).pvalue for first, second in pairs]
    rejected = multipletests(p, alpha=0.05, method="holm")[0]
    mean = table.mean(axis=1)
    kept = [pair for pair, is_apart in zip(pairs, rejected, strict=True) if is_apart]
    return {(a, b) if mean[a] > mean[b] else (b, a) for a, b in kept}


def test_a_system_that_moves_far_and_pairs_that_turn_round():
    first, moves, pairs, power = reach_verdict(compare(x=scores("abcdef"), y=scores("fabcde")))
    assert first == (
        "The orders of systems differ (p = 0.002). Some differences are significant in opposite "
        "directions (5 pairs between two conditions): the conclusion depends on the condition."
    )
    assert moves.startswith(
        "1 of 6 systems moves more than two ranks between 'x' and 'y', f the farthest (5); "
        "τ = 0.333 ["
    )
    assert moves.endswith("the best system is a with 'x', but f with 'y'.")
    assert pairs == (
        "10 pairs of systems are significant with both conditions; 5 only with 'x' and 5 only "
        "with 'y'."
    )
    assert power.startswith("At α = 0.05, of 15 pairs of systems 15 differ significantly with 'x'")


def test_orders_are_told_without_what_is_significant():
    found = compare(x=scores("abcdef"), y=scores("fabcde"))
    first, moves, *_ = reach_verdict(found, "<{}>".format)
    said = describe_orders(found.orders, "<{}>".format)
    assert said == f"The orders of systems <differ> (p = 0.002). {moves}"
    assert first.startswith("The orders of systems <differ> (p = 0.002). ")


def test_orders_that_differ():
    many = "abcdefghijklmnop"
    two = reach_verdict(compare(x=scores(many, 0.01), y=scores(many[::-1], 0.01)))
    assert two[0].startswith("The orders of systems differ (p = 0.002). ")
    some = reach_verdict(
        compare(x=scores(many, 0.01), y=scores(many[::-1], 0.01), z=scores(many, 0.01))
    )
    assert some[0].startswith("2 of the 3 pairs of orders differ by more than chance.")
    assert some[1].startswith("The least similar orders: 14 of 16")
    ring = "ijklmnopabcdefgh"
    none = reach_verdict(
        compare(x=scores(many, 0.01), y=scores(many[::-1], 0.01), z=scores(ring, 0.01))
    )
    assert none[0].startswith("3 of the 3 pairs of orders differ")
    one = reach_verdict(
        compare(
            x=scores("abcdefghijklmnop", 0.01),
            y=scores("abcdefghijklmnop", 0.01),
            z=scores("abcdefghijklmnpo", 0.01),
            w=scores("hgfedcbaponmlkji", 0.01),
        )
    )
    assert one[0].startswith("3 of the 6 pairs of orders differ")


def test_orders_that_are_not_shown_to_differ():
    comparison = compare(x=scores("abc"), y=scores("acb"), z=scores("bca"))

    def say(shown_below: float, rows: int) -> str:
        orders = comparison.orders.assign(
            differ=pd.array([False] * 3, dtype="boolean"), shown_below=shown_below, largest=1
        )
        changed = Comparison(**{**vars(comparison), "orders": orders.head(rows)})
        return reach_verdict(changed)[0]

    assert say(0.4, 1).startswith(
        "The order of systems changes, but is not shown to differ "
        "(a τ below 0.400 would have been)."
    )
    assert say(0.4, 3).startswith(
        "The order of systems changes, but no two orders are shown to differ (a τ below 0.400"
    )
    assert "(so few topics could not have shown it)" in say(float("nan"), 1)


def test_one_pair_of_several_that_differs():
    comparison = compare(x=scores("abc"), y=scores("acb"), z=scores("bca"))
    orders = comparison.orders.assign(
        differ=pd.array([False, True, False], dtype="boolean"), largest=[1, 1, 1]
    )
    changed = Comparison(**{**vars(comparison), "orders": orders})
    assert reach_verdict(changed)[0].startswith("1 of the 3 pairs of orders differs by more")


def test_significance_that_comes_and_goes_without_turning():
    clear, flat = scores("abc"), scores("abc", 0.0001)
    first, _, pairs, power = reach_verdict(compare(x=clear, y=flat))
    assert "No significant difference is reversed, but some are significant under one" in first
    assert pairs.endswith("only with 'x'.")
    assert "3 differ significantly with 'x'" in power


def test_the_same_best_system_in_orders_that_differ():
    _, moves, *_ = reach_verdict(compare(x=scores("abcd"), y=scores("adcb")))
    assert moves.startswith("0 of 4 systems move more than two ranks between 'x' and 'y', ")
    assert moves.endswith("the best system is a with both.")


def test_nothing_significant_and_nothing_tested():
    flat = SignificanceTest("tukey", samples=99)
    level = scores("abc", 0.0, 2)
    first, *_ = reach_verdict(compare(flat, x=level, y=level))
    assert "No difference between systems is significant under any condition." in first
    single = scores("abc", topics=1)
    said = reach_verdict(compare(x=single, y=single))
    assert "Significance is not compared, because too little can be tested." in said[0]
    assert said[-1].startswith("Not tested with 'y': ")
    assert len(said) == 4


@each("topics", (1, 4))
def test_what_was_not_tested_is_not_spoken_of(topics):
    trial = SignificanceTest("single-step", samples=999)
    untested = scores("abcd", topics=topics)
    first, _, pairs, *_, last = reach_verdict(
        compare(trial, x=scores("abcd"), y=scores("abcd"), z=untested)
    )
    assert last.startswith("Not tested with 'z': ")
    assert first.endswith(
        "Every significant difference is so under every condition that was tested."
    )
    assert pairs == (
        "6 pairs of systems are significant with both conditions that were tested, none with one "
        "alone."
    )
    flat = scores("abcd", 0.0)
    none, *_ = reach_verdict(compare(trial, x=flat, y=flat, z=untested))
    assert "No difference between systems is significant under any condition that was" in none


def test_orders_without_an_interval():
    tied = scores("ab", 0.0).assign(value=0.5)
    first, moves, *_ = reach_verdict(compare(SignificanceTest(samples=99), x=tied, y=scores("ab")))
    assert first.startswith(
        "The order of systems changes; too little is scored to test by how much."
    )
    assert "τ = undefined" in moves
    assert "a and b share the first rank with 'x', but the best system is a with 'y'" in moves


def test_many_that_share_the_first_rank_are_counted():
    names = "abcdefghijkl"
    (best, *_) = reach_verdict(compare(x=scores(names, 0.0).assign(value=0.5)))
    assert best == "12 of 12 systems share the first rank (a, b, c and 9 more)."


def test_one_label_gives_no_verdict():
    """One relevant document in one topic: six systems have found it, six have not."""
    found = scores("abcdefghijkl", topics=1)
    found["value"] = (found["system"] <= "f").astype("float64")
    first, moves, *_ = reach_verdict(compare(x=found, y=found.assign(value=found["value"] / 2)))
    assert first.startswith("Too little is scored to say whether the order of systems changes. ")
    assert moves == "6 systems share the first rank (a, b, c and 3 more) so far."


def test_systems_that_all_share_a_rank_have_no_order():
    level = scores("abc").assign(value=0.5)
    first, *_ = reach_verdict(compare(SignificanceTest(samples=99), x=level, y=level))
    assert first.startswith("No order of systems can be told: all share their ranks. ")


def test_tau_without_limits_is_written_alone():
    comparison = compare(x=scores("abc"), y=scores("acb"))
    orders = comparison.orders.assign(low=float("nan"), high=float("nan"))
    changed = Comparison(**{**vars(comparison), "orders": orders})
    assert "τ = 0.333; " in reach_verdict(changed)[1]


def test_one_condition_alone():
    assert reach_verdict(compare(x=scores("abc"))) == (
        "The best system is a of 3 systems.",
        "At α = 0.05, of 3 pairs of systems 3 differ significantly with 'x'.",
    )
    only = scores("a")
    best, why = reach_verdict(compare(x=only))
    assert best == "The best system is a of 1 system."
    assert why.startswith("Not tested with 'x': ")


def test_a_single_pair_is_told_in_the_singular():
    *_, pairs, power = reach_verdict(compare(x=scores("ab"), y=scores("ab")))
    assert pairs == "1 pair of systems is significant with both conditions, none with one alone."
    assert (
        power
        == "At α = 0.05, of 1 pair of systems 1 differs significantly with 'x' and 1 with 'y'."
    )


@each(
    ("comparison", "marked"),
    [
        (lambda: compare(x=scores("abcd"), y=scores("abcd")),
         ["stays exactly the same", "Every significant difference"]),
        (lambda: compare(x=scores("abcdef"), y=scores("fabcde")),
         ["differ", "in opposite directions"]),
        (lambda: compare(x=scores("abc")), ["a"]),
    ],
)  # fmt: skip
def test_only_key_facts_of_the_first_sentence_are_marked(comparison, marked):
    plainly, stressed = (reach_verdict(comparison(), mark) for mark in (str, "<{}>".format))
    assert re.findall("<(.*?)>", stressed[0]) == marked
    assert (re.sub("[<>]", "", stressed[0]), *stressed[1:]) == plainly
