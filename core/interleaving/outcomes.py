"""What users prefer, by who won how many of the lists that they were shown."""

from dataclasses import dataclass

import numpy as np

from core.interleaving.base import Method, Mixed
from core.interleaving.pairs import Floats, Integers, Mask, RankingPair
from core.preference.outcomes import sign_test

BOOTSTRAP, SESSION = "bootstrap", "session"
"""The method of the limits of Δ, and what it samples."""

DRAWS = 2_000
LEAST_SESSIONS = 10
FEW = "fewer than 10 sessions"
NOTHING_WON = "no session was won by either; the sign test drops ties"

_ROUNDING = 1e-9

_BLOCK = 4_000_000
"""How many counts are drawn at a time."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Lists that were shown, each an impression, and who won them.

    Parameters
    ----------
    session : array of int, shape (n_impressions,)
        Which session each belongs to: what is sampled.
    won : array of float, shape (n_impressions, 2)
        How probable it is that the first and that the second ranking won; the rest is a tie.
    clicked : array of bool, shape (n_impressions,)
        Whether anything was clicked.
    """

    session: Integers
    won: Floats
    clicked: Mask

    def __len__(self) -> int:
        return len(self.session)


@dataclass(frozen=True)
class InterleavedComparison:
    """Which of two rankings users prefer.

    Parameters
    ----------
    first_wins, second_wins, ties : float
        Impressions won by either, and by none. Whole numbers, unless a method knows only how
        probable each is.
    without_clicks : int
        The impressions without a click, all of them ties.
    impressions, sessions : int
        How much was shown, to how many.
    sessions_first, sessions_second : int
        Sessions in which the first, or the second, won more lists.
    delta : float
        (wins of the first + half the ties) / impressions - 1/2, in [-0.5, 0.5].
    low, high : float
        95 % limits of Δ over sessions; NaN with a reason.
    p : float
        Two-sided, of a sign test over sessions: one is won by whoever won more of its
        impressions; tied ones are dropped. NaN where all are tied.
    p_ties_half : float
        The same, half of the tied sessions being won by either.
    p_bootstrap : float
        Two-sided, of the sessions drawn again.
    reason : str
        Why something is NaN.
    """

    first_wins: float
    second_wins: float
    ties: float
    without_clicks: int
    impressions: int
    sessions: int
    sessions_first: int
    sessions_second: int
    delta: float
    low: float
    high: float
    p: float
    p_ties_half: float
    p_bootstrap: float
    reason: str


def judge_impressions(
    method: Method, pair: RankingPair, mixed: Mixed, clicked: Mask, session: Integers
) -> Outcomes:
    """Return who won lists of one topic.

    Parameters
    ----------
    method, pair, mixed, clicked
        As `Method.wins` takes them.
    session : array of int, shape (n_lists,)
        Whose they are.
    """
    any_click: Mask = np.asarray(clicked.any(axis=1))
    return Outcomes(session, method.wins(pair, mixed, clicked), any_click)


def join_outcomes(parts: list[Outcomes]) -> Outcomes:
    """Return impressions of several topics as one."""
    return Outcomes(
        np.concatenate([one.session for one in parts]),
        np.concatenate([one.won for one in parts]),
        np.concatenate([one.clicked for one in parts]),
    )


def compare_rankings(outcomes: Outcomes, rng: np.random.Generator) -> InterleavedComparison:
    """Return which ranking users prefer, sessions being what is sampled.

    Parameters
    ----------
    outcomes : Outcomes
        At least one impression.
    rng : Generator
        What sessions are drawn with.

    References
    ----------
    Chapelle, Joachims, Radlinski and Yue (2012), ACM TOIS 30(1), doi:10.1145/2094072.2094078,
    for Δ.
    """
    gained, number = _add_up_sessions(outcomes)
    wins, impressions = outcomes.won.sum(axis=0), len(outcomes)
    delta = float(gained.sum() / number.sum() / 2)
    low, high, p_bootstrap = bootstrap_sessions(gained, number, rng)
    won, lost, tied = (float((np.sign(gained) == side).sum()) for side in (1, -1, 0))
    p = float(sign_test(won, lost))
    reasons = [FEW] if np.isnan(low) else []
    return InterleavedComparison(
        float(wins[0]),
        float(wins[1]),
        float(impressions - wins.sum()),
        int((~outcomes.clicked).sum()),
        impressions,
        len(number),
        int(won),
        int(lost),
        delta,
        low,
        high,
        p,
        halve_ties(won, lost, tied),
        p_bootstrap,
        "; ".join(reasons + ([NOTHING_WON] if np.isnan(p) else [])),
    )


