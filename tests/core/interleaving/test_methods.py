"""What lists each method makes, how probably, and whom it credits."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from core.errors import BadInput
from core.interleaving.base import (
    FIRST,
    METHODS,
    SECOND,
    Method,
    Mixed,
    bias_of_random_clicks,
    parse_method,
)
from core.interleaving.pairs import RankingPair, pair_documents
from tests.core.interleaving.rankings import ROTATED, SMALL, spell
from tests.each import each
from tests.short import few

EXAMPLES = [text for entry in METHODS for text in entry.examples]
every_method = pytest.mark.parametrize("text", EXAMPLES)
every_pair = pytest.mark.parametrize("pair", SMALL.values(), ids=SMALL)

Lists = dict[tuple[str, str], Fraction | float]


def _draft(pair: RankingPair, coins: tuple[int, ...], length: int) -> tuple[str, str]:
    """Interleave as the algorithm is printed, the coin of each round being given."""
    first, second = ([pair.documents[at] for at in one] for one in (pair.first, pair.second))
    shown: list[str] = []
    teams: list[int] = []
    tossed = iter(coins)
    while (
        len(shown) < length
        and any(one not in shown for one in first)
        and any(one not in shown for one in second)
    ):
        of_first, of_second = teams.count(FIRST), teams.count(SECOND)
        if of_first < of_second or (of_first == of_second and next(tossed) == 1):
            shown.append(next(one for one in first if one not in shown))
            teams.append(FIRST)
        else:
            shown.append(next(one for one in second if one not in shown))
            teams.append(SECOND)
    return "".join(shown), "".join(map(str, teams))


def _balance(pair: RankingPair, first_leads: bool, length: int) -> tuple[str, str]:
    first, second = ([pair.documents[at] for at in one] for one in (pair.first, pair.second))
    shown: list[str] = []
    a = b = 0
    while len(shown) < length and a < len(first) and b < len(second):
        if a < b or (a == b and first_leads):
            if first[a] not in shown:
                shown.append(first[a])
            a += 1
        else:
            if second[b] not in shown:
                shown.append(second[b])
            b += 1
    return "".join(shown), ""


def _softmax(pair: RankingPair, tau: float, length: int) -> Lists:
    """Follow every coin and every draw, renormalising what is left each time."""
    lists: Lists = {("", ""): 1.0}
    for _ in range(length):
        grown: Counter = Counter()
        for (shown, teams), chance in lists.items():
            left = [
                {
                    pair.documents[at]: (rank + 1) ** -tau
                    for rank, at in enumerate(ranking)
                    if pair.documents[at] not in shown
                }
                for ranking in (pair.first, pair.second)
            ]
            if len(shown) == min(len(pair.first), len(pair.second)):
                grown[shown, teams] += chance
                continue
            for side in (FIRST, SECOND):
                for one, weight in left[side].items():
                    share = weight / sum(left[side].values()) / 2
                    grown[shown + one, teams + str(side)] += chance * share
        lists = dict(grown)
    return lists


def enumerate_lists(method: Method, pair: RankingPair, length: int) -> Lists:
    """Return the probability of each list by going through all coins, independently."""
    if method.name == "probabilistic":
        return _softmax(pair, method.tau, length)
    found: Counter = Counter()
    if method.name == "balanced":
        for leads in (True, False):
            found[_balance(pair, leads, length)] += Fraction(1, 2)
        return found
    for coins in product((0, 1), repeat=length):
        found[_draft(pair, coins, length)] += Fraction(1, 2**length)
    return found


def _name(pair: RankingPair, mixed: Mixed) -> list[tuple[str, str]]:
    rows = zip(mixed.document.tolist(), mixed.team.tolist(), strict=True)
    return [
        (spell(pair, shown), "".join(str(one) for one in teams if one >= 0))
        for shown, teams in rows
    ]


@every_method
@every_pair
@pytest.mark.parametrize("length", few([5, 3, 2, 1]))
def test_probabilities_equal_enumeration(text: str, pair: RankingPair, length: int):
    method = parse_method(text)
    mixed, chance = method.distribution(pair, length)
    found = dict(zip(_name(pair, mixed), chance.tolist(), strict=True))
    expected = enumerate_lists(method, pair, length)
    assert len(found) == len(mixed)
    assert found == pytest.approx({name: float(one) for name, one in expected.items()})
    assert chance.sum() == pytest.approx(1)


@every_method
@every_pair
def test_what_is_drawn_has_these_probabilities(text: str, pair: RankingPair):
    method, number = parse_method(text), 40_000
    mixed, chance = method.distribution(pair, 4)
    drawn = Counter(_name(pair, method.mix(pair, np.random.default_rng(5), 4, number)))
    names = _name(pair, mixed)
    assert drawn.keys() <= set(names)
    counts = np.array([drawn[name] for name in names])
    often = chance * number >= 5
    observed = [*counts[often], counts[~often].sum()]
    expected = [*chance[often] * number, chance[~often].sum() * number]
    if len(names) > 1:
        kept = np.array(expected) > 0
        assert chisquare(np.array(observed)[kept], np.array(expected)[kept]).pvalue > 1e-4


@every_method
def test_the_same_seed_gives_the_same_lists(text: str):
    pair, method = SMALL["partly others"], parse_method(text)
    one, other = (method.mix(pair, np.random.default_rng(2), 3, 50) for _ in range(2))
    assert (one.document == other.document).all()


@every_method
def test_documents_are_shown_once_and_of_long_rankings_too(text: str):
    rng = np.random.default_rng(0)
    names = [f"d{at:03}" for at in range(300)]
    pair = pair_documents("t", names, [names[at] for at in rng.permutation(300)][:200])
    mixed = parse_method(text).mix(pair, rng, 10, 500)
    assert (mixed.document >= 0).all()
    assert all(len(set(row)) == 10 for row in mixed.document.tolist())


@every_method
@every_pair
def test_exchanging_the_rankings_exchanges_credit(text: str, pair: RankingPair):
    method = parse_method(text)
    mixed, _ = method.distribution(pair, 3)
    swapped = RankingPair(pair.topic, pair.documents, pair.second, pair.first)
    other = Mixed(mixed.document, np.where(mixed.team < 0, -1, 1 - mixed.team).astype(np.int8))
    clicked = np.random.default_rng(1).random(mixed.document.shape) < 0.5
    clicked &= mixed.document >= 0
    for judge in (Method.credit, Method.wins):
        of_pair = getattr(method, judge.__name__)(pair, mixed, clicked)
        of_swapped = getattr(method, judge.__name__)(swapped, other, clicked)
        assert of_pair == pytest.approx(of_swapped[:, ::-1])


@every_method
@every_pair
def test_who_wins_is_a_probability_and_without_clicks_nobody(text: str, pair: RankingPair):
    method = parse_method(text)
    mixed, _ = method.distribution(pair, 3)
    shown = mixed.document >= 0
    for clicked in (shown, shown & (np.arange(3) == 1)):
        won = method.wins(pair, mixed, clicked)
        assert won.shape == (len(mixed), 2)
        assert (won >= 0).all()
        assert (won.sum(axis=1) <= 1 + 1e-12).all()
        assert (method.credit(pair, mixed, clicked) >= 0).all()
    assert not method.wins(pair, mixed, np.zeros_like(shown)).any()
    assert not method.credit(pair, mixed, np.zeros_like(shown)).any()


@every_method
def test_rankings_that_are_alike_win_alike(text: str):
    pair, method = SMALL["alike"], parse_method(text)
    mixed, chance = method.distribution(pair, 3)
    for clicks in product((False, True), repeat=3):
        clicked = np.broadcast_to(np.array(clicks), mixed.document.shape)
        won = chance @ method.wins(pair, mixed, clicked)
        assert won[0] == pytest.approx(won[1])


@pytest.mark.parametrize("text", [one for one in EXAMPLES if parse_method(one).is_fair])
@every_pair
@pytest.mark.parametrize("length", few([4, 3, 2, 1]))
def test_clicks_at_random_favour_nobody_where_the_method_says_so(
    text: str, pair: RankingPair, length: int
):
    """Whatever ranks are clicked, on average over the lists neither ranking wins more."""
    method = parse_method(text)
    mixed, chance = method.distribution(pair, length)
    for clicks in product((False, True), repeat=length):
        clicked = np.array(clicks) & (mixed.document >= 0)
        won = chance @ method.wins(pair, mixed, clicked)
        assert won[0] == pytest.approx(won[1])
    assert bias_of_random_clicks(method, pair, length) == 0


def test_balanced_interleaving_favours_a_rotated_ranking():
    """Of a b c and b c a the second is preferred in two of three cases; team-draft is fair."""
    balanced = parse_method("balanced")
    mixed, chance = balanced.distribution(ROTATED, 3)
    assert sorted(_name(ROTATED, mixed)) == [("abc", ""), ("bac", "")]
    won = np.zeros(2)
    for document in range(3):
        won += chance @ balanced.wins(ROTATED, mixed, mixed.document == document) / 3
    assert won == pytest.approx([1 / 3, 2 / 3])
    assert bias_of_random_clicks(balanced, ROTATED, 3) == pytest.approx(-1 / 6)
    assert bias_of_random_clicks(balanced, SMALL["one is empty"], 3) == 0
    assert not balanced.is_fair


def test_balanced_credit_goes_down_to_the_rank_that_explains_the_lowest_click():
    pair = pair_documents("t", list("abcdef"), list("bcaxyz"))
    shown = pair.find(list("abcdx"))[np.newaxis]
    mixed = Mixed(shown, np.full_like(shown, -1, dtype=np.int8))
    balanced = parse_method("balanced")
    # c is the lowest click, at rank 2 of the second: a b against b c.
    clicked = np.array([[True, False, True, False, False]])
    assert balanced.credit(pair, mixed, clicked).tolist() == [[1, 1]]
    clicked = np.array([[False, True, True, False, False]])
    assert balanced.credit(pair, mixed, clicked).tolist() == [[1, 2]]
    assert balanced.wins(pair, mixed, clicked).tolist() == [[0, 1]]


def test_team_draft_credits_teams_and_nobody_else():
    pair = SMALL["partly others"]
    mixed = Mixed(np.array([[0, 1, 2]]), np.array([[0, 1, -1]], dtype=np.int8))
    credit = parse_method("team-draft").credit(pair, mixed, np.array([[True, True, True]]))
    assert credit.tolist() == [[1, 1]]


@pytest.mark.parametrize("tau", [1.0, 3.0])
@every_pair
def test_probabilistic_wins_average_over_all_assignments(tau: float, pair: RankingPair):
    """By Bayes' rule from the probability of each list with its teams, as enumerated."""
    method = parse_method(f"probabilistic(tau={tau})")
    length = 3
    lists = enumerate_lists(method, pair, length)
    clicks = (True, False, True)
    by_list: dict[str, list[float]] = {}
    for (shown, teams), chance in lists.items():
        counts = [
            sum(team == str(side) for team, is_clicked in zip(teams, clicks, strict=False)
                if is_clicked)
            for side in (FIRST, SECOND)
        ]  # fmt: skip
        whole = by_list.setdefault(shown, [0.0] * 5)
        whole[0] += chance
        whole[1] += chance * (counts[0] > counts[1])
        whole[2] += chance * (counts[1] > counts[0])
        whole[3] += chance * counts[0]
        whole[4] += chance * counts[1]
    for shown, (whole, *sums) in by_list.items():
        document = np.full((1, length), -1)
        document[0, : len(shown)] = pair.find(list(shown))
        mixed = Mixed(document, np.full((1, length), -1, dtype=np.int8))
        clicked = np.array([clicks]) & (document >= 0)
        got = [*method.wins(pair, mixed, clicked)[0], *method.credit(pair, mixed, clicked)[0]]
        assert got == pytest.approx([one / whole for one in sums])


def test_softmax_draws_stay_within_what_is_left_at_the_end_of_the_rounding():
    """With one document left far down, a point at the very end still draws it."""
    method = parse_method("probabilistic(tau=10)")
    pair = pair_documents("t", list("abcdefgh"), list("abcdefgh"))
    shown = np.array([pair.find(list("abcdefg"))] * 2)
    drawn = method._draw(pair, FIRST, shown, np.array([0.0, np.nextafter(1, 0)]))
    assert drawn.tolist() == pair.find(["h", "h"]).tolist()
    others = np.array([pair.find(list("bcdefgh"))])
    assert method._draw(pair, FIRST, others, np.array([np.nextafter(1, 0)])).tolist() == [0]


@every_method
def test_a_method_prints_and_parses(text: str):
    assert str(parse_method(text)) == text


@each("text", ["probabilistic(tau=0)", "probabilistic(tau=11)", "no"])
def test_what_is_no_method_is_refused(text: str):
    with pytest.raises(BadInput, match=r"tau is above 0|known are balanced"):
        parse_method(text)


def test_only_team_draft_needs_teams():
    assert [one for one in EXAMPLES if parse_method(one).needs_teams] == ["team-draft"]
