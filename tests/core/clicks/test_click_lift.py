"""Lift over position: plain Python as an oracle, exact expectations, and its limits."""

import numpy as np
import pytest

import core.clicks.click_lift as click_lift_module
from core.clicks.click_lift import FEW, NO_CHANCE, NO_PAIR, SideBySide, Worths, click_lift
from core.clicks.click_log import ClickLog
from core.clicks.preference_rule import PREFERENCE_RULES
from tests.core.clicks.worlds import LEVELS, deal, draw_log, make_log
from tests.short import long

RULES = [PREFERENCE_RULES.parse(name) for name in PREFERENCE_RULES.suggested()]
ABOVE = [PREFERENCE_RULES.parse("click-skip-above")]
WORTH = np.array([0, 1, 1, 2, 2, 3.0])


def lift_plainly(rule, log: ClickLog, levels: np.ndarray) -> tuple[int, float, float]:
    """Return pairs, agree and expected, page by page and pair by pair."""
    apart, first, own, agreeing = {}, {}, {}, 0
    for page in range(len(log)):
        chosen = rule.pairs(log.clicked[[page]], log.shown[[page]])[0]
        for a in range(log.depth):
            for b in range(log.depth):
                if min(log.item[page, a], log.item[page, b]) < 0:
                    continue
                one, other = levels[log.item[page, a]], levels[log.item[page, b]]
                if np.isnan(one) or np.isnan(other) or one == other:
                    continue
                apart[a, b] = apart.get((a, b), 0) + 1
                first[a, b] = first.get((a, b), 0) + (one > other)
                if chosen[a, b]:
                    own[a, b] = own.get((a, b), 0) + 1
                    agreeing += one > other
    pairs = sum(own.values())
    chance = sum(n * first[place] / apart[place] for place, n in own.items())
    return pairs, agreeing / pairs, chance / pairs


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("block", [7, 10_000])
def test_it_is_what_plain_python_says(rule, block, monkeypatch):
    monkeypatch.setattr(click_lift_module, "BLOCK", block)
    log = draw_log("PBM", 120)
    row = click_lift([rule], log, Worths(LEVELS)).iloc[0]
    pairs, agree, expected = lift_plainly(rule, log, LEVELS)
    assert (row["pairs"], row["agree"]) == (pairs, pytest.approx(agree))
    assert row["expected"] == pytest.approx(expected)
    assert row["lift"] == pytest.approx(agree / expected)
    assert row["low"] < row["lift"] < row["high"]
    assert row["high"] <= 1 / row["expected"] + 1e-9
    assert row["ties"] > 0
    assert row["unjudged"] > 0


@long
def test_clicks_that_know_nothing_of_documents_have_no_lift():
    """Of many simulated logs, the limits leave out 1 about one time in twenty."""
    rng, outside, lifts = np.random.default_rng(3), 0, []
    for _ in range(100):
        item = deal(300, rng)
        clicked = (rng.random(item.shape) < [0.5, 0.3, 0.2, 0.15]) & (item >= 0)
        row = click_lift(ABOVE, make_log(item, clicked), Worths(WORTH)).iloc[0]
        outside += not row["low"] <= 1 <= row["high"]
        lifts.append(row["lift"])
    assert outside <= 11
    assert np.mean(lifts) == pytest.approx(1, abs=0.02)


def test_rankings_that_put_the_best_first_do_not_make_lift():
    """A raw share below one half, and yet users tell nothing: position explains it."""
    rng = np.random.default_rng(4)
    item = np.sort(deal(4000, rng).astype(float), axis=1)[:, ::-1].astype(np.int32)
    clicked = (rng.random(item.shape) < 0.3) & (item >= 0)
    row = click_lift(ABOVE, make_log(item, clicked), Worths(np.arange(6.0))).iloc[0]
    assert row["agree"] < 0.05
    assert row["reason"] == NO_CHANCE or row["low"] <= 1 <= row["high"]


def test_attractive_results_have_lift():
    row = click_lift(ABOVE, draw_log("PBM", 2000), Worths(WORTH)).iloc[0]
    assert row["low"] > 1


def test_preferences_say_what_levels_do_where_they_are_of_all_pairs():
    log = draw_log("PBM", 200)
    first, second = (one.ravel() for one in np.triu_indices(6, 1))
    both = SideBySide(first, second, np.sign(WORTH[first] - WORTH[second]), 6)
    told = click_lift(RULES, log, both)
    wanted = click_lift(RULES, log, Worths(WORTH))
    assert told.drop(columns="reason").equals(wanted.drop(columns="reason"))


def test_several_preferences_of_a_pair_add_up_either_way_round():
    item = np.array([[0, 1, -1]])
    said = SideBySide(np.array([0, 1, 1]), np.array([1, 0, 0]), np.array([1.0, 1.0, 1.0]), 6)
    found = said.compare(item)[0]
    assert (found[0, 1], found[1, 0]) == (-1, 1)
    assert np.isnan(found[0, 2])
    none = SideBySide(np.empty(0, int), np.empty(0, int), np.empty(0), 6)
    assert np.isnan(none.compare(item)).all()


def test_why_there_is_no_lift():
    item = np.array([[0, 5], [0, 5]])
    none = make_log(item, np.zeros((2, 2)), [0, 1])
    assert click_lift(ABOVE, none, Worths(WORTH))["reason"].tolist() == [NO_PAIR]
    never = make_log(item[:, ::-1], np.array([[0, 1], [0, 1]]), [0, 1])
    assert click_lift(ABOVE, never, Worths(WORTH))["reason"].tolist() == [NO_CHANCE]
    one = make_log(item, np.array([[0, 1], [0, 0]]), [0, 0])
    row = click_lift(ABOVE, one, Worths(WORTH)).iloc[0]
    assert (row["reason"], row["lift"]) == (FEW, 1)


def test_limits_have_width_where_all_agree():
    item = np.array([[0, 5], [0, 5], [5, 0]])
    clicked = np.array([[0, 1], [0, 1], [0, 0]])
    row = click_lift(ABOVE, make_log(item, clicked, [0, 1, 2]), Worths(WORTH))
    assert row["agree"].item() == 1
    assert row["low"].item() < row["high"].item() == pytest.approx(1.5)
