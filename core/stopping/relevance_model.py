"""How probable it is that an item is relevant, by its ranks and by what has been judged.

A logistic regression with effects of topics and of runs. Which items have been judged may depend
on ranks and on earlier labels: the likelihood of the labels given the ranks stays the same, so
that the order of judging need not be known, as long as the model is right.
"""

from dataclasses import dataclass

import numpy as np

from core.orders.candidates import Candidates, Floats, Integers

_HELD, _BY_LOGARITHM, _BY_RANK = 0.4, 0.9, 0.6
"""What a run says for an item that it holds at all, and how much more where that is at the top: by
the logarithm of the rank, and by the rank itself."""

_SHARED = 0.3
"""An item of n runs has the sum of their parts divided by n to this power: between sum and mean."""

SLOPES = 2
"""The first columns, the constant and the fused rank, mean something else in each topic."""


@dataclass(frozen=True, eq=False)
class DescribedItems:
    """The columns that describe each item of a pool.

    Parameters
    ----------
    ranks : array, shape (n_items, 5)
        1; the logarithm of the fused rank, that of how many runs hold the item, the square of the
        first, and the logarithm of the best rank; all but the first with mean 0 and deviation 1.
    runs : array, shape (n_items, n_systems)
        How much each run says for the item: 0 where it does not hold it, else more the higher.
    """

    ranks: Floats
    runs: Floats


def describe_items(candidates: Candidates) -> DescribedItems:
    """Return the columns that describe each item of a pool by its ranks."""
    rank = candidates.rank.astype(np.float64)
    is_held, systems = rank > 0, rank.shape[1]
    deepest = np.log(rank.max(initial=1) + 1)
    height = np.where(is_held, 1 - np.log(np.maximum(rank, 1)) / deepest, 0.0)
    holders = np.maximum(is_held.sum(axis=1), 1)
    fused = np.log(height.mean(axis=1) + 0.5 / systems)
    columns = np.column_stack(
        [fused, np.log(holders / systems), fused**2, np.log(candidates.best_rank) / deepest]
    )
    columns = columns - columns.mean(axis=0)
    columns /= columns.std(axis=0) + 1e-9  # a column that is the same everywhere stays 0
    down = rank / max(rank.max(initial=1), 1.0)
    prior = np.where(is_held, _HELD + _BY_LOGARITHM * height + _BY_RANK * (1 - down), 0.0)
    return DescribedItems(
        np.column_stack([np.ones(len(rank)), columns]),
        prior / holders[:, np.newaxis] ** _SHARED,
    )


_ROUNDS = 15
"""How often the variances of the effects are estimated anew."""

_OF_CONSTANT, _OF_COLUMN = 0.05, 0.25
"""The prior precision of the constant and of each other column's effect."""

_START = 0.5
"""What the variance of every effect begins with."""

_LONGEST_STEP = 3.0
"""How far an effect moves at once, in log odds."""

_BLOCK = 2**17, 16
"""How many products a block of rows takes at most, and how many rows it has at least. OpenBLAS
multiplies matrices of twice this by several threads, which on a busy machine wait for each other
for far longer than the product takes."""

_BOUNDS = 0.01, 20.0
"""Between what the variance of an effect lies."""


@dataclass(frozen=True)
class _Prior:
    """A variance as so many effects that have been seen with it."""

    effects: float
    variance: float

    def estimate(self, squares: Floats, left: Floats, effects: int, before: Floats) -> Floats:
        """Return a variance by MacKay's fixed point, which is far quicker than EM.

        Parameters
        ----------
        squares, left : array
            The squares of the effects and what is not known of them (posterior variances), each
            summed over so many effects.
        effects : int
            How many.
        before : array
            The variance so far.
        """
        variance = np.maximum(effects - left / before, 0.0)
        estimated = (squares + self.effects * self.variance) / (variance + self.effects)
        bounded: Floats = np.clip(estimated, *_BOUNDS)
        return bounded


_SLOPE, _RUN_IN_TOPIC, _RUN = _Prior(2, 0.5), _Prior(6, 4.0), _Prior(4, 3.0)


@dataclass(frozen=True, eq=False)
class _Spread:
    """The variances of the effects: of the slopes in topics, of runs in topics, of runs."""

    slopes: Floats
    run_in_topic: Floats
    run: Floats


@dataclass(frozen=True, eq=False)
class _Rows:
    """The judged items: their columns, whether each is relevant, and which topic each is of.

    ``blocks`` are a topic and where so many of its items lie.
    """

    columns: Floats
    relevant: Floats
    topic: Integers
    blocks: list[tuple[int, slice]]


@dataclass(frozen=True, eq=False)
class Curvature:
    """What Newton's method knows of the topics' own effects, given the common ones.

    Parameters
    ----------
    inverse : array, shape (n_topics, n_own, n_own)
        The inverse of the lower Cholesky root of the precision of each topic's own effects.
    coupling : array, shape (n_topics, n_own, n_common)
        How they follow the common ones, times ``inverse``.
    pull : array, shape (n_topics, n_own)
        The gradient, times ``inverse``.
    """

    inverse: Floats
    coupling: Floats
    pull: Floats