def halve_ties(won: float, lost: float, tied: float) -> float:
    """Two-sided p of a sign test where half the tied trials are won by either.

    An odd one counts for the side that is behind.

    Returns
    -------
    float
        In (0, 1]; NaN without trials.

    Examples
    --------
    >>> round(halve_ties(2, 0, 8), 3)
    0.754
    """
    less = min(won, lost) + (tied + 1) // 2
    trials = won + lost + tied
    less = min(less, trials // 2)
    return float(sign_test(less, trials - less))


def bootstrap_sessions(
    gained: Floats, number: Floats, rng: np.random.Generator, draws: int = DRAWS
) -> tuple[float, float, float]:
    """95 % limits of Δ, and p of no difference, by drawing sessions again.

    Two sessions of one impression are added to those drawn from, of which each ranking wins one:
    with few sessions, or hardly any that are not tied, limits would be too narrow, or of no width.
    Deviations are widened by what Student's t has more than the normal, and by √(n/(n − 1)).

    Parameters
    ----------
    gained : array, shape (n_sessions,)
        The impressions that the first won less those that the second did.
    number : array, shape (n_sessions,)
        The impressions of each session.
    rng : Generator
        What sessions are drawn with.
    draws : int
        How often.

    Returns
    -------
    low, high, p : float
        Limits in [-0.5, 0.5]; p in (0, 1]. NaN with fewer than 10 sessions.

    References
    ----------
    Bonett and Price (2012), Journal of Educational and Behavioral Statistics 37(4),
    doi:10.3102/1076998611411915, for the two that are added; Hesterberg (2015), The American
    Statistician 69(4), doi:10.1080/00031305.2015.1089789, for the widening.
    """
    sessions = len(number)
    if sessions < LEAST_SESSIONS:
        return np.nan, np.nan, np.nan
    rows = np.column_stack([np.append(gained, [1.0, -1.0]), np.append(number, [1.0, 1.0])])
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    drawn = _draw_deltas(kinds, counts, rng, draws)
    delta = float(gained.sum() / number.sum() / 2)
    centre = float(rows[:, 0].sum() / rows[:, 1].sum() / 2)
    deviation = (drawn - centre) * _widen(sessions)
    least, most = np.quantile(deviation, [0.025, 0.975])
    middle = centre + deviation
    beyond = min((middle <= 0).sum(), (middle >= 0).sum())
    p = min(1.0, 2 * float(beyond + 1) / (draws + 1))
    low, high = (max(-0.5, centre + least), min(0.5, centre + most))
    return min(low, delta), max(high, delta), p


def _widen(sessions: int) -> float:
    """Return by what deviations of means of so many are too small."""
    from scipy.special import ndtri, stdtrit

    inflation = np.sqrt(sessions / (sessions - 1))
    return float(inflation * stdtrit(sessions - 1, 0.975) / ndtri(0.975))


def _draw_deltas(kinds: Floats, counts: Integers, rng: np.random.Generator, draws: int) -> Floats:
    """Return Δ of sessions drawn again, by how often each kind is drawn; shape (draws,)."""
    total = int(counts.sum())
    step = max(1, _BLOCK // len(kinds))
    sums = [
        rng.multinomial(total, counts / total, size=min(step, draws - start)) @ kinds
        for start in range(0, draws, step)
    ]
    gained, number = np.concatenate(sums).T
    deltas: Floats = gained / number / 2
    return deltas


def _add_up_sessions(outcomes: Outcomes) -> tuple[Floats, Floats]:
    """Return what the first won more than the second, and impressions, by session."""
    _, session = np.unique(outcomes.session, return_inverse=True)
    summed = np.bincount(session, weights=outcomes.won[:, 0] - outcomes.won[:, 1])
    # What should cancel out, does: else rounding would win sessions.
    gained: Floats = np.where(np.abs(summed) < _ROUNDING, 0.0, summed)
    return gained, np.bincount(session).astype(np.float64)
