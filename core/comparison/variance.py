"""Who contributes how much to the variance of scores, and how many topics tell systems apart.

References
----------
Brennan (2001), Generalizability Theory, Springer.
Urbano, Marrero and Martín (2013), SIGIR, doi:10.1145/2484028.2484038.
Bodoff and Li (2007), SIGIR, doi:10.1145/1277741.1277790.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats
from core.comparison.score_matrix import ScoreMatrix
from core.errors import BadInput

ENOUGH = 0.95
"""The coefficient from which an order of systems counts as stable (Urbano et al. 2013)."""

TOPIC, SYSTEM, VERSION = "topic", "system", "version"


@dataclass(frozen=True, eq=False)
class VarianceStudy:
    """The variance of scores by its sources, and what it means for the order of systems.

    Parameters
    ----------
    components : DataFrame
        ``source, variance, share, degrees``: topic, system, version where there are several, and
        what they do together ("topic × system"); the last holds chance, too. A variance that comes
        out below 0 is 0. ``share`` is of their sum, NaN where it is 0.
    relative, absolute : float
        The generalisability coefficients of a study like this one: Eρ², how far the order of
        systems would come out the same with other topics (and versions), and Φ, how far their
        means would. In [0, 1]; NaN where nothing varies.
    low, high : float
        95 % limits of Eρ² by the F distribution, where there is one version; NaN otherwise.
    topics : int
        In the study.
    topics_needed : float
        How many topics, with as many versions, would bring Eρ² to .95; infinite where none would,
        NaN where the coefficient is.
    versions : int
        How often each topic was judged: assessors or qrels versions.
    reason : str
        Why coefficients or limits are NaN, else ''.
    """

    components: pd.DataFrame
    relative: float
    absolute: float
    low: float
    high: float
    topics: int
    topics_needed: float
    versions: int
    reason: str


def study_variance(matrices: Sequence[ScoreMatrix]) -> VarianceStudy:
    """Split the variance of scores by topic, system and, of several matrices, version.

    Parameters
    ----------
    matrices : sequence of ScoreMatrix
        Scores of the same systems on the same topics by the same measure; several are replicates:
        by the labels of several assessors, or several qrels versions.

    Returns
    -------
    VarianceStudy

    Raises
    ------
    BadInput
        There is no matrix, or they differ in systems or topics.

    Notes
    -----
    All are random effects, fully crossed, without replication within a cell; variances are
    estimated from the mean squares. Topics, systems and versions are taken for samples of many.
    """
    values = _stack(matrices)
    if values.shape[2] == 1:
        values = values[:, :, 0]
    names = [TOPIC, SYSTEM, VERSION][: values.ndim]
    squares, degrees = _mean_squares(values)
    variance = _components(squares, values.shape)
    rows = [
        (" × ".join(names[at] for at in effect), max(variance[effect], 0.0), degrees[effect])
        for effect in squares
    ]
    table = pd.DataFrame(rows, columns=["source", "variance", "degrees"])
    total = float(table["variance"].sum())
    share = table["variance"] / total if total > 0 else np.full(len(table), np.nan)
    table.insert(2, "share", share)
    return _generalise(table, squares, values.shape)


Effect = tuple[int, ...]


def _stack(matrices: Sequence[ScoreMatrix]) -> Floats:
    if not matrices:
        raise BadInput("there are no scores; choose at least one condition")
    first, arrays = matrices[0], []
    for one in matrices:
        if set(one.systems) != set(first.systems) or set(one.topics) != set(first.topics):
            raise BadInput("scores are of different systems or topics; compare on common topics")
        rows = [one.topics.index(topic) for topic in first.topics]
        columns = [one.systems.index(system) for system in first.systems]
        arrays.append(one.values[np.ix_(rows, columns)])
    return np.stack(arrays, axis=2)


def _mean_squares(values: Floats) -> tuple[dict[Effect, float], dict[Effect, int]]:
    """Return the mean square and the degrees of freedom of every effect."""
    axes = tuple(range(values.ndim))
    squares: dict[Effect, float] = {}
    degrees: dict[Effect, int] = {}
    parts: dict[Effect, Floats] = {(): np.asarray(values.mean())}
    for size in range(1, values.ndim + 1):
        for effect in combinations(axes, size):
            others = tuple(axis for axis in axes if axis not in effect)
            part = values.mean(axis=others, keepdims=True)
            for smaller, own in parts.items():
                if set(smaller) < set(effect):
                    part = part - own
            parts[effect] = part
            repeats = np.prod([values.shape[axis] for axis in others])
            degrees[effect] = int(np.prod([values.shape[axis] - 1 for axis in effect]))
            squares[effect] = float((part**2).sum() * repeats / degrees[effect])
    floor = _ROUNDING * max(float((values**2).mean()), 1e-300)
    return {effect: one if one > floor else 0.0 for effect, one in squares.items()}, degrees


_ROUNDING = 1e-20


def _components(squares: dict[Effect, float], shape: tuple[int, ...]) -> dict[Effect, float]:
    """Return the variance of every effect, from the largest interaction down."""
    found: dict[Effect, float] = {}
    for effect in sorted(squares, key=len, reverse=True):
        size = np.prod([shape[axis] for axis in range(len(shape)) if axis not in effect])
        above = sum(
            found[other] * np.prod([shape[axis] for axis in range(len(shape)) if axis not in other])
            for other in found
            if set(effect) < set(other)
        )
        found[effect] = float((squares[effect] - above) / size)
    return found


def _generalise(
    table: pd.DataFrame, squares: dict[Effect, float], shape: tuple[int, ...]
) -> VarianceStudy:
    variance = table.set_index("source")["variance"]
    topics, systems, versions = (*shape, 1)[:3]
    own = float(variance[SYSTEM])
    by_topic = float(variance[f"{TOPIC} × {SYSTEM}"])
    others = apart = topic = 0.0
    if versions > 1:
        by_version = float(variance[f"{SYSTEM} × {VERSION}"]) / versions
        by_topic += float(variance[f"{TOPIC} × {SYSTEM} × {VERSION}"]) / versions
        apart = by_version
        others = float(variance[VERSION]) / versions
        topic = float(variance[f"{TOPIC} × {VERSION}"]) / versions
    topic += float(variance[TOPIC])
    relative_error = by_topic / topics + apart
    absolute_error = relative_error + topic / topics + others
    nothing = own + relative_error <= 0
    relative = np.nan if nothing else own / (own + relative_error)
    absolute = np.nan if own + absolute_error <= 0 else own / (own + absolute_error)
    low, high = _limits(squares, topics, systems) if versions == 1 else (np.nan, np.nan)
    reason = _NOTHING if nothing else _SEVERAL if versions > 1 else ""
    needed = _topics_needed(own, by_topic, apart, nothing)
    return VarianceStudy(table, relative, absolute, low, high, topics, needed, versions, reason)


_NOTHING = "all systems have the same scores: nothing varies between them"
_SEVERAL = "with several versions the coefficient has no limits"


def _limits(squares: dict[Effect, float], topics: int, systems: int) -> tuple[float, float]:
    """Return the limits of 1 − 1/F, for normal effects: the ratio of mean squares is F."""
    from scipy.special import fdtri

    between, within = squares[1,], squares[0, 1]
    if within <= 0:
        return np.nan, np.nan
    ratio, degrees = between / within, (systems - 1, (topics - 1) * (systems - 1))
    limits = (1 - fdtri(*degrees, share) / ratio if ratio > 0 else 0.0 for share in (0.975, 0.025))
    low, high = (float(min(max(one, 0.0), 1.0)) for one in limits)
    return low, high


def _topics_needed(own: float, by_topic: float, apart: float, nothing: bool) -> float:
    if nothing:
        return float("nan")
    left = own * (1 - ENOUGH) / ENOUGH - apart
    if left <= 0:
        return float("inf")
    return float(max(1, np.ceil(by_topic / left - 1e-9)))