@dataclass(frozen=True, eq=False)
class RelevanceModel:
    """A fitted model: the normal approximation of all its effects.

    Parameters
    ----------
    common : array, shape (n_common,)
        Effects in all topics: of the columns of ranks, then of the runs.
    own : array, shape (n_topics, n_own)
        Effects in each topic: of the constant and the fused rank, then of the runs.
    inverse : array, shape (n_common, n_common)
        The inverse of the lower Cholesky root of the precision of the common effects.
    curvature : Curvature
        What is known of the topics' own effects, given the common ones.
    """

    common: Floats
    own: Floats
    inverse: Floats
    curvature: Curvature

    def draw_effects(self, draws: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw all effects together.

        Returns
        -------
        common : array, shape (n_common, draws)
        own : array, shape (n_topics, n_own, draws)
        """
        moved = self.inverse.T @ rng.standard_normal((len(self.inverse), draws))
        free = rng.standard_normal((*self.own.shape, draws)) - self.curvature.coupling @ moved
        own = self.own[:, :, np.newaxis] + self.curvature.inverse.transpose(0, 2, 1) @ free
        return self.common[:, np.newaxis] + moved, own


def fit_relevance(
    candidates: Candidates, described: DescribedItems, relevant: Floats
) -> RelevanceModel:
    """Fit the model of relevance to what has been judged.

    Parameters
    ----------
    candidates : Candidates
        The pool.
    described : DescribedItems
        Its items' columns.
    relevant : array, shape (n_items,)
        1 relevant, 0 not relevant, NaN not judged.

    Returns
    -------
    RelevanceModel
        Without a label, what the prior says.

    Notes
    -----
    log odds = columns of ranks · β + Σ over runs of what each says · (its effect + its effect in
    this topic) + effects of the topic (constant and fused rank). Effects are normal. The fit is the
    Gaussian variational approximation: Newton's method with the expected share of relevant items
    in place of the one at the mode, so that rare relevant items do not bias it; variances by
    MacKay's fixed point, each with a weak prior. The expected logistic function of log odds with
    mean η and variance v is taken as that of η / √(1 + πv/8).

    References
    ----------
    Ormerod & Wand (2012), JCGS 21(1), doi:10.1198/jcgs.2011.09118; MacKay (1992), Neural
    Computation 4(3) and 4(5), doi:10.1162/neco.1992.4.3.415 and 10.1162/neco.1992.4.5.720.
    """
    rows = _split(candidates, described, relevant)
    ranks, runs = described.ranks.shape[1], described.runs.shape[1]
    spread = _Spread(np.full(SLOPES, _START), np.array(_START), np.array(_START))
    known = relevant[~np.isnan(relevant)]
    share = (known.sum() + 0.01) / (len(known) + 0.02)
    common = np.zeros(ranks + runs)
    common[0] = np.log(share / (1 - share))
    own = np.zeros((len(candidates.topics), SLOPES + runs))
    doubt = np.zeros(len(rows.relevant))
    for turn in range(_ROUNDS):
        for _ in range(2 if turn else 5):
            common, own, inverse, curvature = _step(rows, common, own, doubt, spread, ranks)
        spread, doubt = _reconsider(rows, common, own, inverse, curvature, spread)
    return RelevanceModel(common, own, inverse, curvature)


def columns_of(described: DescribedItems, items: Integers | slice) -> tuple[Floats, Floats]:
    """Return the columns of items that common effects weigh, and those of a topic's own."""
    ranks, runs = described.ranks[items], described.runs[items]
    return np.hstack([ranks, runs]), np.hstack([ranks[:, :SLOPES], runs])


def log_odds(described: DescribedItems, items: Integers, common: Floats, own: Floats) -> Floats:
    """Return the log odds that items of one topic are relevant, by drawn effects.

    Parameters
    ----------
    described : DescribedItems
        The columns of all items.
    items : array of int, shape (n_items,)
        Which of them.
    common : array, shape (n_common, draws)
        Effects in all topics.
    own : array, shape (n_own, draws)
        Effects in this one.

    Returns
    -------
    array, shape (n_items, draws)
    """
    columns, _ = columns_of(described, items)
    in_topic = common.copy()
    in_topic[_find_own(described.ranks.shape[1], described.runs.shape[1])] += own
    size = _find_size(in_topic.size)
    odds = np.empty((len(items), in_topic.shape[1]))
    for start in range(0, len(items), size):
        odds[start : start + size] = columns[start : start + size] @ in_topic
    return odds


def _find_size(products: int) -> int:
    """Return how many rows a block has, of so many products each."""
    most, least = _BLOCK
    return max(least, most // products)


def _split(candidates: Candidates, described: DescribedItems, relevant: Floats) -> _Rows:
    judged = np.flatnonzero(~np.isnan(relevant))
    topic = candidates.topic[judged].astype(np.int64)
    columns, _ = columns_of(described, judged)
    size = _find_size(columns.shape[1] ** 2)
    ends = np.searchsorted(topic, np.arange(len(candidates.topics) + 1))
    blocks = [
        (one, slice(start, min(start + size, ends[one + 1])))
        for one in range(len(candidates.topics))
        for start in range(ends[one], ends[one + 1], size)
    ]
    return _Rows(columns, relevant[judged], topic, blocks)


def _step(
    rows: _Rows,
    common: Floats,
    own: Floats,
    doubt: Floats,
    spread: _Spread,
    ranks: int,
) -> tuple[Floats, Floats, Floats, Curvature]:
    """Move all effects once by Newton's method; the topics' own ones are eliminated."""
    from scipy.special import expit

    runs = len(common) - ranks
    of_common = np.concatenate(
        [[_OF_CONSTANT], np.full(ranks - 1, _OF_COLUMN), np.full(runs, 1 / spread.run)]
    )
    of_own = np.concatenate([1 / spread.slopes, np.full(runs, 1 / spread.run_in_topic)])
    is_own = _find_own(ranks, runs)
    in_topic = np.tile(common, (len(own), 1))
    in_topic[:, is_own] += own
    odds = np.einsum("ij,ij->i", rows.columns, in_topic[rows.topic])
    shrunk = 1 / np.sqrt(1 + np.pi / 8 * doubt)
    expected = expit(odds * shrunk)
    weighted = rows.columns * (expected * (1 - expected) * shrunk)[:, np.newaxis]
    missed = rows.columns * (rows.relevant - expected)[:, np.newaxis]
    information = np.zeros((len(own), len(common), len(common)))
    slope = np.zeros((len(own), len(common)))
    for topic, place in rows.blocks:
        information[topic] += weighted[place].T @ rows.columns[place]
        slope[topic] += missed[place].sum(axis=0)
    by_own = information[:, is_own]
    inverse = _invert_root(by_own[:, :, is_own] + np.diag(of_own))
    coupling = inverse @ by_own
    pull = _times(inverse, slope[:, is_own] - of_own * own)
    coupled = coupling.transpose(0, 2, 1)
    of_all = _invert_root(np.diag(of_common) + (information - coupled @ coupling).sum(axis=0))
    gradient = (slope - _times(coupled, pull)).sum(axis=0) - of_common * common
    move = of_all.T @ (of_all @ gradient)
    length = min(1.0, _LONGEST_STEP / max(float(np.abs(move).max()), 1e-12))
    curvature = Curvature(inverse, coupling, pull)
    moved = _times(inverse.transpose(0, 2, 1), pull - coupling @ move)
    return common + length * move, own + length * moved, of_all, curvature


def _reconsider(
    rows: _Rows,
    common: Floats,
    own: Floats,
    inverse: Floats,
    curvature: Curvature,
    before: _Spread,
) -> tuple[_Spread, Floats]:
    """Return the variances of the effects, and that of each judged item's log odds."""
    topics, runs = own.shape[0], own.shape[1] - SLOPES
    is_own = _find_own(len(common) - runs, runs)
    by_common = inverse @ (curvature.coupling.transpose(0, 2, 1) @ curvature.inverse)
    left = (curvature.inverse**2).sum(axis=(0, 1)) + (by_common**2).sum(axis=(0, 1))
    doubt = np.empty(len(rows.relevant))
    for topic, place in rows.blocks:
        items, of_topic = rows.columns[place], rows.columns[place][:, is_own]
        free = of_topic @ curvature.inverse[topic].T
        bound = items @ inverse.T - of_topic @ by_common[topic].T
        doubt[place] = (free**2).sum(axis=1) + (bound**2).sum(axis=1)
    squares, of_runs = (own**2).sum(axis=0), (common[-runs:] ** 2).sum()
    spread = _Spread(
        _SLOPE.estimate(squares[:SLOPES], left[:SLOPES], topics, before.slopes),
        _RUN_IN_TOPIC.estimate(
            squares[SLOPES:].sum(), left[SLOPES:].sum(), topics * runs, before.run_in_topic
        ),
        _RUN.estimate(of_runs, (inverse[:, -runs:] ** 2).sum(), runs, before.run),
    )
    return spread, doubt


def _find_own(ranks: int, runs: int) -> Integers:
    """Return which of the common columns also have an effect in each topic."""
    return np.concatenate([np.arange(SLOPES), np.arange(ranks, ranks + runs)])


def _invert_root(precision: Floats) -> Floats:
    """Return the inverse of the lower Cholesky root; NumPy has it for many matrices at once."""
    inverse: Floats = np.linalg.inv(np.linalg.cholesky(precision))
    return inverse


def _times(matrices: Floats, vectors: Floats) -> Floats:
    product: Floats = (matrices @ vectors[:, :, np.newaxis])[:, :, 0]
    return product
