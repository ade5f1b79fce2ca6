"""Which pairs get how many votes within a budget, and what win shares come of it.

An item is a pair of systems on a topic. Rules are tried on votes that are all known: each draws
from them without replacement, so that what it comes to can be set beside the shares by all votes.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.agreement.intervals import Floats
from core.agreement.ratings import Codes
from core.errors import BadInput
from core.planning.learning import SHARE


@dataclass(frozen=True)
class Votes:
    """Votes on pairs of systems, topic by topic.

    Parameters
    ----------
    value : array, shape (n_votes,)
        1 for the first system of the pair, 0 for the second, a half for a tie.
    item : array of int, shape (n_votes,)
        The pair on a topic that each vote is of, from 0; sorted.
    first, second : array of int, shape (n_items,)
        Codes of the systems of each item.
    systems : int
        How many systems there are.
    """

    value: Floats
    item: Codes
    first: Codes
    second: Codes
    systems: int

    @cached_property
    def counts(self) -> Codes:
        """How many votes each item has, shape (n_items,)."""
        return np.bincount(self.item).astype(np.int64)

    @cached_property
    def starts(self) -> Codes:
        """Where the votes of each item begin."""
        found: Codes = np.cumsum(self.counts) - self.counts
        return found

    @cached_property
    def means(self) -> Floats:
        """The share of all votes of each item that is for the first system."""
        found: Floats = np.bincount(self.item, self.value) / self.counts
        return found

    @cached_property
    def pair(self) -> Codes:
        """The pair of systems of each item, as a code from 0."""
        found: Codes = np.unique(self.first * self.systems + self.second, return_inverse=True)[1]
        return found

    @cached_property
    def pairs(self) -> tuple[Codes, Codes]:
        """The first and the second system of each pair of systems."""
        found = np.unique(self.first * self.systems + self.second)
        first, second = np.divmod(found, self.systems)
        return first.astype(np.int64), second.astype(np.int64)

    @cached_property
    def shares(self) -> Floats:
        """The win share of each system by all votes: each item weighs as much as another."""
        return self.share(self.means, np.ones(len(self.counts)))

    def share(self, gained: Floats, weight: Floats) -> Floats:
        """Return win shares of systems.

        Parameters
        ----------
        gained : array, shape (..., n_items)
            The share of the first system of each item.
        weight : array, shape (..., n_items)
            What each item weighs; 0 for one without votes, whose share is not looked at.

        Returns
        -------
        array, shape (..., n_systems)
            NaN for a system without a vote.
        """
        return share_systems(gained, weight, self.first, self.second, self.systems)

    def shuffle(self, draws: int, rng: np.random.Generator) -> Floats:
        """Return votes with those of each item in random order, shape (draws, n_votes)."""
        order = np.argsort(self.item + rng.random((draws, len(self.item))), axis=1)
        return self.value[order]


def share_systems(
    gained: Floats, weight: Floats, first: Codes, second: Codes, systems: int
) -> Floats:
    """Return win shares of systems from the shares of pairs; see `Votes.share`."""
    places = np.arange(systems)
    of_first = (first[:, np.newaxis] == places).astype(np.float64)
    of_second = (second[:, np.newaxis] == places).astype(np.float64)
    known = np.where(weight > 0, gained, 0.0)
    won = (known * weight) @ of_first + ((1 - known) * weight) @ of_second
    played = weight @ (of_first + of_second)
    found: Floats = np.divide(won, played, out=np.full(won.shape, np.nan), where=played > 0)
    return found


Drawn = tuple[Floats, Codes]
"""Win shares of systems, shape (draws, n_systems), and how many votes were asked, (draws,)."""


class VoteRule(ABC):
    """A way to spend a budget of votes."""

    @property
    def is_unbiased(self) -> bool:
        """Whether win shares are right on average, whatever the votes say."""
        return True

    @property
    @abstractmethod
    def title(self) -> str:
        """What it is called."""

    @abstractmethod
    def can_be(self, votes: Votes, budget: int) -> bool:
        """Return whether it can be tried on votes within a budget."""

    @abstractmethod
    def draw(self, votes: Votes, budget: int, draws: int, rng: np.random.Generator) -> Drawn:
        """Spend the budget on random items, as often as ``draws`` says."""


@dataclass(frozen=True)
class SameNumber(VoteRule):
    """As many votes on every pair that is asked about, for as long as the budget lasts."""

    votes: int

    @property
    def title(self) -> str:
        """What it is called."""
        return f"{self.votes} vote{'' if self.votes == 1 else 's'} a pair"

    def can_be(self, votes: Votes, budget: int) -> bool:
        """Return whether enough of the pairs have as many votes."""
        return _have(votes, self.votes)

    def draw(self, votes: Votes, budget: int, draws: int, rng: np.random.Generator) -> Drawn:
        """Ask about items in random order, those at the end perhaps with fewer votes."""
        wanted = np.minimum(self.votes, votes.counts)
        given = votes.shuffle(draws, rng)
        asked = _spend(np.broadcast_to(wanted, (draws, len(wanted))), budget, rng)
        gained = _mean_of_first(votes, given, asked)
        return votes.share(gained, (asked > 0).astype(np.float64)), asked.sum(axis=1)


@dataclass(frozen=True)
class ThirdWhereTwoDiffer(VoteRule):
    """Two votes on every pair that is asked about, and a third where the two differ.

    What is asked depends on what was answered, and votes are not reweighted: win shares are
    biased. It is here to be seen beside the others.

    Parameters
    ----------
    is_pooled : bool
        Whether every vote weighs as much as another; without it, every pair.
    """

    is_pooled: bool = False

    @property
    def title(self) -> str:
        """What it is called."""
        return "a third vote where two differ" + (", pooled" if self.is_pooled else "")

    @property
    def is_unbiased(self) -> bool:
        """It is not: what is asked depends on what was answered."""
        return False

    def can_be(self, votes: Votes, budget: int) -> bool:
        """Return whether enough of the pairs have three votes."""
        return _have(votes, 3)

    def draw(self, votes: Votes, budget: int, draws: int, rng: np.random.Generator) -> Drawn:
        """Ask about items in random order."""
        given = votes.shuffle(draws, rng)
        second = given[:, np.minimum(votes.starts + 1, len(votes.value) - 1)]
        differ = (votes.counts > 2) & (given[:, votes.starts] != second)
        asked = _spend(np.minimum(2, votes.counts) + differ, budget, rng)
        weight = asked if self.is_pooled else asked > 0
        gained = _mean_of_first(votes, given, asked)
        return votes.share(gained, weight.astype(np.float64)), asked.sum(axis=1)


def _have(votes: Votes, number: int) -> bool:
    return bool(number == 1 or (votes.counts >= number).mean() >= SHARE)


def _spend(wanted: npt.NDArray[np.int64], budget: int, rng: np.random.Generator) -> Codes:
    """Return how many votes each item gets, items in random order until nothing is left."""
    order = np.argsort(rng.random(wanted.shape), axis=1)
    in_order = np.take_along_axis(wanted, order, axis=1)
    before = np.cumsum(in_order, axis=1) - in_order
    got = np.clip(budget - before, 0, in_order)
    asked: Codes = np.empty_like(got)
    np.put_along_axis(asked, order, got, axis=1)
    return asked


def _mean_of_first(votes: Votes, given: Floats, asked: Codes) -> Floats:
    """Return the mean of the first votes of each item, as many as were asked; NaN of none."""
    sums = np.zeros((len(given), given.shape[1] + 1))
    np.cumsum(given, axis=1, out=sums[:, 1:])
    ends = np.take_along_axis(sums, votes.starts + asked, axis=1)
    total = ends - sums[:, votes.starts]
    found: Floats = np.divide(total, asked, out=np.full(total.shape, np.nan), where=asked > 0)
    return found


@dataclass(frozen=True)
class CloseSystems(VoteRule):
    """Half of the budget evenly over pairs of systems; then more where systems are close.

    One vote on each item. In the first batch every pair of systems gets as many items, drawn at
    random. In the second half of its share goes on so, and half goes to pairs of systems whose win
    shares in the first batch are close. Which items these are is drawn at random, whatever was
    answered on single items.

    Each batch estimates the share of every pair of systems without bias, whatever the first came
    to: what the second draws stands for all items that the first left (Des Raj's estimator). The
    two are weighed by variances as they were planned, which no answer changes. Pairs of systems
    weigh as many items as they have, however many were asked. So win shares are unbiased.

    Parameters
    ----------
    is_pooled : bool
        Whether votes of both batches count alike: then shares are biased, if little.

    References
    ----------
    Des Raj (1956), JASA 51(274), doi:10.1080/01621459.1956.10501326.
    """

    is_pooled: bool = False

    @property
    def title(self) -> str:
        """What it is called."""
        return "close systems get more" + (", pooled" if self.is_pooled else "")

    @property
    def is_unbiased(self) -> bool:
        """Whether batches are reweighted."""
        return not self.is_pooled

    def can_be(self, votes: Votes, budget: int) -> bool:
        """Return whether both batches have a vote on every pair of systems."""
        return 2 * len(votes.pairs[0]) <= budget <= len(votes.pair)

    def draw(self, votes: Votes, budget: int, draws: int, rng: np.random.Generator) -> Drawn:
        """Ask one vote on each item that is drawn; the budget is no larger than there are items."""
        sizes = np.bincount(votes.pair)
        first, planned = plan_batches(sizes, budget)
        one_each = votes.shuffle(draws, rng)[:, votes.starts]
        order = np.argsort(votes.pair + rng.random((draws, len(votes.pair))), axis=1)
        # Items of a pair of systems stand together, in random order: shape (draws, n_items).
        sums = np.zeros((draws, len(votes.pair) + 1))
        np.cumsum(np.take_along_axis(one_each, order, axis=1), axis=1, out=sums[:, 1:])
        starts = np.cumsum(sizes) - sizes
        begun = (sums[:, starts + first] - sums[:, starts]) / first
        gaps = find_gaps(votes, begun, sizes)
        left = budget - int(first.sum())
        second = np.array([share_out(left, one, sizes - first) for one in weigh_close(gaps, first)])
        ends = np.take_along_axis(sums, starts + first + second, axis=1)
        later = (ends - sums[:, starts + first]) / np.maximum(second, 1)
        if self.is_pooled:
            estimate = (begun * first + later * second) / (first + second)
        else:
            estimate = combine_batches(begun, later, sizes, first, planned)
        weight = np.broadcast_to(sizes.astype(np.float64), estimate.shape)
        shares = share_systems(estimate, weight, *votes.pairs, votes.systems)
        return shares, first.sum() + second.sum(axis=1)


def plan_batches(sizes: Codes, budget: int) -> tuple[Codes, Codes]:
    """Return how many items of each pair of systems the first batch has, and the second if even.

    Parameters
    ----------
    sizes : array of int, shape (n_pairs,)
        How many items each pair of systems has.
    budget : int
        Votes in all.

    Raises
    ------
    BadInput
        There are fewer than two votes for each pair of systems, or more than items.
    """
    if budget < 2 * len(sizes):
        raise BadInput(
            f"{len(sizes):,} pairs of systems need {2 * len(sizes):,} votes at least, one of each "
            "in both batches",
            field="budget",
        )
    if budget > sizes.sum():
        raise BadInput(f"there are {int(sizes.sum()):,} pairs to vote on only", field="budget")
    even = np.ones(len(sizes))
    first = share_out(budget // 2, even, sizes)
    return first, share_out(budget - int(first.sum()), even, sizes - first)


def find_gaps(votes: Votes, of_pair: Floats, sizes: Codes) -> Floats:
    """Return how far apart the win shares of each pair of systems are, shape (draws, n_pairs)."""
    weight = np.broadcast_to(sizes.astype(np.float64), of_pair.shape)
    one, other = votes.pairs
    shares = share_systems(of_pair, weight, one, other, votes.systems)
    return np.abs(shares[..., one] - shares[..., other])


def weigh_close(gaps: Floats, votes: Codes) -> Floats:
    """Return what each pair of systems weighs when more votes are shared out.

    Half is the same for all; half falls with the distance of the two, as the density of a normal
    distribution does whose deviation is the standard error of a difference by that many votes.

    Parameters
    ----------
    gaps : array, shape (..., n_pairs)
        How far apart win shares are.
    votes : array of int, shape (n_pairs,)
        That they rest on.
    """
    pairs = gaps.shape[-1]
    systems = (1 + np.sqrt(1 + 8 * pairs)) / 2
    error = np.sqrt(systems / (systems - 1) ** 2 / 2 / np.mean(votes))
    near = np.exp(-((gaps / error) ** 2) / 2)
    total = near.sum(axis=-1, keepdims=True)
    own = np.divide(near, total, out=np.full(near.shape, 1 / pairs), where=total > 0)
    weight: Floats = 0.5 / pairs + 0.5 * own
    return weight


def share_out(number: int, weight: Floats, most: Codes) -> Codes:
    """Return whole numbers in proportion to weights, none above ``most``.

    Where something is left at all, each gets one at least, if the number suffices.
    """
    got = np.minimum(most, 1 if number >= np.count_nonzero(most) else 0).astype(np.int64)
    while (left := number - int(got.sum())) > 0 and (got < most).any():
        # What weighs nothing gets something once nothing else can have more.
        own = np.where(got < most, weight + _HARDLY, 0.0)
        more = np.maximum(own / own.sum() * number - got, 0.0)
        more = more / more.sum() * left if more.sum() > 0 else own / own.sum() * left
        whole = np.minimum(np.floor(more + 1e-9).astype(np.int64), most - got)
        if not whole.any():
            place = np.argsort(-np.where(got < most, more, -1.0), kind="stable")[:left]
            whole = np.zeros_like(got)
            whole[place] = 1
            whole = np.minimum(whole, most - got)
        got = got + whole
    return got


_HARDLY = 1e-12


def combine_batches(
    begun: Floats, later: Floats, sizes: Codes, first: Codes, planned: Codes
) -> Floats:
    """Return the share of each pair of systems from two batches, without bias.

    Parameters
    ----------
    begun, later : array, shape (..., n_pairs)
        The share of the first system in the first batch, and in the second.
    sizes, first : array of int, shape (n_pairs,)
        How many items there are, and how many the first batch had.
    planned : array of int, shape (n_pairs,)
        How many the second batch has where it goes on evenly: by these the two are weighed.
    """
    left = sizes - first
    stands = (first * begun + left * later) / sizes
    of_first = (1 - first / sizes) / first
    rest = np.maximum(left, 1) / sizes
    share = planned / np.maximum(left, 1)
    of_second = np.where(planned > 0, rest**2 * (1 - share) / np.maximum(planned, 1), np.inf)
    own = np.divide(of_first, of_first + of_second, out=np.ones_like(rest), where=left > 0)
    own = np.where(planned > 0, own, 0.0)
    found: Floats = begun + own * (stands - begun)
    return found
